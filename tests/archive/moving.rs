//! What moves, what stays, and where it goes.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use serde_json::{Value, json};

use super::{MONTH, aged_world, all, closed_message, files, ids, log};
use crate::common::{World, not_run, replay};
use crate::replacement_scene;

#[test]
fn what_is_closed_and_old_moves_and_nothing_is_lost() {
    let world = aged_world();
    let before = log(&world, &[]);
    let moved = world.json(["archive"]);
    assert_eq!(moved["events"], 14, "two registrations and three messages of four events each");
    assert_eq!(moved["before"], "2026-03-05T00:14:22.000Z");
    let left = log(&world, &[]);
    assert_eq!(ids(&left), [15, 16, 17, 18, 19]);
    assert_eq!(left[4]["event"], "log.archived", "it is on record like every other change");
    assert_eq!(all(&world), before, "everything is there, whole, once and in order");
}

#[test]
fn only_what_is_older_than_asked_moves() {
    let world = World::with_two_agents();
    for _ in 0..4 {
        closed_message(&world, "Once a day");
        world.pass(86_400);
    }
    for (age, number) in [("31d", 0), ("4d", 6), ("3d", 4), ("172800", 4), ("1h", 3), ("0", 0)] {
        let would = world.json(["archive", "--older-than", age, "--dry-run"]);
        let moved = world.json(["archive", "--older-than", age]);
        assert_eq!((&would["events"], &moved["events"]), (&json!(number), &json!(number)), "{age}");
        assert_eq!(would["left"].as_i64().unwrap() + i64::from(number > 0), moved["left"].as_i64().unwrap());
        assert_eq!((&would["oldest_at"], &would["newest_at"]), (&moved["oldest_at"], &moved["newest_at"]));
    }
    assert_eq!(ids(&all(&world)), (1..=18).collect::<Vec<_>>());
}

/// C41
#[test]
fn where_there_is_nothing_to_move_nothing_happens() {
    let world = World::new();
    let run = world.bb(["archive"]).ok();
    assert!(run.stdout.starts_with("nothing is closed and older than 2026-02-02T00:11:22.000Z\n"), "{run}");
    world.register("lead-one", "lead");
    world.register("amber-otter", "backend");
    closed_message(&world, "New");
    assert_eq!(world.json(["archive"])["events"], 0);
    assert!(!world.path("store/archive").exists());
    assert_eq!(log(&world, &["--archived"]).len(), 6, "and nothing is recorded");
    assert_eq!(world.json(["archive", "--older-than", "0"])["events"], 5);
    assert_eq!(world.json(["archive", "--older-than", "0"])["events"], 0, "its own record is no reason");
}

#[test]
fn a_dry_run_changes_nothing() {
    let world = aged_world();
    let before = log(&world, &[]);
    let would = world.json(["archive", "--dry-run"]);
    assert_eq!((&would["events"], &would["files"], &would["left"]), (&json!(14), &json!([]), &json!(4)));
    let people = world.bb(["archive", "--dry-run"]).ok().stdout;
    assert_eq!(
        people,
        "would move 14 events from before 2026-03-05T00:14:22.000Z\n4 events would stay in the store\n"
    );
    assert_eq!(log(&world, &[]), before);
    assert!(!world.path("store/archive").exists());
}

#[test]
fn the_newest_event_stays_and_no_id_is_given_twice() {
    let world = World::with_two_agents();
    closed_message(&world, "The last");
    world.bb(["archive", "--older-than", "0"]).ok();
    closed_message(&world, "Another");
    let ids = ids(&log(&world, &["--archived"]));
    assert!(ids.windows(2).all(|pair| pair[0] < pair[1]), "{ids:?}");
    assert_eq!(ids.len(), 2 + 4 + 1 + 4);
}

#[test]
fn no_event_leaves_but_for_the_archive() {
    let world = World::with_two_agents();
    let store = rusqlite::Connection::open(world.store()).unwrap();
    for deletion in ["DELETE FROM events WHERE id = 1", "DELETE FROM events"] {
        let error = store.execute(deletion, []).unwrap_err().to_string();
        assert!(error.contains("events leave only for the archive"), "{error}");
    }
    world.bb(["archive", "--older-than", "0"]).ok();
    let error = store.execute("DELETE FROM events WHERE id = (SELECT max(id) FROM events)", []).unwrap_err();
    assert!(error.to_string().contains("events leave only for the archive"), "{error}");
}

fn about_of(events: &[Value]) -> Vec<&str> {
    events.iter().filter_map(|event| event["about"].as_str()).collect()
}

#[test]
fn what_is_open_stays_however_old_it_is() {
    let world = World::with_two_agents();
    world.bb(["reserve", "--agent", "amber-otter", "--scope", "src/a", "--bead", "bb-1"]).ok();
    let unread = world.send("lead-one", "amber-otter", "INFO", "Not read");
    let owed = world.send("lead-one", "amber-otter", "BLOCKED", "Read and not acked");
    world.bb(["read", "--agent", "amber-otter", &owed]).ok();
    let awaited = world.send("lead-one", "amber-otter", "INFO", "Read and waited for");
    world.bb(["read", "--agent", "amber-otter", &awaited]).ok();
    let waits = world.bb(["wait-ack", "--message", &awaited, "--timeout", "7d", "--no-wait", "--json"]);
    let waits = waits.data();
    let operation = waits["operation_id"].as_str().unwrap();
    let order = ["assign", "--from", "lead-one", "--to", "amber-otter", "--task", "GH-1", "--title", "T"];
    world.bb(order.iter().chain(&["--body", "Do it"])).ok();
    world.pass(MONTH);
    closed_message(&world, "New");
    world.bb(["archive"]).ok();
    let left = log(&world, &[]);
    let about = about_of(&left);
    for open in [unread.as_str(), &owed, &awaited, operation, "GH-1"] {
        assert!(about.contains(&open), "{open} is open: {about:?}");
    }
    assert!(left.iter().any(|event| event["event"] == "reservation.granted"), "{about:?}");
    assert!(!about.contains(&"amber-otter"), "what happened to an agent is over: {about:?}");

    world.bb(["read", "--agent", "amber-otter", &unread]).ok();
    for message in [&owed, &awaited] {
        world.bb(["ack", "--agent", "amber-otter", message]).ok();
    }
    world.bb(["complete", "--agent", "lead-one", "--task", "GH-1", "--cancel"]).ok();
    world.bb(["release", "--agent", "amber-otter", "--scope", "src/a"]).ok();
    world.pass(MONTH);
    world.bb(["activity-lease", "--agent", "lead-one"]).ok();
    world.bb(["archive"]).ok();
    let left = log(&world, &[]);
    for closed in [unread.as_str(), &owed, &awaited, operation, "GH-1"] {
        assert!(!about_of(&left).contains(&closed), "{closed} is closed: {left:?}");
    }
    assert!(!left.iter().any(|event| event["event"] == "reservation.granted"), "{left:?}");
}

#[test]
fn a_replacement_stays_until_it_is_audited() {
    let scene = replacement_scene::Scene::new();
    let handoff = scene.hand_over(&[]);
    let id = replacement_scene::text(&handoff["handoff_id"]);
    let left = |scene: &replacement_scene::Scene| {
        scene.world.pass(MONTH);
        scene.world.bb(["activity-lease", "--agent", replacement_scene::LEAD]).ok();
        scene.world.bb(["archive"]).ok();
        log(&scene.world, &[]).iter().filter(|event| event["about"] == id.as_str()).count()
    };
    let open = left(&scene);
    assert!(open > 0);
    scene.ready(&handoff).ok();
    scene.resume(&handoff, &["--accept-understanding"]).ok();
    let (report, audit) = (scene.world.json(["report"]), scene.world.json(["export", "--audit"]));
    assert_eq!(report["total"], 1);
    assert_eq!(left(&scene), 0, "audited");
    assert_eq!(scene.world.json(["export", "--audit"]), audit);
    assert_eq!(scene.world.json(["report"])["recent"], report["recent"]);
    let status = scene.world.json(["replace", "--status", &id]);
    assert_eq!(status["done"], true, "{status}");
}

#[test]
fn the_events_still_tell_what_the_tables_hold() {
    let world = aged_world();
    let unread = world.send("amber-otter", "lead-one", "INFO", "Open");
    world.bb(["archive"]).ok();
    assert_eq!(replay::told(&world), replay::held(&world));
    world.bb(["read", "--agent", "lead-one", &unread]).ok();
    world.bb(["archive", "--older-than", "0"]).ok();
    assert_eq!(replay::told(&world), replay::held(&world));
}

#[test]
fn the_files_are_private_and_any_gzip_reads_them() {
    let world = aged_world();
    let before = log(&world, &[]);
    world.bb(["archive"]).ok();
    world.pass(MONTH);
    world.bb(["activity-lease", "--agent", "lead-one"]).ok();
    let moved = world.json(["archive"]);
    let [file] = &files(&world)[..] else { panic!("two runs add to one file") };
    assert_eq!(moved["files"][0]["path"], file.to_str().unwrap());
    assert!(file.ends_with("events.20260404-001422.jsonl.gz"), "{}", file.display());
    let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(file), mode(file.parent().unwrap())), (0o600, 0o700));
    let Ok(output) = Command::new("gzip").arg("-dc").arg(file).output() else {
        return not_run("there is no gzip here");
    };
    let lines = String::from_utf8(output.stdout).unwrap();
    let events: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(events[..18], before[..], "one event a line, as `log --json` has it");
}

/// Puts events on record that compress badly.
fn bulky_events(world: &World, number: u32, bytes: u32) {
    let store = rusqlite::Connection::open(world.store()).unwrap();
    for _ in 0..number {
        let insert = "INSERT INTO events (at, event, data, uid, pid, parent_pid, cwd)
            VALUES (1, 'test.bulk', json_object('x', hex(randomblob(?1))), 0, 0, 0, '')";
        store.execute(insert, [bytes]).unwrap();
    }
}

/// C40, C42: the size is the program's own look at the file; no other program is asked.
#[test]
fn a_file_larger_than_ten_mebibytes_is_left_and_another_one_is_begun() {
    let world = World::with_two_agents();
    bulky_events(&world, 1, 8_900_000);
    closed_message(&world, "After");
    let archive = |world: &World| {
        let run = world.bb_with(&[("PATH", "/nonexistent")], ["archive", "--older-than", "0", "--json"]).ok();
        run.data()["files"].as_array().unwrap().iter().map(|it| it["name"].clone()).collect::<Vec<_>>()
    };
    let first = [json!("events.20260304-001122.jsonl.gz")];
    assert_eq!(archive(&world), first);
    let size = |number: usize| fs::metadata(&files(&world)[number]).unwrap().len();
    assert!(size(0) <= 10_485_760, "{}", size(0));
    world.pass(60);
    bulky_events(&world, 1, 400_000);
    closed_message(&world, "It still has room");
    assert_eq!(archive(&world), first);
    let whole = size(0);
    assert!(whole > 10_485_760, "{whole}");
    world.pass(60);
    closed_message(&world, "It is too large now");
    assert_eq!(archive(&world), [json!("events.20260304-001322.jsonl.gz")]);
    assert_eq!((files(&world).len(), size(0)), (2, whole), "what is put aside is not touched again");
    assert_eq!(ids(&all(&world)).len(), 2 + 2 + 3 * 4);
}

#[test]
fn many_events_move_in_several_steps_into_as_many_files_as_they_need() {
    let world = World::with_two_agents();
    bulky_events(&world, 2_100, 10);
    bulky_events(&world, 6, 2_600_000);
    closed_message(&world, "The last");
    let moved = world.json(["archive", "--older-than", "0"]);
    assert_eq!(moved["events"], 2 + 2_106 + 3);
    let sizes: Vec<_> = files(&world).iter().map(|file| fs::metadata(file).unwrap().len()).collect();
    assert_eq!(sizes.len(), 2, "{sizes:?}");
    assert!(sizes.iter().any(|size| *size > 10_485_760), "{sizes:?}");
    let mut before = "999999".to_owned();
    let mut seen = Vec::new();
    loop {
        let page = log(&world, &["--archived", "--before", &before, "--fields", "event_id"]);
        let Some(first) = page.first() else { break };
        before = first["event_id"].to_string();
        seen.splice(0..0, ids(&page));
    }
    let steps = moved["events"].as_i64().unwrap();
    assert_eq!(seen[..usize::try_from(steps).unwrap()], (1..=steps).collect::<Vec<_>>()[..], "page by page");
}
