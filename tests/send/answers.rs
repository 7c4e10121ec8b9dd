//! `--reply-to`: an answer is bound to what it answers.

use serde_json::json;

use super::inbox;
use crate::common::{LEFT_OUT, SWITCH, World, letter};

#[test]
fn take_thread_and_bead_from_what_they_answer() {
    let world = World::with_two_agents();
    let asked = world.bb(letter(&[("--thread", "plan:7"), ("--json", SWITCH)])).ok().data();
    let id = asked["message_id"].as_str().unwrap();
    let line = letter(&[
        ("--from", "lead-one"),
        ("--to", "amber-otter"),
        ("--bead", LEFT_OUT),
        ("--reply-to", id),
        ("--json", SWITCH),
    ]);
    let answer = world.bb(line).ok().data();
    assert_eq!(
        (&answer["thread_id"], &answer["bead_id"], &answer["reply_to"]),
        (&json!("plan:7"), &json!("bb-1"), &json!(id))
    );
}

#[test]
fn are_kept_with_what_they_answer_and_an_ok_acknowledges_it() {
    let world = World::with_two_agents();
    let asked = world.send("amber-otter", "lead-one", "BLOCKED", "May I?");
    let answer = [("--from", "lead-one"), ("--to", "amber-otter"), ("--reply-to", asked.as_str())];
    world.bb(letter(&[&answer[..], &[("--body", "looking into it")]].concat())).ok();
    let shown = world.json(["show", &asked]);
    assert_eq!((&shown["response"]["verdict"], &shown["state"]), (&json!("other"), &json!("read")));
    world.bb(letter(&[&answer[..], &[("--body", "OK!")]].concat())).ok();
    let shown = world.json(["show", &asked]);
    assert_eq!((&shown["response"]["verdict"], &shown["state"]), (&json!("ready"), &json!("acked")));
}

#[test]
fn that_say_not_ready_in_their_content_do_not_count_as_ok() {
    let world = World::with_two_agents();
    let asked = world.send("amber-otter", "lead-one", "BLOCKED", "May I?");
    let line = letter(&[
        ("--from", "lead-one"),
        ("--to", "amber-otter"),
        ("--reply-to", &asked),
        ("--body", "ok"),
        ("--content", r#"{"ready": false, "notes": "later"}"#),
    ]);
    world.bb(line).ok();
    let shown = world.json(["show", &asked]);
    assert_eq!((&shown["response"]["verdict"], &shown["state"]), (&json!("needs-time"), &json!("read")));
    assert_eq!(shown["response"]["notes"], "later");
}

#[test]
fn of_somebody_else_acknowledge_nothing() {
    let world = World::with_two_agents();
    world.register("zinc-yak", "backend");
    let asked = world.send("amber-otter", "lead-one", "BLOCKED", "May I?");
    world
        .bb(letter(&[
            ("--from", "zinc-yak"),
            ("--to", "amber-otter"),
            ("--reply-to", &asked),
            ("--body", "ok"),
        ]))
        .ok();
    world.bb(letter(&[("--reply-to", &asked), ("--body", "ok")])).ok();
    let shown = world.json(["show", &asked]);
    assert_eq!((&shown["response"], &shown["state"]), (&json!(null), &json!("unread")));
}

#[test]
fn to_nothing_are_refused() {
    let world = World::with_two_agents();
    world.bb(letter(&[("--reply-to", "msg_0")])).fails("MESSAGE_NOT_FOUND", 66);
    world.bb(letter(&[("--reply-to", "no such")])).fails("INVALID_MESSAGE_ID", 65);
    assert!(inbox(&world, "lead-one").is_empty());
}
