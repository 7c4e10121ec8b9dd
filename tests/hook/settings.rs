//! `hook install`, `uninstall`, `status`: somebody else's settings, changed as little as can be.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::path::Path;

use serde_json::Value;

use crate::common::{Run, World, not_run};

fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap()
}

/// A PATH on which bb is.
fn path_with_bb(world: &World) -> String {
    let folder = world.path("programs");
    fs::create_dir_all(&folder).unwrap();
    let _ = symlink(env!("CARGO_BIN_EXE_bb"), folder.join("bb"));
    format!("{}:/usr/bin:/bin", folder.display())
}

/// Puts these settings into the place where commands run.
fn settings(world: &World, text: &str) -> std::path::PathBuf {
    let file = world.work().join("settings.json");
    fs::write(&file, text).unwrap();
    file
}

/// Runs an action about the settings in the place where commands run.
fn run(world: &World, action: &str) -> Run {
    let line = ["hook", action, "claude-code", "--settings", "settings.json"];
    world.bb_with(&[("PATH", &path_with_bb(world))], line)
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
    let run = world.bb_with(&[("PATH", &path_with_bb(&world))], ["hook", "install", "claude-code"]).ok();
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
    assert_eq!(after.matches('\n').count(), after.matches("\r\n").count(), "{after:?}");
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

#[test]
fn a_program_that_is_not_found_is_named() {
    let world = World::new();
    let variables = [("PATH", "/usr/sbin:/nowhere")];
    let installed = world.bb_with(&variables, ["hook", "install", "claude-code", "--json"]).ok().data();
    assert!(installed["notes"][0].as_str().unwrap().starts_with("`bb` is not found"), "{installed}");
    let variables = [("PATH", &*path_with_bb(&world))];
    let status = world.bb_with(&variables, ["hook", "status", "claude-code", "--json"]).ok().data();
    assert_eq!(status["notes"], Value::Array(Vec::new()));
}

#[test]
fn what_is_missing_is_named_unless_agents_can_do_without_it() {
    let world = World::new();
    let file = settings(&world, "{}");
    run(&world, "install").ok();
    let without = |event: &str| {
        let mut document: Value = serde_json::from_str(&read(&file)).unwrap();
        document["hooks"].as_object_mut().unwrap().remove(event);
        fs::write(&file, document.to_string()).unwrap();
        run(&world, "status").ok().stdout
    };
    let status = without("PostToolUse");
    assert!(status.starts_with("in place: claude-code hooks in"), "{status}");
    assert!(status.contains("tool           no  optional\n"), "{status}");
    let status = without("Stop");
    assert!(status.starts_with("partly in place (2 of 4, without tool and stop): claude-code"), "{status}");
    let removed = run(&world, "uninstall").ok().stdout;
    assert!(removed.starts_with("removed: claude-code hooks in"), "{removed}");
    let status = run(&world, "status").ok().stdout;
    assert!(status.starts_with("not in place: claude-code hooks in"), "{status}");
}

#[test]
fn a_line_that_does_more_than_our_hook_is_left_and_named() {
    let world = World::new();
    let text =
        r#"{"hooks":{"Stop":[{"hooks":[{"command":"my-linter --final && bb hook claude-code stop"}]}]}}"#;
    let file = settings(&world, text);
    let removed = run(&world, "uninstall").ok().stdout;
    assert_eq!(read(&file), text);
    let note =
        "note: `Stop` runs `my-linter --final && bb hook claude-code stop`, which does more than our hook";
    assert!(removed.starts_with("not in place") && removed.contains(note), "{removed}");
    let installed = run(&world, "install").ok().stdout;
    assert!(installed.starts_with("installed") && installed.contains(note), "{installed}");
    world.pass(1);
    run(&world, "uninstall").ok();
    assert_eq!(read(&file), text);
}

#[test]
fn a_link_that_leads_nowhere_gets_what_it_leads_to() {
    let world = World::new();
    let file = world.work().join("settings.json");
    symlink("dotfiles/link.json", &file).unwrap();
    fs::create_dir(world.work().join("dotfiles")).unwrap();
    symlink("real/claude.json", world.work().join("dotfiles/link.json")).unwrap();
    run(&world, "install").ok();
    assert!(fs::symlink_metadata(&file).unwrap().file_type().is_symlink());
    assert!(read(&world.work().join("dotfiles/real/claude.json")).contains("bb hook claude-code stop"));
}

#[test]
fn a_file_that_nobody_may_write_is_left_as_it_is() {
    let world = World::new();
    let file = settings(&world, "{}");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).unwrap();
    let refused = run(&world, "install").fails("IO_WRITE_FAILED", 74);
    assert!(
        refused.stderr.contains("was left as it is") && refused.stderr.contains("chmod u+w"),
        "{refused}"
    );
    assert_eq!((read(&file).as_str(), backups(&file).is_empty()), ("{}", true));
    run(&world, "status").ok();
}

#[test]
fn settings_stay_their_owners() {
    let world = World::new();
    let file = settings(&world, "{}");
    if chown(&file, Some(12_345), Some(54_321)).is_err() {
        return not_run("only root can give a file away");
    }
    run(&world, "install").ok();
    let found = fs::metadata(&file).unwrap();
    assert_eq!((found.uid(), found.gid()), (12_345, 54_321));
}

#[test]
fn what_is_no_text_or_too_long_is_left_as_it_is() {
    let world = World::new();
    let file = settings(&world, "");
    let long = format!("{{\"a\": \"{}\"}}", "x".repeat(4 * 1024 * 1024));
    for (bytes, why) in
        [(&b"{\"a\": \"\xff\"}"[..], "not valid UTF-8"), (long.as_bytes(), "larger than 4 MiB")]
    {
        fs::write(&file, bytes).unwrap();
        for action in ["install", "uninstall", "status"] {
            let refused = run(&world, action).fails("CONFIG_INVALID", 78);
            let words = refused.stderr.contains("was left as it is: ") && refused.stderr.contains(why);
            assert!(words && !refused.stderr.contains("max_body_bytes"), "{refused}");
        }
        assert_eq!(fs::read(&file).unwrap(), bytes);
    }
}

/// A project can bring hooks; what is trusted stands in the user's own configuration.
#[test]
fn codex_is_asked_for_its_trust_in_the_users_configuration() {
    let world = World::new();
    let file = world.work().join(".codex/hooks.json");
    let line = |action| ["hook", action, "codex", "--settings", ".codex/hooks.json", "--json"];
    let variables = [("PATH", &*path_with_bb(&world))];
    world.bb_with(&variables, line("install")).ok();
    let record = |event: &str, more: &str| {
        format!("[hooks.state.\"{}:{event}:0:0\"]\ntrusted_hash = \"sha256:1\"\n{more}\n", file.display())
    };
    let events = ["session_start", "user_prompt_submit", "post_tool_use", "stop"];
    let records = events.map(|event| record(event, "")).concat();
    fs::write(world.work().join(".codex/config.toml"), &records).unwrap();
    let notes = || world.bb_with(&variables, line("status")).ok().data()["notes"].to_string();
    assert!(notes().contains("0 of 4 have a record"), "{}", notes());
    fs::create_dir(world.path("home/.codex")).unwrap();
    let config = world.path("home/.codex/config.toml");
    fs::write(&config, &records).unwrap();
    assert_eq!(notes(), "[\"Codex has a record of trust for each of them\"]");
    fs::write(&config, events.map(|event| record(event, "enabled = false")).concat()).unwrap();
    assert!(
        notes().contains("switched off in Codex's config.toml: session-start, prompt, tool, stop"),
        "{}",
        notes()
    );
    fs::write(&config, format!("{records}\n[features]\nhooks = false\n")).unwrap();
    assert!(notes().contains("`features.hooks` is off"), "{}", notes());
}
