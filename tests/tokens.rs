//! Tokens: whoever acts as a protected agent proves it, and what was proved is seen.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::json;

use crate::common::{LEFT_OUT, Run, SWITCH, World, letter};

/// A world in which `amber-otter` is protected, and its token.
fn protected() -> (World, String) {
    let world = World::new();
    let registered = world.json(["register", "--name", "amber-otter", "--role", "backend", "--protect"]);
    world.register("lead-one", "lead");
    let token = registered["token"].as_str().unwrap().to_owned();
    (world, token)
}

/// What acts as `amber-otter`.
fn acting(id: &str) -> Vec<Vec<&str>> {
    vec![
        letter(&[]),
        vec!["inbox", "--agent", "amber-otter"],
        vec!["read", "--agent", "amber-otter", id],
        vec!["ack", "--agent", "amber-otter", id],
        vec!["reply", "--agent", "amber-otter", id, "--ok"],
        vec!["state", "amber-otter", "running"],
        vec!["activity-lease", "--agent", "amber-otter"],
        vec!["register", "--name", "amber-otter", "--role", "other", "--force-update"],
    ]
}

#[test]
fn a_token_is_shown_once_and_only_its_hash_is_kept() {
    let world = World::new();
    let run = world.bb(["register", "--name", "amber-otter", "--role", "backend", "--protect"]).ok();
    let token = run.stdout.lines().find_map(|line| line.strip_prefix("token      ")).unwrap().to_owned();
    assert_eq!(token.len(), "bbt_".len() + 64, "256 bits");
    assert!(run.stdout.contains("it is shown this once"), "{run}");
    for file in fs::read_dir(world.path("store")).unwrap() {
        let bytes = fs::read(file.unwrap().path()).unwrap();
        assert!(!bytes.windows(token.len()).any(|window| window == token.as_bytes()));
    }
    let mine = [("BB_TOKEN", token.as_str()), ("BB_AGENT", "amber-otter")];
    for line in [
        &["show", "amber-otter", "--json"][..],
        &["list", "--json"],
        &["whoami"],
        &["whoami", "--json"],
        &["activity-lease", "--json"],
        &["register", "--name", "amber-otter", "--role", "x", "--force-update", "--json"],
    ] {
        let run = world.bb_with(&mine, line).ok();
        assert!(!run.stdout.contains(&token) && !run.stderr.contains(&token), "{line:?}: {run}");
    }
}

#[test]
fn acting_as_a_protected_agent_needs_its_token() {
    let (world, token) = protected();
    let id = world.send("lead-one", "amber-otter", "BLOCKED", "Help");
    let wrong = format!("bbt_{}", "0".repeat(64));
    for line in acting(&id) {
        world.bb(&line).fails("TOKEN_REQUIRED", 77);
        let run = world.bb_with(&[("BB_TOKEN", &wrong)], &line).fails("TOKEN_INVALID", 77);
        assert!(!run.stderr.contains(&wrong), "{run}");
    }
    assert_eq!(world.json(["show", &id])["state"], "unread");
    assert_eq!(world.json(["show", "amber-otter"])["role"], "backend");
    for line in acting(&id) {
        world.bb_with(&[("BB_TOKEN", &token)], &line).ok();
    }
}

#[test]
fn a_token_may_lie_in_a_file_and_the_variable_wins() {
    let (world, token) = protected();
    let file = world.path("token");
    fs::write(&file, format!("{token}\n")).unwrap();
    let file = file.to_str().unwrap();
    world.bb_with(&[("BB_TOKEN_FILE", file)], letter(&[])).ok();
    world
        .bb_with(&[("BB_TOKEN_FILE", file), ("BB_TOKEN", "bbt_wrong")], letter(&[]))
        .fails("TOKEN_INVALID", 77);
    world.bb_with(&[("BB_TOKEN_FILE", file), ("BB_TOKEN", "")], letter(&[])).ok();
    let run = world.bb_with(&[("BB_TOKEN_FILE", "/nonexistent")], letter(&[])).fails("CONFIG_INVALID", 78);
    assert!(run.stderr.contains("BB_TOKEN_FILE"), "{run}");
}

#[test]
fn what_was_sent_with_a_token_is_verified_and_nothing_else_is() {
    let (world, token) = protected();
    let verified = |run: Run| run.ok().data()["verified"].clone();
    let with_token = [("BB_TOKEN", token.as_str())];
    assert_eq!(verified(world.bb_with(&with_token, letter(&[("--json", SWITCH)]))), json!(true));
    let from_lead = letter(&[("--from", "lead-one"), ("--to", "amber-otter"), ("--json", SWITCH)]);
    assert_eq!(verified(world.bb_with(&with_token, &from_lead)), json!(false));
    let id = world.send("lead-one", "amber-otter", "BLOCKED", "Help");
    let reply = ["reply", "--agent", "amber-otter", &id, "--ok", "--json"];
    assert_eq!(verified(world.bb_with(&with_token, reply)), json!(true));
    let inbox = world.json(["inbox", "--agent", "lead-one"]);
    assert!(inbox.as_array().unwrap().iter().all(|message| message["verified"] == true), "{inbox}");
}

#[test]
fn whoami_says_whether_the_token_at_hand_is_the_right_one() {
    let (world, token) = protected();
    let valid = |variables: &[(&str, &str)], agent: &str| {
        world.bb_with(variables, ["whoami", "--agent", agent, "--json"]).ok().data()["token_valid"].clone()
    };
    assert_eq!(valid(&[], "amber-otter"), json!(false));
    assert_eq!(valid(&[("BB_TOKEN", "bbt_wrong")], "amber-otter"), json!(false));
    assert_eq!(valid(&[("BB_TOKEN", &token)], "amber-otter"), json!(true));
    assert_eq!(valid(&[("BB_TOKEN", &token)], "lead-one"), json!(null));
}

#[test]
fn an_agent_can_be_protected_later_and_get_a_new_token() {
    let world = World::with_two_agents();
    let update =
        ["register", "--name", "amber-otter", "--role", "backend", "--force-update", "--protect", "--json"];
    let first = world.bb(update).ok().data()["token"].as_str().unwrap().to_owned();
    world.bb(update).fails("TOKEN_REQUIRED", 77);
    let second =
        world.bb_with(&[("BB_TOKEN", &first)], update).ok().data()["token"].as_str().unwrap().to_owned();
    assert_ne!(first, second);
    world.bb_with(&[("BB_TOKEN", &first)], letter(&[])).fails("TOKEN_INVALID", 77);
    world.bb_with(&[("BB_TOKEN", &second)], letter(&[])).ok();
}

#[test]
fn an_update_without_protect_keeps_the_protection() {
    let (world, token) = protected();
    let update = ["register", "--name", "amber-otter", "--role", "other", "--force-update"];
    world.bb_with(&[("BB_TOKEN", &token)], update).ok();
    assert_eq!(world.json(["show", "amber-otter"])["protected"], true);
    world.bb(letter(&[])).fails("TOKEN_REQUIRED", 77);
}

#[test]
fn an_unprotected_agent_works_with_any_token_at_hand() {
    let (world, _) = protected();
    let line = letter(&[("--from", "lead-one"), ("--to", "amber-otter")]);
    world.bb_with(&[("BB_TOKEN", "bbt_of_somebody_else")], line).ok();
    let line = letter(&[("--from", LEFT_OUT), ("--to", "amber-otter")]);
    world.bb_with(&[("BB_AGENT", "lead-one")], line).ok();
}

#[test]
fn a_token_in_a_file_is_there_before_the_agent_is_and_asking_again_is_safe() {
    let world = World::new();
    let file = world.path("token").display().to_string();
    let line = ["register", "--name", "amber-otter", "--role", "r", "--protect", "--token-file", &file];
    let registered = world.bb(line).ok();
    let token = fs::read_to_string(&file).unwrap();
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(!registered.stdout.contains(token.trim()) && registered.stdout.contains(&file), "{registered}");
    let events = || world.json(["log"]).as_array().unwrap().len();
    let before = events();
    world.bb(line).ok();
    assert_eq!((fs::read_to_string(&file).unwrap(), events()), (token, before), "nothing happened twice");
    world.bb_with(&[("BB_TOKEN_FILE", &file)], ["inbox", "--agent", "amber-otter"]).ok();

    let other = world.path("other").display().to_string();
    let taken = ["register", "--name", "amber-otter", "--role", "r", "--protect", "--token-file", &other];
    world.bb(taken).fails("DUPLICATE_AGENT_ID", 65);
    assert!(!world.path("other").exists(), "a token that nobody got is not kept");
    let changed = ["register", "--name", "amber-otter", "--role", "new", "--protect", "--token-file", &file];
    world.bb(changed).fails("DUPLICATE_AGENT_ID", 65);
    assert!(world.path("token").exists());
    fs::write(&other, "something else").unwrap();
    let free = ["register", "--name", "lead-one", "--role", "r", "--protect", "--token-file", &other];
    world.bb(free).fails("INVALID_ARGS", 64);
    assert_eq!(fs::read_to_string(&other).unwrap(), "something else");
    let nowhere =
        ["register", "--name", "lead-one", "--role", "r", "--protect", "--token-file", "none/token"];
    world.bb(nowhere).fails("IO_WRITE_FAILED", 74);
    world.bb(["show", "lead-one"]).fails("AGENT_NOT_FOUND", 67);
}

#[test]
fn a_token_file_that_never_ends_is_no_token() {
    let (world, _) = protected();
    world
        .bb_with(&[("BB_TOKEN_FILE", "/dev/zero")], ["inbox", "--agent", "amber-otter"])
        .fails("TOKEN_INVALID", 77);
}
