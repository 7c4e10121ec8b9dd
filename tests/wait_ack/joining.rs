//! Several waiters of one handshake: one result, one set of reminders.

use crate::wait_ack_scene::{OTTER, Scene};

#[test]
fn a_second_waiter_joins_and_both_report_the_same() {
    let scene = Scene::new();
    let id = scene.world.send("lead-one", OTTER, "BLOCKED", "Need a key");
    let first = scene.open(&id);
    let run = scene.run(&format!("wait-ack --message {id} --timeout 5s --json"));
    assert_eq!(run.code, 3, "{run}");
    let notice = format!("joined the open handshake {}; its own schedule holds\n", first.operation);
    assert!(run.stderr.starts_with(&notice), "{run}");
    assert_eq!(run.data()["elapsed_seconds"], 120);
    scene.world.pass(120);
    assert_eq!(scene.finish(&first).data(), run.data());
    assert_eq!(scene.received(OTTER, "reminder").len(), 3);
    assert_eq!(scene.events(&first, "handshake.started").len(), 1);
    assert_eq!(scene.events(&first, "handshake.ended").len(), 1);
}

#[test]
fn a_handshake_is_named_by_operation_id_or_by_resume() {
    let scene = Scene::new();
    let asked = scene.ask();
    scene.answer(&asked, OTTER, "ok");
    let by = |flag: &str| scene.run(&format!("wait-ack {flag} {} --json", asked.operation)).ok().data();
    assert_eq!(by("--operation-id"), by("--resume"));
}

#[test]
fn flags_of_the_schedule_change_nothing_in_an_open_handshake() {
    let scene = Scene::new();
    let asked = scene.ask();
    let line = format!("wait-ack --resume {} --timeout 5s --no-wait --json", asked.operation);
    let run = scene.run(&line);
    assert_eq!(run.data()["agents"][0]["deadline"], "2026-03-04T00:13:22.000Z");
    let notice = format!("{} was opened before; its own schedule holds\n", asked.operation);
    assert!(run.stderr.starts_with(&notice), "{run}");
}

#[test]
fn an_end_is_the_same_however_late_one_looks() {
    let scene = Scene::new();
    let asked = scene.ask();
    scene.world.pass(10);
    scene.answer(&asked, OTTER, "ok");
    scene.world.pass(100_000);
    let data = scene.finish(&asked).ok().data();
    assert_eq!(data["outcome"], "acknowledged", "an ack in time wins however late the waiter looks");
    assert_eq!(data["elapsed_seconds"], 10);
}
