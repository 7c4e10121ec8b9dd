//! `doctor`: ok is said only of what was looked at.

mod hooks;
mod waiting;

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::common::{Run, World};

/// Runs `doctor --json` with variables; its answer must be in order whatever it found.
fn doctor(world: &World, arguments: &[&str], variables: &[(&str, &str)]) -> (i32, Value) {
    let mut command = world.command(["doctor", "--json"].iter().chain(arguments));
    let run = Run::of(command.envs(variables.iter().copied()).output().unwrap());
    let document = run.document();
    assert_eq!((&document["ok"], &document["command"]), (&Value::from(true), &Value::from("agent doctor")));
    let data = document["data"].clone();
    let count = |status: &str| checks(&data).iter().filter(|check| check["status"] == status).count();
    for (key, status) in
        [("ok", "ok"), ("warnings", "warning"), ("problems", "problem"), ("not_checked", "not-checked")]
    {
        assert_eq!(data["summary"][key], count(status), "{data}");
    }
    assert_eq!(data["healthy"], run.code == 0, "{data}");
    (run.code, data)
}

fn checks(data: &Value) -> &Vec<Value> {
    data["checks"].as_array().unwrap()
}

/// One check of an answer.
#[track_caller]
fn check<'a>(data: &'a Value, name: &str) -> &'a Value {
    let found: Vec<_> = checks(data).iter().filter(|check| check["check"] == name).collect();
    assert_eq!(found.len(), 1, "{name}: {data}");
    found[0]
}

/// Insists on what a check says.
#[track_caller]
fn says(data: &Value, name: &str, status: &str, words: &str) {
    let check = check(data, name);
    assert_eq!(check["status"], status, "{check}");
    assert!(check["detail"].as_str().unwrap().contains(words), "{check}");
}

/// A folder for programs, with a stand-in for `bd` that keeps one setting in a file.
fn programs(world: &World, delegate: &str) -> String {
    let folder = world.path("programs");
    fs::create_dir_all(&folder).unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_bb"), folder.join("bb")).unwrap();
    let setting = folder.join("delegate");
    fs::write(&setting, delegate).unwrap();
    let script = format!(
        "#!/bin/sh\ncase \"$2\" in\nget) printf '{{\"key\":\"%s\",\"value\":\"%s\"}}\\n' \"$3\" \"$(cat {0})\" ;;\n\
         set) pwd > {0}.folder; printf %s \"$4\" > {0} ;;\nesac\n",
        setting.display()
    );
    fs::write(folder.join("bd"), script).unwrap();
    fs::set_permissions(folder.join("bd"), Permissions::from_mode(0o755)).unwrap();
    format!("{}:/usr/bin:/bin", folder.display())
}

/// A beads workspace of the older kind around the place where commands run.
fn beads_workspace(world: &World, delegate: Option<&str>) -> PathBuf {
    let folder = world.work().join(".beads");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("beads.db");
    let database = rusqlite::Connection::open(&file).unwrap();
    database.execute_batch("CREATE TABLE config (key TEXT PRIMARY KEY, value TEXT NOT NULL)").unwrap();
    if let Some(delegate) = delegate {
        database.execute("INSERT INTO config VALUES ('mail.delegate', ?1)", [delegate]).unwrap();
    }
    file
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

#[test]
fn a_fresh_machine_has_no_problem_and_nothing_is_created() {
    let world = World::new();
    let (code, data) = doctor(&world, &["--fix"], &[]);
    assert_eq!(code, 0);
    says(&data, "store", "warning", "there is no store");
    let inside = [
        "integrity",
        "version",
        "sqlite",
        "journal",
        "writing",
        "archive",
        "clock",
        "locks",
        "bells",
        "waiters",
        "handshakes",
    ];
    for name in inside.iter().chain(&["permissions"]) {
        says(&data, name, "not-checked", "there is no store");
    }
    assert!(!world.path("store").exists());
    assert_eq!(fs::read_dir(world.path("home")).unwrap().count(), 0);
}

#[test]
fn a_sound_store_is_said_to_be_so_check_by_check() {
    let world = World::with_two_agents();
    let run = world.bb(["doctor", "--agent", "amber-otter"]).ok();
    // Numbers that grow with the program are not the point here.
    let cut = |line: &str| match line.split_whitespace().nth(1) {
        Some("configuration" | "version" | "sqlite") => {
            format!("{} …", line.chars().take(26).collect::<String>())
        }
        _ => line.to_owned(),
    };
    let shown = run.stdout.lines().map(cut).collect::<Vec<_>>().join("\n");
    let shown = shown.replace(&world.path("").display().to_string(), "/");
    insta::assert_snapshot!(shown, @r#"
    ok          identity       `amber-otter` (from --agent) is registered
    ok          configuration  …
    ok          store          `/store/bb.db` can be opened
    ok          permissions    the folder and the files are yours alone
    ok          integrity      SQLite checked every page and found nothing
    ok          version        …
    ok          sqlite         …
    ok          journal        write-ahead log: readers and writers do not wait for one another
    ok          writing        the store can be written, and its disk has room
    ok          archive        nothing was archived
    ok          clock          not behind the newest event, of 2026-03-04T00:11:22.000Z
    ok          locks          nobody is seen to hold a lock; a lock file that lies there means nothing
    ok          bells          no command that died left its socket behind
    ok          waiters        nobody waits for a reservation
    ok          handshakes     none is open
    not-checked delegate       there is no beads workspace here, and no variable names a delegate
                               hint: in a workspace: bd config set mail.delegate "bb mail"
    not-checked claude-hooks   claude-code has no settings here
                               hint: bb hook install claude-code
    not-checked codex-hooks    codex has no settings here
                               hint: bb hook install codex
    15 ok, 0 warnings, 0 problems, 3 not checked
    "#);
}

#[test]
fn looking_changes_nothing() {
    let world = World::with_two_agents();
    let files = || ["store/bb.db", "store/bb.db-wal"].map(|file| fs::read(world.path(file)).unwrap());
    let before = files();
    doctor(&world, &["--agent", "amber-otter"], &[]);
    assert_eq!(files(), before);
}

#[test]
fn a_problem_carries_the_code_that_commands_fail_with() {
    let world = World::with_two_agents();
    let (code, data) = doctor(&world, &[], &[("BB_AGENT", "amber-oter")]);
    assert_eq!(code, 67);
    says(&data, "identity", "problem", "`amber-oter` is not registered");
    assert_eq!(check(&data, "identity")["code"], "AGENT_NOT_FOUND");
    assert_eq!(check(&data, "identity")["hint"], "did you mean `amber-otter`?");
    assert_eq!(check(&data, "store")["code"], Value::Null);
}

#[test]
fn the_identity_is_looked_at_as_every_command_does() {
    let world = World::with_two_agents();
    let (code, data) = doctor(&world, &[], &[]);
    assert_eq!(code, 0);
    says(&data, "identity", "warning", "nothing says who you are");
    let (code, data) = doctor(&world, &[], &[("BD_ACTOR", "lead-one")]);
    assert_eq!(code, 0);
    says(&data, "identity", "ok", "`lead-one` (from BD_ACTOR) is registered");
    let (code, data) = doctor(&world, &[], &[("BB_AGENT", "Lead One")]);
    assert_eq!(code, 65);
    says(&data, "identity", "problem", "BB_AGENT: `Lead One` is not an agent id");
    world.bb(["state", "lead-one", "dead"]).ok();
    let (code, data) = doctor(&world, &["--agent", "lead-one"], &[]);
    assert_eq!(code, 0);
    says(&data, "identity", "warning", "is dead: mail to it is refused");
}

#[test]
fn the_token_of_a_protected_agent_is_looked_for() {
    let world = World::new();
    let registered = world.json(["register", "--name", "zinc-yak", "--role", "backend", "--protect"]);
    let token = registered["token"].as_str().unwrap();
    let with = |variables: &[(&str, &str)]| doctor(&world, &["--agent", "zinc-yak"], variables);
    let (code, data) = with(&[]);
    assert_eq!((code, &check(&data, "identity")["code"]), (77, &Value::from("TOKEN_REQUIRED")));
    let (code, data) = with(&[("BB_TOKEN", "bbt_wrong")]);
    assert_eq!((code, &check(&data, "identity")["code"]), (77, &Value::from("TOKEN_INVALID")));
    let (code, data) = with(&[("BB_TOKEN", token)]);
    assert_eq!(code, 0);
    says(&data, "identity", "ok", "its token is at hand");
    assert!(!data.to_string().contains(token));
}

#[test]
fn an_identity_without_a_store_is_told_how_to_register() {
    let world = World::new();
    let (code, data) = doctor(&world, &["--agent", "zinc-yak"], &[]);
    assert_eq!(code, 0);
    says(&data, "identity", "warning", "there is no store yet");
    assert_eq!(check(&data, "identity")["hint"], "bb register --name zinc-yak --role ROLE");
}

#[test]
fn a_wrong_configuration_is_a_problem() {
    let world = World::with_two_agents();
    let file = world.path("config.toml");
    fs::write(&file, "max_extension = \"soon\"").unwrap();
    let (code, data) = doctor(&world, &[], &[("BB_CONFIG", file.to_str().unwrap())]);
    assert_eq!(code, 78);
    says(&data, "configuration", "problem", "max_extension");
    fs::write(&file, "max_extension = 30").unwrap();
    let (code, data) = doctor(&world, &[], &[("BB_CONFIG", file.to_str().unwrap())]);
    assert_eq!(code, 0);
    says(&data, "configuration", "ok", &format!("1 of {} values", bb_agent::settings::KEYS.len()));
    let (code, data) = doctor(&world, &[], &[("BB_STORE", "relative.db")]);
    assert_eq!(code, 78);
    says(&data, "store", "problem", "it is not absolute");
    says(&data, "permissions", "not-checked", "not known");
}

#[test]
fn a_damaged_store_is_named_and_left_alone() {
    let world = World::new();
    fs::create_dir(world.path("store")).unwrap();
    set_mode(&world.path("store"), 0o700);
    let damage =
        "not a database, and longer than the header of one, so that nobody takes it for empty".repeat(9);
    fs::write(world.store(), &damage).unwrap();
    set_mode(&world.store(), 0o600);
    let (code, data) = doctor(&world, &["--fix", "--agent", "zinc-yak"], &[]);
    assert_eq!(code, 69);
    assert_eq!(check(&data, "store")["code"], "STORE_CORRUPT");
    let hint = check(&data, "store")["hint"].as_str().unwrap();
    assert!(hint.contains("bb export --backup") && !hint.contains("bb doctor"), "{hint}");
    says(&data, "identity", "not-checked", "the store was not opened");
    says(&data, "permissions", "ok", "yours alone");
    says(&data, "integrity", "not-checked", "the store was not opened");
    assert_eq!(fs::read_to_string(world.store()).unwrap(), damage);
}

#[test]
fn an_empty_store_is_what_the_next_command_begins_with() {
    let world = World::new();
    fs::create_dir(world.path("store")).unwrap();
    set_mode(&world.path("store"), 0o700);
    fs::write(world.store(), "").unwrap();
    set_mode(&world.store(), 0o600);
    for flags in [&["--agent", "zinc-yak"][..], &["--fix", "--agent", "zinc-yak"]] {
        let (code, data) = doctor(&world, flags, &[]);
        assert_eq!(code, 0, "{data}");
        says(&data, "store", "ok", "is empty; the next command begins it");
        says(&data, "identity", "not-checked", "the store is empty");
        for name in ["clock", "journal", "handshakes"] {
            says(&data, name, "not-checked", "the store is empty");
        }
        assert_eq!(fs::metadata(world.store()).unwrap().len(), 0);
    }
    world.register("zinc-yak", "backend");
    says(&doctor(&world, &["--agent", "zinc-yak"], &[]).1, "identity", "ok", "is registered");
}

#[test]
fn what_lies_in_an_older_store_is_not_judged_by_what_a_newer_one_has() {
    let world = World::with_two_agents();
    let store = rusqlite::Connection::open(world.store()).unwrap();
    store.execute_batch("DROP TABLE handoffs; PRAGMA user_version = 5").unwrap();
    let (_, data) = doctor(&world, &["--agent", "lead-one"], &[]);
    says(&data, "identity", "not-checked", "the store is older");
    says(&data, "handshakes", "not-checked", "the store is older");
}

#[test]
fn what_is_damaged_is_named_with_its_file() {
    let world = World::with_two_agents();
    let store = rusqlite::Connection::open(world.store()).unwrap();
    store.execute_batch("PRAGMA foreign_keys = OFF; DROP TABLE events; DROP TABLE handshakes").unwrap();
    let (code, data) = doctor(&world, &[], &[]);
    assert_eq!(code, 69);
    for name in ["clock", "handshakes"] {
        says(&data, name, "problem", &world.store().display().to_string());
        assert!(check(&data, name)["hint"].as_str().unwrap().contains("restore a backup"), "{data}");
    }
}

#[test]
fn folders_beside_the_store_are_looked_at_and_closed() {
    let world = World::with_two_agents();
    for name in ["archive", "handoffs"] {
        let folder = world.path("store").join(name);
        fs::create_dir(&folder).unwrap();
        set_mode(&folder, 0o755);
        says(&doctor(&world, &[], &[]).1, "permissions", "problem", &format!("{name}` has permissions 0755"));
        says(&doctor(&world, &["--fix"], &[]).1, "permissions", "ok", "yours alone");
        assert_eq!(mode(&folder), 0o700);
    }
}

#[test]
fn a_store_of_a_newer_bb_is_a_problem() {
    let world = World::with_two_agents();
    rusqlite::Connection::open(world.store()).unwrap().execute_batch("PRAGMA user_version = 999").unwrap();
    let (code, data) = doctor(&world, &[], &[]);
    assert_eq!((code, &check(&data, "store")["code"]), (69, &Value::from("STORE_VERSION")));
}

#[test]
fn a_link_or_a_stranger_s_file_is_not_opened() {
    let world = World::with_two_agents();
    let link = world.path("link.db");
    std::os::unix::fs::symlink(world.store(), &link).unwrap();
    let (code, data) = doctor(&world, &[], &[("BB_STORE", link.to_str().unwrap())]);
    assert_eq!((code, &check(&data, "store")["code"]), (77, &Value::from("STORE_FORBIDDEN")));
    says(&data, "integrity", "not-checked", "the store was not opened");
    if std::os::unix::fs::chown(world.store(), Some(12_345), None).is_err() {
        eprintln!("NOT RUN: only root can give a file away");
        return;
    }
    let (code, data) = doctor(&world, &["--fix"], &[]);
    assert_eq!(code, 77);
    says(&data, "store", "problem", "it belongs to another user");
    says(&data, "permissions", "problem", "belongs to another user");
    assert_eq!(data["mended"], Value::Array(Vec::new()));
}

#[test]
fn open_permissions_are_found_and_closed_when_asked() {
    let world = World::with_two_agents();
    set_mode(&world.store(), 0o644);
    set_mode(&world.path("store"), 0o755);
    let (code, data) = doctor(&world, &[], &[]);
    assert_eq!((code, &check(&data, "permissions")["code"]), (77, &Value::from("STORE_FORBIDDEN")));
    says(&data, "permissions", "problem", "has permissions 0644, not 0600");
    assert_eq!(check(&data, "permissions")["hint"], "bb doctor --fix");
    assert_eq!(mode(&world.store()), 0o644);
    let (code, data) = doctor(&world, &["--fix"], &[]);
    assert_eq!(code, 0);
    says(&data, "permissions", "ok", "yours alone");
    assert_eq!(data["mended"].as_array().unwrap().len(), 2);
    assert_eq!((mode(&world.store()), mode(&world.path("store"))), (0o600, 0o700));
    assert_eq!(doctor(&world, &["--fix"], &[]).1["mended"], Value::Array(Vec::new()));
}

#[test]
fn a_folder_that_holds_other_things_is_warned_of_and_left_open() {
    let world = World::with_two_agents();
    set_mode(&world.path("store"), 0o755);
    fs::write(world.path("store/notes.txt"), "").unwrap();
    let (code, data) = doctor(&world, &["--fix"], &[]);
    assert_eq!(code, 0);
    says(&data, "permissions", "warning", "has permissions 0755, not 0700");
    assert!(check(&data, "permissions")["hint"].as_str().unwrap().contains("a folder of its own"));
    assert_eq!(mode(&world.path("store")), 0o755);
}

#[test]
fn what_sqlite_complains_of_is_a_problem() {
    let world = World::with_two_agents();
    let store = rusqlite::Connection::open(world.store()).unwrap();
    store
        .execute_batch(
            "PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE name = 'messages_by_thread'",
        )
        .unwrap();
    drop(store);
    let (code, data) = doctor(&world, &[], &[]);
    assert_eq!((code, &check(&data, "integrity")["code"]), (69, &Value::from("STORE_CORRUPT")));
    says(&data, "integrity", "problem", "never used");
    says(&data, "store", "ok", "can be opened");
}

#[test]
fn the_journal_is_returned_to_what_it_should_be() {
    let world = World::with_two_agents();
    let store = rusqlite::Connection::open(world.store()).unwrap();
    store.query_row("PRAGMA journal_mode = DELETE", [], |_| Ok(())).unwrap();
    drop(store);
    let (code, data) = doctor(&world, &[], &[]);
    assert_eq!(code, 0);
    says(&data, "journal", "warning", "the journal is `delete`");
    let (_, data) = doctor(&world, &["--fix"], &[]);
    says(&data, "journal", "ok", "write-ahead log");
    assert_eq!(data["mended"][0]["check"], "journal");
}

#[test]
fn bells_of_dead_processes_are_taken_down() {
    let world = World::with_two_agents();
    let folder = world.path("store/bb.db-bells/0123456789ab");
    fs::DirBuilder::new().recursive(true).create(&folder).unwrap();
    set_mode(&world.path("store/bb.db-bells"), 0o700);
    drop(UnixDatagram::bind(folder.join("1.0")).unwrap());
    let alive = UnixDatagram::bind(folder.join("2.0")).unwrap();
    let (code, data) = doctor(&world, &[], &[]);
    assert_eq!(code, 0);
    says(&data, "bells", "warning", "left its socket behind");
    let (_, data) = doctor(&world, &["--fix"], &[]);
    says(&data, "bells", "ok", "no command");
    assert!(!folder.join("1.0").exists() && folder.join("2.0").exists());
    alive.set_nonblocking(true).unwrap();
    assert!(alive.recv(&mut [0; 8]).is_err(), "looking rang a bell");
}

#[test]
fn every_archived_event_is_read() {
    let world = World::with_two_agents();
    world.bb(["state", "amber-otter", "stuck"]).ok();
    world.bb(["archive", "--older-than", "0"]).ok();
    let data = world.bb(["doctor", "--json"]).data();
    says(&data, "archive", "ok", "every event was read: 2, in files: 1");
    let file = world.path("store/archive/events.20260304-001122.jsonl.gz");
    std::fs::write(&file, "").unwrap();
    let data = world.bb(["doctor", "--json"]).data();
    says(&data, "archive", "problem", "events.20260304-001122.jsonl.gz` is damaged: it has 0 of its");
}

#[test]
fn a_clock_behind_the_record_is_warned_of() {
    let world = World::with_two_agents();
    let (code, data) = doctor(&world, &[], &[("BB_NOW", "2026-03-03T00:11:22.000Z")]);
    assert_eq!(code, 0);
    says(&data, "clock", "warning", "1d ahead of the clock");
}

/// B28
#[test]
fn the_delegate_in_a_variable_is_judged() {
    let world = World::with_two_agents();
    let path = programs(&world, "");
    let with = |name: &str, value: &str| doctor(&world, &[], &[("PATH", &path), (name, value)]).1;
    says(&with("BEADS_MAIL_DELEGATE", "bb mail"), "delegate", "ok", "`bb mail` (from BEADS_MAIL_DELEGATE)");
    let whole_path = format!("{} mail", env!("CARGO_BIN_EXE_bb"));
    says(&with("BD_MAIL_DELEGATE", &whole_path), "delegate", "ok", "from BD_MAIL_DELEGATE");
    let other = with("BD_MAIL_DELEGATE", "node /x/bb-mail-shim.mjs");
    says(&other, "delegate", "warning", "which is not bb");
    assert_eq!(check(&other, "delegate")["hint"], "unset BD_MAIL_DELEGATE, or set it to: bb mail");
    says(&with("BEADS_MAIL_DELEGATE", "/nowhere/bb mail"), "delegate", "warning", "is not found");
    fs::remove_file(world.path("programs/bb")).unwrap();
    says(&with("BEADS_MAIL_DELEGATE", "bb mail"), "delegate", "warning", "`bb` is not found");
    fs::copy("/bin/sh", world.path("programs/bb")).unwrap();
    says(&with("BEADS_MAIL_DELEGATE", "bb mail"), "delegate", "warning", "another program than this bb");
}

/// B28
#[test]
fn the_delegate_of_an_older_workspace_is_read() {
    for (delegate, status, words) in [
        (Some("bb mail"), "ok", "beads.db"),
        (None, "warning", "no delegate in"),
        (Some("gt mail"), "warning", "`bd mail` runs `gt mail`, which is not bb"),
    ] {
        let world = World::with_two_agents();
        let path = programs(&world, "");
        let file = beads_workspace(&world, delegate);
        let before = fs::read(&file).unwrap();
        let inner = world.work().join("deep/inside");
        fs::create_dir_all(&inner).unwrap();
        let mut command = world.command(["doctor", "--json"]);
        let run = Run::of(command.env("PATH", &path).current_dir(&inner).output().unwrap()).ok();
        says(&run.data(), "delegate", status, words);
        if status == "warning" {
            assert_eq!(check(&run.data(), "delegate")["hint"], "bd config set mail.delegate \"bb mail\"");
        }
        assert_eq!(fs::read(&file).unwrap(), before);
    }
}

#[test]
fn what_is_no_database_of_beads_is_not_checked() {
    let world = World::with_two_agents();
    fs::create_dir(world.work().join(".beads")).unwrap();
    fs::write(world.work().join(".beads/beads.db"), "x".repeat(2_000)).unwrap();
    let (code, data) = doctor(&world, &[], &[]);
    assert_eq!(code, 0);
    says(&data, "delegate", "not-checked", "beads.db");
}

/// B33
#[test]
fn a_missing_delegate_or_the_shim_is_repaired_when_asked() {
    for delegate in [None, Some("node /home/me/skills/bb-mail-shim.mjs")] {
        let world = World::with_two_agents();
        let path = programs(&world, "unchanged");
        beads_workspace(&world, delegate);
        doctor(&world, &[], &[("PATH", &path)]);
        assert_eq!(fs::read_to_string(world.path("programs/delegate")).unwrap(), "unchanged");
        let (_, data) = doctor(&world, &["--fix"], &[("PATH", &path)]);
        assert_eq!(fs::read_to_string(world.path("programs/delegate")).unwrap(), "bb mail");
        let folder = fs::read_to_string(world.path("programs/delegate.folder")).unwrap();
        assert_eq!(Path::new(folder.trim()), world.work().canonicalize().unwrap());
        assert_eq!(data["mended"][0]["check"], "delegate", "{data}");
    }
}

/// B33
#[test]
fn another_mail_program_is_left_in_place() {
    let world = World::with_two_agents();
    let path = programs(&world, "unchanged");
    beads_workspace(&world, Some("gt mail"));
    let (_, data) = doctor(&world, &["--fix"], &[("PATH", &path)]);
    assert_eq!(fs::read_to_string(world.path("programs/delegate")).unwrap(), "unchanged");
    says(&data, "delegate", "warning", "gt mail");
}

/// B33
#[test]
fn a_workspace_only_bd_can_read_is_asked_for_only_when_fixing() {
    let world = World::with_two_agents();
    let path = programs(&world, "");
    fs::create_dir_all(world.work().join(".beads/embeddeddolt")).unwrap();
    let (_, data) = doctor(&world, &[], &[("PATH", &path)]);
    says(&data, "delegate", "not-checked", "only bd can read");
    assert!(check(&data, "delegate")["hint"].as_str().unwrap().contains("bd config get mail.delegate"));
    let (_, data) = doctor(&world, &["--fix"], &[("PATH", &path)]);
    says(&data, "delegate", "ok", "`bb mail` (from bd config)");
    assert_eq!(data["mended"][0]["check"], "delegate");
    let (_, data) = doctor(&world, &["--fix"], &[("PATH", &path)]);
    assert_eq!(data["mended"], Value::Array(Vec::new()));
    let (_, data) = doctor(&world, &["--fix"], &[("PATH", "/usr/bin:/bin")]);
    says(&data, "delegate", "not-checked", "only bd can read");
}

/// B33
#[test]
fn what_bd_only_says_it_set_is_not_called_mended() {
    let world = World::with_two_agents();
    let path = programs(&world, "");
    fs::create_dir_all(world.work().join(".beads/embeddeddolt")).unwrap();
    let deaf = "#!/bin/sh\n[ \"$2\" = get ] && echo '{\"key\":\"mail.delegate\",\"value\":\"\"}'\nexit 0\n";
    fs::write(world.path("programs/bd"), deaf).unwrap();
    let (_, data) = doctor(&world, &["--fix"], &[("PATH", &path)]);
    assert_eq!(data["mended"], Value::Array(Vec::new()));
    says(&data, "delegate", "warning", "no delegate in bd config");
}

#[test]
fn a_bd_that_never_answers_is_ended() {
    let world = World::with_two_agents();
    let path = programs(&world, "");
    fs::create_dir_all(world.work().join(".beads/embeddeddolt")).unwrap();
    let alive = world.path("alive");
    let slow = format!("#!/bin/sh\nsleep 100 & echo $! > {0}\nwait\n", alive.display());
    fs::write(world.path("programs/bd"), slow).unwrap();
    let begun = std::time::Instant::now();
    let (code, data) = doctor(&world, &["--fix"], &[("PATH", &path)]);
    assert!(begun.elapsed().as_secs() < 60, "{:?}", begun.elapsed());
    assert_eq!(code, 0);
    says(&data, "delegate", "not-checked", "bd gave no answer within 5 s and was ended");
    let started = fs::read_to_string(alive).unwrap();
    let ended = || !Path::new("/proc").join(started.trim()).join("exe").exists();
    assert!((0..500).any(|_| ended() || {
        std::thread::sleep(std::time::Duration::from_millis(10));
        false
    }));
}

#[test]
fn every_door_leads_to_the_doctor() {
    let world = World::new();
    for door in ["agent", "mail"] {
        assert_eq!(world.json([door, "doctor"]), world.json(["doctor"]));
    }
}
