//! `activity-lease`: an agent says that it is alive, and nothing else happens.

use serde_json::{Value, json};

use crate::common::{World, letter};

fn liveness(world: &World, agent: &str) -> Value {
    world.json(["show", agent])["liveness"].clone()
}

#[test]
fn refreshes_the_liveness_and_nothing_else() {
    let world = World::with_two_agents();
    world.bb(["state", "amber-otter", "stuck"]).ok();
    let before = world.json(["show", "amber-otter"]);
    world.pass(3_600);
    assert_eq!(liveness(&world, "amber-otter"), "evicted");
    let run = world.bb(["activity-lease", "--agent", "amber-otter"]).ok();
    insta::assert_snapshot!(run.stdout, @"amber-otter is active");
    let mut expected = before;
    expected["last_seen_at"] = json!("2026-03-04T01:11:22.000Z");
    assert_eq!(world.json(["show", "amber-otter"]), expected);
}

#[test]
fn heartbeat_is_the_same_command() {
    let world = World::with_two_agents();
    let run = world.bb(["agent", "heartbeat", "amber-otter", "--json"]).ok();
    assert_eq!(run.document()["command"], "agent activity-lease");
    let run = world.bb_with(&[("BB_AGENT", "amber-otter")], ["mail", "heartbeat", "--nope", "--json"]);
    assert_eq!(run.fails("INVALID_ARGS", 64).document()["command"], "agent activity-lease");
}

#[test]
fn time_never_runs_backwards() {
    let world = World::with_two_agents();
    let earlier = world.bb_with(
        &[("BB_NOW", "2026-03-03T00:00:00Z")],
        ["activity-lease", "--agent", "amber-otter", "--json"],
    );
    assert_eq!(earlier.ok().data()["last_seen_at"], "2026-03-04T00:11:22.000Z");
}

#[test]
fn an_unknown_agent_is_an_error() {
    World::new().bb(["activity-lease", "--agent", "amber-otter"]).fails("AGENT_NOT_FOUND", 67);
    World::new().bb(["activity-lease"]).fails("MISSING_IDENTITY", 64);
}

#[test]
fn whatever_an_agent_does_as_itself_refreshes_its_liveness() {
    let world = World::with_two_agents();
    let id = world.send("amber-otter", "lead-one", "BLOCKED", "Help");
    let doing: &[(&str, Vec<&str>)] = &[
        ("amber-otter", letter(&[])),
        ("lead-one", vec!["inbox", "--agent", "lead-one"]),
        ("lead-one", vec!["read", "--agent", "lead-one", &id, "--peek"]),
        ("lead-one", vec!["read", "--agent", "lead-one", &id]),
        ("lead-one", vec!["read", "--agent", "lead-one", &id]),
        ("lead-one", vec!["ack", "--agent", "lead-one", &id]),
        ("lead-one", vec!["reply", "--agent", "lead-one", &id, "--ok"]),
        ("lead-one", vec!["state", "lead-one", "running"]),
        ("lead-one", vec!["activity-lease", "--agent", "lead-one"]),
        ("lead-one", vec!["register", "--name", "lead-one", "--role", "lead", "--force-update"]),
    ];
    for (agent, line) in doing {
        world.pass(3_600);
        assert_eq!(liveness(&world, agent), "evicted", "before {line:?}");
        world.bb(line).ok();
        assert_eq!(liveness(&world, agent), "active", "after {line:?}");
    }
}

#[test]
fn being_written_to_or_looked_at_is_no_activity() {
    let world = World::with_two_agents();
    world.pass(3_600);
    world.bb(letter(&[])).ok();
    world.bb(["show", "lead-one"]).ok();
    world.bb(["list"]).ok();
    assert_eq!(liveness(&world, "lead-one"), "evicted");
}
