//! What was moved can still be read: by `log --archived`, and by `explain`.

use std::fs;

use serde_json::Value;

use super::{MONTH, aged_world, all, closed_message, ids, log};
use crate::common::World;
use crate::replacement_scene::{self, text};
use crate::wait_ack_scene::{OTTER, Scene, list};

#[test]
fn the_same_filters_find_the_same_events() {
    let scene = Scene::with(&[OTTER, "zinc-yak"]);
    let asked = scene.ask();
    scene.answer(&asked, OTTER, "ok");
    for number in 0..4 {
        scene.world.pass(100);
        let id = scene.world.send("zinc-yak", "lead-one", "INFO", &number.to_string());
        scene.world.bb(["read", "--agent", "lead-one", &id]).ok();
    }
    let operation = format!("--operation-id {}", asked.operation);
    let filters = ["", "--agent amber-otter", "--since 250s", "--since 2026-03-04T00:14:42Z", &operation];
    let cutting = ["--agent zinc-yak --limit 2", "--before 5", "--before 9 --limit 2"];
    let look = |archived: &str| -> Vec<Vec<Value>> {
        let found = |flags: &&str| list(&scene.data(&format!("log {archived} {flags}"))).to_vec();
        let others = |events: Vec<Value>| events.into_iter().filter(|it| it["event"] != "log.archived");
        filters.iter().chain(&cutting).map(found).map(|events| others(events).collect()).collect()
    };
    let before = look("");
    assert!(before.iter().all(|events| !events.is_empty()), "{before:?}");
    let moved = scene.data("archive --older-than 0")["events"].as_u64().unwrap();
    assert!(moved > 10, "{moved}");
    assert_ne!(look(""), before);
    assert_eq!(look("--archived"), before);
}

#[test]
fn a_log_without_the_archive_says_that_there_is_more() {
    let world = aged_world();
    assert_eq!(world.bb(["log"]).ok().stderr, "");
    world.bb(["archive"]).ok();
    let told = "what is older may be in the archive: add --archived to look there, too\n";
    assert_eq!(world.bb(["log"]).ok().stderr, told);
    assert_eq!(world.bb(["log", "--json"]).ok().stderr, told);
    for flags in [&["--since", "1h"][..], &["--limit", "3"], &["--archived"]] {
        let run = world.bb(["log"].iter().chain(flags)).ok();
        assert_eq!(run.stderr, "", "{flags:?}");
    }
}

#[test]
fn what_stayed_and_what_moved_are_in_one_order() {
    let world = World::with_two_agents();
    let open = world.send("lead-one", "amber-otter", "BLOCKED", "Open for long");
    for subject in ["One", "Two"] {
        world.pass(MONTH);
        closed_message(&world, subject);
        world.bb(["archive"]).ok();
    }
    world.bb(["ack", "--agent", "amber-otter", &open]).ok();
    world.pass(MONTH);
    world.bb(["activity-lease", "--agent", "lead-one"]).ok();
    world.bb(["archive"]).ok();
    let all = log(&world, &["--archived"]);
    assert_eq!(ids(&all), (1..=i64::try_from(all.len()).unwrap()).collect::<Vec<_>>());
    let newest = log(&world, &["--archived", "--limit", "5"]);
    assert_eq!(newest[..], all[all.len() - 5..]);
}

#[test]
fn explain_tells_the_whole_story_all_the_same() {
    let scene = Scene::new();
    let asked = scene.ask();
    scene.answer(&asked, OTTER, "ok");
    let order = "assign --from lead-one --to amber-otter --task GH-1 --title T --body B";
    scene.run(order).ok();
    scene.run("ack --agent amber-otter --task GH-1 --status rejected --reason busy").ok();
    scene.run("complete --agent lead-one --task GH-1 --cancel").ok();
    scene.run("reserve --agent amber-otter --scope src/a --bead bb-1").ok();
    scene.run("release --agent amber-otter --scope src/a").ok();
    scene.run("send --from lead-one --to broadcast --bead bb-1 --category INFO -s All -m body").ok();
    let log = log(&scene.world, &[]);
    let reservation = log.iter().find(|event| event["event"] == "reservation.granted").unwrap();
    let shown = scene.data("inbox --agent amber-otter --limit 1");
    let broadcast = shown[0]["broadcast_id"].as_str().map(str::to_owned);
    for message in list(&scene.data("inbox --agent amber-otter")) {
        scene.run(&format!("read --agent amber-otter {}", message["message_id"].as_str().unwrap())).ok();
    }
    let things: Vec<String> = [asked.operation.as_str(), asked.request(), "GH-1", "amber-otter"]
        .into_iter()
        .map(str::to_owned)
        .chain([reservation["about"].as_str().unwrap().to_owned()])
        .chain(broadcast)
        .collect();
    let stories = || -> Vec<Value> {
        things.iter().map(|thing| scene.data(&format!("explain {thing}"))["steps"].clone()).collect()
    };
    let before = stories();
    scene.run("state lead-one working --agent lead-one").ok();
    scene.run("archive --older-than 0").ok();
    assert_eq!(stories(), before);
}

#[test]
fn explain_tells_the_whole_story_of_a_handoff_all_the_same() {
    let scene = replacement_scene::Scene::new();
    let handoff = scene.hand_over(&[]);
    scene.ready(&handoff).ok();
    scene.resume(&handoff, &["--accept-understanding"]).ok();
    let id = text(&handoff["handoff_id"]);
    let story = || scene.world.json(["explain", &id]);
    let before = story();
    assert!(before["steps"].as_array().unwrap().len() > 9, "{before}");
    scene.world.bb(["archive", "--older-than", "0"]).ok();
    assert_eq!(story()["steps"], before["steps"]);
    fs::remove_dir_all(scene.world.path("store/archive")).unwrap();
    assert!(story()["facts"].to_string().contains("earlier steps"), "{}", story());
}

#[test]
fn an_agents_story_goes_on_into_the_archive_only_as_far_as_needed() {
    let world = World::with_two_agents();
    for number in 0..9 {
        closed_message(&world, &number.to_string());
    }
    let story = || world.json(["explain", "amber-otter"])["steps"].as_array().unwrap().clone();
    let before = story();
    assert_eq!(before.len(), 20);
    world.bb(["archive", "--older-than", "0"]).ok();
    assert_eq!(story(), before);
    assert_eq!(ids(&all(&world)).len(), 2 + 9 * 4);
}

#[test]
fn an_agents_story_is_the_newest_of_both() {
    let world = World::with_two_agents();
    for number in 0..20 {
        world.send("lead-one", "amber-otter", "INFO", &format!("Open {number}"));
    }
    for number in 0..3 {
        closed_message(&world, &format!("Closed {number}"));
    }
    world.bb(["state", "lead-one", "working", "--agent", "lead-one"]).ok();
    let story = || world.json(["explain", "amber-otter"])["steps"].as_array().unwrap().clone();
    let before = story();
    world.bb(["archive", "--older-than", "0"]).ok();
    assert_eq!(story(), before, "what is open and older does not take the place of what was archived");
}
