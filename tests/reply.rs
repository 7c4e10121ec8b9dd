//! `reply`: the recipient answers, in one word or in many.

use serde_json::json;

use crate::common::World;

#[test]
fn ok_answers_and_acknowledges() {
    let world = World::with_two_agents();
    let asked = world.send("amber-otter", "lead-one", "BLOCKED", "May I?");
    let answer = world.json(["reply", "--agent", "lead-one", &asked, "--ok", "--note", "go"]);
    for (field, expected) in [
        ("from_agent", json!("lead-one")),
        ("to_agent", json!("amber-otter")),
        ("subject", json!("RE: May I?")),
        ("body", json!("ok")),
        ("body_bytes", json!(2)),
        ("kind", json!("acknowledgment")),
        ("category", json!("INFO")),
        ("requires_ack", json!(false)),
        ("reply_to", json!(asked)),
        ("thread_id", json!("bead:bb-1")),
        ("bead_id", json!("bb-1")),
        ("verdict", json!("ready")),
        ("content", json!({"type": "acknowledgment", "message": "ok", "ready": true, "notes": "go"})),
        ("answered", json!({"message_id": asked, "state": "acked", "still_needs_ack": false})),
    ] {
        assert_eq!(answer[field], expected, "{field}");
    }
    let inbox = world.json(["inbox", "--agent", "amber-otter"]);
    assert_eq!(inbox[0]["message_id"], answer["message_id"]);
    assert_eq!(world.json(["show", &asked])["response"]["message_id"], answer["message_id"]);
}

#[test]
fn wait_and_cancel_are_read_but_not_acknowledged() {
    for (flag, verdict) in [("--wait", "needs-time"), ("--cancel", "cancel")] {
        let world = World::with_two_agents();
        let asked = world.send("amber-otter", "lead-one", "BLOCKED", "May I?");
        let answer = world.json(["reply", "--agent", "lead-one", "--message", &asked, flag]);
        assert_eq!(answer["verdict"], verdict);
        assert_eq!(answer["content"]["ready"], false);
        assert_eq!(
            answer["answered"],
            json!({"message_id": asked, "state": "read", "still_needs_ack": true})
        );
    }
}

#[test]
fn tells_people_what_the_answer_was_taken_for_and_what_is_left_to_do() {
    let world = World::with_two_agents();
    let asked = world.send("amber-otter", "lead-one", "BLOCKED", "May I?");
    let run = world.bb(["reply", "--agent", "lead-one", &asked, "--wait"]).ok();
    assert!(run.stdout.contains(" to amber-otter: needs-time\n"), "{run}");
    assert!(run.stdout.ends_with(&format!("{asked} still needs your ack\n")), "{run}");
    let run = world.bb(["reply", "--agent", "lead-one", &asked, "-m", "Let me see."]).ok();
    assert!(run.stdout.contains(" to amber-otter\n"), "{run}");
}

#[test]
fn words_are_taken_as_a_whole() {
    for (said, verdict) in [
        ("OK.", "ready"),
        ("ready", "ready"),
        ("not ready", "needs-time"),
        ("abort", "cancel"),
        ("broken", "other"),
        ("not ok", "other"),
        ("looking into it", "other"),
        ("token expired, cancel", "other"),
    ] {
        let world = World::with_two_agents();
        let asked = world.send("amber-otter", "lead-one", "BLOCKED", "May I?");
        let answer = world.json(["reply", "--agent", "lead-one", &asked, "--body", said]);
        assert_eq!(answer["verdict"], verdict, "{said}");
        let kind = if verdict == "other" { "message" } else { "acknowledgment" };
        assert_eq!(answer["kind"], kind, "{said}");
    }
}

#[test]
fn a_body_may_come_from_a_file_or_standard_input() {
    let world = World::with_two_agents();
    let asked = world.send("amber-otter", "lead-one", "DECISION", "Which?");
    std::fs::write(world.work().join("answer.md"), "the `second`\n").unwrap();
    let from_file = world.json(["reply", "--agent", "lead-one", &asked, "--body-file", "answer.md"]);
    assert_eq!(from_file["body"], "the `second`\n");
    let run = world
        .bb_with_input(["reply", "--agent", "lead-one", &asked, "--body", "-", "--json"], b"the first")
        .ok();
    assert_eq!(run.data()["body"], "the first");
}

#[test]
fn exactly_one_answer_is_given() {
    let world = World::with_two_agents();
    let asked = world.send("amber-otter", "lead-one", "BLOCKED", "May I?");
    world.bb(["reply", "--agent", "lead-one", &asked]).fails("INVALID_ARGS", 64);
    world.bb(["reply", "--agent", "lead-one", &asked, "--ok", "--cancel"]).fails("INVALID_ARGS", 64);
    world.bb(["reply", "--agent", "lead-one", &asked, "--ok", "--body", "x"]).fails("INVALID_ARGS", 64);
    world.bb(["reply", "--agent", "lead-one", &asked, "--body", ""]).fails("INVALID_MESSAGE", 65);
    assert_eq!(world.json(["inbox", "--agent", "amber-otter"]), json!([]));
}

#[test]
fn only_the_recipient_answers() {
    let world = World::with_two_agents();
    let asked = world.send("amber-otter", "lead-one", "BLOCKED", "May I?");
    world.bb(["reply", "--agent", "amber-otter", &asked, "--ok"]).fails("ACK_FORBIDDEN", 77);
    assert_eq!(world.json(["show", &asked])["state"], "unread");
}

#[test]
fn an_answer_to_an_answer_keeps_one_prefix_and_the_thread() {
    let world = World::with_two_agents();
    let asked = world.send("amber-otter", "lead-one", "DECISION", "Which?");
    let first = world.json(["reply", "--agent", "lead-one", &asked, "-m", "Why do you ask?"]);
    let id = first["message_id"].as_str().unwrap();
    let second = world.json(["reply", "--agent", "amber-otter", id, "-m", "Because"]);
    assert_eq!(second["subject"], "RE: Which?");
    assert_eq!(world.json(["thread", &asked])["messages"].as_array().unwrap().len(), 3);
}

#[test]
fn an_answer_gets_through_to_a_full_mailbox() {
    let world = World::with_two_agents();
    let asked = world.send("amber-otter", "lead-one", "BLOCKED", "May I?");
    world.send("lead-one", "amber-otter", "INFO", "filler");
    world.bb_with(&[("BB_MAX_UNREAD", "1")], ["reply", "--agent", "lead-one", &asked, "--ok"]).ok();
    assert_eq!(world.json(["show", &asked])["response"]["verdict"], "ready");
}

#[test]
fn the_same_key_again_is_the_same_answer() {
    let world = World::with_two_agents();
    let asked = world.send("amber-otter", "lead-one", "BLOCKED", "May I?");
    let line = ["reply", "--agent", "lead-one", &asked, "--wait", "--key", "answer-1"];
    let first = world.json(line);
    let second = world.json(line);
    assert_eq!((&first["duplicate"], &second["duplicate"]), (&json!(false), &json!(true)));
    assert_eq!((&second["message_id"], &second["verdict"]), (&first["message_id"], &json!("needs-time")));
    assert!(world.bb(line).ok().stdout.starts_with("replied before "));
    assert_eq!(world.json(["inbox", "--agent", "amber-otter"]).as_array().unwrap().len(), 1);
}

#[test]
fn a_key_of_another_answer_is_refused_and_nothing_is_sent() {
    let world = World::with_two_agents();
    let first = world.send("amber-otter", "lead-one", "BLOCKED", "May I?");
    let second = world.send("amber-otter", "lead-one", "BLOCKED", "And this?");
    world.bb(["reply", "--agent", "lead-one", &first, "--ok", "--key", "k1"]).ok();
    for (id, word) in [(&second, "--ok"), (&second, "--cancel"), (&first, "--cancel")] {
        let run = world.bb(["reply", "--agent", "lead-one", id, word, "--key", "k1"]);
        let run = run.fails("INVALID_ARGS", 64);
        assert!(run.stderr.contains(&format!("the key `k1` answered `{first}` with \"ok\"")), "{run}");
        assert!(run.stderr.contains("choose a new --key"), "{run}");
    }
    assert_eq!(world.json(["inbox", "--agent", "amber-otter"]).as_array().unwrap().len(), 1);
    assert_eq!(world.json(["show", &second])["response"], json!(null));
}
