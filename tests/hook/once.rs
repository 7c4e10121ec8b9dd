//! Telling once: of several hooks at once one tells, and what nobody heard is told again.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;

use super::{EVENTS, call, call_with, said, sent, words};
use crate::common::{Run, World, letter};

/// Starts a hook for `lead-one` whose answer goes there.
fn started(world: &World, event: &str, session: &str, answer: Stdio) -> Child {
    let mut child = world
        .command(["hook", "claude-code", event, "--agent", "lead-one"])
        .stdin(Stdio::piped())
        .stdout(answer)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(&said(session, event, json!({}))).unwrap();
    child
}

#[test]
fn what_a_subagent_hears_is_not_taken_from_the_agent() {
    let world = World::with_two_agents();
    sent(&world, "urgent", "BLOCKED", "Help");
    for event in EVENTS {
        for harness in ["claude-code", "codex", "plain"] {
            let input = said("s1", event, json!({"agent_id": "sub1", "agent_type": "Explore"}));
            assert_eq!(call_with(&world, harness, event, &input).stdout, "", "{harness} {event}");
        }
    }
    assert_ne!(world.json(["log", "--limit", "1"])[0]["event"], "message.shown");
    assert!(words(&call(&world, "claude-code", "tool", "s1")).contains("Help"));
}

#[test]
fn of_many_hooks_at_once_one_tells() {
    let world = World::in_real_time();
    world.register("amber-otter", "backend");
    world.register("lead-one", "lead");
    for number in 1..=3 {
        let changes = [("--priority", "urgent"), ("--subject", &*format!("number {number}"))];
        world.bb(letter(&changes)).ok();
    }
    let hooks: Vec<_> = (0..8).map(|_| started(&world, "tool", "s1", Stdio::piped())).collect();
    let told: Vec<_> = hooks.into_iter().map(|it| Run::of(it.wait_with_output().unwrap()).ok()).collect();
    for number in 1..=3 {
        let times = told.iter().filter(|run| run.stdout.contains(&format!("number {number}"))).count();
        assert_eq!(times, 1, "{told:?}");
    }
    let log = world.json(["log", "--limit", "500"]);
    let shown = log.as_array().unwrap().iter().filter(|event| event["event"] == "message.shown").count();
    assert_eq!(shown, 3);
}

#[test]
fn what_could_not_be_written_out_is_told_again() {
    let world = World::with_two_agents();
    let id = sent(&world, "urgent", "BLOCKED", "Help");
    let full = || Stdio::from(OpenOptions::new().write(true).open("/dev/full").unwrap());
    let closed = || {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        Stdio::from(writer)
    };
    for event in ["tool", "stop"] {
        for (answer, said) in [(full(), "IO_WRITE_FAILED"), (closed(), "")] {
            let unheard = started(&world, event, "s1", answer).wait_with_output().unwrap();
            let unheard = Run::of(unheard).ok();
            assert!(unheard.stderr.contains(said), "{unheard}");
            assert_eq!(world.json(["log", "--limit", "1"])[0]["event"], "message.unshown", "{event}");
        }
        assert!(words(&call(&world, "claude-code", event, "s1")).contains(&id), "{event}");
        assert_eq!(call(&world, "claude-code", event, "s1").stdout, "", "{event}");
    }
    assert!(world.bb(["explain", &id]).ok().stdout.contains("did not hear of"));
}

/// The settings give a hook ten seconds.
#[test]
fn a_store_that_others_hold_keeps_no_harness_waiting() {
    let world = World::with_two_agents();
    sent(&world, "urgent", "INFO", "Look");
    let queue = File::options().write(true).open(world.path("store/bb.db-lock")).unwrap();
    let other_program = rusqlite::Connection::open(world.store()).unwrap();
    let hurried = || {
        let begun = Instant::now();
        let run = Run::of(started(&world, "tool", "s1", Stdio::piped()).wait_with_output().unwrap()).ok();
        assert!(begun.elapsed() < Duration::from_secs(8), "{:?}", begun.elapsed());
        assert!(words(&run).contains("Look") && run.stderr.contains("STORE_BUSY"), "{run}");
    };
    queue.lock().unwrap();
    hurried();
    queue.unlock().unwrap();
    other_program.execute_batch("BEGIN IMMEDIATE").unwrap();
    hurried();
    other_program.execute_batch("ROLLBACK").unwrap();
    assert!(words(&call(&world, "claude-code", "tool", "s1")).contains("Look"), "it was not remembered");
    assert_eq!(call(&world, "claude-code", "tool", "s1").stdout, "");
}
