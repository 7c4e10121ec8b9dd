//! `hook install`, `uninstall`, `status`: somebody else's settings, changed as little as can be.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use serde_json::Value;

use crate::common::World;

fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap()
}

/// The copies that were kept beside a file.
fn backups(file: &Path) -> Vec<String> {
    let name = file.file_name().unwrap().to_string_lossy().into_owned();
    let entries = fs::read_dir(file.parent().unwrap()).unwrap();
    let mut found: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    found.retain(|other| other != &name);
    found.sort();
    found
}

#[test]
fn installs_into_the_users_settings_and_says_so() {
    let world = World::new();
    let file = world.path("home/.claude/settings.json");
    let run = world.bb(["hook", "install", "claude-code"]).ok();
    let here = world.path("").display().to_string();
    insta::assert_snapshot!(run.stdout.replace(&here, "WORLD/"), @"
    installed: claude-code hooks in WORLD/home/.claude/settings.json
    session-start  yes bb hook claude-code session-start
    prompt         yes bb hook claude-code prompt
    tool           yes bb hook claude-code tool
    stop           yes bb hook claude-code stop
    ");
    let settings: Value = serde_json::from_str(&read(&file)).unwrap();
    for (event, name) in [
        ("session-start", "SessionStart"),
        ("prompt", "UserPromptSubmit"),
        ("tool", "PostToolUse"),
        ("stop", "Stop"),
    ] {
        let command = &settings["hooks"][name][0]["hooks"][0];
        assert_eq!(command["type"], "command");
        assert_eq!(command["command"], format!("bb hook claude-code {event}"));
    }
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(backups(&file).is_empty());
}

#[test]
fn installing_again_changes_nothing_and_keeps_no_copy() {
    let world = World::new();
    let file = world.path("home/.claude/settings.json");
    world.bb(["hook", "install", "claude-code"]).ok();
    let first = read(&file);
    let again = world.json(["hook", "install", "claude-code"]);
    assert_eq!(again["changed"], false);
    assert_eq!(again["backup"], Value::Null);
    assert_eq!(read(&file), first);
    assert!(backups(&file).is_empty());
}

#[test]
fn everything_else_stays_byte_for_byte_and_a_copy_is_kept() {
    let world = World::new();
    let file = world.work().join("settings.json");
    let before = "{\r\n\t\"zeta\": 1.50,\r\n\t\"permissions\": { \"allow\": [ \"Bash(ls:*)\" ] },\r\n\t\"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"say done\"}]}]},\r\n\t\"alpha\": 12345678901234567890123\r\n}";
    fs::write(&file, before).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    let done = world.json(["hook", "install", "claude-code", "--settings", "settings.json"]);
    assert_eq!(done["changed"], true);
    let kept = done["backup"].as_str().unwrap();
    assert_eq!(read(Path::new(kept)), before);
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    let after = read(&file);
    for line in [
        "\t\"zeta\": 1.50,\r\n",
        "{ \"allow\": [ \"Bash(ls:*)\" ] }",
        "\"command\": \"say done\"",
        "12345678901234567890123",
    ] {
        assert!(after.contains(line), "{line} in {after}");
    }
    world.pass(1);
    let undone = world.json(["hook", "uninstall", "claude-code", "--settings", "settings.json"]);
    assert_eq!(undone["changed"], true);
    assert_eq!(read(&file), before);
    assert_eq!(backups(&file).len(), 2);
    let nothing = world.json(["hook", "uninstall", "claude-code", "--settings", "settings.json"]);
    assert_eq!(nothing["changed"], false);
}

#[test]
fn settings_that_are_a_link_stay_one() {
    let world = World::new();
    let real = world.work().join("dotfiles.json");
    fs::write(&real, "{}").unwrap();
    let file = world.work().join("settings.json");
    symlink(&real, &file).unwrap();
    world.bb(["hook", "install", "claude-code", "--settings", "settings.json"]).ok();
    assert!(fs::symlink_metadata(&file).unwrap().file_type().is_symlink());
    assert!(read(&real).contains("bb hook claude-code stop"));
}

#[test]
fn settings_that_cannot_be_understood_are_left_as_they_are() {
    let world = World::new();
    let file = world.work().join("settings.json");
    for text in ["// mine\n{}", "{\"hooks\": []}", "[]", "{"] {
        fs::write(&file, text).unwrap();
        for action in ["install", "uninstall"] {
            world
                .bb(["hook", action, "claude-code", "--settings", "settings.json"])
                .fails("CONFIG_INVALID", 78);
        }
        assert_eq!(read(&file), text);
    }
    assert!(backups(&file).is_empty());
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let world = World::new();
    fs::write(world.work().join("blocked"), "").unwrap();
    world.bb(["hook", "install", "codex", "--settings", "blocked/hooks.json"]).fails("IO_READ_FAILED", 74);
}

#[test]
fn status_looks_and_changes_nothing() {
    let world = World::new();
    let status = world.json(["hook", "status", "claude-code"]);
    assert_eq!(status["hooks"][0]["installed"], false);
    assert!(!world.path("home/.claude").exists());
    let file = world.work().join("settings.json");
    let text = r#"{"disableAllHooks": true, "hooks": {"Stop": [{"hooks": [{"command": "/opt/bb hook claude-code stop"}]}]}}"#;
    fs::write(&file, text).unwrap();
    let status = world.json(["hook", "status", "claude-code", "--settings", "settings.json"]);
    assert_eq!(status["hooks"][3]["installed"], true);
    assert_eq!(status["hooks"][3]["command"], "/opt/bb hook claude-code stop");
    assert_eq!(status["hooks"][1]["installed"], false);
    assert!(status["notes"][0].as_str().unwrap().contains("disableAllHooks"));
    assert_eq!(read(&file), text);
}

#[test]
fn codex_is_told_of_in_its_own_file_and_its_trust_is_looked_up() {
    let world = World::new();
    let installed = world.json(["hook", "install", "codex"]);
    let file = world.path("home/.codex/hooks.json");
    assert_eq!(installed["file"], file.display().to_string());
    assert!(installed["notes"][0].as_str().unwrap().contains("0 of 4"), "{installed}");
    let record = |event: &str| {
        format!("[hooks.state.\"{}:{event}:0:0\"]\ntrusted_hash = \"sha256:1\"\n", file.display())
    };
    let records = ["session_start", "user_prompt_submit", "post_tool_use", "stop"].map(record).concat();
    fs::write(world.path("home/.codex/config.toml"), records).unwrap();
    let status = world.json(["hook", "status", "codex"]);
    assert_eq!(status["notes"][0], "Codex has a record of trust for each of them");
}

#[test]
fn the_harnesses_own_variables_say_where_their_settings_are() {
    let world = World::new();
    let folder = world.work().join("elsewhere");
    for (harness, variable, name) in
        [("claude-code", "CLAUDE_CONFIG_DIR", "settings.json"), ("codex", "CODEX_HOME", "hooks.json")]
    {
        world.bb_with(&[(variable, folder.to_str().unwrap())], ["hook", "install", harness]).ok();
        assert!(read(&folder.join(name)).contains(&format!("bb hook {harness} stop")));
    }
}

#[test]
fn a_harness_without_settings_is_refused() {
    let world = World::new();
    world.bb(["hook", "install", "plain"]).fails("INVALID_ARGS", 64);
    world.bb(["hook", "status", "emacs"]).fails("INVALID_ARGS", 64);
}
