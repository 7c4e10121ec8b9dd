//! `reserve --wait`: first come, first served.

use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;

use bb_agent::store::{StoreError, Transaction};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::common::{Run, World};

/// A world in real time with agents of these names.
fn world_of(agents: &[&str]) -> World {
    let world = World::in_real_time();
    agents.iter().for_each(|agent| world.register(agent, "backend"));
    world
}

fn reserve(world: &World, agent: &str, scope: &str, more: &[&str]) -> Run {
    let start = ["reserve", "--json", "--bead", "bb-1", "--agent", agent, "--scope", scope];
    world.bb(start.iter().chain(more))
}

fn release(world: &World, agent: &str, scope: &str) {
    world.bb(["release", "--agent", agent, "--scope", scope]).ok();
}

/// Starts to wait, and returns once it stands in the queue.
fn queue_up(world: &World, agent: &str, scope: &str, more: &[&str]) -> Child {
    let before = waiting(world).len();
    let start = ["reserve", "--json", "--bead", "bb-1", "--agent", agent, "--scope", scope, "--wait", "120"];
    let mut command = world.command(start.iter().chain(more));
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while waiting(world).len() == before {
        thread::sleep(Duration::from_millis(2));
    }
    child
}

fn waiting(world: &World) -> Vec<String> {
    let board = world.json(["status"]);
    let names = board["waiting"].as_array().unwrap().iter();
    names.map(|waiting| waiting["agent_id"].as_str().unwrap().to_owned()).collect()
}

fn end_of(child: Child) -> Run {
    Run::of(child.wait_with_output().unwrap())
}

fn fence(granted: &Value) -> i64 {
    granted["fence"].as_i64().unwrap()
}

#[test]
fn a_waiter_is_handed_the_scope_on_release() {
    let world = world_of(&["holder", "waiter"]);
    reserve(&world, "holder", "src", &[]).ok();
    let child = queue_up(&world, "waiter", "src/main.rs", &[]);
    release(&world, "holder", "src");
    let granted = end_of(child).ok().data();
    assert_eq!(
        (granted["agent_id"].as_str(), granted["scope"].as_str()),
        (Some("waiter"), Some("src/main.rs"))
    );
    assert!(waiting(&world).is_empty());
}

#[test]
fn what_is_free_is_granted_without_waiting() {
    let world = World::with_two_agents();
    assert_eq!(fence(&reserve(&world, "lead-one", "src", &["--wait", "60"]).ok().data()), 1);
}

#[test]
fn nobody_gets_ahead_of_those_who_came_before() {
    let world = world_of(&["holder", "first", "second", "newcomer"]);
    let held = reserve(&world, "holder", "src/a", &[]).ok().data();
    let first = queue_up(&world, "first", "src", &[]);
    let second = queue_up(&world, "second", "src/b", &[]);
    assert_eq!(waiting(&world), ["first", "second"]);
    let refused = reserve(&world, "newcomer", "src/b", &[]).fails("RESERVATION_CONFLICT", 75);
    assert!(refused.stdout.contains("`first` has waited for `src`"), "{refused}");
    reserve(&world, "newcomer", "src/b", &["--check"]).fails("RESERVATION_CONFLICT", 75);
    reserve(&world, "newcomer", "docs", &[]).ok();

    release(&world, "holder", "src/a");
    let first = end_of(first).ok().data();
    assert_eq!(waiting(&world), ["second"]);
    release(&world, "first", "src");
    let second = end_of(second).ok().data();
    assert!(fence(&held) < fence(&first) && fence(&first) < fence(&second));
}

#[test]
fn the_one_who_is_waited_for_is_not_kept_waiting() {
    let world = world_of(&["holder", "waiter"]);
    reserve(&world, "holder", "src/a", &[]).ok();
    let mut child = queue_up(&world, "waiter", "src", &[]);
    reserve(&world, "holder", "src/b", &[]).ok();
    reserve(&world, "holder", "src/a", &[]).ok();
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_waiter_that_was_killed_keeps_nobody_from_anything() {
    let world = world_of(&["holder", "waiter", "newcomer"]);
    reserve(&world, "holder", "src", &[]).ok();
    let mut child = queue_up(&world, "waiter", "src", &[]);
    release_after_kill(&world, &mut child);
    // Nobody has collected the process yet.
    reserve(&world, "newcomer", "src", &[]).ok();
    child.wait().unwrap();
    assert!(waiting(&world).is_empty());
}

/// Kills the waiter, and releases what it waits for once it is dead.
fn release_after_kill(world: &World, child: &mut Child) {
    child.kill().unwrap();
    while !waiting(world).is_empty() {
        thread::sleep(Duration::from_millis(2));
    }
    release(world, "holder", "src");
}

#[test]
fn a_waiter_that_lost_its_place_takes_another() {
    let world = world_of(&["holder", "waiter"]);
    reserve(&world, "holder", "src", &[]).ok();
    let child = queue_up(&world, "waiter", "src", &[]);
    let store = world.open_store();
    let project = world.json(["status"])["waiting"][0]["project"].as_str().unwrap().to_owned();
    let place = |view: &Transaction| Ok::<_, StoreError>(view.waiters(&project)?[0].0.place);
    let lost = store.read(place).unwrap();
    store.write(|to: &Transaction| to.remove_waiter(lost)).unwrap();
    while waiting(&world).is_empty() {
        thread::sleep(Duration::from_millis(2));
    }
    assert!(store.read(place).unwrap() > lost);
    release(&world, "holder", "src");
    end_of(child).ok();
}

#[test]
fn a_circle_of_waiters_is_refused_and_named() {
    let world = world_of(&["aaa", "bbb", "ccc"]);
    reserve(&world, "aaa", "one", &[]).ok();
    reserve(&world, "bbb", "two", &[]).ok();
    reserve(&world, "ccc", "three", &[]).ok();
    let first = queue_up(&world, "aaa", "two", &[]);
    let second = queue_up(&world, "bbb", "three", &[]);
    let refused = reserve(&world, "ccc", "one", &["--wait", "60"]).fails("RESERVATION_DEADLOCK", 75);
    let message = refused.document()["error"]["message"].to_string();
    assert!(message.contains("`ccc` waits for `aaa` waits for `bbb` waits for `ccc`"), "{message}");
    reserve(&world, "ccc", "one", &[]).fails("RESERVATION_CONFLICT", 75);

    release(&world, "ccc", "three");
    end_of(second).ok();
    release(&world, "bbb", "two");
    end_of(first).ok();
}

#[test]
fn whoever_waits_in_vain_is_told_who_holds_it_and_leaves_the_queue() {
    let world = World::with_two_agents();
    reserve(&world, "amber-otter", "src", &[]).ok();
    let run = reserve(&world, "lead-one", "src", &["--wait", "30"]).fails("RESERVATION_CONFLICT", 75);
    assert!(run.stdout.contains("waited in vain: `src` is reserved by `amber-otter`"), "{run}");
    assert!(waiting(&world).is_empty());
}

#[test]
fn a_signal_ends_the_wait_and_leaves_nothing_behind() {
    let world = world_of(&["holder", "waiter"]);
    reserve(&world, "holder", "src", &[]).ok();
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let child = queue_up(&world, "waiter", "src", &[]);
        kill_process(Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap(), signal).unwrap();
        end_of(child).fails("RESERVATION_CONFLICT", 75);
        assert!(waiting(&world).is_empty());
    }
}

/// The clock of this world jumps to whatever is waited for.
#[test]
fn a_waiter_takes_over_at_the_expiry_if_it_said_so_and_is_told_if_not() {
    for (takeover, minutes) in [(true, 5), (false, 5)] {
        let world = World::with_two_agents();
        reserve(&world, "amber-otter", "src", &["--ttl", "5"]).ok();
        let wait: &[&str] = if takeover { &["--wait", "1h", "--takeover-stale"] } else { &["--wait", "1h"] };
        let run = reserve(&world, "lead-one", "src", wait);
        if takeover {
            let granted = run.ok().data();
            assert_eq!(granted["created_at"], format!("2026-03-04T00:{}:22.000Z", 11 + minutes));
            assert_eq!(granted["taken_over"][0]["agent_id"], "amber-otter");
        } else {
            run.fails("RESERVATION_STALE_FOUND", 75);
        }
        assert!(waiting(&world).is_empty());
    }
}
