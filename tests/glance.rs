//! `bb` alone: help for strangers, and a glance for those it knows.

use serde_json::json;

use crate::common::{World, letter};

fn glance(world: &World, agent: &str) -> String {
    world.bb_with(&[("BB_AGENT", agent)], [] as [&str; 0]).ok().stdout
}

fn sent(world: &World, changes: &[(&str, &str)]) -> String {
    world.pass(1);
    world.json(letter(changes))["message_id"].as_str().unwrap().to_owned()
}

#[test]
fn those_who_say_nothing_of_themselves_get_the_help() {
    let world = World::new();
    let run = world.bb([] as [&str; 0]).ok();
    assert!(run.stdout.starts_with("bb: mail with acknowledgments"), "{run}");
    world.bb(["--json"]).fails("INVALID_ARGS", 64);
    assert!(!world.store().exists());
}

#[test]
fn what_needs_me_comes_with_the_overdue_first() {
    let world = World::with_two_agents();
    sent(&world, &[("--category", "BLOCKED"), ("--subject", "Old and late")]);
    world.pass(200);
    sent(&world, &[("--priority", "urgent"), ("--subject", "Look at this")]);
    let read = sent(&world, &[("--category", "HANDOFF"), ("--subject", "Yours now"), ("--priority", "high")]);
    world.bb(["read", "--agent", "lead-one", &read]).ok();
    sent(&world, &[("--subject", "Just so you know"), ("--priority", "low")]);
    insta::assert_snapshot!(glance(&world, "lead-one"), @"
    lead-one is idle and active, 3 unread
    4 messages need you (1 overdue): 1 urgent, 1 high, 1 normal, 1 low
    ID          FROM         CATEGORY  PRIORITY  SUBJECT           AGE  NEEDS
    d91fp7rptj  amber-otter  BLOCKED   normal    Old and late      3m   ack, overdue
    agzys1yj95  amber-otter  INFO      urgent    Look at this      2s   read
    tr75541b83  amber-otter  HANDOFF   high      Yours now         1s   ack
    qw2bthpy19  amber-otter  INFO      low       Just so you know  0s   read
    next: bb read msg_20260304_001123_d91fp7rptj
    ");
}

#[test]
fn says_who_waits_for_whom() {
    let world = World::with_two_agents();
    world.register("zinc-yak", "backend");
    let ask = |from: &str, to: &str, operation: &str| {
        world.bb(["wait-ack", "--from", from, "--to", to, "--operation", operation, "--no-wait"]);
    };
    ask("lead-one", "zinc-yak", "deploy");
    ask("amber-otter", "lead-one", "restart");
    ask("amber-otter", "zinc-yak", "maintenance");
    world.pass(20);
    insta::assert_snapshot!(glance(&world, "lead-one"), @"
    lead-one is idle and active, 1 unread
    1 message needs you: 1 high
    ID          FROM         CATEGORY  PRIORITY  SUBJECT                                          AGE  NEEDS
    tr75541b83  amber-otter  BLOCKED   high      Agent Restart Pending - Acknowledgment Required  20s  read, ack
    amber-otter waits for you: restart, 100 s left
    you wait for zinc-yak: deploy, 100 s left
    amber-otter waits for zinc-yak: maintenance, 100 s left
    next: bb read msg_20260304_001122_tr75541b83
    ");
    let next = |agent: &str| {
        world.bb_with(&[("BB_AGENT", agent)], ["--json"]).ok().data()["next"].as_str().unwrap().to_owned()
    };
    let read = next("lead-one");
    assert!(read.starts_with("bb read msg_"));
    world.bb_with(&[("BB_AGENT", "lead-one")], read.split(' ').skip(1)).ok();
    assert!(next("lead-one").starts_with("bb reply msg_") && next("lead-one").ends_with(" --ok"));
    assert!(next("amber-otter").starts_with("bb wait-ack --resume op_"));
}

#[test]
fn nothing_to_do_is_said_in_as_many_words() {
    let world = World::with_two_agents();
    insta::assert_snapshot!(glance(&world, "lead-one"), @"
    lead-one is idle and active, 0 unread
    nothing needs you
    ");
}

#[test]
fn a_stranger_is_told_how_to_register_and_nothing_is_created() {
    let world = World::new();
    insta::assert_snapshot!(glance(&world, "lead-one"), @"
    lead-one is not registered
    next: bb register --name lead-one --role ROLE
    ");
    assert!(!world.store().exists());
    world.register("amber-otter", "backend");
    assert!(glance(&world, "lead-one").contains("is not registered"));
}

/// The next command works as it is printed, until nothing is left.
#[test]
fn the_next_command_leads_to_nothing_left() {
    let world = World::with_two_agents();
    sent(&world, &[("--category", "BLOCKED")]);
    sent(&world, &[]);
    for _ in 0..3 {
        let data = world.bb_with(&[("BB_AGENT", "lead-one")], ["--json"]).ok().data();
        let next = data["next"].as_str().unwrap_or_else(|| panic!("{data}"));
        world.bb_with(&[("BB_AGENT", "lead-one")], next.split(' ').skip(1)).ok();
    }
    let data = world.bb_with(&[("BB_AGENT", "lead-one")], ["--json"]).ok().data();
    assert_eq!(data["next"], json!(null));
    assert_eq!(data["pending"]["total"], 0);
}

#[test]
fn json_has_the_counts_by_priority() {
    let world = World::with_two_agents();
    sent(&world, &[("--category", "BLOCKED"), ("--priority", "urgent")]);
    for _ in 0..7 {
        sent(&world, &[]);
    }
    let run = world.bb_with(&[("BD_ACTOR", "lead-one")], ["--json"]).ok();
    assert_eq!(run.document()["command"], "agent");
    let data = run.data();
    assert_eq!(
        data["pending"],
        json!({"total": 8, "overdue": 0, "urgent": 1, "high": 0, "normal": 7, "low": 0})
    );
    assert_eq!(data["unread"], 8);
    assert_eq!(data["messages"].as_array().unwrap().len(), 5);
    assert_eq!(data["messages"][0]["priority"], "urgent");
}

#[test]
fn a_door_without_a_command_is_still_a_mistake() {
    let world = World::with_two_agents();
    let run = world.bb_with(&[("BB_AGENT", "lead-one")], ["agent"]);
    assert_eq!(run.code, 64, "{run}");
}
