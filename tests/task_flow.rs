//! Tasks between real processes.

use std::process::{Child, Stdio};

use serde_json::json;

use crate::common::Run;
use crate::task_scene::{HERON, LEAD, OTTER, Scene, YAK, id};

/// Looks until something is so; it must be so within a minute.
#[track_caller]
fn soon(is_so: impl Fn() -> bool) {
    let begun = std::time::Instant::now();
    while !is_so() {
        assert!(begun.elapsed().as_secs() < 60, "it never came to be");
    }
}

/// Starts `wait-ack` for GH-42 and comes back once it waits.
fn waiter(scene: &Scene) -> Child {
    let child = scene
        .world
        .command(["wait-ack", "--task", "GH-42", "--json"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    soon(|| scene.json(&["waits"]).ok().data() != json!([]));
    child
}

fn ended(child: Child) -> Run {
    Run::of(child.wait_with_output().unwrap())
}

/// E37: the whole flow, each side in processes of its own, each waiting for the other.
#[test]
fn the_flow_between_real_processes() {
    let scene = Scene::in_real_time();
    let inbox = scene
        .world
        .command(["inbox", "--agent", OTTER, "--wait", "60", "--json"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    scene.assign("GH-42", OTTER, &[]);
    let assignment = ended(inbox).ok().data()[0].clone();
    assert_eq!(assignment["kind"], "task-assignment");

    let lead = waiter(&scene);
    let message = id(&assignment);
    scene.json(&["read", "--agent", OTTER, &message]).ok();
    scene.json(&["ack", "--agent", OTTER, "--message", &message, "--question", "24h or 7 days?"]).ok();
    let asked = ended(lead);
    assert_eq!((asked.code, &asked.data()["task"]["questions"]), (7, &json!(["24h or 7 days?"])), "{asked}");

    scene.clarify(&["--answer", "24 hours"]).ok();
    let lead = waiter(&scene);
    scene.says(OTTER, LEAD, "Thanks.\n\n[ACK] GH-42 - CONFIRMED\nUnderstanding: JWT with 24h expiry").ok();
    let confirmed = ended(lead);
    assert_eq!((confirmed.code, &confirmed.data()["task"]["may_begin"]), (0, &json!(true)), "{confirmed}");

    scene.checkpoint("1", "Tests written").ok();
    scene.checkpoint("2", "Code written").ok();
    scene.complete(&["--summary", "Merged"]).ok();
    let events: Vec<_> = scene.events().into_iter().filter(|event| event.starts_with("task.")).collect();
    assert_eq!(
        events,
        [
            "task.assigned",
            "task.acknowledged",
            "task.clarified",
            "task.acknowledged",
            "task.checkpoint",
            "task.checkpoint",
            "task.completed",
        ]
    );
    assert_eq!(scene.status(), ("complete".to_owned(), false));
}

/// E37: a waiter that is killed loses nothing.
#[test]
fn a_killed_waiter_is_replaced_by_the_next() {
    let scene = Scene::in_real_time();
    scene.assign("GH-42", OTTER, &[]);
    let mut lead = waiter(&scene);
    lead.kill().unwrap();
    lead.wait().unwrap();
    scene.ack(&["--understanding", "JWT"]).ok();
    assert_eq!(scene.wait(&[]).ok().data()["outcome"], "acknowledged");
    assert_eq!(scene.got(OTTER, "task-assignment").len(), 1);
}

/// E43: of many that give the same task to different agents at once, one succeeds.
#[test]
fn the_same_task_is_assigned_once_however_many_try() {
    let scene = Scene::in_real_time();
    let line = |to| {
        ["assign", "--from", LEAD, "--task", "GH-42", "--title", "T", "--body", "x", "--to", to, "--json"]
    };
    let tries: Vec<_> = [OTTER, HERON, YAK, OTTER, HERON, YAK]
        .into_iter()
        .map(|to| scene.world.command(line(to)).stdout(Stdio::piped()).spawn().unwrap())
        .collect();
    let runs: Vec<_> = tries.into_iter().map(ended).collect();
    let given: Vec<_> = runs.iter().filter(|run| run.code == 0 && run.data()["duplicate"] == false).collect();
    assert_eq!(given.len(), 1, "{runs:?}");
    let assignments = [OTTER, HERON, YAK].map(|agent| scene.got(agent, "task-assignment").len());
    assert_eq!(assignments.iter().sum::<usize>(), 1);
    assert!(runs.iter().all(|run| run.code == 0 || run.code == 65), "{runs:?}");
}

/// A signal during the pause before another attempt gives the shell back with the line that goes on.
#[test]
fn a_signal_ends_the_pause_before_another_attempt() {
    let scene = Scene::in_real_time();
    scene.assign("GH-42", OTTER, &[]);
    scene.ack(&["--error", "NETWORK_ERROR", "--retry-after", "1h"]).ok();
    let child = scene
        .world
        .command(["wait-ack", "--task", "GH-42", "--auto", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    soon(|| scene.events().contains(&"task.postponed".to_owned()));
    // The handler is installed before the first look; the plan is made after it.
    let pid = child.id().to_string();
    std::process::Command::new("kill").args(["-TERM", &pid]).status().unwrap();
    let run = ended(child);
    assert_eq!((run.code, run.data()["outcome"].as_str()), (75, Some("waiting")), "{run}");
    assert_eq!(run.data()["resume"], "bb agent wait-ack --task GH-42 --auto");
    assert_eq!(scene.status().0, "error");
}
