//! `--fields`: an answer no longer than needed.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::common::{Run, World, letter, words};

/// Lines whose answers are lists, objects and objects in them.
const LINES: &[&str] = &[
    "list",
    "show lead-one",
    "whoami --agent lead-one",
    "state lead-one working",
    "activity-lease --agent lead-one",
    "inbox --agent lead-one",
    "inbox --agent lead-one --brief",
    "inbox --agent lead-one --after 0",
    "read --agent lead-one msg_ --peek",
    "thread bead:bb-1",
    "wait-ack msg_ --no-wait",
    "waits",
    "log",
    "tick",
    "explain msg_",
    "hook plain stop --agent lead-one",
    "hook status claude-code",
    "onboard",
    "config",
    "doctor",
    "man send",
    "ack --agent lead-one msg_",
];

fn world() -> World {
    let world = World::with_two_agents();
    world.bb(letter(&[("--category", "BLOCKED"), ("--content", r#"{"deep": {"er": 1}}"#)])).ok();
    world
}

/// Every name in an answer, with a dot for each step down.
fn paths(value: &Value, prefix: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| paths(item, prefix, found)),
        Value::Object(fields) => {
            for (name, inner) in fields {
                let path = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
                // The keys of contents and records are what agents wrote.
                if !name.contains([',', '.']) {
                    paths(inner, &path, found);
                    found.insert(path);
                }
            }
        }
        _ => {}
    }
}

#[test]
fn every_field_of_every_answer_can_be_selected() {
    for line in LINES {
        let whole = world().bb(words(line).into_iter().chain(["--json".to_owned()])).data();
        let mut names = BTreeSet::new();
        paths(&whole, "", &mut names);
        assert!(!names.is_empty() || *line == "waits", "{line}");
        if names.is_empty() {
            continue;
        }
        let all: Vec<_> = names.iter().cloned().collect();
        let selected = world().bb(words(line).into_iter().chain(["--fields".to_owned(), all.join(",")]));
        assert_eq!(selected.document()["ok"], true, "{line}: {selected}");
        let mut again = BTreeSet::new();
        paths(&selected.data(), "", &mut again);
        assert_eq!(again, names, "{line}");
    }
}

#[test]
fn implies_json_and_keeps_the_order() {
    let world = world();
    let run = world.bb(["inbox", "--agent", "lead-one", "--fields", "subject,message_id"]).ok();
    insta::assert_snapshot!(run.stdout, @r#"{"ok":true,"command":"agent inbox","data":[{"subject":"Hi","message_id":"msg_20260304_001122_d91fp7rptj"}],"error":null}"#);
}

#[test]
fn leads_into_pages_and_threads() {
    let world = world();
    let page = world.json([
        "inbox",
        "--agent",
        "lead-one",
        "--after",
        "0",
        "--fields",
        "next_cursor,messages.subject",
    ]);
    assert_eq!(page, json!({"next_cursor": 1, "messages": [{"subject": "Hi"}]}));
    let thread = world.json(["thread", "bead:bb-1", "--fields", "messages.content.deep.er"]);
    assert_eq!(thread, json!({"messages": [{"content": {"deep": {"er": 1}}}]}));
}

#[test]
fn an_unknown_field_is_refused_before_anything_is_done() {
    let world = World::with_two_agents();
    let line = letter(&[("--fields", "message_id,sbject")]);
    let refused = world.bb(line).fails("INVALID_ARGS", 64).document();
    let hint = refused["error"]["hint"].as_str().unwrap();
    assert!(hint.contains("message_id") && hint.contains("subject") && hint.contains("body_bytes"), "{hint}");
    assert_eq!(world.json(["inbox", "--agent", "lead-one"]), json!([]), "nothing was sent");
    world.bb(["list", "--fields", ""]).fails("INVALID_ARGS", 64);
    world.bb(["list", "--fields", "role,"]).fails("INVALID_ARGS", 64);
}

/// Which fields there are depends on the flags that choose the answer.
#[test]
fn a_field_of_another_answer_of_the_same_command_is_refused() {
    let world = world();
    for (flags, field) in [
        (&["--brief"][..], "body"),
        (&[], "age"),
        (&[], "next_cursor"),
        (&["--after", "0"], "subject"),
        (&["--after", "0", "--brief"], "messages.body"),
    ] {
        let line = ["inbox", "--agent", "lead-one", "--fields", field];
        world.bb(line.iter().chain(flags)).fails("INVALID_ARGS", 64);
    }
    let brief =
        world.json(["inbox", "--agent", "lead-one", "--after", "0", "--brief", "--fields", "messages.age"]);
    assert_eq!(brief, json!({"messages": [{"age": "0s"}]}));
}

/// What may be absent from an answer is no unknown field.
#[test]
fn fields_that_are_not_there_are_left_out() {
    let world = World::with_two_agents();
    let sent = world.json(letter(&[("--fields", "broadcast,duplicate")]));
    assert_eq!(sent, json!({"duplicate": false}));
}

#[test]
fn failures_stay_whole() {
    let world = World::with_two_agents();
    let failed = world.bb(["show", "nobody-here", "--fields", "role"]).fails("AGENT_NOT_FOUND", 67);
    assert_eq!(failed.document().as_object().unwrap().len(), 4);
}

#[test]
fn followed_messages_are_selected_too() {
    let world = world();
    let line = [
        "inbox",
        "--agent",
        "lead-one",
        "--follow",
        "--after",
        "0",
        "--wait",
        "1",
        "--fields",
        "message_id,subject",
    ];
    let run = world.bb(line).ok();
    insta::assert_snapshot!(run.stdout, @r#"{"message_id":"msg_20260304_001122_d91fp7rptj","subject":"Hi"}"#);
}

/// A body that looks like the flag is a body.
#[test]
fn a_body_that_says_json_is_a_body() {
    let world = World::with_two_agents();
    let run = world.bb(letter(&[("--body", "--json")])).ok();
    assert!(run.stdout.starts_with("sent msg_"), "{run}");
}

/// The six steps of the flow in which an agent is blocked, each with these flags added.
fn blocked_flow(flags: [&[&str]; 6]) -> Vec<Run> {
    let world = World::new();
    world.register("amber-otter", "backend");
    world.register("lead-orchestrator", "lead");
    let [send, stuck, inbox, read, ack, running] = flags;
    let step = |words: &[&str], flags: &[&str]| world.bb(["agent"].iter().chain(words).chain(flags)).ok();
    let body =
        "bd mail delegate missing in this repo; need delegate config or approval to run preflight patch";
    let blocked =
        [("--category", "BLOCKED"), ("--subject", "Cannot run mail contract test"), ("--body", body)];
    let about = [("--to", "lead-orchestrator"), ("--bead", "beadboard-maf.8")];
    let mut steps = vec![step(&letter(&[blocked.as_slice(), &about].concat()), send)];
    steps.push(step(&["state", "amber-otter", "stuck"], stuck));
    let answer = [("--from", "lead-orchestrator"), ("--to", "amber-otter"), ("--bead", "beadboard-maf.8")];
    let words = [("--category", "HANDOFF"), ("--subject", "Delegate is set"), ("--body", "Run it again.")];
    let id = world.json(letter(&[answer.as_slice(), &words].concat()))["message_id"].clone();
    let id = id.as_str().unwrap();
    steps.push(step(&["inbox", "--agent", "amber-otter", "--state", "unread"], inbox));
    steps.push(step(&["read", "--agent", "amber-otter", "--message", id], read));
    steps.push(step(&["ack", "--agent", "amber-otter", "--message", id], ack));
    steps.push(step(&["state", "amber-otter", "running"], running));
    steps
}

/// B27: what an agent pays for being blocked and going on, in bytes. The whole JSON is for programs and only put on
/// record; what agents read stays short.
#[test]
fn each_step_of_a_blocked_flow_is_read_in_400_bytes() {
    let text = blocked_flow([&[]; 6]);
    let briefest: [&[&str]; 6] = [
        &["--fields", "message_id,requires_ack"],
        &["--fields", "state"],
        &["--fields", "message_id,from_agent,subject"],
        &["--fields", "from_agent,subject,body,acknowledge"],
        &["--fields", "message_id,state"],
        &["--fields", "state"],
    ];
    let fields = blocked_flow(briefest);
    let json = blocked_flow([&["--json"]; 6]);
    let page = include_str!("../docs/json.md");
    let (mut rows, mut sums) = (Vec::new(), [0; 3]);
    for (((text, fields), json), flags) in text.iter().zip(&fields).zip(&json).zip(briefest) {
        for step in [text, fields] {
            assert!(step.stdout.len() < 400 && step.stderr.is_empty(), "{} bytes: {step}", step.stdout.len());
        }
        let bytes = [text, fields, json].map(|step| step.stdout.len());
        rows.push(format!("| {} | {} with `{}` | {} |", bytes[0], bytes[1], flags.join(" "), bytes[2]));
        sums = [0, 1, 2].map(|column| sums[column] + bytes[column]);
    }
    rows.push(format!("| all of it | {} | {} | {} |", sums[0], sums[1], sums[2]));
    let missing: Vec<_> = rows.iter().filter(|row| !page.contains(*row)).collect();
    assert!(missing.is_empty(), "docs/json.md lacks {missing:#?}");
}
