//! One message to many: everyone gets it or nobody does.

use serde_json::{Value, json};

use super::inbox;
use crate::common::{SWITCH, World, letter};

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
