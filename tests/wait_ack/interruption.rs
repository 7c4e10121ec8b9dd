//! A waiter that is cut short leaves the handshake open, and says how to go on.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use crate::wait_ack_scene::{Asked, LEAD, OTTER, Scene};

#[test]
fn no_wait_opens_the_handshake_and_goes_on() {
    let scene = Scene::new();
    let line = format!("wait-ack --from {LEAD} --to {OTTER} --operation restart --no-wait");
    let run = scene.run(&line);
    assert_eq!(run.code, 75, "{run}");
    let wait = &scene.data("waits")[0];
    let resume = format!("bb agent wait-ack --resume {}", wait["operation_id"].as_str().unwrap());
    assert!(run.stdout.ends_with(&format!("go on with: {resume}\n")), "{run}");
    assert_eq!(scene.kinds(OTTER), ["pre-operation"]);
}

#[test]
fn block_for_gives_the_shell_back_in_time() {
    let scene = Scene::new();
    let line = format!("wait-ack --from {LEAD} --to {OTTER} --operation restart --block-for 100s --json");
    let run = scene.run(&line);
    assert_eq!(run.code, 75, "{run}");
    let data = run.data();
    assert_eq!((&data["outcome"], &data["elapsed_seconds"]), (&json!("waiting"), &json!(100)));
    assert_eq!(data["reminders_sent"], 3);
    scene.world.pass(100);
    let line = data["resume"].as_str().unwrap().strip_prefix("bb ").unwrap();
    let run = scene.run(&format!("{line} --json"));
    assert_eq!(run.code, 3, "{run}");
    assert_eq!((&run.data()["elapsed_seconds"], &run.data()["reminders_sent"]), (&json!(120), &json!(3)));
}

#[test]
fn a_block_that_outlasts_the_handshake_ends_with_it() {
    let scene = Scene::new();
    let asked = scene.ask();
    let run = scene.run(&format!("wait-ack --resume {} --block-for 500s", asked.operation));
    assert_eq!(run.code, 3, "{run}");
}

#[test]
fn a_resumed_wait_sends_only_what_is_still_to_be_sent() {
    let scene = Scene::new();
    let asked = scene.ask();
    scene.watch(&asked, 31);
    scene.watch(&asked, 30);
    scene.world.pass(35);
    let run = scene.finish(&asked);
    assert_eq!(run.data()["reminders_sent"], 3, "{run}");
    let reminders: Vec<_> = scene
        .received(OTTER, "reminder")
        .iter()
        .map(|it| (it["content"]["reminder_number"].clone(), it["content"]["time_remaining"].clone()))
        .collect();
    assert_eq!(
        reminders,
        [(json!(1), json!("90 seconds")), (json!(2), json!("60 seconds")), (json!(3), json!("24 seconds"))]
    );
}

#[test]
fn a_clock_that_goes_back_a_day_neither_repeats_nor_loses_a_step() {
    let scene = Scene::new();
    let asked = scene.ask();
    scene.watch(&asked, 59);
    let yesterday = scene.command("tick").env("BB_NOW", "2026-03-03T00:11:22.000Z").output().unwrap();
    assert!(yesterday.status.success());
    assert_eq!(scene.received(OTTER, "reminder").len(), 1, "nothing was due");
    let run = scene.finish(&asked);
    assert_eq!((&run.data()["elapsed_seconds"], &run.data()["reminders_sent"]), (&json!(120), &json!(3)));
}

/// A waiter that has said that it waits.
fn waiter(scene: &Scene, asked: &Asked) -> (Child, BufReader<std::process::ChildStderr>) {
    let line = format!("wait-ack --resume {} --json", asked.operation);
    let mut command = scene.command(&line);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut first = String::new();
    stderr.read_line(&mut first).unwrap();
    assert!(first.contains("Started waiting"), "{first}");
    (child, stderr)
}

fn signal(child: &Child, signal: Signal) {
    let id = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    kill_process(id, signal).unwrap();
}

#[test]
fn signals_end_the_process_and_not_the_handshake() {
    let scene = Scene::in_real_time(&[OTTER]);
    let asked = scene.ask();
    for sent in [Signal::INT, Signal::TERM, Signal::HUP] {
        let (mut child, mut stderr) = waiter(&scene, &asked);
        signal(&child, sent);
        let mut stdout = String::new();
        child.stdout.take().unwrap().read_to_string(&mut stdout).unwrap();
        stderr.read_to_string(&mut String::new()).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(75), "{sent:?}: {stdout}");
        let document: serde_json::Value = serde_json::from_str(&stdout).unwrap();
        assert_eq!(document["data"]["outcome"], "waiting");
        let resume = format!("bb agent wait-ack --resume {}", asked.operation);
        assert_eq!(document["data"]["resume"], resume);
        assert_eq!(scene.data("waits")[0]["operation_id"], asked.operation, "it is still open");
    }
    scene.answer(&asked, OTTER, "ok");
    scene.finish(&asked).ok();
    let bells = scene.world.path("store/bb.db-bells");
    assert_eq!(std::fs::read_dir(bells).map_or(0, Iterator::count), 0, "a bell was left behind");
}

#[test]
fn a_killed_waiter_loses_nothing() {
    let scene = Scene::in_real_time(&[OTTER]);
    let asked = scene.ask();
    let (mut child, _) = waiter(&scene, &asked);
    signal(&child, Signal::KILL);
    child.wait().unwrap();
    scene.answer(&asked, OTTER, "ok");
    scene.finish(&asked).ok();
    assert_eq!(scene.events(&asked, "handshake.ended").len(), 1);
}
