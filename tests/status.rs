//! `status`: one look at everything that may need somebody.

use std::time::Duration;

use bb_agent::domain::reservation::{Reservation, State};
use bb_agent::store::Transaction;
use serde_json::{Value, json};

use crate::common::{Repository, World};

fn reserve(world: &World, agent: &str, scope: &str, bead: &str, more: &[&str]) {
    let start = ["reserve", "--agent", agent, "--scope", scope, "--bead", bead];
    world.bb(start.iter().chain(more)).ok();
}

fn each<'a>(list: &'a Value, key: &str) -> Vec<&'a str> {
    list.as_array().unwrap().iter().map(|item| item[key].as_str().unwrap()).collect()
}

#[test]
fn an_empty_board_has_every_key() {
    let world = World::with_two_agents();
    let board = world.json(["status"]);
    for key in ["reservations", "unacked_required_messages", "handshakes", "agents", "incursions"] {
        assert_eq!(board[key], json!([]), "{key}");
    }
    for key in ["active", "released", "expired", "unacked_required_messages"] {
        assert_eq!(board["summary"][key], 0, "{key}");
    }
    let text = world.bb(["status"]).ok().stdout;
    insta::assert_snapshot!(text, @"0 waiting for an ack, 0 handshakes, 0 reservations");
}

#[test]
fn shows_who_holds_what_and_what_waits_for_an_ack() {
    let world = World::with_two_agents();
    reserve(&world, "amber-otter", "src/**/*.rs", "bb-1", &["--reason", "new parser"]);
    reserve(&world, "lead-one", "docs", "bb-2", &["--shared", "--ttl", "5"]);
    world.send("amber-otter", "lead-one", "HANDOFF", "Parser is ready");
    world.send("amber-otter", "lead-one", "INFO", "Nothing to do");
    world.pass(90);
    world.send("lead-one", "amber-otter", "BLOCKED", "Need a key");
    world.bb(["state", "lead-one", "stuck"]).ok();
    insta::assert_snapshot!(world.bb(["status"]).ok().stdout, @"
    Reservations
    SCOPE        AGENT        BEAD  LEFT   LIVENESS  REASON
    src/**/*.rs  amber-otter  bb-1  1h58m  active    new parser
    docs         lead-one     bb-2  3m     active    shared

    Waiting for an ack
    CATEGORY  ID          FROM         TO           SUBJECT          AGE  NEEDS
    BLOCKED   qw2bthpy19  lead-one     amber-otter  Need a key       0s   read, ack
    HANDOFF   tr75541b83  amber-otter  lead-one     Parser is ready  1m   read, ack

    Agents to look after
    AGENT     STATE  LIVENESS  LAST SEEN
    lead-one  stuck  active    just now

    2 waiting for an ack, 0 handshakes, 2 reservations, 1 agent stuck
    ");
}

#[test]
fn counts_and_lists_agree_and_can_be_narrowed() {
    let world = World::with_two_agents();
    reserve(&world, "amber-otter", "src", "bb-1", &[]);
    reserve(&world, "amber-otter", "tests", "bb-2", &["--ttl", "5"]);
    reserve(&world, "lead-one", "docs", "bb-2", &[]);
    world.bb(["release", "--agent", "lead-one", "--scope", "docs"]).ok();
    world.send("amber-otter", "lead-one", "BLOCKED", "first");
    world.pass(5 * 60);

    let board = world.json(["status"]);
    assert_eq!(each(&board["reservations"], "scope"), ["src"]);
    assert_eq!(each(&board["expired_reservations"], "state"), ["expired"]);
    let summary = &board["summary"];
    let counts = ["active", "expired", "released", "unacked_required_messages"].map(|key| &summary[key]);
    assert_eq!(counts, [1, 1, 1, 1]);

    let of = |flags: [&str; 2]| world.json(["status"].into_iter().chain(flags));
    assert_eq!(each(&of(["--bead", "bb-2"])["expired_reservations"], "scope"), ["tests"]);
    assert_eq!(of(["--bead", "bb-2"])["summary"]["active"], 0);
    let lead = of(["--agent", "lead-one"]);
    let counts = ["active", "released", "unacked_required_messages"].map(|key| &lead["summary"][key]);
    assert_eq!(counts, [0, 1, 1]);
    assert_eq!(of(["--agent", "amber-otter"])["summary"]["unacked_required_messages"], 0);
    world.bb(["status", "--agent", "amber-oter"]).fails("AGENT_NOT_FOUND", 67);
}

#[test]
fn looking_at_an_agent_is_no_sign_of_its_life() {
    let world = World::with_two_agents();
    reserve(&world, "amber-otter", "src", "bb-1", &[]);
    world.pass(15 * 60);
    for _ in 0..2 {
        let board = world.json(["status", "--agent", "amber-otter"]);
        assert_eq!(each(&board["agents"], "concern"), ["stale"]);
        assert_eq!(each(&board["reservations"], "owner_liveness"), ["stale"]);
    }
}

#[test]
fn agents_that_left_are_shown_only_as_long_as_they_hold_something() {
    let world = World::with_two_agents();
    reserve(&world, "amber-otter", "src", "bb-1", &[]);
    world.bb(["state", "amber-otter", "dead"]).ok();
    world.bb(["state", "lead-one", "dead"]).ok();
    assert_eq!(each(&world.json(["status"])["agents"], "agent_id"), ["amber-otter"]);
    world.bb(["release", "--agent", "amber-otter", "--all"]).ok();
    assert_eq!(world.json(["status"])["agents"], json!([]));
}

#[test]
fn every_project_is_on_the_board_under_its_name() {
    let world = World::with_two_agents();
    let one = Repository::new(&world, "one");
    let tree = one.worktree("tree");
    one.bb(["reserve", "--agent", "amber-otter", "--bead", "bb-1", "--scope", "src"]).ok();
    tree.bb(["reserve", "--agent", "lead-one", "--bead", "bb-1", "--scope", "docs"]).ok();
    reserve(&world, "lead-one", "src", "bb-1", &[]);
    let board = world.json(["status"]);
    let home = one.path.canonicalize().unwrap();
    let work = world.work().canonicalize().unwrap();
    let [home, work] = [&home, &work].map(|path| path.to_str().unwrap());
    assert_eq!(each(&board["reservations"], "project"), [home, home, work]);
    assert_eq!(board["incursions"], json!([]));
}

/// Reserving never leads to one; records of another tool can.
#[test]
fn two_holders_of_one_path_are_shown_as_an_incursion() {
    let world = World::with_two_agents();
    reserve(&world, "amber-otter", "src", "bb-1", &[]);
    let mine = world.json(["status"])["reservations"][0].clone();
    let other = Reservation {
        reservation_id: "res_imported".to_owned(),
        scope: "src/main.rs".parse().unwrap(),
        agent_id: "lead-one".parse().unwrap(),
        bead_id: None,
        state: State::Active,
        created_at: world.now(),
        expires_at: world.now() + Duration::from_secs(600),
        released_at: None,
        fence: 0,
        reason: None,
        shared: false,
    };
    let add = |to: &Transaction| to.add_reservation(mine["project"].as_str().unwrap(), &other);
    world.open_store().write(add).unwrap();

    let board = world.json(["status"]);
    assert_eq!(board["summary"]["incursions"], 1);
    assert_eq!(board["incursions"][0]["overlap"], "partial");
    assert_eq!(each(&board["incursions"][0]["reservations"], "agent_id"), ["lead-one", "amber-otter"]);
    let text = world.bb(["status", "--agent", "lead-one"]).ok().stdout;
    assert!(text.contains("Incursions: two hold the same"), "{text}");
}
