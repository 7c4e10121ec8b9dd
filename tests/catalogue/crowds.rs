//! Many at once, and one that never stops.

use std::process::Stdio;

use serde_json::json;

use crate::common::{Run, SWITCH, World, letter};

#[test]
fn sixty_four_first_opens_of_one_new_store_all_succeed_and_make_one_schema() {
    let world = World::in_real_time();
    let names: Vec<_> = (0..64).map(|number| format!("agent-{number:02}")).collect();
    let children: Vec<_> = names
        .iter()
        .map(|name| {
            let mut command = world.command(["register", "--name", name, "--role", "backend"]);
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        })
        .collect();
    for child in children {
        let run = Run::of(child.wait_with_output().unwrap()).ok();
        assert_eq!(run.stderr, "");
    }
    let listed = world.json(["list"]);
    let found: Vec<_> =
        listed.as_array().unwrap().iter().map(|agent| agent["agent_id"].as_str().unwrap()).collect();
    assert_eq!(found, names);
    let store = rusqlite::Connection::open(world.store()).unwrap();
    let check: String = store.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(check, "ok");
}

#[test]
fn looking_first_is_as_good_as_writing_first() {
    let world = World::in_real_time();
    let children: Vec<_> = (0..16)
        .map(|number| {
            let line = [&["list"][..], &["whoami", "--agent", "abc"], &["show", "abc"]][number % 3];
            world.command(line).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        })
        .collect();
    for child in children {
        let run = Run::of(child.wait_with_output().unwrap());
        assert!([0, 67].contains(&run.code), "{run}");
    }
}

#[test]
fn a_flag_wins_over_the_environment_for_every_verb() {
    let world = World::with_two_agents();
    let id = world.send("amber-otter", "lead-one", "BLOCKED", "Help");
    let other = [("BB_AGENT", "amber-otter"), ("BD_ACTOR", "amber-otter")];
    for line in [
        vec!["inbox", "--agent", "lead-one", "--json"],
        vec!["read", "--agent", "lead-one", &id, "--json"],
        vec!["reply", "--agent", "lead-one", &id, "--wait", "--json"],
        vec!["ack", "--agent", "lead-one", &id, "--json"],
        vec!["activity-lease", "--agent", "lead-one", "--json"],
        vec!["state", "lead-one", "working", "--agent", "lead-one", "--json"],
        letter(&[("--from", "lead-one"), ("--to", "amber-otter"), ("--json", SWITCH)]),
    ] {
        world.bb_with(&other, &line).ok();
    }
    world
        .bb_with(&[("BB_AGENT", "lead-one")], ["read", "--agent", "amber-otter", &id])
        .fails("READ_FORBIDDEN", 77);
}

#[test]
fn a_looping_sender_is_stopped_and_nothing_is_dropped() {
    let world = World::with_two_agents();
    let bound = [("BB_MAX_UNREAD", "5")];
    let codes: Vec<_> = (0..8)
        .map(|number| world.bb_with(&bound, letter(&[("--subject", &number.to_string())])).code)
        .collect();
    assert_eq!(codes, [0, 0, 0, 0, 0, 75, 75, 75]);
    let run = world.bb_with(&bound, letter(&[])).fails("MAILBOX_FULL", 75);
    assert!(
        run.stderr.contains("`lead-one` has 5 unread messages") && run.stderr.contains("max_unread"),
        "{run}"
    );
    let inbox = world.json(["inbox", "--agent", "lead-one"]);
    let subjects: Vec<_> =
        inbox.as_array().unwrap().iter().map(|message| message["subject"].clone()).collect();
    assert_eq!(subjects, [json!("4"), json!("3"), json!("2"), json!("1"), json!("0")]);
    world.bb(["read", "--agent", "lead-one", inbox[0]["message_id"].as_str().unwrap()]).ok();
    world.bb_with(&bound, letter(&[])).ok();
    world.bb_with(&bound, letter(&[])).fails("MAILBOX_FULL", 75);
    world.bb_with(&bound, letter(&[("--from", "lead-one"), ("--to", "amber-otter")])).ok();
}

#[test]
fn an_old_unread_message_does_not_fill_a_mailbox() {
    let world = World::with_two_agents();
    let bound = [("BB_MAX_UNREAD", "3")];
    world.bb_with(&bound, letter(&[])).ok();
    for _ in 0..5 {
        world.bb_with(&bound, letter(&[("--from", "lead-one"), ("--to", "amber-otter")])).ok();
        let newest = world.json(["inbox", "--agent", "amber-otter", "--limit", "1"]);
        world.bb(["ack", "--agent", "amber-otter", newest[0]["message_id"].as_str().unwrap()]).ok();
    }
    world.bb_with(&bound, letter(&[])).ok();
    world.bb_with(&bound, letter(&[])).ok();
    world.bb_with(&bound, letter(&[])).fails("MAILBOX_FULL", 75);
}
