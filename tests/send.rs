//! `send`: what is said arrives, once, or nothing happens.

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
            "verified": false, "ack_due_at": "2026-03-04T00:13:22.000Z", "closed_at": null, "cursor": 1,
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

mod fan_outs {
    use super::*;

    fn world() -> World {
        let world = World::with_two_agents();
        world.register("zinc-yak", "backend");
        world.register("mint-newt", "Backend");
        world
    }

    fn fan_out(world: &World, to: &str) -> Value {
        world.bb(letter(&[("--to", to), ("--json", SWITCH)])).ok().data()
    }

    fn reached(sent: &Value) -> Vec<&str> {
        let messages = sent["broadcast"]["messages"].as_array().unwrap();
        messages.iter().map(|message| message["to_agent"].as_str().unwrap()).collect()
    }

    #[test]
    fn lists_roles_and_broadcast_reach_each_agent_once_and_never_the_sender() {
        let world = world();
        for (to, expected) in [
            ("broadcast", vec!["lead-one", "mint-newt", "zinc-yak"]),
            ("role:backend", vec!["mint-newt", "zinc-yak"]),
            ("lead-one,zinc-yak", vec!["lead-one", "zinc-yak"]),
            ("zinc-yak, role:backend, zinc-yak,amber-otter", vec!["zinc-yak", "mint-newt"]),
        ] {
            assert_eq!(reached(&fan_out(&world, to)), expected, "{to}");
        }
        assert!(inbox(&world, "amber-otter").is_empty());
    }

    #[test]
    fn to_may_be_repeated() {
        let line = [
            "send",
            "--from",
            "amber-otter",
            "--to",
            "lead-one",
            "--to",
            "zinc-yak",
            "--bead",
            "b",
            "--category",
        ];
        let run = world().bb(line.into_iter().chain(["INFO", "-s", "Hi", "-m", "x", "--json"])).ok();
        assert_eq!(reached(&run.data()), ["lead-one", "zinc-yak"]);
    }

    #[test]
    fn all_messages_of_a_fan_out_share_one_broadcast_id_and_differ_in_their_own() {
        let world = world();
        let sent = fan_out(&world, "broadcast");
        assert_eq!(sent["message_id"], sent["broadcast"]["messages"][0]["message_id"]);
        for delivery in sent["broadcast"]["messages"].as_array().unwrap() {
            let agent = delivery["to_agent"].as_str().unwrap();
            let received = inbox(&world, agent);
            assert_eq!(received.len(), 1);
            assert_eq!(received[0]["message_id"], delivery["message_id"]);
            assert_eq!(received[0]["broadcast_id"], sent["broadcast"]["id"]);
            assert_eq!(received[0]["body"], "the body");
        }
    }

    #[test]
    fn people_see_every_recipient() {
        let world = world();
        let run = world.bb(letter(&[("--to", "role:backend"), ("--category", "HANDOFF")])).ok();
        insta::assert_snapshot!(run.stdout, @r"
        sent 2 messages as bc_20260304_001122_tr75541b83 (HANDOFF, 8 bytes, ack required)
          msg_20260304_001122_7wvdqpbvqr to mint-newt
          msg_20260304_001122_sb0f33p1zp to zinc-yak
        ");
    }

    #[test]
    fn one_wrong_recipient_stops_all() {
        let world = world();
        world.bb(letter(&[("--to", "lead-one,nobody-here,zinc-yak")])).fails("UNKNOWN_RECIPIENT", 67);
        world.bb(["state", "zinc-yak", "dead"]).ok();
        world.bb(letter(&[("--to", "lead-one,zinc-yak")])).fails("RECIPIENT_GONE", 67);
        world.bb(letter(&[("--to", "lead-one,")])).fails("INVALID_AGENT_ID", 65);
        assert!(inbox(&world, "lead-one").is_empty());
    }

    #[test]
    fn one_full_mailbox_stops_all() {
        let world = world();
        world.send("amber-otter", "zinc-yak", "INFO", "1");
        world
            .bb_with(&[("BB_MAX_UNREAD", "1")], letter(&[("--to", "lead-one,zinc-yak")]))
            .fails("MAILBOX_FULL", 75);
        assert!(inbox(&world, "lead-one").is_empty());
    }

    #[test]
    fn nobody_left_is_an_unknown_recipient() {
        let world = World::with_two_agents();
        for to in ["role:nobody", "role:backend", "amber-otter"] {
            let run = world.bb(letter(&[("--to", to)])).fails("UNKNOWN_RECIPIENT", 67);
            assert!(run.stderr.contains(to), "{run}");
        }
        world.bb(letter(&[("--to", "role:")])).fails("INVALID_AGENT_ID", 65);
    }

    #[test]
    fn those_who_are_gone_are_left_out() {
        let world = world();
        world.bb(["state", "zinc-yak", "dead"]).ok();
        world.bb(["state", "mint-newt", "stopped"]).ok();
        assert_eq!(reached(&fan_out(&world, "broadcast")), ["lead-one"]);
        world.bb(letter(&[("--to", "role:backend")])).fails("UNKNOWN_RECIPIENT", 67);
    }

    #[test]
    fn the_same_key_twice_is_one_fan_out() {
        let world = world();
        let line = letter(&[("--to", "broadcast"), ("--key", "k"), ("--json", SWITCH)]);
        let first = world.bb(&line).ok().data();
        let second = world.bb(&line).ok().data();
        assert_eq!((&first["duplicate"], &second["duplicate"]), (&json!(false), &json!(true)));
        assert_eq!(first["broadcast"], second["broadcast"]);
        for agent in ["lead-one", "zinc-yak", "mint-newt"] {
            assert_eq!(inbox(&world, agent).len(), 1, "{agent}");
        }
    }
}

mod keys {
    use super::*;

    #[test]
    fn the_same_sender_and_key_twice_is_one_message() {
        let world = World::with_two_agents();
        let first = world.bb(letter(&[("--key", "k1"), ("--json", SWITCH)])).ok().data();
        world.bb(["ack", "--agent", "lead-one", first["message_id"].as_str().unwrap()]).ok();
        world.pass(60);
        let second = world.bb(letter(&[("--key", "k1"), ("--json", SWITCH)])).ok().data();
        assert_eq!(first["message_id"], second["message_id"]);
        assert_eq!((&first["duplicate"], &second["duplicate"]), (&json!(false), &json!(true)));
        assert_eq!(second["state"], "acked");
        assert_eq!(inbox(&world, "lead-one").len(), 1);
        let run = world.bb(letter(&[("--key", "k1")])).ok();
        assert!(run.stdout.starts_with("sent before msg_"), "{run}");
    }

    #[test]
    fn a_key_belongs_to_its_sender() {
        let world = World::with_two_agents();
        world.register("zinc-yak", "backend");
        world.bb(letter(&[("--key", "k")])).ok();
        world.bb(letter(&[("--key", "k"), ("--from", "zinc-yak")])).ok();
        world.bb(letter(&[("--key", "other")])).ok();
        assert_eq!(inbox(&world, "lead-one").len(), 3);
    }

    #[test]
    fn a_failed_send_leaves_its_key_free() {
        let world = World::with_two_agents();
        world.bb(letter(&[("--key", "k"), ("--category", "RESUME")])).fails("INVALID_CATEGORY", 65);
        let sent = world.bb(letter(&[("--key", "k"), ("--json", SWITCH)])).ok().data();
        assert_eq!(sent["duplicate"], false);
    }

    #[test]
    fn a_retry_succeeds_although_its_recipient_died_meanwhile() {
        let world = World::with_two_agents();
        world.bb(letter(&[("--key", "k")])).ok();
        world.bb(["state", "lead-one", "dead"]).ok();
        world.bb(letter(&[("--key", "k")])).ok();
        world.bb(letter(&[("--key", "k2")])).fails("RECIPIENT_GONE", 67);
    }

    #[test]
    fn keys_are_not_empty() {
        World::with_two_agents().bb(letter(&[("--key", " ")])).fails("INVALID_MESSAGE", 65);
    }
}

mod recipients_that_are_gone {
    use super::*;

    #[test]
    fn are_refused_unless_the_mail_is_to_be_queued() {
        for state in ["dead", "stopped", "inactive"] {
            let world = World::with_two_agents();
            world.bb(["state", "lead-one", state]).ok();
            let run = world.bb(letter(&[])).fails("RECIPIENT_GONE", 67);
            assert!(
                run.stderr.contains(&format!("`lead-one` is {state}")) && run.stderr.contains("--queue"),
                "{run}"
            );
            world.bb(letter(&[("--queue", SWITCH)])).ok();
            world.bb(letter(&[("--queue", SWITCH), ("--to", "lead-one,amber-otter")])).ok();
            assert_eq!(inbox(&world, "lead-one").len(), 2);
        }
    }

    #[test]
    fn name_their_successor() {
        let world = World::with_two_agents();
        world.register("zinc-yak", "lead");
        world.bb(["state", "lead-one", "inactive"]).ok();
        let store = rusqlite::Connection::open(world.store()).unwrap();
        let replace = "UPDATE agents SET replaced_by = (SELECT id FROM agents WHERE agent_id = 'zinc-yak')
                       WHERE agent_id = 'lead-one'";
        store.execute(replace, []).unwrap();
        let run = world.bb(letter(&[])).fails("RECIPIENT_GONE", 67);
        assert!(run.stderr.contains("it was replaced: send to `zinc-yak`"), "{run}");
    }

    #[test]
    fn other_states_receive_mail() {
        for state in ["idle", "spawning", "running", "working", "stuck", "done", "unresponsive"] {
            let world = World::with_two_agents();
            world.bb(["state", "lead-one", state]).ok();
            world.bb(letter(&[])).ok();
        }
    }
}

mod answers {
    use super::*;

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
}
