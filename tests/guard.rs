//! `guard`: commits stay out of what others have reserved.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::json;

use crate::common::{Repository, World};

fn reserve(repository: &Repository, agent: &str, scope: &str, more: &[&str]) {
    let start = ["reserve", "--agent", agent, "--bead", "bb-7", "--scope", scope];
    repository.bb(start.iter().chain(more)).ok();
}

/// Writes a hook that can be run.
fn write_hook(repository: &Repository, name: &str, text: &str) {
    repository.write(name, text);
    let file = repository.path.join(name);
    fs::set_permissions(file, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn a_commit_of_what_another_reserved_is_refused_and_the_file_is_named() {
    let world = World::with_two_agents();
    let repository = Repository::new(&world, "project");
    repository.bb(["guard", "install"]).ok();
    reserve(&repository, "amber-otter", "src/**/*.rs", &[]);
    repository.write("src/cli/main.rs", "fn main() {}\n");
    repository.write("notes.md", "\n");
    let refused = repository.commit(Some("lead-one"));
    assert_eq!(refused.code, 1, "{refused}");
    insta::assert_snapshot!(refused.stderr, @r"
    error[RESERVATION_CONFLICT]: `src/cli/main.rs`: `src/**/*.rs` is reserved by `amber-otter` for bead `bb-7` until 2026-03-04T02:11:22.000Z
    hint: agree with its holder, or unstage the file (git restore --staged FILE); `git commit --no-verify` goes around the guard
    ");
    let check = ["guard", "check", "--json", "--agent", "lead-one"];
    repository.bb(check).fails("RESERVATION_CONFLICT", 75);
    repository.bb_in("src/cli", check).fails("RESERVATION_CONFLICT", 75);

    let nobody = repository.commit(None);
    assert!(nobody.code == 1 && nobody.stderr.contains("set BB_AGENT"), "{nobody}");
    let owner = repository.commit(Some("amber-otter")).ok();
    assert_eq!((owner.stdout.as_str(), owner.stderr.as_str()), ("", ""));
}

#[test]
fn a_commit_of_anything_else_passes() {
    let world = World::with_two_agents();
    let repository = Repository::new(&world, "project");
    repository.bb(["guard", "install"]).ok();
    reserve(&repository, "amber-otter", "src", &[]);
    repository.write("docs/a.md", "\n");
    repository.commit(None).ok();
    let checked = repository.bb(["guard", "check", "--json"]).ok().data();
    assert_eq!(checked, json!({"agent_id": null, "files": 0, "conflicts": [], "lapsed": []}));
}

#[test]
fn renaming_and_deleting_is_changing_too() {
    let world = World::with_two_agents();
    let repository = Repository::new(&world, "project");
    repository.write("src/old.rs", "a line\nanother line\n");
    repository.write("src/gone.rs", "");
    repository.commit(None).ok();
    reserve(&repository, "amber-otter", "src", &[]);
    let refused = |named: &str| {
        let run = repository.bb(["guard", "check", "--agent", "lead-one"]).fails("RESERVATION_CONFLICT", 75);
        assert!(run.stderr.contains(named), "{run}");
        repository.git(["reset", "--quiet", "--hard"]).ok();
    };
    repository.git(["mv", "src/old.rs", "new.rs"]).ok();
    refused("`src/old.rs`");
    repository.git(["rm", "--quiet", "src/gone.rs"]).ok();
    refused("`src/gone.rs`");
}

#[test]
fn the_guard_stands_in_every_worktree() {
    let world = World::with_two_agents();
    let main = Repository::new(&world, "project");
    let feature = main.worktree("feature");
    let installed = feature.bb(["guard", "install", "--json"]).ok().data();
    let hook = main.path.canonicalize().unwrap().join(".git/hooks/pre-commit");
    assert_eq!(installed["hook"], hook.to_str().unwrap());
    reserve(&main, "amber-otter", "src", &[]);
    for tree in [&main, &feature] {
        tree.write("src/a.rs", "");
        assert_eq!(tree.commit(Some("lead-one")).code, 1);
    }
    feature.commit(Some("amber-otter")).ok();
}

#[test]
fn sharers_commit_and_others_do_not() {
    let world = World::with_two_agents();
    world.register("zinc-yak", "frontend");
    let repository = Repository::new(&world, "project");
    repository.bb(["guard", "install"]).ok();
    reserve(&repository, "amber-otter", "docs", &["--shared"]);
    reserve(&repository, "lead-one", "docs/a.md", &["--shared"]);
    repository.write("docs/a.md", "\n");
    assert_eq!(repository.commit(Some("zinc-yak")).code, 1);
    repository.commit(Some("lead-one")).ok();
}

#[test]
fn a_reservation_guards_until_it_has_expired_and_its_owner_is_quiet() {
    let world = World::with_two_agents();
    let repository = Repository::new(&world, "project");
    reserve(&repository, "amber-otter", "src", &["--ttl", "5"]);
    repository.write("src/a.rs", "");
    repository.git(["add", "."]).ok();
    let check = || repository.bb(["guard", "check", "--json", "--agent", "lead-one"]);
    world.pass(5 * 60);
    check().fails("RESERVATION_CONFLICT", 75);
    world.pass(10 * 60);
    let passed = check().ok().data();
    assert_eq!((&passed["conflicts"], &passed["lapsed"][0]["file"]), (&json!([]), &json!("src/a.rs")));
    let text = repository.bb(["guard", "check", "--agent", "lead-one"]).ok().stdout;
    insta::assert_snapshot!(text, @"warning: src/a.rs was reserved, and never released, by amber-otter for bead bb-7 until 2026-03-04T00:16:22.000Z (scope src)");
}

#[test]
fn a_warning_lets_the_commit_happen() {
    let world = World::with_two_agents();
    let repository = Repository::new(&world, "project");
    repository.bb(["guard", "install", "--warn-only"]).ok();
    reserve(&repository, "amber-otter", "src", &[]);
    repository.write("src/a.rs", "");
    let committed = repository.commit(Some("lead-one")).ok();
    let said = format!("{}{}", committed.stdout, committed.stderr);
    assert!(said.contains("warning: src/a.rs is reserved by amber-otter for bead bb-7"), "{committed}");
}

#[test]
fn a_merge_brings_in_what_others_did_to_their_own_files() {
    let world = World::with_two_agents();
    let main = Repository::new(&world, "project");
    main.bb(["guard", "install"]).ok();
    reserve(&main, "amber-otter", "src", &[]);
    let feature = main.worktree("feature");
    feature.write("src/a.rs", "theirs\n");
    feature.write("README.md", "from the feature\n");
    feature.commit(Some("amber-otter")).ok();
    main.write("README.md", "from main\n");
    main.commit(Some("lead-one")).ok();

    assert_eq!(main.git(["merge", "--quiet", "feature"]).code, 1);
    main.write("README.md", "from both\n");
    main.commit(Some("lead-one")).ok();
    assert_eq!(fs::read_to_string(main.path.join("src/a.rs")).unwrap(), "theirs\n");
}

#[test]
fn an_earlier_hook_goes_on_running_and_comes_back() {
    let world = World::with_two_agents();
    let repository = Repository::new(&world, "project");
    // Such hooks learn from `$0` which one they are, and find their companions beside it.
    let shell = "#!/usr/bin/env sh\necho \"$(basename \"$0\") in $(basename \"$(dirname \"$0\")\")\" >>ran\nexit ${FAIL:-0}\n";
    let other = "#!/usr/bin/env bash\necho \"bash $BASH\" >>ran\n";
    for (earlier, said) in [(shell, "pre-commit in hooks\n"), (other, "bash ")] {
        let hook = ".git/hooks/pre-commit";
        write_hook(&repository, hook, earlier);
        let installed = repository.bb(["guard", "install", "--json"]).ok().data();
        assert!(installed["previous"].as_str().unwrap().ends_with("pre-commit.before-bb"), "{installed}");
        let again = repository.bb(["guard", "install", "--json"]).ok().data();
        assert_eq!((&again["changed"], &again["previous"]), (&json!(false), &installed["previous"]));

        repository.write("a.txt", said);
        repository.commit(None).ok();
        let ran = fs::read_to_string(repository.path.join("ran")).unwrap();
        assert!(ran.starts_with(said), "{ran}");
        fs::remove_file(repository.path.join("ran")).unwrap();

        assert_eq!(repository.bb(["guard", "uninstall", "--json"]).ok().data()["changed"], true);
        assert_eq!(fs::read_to_string(repository.path.join(hook)).unwrap(), earlier);
        assert!(!repository.path.join(".git/hooks/pre-commit.before-bb").exists());
        assert_eq!(repository.bb(["guard", "uninstall", "--json"]).ok().data()["changed"], false);
    }
}

#[test]
fn an_earlier_hook_still_refuses_what_it_refused() {
    let world = World::with_two_agents();
    let repository = Repository::new(&world, "project");
    write_hook(&repository, ".git/hooks/pre-commit", "#!/bin/sh\necho no >&2\nexit 3\n");
    repository.bb(["guard", "install"]).ok();
    repository.write("a.txt", "");
    assert_eq!(repository.commit(None).code, 1);
}

#[test]
fn hooks_are_written_where_git_looks_for_them() {
    let world = World::with_two_agents();
    let repository = Repository::new(&world, "project");
    repository.git(["config", "core.hooksPath", "tools/hooks"]).ok();
    write_hook(&repository, "tools/hooks/pre-commit", "#!/bin/sh\necho ran >ran\n");
    let installed = repository.bb_in("src/cli", ["guard", "install", "--json"]).ok().data();
    assert!(repository.path.join("tools/hooks/pre-commit.before-bb").exists(), "{installed}");
    reserve(&repository, "amber-otter", "src", &[]);
    repository.write("src/a.rs", "");
    assert_eq!(repository.commit(Some("lead-one")).code, 1);
    repository.commit(Some("amber-otter")).ok();
    assert!(repository.path.join("ran").exists());
}

#[test]
fn nothing_is_overwritten() {
    let world = World::with_two_agents();
    let repository = Repository::new(&world, "project");
    write_hook(&repository, ".git/hooks/pre-commit", "#!/bin/sh\n# one\n");
    write_hook(&repository, ".git/hooks/pre-commit.before-bb", "#!/bin/sh\n# two\n");
    repository.bb(["guard", "install"]).fails("HOOK_CONFLICT", 73);
    repository.bb(["guard", "uninstall"]).ok();
    for (name, text) in [("pre-commit", "# one\n"), ("pre-commit.before-bb", "# two\n")] {
        let found = fs::read_to_string(repository.path.join(".git/hooks").join(name)).unwrap();
        assert!(found.ends_with(text), "{name}: {found}");
    }
}

#[test]
fn without_git_there_is_nothing_to_guard_and_without_a_store_nothing_is_reserved() {
    let world = World::new();
    for action in ["install", "check", "uninstall"] {
        world.bb(["guard", action]).fails("NO_REPOSITORY", 66);
    }
    let repository = Repository::new(&world, "project");
    repository.bb(["guard", "check"]).ok();
    assert!(!world.store().exists());
}
