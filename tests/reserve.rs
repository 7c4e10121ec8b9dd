//! `reserve`: what an agent is going to change is its own, and everyone else is told so.

use serde_json::json;

use crate::common::{Repository, Run, World};

/// Asks for scopes and gives what was said.
fn reserve(world: &World, agent: &str, scopes: &[&str], more: &[&str]) -> Run {
    let start = ["reserve", "--json", "--agent", agent, "--bead", "bb-1", "--scope"];
    world.bb(start.iter().chain(scopes).chain(more))
}

/// B34
#[test]
fn a_scope_is_reserved_before_it_is_edited() {
    let world = World::with_two_agents();
    let run =
        world.bb(["reserve", "--agent", "amber-otter", "--scope", "./src//main.rs", "--bead", "bb-1"]).ok();
    insta::assert_snapshot!(run.stdout, @"reserved src/main.rs for 2h (fence 1)");

    let reserved = reserve(&world, "lead-one", &["docs/"], &["--reason", "new layout"]).ok().data();
    let id = reserved["reservation_id"].as_str().unwrap();
    assert!(id.starts_with("res_20260304_001122_"), "{id}");
    assert_eq!(
        reserved,
        json!({
            "reservation_id": id, "scope": "docs", "agent_id": "lead-one", "bead_id": "bb-1", "state": "active",
            "created_at": "2026-03-04T00:11:22.000Z", "expires_at": "2026-03-04T02:11:22.000Z",
            "released_at": null, "fence": 2, "reason": "new layout", "taken_over": [],
        })
    );
}

/// B35
#[test]
fn a_conflict_names_the_holder_its_bead_its_scope_and_its_expiry() {
    let world = World::with_two_agents();
    reserve(&world, "amber-otter", &["src/**/*.rs"], &["--ttl", "60"]).ok();
    let run = world.bb(["reserve", "--agent", "lead-one", "--scope", "src/main.rs", "--bead", "bb-2"]);
    let run = run.fails("RESERVATION_CONFLICT", 75);
    insta::assert_snapshot!(run.stderr, @r"
    error[RESERVATION_CONFLICT]: `src/**/*.rs` is reserved by `amber-otter` for bead `bb-1` until 2026-03-04T01:11:22.000Z (partial overlap with `src/main.rs`)
    hint: agree with its holder (bb send --from lead-one --to amber-otter …), queue up with --wait SECS, or reserve something else
    ");
    reserve(&world, "lead-one", &["src"], &["--takeover-stale"]).fails("RESERVATION_CONFLICT", 75);
    reserve(&world, "lead-one", &["src/readme.md"], &[]).ok();
}

/// B36
#[test]
fn what_is_stale_is_taken_over_only_on_request_and_its_owner_is_told() {
    let world = World::with_two_agents();
    reserve(&world, "amber-otter", &["src", "docs"], &["--ttl", "5"]).ok();
    world.pass(5 * 60);
    let warned = world.bb(["reserve", "--agent", "lead-one", "--scope", "src/main.rs", "--bead", "bb-2"]);
    let warned = warned.fails("RESERVATION_STALE_FOUND", 75);
    for named in ["`src`", "`amber-otter`", "`bb-1`", "00:16:22", "--takeover-stale"] {
        assert!(warned.stderr.contains(named), "{named}: {warned}");
    }

    let start = ["reserve", "--agent", "lead-one", "--scope", "src/main.rs", "--bead", "bb-2"];
    let taken = world.bb(start.iter().chain(&["--takeover-stale", "--json"])).ok().data();
    assert_eq!(taken["fence"], 3);
    let [old] = taken["taken_over"].as_array().unwrap().as_slice() else { panic!("{taken}") };
    assert_eq!((&old["scope"], &old["state"]), (&json!("src"), &json!("taken-over")));
    assert_eq!(old["released_at"], "2026-03-04T00:16:22.000Z");

    let mail = world.json(["inbox", "--agent", "amber-otter"]);
    let [message] = mail.as_array().unwrap().as_slice() else { panic!("{mail}") };
    assert_eq!(message["message_id"], old["message_id"]);
    assert_eq!(
        [&message["from_agent"], &message["category"], &message["bead_id"], &message["subject"]],
        ["lead-one", "INFO", "bb-1", "Reservation taken over: src"]
    );
    assert_eq!(message["content"]["reservation_ids"], json!([old["reservation_id"]]));

    let release = ["release", "--agent", "amber-otter", "--scope"];
    world.bb(release.iter().chain(&["src"])).fails("RESERVATION_NOT_FOUND", 66);
    world.bb(release.iter().chain(&["src/main.rs"])).fails("RELEASE_FORBIDDEN", 77);
    world.bb(release.iter().chain(&["docs"])).ok();
}

/// B37
#[test]
fn the_owner_releases_and_others_may_then_reserve() {
    let world = World::with_two_agents();
    reserve(&world, "amber-otter", &["src"], &[]).ok();
    world.bb(["release", "--agent", "lead-one", "--scope", "src"]).fails("RELEASE_FORBIDDEN", 77);
    let run = world.bb(["release", "--agent", "amber-otter", "--scope", "src/"]).ok();
    insta::assert_snapshot!(run.stdout, @"released src");
    world.bb(["release", "--agent", "amber-otter", "--scope", "src"]).fails("RESERVATION_NOT_FOUND", 66);
    reserve(&world, "lead-one", &["src/main.rs"], &[]).ok();
}

/// B36: an owner that is gone will not come back, however recently it was seen.
#[test]
fn what_a_dead_stopped_or_inactive_agent_holds_is_stale() {
    for state in ["dead", "stopped", "inactive"] {
        let world = World::with_two_agents();
        reserve(&world, "amber-otter", &["src"], &[]).ok();
        world.bb(["state", "amber-otter", state]).ok();
        reserve(&world, "lead-one", &["src"], &[]).fails("RESERVATION_STALE_FOUND", 75);
        reserve(&world, "lead-one", &["src"], &["--takeover-stale"]).ok();
    }
}

/// B36: silence makes an owner stale after a quarter of an hour, and any command of its own ends the silence.
#[test]
fn what_a_quiet_agent_holds_is_stale_until_it_speaks() {
    let world = World::with_two_agents();
    reserve(&world, "amber-otter", &["src"], &[]).ok();
    world.pass(15 * 60 - 1);
    reserve(&world, "lead-one", &["src"], &[]).fails("RESERVATION_CONFLICT", 75);
    world.pass(1);
    reserve(&world, "lead-one", &["src"], &[]).fails("RESERVATION_STALE_FOUND", 75);
    world.bb(["inbox", "--agent", "amber-otter"]).ok();
    reserve(&world, "lead-one", &["src"], &["--takeover-stale"]).fails("RESERVATION_CONFLICT", 75);
}

#[test]
fn a_full_mailbox_does_not_keep_anyone_from_taking_over() {
    let world = World::with_two_agents();
    reserve(&world, "amber-otter", &["src"], &[]).ok();
    world.send("lead-one", "amber-otter", "INFO", "one");
    world.bb(["state", "amber-otter", "dead"]).ok();
    let mut command = world.command(["reserve", "--agent", "lead-one", "--scope", "src", "--bead", "bb-2"]);
    command.args(["--takeover-stale", "--json"]).env("BB_MAX_UNREAD", "1");
    let taken = Run::of(command.output().unwrap()).ok().data();
    assert!(taken["taken_over"][0]["message_id"].as_str().unwrap().starts_with("msg_"), "{taken}");
}

#[test]
fn expiry_comes_at_the_stored_time_and_not_before() {
    let world = World::with_two_agents();
    reserve(&world, "amber-otter", &["src"], &["--ttl", "5"]).ok();
    world.pass(5 * 60 - 1);
    reserve(&world, "lead-one", &["src"], &["--takeover-stale"]).fails("RESERVATION_CONFLICT", 75);
    world.pass(1);
    reserve(&world, "lead-one", &["src"], &["--takeover-stale"]).ok();
}

#[test]
fn ones_own_reservation_is_refreshed_with_a_new_fence() {
    let world = World::with_two_agents();
    let first = reserve(&world, "amber-otter", &["src"], &["--reason", "first"]).ok().data();
    world.pass(60);
    let again = reserve(&world, "amber-otter", &["src/**"], &["--ttl", "1h"]).ok().data();
    assert_eq!(again["reservation_id"], first["reservation_id"]);
    assert_eq!(again["created_at"], first["created_at"]);
    assert_eq!(again["expires_at"], "2026-03-04T01:12:22.000Z");
    assert_eq!((&again["fence"], &again["reason"]), (&json!(2), &json!("first")));
    assert_eq!(world.json(["status"])["summary"]["active"], 1);
}

#[test]
fn several_scopes_are_granted_together_or_not_at_all() {
    let world = World::with_two_agents();
    reserve(&world, "amber-otter", &["db:schema"], &[]).ok();
    reserve(&world, "lead-one", &["src", "docs", "db:schema"], &[]).fails("RESERVATION_CONFLICT", 75);
    assert_eq!(world.json(["status"])["summary"]["active"], 1);

    let several = reserve(&world, "lead-one", &["src", "docs", "src/"], &[]).ok().data();
    let granted = several["reservations"].as_array().unwrap();
    let scopes: Vec<_> = granted.iter().map(|one| (&one["scope"], &one["fence"])).collect();
    assert_eq!(scopes, [(&json!("src"), &json!(2)), (&json!("docs"), &json!(3))]);
    assert_eq!(several["taken_over"], json!([]));
}

#[test]
fn sharers_share_and_keep_everyone_else_out() {
    let world = World::with_two_agents();
    world.register("zinc-yak", "frontend");
    assert_eq!(reserve(&world, "amber-otter", &["docs"], &["--shared"]).ok().data()["shared"], true);
    reserve(&world, "lead-one", &["docs/a.md"], &["--shared"]).ok();
    let refused = reserve(&world, "zinc-yak", &["docs"], &[]).fails("RESERVATION_CONFLICT", 75);
    assert!(refused.stdout.contains("shared by `amber-otter`"), "{refused}");
    reserve(&world, "amber-otter", &["docs"], &[]).fails("RESERVATION_CONFLICT", 75);
}

#[test]
fn a_check_says_what_would_happen_and_changes_nothing() {
    let world = World::with_two_agents();
    reserve(&world, "amber-otter", &["src"], &[]).ok();
    let before = world.json(["status"]);
    let check = |agent, scope| world.bb(["reserve", "--check", "--json", "--agent", agent, "--scope", scope]);
    check("lead-one", "src/main.rs").fails("RESERVATION_CONFLICT", 75);
    let own = check("amber-otter", "src").ok().data();
    assert_eq!((&own["available"], &own["refresh"][0]["scope"]), (&json!(true), &json!("src")));
    assert_eq!(check("lead-one", "docs").ok().data()["scopes"], json!(["docs"]));
    assert_eq!(world.json(["status"]), before);
    assert_eq!(reserve(&world, "lead-one", &["docs"], &[]).ok().data()["fence"], 2);
}

#[test]
fn a_reservation_needs_a_bead_which_the_environment_may_name() {
    let world = World::with_two_agents();
    let line = ["reserve", "--agent", "amber-otter", "--scope", "src", "--json"];
    world.bb(line).fails("MISSING_BEAD_ID", 65);
    let run = Run::of(world.command(line).env("BB_BEAD", "bb-9").output().unwrap());
    assert_eq!(run.ok().data()["bead_id"], "bb-9");
}

#[test]
fn what_is_typed_wrongly_is_refused_and_nothing_is_reserved() {
    let world = World::with_two_agents();
    for ttl in ["4", "1441", "soon"] {
        reserve(&world, "amber-otter", &["src"], &["--ttl", ttl]).fails("INVALID_ARGS", 64);
    }
    for scope in ["../outside", "/etc/passwd", "src/[z-a]", "", "a\nb", "**/.."] {
        reserve(&world, "amber-otter", &[scope], &[]).fails("INVALID_SCOPE", 65);
    }
    reserve(&world, "amber-otter", &["src"], &["--reason", "a\u{1b}[31mb"]).fails("INVALID_MESSAGE", 65);
    reserve(&world, "nobody-known", &["src"], &[]).fails("AGENT_NOT_FOUND", 67);
    world.bb(["reserve", "--agent", "amber-otter", "--bead", "bb-1"]).fails("INVALID_ARGS", 64);
    world.bb(["reserve", "--scope", "src", "--bead", "bb-1"]).fails("MISSING_IDENTITY", 64);
    assert_eq!(world.json(["status"])["summary"]["active"], 0);
}

#[test]
fn a_protected_agent_reserves_and_releases_only_with_its_token() {
    let world = World::new();
    let registered = world.json(["register", "--name", "amber-otter", "--role", "backend", "--protect"]);
    let line = ["reserve", "--agent", "amber-otter", "--scope", "src", "--bead", "bb-1"];
    world.bb(line).fails("TOKEN_REQUIRED", 77);
    let token = registered["token"].as_str().unwrap();
    Run::of(world.command(line).env("BB_TOKEN", token).output().unwrap()).ok();
    world.bb(["release", "--agent", "amber-otter", "--all"]).fails("TOKEN_REQUIRED", 77);
}

/// The scope that a typed text becomes in a folder of a repository.
fn typed(repository: &Repository, folder: &str, text: &str) -> String {
    let line = ["reserve", "--json", "--check", "--agent", "amber-otter", "--scope", text];
    repository.bb_in(folder, line).ok().data()["scopes"][0].as_str().unwrap().to_owned()
}

#[test]
fn agents_in_different_folders_mean_the_same_by_the_same_words() {
    let world = World::with_two_agents();
    let repository = Repository::new(&world, "project");
    assert_eq!(typed(&repository, "src/cli", "src/main.rs"), "src/main.rs");
    assert_eq!(typed(&repository, "src/cli", "./main.rs"), "src/cli/main.rs");
    assert_eq!(typed(&repository, "src/cli", "../lib.rs"), "src/lib.rs");
    assert_eq!(typed(&repository, "src/cli", "db:schema"), "db:schema");
    let absolute = repository.path.join("docs/new.md");
    assert_eq!(typed(&repository, "src/cli", absolute.to_str().unwrap()), "docs/new.md");
    let outside = ["reserve", "--agent", "amber-otter", "--bead", "bb-1", "--scope", "../../../elsewhere"];
    repository.bb_in("src/cli", outside).fails("INVALID_SCOPE", 65);
}

#[test]
fn all_worktrees_of_a_repository_are_one_project() {
    let world = World::with_two_agents();
    let main = Repository::new(&world, "project");
    let feature = main.worktree("feature");
    main.bb(["reserve", "--agent", "amber-otter", "--bead", "bb-1", "--scope", "src/main.rs"]).ok();
    let asked = |folder, scope| {
        feature.bb_in(folder, ["reserve", "--agent", "lead-one", "--bead", "bb-2", "--scope", scope])
    };
    asked("src", "./main.rs").fails("RESERVATION_CONFLICT", 75);
    let in_main = main.path.join("src/main.rs");
    asked("", in_main.to_str().unwrap()).fails("RESERVATION_CONFLICT", 75);
    assert_eq!(typed(&feature, "", in_main.to_str().unwrap()), "src/main.rs");
    asked("", "src/lib.rs").ok();

    let other = Repository::new(&world, "other");
    other.bb(["reserve", "--agent", "lead-one", "--bead", "bb-2", "--scope", "src/main.rs"]).ok();
}

#[test]
fn worktrees_of_a_bare_repository_and_within_the_first_one_are_found_too() {
    let world = World::with_two_agents();
    let main = Repository::new(&world, "project");
    let inner = main.path.join("trees/inner");
    main.git(["worktree", "add", "--quiet", "-b", "inner", inner.to_str().unwrap()]).ok();
    main.bb(["reserve", "--agent", "amber-otter", "--bead", "bb-1", "--scope", "src"]).ok();
    let line = ["reserve", "--agent", "lead-one", "--bead", "bb-2", "--scope", "./src/main.rs"];
    main.bb_in("trees/inner", line).fails("RESERVATION_CONFLICT", 75);

    let bare = world.path("bare.git");
    main.git(["clone", "--quiet", "--bare", ".", bare.to_str().unwrap()]).ok();
    for name in ["one", "two"] {
        let path = world.path(name);
        let start = ["--git-dir", bare.to_str().unwrap(), "worktree", "add", "--quiet", "-b", name];
        main.git(start.into_iter().chain([path.to_str().unwrap()])).ok();
    }
    let ask = |name: &str, agent: &str| {
        let line = ["reserve", "--agent", agent, "--bead", "bb-3", "--scope", "lib"];
        Run::of(world.command(line).current_dir(world.path(name)).output().unwrap())
    };
    ask("one", "amber-otter").ok();
    ask("two", "lead-one").fails("RESERVATION_CONFLICT", 75);
}

#[test]
fn a_file_with_the_characters_of_a_glob_in_its_name_is_taken_literally() {
    let world = World::with_two_agents();
    let repository = Repository::new(&world, "project");
    repository.write("app/[id]/page.tsx", "");
    let line = |agent, scope| ["reserve", "--agent", agent, "--bead", "bb-1", "--scope", scope, "--json"];
    let literal = repository.bb(line("amber-otter", "app/[id]/page.tsx")).ok().data();
    assert_eq!(literal["scope"], "app/\\[id]/page.tsx");
    repository.bb(line("lead-one", "app/i/page.tsx")).ok();
    repository.bb(line("lead-one", "app/*/page.tsx")).fails("RESERVATION_CONFLICT", 75);
    std::fs::remove_dir_all(repository.path.join("app")).unwrap();
    repository.bb(["release", "--agent", "amber-otter", "--scope", "app/[id]/page.tsx"]).ok();
}

/// A folder could be called `notes.md` and hold `main.rs`; a file cannot.
#[test]
fn files_of_different_kinds_are_not_in_each_others_way() {
    let world = World::with_two_agents();
    std::fs::write(world.work().join("Makefile"), "").unwrap();
    reserve(&world, "amber-otter", &["**/*.rs"], &[]).ok();
    for scope in ["**/*.md", "src/style.css", "Makefile"] {
        reserve(&world, "lead-one", &[scope], &[]).ok();
    }
    for scope in ["src", "vendor.d/", "src/main.rs"] {
        reserve(&world, "lead-one", &[scope], &[]).fails("RESERVATION_CONFLICT", 75);
    }
}

#[test]
fn what_git_shows_as_changed_is_reserved_on_request() {
    let world = World::with_two_agents();
    let repository = Repository::new(&world, "project");
    let dirty = ["reserve", "--dirty", "--agent", "amber-otter", "--bead", "bb-1", "--json"];
    repository.bb(dirty).fails("INVALID_SCOPE", 65);
    world.bb(dirty).fails("NO_REPOSITORY", 66);

    repository.git(["mv", "README.md", "read me [new].md"]).ok();
    repository.write("new/a.txt", "");
    repository.write("new/b.txt", "");
    let reserved = repository.bb_in("new", dirty).ok().data();
    let scopes: Vec<_> =
        reserved["reservations"].as_array().unwrap().iter().map(|one| &one["scope"]).collect();
    assert_eq!(scopes, ["README.md", "read me \\[new].md", "new"]);
}
