//! Locks, queues and handshakes: what holds others up, and what nobody looks after.

use std::fs::{self, File};
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::{check, doctor, says};
use crate::common::{World, not_run};
use crate::wait_ack_scene::{OTTER, Scene};

#[test]
fn a_handshake_that_nobody_drives_is_named_with_the_line_that_goes_on() {
    let scene = Scene::new();
    says(&doctor(&scene.world, &[], &[]).1, "handshakes", "ok", "none is open");
    let asked = scene.ask();
    scene.world.pass(30);
    let (_, data) = doctor(&scene.world, &[], &[]);
    says(&data, "handshakes", "ok", "1 is open, and nothing in it is overdue");
    scene.world.pass(600);
    let (code, data) = doctor(&scene.world, &[], &[]);
    assert_eq!(code, 0);
    let named = format!("1 of 1 is driven by nobody: {} of lead-one (due for 10m)", asked.operation);
    says(&data, "handshakes", "warning", &named);
    let resume = format!("bb wait-ack --resume {} waits again", asked.operation);
    let hint = format!("bb doctor --fix and bb tick do what is due; {resume}");
    assert_eq!(check(&data, "handshakes")["hint"], hint);
    assert_eq!(scene.data("waits").as_array().unwrap().len(), 1, "looking drives nothing");
}

#[test]
fn what_is_due_in_a_handshake_is_done_when_asked() {
    let scene = Scene::new();
    let asked = scene.ask();
    scene.world.pass(630);
    let (_, data) = doctor(&scene.world, &["--fix"], &[]);
    let detail = format!("did what was due in {}; 1 ended by it", asked.operation);
    assert_eq!(data["mended"], json!([{"check": "handshakes", "detail": detail}]));
    says(&data, "handshakes", "ok", "none is open");
    assert_eq!(scene.run(&format!("wait-ack --resume {}", asked.operation)).code, 3);
    assert_eq!(doctor(&scene.world, &["--fix"], &[]).1["mended"], Value::Array(Vec::new()));
}

#[test]
fn a_handshake_in_which_only_a_reminder_is_due_stays_open_when_fixed() {
    let scene = Scene::new();
    scene.ask();
    scene.world.pass(45);
    says(&doctor(&scene.world, &[], &[]).1, "handshakes", "warning", "due for 15s");
    let (_, data) = doctor(&scene.world, &["--fix"], &[]);
    says(&data, "handshakes", "ok", "1 is open");
    assert_eq!(scene.inbox(OTTER).len(), 2, "the request and one reminder");
}

#[test]
fn what_died_in_the_queue_for_a_reservation_is_taken_out_when_asked() {
    let world = World::in_real_time();
    for agent in ["holder", "waiter"] {
        world.register(agent, "backend");
    }
    let reserve = ["reserve", "--bead", "bb-1", "--scope", "src", "--agent"];
    world.bb(reserve.iter().chain(&["holder"])).ok();
    says(&doctor(&world, &[], &[]).1, "waiters", "ok", "nobody waits");
    let mut command = world.command(reserve.iter().chain(&["waiter", "--wait", "120"]));
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while world.json(["status"])["waiting"].as_array().unwrap().is_empty() {
        thread::sleep(Duration::from_millis(2));
    }
    says(
        &doctor(&world, &[], &[]).1,
        "waiters",
        "ok",
        "1 in the queue for reservations, and all of them run",
    );
    child.kill().unwrap();
    child.wait().unwrap();
    says(&doctor(&world, &[], &[]).1, "waiters", "warning", "by what died: `waiter`");
    let (_, data) = doctor(&world, &["--fix"], &[]);
    says(&data, "waiters", "ok", "nobody waits");
    assert!(
        data["mended"]
            .as_array()
            .unwrap()
            .contains(&json!({"check": "waiters", "detail": "took out 1 of what died"}))
    );
}

/// Runs with a clock that stands still: the second look comes at once.
#[test]
fn whoever_keeps_writers_waiting_is_named() {
    if fs::read_to_string("/proc/locks").is_err() {
        return not_run("the system does not tell who holds locks");
    }
    let world = World::with_two_agents();
    let lock = world.path("store/bb.db-lock");
    assert!(lock.exists(), "a file that is left behind");
    says(&doctor(&world, &[], &[]).1, "locks", "ok", "nobody is seen to hold a lock");
    let me = std::process::id();
    let held = |data: &Value| {
        says(data, "locks", "warning", &format!("process {me} (`"));
        says(data, "locks", "warning", "keeps writers waiting");
        assert!(check(data, "locks")["hint"].as_str().unwrap().contains(&format!("kill {me}")));
    };
    let file = File::options().write(true).open(&lock).unwrap();
    file.lock().unwrap();
    held(&doctor(&world, &[], &[]).1);
    drop(file);
    says(&doctor(&world, &[], &[]).1, "locks", "ok", "nobody is seen to hold a lock");
    let other_program = rusqlite::Connection::open(world.store()).unwrap();
    other_program.execute_batch("BEGIN IMMEDIATE").unwrap();
    held(&doctor(&world, &[], &[]).1);
    other_program.execute_batch("ROLLBACK").unwrap();
    says(&doctor(&world, &[], &[]).1, "locks", "ok", "nobody is seen to hold a lock");
}
