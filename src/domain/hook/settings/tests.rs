use super::*;
use proptest::prelude::*;
use serde_json::{Value, json};

const HARNESS: Harness = Harness::ClaudeCode;

fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn new_settings_get_the_hooks() {
    insta::assert_snapshot!(install("", HARNESS).unwrap(), @r#"
    {
      "hooks": {
        "SessionStart": [
          {
            "hooks": [
              {
                "type": "command",
                "command": "bb hook claude-code session-start",
                "timeout": 10
              }
            ]
          }
        ],
        "UserPromptSubmit": [
          {
            "hooks": [
              {
                "type": "command",
                "command": "bb hook claude-code prompt",
                "timeout": 10
              }
            ]
          }
        ],
        "PostToolUse": [
          {
            "hooks": [
              {
                "type": "command",
                "command": "bb hook claude-code tool",
                "timeout": 10
              }
            ]
          }
        ],
        "Stop": [
          {
            "hooks": [
              {
                "type": "command",
                "command": "bb hook claude-code stop",
                "timeout": 10
              }
            ]
          }
        ]
      }
    }
    "#);
}

#[test]
fn everything_else_keeps_its_order_its_digits_and_its_layout() {
    let text = "{\n    \"zeta\": 1.50,\n    \"hooks\": {\n        \"Stop\": [ {\"hooks\": [{\"type\":\"command\",\"command\":\"say\"}]} ],\n        \"PreToolUse\": []\n    },\n    \"alpha\": 12345678901234567890123\n}";
    let after = install(text, HARNESS).unwrap();
    insta::assert_snapshot!(after, @r#"
    {
        "zeta": 1.50,
        "hooks": {
            "Stop": [ {"hooks": [{"type":"command","command":"say"}]},
                {
                    "hooks": [
                        {
                            "type": "command",
                            "command": "bb hook claude-code stop",
                            "timeout": 10
                        }
                    ]
                } ],
            "PreToolUse": [],
            "SessionStart": [
                {
                    "hooks": [
                        {
                            "type": "command",
                            "command": "bb hook claude-code session-start",
                            "timeout": 10
                        }
                    ]
                }
            ],
            "UserPromptSubmit": [
                {
                    "hooks": [
                        {
                            "type": "command",
                            "command": "bb hook claude-code prompt",
                            "timeout": 10
                        }
                    ]
                }
            ],
            "PostToolUse": [
                {
                    "hooks": [
                        {
                            "type": "command",
                            "command": "bb hook claude-code tool",
                            "timeout": 10
                        }
                    ]
                }
            ]
        },
        "alpha": 12345678901234567890123
    }
    "#);
    assert_eq!(uninstall(&after, HARNESS).unwrap(), text);
}

#[test]
fn settings_on_one_line_stay_on_one_line() {
    let after = install(r#"{"a":1}"#, HARNESS).unwrap();
    assert_eq!(after.lines().count(), 1);
    assert!(after.starts_with(r#"{"a":1,"hooks":{"SessionStart":[{"hooks":[{"type":"command","#), "{after}");
    assert_eq!(uninstall(&after, HARNESS).unwrap(), r#"{"a":1}"#);
}

#[test]
fn a_hook_that_was_adapted_counts_as_ours() {
    for command in [
        "bb hook claude-code stop",
        "/usr/local/bin/bb hook claude-code stop",
        "BB_AGENT=amber-otter bb agent hook claude-code stop --store /x.db",
        "\\\"/opt/my/bb\\\" hook claude-code stop",
    ] {
        let text = format!(r#"{{"hooks":{{"Stop":[{{"hooks":[{{"command":"{command}"}}]}}]}}}}"#);
        let found = installed(&text, HARNESS).unwrap();
        assert_eq!(found.len(), 1, "{command}");
        assert_eq!((found[0].moment, found[0].group, found[0].handler), (Moment::Stop, 0, 0));
        assert_eq!(value(&install(&text, HARNESS).unwrap())["hooks"]["Stop"], value(&text)["hooks"]["Stop"]);
    }
    let split = r#"{"hooks":{"Stop":[{"hooks":[{"command":"bb","args":["hook","claude-code","stop"]}]}]}}"#;
    assert_eq!(installed(split, HARNESS).unwrap().len(), 1);
}

#[test]
fn hooks_of_others_are_not_ours() {
    for command in [
        "bbx hook claude-code stop",
        "bb hook codex stop",
        "bb hook claude-code prompt",
        "hook claude-code stop",
    ] {
        let text = format!(r#"{{"hooks":{{"Stop":[{{"hooks":[{{"command":"{command}"}}]}}]}}}}"#);
        assert!(installed(&text, HARNESS).unwrap().is_empty(), "{command}");
        assert_eq!(uninstall(&text, HARNESS).unwrap(), text);
    }
}

#[test]
fn removing_leaves_the_neighbours_in_a_shared_group() {
    let text = r#"{"hooks":{"Stop":[{"matcher":"x","hooks":[{"command":"one"},{"command":"bb hook claude-code stop"},{"command":"two"}]}]}}"#;
    assert_eq!(
        uninstall(text, HARNESS).unwrap(),
        r#"{"hooks":{"Stop":[{"matcher":"x","hooks":[{"command":"one"},{"command":"two"}]}]}}"#
    );
}

#[test]
fn settings_that_cannot_be_understood_are_refused() {
    for text in ["[]", "{", "// hello\n{}", r#"{"hooks":[]}"#, r#"{"hooks":{"Stop":{}}}"#, "7"] {
        assert!(install(text, HARNESS).is_err(), "{text}");
        assert!(uninstall(text, HARNESS).is_err(), "{text}");
    }
}

#[test]
fn says_whether_all_hooks_are_off() {
    assert!(are_disabled(r#"{"disableAllHooks": true}"#));
    assert!(!are_disabled(r#"{"disableAllHooks": false}"#));
    assert!(!are_disabled(""));
}

/// Settings as they may be found: other keys, other hooks, any layout.
fn found() -> impl Strategy<Value = String> {
    let command = prop_oneof![Just("say done"), Just("bb hook codex stop"), Just("lint --fix")];
    let group = prop::collection::vec(command, 1..3).prop_map(
        |commands| json!({"hooks": commands.iter().map(|it| json!({"command": it})).collect::<Vec<_>>()}),
    );
    let events = prop::collection::btree_map(
        prop_oneof![Just("Stop"), Just("PreToolUse"), Just("PostToolUse"), Just("SessionStart")],
        prop::collection::vec(group, 1..3),
        0..3,
    );
    let others = prop::collection::btree_map("[a-z]{1,6}", any::<i32>(), 0..4);
    (others, events, any::<bool>()).prop_map(|(others, events, pretty)| {
        let mut settings = json!(others);
        if !events.is_empty() {
            settings["hooks"] = json!(events);
        }
        if pretty { serde_json::to_string_pretty(&settings).unwrap() } else { settings.to_string() }
    })
}

proptest! {
    #[test]
    fn installing_twice_is_installing_once(text in found()) {
        let once = install(&text, HARNESS).unwrap();
        prop_assert_eq!(installed(&once, HARNESS).unwrap().len(), Moment::ALL.len());
        prop_assert_eq!(install(&once, HARNESS).unwrap(), once);
    }

    #[test]
    fn uninstalling_gives_back_what_was_there(text in found()) {
        let back = uninstall(&install(&text, HARNESS).unwrap(), HARNESS).unwrap();
        prop_assert_eq!(value(&back), value(&text));
    }

    #[test]
    fn installing_loses_nothing(text in found()) {
        let (before, after) = (value(&text), value(&install(&text, HARNESS).unwrap()));
        for (key, kept) in before.as_object().unwrap() {
            if key != "hooks" {
                prop_assert_eq!(&after[key], kept);
                continue;
            }
            for (event, groups) in kept.as_object().unwrap() {
                for group in groups.as_array().unwrap() {
                    prop_assert!(after["hooks"][event].as_array().unwrap().contains(group));
                }
            }
        }
    }
}
