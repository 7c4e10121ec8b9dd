//! `archive`: what is closed and old leaves the log, and nothing is ever lost by it.

mod damage;
mod interruption;
mod moving;
mod reading;

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::common::World;

const MONTH: u64 = 31 * 86_400;

/// The events that a log shows, whole.
fn log(world: &World, flags: &[&str]) -> Vec<Value> {
    let most: &[&str] = if flags.contains(&"--limit") { &[] } else { &["--limit", "500"] };
    let line = ["log"].iter().chain(most).chain(flags).copied();
    world.json(line).as_array().unwrap().clone()
}

/// Every event there ever was, but for what the archive recorded of itself.
fn all(world: &World) -> Vec<Value> {
    log(world, &["--archived"]).into_iter().filter(|event| event["event"] != "log.archived").collect()
}

fn ids(events: &[Value]) -> Vec<i64> {
    events.iter().map(|event| event["event_id"].as_i64().unwrap()).collect()
}

/// The files in the archive, by name.
fn files(world: &World) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(world.path("store/archive")) else { return Vec::new() };
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// A message that nothing more can happen to.
fn closed_message(world: &World, subject: &str) -> String {
    let id = world.send("lead-one", "amber-otter", "BLOCKED", subject);
    world.bb(["ack", "--agent", "amber-otter", &id]).ok();
    id
}

/// A world in which old things are closed, and one thing is new.
fn aged_world() -> World {
    let world = World::with_two_agents();
    for subject in ["One", "Two", "Three"] {
        closed_message(&world, subject);
        world.pass(60);
    }
    world.pass(MONTH);
    closed_message(&world, "New");
    world
}
