//! `--fields`: an answer no longer than needed.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::common::{World, letter, words};

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

/// The six steps of the flow in which an agent is blocked, as small as they get: the bytes an agent reads.
#[test]
fn each_step_of_a_blocked_flow_can_be_read_in_400_bytes() {
    let world = World::new();
    world.register("amber-otter", "backend");
    world.register("lead-orchestrator", "lead");
    let body =
        "bd mail delegate missing in this repo; need delegate config or approval to run preflight patch";
    let send = [
        "send",
        "--from",
        "amber-otter",
        "--to",
        "lead-orchestrator",
        "--bead",
        "beadboard-maf.8",
        "--category",
        "BLOCKED",
        "--subject",
        "Cannot run mail contract test",
        "--body",
        body,
        "--fields",
        "message_id,requires_ack",
    ];
    let state = ["state", "amber-otter", "stuck", "--fields", "agent_id,state"];
    let mut steps = vec![world.bb(send).ok(), world.bb(state).ok()];
    let answer = [
        "send",
        "--from",
        "lead-orchestrator",
        "--to",
        "amber-otter",
        "--bead",
        "beadboard-maf.8",
        "--category",
        "DECISION",
        "--subject",
        "Delegate is set",
        "--body",
        "Run the preflight again.",
        "--json",
    ];
    let id = world.bb(answer).ok().data()["message_id"].as_str().unwrap().to_owned();
    let inbox = ["inbox", "--agent", "amber-otter", "--state", "unread", "--brief", "--json"];
    let read = [
        "read",
        "--agent",
        "amber-otter",
        "--message",
        &id,
        "--fields",
        "from_agent,subject,body,requires_ack",
    ];
    let ack = ["ack", "--agent", "amber-otter", "--message", &id, "--fields", "message_id,state"];
    let running = ["state", "amber-otter", "running", "--fields", "agent_id,state"];
    steps.push(world.bb(inbox).ok());
    steps.push(world.bb(read).ok());
    steps.push(world.bb(ack).ok());
    steps.push(world.bb(running).ok());
    for step in &steps {
        assert!(step.stdout.len() < 400, "{} bytes: {step}", step.stdout.len());
    }
}
