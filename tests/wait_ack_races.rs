//! Real processes in real time: races at the deadline, kills, lost bells.

use std::thread;
use std::time::{Duration, Instant};

use crate::wait_ack_race::{end, kills, races, until, waiter};
use crate::wait_ack_scene::{OTTER, Scene};

/// Whether somebody has hung a bell in this scene.
fn is_listening(scene: &Scene) -> bool {
    let bells = scene.world.path("store/bb.db-bells");
    std::fs::read_dir(bells).is_ok_and(|mut topics| {
        topics.any(|topic| std::fs::read_dir(topic.unwrap().path()).is_ok_and(|it| it.count() > 0))
    })
}

/// A17, ⚠4: whatever the race between an ack and the deadline, there is one end, and all agree on it.
#[test]
fn an_ack_that_races_the_deadline_ends_it_in_one_way_for_all() {
    let teams: Vec<_> =
        (0..4).map(|_| thread::spawn(|| (0..2).flat_map(|_| races(25)).collect::<Vec<_>>())).collect();
    let outcomes: Vec<_> = teams.into_iter().flat_map(|team| team.join().unwrap()).collect();
    let acknowledged = outcomes.iter().filter(|outcome| *outcome == "acknowledged").count();
    println!("{} races: {acknowledged} acks were in time", outcomes.len());
    assert_eq!(outcomes.len(), 200);
}

/// A22: a waiter is killed about when a reminder is due; three go on in its place.
#[test]
fn three_waiters_after_a_kill_send_each_reminder_once() {
    kills(8);
}

/// A waiter that nobody disturbs sleeps until it is rung for; its timeout is far away.
#[test]
fn a_waiter_wakes_on_the_ack() {
    let scene = Scene::in_real_time(&[OTTER]);
    let asked = scene.ask_with(OTTER, "--timeout 60s");
    let waiter = waiter(&scene, &asked);
    until("the waiter listens", || is_listening(&scene));
    scene.run(&format!("ack --agent {OTTER} --message {}", asked.request())).ok();
    let run = end(waiter).ok();
    assert_eq!(run.data()["outcome"], "acknowledged");
    assert!(run.data()["elapsed_seconds"].as_u64().unwrap() < 30, "{run}");
}

/// A32: a waiter that nobody can ring for looks by itself, and does not wait for its timeout.
#[test]
fn a_waiter_without_its_bell_hears_of_the_ack_all_the_same() {
    let scene = Scene::in_real_time(&[OTTER]);
    let asked = scene.ask_with(OTTER, "--timeout 60s");
    let waiter = waiter(&scene, &asked);
    until("the waiter listens", || is_listening(&scene));
    std::fs::remove_dir_all(scene.world.path("store/bb.db-bells")).unwrap();
    let acked = Instant::now();
    scene.run(&format!("ack --agent {OTTER} --message {}", asked.request())).ok();
    let run = end(waiter).ok();
    assert_eq!(run.data()["outcome"], "acknowledged");
    assert!(acked.elapsed() < Duration::from_secs(30), "it slept through the ack: {run}");
}

/// The state of an agent ends the wait at once, not at the deadline.
#[test]
fn a_waiter_wakes_when_the_recipient_is_gone() {
    let scene = Scene::in_real_time(&[OTTER]);
    let asked = scene.ask_with(OTTER, "--timeout 60s");
    let waiter = waiter(&scene, &asked);
    until("the waiter listens", || is_listening(&scene));
    scene.run(&format!("state {OTTER} dead")).ok();
    let run = end(waiter);
    assert_eq!((run.code, run.data()["outcome"].as_str()), (5, Some("gone")), "{run}");
    assert!(run.data()["elapsed_seconds"].as_u64().unwrap() < 30, "{run}");
}
