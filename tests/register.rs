//! `register`: an agent gets a name, once.

use serde_json::json;

use crate::common::World;

#[test]
fn says_who_was_registered() {
    let run = World::new().bb(["register", "--name", "amber-otter", "--role", "backend"]).ok();
    insta::assert_snapshot!(run.stdout, @"registered amber-otter (backend)");
}

#[test]
fn a_new_agent_is_idle_active_and_called_by_its_id() {
    let agent = World::new().json(["register", "--name", "amber-otter", "--role", "backend"]);
    assert_eq!(
        agent,
        json!({
            "agent_id": "amber-otter", "display_name": "amber-otter", "role": "backend", "session": null,
            "state": "idle", "liveness": "active", "protected": false,
            "created_at": "2026-03-04T00:11:22.000Z", "last_seen_at": "2026-03-04T00:11:22.000Z",
        })
    );
}

#[test]
fn keeps_display_and_session() {
    let world = World::new();
    world
        .bb([
            "register",
            "--name",
            "amber-otter",
            "--role",
            "ui",
            "--display",
            "Otter ✨",
            "--session",
            "s-1",
        ])
        .ok();
    let shown = world.json(["show", "amber-otter"]);
    assert_eq!((&shown["display_name"], &shown["session"]), (&json!("Otter ✨"), &json!("s-1")));
}

#[test]
fn a_name_is_given_once() {
    let world = World::with_two_agents();
    let before = world.json(["show", "amber-otter"]);
    let run = world.bb(["register", "--name", "amber-otter", "--role", "ui"]).fails("DUPLICATE_AGENT_ID", 65);
    assert!(run.stderr.contains("--force-update"), "{run}");
    assert_eq!(world.json(["show", "amber-otter"]), before);
}

#[test]
fn force_update_changes_display_role_and_session_and_nothing_else() {
    let world = World::with_two_agents();
    world.bb(["state", "amber-otter", "stuck"]).ok();
    let before = world.json(["show", "amber-otter"]);
    world.pass(60);
    let line = [
        "register",
        "--name",
        "amber-otter",
        "--role",
        "ui",
        "--display",
        "O",
        "--session",
        "s-2",
        "--force-update",
    ];
    let run = world.bb(line).ok();
    insta::assert_snapshot!(run.stdout, @"updated amber-otter (ui)");
    let mut expected = before;
    expected["role"] = json!("ui");
    expected["display_name"] = json!("O");
    expected["session"] = json!("s-2");
    expected["last_seen_at"] = json!("2026-03-04T00:12:22.000Z");
    assert_eq!(world.json(["show", "amber-otter"]), expected);
}

#[test]
fn force_update_keeps_what_it_is_not_told() {
    let world = World::new();
    world
        .bb(["register", "--name", "amber-otter", "--role", "ui", "--display", "O", "--session", "s-1"])
        .ok();
    world.bb(["register", "--name", "amber-otter", "--role", "db", "--force-update"]).ok();
    let shown = world.json(["show", "amber-otter"]);
    assert_eq!((&shown["display_name"], &shown["session"]), (&json!("O"), &json!("s-1")));
}

#[test]
fn force_update_registers_an_agent_that_is_new() {
    let world = World::new();
    world.bb(["register", "--name", "amber-otter", "--role", "db", "--force-update"]).ok();
    assert_eq!(world.json(["show", "amber-otter"])["role"], "db");
}

#[test]
fn ids_are_lower_case_words_of_3_to_48_characters() {
    let world = World::new();
    let longest = "x".repeat(48);
    for good in ["abc", "a-1", "007", "amber-otter-2", &longest] {
        world.bb(["register", "--name", good, "--role", "r"]).ok();
    }
    let too_long = "x".repeat(49);
    for bad in [
        "ab",
        "Amber",
        "amber_otter",
        "-amber",
        "amber-",
        "a--b",
        "broadcast",
        "role:x",
        "a b",
        "ämber",
        &too_long,
        "",
    ] {
        let name = format!("--name={bad}");
        world.bb(["register", &name, "--role", "r"]).fails("INVALID_AGENT_ID", 65);
    }
    assert_eq!(world.json(["list"]).as_array().unwrap().len(), 5);
}

#[test]
fn a_role_is_not_empty_and_stays_on_one_line() {
    let world = World::new();
    for bad in ["", "  ", "a\nb", "a\u{1b}[31mb"] {
        world.bb(["register", "--name", "amber-otter", "--role", bad]).fails("INVALID_MESSAGE", 65);
    }
    assert_eq!(world.json(["list"]), json!([]));
}
