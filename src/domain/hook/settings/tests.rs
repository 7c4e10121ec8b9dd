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
        let text = with_stop(command);
        assert!(installed(&text, HARNESS).unwrap().is_empty(), "{command}");
        assert!(shared(&text, HARNESS).unwrap().is_empty(), "{command}");
        assert_eq!(uninstall(&text, HARNESS).unwrap(), text);
    }
}

/// Settings with one command at the end of a turn.
fn with_stop(command: &str) -> String {
    json!({"hooks": {"Stop": [{"hooks": [{"command": command}]}]}}).to_string()
}

#[test]
fn a_line_that_does_more_is_somebody_elses_and_is_named() {
    for command in [
        "my-linter --final && bb hook claude-code stop",
        "echo bb hook claude-code stop",
        "bb hook claude-code stop; say done",
        "bb hook claude-code stop | tee -a log",
        "bb hook claude-code stop 2>/dev/null",
        "bb hook claude-code stop || true",
        "bb hook claude-code stop --json\nlinter",
        "bb hook claude-code stop linter",
        "sh -c 'bb hook claude-code stop'",
        "X=$(date) bb hook claude-code stop",
        "9=9 bb hook claude-code stop",
    ] {
        let text = with_stop(command);
        assert!(installed(&text, HARNESS).unwrap().is_empty(), "{command}");
        let found = shared(&text, HARNESS).unwrap();
        assert_eq!((found.len(), found[0].moment), (1, Moment::Stop), "{command}");
        assert_eq!(uninstall(&text, HARNESS).unwrap(), text, "{command}");
        let back = uninstall(&install(&text, HARNESS).unwrap(), HARNESS).unwrap();
        assert_eq!(back, text, "{command}");
    }
}

#[test]
fn what_may_be_left_out_is_not_given_back_by_completing() {
    let text = uninstall(&install("{}", HARNESS).unwrap(), HARNESS).unwrap();
    let completed = complete(&text, HARNESS).unwrap();
    let moments: Vec<_> = installed(&completed, HARNESS).unwrap().iter().map(|it| it.moment).collect();
    assert_eq!(moments, [Moment::SessionStart, Moment::Prompt, Moment::Stop]);
    assert_eq!(complete(&completed, HARNESS).unwrap(), completed);
}

#[test]
fn lines_end_as_they_ended_before() {
    for text in ["{\r\n  \"a\": 1\r\n}\r\n", "{}\r\n"] {
        let after = install(text, HARNESS).unwrap();
        assert_eq!(after.matches('\n').count(), after.matches("\r\n").count(), "{after:?}");
        assert_eq!(value(&uninstall(&after, HARNESS).unwrap()), value(text));
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

/// Any value, strings with whatever has to be escaped in them included.
fn anything() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        Just(json!("say \"hooks\": [{\"command\": \"bb hook claude-code stop\"}] \\ \u{1F980}\n")),
    ];
    leaf.prop_recursive(3, 20, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(any::<String>(), inner, 0..4).prop_map(|map| json!(map)),
        ]
    })
}

/// A hook of somebody else.
fn handler() -> impl Strategy<Value = Value> {
    let command = prop_oneof![
        Just("say \"done\"".to_owned()),
        Just("bb hook codex stop".to_owned()),
        Just("lint --fix && bb hook claude-code stop".to_owned()),
        any::<String>(),
    ];
    (command, prop::option::of(anything())).prop_map(|(command, more)| match more {
        Some(more) => json!({"type": "command", "command": command, "statusMessage": more}),
        None => json!({"command": command}),
    })
}

/// Settings as they may be found: other keys, other hooks with and without matchers, any layout.
fn found() -> impl Strategy<Value = String> {
    let group = (prop::collection::vec(handler(), 1..3), prop::option::of(any::<String>())).prop_map(
        |(handlers, matcher)| match matcher {
            Some(matcher) => json!({"matcher": matcher, "hooks": handlers}),
            None => json!({"hooks": handlers}),
        },
    );
    let events = prop::collection::btree_map(
        prop_oneof![Just("Stop"), Just("PreToolUse"), Just("PostToolUse"), Just("SessionStart")],
        prop::collection::vec(group, 1..3),
        0..3,
    );
    let others = prop::collection::btree_map("[a-z]{1,6}", anything(), 0..4);
    (others, events, 0..4_u8).prop_map(|(mut others, events, layout)| {
        others.remove("hooks");
        let mut settings = json!(others);
        if !events.is_empty() {
            settings["hooks"] = json!(events);
        }
        let pretty = serde_json::to_string_pretty(&settings).unwrap();
        match layout {
            0 => settings.to_string(),
            1 => pretty,
            2 => format!("{}\r\n", pretty.replace('\n', "\r\n")),
            _ => format!(" \n{}\n\n", pretty.replace("  ", "\t")),
        }
    })
}

/// Whether one text can be made from the other by leaving characters out.
fn is_left_of(part: &str, whole: &str) -> bool {
    let mut rest = whole.bytes();
    part.bytes().all(|wanted| rest.any(|byte| byte == wanted))
}

proptest! {
    #[test]
    fn installing_twice_is_installing_once(text in found()) {
        let once = install(&text, HARNESS).unwrap();
        prop_assert_eq!(installed(&once, HARNESS).unwrap().len(), Moment::ALL.len());
        prop_assert_eq!(install(&once, HARNESS).unwrap(), once);
    }

    /// Byte for byte, but for the blanks between the braces of settings that held nothing.
    #[test]
    fn uninstalling_gives_back_what_was_there(text in found()) {
        let back = uninstall(&install(&text, HARNESS).unwrap(), HARNESS).unwrap();
        prop_assert_eq!(value(&back), value(&text));
        if value(&text) != json!({}) {
            prop_assert_eq!(back, text);
        }
    }

    #[test]
    fn installing_only_adds(text in found()) {
        let after = install(&text, HARNESS).unwrap();
        prop_assert!(is_left_of(text.trim(), &after), "{text}\n{after}");
        let (before, after) = (value(&text), value(&after));
        for (key, kept) in before.as_object().unwrap() {
            if key != "hooks" {
                prop_assert_eq!(&after[key], kept);
                continue;
            }
            for (event, groups) in kept.as_object().unwrap() {
                let now = after["hooks"][event].as_array().unwrap();
                prop_assert_eq!(&now[..groups.as_array().unwrap().len()], groups.as_array().unwrap().as_slice());
            }
        }
    }
}
