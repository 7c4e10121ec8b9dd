//! `state`: what an agent is doing.

use bb_agent::domain::agent::AgentState;

use crate::common::World;

#[test]
fn every_state_can_be_set_and_is_shown() {
    let world = World::with_two_agents();
    let mut previous = "idle";
    for state in AgentState::ALL.map(AgentState::as_str) {
        let set = world.json(["state", "amber-otter", state]);
        assert_eq!((set["state"].as_str(), set["previous_state"].as_str()), (Some(state), Some(previous)));
        assert_eq!(world.json(["show", "amber-otter"])["state"], state);
        previous = state;
    }
}

#[test]
fn states_are_exactly_those_of_the_contract() {
    let states: Vec<_> = AgentState::ALL.map(AgentState::as_str).into();
    assert_eq!(
        states,
        [
            "idle",
            "spawning",
            "running",
            "working",
            "stuck",
            "done",
            "stopped",
            "dead",
            "unresponsive",
            "inactive"
        ]
    );
    let run = World::with_two_agents().bb(["state", "amber-otter", "sleeping"]).fails("INVALID_STATE", 65);
    assert!(run.stderr.contains("use one of idle, spawning"), "{run}");
}

#[test]
fn tells_people_what_it_was_before() {
    let run = World::with_two_agents().bb(["state", "amber-otter", "STUCK"]).ok();
    insta::assert_snapshot!(run.stdout, @"amber-otter is now stuck (was idle)");
}

#[test]
fn an_unknown_agent_has_no_state() {
    let run = World::with_two_agents().bb(["state", "amber-oter", "stuck"]).fails("AGENT_NOT_FOUND", 67);
    assert!(run.stderr.contains("`amber-otter`"), "{run}");
}

#[test]
fn setting_ones_own_state_is_activity_and_setting_anothers_is_not_its() {
    let world = World::with_two_agents();
    world.pass(20 * 60);
    world.bb(["state", "amber-otter", "running"]).ok();
    assert_eq!(world.json(["show", "amber-otter"])["liveness"], "active");
    world.bb_with(&[("BB_AGENT", "amber-otter")], ["state", "lead-one", "dead"]).ok();
    let lead = world.json(["show", "lead-one"]);
    assert_eq!((lead["state"].as_str(), lead["liveness"].as_str()), (Some("dead"), Some("stale")));
}

#[test]
fn an_unknown_name_in_the_environment_does_not_stand_in_the_way_but_a_flag_does() {
    let world = World::with_two_agents();
    world.bb_with(&[("BB_AGENT", "nobody-here")], ["state", "lead-one", "running"]).ok();
    world.bb(["state", "lead-one", "running", "--agent", "nobody-here"]).fails("AGENT_NOT_FOUND", 67);
}

#[test]
fn saying_it_again_records_nothing() {
    let world = World::with_two_agents();
    world.json(["state", "amber-otter", "dead"]);
    let again = world.json(["state", "amber-otter", "dead"]);
    assert_eq!((&again["state"], &again["previous_state"]), (&"dead".into(), &"dead".into()));
    let log = world.json(["log", "--agent", "amber-otter"]);
    let changes = log.as_array().unwrap().iter().filter(|event| event["event"] == "agent.state").count();
    assert_eq!(changes, 1);
}
