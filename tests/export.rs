//! `export`: what is written out is whole, and nothing that was there before is lost by it.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;

use serde_json::Value;

use crate::common::World;

#[test]
fn a_copy_of_the_store_is_as_sound_as_the_store() {
    let world = World::with_two_agents();
    for name in ["copy.db", ":memory:", "file:copy.db?mode=memory", "it's a copy.db"] {
        let run = world.bb(["export", "--backup", name, "--json"]).ok();
        let path = world.work().join(name);
        assert_eq!(run.data()["bytes"], fs::metadata(&path).unwrap().len(), "{run}");
        assert!(run.data()["bytes"].as_u64().unwrap() > 4_096, "{run}");
        assert_eq!(run.data()["archive"], Value::Null);
        let copy = path.to_str().unwrap();
        let checks = world.bb(["doctor", "--store", copy, "--json"]).data()["checks"].clone();
        for sound in ["integrity", "version", "journal", "archive"] {
            let check = checks.as_array().unwrap().iter().find(|it| it["check"] == sound).unwrap();
            assert_eq!(check["status"], "ok", "{name}: {check}");
        }
        assert_eq!(world.json(["list", "--store", copy]), world.json(["list"]));
    }
    let left: Vec<_> = fs::read_dir(world.work()).unwrap().map(|it| it.unwrap().file_name()).collect();
    let beside = |name: &&std::ffi::OsString| name.to_str().unwrap().contains(".new");
    assert_eq!(left.iter().filter(beside).count(), 0, "{left:?}");
}

#[test]
fn a_name_that_sqlite_cannot_take_is_refused_and_leaves_nothing() {
    let world = World::with_two_agents();
    let name = OsStr::from_bytes(b"copy\xff.db");
    let run = world.bb([OsStr::new("export"), OsStr::new("--backup"), name]).fails("IO_WRITE_FAILED", 74);
    assert!(run.stderr.contains("not UTF-8"), "{run}");
    assert_eq!(fs::read_dir(world.work()).unwrap().count(), 0);
}

#[test]
fn a_copy_says_that_what_was_archived_is_elsewhere() {
    let world = World::with_two_agents();
    world.bb(["archive", "--older-than", "0"]).ok();
    let run = world.bb(["export", "--backup", "copy.db"]).ok();
    assert!(run.stdout.ends_with("/store/archive/ as well\n"), "{run}");
    let copy = world.work().join("copy.db");
    let copy = copy.to_str().unwrap();
    world.bb(["log", "--archived", "--store", copy]).fails("ARCHIVE_CORRUPT", 69);
    fs::create_dir(world.work().join("archive")).unwrap();
    for entry in fs::read_dir(world.path("store/archive")).unwrap() {
        let file = entry.unwrap();
        fs::copy(file.path(), world.work().join("archive").join(file.file_name())).unwrap();
    }
    assert_eq!(world.json(["log", "--archived", "--store", copy]), world.json(["log", "--archived"]));
}

/// C31
#[test]
fn two_exports_in_one_second_keep_what_was_before_each() {
    let world = World::with_two_agents();
    fs::write(world.work().join("state.yaml"), "first: true\n").unwrap();
    let export = || world.json(["export", "--output", "state.yaml"])["kept"].as_str().unwrap().to_owned();
    let kept = [export(), export(), export()];
    let seconds = world.now().millis() / 1_000;
    for (kept, ending) in kept.iter().zip(["", "-2", "-3"]) {
        assert!(kept.ends_with(&format!("/state.yaml.bak.{seconds}{ending}")), "{kept}");
    }
    assert_eq!(fs::read_to_string(&kept[0]).unwrap(), "first: true\n");
    assert_eq!(fs::read_to_string(&kept[1]).unwrap(), fs::read_to_string(&kept[2]).unwrap());
}

#[test]
fn a_state_that_cannot_be_written_leaves_everything_as_it_was() {
    let world = World::with_two_agents();
    fs::create_dir(world.work().join("taken")).unwrap();
    fs::write(world.work().join("file"), "in the way").unwrap();
    for output in ["taken", "file/state.yaml"] {
        world.bb(["export", "--output", output]).fails("IO_WRITE_FAILED", 74);
    }
    assert_eq!(fs::read_to_string(world.work().join("file")).unwrap(), "in the way");
    assert_eq!(fs::read_dir(world.work()).unwrap().count(), 2, "nothing is left behind");
}

/// C30: readers of the older YAML take a text for a text, too.
#[test]
fn what_is_text_is_text_in_every_version_of_yaml() {
    let world = World::with_two_agents();
    for (task, title) in
        [("GH-1", "yes"), ("GH-2", "NO"), ("GH-3", "1_000"), ("GH-4", "1:30"), ("GH-5", "<<")]
    {
        world
            .bb([
                "assign",
                "--from",
                "lead-one",
                "--to",
                "amber-otter",
                "--task",
                task,
                "--title",
                title,
                "-m",
                "x",
            ])
            .ok();
        let yaml = world.bb(["export"]).ok().stdout;
        assert!(yaml.contains(&format!("module: '{title}'\n")), "{yaml}");
        let read: Value = serde_norway::from_str(&yaml).unwrap();
        assert_eq!(read, world.json(["export"])["state"]);
    }
    let log = world.bb(["log", "--format", "yaml"]).ok().stdout;
    assert!(log.contains("at: '2026-"), "{log}");
}

#[test]
fn what_nobody_sees_is_written_as_it_is_meant() {
    let world = World::with_two_agents();
    let title = "Log\u{2028}in\u{200b} and \u{e0041}out";
    let words = ["assign", "--from", "lead-one", "--to", "amber-otter", "--task", "GH-1", "-m", "Do it"];
    world.bb(words.into_iter().chain(["--title", title])).ok();
    let stored = world.json(["tasks"]).to_string();
    for format in ["json", "yaml"] {
        let written = world.bb(["export", "--format", format]).ok().stdout;
        let seen = |c: char| !matches!(c, '\u{2028}' | '\u{200b}' | '\u{e0041}');
        assert!(written.chars().all(seen), "{written:?}");
        let state: Value = match format {
            "json" => serde_json::from_str(&written).unwrap(),
            _ => serde_norway::from_str(&written).unwrap(),
        };
        let module = state["active_assignments"][0]["module"].clone();
        assert!(stored.contains(&module.to_string()) && module.to_string().contains('\u{2028}'), "{written}");
    }
}

#[test]
fn a_copy_says_that_the_documents_of_handoffs_are_elsewhere() {
    let scene = crate::replacement_scene::Scene::new();
    scene.hand_over(&[]);
    let run = scene.world.bb(["export", "--backup", "copy.db"]).ok();
    assert!(run.stdout.ends_with("/store/handoffs/ as well\n"), "{run}");
}
