//! Archives that are damaged, missing or cannot be written: said by name, never passed over.

use std::fs;

use super::{MONTH, aged_world, all, closed_message, files, log};
use crate::common::World;

/// A world with one file in its archive, and the story of a message that is in it.
fn archived_world() -> (World, String) {
    let world = World::with_two_agents();
    let id = closed_message(&world, "Old");
    world.pass(MONTH);
    closed_message(&world, "New");
    world.bb(["archive"]).ok();
    (world, id)
}

#[test]
fn an_archive_that_is_short_damaged_or_missing_is_named_and_not_passed_over() {
    let (world, id) = archived_world();
    let file = files(&world).remove(0);
    let whole = fs::read(&file).unwrap();
    let truncated = whole[..whole.len() - 9].to_vec();
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 0x10;
    let other = [b"no gzip at all".to_vec(), whole.clone()].concat();
    for (damage, words) in [
        (Some(truncated), "of its"),
        (Some(flipped), "is damaged: "),
        (Some(other), "is damaged: "),
        (Some(Vec::new()), "it has 0 of its"),
        (None, "it is missing"),
    ] {
        match &damage {
            Some(bytes) => fs::write(&file, bytes).unwrap(),
            None => fs::remove_file(&file).unwrap(),
        }
        let run = world.bb(["log", "--archived"]).fails("ARCHIVE_CORRUPT", 69);
        assert!(run.stderr.contains(file.to_str().unwrap()) && run.stderr.contains(words), "{run}");
        assert!(run.stderr.contains("\nhint: ") && run.stderr.contains("from a backup"), "{run}");
        world.bb(["log", "--archived", "--json"]).fails("ARCHIVE_CORRUPT", 69);
        world.bb(["log"]).ok();
        let story = world.json(["explain", &id]);
        let missing = story["facts"].as_array().unwrap().iter().find(|fact| fact["name"] == "missing");
        assert!(missing.unwrap()["value"].as_str().unwrap().contains(words), "{story}");
        assert!(world.bb(["explain", "amber-otter"]).ok().stdout.contains("earlier steps: "));
    }
    fs::write(&file, whole).unwrap();
    assert_eq!(all(&world).len(), 10, "once it is back, all is");
}

#[test]
fn what_does_not_need_the_damaged_file_goes_on_without_it() {
    let (world, _) = archived_world();
    fs::remove_file(&files(&world)[0]).unwrap();
    assert_eq!(log(&world, &["--archived", "--since", "1h"]).len(), 5);
    assert_eq!(log(&world, &["--archived", "--limit", "5"]).len(), 5);
    world.pass(MONTH);
    closed_message(&world, "Newer");
    assert_eq!(world.json(["archive"])["events"], 5);
    assert_eq!(files(&world).len(), 1, "a file that is gone is not begun again");
    assert_eq!(log(&world, &["--archived", "--since", "40d"]).len(), 10);
    world.bb(["log", "--archived"]).fails("ARCHIVE_CORRUPT", 69);
}

#[test]
fn what_lies_behind_the_end_of_a_file_is_nobodys_event() {
    let (world, _) = archived_world();
    let before = all(&world);
    let file = files(&world).remove(0);
    let mut bytes = fs::read(&file).unwrap();
    bytes.extend([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, b'x']);
    fs::write(&file, &bytes).unwrap();
    assert_eq!(all(&world), before);
    world.pass(MONTH);
    let new = closed_message(&world, "Newer");
    world.bb(["archive"]).ok();
    assert_eq!(fs::read(&file).unwrap(), bytes, "what is not understood is left alone");
    let after = all(&world);
    assert_eq!(after[..before.len()], before[..]);
    assert_eq!(after.last().unwrap()["about"], new.as_str());
}

#[test]
fn an_archive_that_cannot_be_written_moves_nothing() {
    let world = aged_world();
    let before = log(&world, &[]);
    fs::write(world.path("store/archive"), "in the way").unwrap();
    let run = world.bb(["archive"]).fails("IO_WRITE_FAILED", 74);
    assert!(run.stderr.contains("store/archive`") && run.stderr.contains("nothing was changed"), "{run}");
    world.bb(["archive", "--json"]).fails("IO_WRITE_FAILED", 74);
    assert_eq!(log(&world, &["--archived"]), before);
    fs::remove_file(world.path("store/archive")).unwrap();
    assert_eq!(world.json(["archive"])["events"], 14);
    assert_eq!(all(&world), before);
}

#[test]
fn an_event_that_cannot_be_read_back_does_not_leave() {
    let world = World::with_two_agents();
    let store = rusqlite::Connection::open(world.store()).unwrap();
    let torn = "INSERT INTO events (at, event, data, uid, pid, parent_pid, cwd)
        VALUES (1, 'test.torn', '{\"half', 0, 0, 0, '')";
    store.execute(torn, []).unwrap();
    closed_message(&world, "After");
    let before = log(&world, &[]);
    let run = world.bb(["archive", "--older-than", "0"]).fails("STORE_CORRUPT", 69);
    assert!(run.stderr.contains("bb.db"), "{run}");
    assert_eq!(log(&world, &[]), before);
    assert!(files(&world).is_empty());
}

#[test]
fn what_is_no_duration_no_format_or_no_event_is_refused_and_changes_nothing() {
    let world = aged_world();
    for age in ["soon", "-5", "1.5", "", "99999999999999999999", "30 fortnights"] {
        let run = world.bb(["archive", &format!("--older-than={age}")]).fails("INVALID_ARGS", 64);
        assert!(run.stderr.contains("\nhint: write seconds or a unit: 90, 90s, 2m, 1h, 7d"), "{run}");
    }
    world.bb(["archive", "now"]).fails("INVALID_ARGS", 64);
    let run = world.bb(["log", "--format", "xml"]).fails("INVALID_ARGS", 64);
    assert!(run.stderr.contains("`xml` is not a format of the log"), "{run}");
    assert!(run.stderr.contains("hint: use one of text, jsonl, yaml"), "{run}");
    let run = world.bb(["export", "--format", "xml"]).fails("INVALID_ARGS", 64);
    assert!(run.stderr.contains("hint: use one of yaml, json"), "{run}");
    for before in ["0", "-1", "x"] {
        world.bb(["log", &format!("--before={before}")]).fails("INVALID_ARGS", 64);
    }
    assert_eq!(log(&world, &[]).len(), 18);
    assert!(!world.path("store/archive").exists());
}
