//! Killed, failing, or several at once: every event is somewhere, and once.

use std::fs;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use super::{MONTH, aged_world, all, closed_message, files, log};
use crate::common::{Run, World, not_run};

/// Everything with which the archive and the store reach the disk, on whatever machine.
const CALLS: [&str; 11] = [
    "mkdir",
    "mkdirat",
    "openat",
    "flock",
    "write",
    "pwrite64",
    "fsync",
    "fdatasync",
    "ftruncate",
    "unlink",
    "unlinkat",
];

/// Those without which nothing would be on the disk.
const ALWAYS: [&str; 4] = ["openat", "write", "pwrite64", "fdatasync"];

/// `archive` under the eyes of `strace`, which is given these words and writes down each call.
fn traced(world: &World, words: &[&str]) -> Option<(Run, String)> {
    let (plain, calls) = (world.command(["archive", "--json"]), world.path("calls"));
    let mut command = Command::new("strace");
    command
        .args(["-f", "-qq", "-e", &format!("trace=?{}", CALLS.join(",?"))])
        .args(words)
        .arg("-o")
        .arg(&calls);
    command.arg(plain.get_program()).args(plain.get_args());
    command.env_clear().envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let output = command.current_dir(world.work()).stdin(Stdio::null()).output().ok()?;
    Some((Run::of(output), fs::read_to_string(calls).ok()?))
}

/// Puts the store back as it was, with an archive to which more can be added or without one.
fn reset(world: &World, kept: &[(String, Vec<u8>)]) {
    fs::remove_dir_all(world.path("store")).unwrap();
    fs::create_dir_all(world.path("store/archive")).unwrap();
    for (name, bytes) in kept {
        fs::write(world.path("store").join(name), bytes).unwrap();
    }
    let _ = fs::remove_dir(world.path("store/archive"));
}

fn keep(world: &World) -> Vec<(String, Vec<u8>)> {
    // Everything goes into one file: what is in the log of the store only belongs to it as well.
    let store = rusqlite::Connection::open(world.store()).unwrap();
    store.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    drop(store);
    let archive = files(world).into_iter().map(|file| {
        (format!("archive/{}", file.file_name().unwrap().to_str().unwrap()), fs::read(&file).unwrap())
    });
    [("bb.db".to_owned(), fs::read(world.store()).unwrap())].into_iter().chain(archive).collect()
}

/// Disturbs call after call, and looks what became of the events each time; `must` the command fail?
fn disturb_every_call(world: &World, how: &str, must: bool) {
    let (kept, before) = (keep(world), all(world));
    let Some((whole, calls)) = traced(world, &[]) else { return not_run("there is no strace here") };
    if whole.code != 0 {
        return not_run("no process may be traced here");
    }
    for name in CALLS {
        let made = calls.matches(&format!(" {name}(")).count();
        assert!(made > 0 || !ALWAYS.contains(&name), "{name}: {calls}");
        for number in 1..=made {
            reset(world, &kept);
            let (run, _) = traced(world, &["-e", &format!("inject={name}:{how}:when={number}")]).unwrap();
            assert!(!must || run.code != 0, "{name} {number}: {run}");
            assert_eq!(all(world), before, "{name} {number}: {run}");
            world.bb(["archive"]).ok();
            assert_eq!(all(world), before, "after {name} {number}, and again");
            assert!(log(world, &[]).len() < 10, "what is old is gone from the store");
        }
    }
}

#[test]
fn killed_at_any_call_nothing_is_lost_and_nothing_is_there_twice() {
    disturb_every_call(&aged_world(), "signal=KILL", true);
}

#[test]
fn killed_while_adding_to_a_file_nothing_is_lost_and_nothing_is_there_twice() {
    let world = aged_world();
    world.bb(["archive"]).ok();
    world.pass(MONTH);
    closed_message(&world, "Newer");
    disturb_every_call(&world, "signal=KILL", true);
}

#[test]
fn with_any_call_failing_nothing_is_lost_and_nothing_is_there_twice() {
    disturb_every_call(&aged_world(), "error=ENOSPC", false);
}

fn start(world: &World, line: &[&str]) -> Child {
    world.command(line).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

#[test]
fn several_at_once_move_everything_once() {
    let world = aged_world();
    let before = log(&world, &[]);
    let children: Vec<_> = (0..6).map(|_| start(&world, &["archive", "--json"])).collect();
    let moved: Vec<Value> = children
        .into_iter()
        .map(|child| Run::of(child.wait_with_output().unwrap()).ok().data()["events"].clone())
        .collect();
    assert_eq!(moved.iter().map(|number| number.as_i64().unwrap()).sum::<i64>(), 14, "{moved:?}");
    assert_eq!(all(&world), before);
}

#[test]
fn a_copy_of_the_store_beside_it_takes_nothing_away() {
    let world = aged_world();
    world.bb(["archive"]).ok();
    let copy = world.path("store/copy.db");
    let copy = copy.to_str().unwrap();
    world.bb(["export", "--backup", copy]).ok();
    world.pass(MONTH);
    let of_copy = |line: &[&str]| world.bb(line.iter().chain(&["--store", copy, "--json"])).ok().data();
    let in_copy = of_copy(&[
        "send",
        "--from",
        "lead-one",
        "--to",
        "amber-otter",
        "--bead",
        "b-1",
        "--category",
        "INFO",
        "-s",
        "Copy",
        "-m",
        "x",
    ]);
    let in_store = closed_message(&world, "Store");
    let both = [world.json(["archive"])["events"].clone(), of_copy(&["archive"])["events"].clone()];
    assert_eq!(both, [5, 5]);
    let about = |events: &[Value]| events.last().unwrap()["about"].clone();
    assert_eq!(about(&all(&world)), in_store.as_str());
    let events = of_copy(&["log", "--archived"]);
    let events: Vec<_> =
        events.as_array().unwrap().iter().filter(|it| it["event"] != "log.archived").cloned().collect();
    assert_eq!(about(&events), in_copy["message_id"]);
    assert_eq!(events[..18], all(&world)[..18], "what they have in common both of them have");
}

#[test]
fn whoever_follows_the_log_misses_nothing_and_sees_nothing_twice() {
    let world = World::in_real_time();
    world.register("amber-otter", "backend");
    world.register("lead-one", "lead");
    let first = closed_message(&world, "One");
    let mut child = start(&world, &["log", "--follow", "--archived", "--format", "jsonl"]);
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(child.stdout.take().unwrap()));
    let mut next = || serde_json::from_str::<Value>(&lines.next().unwrap().unwrap()).unwrap();
    let mut seen: Vec<Value> = (0..6).map(|_| next()).collect();
    world.bb(["archive", "--older-than", "0"]).ok();
    let second = closed_message(&world, "Two");
    seen.extend((0..5).map(|_| next()));
    assert_eq!(super::ids(&seen), (1..=11).collect::<Vec<_>>());
    assert_eq!((&seen[5]["about"], &seen[10]["about"]), (&first.into(), &second.into()));
    child.kill().unwrap();
    child.wait().unwrap();
}
