//! `send`: what is said arrives, once, or nothing happens.

mod answers;
mod fan_outs;
mod keys;
mod recipients_that_are_gone;

use serde_json::{Value, json};

use crate::common::{LEFT_OUT, SWITCH, World, letter};

fn inbox(world: &World, agent: &str) -> Vec<Value> {
    world.json(["inbox", "--agent", agent]).as_array().unwrap().clone()
}

#[test]
fn says_how_many_bytes_the_body_had() {
    let world = World::with_two_agents();
    let run = world
        .bb(letter(&[("-s", "Hi"), ("--subject", LEFT_OUT), ("-m", "grüße"), ("--body", LEFT_OUT)]))
        .ok();
    insta::assert_snapshot!(run.stdout, @"sent msg_20260304_001122_d91fp7rptj to lead-one (INFO, 7 bytes)");
    assert_eq!(world.bb(letter(&[("--body", "grüße"), ("--json", SWITCH)])).ok().data()["body_bytes"], 7);
}

#[test]
fn tells_people_that_an_ack_is_required() {
    let run = World::with_two_agents().bb(letter(&[("--category", "BLOCKED")])).ok();
    assert!(run.stdout.ends_with("to lead-one (BLOCKED, 8 bytes, ack required)\n"), "{run}");
}

#[test]
fn a_message_has_the_fields_of_the_contract() {
    let world = World::with_two_agents();
    let line = letter(&[
        ("--category", "handoff"),
        ("--priority", "High"),
        ("--content", r#"{"ready": true}"#),
        ("--json", SWITCH),
    ]);
    let sent = world.bb(line).ok().data();
    let id = sent["message_id"].clone();
    assert_eq!(
        sent,
        json!({
            "message_id": id, "thread_id": "bead:bb-1", "bead_id": "bb-1",
            "from_agent": "amber-otter", "to_agent": "lead-one", "category": "HANDOFF", "kind": "message",
            "priority": "high", "subject": "Hi", "body": "the body", "state": "unread", "requires_ack": true,
            "created_at": "2026-03-04T00:11:22.000Z", "read_at": null, "acked_at": null, "reply_to": null,
            "broadcast_id": null, "operation_id": null, "content": {"ready": true}, "response": null,
            "verified": false, "ack_due_at": "2026-03-04T00:13:22.000Z", "cursor": 1,
            "body_bytes": 8, "duplicate": false,
        })
    );
}

#[test]
fn ids_carry_their_time_and_are_all_different() {
    let world = World::with_two_agents();
    let mut ids: Vec<_> =
        (0..20).map(|number| world.send("amber-otter", "lead-one", "INFO", &format!("{number}"))).collect();
    assert!(ids.iter().all(|id| id.starts_with("msg_20260304_001122_")), "{ids:?}");
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 20);
}

#[test]
fn an_id_that_is_taken_is_not_given_again() {
    let world = World::with_two_agents();
    let same = [("BB_SEED", "7")];
    let first = world.bb_with(&same, letter(&[("--json", SWITCH)])).ok().data();
    let second = world.bb_with(&same, letter(&[("--json", SWITCH)])).ok().data();
    assert_ne!(first["message_id"], second["message_id"]);
}

#[test]
fn the_checks_come_in_the_order_callers_know() {
    let world = World::with_two_agents();
    let wrong = [
        ("--from", "nobody-one", "UNKNOWN_SENDER", 67),
        ("--to", "nobody-two", "UNKNOWN_RECIPIENT", 67),
        ("--bead", LEFT_OUT, "MISSING_BEAD_ID", 65),
        ("--category", "RESUME", "INVALID_CATEGORY", 65),
        ("--subject", " ", "INVALID_MESSAGE", 65),
        ("--body", "", "INVALID_MESSAGE", 65),
    ];
    for first in 0..wrong.len() {
        let changes: Vec<_> = wrong[first..].iter().map(|(flag, value, ..)| (*flag, *value)).collect();
        let (.., code, exit) = wrong[first];
        world.bb(letter(&changes)).fails(code, exit);
    }
    assert!(inbox(&world, "lead-one").is_empty());
}

#[test]
fn the_bead_may_come_from_the_environment() {
    let world = World::with_two_agents();
    let line = letter(&[("--bead", LEFT_OUT), ("--json", SWITCH)]);
    let sent = world.bb_with(&[("BB_BEAD", "bb-77")], line).ok().data();
    assert_eq!((&sent["bead_id"], &sent["thread_id"]), (&json!("bb-77"), &json!("bead:bb-77")));
    let run = world.bb(letter(&[("--bead", " ")])).fails("MISSING_BEAD_ID", 65);
    assert!(run.stderr.contains("BB_BEAD"), "{run}");
}

#[test]
fn the_sender_may_come_from_the_environment_and_the_flag_wins() {
    let world = World::with_two_agents();
    let me = [("BB_AGENT", "lead-one")];
    let line = letter(&[("--from", LEFT_OUT), ("--to", "amber-otter"), ("--json", SWITCH)]);
    assert_eq!(world.bb_with(&me, line).ok().data()["from_agent"], "lead-one");
    assert_eq!(world.bb_with(&me, letter(&[("--json", SWITCH)])).ok().data()["from_agent"], "amber-otter");
    world.bb(letter(&[("--from", LEFT_OUT)])).fails("MISSING_IDENTITY", 64);
}

#[test]
fn bodies_come_from_an_argument_a_file_or_standard_input() {
    let world = World::with_two_agents();
    let text = "`backticks` $(date) 'quotes' \"double\" \\ and\nlines\n";
    std::fs::write(world.work().join("body.md"), text).unwrap();
    let dash = letter(&[("--body", "-"), ("--json", SWITCH)]);
    let sent = [
        world.bb(letter(&[("--body", text), ("--json", SWITCH)])),
        world.bb(letter(&[("--body", LEFT_OUT), ("--body-file", "body.md"), ("--json", SWITCH)])),
        world.bb_with_input(dash, text.as_bytes()),
    ];
    for run in sent {
        let data = run.ok().data();
        assert_eq!(
            (data["body"].as_str(), data["body_bytes"].as_u64()),
            (Some(text), Some(text.len() as u64))
        );
    }
}

#[test]
fn a_body_may_look_like_a_flag() {
    let world = World::with_two_agents();
    for body in ["-h", "--help", "--json", "- [ ] item"] {
        let equals = format!("--body={body}");
        let sent =
            world.bb(letter(&[("--body", LEFT_OUT), (&equals, SWITCH), ("--json", SWITCH)])).ok().data();
        assert_eq!(sent["body"], body);
    }
}

#[test]
fn exactly_one_body_is_needed() {
    let world = World::with_two_agents();
    let run = world.bb(letter(&[("--body", LEFT_OUT)])).fails("INVALID_MESSAGE", 65);
    assert!(run.stderr.contains("--body-file"), "{run}");
    world.bb(letter(&[("--body-file", "x.md")])).fails("INVALID_ARGS", 64);
    world.bb(letter(&[("--body", LEFT_OUT), ("--body-file", "missing.md")])).fails("FILE_NOT_FOUND", 66);
    world.bb_with_input(letter(&[("--body", "-")]), b"").fails("INVALID_MESSAGE", 65);
    world.bb_with_input(letter(&[("--body", "-")]), b"\xff\xfe").fails("INVALID_MESSAGE", 65);
}

#[test]
fn content_is_a_json_object_given_or_in_a_file() {
    let world = World::with_two_agents();
    std::fs::write(world.work().join("content.json"), r#"{"a": [1, 2]}"#).unwrap();
    let sent = world.bb(letter(&[("--content", "@content.json"), ("--json", SWITCH)])).ok().data();
    assert_eq!(sent["content"], json!({"a": [1, 2]}));
    for bad in ["[1]", "\"text\"", "{", ""] {
        world.bb(letter(&[("--content", bad)])).fails("INVALID_MESSAGE", 65);
    }
    world.bb(letter(&[("--content", "@missing.json")])).fails("FILE_NOT_FOUND", 66);
}

#[test]
fn priorities_are_four_in_any_case() {
    let world = World::with_two_agents();
    for (typed, kept) in [("low", "low"), ("NORMAL", "normal"), ("High", "high"), ("urgent", "urgent")] {
        let sent = world.bb(letter(&[("--priority", typed), ("--json", SWITCH)])).ok().data();
        assert_eq!(sent["priority"], kept);
    }
    let run = world.bb(letter(&[("--priority", "asap")])).fails("INVALID_MESSAGE", 65);
    assert!(run.stderr.contains("low, normal, high, urgent"), "{run}");
}

#[test]
fn require_ack_raises_what_the_category_does_not_require() {
    let world = World::with_two_agents();
    for category in ["HANDOFF", "BLOCKED", "DECISION", "INFO"] {
        let line = letter(&[("--category", category), ("--require-ack", SWITCH), ("--json", SWITCH)]);
        assert_eq!(world.bb(line).ok().data()["requires_ack"], true, "{category}");
    }
}

#[test]
fn a_wrong_name_is_an_error_with_near_ones_and_nothing_is_sent() {
    let world = World::with_two_agents();
    let run = world.bb(letter(&[("--to", "lead-on")])).fails("UNKNOWN_RECIPIENT", 67);
    insta::assert_snapshot!(run.stderr, @r"
    error[UNKNOWN_RECIPIENT]: recipient `lead-on` is not registered
    hint: did you mean `lead-one`?
    ");
    let run = world.bb(letter(&[("--from", "amber-oter")])).fails("UNKNOWN_SENDER", 67);
    assert!(run.stderr.contains("did you mean `amber-otter`?"), "{run}");
    world.bb(letter(&[("--to", "Lead One")])).fails("INVALID_AGENT_ID", 65);
    assert!(inbox(&world, "lead-one").is_empty());
}
