//! `config`: flags over environment over file over defaults, and it says which it was.

use std::fs;

use bb_agent::settings::KEYS;
use serde_json::{Value, json};

use crate::common::World;

fn write_file(world: &World, text: &str) {
    let folder = world.path("home/.config/bb");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("config.toml"), text).unwrap();
}

fn setting(data: &Value, key: &str) -> (Value, String) {
    let line = data["settings"].as_array().unwrap().iter().find(|line| line["key"] == key).unwrap();
    (line["value"].clone(), line["source"].as_str().unwrap().to_owned())
}

#[test]
fn the_defaults_are_those_of_the_protocols() {
    let data = World::new().json(["config"]);
    for (key, value) in [
        ("acknowledgment_timeout", json!(120)),
        ("reminder_intervals", json!([30, 60, 90])),
        ("extension_allowed", json!(true)),
        ("max_extension", json!(60)),
        ("proceed_on_timeout", json!(true)),
        ("escalate_to", json!("ecos-controller")),
        ("agent_stale_minutes", json!(15)),
        ("max_body_bytes", json!(1_048_576)),
        ("max_unread", json!(10_000)),
        ("publish", json!("none")),
        ("github_timeout", json!(30)),
        ("github_accounts", json!("")),
    ] {
        assert_eq!(setting(&data, key), (value, "default".to_owned()), "{key}");
    }
    assert_eq!(data["settings"].as_array().unwrap().len(), KEYS.len());
    assert_eq!(data["file_exists"], false);
}

#[test]
fn a_variable_wins_over_the_file_and_the_file_over_the_default() {
    let world = World::new();
    write_file(
        &world,
        "acknowledgment_timeout = 60\nmax_extension = \"2m\"\nreminder_intervals = [10, 20]\n",
    );
    let variables = [("BB_ACKNOWLEDGMENT_TIMEOUT", "90s"), ("BB_EXTENSION_ALLOWED", "off")];
    let data = world.bb_with(&variables, ["config", "--json"]).ok().data();
    let file = world.path("home/.config/bb/config.toml").display().to_string();
    assert_eq!(setting(&data, "acknowledgment_timeout"), (json!(90), "BB_ACKNOWLEDGMENT_TIMEOUT".to_owned()));
    assert_eq!(setting(&data, "extension_allowed"), (json!(false), "BB_EXTENSION_ALLOWED".to_owned()));
    assert_eq!(setting(&data, "max_extension"), (json!(120), file.clone()));
    assert_eq!(setting(&data, "reminder_intervals"), (json!([10, 20]), file.clone()));
    assert_eq!((&data["file"], &data["file_exists"]), (&json!(file), &json!(true)));
}

#[test]
fn the_file_takes_effect_where_it_matters() {
    let world = World::with_two_agents();
    write_file(&world, "acknowledgment_timeout = 600\n");
    let id = world.send("amber-otter", "lead-one", "BLOCKED", "Help");
    assert_eq!(world.json(["show", &id])["ack_due_at"], "2026-03-04T00:21:22.000Z");
}

#[test]
fn one_key_can_be_asked_for() {
    let world = World::new();
    let data = world.json(["config", "max_unread"]);
    assert_eq!(data["settings"].as_array().unwrap().len(), 1);
    let run = world.bb_with(&[("BB_MAX_UNREAD", "5")], ["config", "max_unread"]).ok();
    assert!(run.stdout.contains("max_unread  5      BB_MAX_UNREAD  "), "{run}");
    let run = world.bb(["config", "max_unred"]).fails("CONFIG_INVALID", 78);
    assert!(run.stderr.contains("max_unread"), "{run}");
}

#[test]
fn every_key_is_shown_to_people_with_its_meaning() {
    let run = World::new().bb(["config"]).ok();
    for key in KEYS {
        assert!(run.stdout.contains(key.name) && run.stdout.contains(key.meaning), "{}: {run}", key.name);
    }
    assert!(run.stdout.ends_with("config.toml (not there)\n"), "{run}");
}

#[test]
fn mistakes_are_named_and_stop_what_depends_on_them() {
    let world = World::with_two_agents();
    for (text, named) in [
        ("acknowledgement_timeout = 5", "acknowledgement_timeout"),
        ("max_extension = \"soon\"", "max_extension"),
        ("max_unread = 0", "max_unread"),
        ("not toml at all", "config.toml"),
    ] {
        write_file(&world, text);
        let run = world.bb(["config"]).fails("CONFIG_INVALID", 78);
        assert!(run.stderr.contains(named), "{named}: {run}");
        world.bb(crate::common::letter(&[])).fails("CONFIG_INVALID", 78);
    }
    world.bb_with(&[("BB_CONFIG", "/nonexistent/config.toml")], ["config"]).ok();
}

#[test]
fn a_store_is_not_needed() {
    let world = World::new();
    world.bb(["config"]).ok();
    assert!(!world.path("store").exists());
}

#[test]
fn a_wrong_value_says_what_the_setting_is() {
    let world = World::new();
    let run = world.bb_with(&[("BB_ESCALATE_TO", "No Such!")], ["config"]).fails("CONFIG_INVALID", 78);
    let hint =
        "hint: escalate_to is the agent that is told when nobody answers; the default is ecos-controller\n";
    assert!(run.stderr.ends_with(hint), "{run}");
}
