//! `list`: who is here.

use serde_json::{Value, json};

use crate::common::World;

fn names(agents: &Value) -> Vec<&str> {
    agents.as_array().unwrap().iter().map(|agent| agent["agent_id"].as_str().unwrap()).collect()
}

#[test]
fn shows_each_agent_with_its_state_and_its_liveness() {
    let world = World::with_two_agents();
    world.bb(["state", "amber-otter", "stuck"]).ok();
    world.pass(16 * 60);
    world.bb(["activity-lease", "--agent", "amber-otter"]).ok();
    world.pass(61);
    let run = world.bb(["list"]).ok();
    insta::assert_snapshot!(run.stdout, @r"
    AGENT        ROLE     STATE  LIVENESS  LAST SEEN  NAME
    amber-otter  backend  stuck  active    1m ago
    lead-one     lead     idle   stale     17m ago
    2 agents
    ");
}

#[test]
fn an_empty_store_says_how_to_begin() {
    let run = World::new().bb(["list"]).ok();
    insta::assert_snapshot!(run.stdout, @"no agents yet: bb register --name NAME --role ROLE");
    assert_eq!(World::new().json(["list"]), json!([]));
}

#[test]
fn lists_in_order_of_name_and_by_role_and_state() {
    let world = World::new();
    for (name, role) in [("zinc-yak", "backend"), ("amber-otter", "Backend"), ("lead-one", "lead")] {
        world.register(name, role);
    }
    world.bb(["state", "zinc-yak", "working"]).ok();
    assert_eq!(names(&world.json(["list"])), ["amber-otter", "lead-one", "zinc-yak"]);
    assert_eq!(names(&world.json(["list", "--role", "BACKEND"])), ["amber-otter", "zinc-yak"]);
    assert_eq!(names(&world.json(["list", "--role", "backend", "--state", "working"])), ["zinc-yak"]);
    assert_eq!(world.json(["list", "--role", "nobody"]), json!([]));
}

#[test]
fn liveness_is_active_under_15_minutes_stale_under_30_and_evicted_after() {
    let world = World::with_two_agents();
    let liveness = || world.json(["show", "lead-one"])["liveness"].clone();
    for (seconds, expected) in
        [(899, "active"), (1, "stale"), (899, "stale"), (1, "evicted"), (86_400, "evicted")]
    {
        world.pass(seconds);
        assert_eq!(liveness(), expected, "{seconds} seconds later");
    }
}

#[test]
fn one_variable_moves_both_bounds_of_liveness() {
    let world = World::with_two_agents();
    let liveness = |minutes: &str| {
        world.bb_with(&[("BB_AGENT_STALE_MINUTES", minutes)], ["show", "lead-one", "--json"]).ok().data()["liveness"]
            .clone()
    };
    world.pass(4 * 60);
    assert_eq!(liveness("5"), "active");
    assert_eq!(liveness("4"), "stale");
    assert_eq!(liveness("2"), "evicted");
}

/// A column without anything in it does not cost a name its end.
#[test]
fn names_are_whole_on_a_usual_terminal() {
    let world = World::new();
    world.register("documentation-and-translation-two", "documentation");
    let text = world.bb_with(&[("COLUMNS", "80")], ["list"]).ok().stdout;
    assert!(text.contains("documentation-and-translation-two  documentation"), "{text}");
    assert!(!text.contains("NAME"), "{text}");
}
