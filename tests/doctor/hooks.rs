//! Hooks: in place or not, for which harness, and whether what they call is there.

use std::fs;

use serde_json::Value;

use super::{check, doctor, programs, says};
use crate::common::World;

const CLAUDE: &str = ".claude/settings.json";

/// Looks with a PATH on which bb is.
fn looked(world: &World, flags: &[&str]) -> Value {
    if !world.path("programs").exists() {
        programs(world, "");
    }
    let path = format!("{}:/usr/bin:/bin", world.path("programs").display());
    doctor(world, flags, &[("PATH", &path)]).1
}

fn installed(world: &World, harness: &str) {
    world.bb(["hook", "install", harness]).ok();
}

#[test]
fn a_harness_that_is_not_here_is_not_checked() {
    let world = World::with_two_agents();
    let data = looked(&world, &[]);
    says(&data, "claude-hooks", "not-checked", "claude-code has no settings here");
    says(&data, "codex-hooks", "not-checked", "codex has no settings here");
    assert_eq!(check(&data, "codex-hooks")["hint"], "bb hook install codex");
}

#[test]
fn a_harness_without_hooks_is_warned_of_and_left_so() {
    let world = World::with_two_agents();
    fs::create_dir(world.path("home/.claude")).unwrap();
    let data = looked(&world, &["--fix"]);
    says(&data, "claude-hooks", "warning", "claude-code tells its agents of no mail: no hook in");
    assert_eq!(check(&data, "claude-hooks")["hint"], "bb hook install claude-code");
    assert_eq!(data["mended"], Value::Array(Vec::new()));
    assert_eq!(fs::read_dir(world.path("home/.claude")).unwrap().count(), 0);
}

#[test]
fn hooks_that_are_in_place_are_ok_only_while_bb_is_where_they_call_it() {
    let world = World::with_two_agents();
    installed(&world, "claude-code");
    says(&looked(&world, &[]), "claude-hooks", "ok", "all 4 are in");
    fs::remove_file(world.path("programs/bb")).unwrap();
    says(&looked(&world, &[]), "claude-hooks", "warning", "call `bb`, which is not found");
    let file = world.path("home").join(CLAUDE);
    let spelled = |program: &str| {
        let text = fs::read_to_string(&file).unwrap();
        let mut document: Value = serde_json::from_str(&text).unwrap();
        for event in document["hooks"].as_object_mut().unwrap().values_mut() {
            let command = &mut event[0]["hooks"][0]["command"];
            let rest = command.as_str().unwrap().split_once(" hook ").unwrap().1.to_owned();
            *command = format!("BB_AGENT=amber-otter {program} hook {rest}").into();
        }
        fs::write(&file, document.to_string()).unwrap();
        looked(&world, &[])
    };
    says(&spelled("/opt/old/bb"), "claude-hooks", "warning", "call `/opt/old/bb`, which is not found");
    says(&spelled(env!("CARGO_BIN_EXE_bb")), "claude-hooks", "ok", "call a bb that is there");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_bb"), world.path("home/bb")).unwrap();
    for program in ["\"$HOME/bb\"", "~/bb"] {
        says(&spelled(program), "claude-hooks", "ok", "call a bb that is there");
    }
}

#[test]
fn hooks_of_the_project_count() {
    let world = World::with_two_agents();
    fs::create_dir_all(world.work().join(".git/objects")).unwrap();
    fs::create_dir_all(world.path("home/.claude")).unwrap();
    world.bb(["hook", "install", "claude-code", "--settings", ".claude/settings.local.json"]).ok();
    says(&looked(&world, &[]), "claude-hooks", "ok", "settings.local.json");
}

#[test]
fn what_keeps_hooks_from_running_is_said() {
    let world = World::with_two_agents();
    installed(&world, "codex");
    let data = looked(&world, &[]);
    says(&data, "codex-hooks", "warning", "only once you trust them with /hooks (0 of 4");
    assert_eq!(check(&data, "codex-hooks")["hint"], "type /hooks in Codex");
    fs::write(world.path("home/.codex/config.toml"), "[features]\nhooks = false\n").unwrap();
    says(&looked(&world, &[]), "codex-hooks", "warning", "`features.hooks` is off");
    let status = world.json(["hook", "status", "codex"]);
    assert!(status["notes"][0].as_str().unwrap().contains("no hook runs"), "{status}");
    fs::write(world.path("home/.codex/hooks.json"), "{ // no\n}").unwrap();
    says(&looked(&world, &[]), "codex-hooks", "warning", "was left as it is: it is not JSON");
}

#[test]
fn hooks_that_are_missing_beside_others_are_added_when_asked() {
    let world = World::with_two_agents();
    installed(&world, "claude-code");
    let file = world.path("home").join(CLAUDE);
    let mut document: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    document["hooks"].as_object_mut().unwrap().remove("Stop");
    document["model"] = "mine".into();
    fs::write(&file, document.to_string()).unwrap();
    says(&looked(&world, &[]), "claude-hooks", "warning", "3 of 4 hooks are in");
    says(&looked(&world, &[]), "claude-hooks", "warning", "missing: stop");
    let data = looked(&world, &["--fix"]);
    says(&data, "claude-hooks", "ok", "all 4");
    assert_eq!(data["mended"][0]["check"], "claude-hooks");
    let after: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(after["model"], "mine");
}

#[test]
fn a_hook_that_may_be_left_out_is_not_missed_and_not_given_back() {
    let world = World::with_two_agents();
    installed(&world, "claude-code");
    let file = world.path("home").join(CLAUDE);
    let without = |event: &str| {
        let mut document: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
        document["hooks"].as_object_mut().unwrap().remove(event);
        fs::write(&file, document.to_string()).unwrap();
    };
    without("PostToolUse");
    let data = looked(&world, &["--fix"]);
    says(&data, "claude-hooks", "ok", "all but optional ones are in");
    assert_eq!(data["mended"], Value::Array(Vec::new()));
    without("Stop");
    let data = looked(&world, &["--fix"]);
    says(&data, "claude-hooks", "ok", "all but optional ones are in");
    assert_eq!(data["mended"][0]["check"], "claude-hooks");
    assert!(!fs::read_to_string(&file).unwrap().contains("PostToolUse"));
}

#[test]
fn what_stops_all_hooks_is_said_wherever_it_stands() {
    let world = World::with_two_agents();
    fs::create_dir_all(world.work().join(".git/objects")).unwrap();
    fs::create_dir_all(world.path("home/.claude")).unwrap();
    world.bb(["hook", "install", "claude-code", "--settings", ".claude/settings.json"]).ok();
    says(&looked(&world, &[]), "claude-hooks", "ok", "all 4 are in");
    fs::write(world.path("home").join(CLAUDE), r#"{"disableAllHooks": true}"#).unwrap();
    says(&looked(&world, &[]), "claude-hooks", "warning", "`disableAllHooks` is on in");
    assert_eq!(check(&looked(&world, &[]), "claude-hooks")["hint"], "set `disableAllHooks` to false there");
}
