//! `tick`: every step that is due, once, for cron or a supervisor.

use std::process::Stdio;
use std::time::Duration;

use serde_json::json;

use crate::wait_ack_scene::{OTTER, Scene};

#[test]
fn does_every_step_that_is_due_once() {
    let scene = Scene::new();
    let asked = scene.ask();
    let at = |seconds| scene.run_at(Duration::from_secs(seconds), "tick --json").ok().data();
    let quiet = at(29);
    assert_eq!((&quiet["looked_at"], &quiet["advanced"]), (&json!(1), &json!([])));
    assert_eq!(quiet["next_due_at"], "2026-03-04T00:11:52.000Z");
    for (seconds, reminders) in [(30, 1), (60, 2), (90, 3)] {
        assert_eq!(at(seconds)["advanced"], json!([asked.operation]));
        assert_eq!(at(seconds)["advanced"], json!([]), "the second tick has nothing to do");
        assert_eq!(scene.received(OTTER, "reminder").len(), reminders);
    }
    let last = at(120);
    assert_eq!(
        last["ended"],
        json!([{"operation_id": asked.operation, "outcome": "timed_out", "proceed": true}])
    );
    assert_eq!(last["next_due_at"], json!(null));
    assert_eq!(scene.received(OTTER, "timeout-notice").len(), 1);
    assert_eq!(at(121)["looked_at"], 0);
    assert_eq!(scene.finish(&asked).code, 3, "whoever looks later finds the end");
}

#[test]
fn is_enough_to_see_a_handshake_through_without_any_waiter() {
    let scene = Scene::new();
    let asked = scene.ask_with(OTTER, "--on-timeout unresponsive");
    for _ in 0..13 {
        scene.world.pass(10);
        scene.run("tick").ok();
    }
    assert_eq!(scene.data(&format!("show {OTTER}"))["state"], "unresponsive");
    let numbers: Vec<_> =
        scene.received(OTTER, "reminder").iter().map(|it| it["content"]["reminder_number"].clone()).collect();
    assert_eq!(numbers, [1, 2, 3]);
    assert_eq!(scene.finish(&asked).code, 4);
}

#[test]
fn does_it_for_every_handshake() {
    let scene = Scene::with(&[OTTER, "zinc-yak"]);
    let asked = [scene.ask_with(OTTER, ""), scene.ask_with("zinc-yak", "--timeout 40s")];
    let ticked = scene.run_at(Duration::from_secs(45), "tick --json").ok().data();
    assert_eq!(ticked["looked_at"], 2);
    assert_eq!(ticked["advanced"].as_array().unwrap().len(), 2);
    assert_eq!(ticked["ended"][0]["operation_id"], asked[1].operation);
    assert_eq!(ticked["next_due_at"], "2026-03-04T00:12:22.000Z");
}

#[test]
fn many_ticks_at_once_send_each_reminder_once() {
    let scene = Scene::new();
    let asked = scene.ask();
    scene.world.pass(31);
    let ticks: Vec<_> =
        (0..8).map(|_| scene.command("tick").stdout(Stdio::null()).spawn().unwrap()).collect();
    for mut tick in ticks {
        assert!(tick.wait().unwrap().success());
    }
    assert_eq!(scene.received(OTTER, "reminder").len(), 1);
    assert_eq!(scene.events(&asked, "handshake.remind").len(), 1);
}

#[test]
fn a_tick_with_nothing_to_do_writes_nothing() {
    let scene = Scene::new();
    scene.ask();
    let written = || std::fs::metadata(scene.world.path("store/bb.db-wal")).unwrap().len();
    let before = written();
    scene.run("tick").ok();
    assert_eq!(written(), before);
    scene.world.pass(30);
    scene.run("tick").ok();
    assert_ne!(written(), before);
}

#[test]
fn tells_people_what_it_did() {
    let scene = Scene::new();
    assert_eq!(scene.run("tick").ok().stdout, "0 handshakes open, 0 advanced, 0 ended\n");
    scene.ask();
    scene.world.pass(120);
    insta::assert_snapshot!(scene.run("tick").ok().stdout, @r"
    1 handshake open, 1 advanced, 1 ended
    op_20260304_001122_2swr9hv46t ended: timed_out
    ");
}

#[test]
fn one_that_cannot_go_on_does_not_hold_up_the_others() {
    let scene = Scene::with(&[OTTER, "zinc-yak"]);
    let stuck = scene.ask_with(OTTER, "--timeout 100s");
    let other = scene.ask_with("zinc-yak", "--timeout 110s");
    scene.world.pass(200);
    let store = rusqlite::Connection::open(scene.world.store()).unwrap();
    let trouble = format!(
        "CREATE TRIGGER trouble BEFORE INSERT ON events WHEN NEW.operation_id = '{}'
         BEGIN SELECT raise(ABORT, 'this one cannot be written'); END",
        stuck.operation
    );
    store.execute_batch(&trouble).unwrap();
    assert_ne!(scene.run("tick --json").code, 0);
    assert_eq!(scene.events(&other, "handshake.ended").len(), 1);
    assert_eq!(scene.events(&stuck, "handshake.ended").len(), 0);
    store.execute_batch("DROP TRIGGER trouble").unwrap();
    scene.run("tick").ok();
    assert_eq!(scene.events(&stuck, "handshake.ended").len(), 1);
}
