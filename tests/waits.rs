//! `waits`: who waits for whom, and how long still.

use serde_json::json;

use crate::wait_ack_scene::{LEAD, OTTER, Scene, list};

#[test]
fn shows_expected_against_received_and_the_time_left() {
    let scene = Scene::with(&[OTTER, "zinc-yak"]);
    let asked = scene.ask_with("amber-otter,zinc-yak", "");
    scene.world.pass(25);
    scene.answer(&asked, "zinc-yak", "ok");
    let wait = scene.data("waits")[0].clone();
    assert_eq!((&wait["operation_id"], &wait["requester"]), (&json!(asked.operation), &json!(LEAD)));
    assert_eq!(wait["expected"], json!([OTTER, "zinc-yak"]));
    assert_eq!((&wait["received"], &wait["missing"]), (&json!(["zinc-yak"]), &json!([OTTER])));
    assert_eq!((&wait["elapsed_seconds"], &wait["remaining_seconds"]), (&json!(25), &json!(95)));
    assert_eq!(wait["started_at"], "2026-03-04T00:11:22.000Z");
    assert_eq!(wait["next_step_at"], "2026-03-04T00:11:52.000Z");
    let text = scene.run("waits").ok().stdout;
    insta::assert_snapshot!(text, @r"
    REQUESTER  WAITS FOR    STATUS   LEFT  OPERATION      ID
    lead-one   amber-otter  waiting  95 s  skill-install  op_20260304_001122_e0xxxkmq28
    lead-one   zinc-yak     ready    -     skill-install  op_20260304_001122_e0xxxkmq28
    1 open handshake
    ");
}

#[test]
fn the_time_left_follows_an_extension() {
    let scene = Scene::new();
    let asked = scene.ask();
    scene.world.pass(45);
    scene.answer(&asked, OTTER, "wait");
    let wait = scene.data("waits")[0].clone();
    assert_eq!((&wait["remaining_seconds"], &wait["extension_granted"]), (&json!(135), &json!(true)));
    assert_eq!(wait["agents"][0]["response"]["message"], "wait");
}

#[test]
fn what_is_over_is_not_listed() {
    let scene = Scene::new();
    assert_eq!(scene.run("waits").ok().stdout, "nobody waits for anybody\n");
    let asked = scene.ask();
    assert_eq!(list(&scene.data("waits")).len(), 1);
    scene.answer(&asked, OTTER, "ok");
    assert_eq!(scene.data("waits"), json!([]));
}

#[test]
fn the_one_with_the_least_time_left_comes_first() {
    let scene = Scene::new();
    let late = scene.ask_with(OTTER, "--timeout 10m --remind-at 10");
    let soon = scene.ask_with(OTTER, "--timeout 5m --remind-at none");
    let order: Vec<_> = list(&scene.data("waits")).iter().map(|it| it["operation_id"].clone()).collect();
    assert_eq!(order, [json!(soon.operation), json!(late.operation)]);
}

#[test]
fn looking_changes_nothing() {
    let scene = Scene::new();
    let asked = scene.ask();
    scene.world.pass(70);
    let before = scene.log(&asked).len();
    scene.data("waits");
    assert_eq!(scene.log(&asked).len(), before);
    assert_eq!(scene.received(OTTER, "reminder").len(), 0, "whoever only looks sends nothing");
}

#[test]
fn can_be_narrowed_to_those_an_agent_has_a_part_in() {
    let scene = Scene::with(&[OTTER, "zinc-yak"]);
    let otters = scene.ask();
    let yaks = scene.ask_with("zinc-yak", "");
    let of = |agent: &str| {
        let waits = scene.data(&format!("waits --agent {agent}"));
        list(&waits).iter().map(|it| it["operation_id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(of(OTTER), [otters.operation]);
    assert_eq!(of("zinc-yak"), [yaks.operation]);
    assert_eq!(of(LEAD).len(), 2);
}

#[test]
fn an_unknown_agent_is_an_error_and_not_an_empty_list() {
    let run = Scene::new().run("waits --agent amber-oter").fails("AGENT_NOT_FOUND", 67);
    assert!(run.stderr.contains("did you mean `amber-otter`?"), "{run}");
}
