//! `release`: what is done with is free again, and stays on record.

use bb_agent::store::Transaction;
use serde_json::json;

use crate::common::{Repository, World};

fn reserve(world: &World, agent: &str, scopes: &[&str]) {
    world.bb(["reserve", "--agent", agent, "--bead", "bb-1", "--scope"].iter().chain(scopes)).ok();
}

#[test]
fn answers_with_the_reservation_as_it_ended() {
    let world = World::with_two_agents();
    reserve(&world, "amber-otter", &["src"]);
    world.pass(60);
    let released = world.json(["release", "--agent", "amber-otter", "--scope", "src"]);
    assert_eq!(released["state"], "released");
    assert_eq!(released["released_at"], "2026-03-04T00:12:22.000Z");
    assert_eq!((&released["scope"], &released["fence"]), (&json!("src"), &json!(1)));
    let kept = |view: &Transaction| view.reservation(released["reservation_id"].as_str().unwrap());
    let kept = world.open_store().read(kept).unwrap().unwrap();
    assert_eq!(serde_json::to_value(kept).unwrap(), released);
    let summary = &world.json(["status"])["summary"];
    assert_eq!((&summary["active"], &summary["released"]), (&json!(0), &json!(1)));
}

#[test]
fn several_scopes_are_released_together_or_not_at_all() {
    let world = World::with_two_agents();
    reserve(&world, "amber-otter", &["src", "docs"]);
    let release = ["release", "--agent", "amber-otter", "--json", "--scope"];
    world.bb(release.iter().chain(&["src", "tests"])).fails("RESERVATION_NOT_FOUND", 66);
    assert_eq!(world.json(["status"])["summary"]["active"], 2);
    let both = world.bb(release.iter().chain(&["src", "docs"])).ok().data();
    assert_eq!(both["reservations"].as_array().unwrap().len(), 2);
}

#[test]
fn everything_is_released_wherever_it_is() {
    let world = World::with_two_agents();
    let project = Repository::new(&world, "project");
    project.bb(["reserve", "--agent", "amber-otter", "--bead", "bb-1", "--scope", "src"]).ok();
    reserve(&world, "amber-otter", &["src"]);
    reserve(&world, "lead-one", &["docs"]);
    let all = world.json(["release", "--agent", "amber-otter", "--all"]);
    assert_eq!(all["reservations"].as_array().unwrap().len(), 2);
    assert_eq!(world.json(["status"])["summary"]["active"], 1);
    world.bb(["release", "--agent", "amber-otter", "--all"]).fails("RESERVATION_NOT_FOUND", 66);
}

#[test]
fn a_scope_that_was_not_reserved_as_it_is_named_is_not_found_and_the_hint_says_what_is_held() {
    let world = World::with_two_agents();
    reserve(&world, "amber-otter", &["src"]);
    let run = world.bb(["release", "--agent", "amber-otter", "--scope", "src/main.rs"]);
    let run = run.fails("RESERVATION_NOT_FOUND", 66);
    insta::assert_snapshot!(run.stderr, @r"
    error[RESERVATION_NOT_FOUND]: there is no reservation of `src/main.rs`
    hint: name it as it was reserved; `amber-otter` holds `src`
    ");
}

#[test]
fn an_owner_may_release_what_has_expired() {
    let world = World::with_two_agents();
    reserve(&world, "amber-otter", &["src"]);
    world.pass(3 * 3600);
    world.bb(["release", "--agent", "amber-otter", "--scope", "src"]).ok();
    reserve(&world, "lead-one", &["src"]);
}
