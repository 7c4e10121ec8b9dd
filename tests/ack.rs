//! `ack`: the recipient takes responsibility; once is enough and twice does no harm.

use serde_json::{Value, json};

use crate::common::World;

fn state(world: &World, id: &str) -> Value {
    world.json(["show", id])["state"].clone()
}

#[test]
fn says_what_was_acknowledged() {
    let world = World::with_two_agents();
    let id = world.send("amber-otter", "lead-one", "BLOCKED", "Need a key");
    let run = world.bb(["ack", "--agent", "lead-one", &id]).ok();
    assert_eq!(run.stdout, format!("acked {id} from amber-otter: Need a key\n"));
}

#[test]
fn an_unread_message_gets_both_times_and_a_read_one_keeps_its_own() {
    let world = World::with_two_agents();
    let (unread, read) = (
        world.send("amber-otter", "lead-one", "BLOCKED", "1"),
        world.send("amber-otter", "lead-one", "BLOCKED", "2"),
    );
    world.pass(10);
    world.bb(["read", "--agent", "lead-one", &read]).ok();
    world.pass(10);
    let times = |message: &Value| (message["read_at"].clone(), message["acked_at"].clone());
    let (t10, t20) = (json!("2026-03-04T00:11:32.000Z"), json!("2026-03-04T00:11:42.000Z"));
    assert_eq!(times(&world.json(["ack", "--agent", "lead-one", &unread])), (t20.clone(), t20.clone()));
    assert_eq!(times(&world.json(["ack", "--agent", "lead-one", &read])), (t10, t20));
}

#[test]
fn again_gives_the_same_answer() {
    let world = World::with_two_agents();
    let id = world.send("amber-otter", "lead-one", "HANDOFF", "yours");
    let first = world.json(["ack", "--agent", "lead-one", &id, "--note", "on it"]);
    world.pass(3_600);
    assert_eq!(world.json(["ack", "--agent", "lead-one", &id, "--note", "something else"]), first);
    assert_eq!(first["response"]["notes"], "on it");
    assert_eq!(first["response"]["verdict"], "ready");
}

#[test]
fn acked_is_final() {
    let world = World::with_two_agents();
    let id = world.send("amber-otter", "lead-one", "BLOCKED", "Help");
    let acked = world.json(["ack", "--agent", "lead-one", &id]);
    world.pass(60);
    world.bb(["read", "--agent", "lead-one", &id]).ok();
    world.bb(["reply", "--agent", "lead-one", &id, "--wait"]).ok();
    let shown = world.json(["show", &id]);
    for field in ["state", "read_at", "acked_at"] {
        assert_eq!(shown[field], acked[field], "{field}");
    }
}

#[test]
fn a_message_that_requires_none_may_be_acked() {
    let world = World::with_two_agents();
    for category in ["DECISION", "INFO"] {
        let id = world.send("amber-otter", "lead-one", category, "fyi");
        assert_eq!(world.json(["ack", "--agent", "lead-one", &id])["state"], "acked");
    }
}

#[test]
fn several_at_once_are_all_acked_or_none() {
    let world = World::with_two_agents();
    let ids: Vec<_> =
        (0..3).map(|n| world.send("amber-otter", "lead-one", "BLOCKED", &n.to_string())).collect();
    let foreign = world.send("lead-one", "amber-otter", "BLOCKED", "not mine");
    world.bb(["ack", "--agent", "lead-one", &ids[0], &ids[1], &foreign]).fails("ACK_FORBIDDEN", 77);
    world.bb(["ack", "--agent", "lead-one", &ids[0], "--message", "msg_0"]).fails("MESSAGE_NOT_FOUND", 66);
    assert!(ids.iter().all(|id| state(&world, id) == "unread"));
    let acked = world.json(["ack", "--agent", "lead-one", &ids[0], &ids[1], "--message", &ids[2]]);
    let named: Vec<_> =
        acked.as_array().unwrap().iter().map(|message| message["message_id"].as_str().unwrap()).collect();
    assert_eq!(named, ids);
    assert!(ids.iter().all(|id| state(&world, id) == "acked"));
    world.bb(["ack", "--agent", "lead-one", "--message", &ids[0], &ids[1]]).ok();
}

#[test]
fn only_the_recipient_acknowledges() {
    let world = World::with_two_agents();
    world.register("zinc-yak", "backend");
    let id = world.send("amber-otter", "lead-one", "BLOCKED", "Help");
    for other in ["amber-otter", "zinc-yak"] {
        let run = world.bb(["ack", "--agent", other, &id]).fails("ACK_FORBIDDEN", 77);
        assert!(run.stderr.contains("`lead-one`"), "{run}");
    }
    assert_eq!(state(&world, &id), "unread");
}

#[test]
fn the_sender_sees_the_ack_and_its_note() {
    let world = World::with_two_agents();
    let id = world.send("amber-otter", "lead-one", "BLOCKED", "Help");
    world.bb(["ack", "--agent", "lead-one", &id, "--note", "- on it"]).ok();
    let run = world.bb(["thread", "bead:bb-1"]).ok();
    assert!(run.stdout.contains("answer: ack - on it\n"), "{run}");
    let run = world.bb(["show", &id]).ok();
    assert!(run.stdout.contains("answer     ready: ack (- on it)\n"), "{run}");
}

#[test]
fn nothing_to_acknowledge_is_an_error() {
    let world = World::with_two_agents();
    world.bb(["ack", "--agent", "lead-one"]).fails("INVALID_ARGS", 64);
    world.bb(["ack", "--agent", "lead-one", "msg_1"]).fails("MESSAGE_NOT_FOUND", 66);
    world.bb(["ack", "msg_1"]).fails("MISSING_IDENTITY", 64);
}
