//! `import`: what BeadBoard's agents share, taken over any number of times.

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde_json::{Value, json};

use crate::common::{World, replay};

/// A BeadBoard store on disk, as its own tools write it.
struct Board {
    root: PathBuf,
}

impl Board {
    /// An empty store where BeadBoard keeps it.
    fn new(world: &World) -> Self {
        Self { root: world.path("home/.beadboard/agent") }
    }

    fn write(&self, file: &str, text: &str) -> &Self {
        let path = self.root.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    fn append(&self, file: &str, text: &str) -> &Self {
        let before = fs::read_to_string(self.root.join(file)).unwrap_or_default();
        self.write(file, &format!("{before}{text}"))
    }

    fn agent(&self, id: &str, role: &str) -> &Self {
        let record = json!({"agent_id": id, "display_name": format!("The {id}"), "role": role, "status": "idle",
            "created_at": "2026-02-13T23:55:00.000Z", "last_seen_at": "2026-02-14T00:05:00.000Z", "version": 2});
        self.write(&format!("agents/{id}.json"), &format!("{record:#}\n"))
    }

    /// A line in the recipient's inbox, without the file that follows it.
    fn line(&self, message: &Value) -> &Self {
        self.append(
            &format!("messages/{}.jsonl", message["to_agent"].as_str().unwrap()),
            &format!("{message}\n"),
        )
    }

    fn index(&self, message: &Value) -> &Self {
        let file = format!("messages/index/{}.json", message["message_id"].as_str().unwrap());
        self.write(&file, &format!("{message:#}\n"))
    }

    /// A message as sending leaves it.
    fn message(&self, message: &Value) -> &Self {
        self.line(message).index(message)
    }

    /// Every file with its content and its time.
    fn everything(&self) -> BTreeMap<PathBuf, (Vec<u8>, SystemTime)> {
        fn collect(folder: &Path, found: &mut BTreeMap<PathBuf, (Vec<u8>, SystemTime)>) {
            for entry in fs::read_dir(folder).unwrap().flatten() {
                let changed = entry.metadata().unwrap().modified().unwrap();
                if entry.path().is_dir() {
                    found.insert(entry.path(), (Vec::new(), changed));
                    collect(&entry.path(), found);
                } else {
                    found.insert(entry.path(), (fs::read(entry.path()).unwrap(), changed));
                }
            }
        }
        let mut found = BTreeMap::new();
        collect(&self.root, &mut found);
        found
    }
}

fn message(id: &str, from: &str, to: &str, minute: u32) -> Value {
    json!({"message_id": id, "thread_id": "bead:bb-dcv.6", "bead_id": "bb-dcv.6", "from_agent": from,
        "to_agent": to, "category": "HANDOFF", "subject": format!("subject of {id}"), "body": "please\nvalidate",
        "state": "unread", "requires_ack": true, "created_at": format!("2026-02-14T00:{minute:02}:00.000Z"),
        "read_at": null, "acked_at": null})
}

fn with(mut message: Value, changes: Value) -> Value {
    message.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    message
}

fn reservation(id: &str, agent: &str, state: &str) -> Value {
    json!({"reservation_id": id, "scope": "/home/me/project/src/*", "agent_id": agent, "bead_id": "bb-1",
        "state": state, "created_at": "2026-02-14T00:01:00.123Z", "expires_at": "2026-02-14T02:01:00.123Z",
        "released_at": null})
}

/// Two agents and three messages, one of them read and one acked.
fn small(world: &World) -> Board {
    let board = Board::new(world);
    let (one, two, three) = (
        message("msg_20260214_000100_7f3c", "agent-ui-1", "agent-graph-1", 1),
        message("msg_20260214_000200.123Z_abcd", "agent-graph-1", "agent-ui-1", 2),
        message("msg_20260214_000300123_0b1e_agent-ui-1", "agent-graph-1", "agent-ui-1", 3),
    );
    board.agent("agent-ui-1", "ui").agent("agent-graph-1", "graph");
    board.message(&one).message(&two).line(&three);
    board.index(&with(two, json!({"state": "read", "read_at": "2026-02-14T00:02:30.000Z"})));
    board.index(&with(
        three,
        json!({"state": "acked", "read_at": "2026-02-14T00:03:10.000Z", "acked_at": "2026-02-14T00:03:20.000Z"}),
    ));
    board
}

fn counts(report: &Value) -> [u64; 6] {
    let count = |kind: &str, key: &str| report[kind][key].as_u64().unwrap();
    [
        count("agents", "imported"),
        count("agents", "derived"),
        count("agents", "already_there"),
        count("messages", "imported"),
        count("messages", "advanced"),
        count("messages", "already_there"),
    ]
}

fn skipped(report: &Value, kind: &str) -> Vec<String> {
    let text = |it: &Value| {
        let line = it["line"].as_u64().map(|line| format!(":{line}")).unwrap_or_default();
        format!("{}{line}: {}", it["file"].as_str().unwrap(), it["reason"].as_str().unwrap())
    };
    report[kind]["skipped"].as_array().unwrap().iter().map(text).collect()
}

/// Insists that exactly these things were skipped, each named by the beginning of its report.
#[track_caller]
fn assert_skipped(report: &Value, kind: &str, expected: &[&str]) {
    let skipped = skipped(report, kind);
    assert_eq!(skipped.len(), expected.len(), "{skipped:#?}");
    for (said, expected) in skipped.iter().zip(expected) {
        assert!(said.starts_with(expected), "{said:?} does not begin with {expected:?}");
    }
}

#[test]
fn agents_and_messages_keep_their_ids_and_times() {
    let world = World::new();
    small(&world);
    let report = world.json(["import"]);
    assert_eq!(counts(&report), [2, 0, 0, 3, 0, 0]);
    let agent = world.json(["show", "agent-ui-1"]);
    assert_eq!((&agent["display_name"], &agent["role"]), (&json!("The agent-ui-1"), &json!("ui")));
    assert_eq!(agent["created_at"], "2026-02-13T23:55:00.000Z");
    assert_eq!(agent["last_seen_at"], "2026-02-14T00:05:00.000Z");
    let inbox = world.json(["inbox", "--agent", "agent-ui-1"]);
    let seen: Vec<_> = inbox
        .as_array()
        .unwrap()
        .iter()
        .map(|it| {
            [&it["message_id"], &it["state"], &it["created_at"], &it["read_at"], &it["acked_at"]]
                .map(Value::clone)
        })
        .collect();
    assert_eq!(
        json!(seen),
        json!([
            [
                "msg_20260214_000300123_0b1e_agent-ui-1",
                "acked",
                "2026-02-14T00:03:00.000Z",
                "2026-02-14T00:03:10.000Z",
                "2026-02-14T00:03:20.000Z"
            ],
            [
                "msg_20260214_000200.123Z_abcd",
                "read",
                "2026-02-14T00:02:00.000Z",
                "2026-02-14T00:02:30.000Z",
                null
            ],
        ])
    );
    let first = world.json(["show", "msg_20260214_000100_7f3c"]);
    assert_eq!(first["body"], "please\nvalidate");
    assert_eq!((&first["requires_ack"], &first["verified"]), (&json!(true), &json!(false)));
    assert_eq!(first["ack_due_at"], Value::Null);
    world.bb(["ack", "--agent", "agent-graph-1", "7f3c"]).ok();
}

#[test]
fn a_second_run_changes_nothing() {
    let world = World::new();
    small(&world);
    world.bb(["import"]).ok();
    let before = world.json(["inbox", "--agent", "agent-ui-1", "--after", "0"]);
    let again = world.json(["import"]);
    assert_eq!(counts(&again), [0, 0, 2, 0, 0, 3]);
    assert_eq!(world.json(["inbox", "--agent", "agent-ui-1", "--after", "0"]), before);
}

#[test]
fn what_has_moved_on_here_stays_and_what_moved_on_there_follows() {
    let world = World::new();
    let board = small(&world);
    world.bb(["import"]).ok();
    world.bb(["register", "--name", "agent-ui-1", "--role", "design", "--force-update"]).ok();
    world.bb(["ack", "--agent", "agent-graph-1", "7f3c"]).ok();
    let acked_here = world.json(["show", "msg_20260214_000100_7f3c"]);
    let read_there = message("msg_20260214_000200.123Z_abcd", "agent-graph-1", "agent-ui-1", 2);
    board.index(&with(
        read_there,
        json!({"state": "acked", "read_at": "2026-02-14T09:00:00.000Z", "acked_at": "2026-02-14T09:00:00.000Z"}),
    ));
    let report = world.json(["import"]);
    assert_eq!(counts(&report), [0, 0, 2, 0, 1, 2]);
    assert_eq!(world.json(["show", "msg_20260214_000100_7f3c"]), acked_here);
    assert_eq!(world.json(["show", "agent-ui-1"])["role"], "design");
    let moved = world.json(["show", "msg_20260214_000200.123Z_abcd"]);
    assert_eq!(moved["state"], "acked");
    assert_eq!(moved["read_at"], "2026-02-14T00:02:30.000Z", "a time once set never changes");
    assert_eq!(moved["acked_at"], "2026-02-14T09:00:00.000Z");
}

#[test]
fn a_dry_run_says_the_same_and_does_nothing() {
    let world = World::new();
    small(&world);
    let foretold = world.json(["import", "--dry-run"]);
    assert_eq!(counts(&foretold), [2, 0, 0, 3, 0, 0]);
    assert_eq!(foretold["dry_run"], true);
    assert!(!world.path("store").exists());
    world.bb(["import"]).ok();
    let listed = world.bb(["list", "--json"]).stdout;
    assert_eq!(counts(&world.json(["import", "--dry-run"])), [0, 0, 2, 0, 0, 3]);
    assert_eq!(world.bb(["list", "--json"]).stdout, listed);
}

#[test]
fn the_source_is_never_written_to() {
    let world = World::new();
    let board = small(&world);
    board.write("reservations/.lock", "4242").write("reservations/active.json.tmp-1-2", "{");
    let before = board.everything();
    for path in before.keys() {
        let mode = if path.is_dir() { 0o555 } else { 0o444 };
        fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    }
    assert_eq!(counts(&world.json(["import", "--dry-run"])), [2, 0, 0, 3, 0, 0]);
    assert_eq!(counts(&world.json(["import"])), [2, 0, 0, 3, 0, 0]);
    assert_eq!(board.everything(), before);
    for path in before.keys().filter(|path| path.is_dir()) {
        fs::set_permissions(path, Permissions::from_mode(0o755)).unwrap();
    }
}

#[test]
fn a_torn_line_is_reported_and_the_rest_is_taken_over() {
    let world = World::new();
    let board = small(&world);
    let whole = message("msg_20260214_000400_late", "agent-ui-1", "agent-graph-1", 4);
    let torn: String = whole.to_string().chars().take(70).collect();
    board.append("messages/agent-graph-1.jsonl", &format!("{torn}\n\n{whole}\nnot json\n{torn}"));
    let report = world.json(["import"]);
    assert_eq!(report["messages"]["imported"], 4);
    assert_skipped(
        &report,
        "messages",
        &[
            "messages/agent-graph-1.jsonl:2: is not what BeadBoard writes: EOF",
            "messages/agent-graph-1.jsonl:5: is not what BeadBoard writes: expected",
            "messages/agent-graph-1.jsonl:6: is not what BeadBoard writes: EOF",
        ],
    );
}

#[test]
fn the_index_wins_and_a_corrupt_one_leaves_the_line_in_force() {
    let world = World::new();
    let board = small(&world);
    board.write("messages/index/msg_20260214_000100_7f3c.json", "{\"message_id\": \"msg_2026");
    board.write("messages/index/msg_20260214_000500_gone.json", "");
    let renamed = message("msg_20260214_000600_name", "agent-ui-1", "agent-graph-1", 6);
    board.write("messages/index/msg_20260214_000600_other.json", &renamed.to_string());
    let alone = message("msg_20260214_000700_alone", "agent-ui-1", "agent-graph-1", 7);
    board.index(&alone);
    let report = world.json(["import"]);
    assert_eq!(report["messages"]["imported"], 4);
    assert_eq!(world.json(["show", "msg_20260214_000100_7f3c"])["state"], "unread");
    assert_eq!(
        world.json(["show", "msg_20260214_000700_alone"])["subject"],
        "subject of msg_20260214_000700_alone"
    );
    assert_skipped(
        &report,
        "messages",
        &[
            "messages/index/msg_20260214_000100_7f3c.json: is not what BeadBoard writes",
            "messages/index/msg_20260214_000500_gone.json: is not what BeadBoard writes",
            "messages/index/msg_20260214_000600_other.json: holds the message `msg_20260214_000600_name`",
        ],
    );
    let said = skipped(&report, "messages");
    assert!(said[0].ends_with("; the line in the inbox counts") && !said[1].ends_with("counts"), "{said:?}");
    board.index(&with(
        message("msg_20260214_000100_7f3c", "agent-ui-1", "agent-graph-1", 1),
        json!({"state": "read", "read_at": "2026-02-14T01:00:00.000Z"}),
    ));
    assert_eq!(world.json(["import"])["messages"]["advanced"], 1, "once mended, the index counts again");
}

#[test]
fn agents_without_a_file_come_from_what_names_them() {
    let world = World::new();
    let board = Board::new(&world);
    board.message(&message("msg_20260214_000100_7f3c", "agent-ui-1", "agent-graph-1", 1));
    let answered = message("msg_20260214_000200_7f3d", "agent-graph-1", "agent-ui-1", 2);
    board.message(&with(answered, json!({"state": "read", "read_at": "2026-02-14T00:30:00.000Z"})));
    board.write(
        "reservations/active.json",
        &json!([reservation("res_1", "agent-lone-1", "active")]).to_string(),
    );
    let report = world.json(["import"]);
    assert_eq!(counts(&report), [3, 3, 0, 2, 0, 0]);
    let agent = world.json(["show", "agent-ui-1"]);
    assert_eq!((&agent["role"], &agent["display_name"]), (&json!("unknown"), &json!("agent-ui-1")));
    assert_eq!(agent["created_at"], "2026-02-14T00:01:00.000Z");
    assert_eq!(agent["last_seen_at"], "2026-02-14T00:30:00.000Z");
    assert_eq!(world.json(["show", "agent-lone-1"])["last_seen_at"], "2026-02-14T00:01:00.123Z");
}

#[test]
fn what_bb_does_not_allow_is_skipped_with_its_reason() {
    let world = World::new();
    let board = small(&world);
    board.agent("Agent_Odd", "ui").write("agents/broken.json", "{").write("agents/notes.txt", "ignored");
    board.write("agents/.json.swp", "ignored");
    let valid = || message("msg_20260214_000400_odd", "agent-ui-1", "agent-graph-1", 4);
    board.line(&with(valid(), json!({"from_agent": "team/ui#1"})));
    board.line(&with(valid(), json!({"category": "RESUME"})));
    board.line(&with(valid(), json!({"subject": "  "})));
    board.line(&with(valid(), json!({"message_id": "msg;rm"})));
    board.line(&with(valid(), json!({"created_at": "today"})));
    board.line(&with(valid(), json!({"body": "x".repeat(1_048_577)})));
    board.line(&with(valid(), json!({"bead_id": "bb\n1"})));
    board.write("messages/team/ui.jsonl", "{}");
    let report = world.json(["import"]);
    assert_skipped(
        &report,
        "agents",
        &[
            "agents/Agent_Odd.json: `Agent_Odd` is not an agent id",
            "agents/broken.json: is not what BeadBoard writes",
        ],
    );
    assert_skipped(
        &report,
        "messages",
        &[
            "messages/team: a folder",
            "messages/agent-graph-1.jsonl:2: `team/ui#1` is not an agent id",
            "messages/agent-graph-1.jsonl:3: `RESUME` is not a category",
            "messages/agent-graph-1.jsonl:4: the subject is empty",
            "messages/agent-graph-1.jsonl:5: `msg;rm` is not a message id",
            "messages/agent-graph-1.jsonl:6: `today` is not a time",
            "messages/agent-graph-1.jsonl:7: the body has 1048577 bytes",
            "messages/agent-graph-1.jsonl:8: the bead",
        ],
    );
    assert_eq!(counts(&report), [2, 0, 0, 3, 0, 0]);
}

#[test]
fn lines_that_are_no_text_are_skipped_alone() {
    let world = World::new();
    let board = small(&world);
    let file = board.root.join("messages/agent-graph-1.jsonl");
    let mut bytes = fs::read(&file).unwrap();
    bytes.extend(b"\xff\xfe\n");
    fs::write(&file, bytes).unwrap();
    let report = world.json(["import"]);
    assert_eq!(report["messages"]["imported"], 3);
    assert_skipped(&report, "messages", &["messages/agent-graph-1.jsonl:2: is not valid UTF-8"]);
}

#[test]
fn a_message_that_is_here_under_the_same_id_is_not_overwritten() {
    let world = World::new();
    let board = small(&world);
    world.bb(["import"]).ok();
    let other = message("msg_20260214_000100_7f3c", "agent-graph-1", "agent-ui-1", 9);
    board.write("messages/agent-graph-1.jsonl", "").write("messages/agent-ui-1.jsonl", &other.to_string());
    board.index(&other);
    let report = world.json(["import"]);
    assert_skipped(
        &report,
        "messages",
        &["messages/index/msg_20260214_000100_7f3c.json: another message has the id"],
    );
    assert_eq!(world.json(["show", "msg_20260214_000100_7f3c"])["from_agent"], "agent-ui-1");
}

#[test]
fn reservations_are_read_from_both_files_and_counted_once() {
    let world = World::new();
    let board = small(&world);
    let held = json!({"reservations": [
        reservation("res_20260214_000100.123Z_e1a4", "agent-ui-1", "active"),
        reservation("res_20260214_000200.123Z_e1a5", "agent-graph-1", "active"),
        reservation("res_odd", "Odd", "active"),
    ]});
    board.write("reservations/active.json", &format!("{held:#}\n"));
    let ended = reservation("res_20260214_000200.123Z_e1a5", "agent-graph-1", "released");
    let expired = reservation("res_20260213_000000_expire", "agent-ui-1", "expired");
    board.write("reservations/history.jsonl", &format!("{ended}\n{expired}\n{{\"torn"));
    let report = world.json(["import"]);
    assert_eq!(
        (&report["reservations"]["found"], &report["reservations"]["imported"]),
        (&json!(3), &json!(3))
    );
    let held = world.json(["status"]);
    let ids = |key: &str| -> Vec<_> {
        held[key]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| it["reservation_id"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(ids("expired_reservations"), ["res_20260214_000100.123Z_e1a4"], "{held}");
    assert!(ids("reservations").is_empty(), "{held}");
    let again = world.json(["import"]);
    assert_eq!(
        (&again["reservations"]["imported"], &again["reservations"]["already_there"]),
        (&json!(0), &json!(3))
    );
    assert_skipped(
        &report,
        "reservations",
        &[
            "reservations/active.json: `Odd` is not an agent id",
            "reservations/history.jsonl:3: is not what BeadBoard writes",
        ],
    );
    board.write("reservations/active.json", "{\"reservations\": [");
    assert_skipped(
        &world.json(["import", "--dry-run"]),
        "reservations",
        &["reservations/active.json: is not what", "reservations/history.jsonl:3: is not what"],
    );
    board.write("reservations/active.json", "{\"other\": 1}");
    assert_eq!(world.json(["import", "--dry-run"])["reservations"]["found"], 2);
}

#[test]
fn a_reservation_lies_in_the_project_at_hand_and_never_beside_one_that_is_held() {
    let world = World::new();
    let board = small(&world);
    fs::create_dir(world.work().join("src")).unwrap();
    let later = |id: &str, agent: &str, scope: String| {
        with(
            reservation(id, agent, "active"),
            json!({"scope": scope, "expires_at": "2026-03-04T02:00:00.000Z"}),
        )
    };
    let inside = world.work().join("src/a.rs").display().to_string();
    let over = json!({"scope": "old/**", "expires_at": "2026-02-14T01:00:00.000Z"});
    let held = json!({"reservations": [
        later("res_20260214_000100.123Z_e1a4", "agent-ui-1", inside),
        later("res_20260214_000100.123Z_e1a5", "agent-graph-1", "docs/one.md".to_owned()),
        later("res_20260214_000100.123Z_e1a6", "agent-graph-1", "src/**".to_owned()),
        with(reservation("res_20260214_000100.123Z_e1a7", "agent-ui-1", "active"), over),
        later("res_20260214_000100.123Z_e1a8", "agent-graph-1", "old/x".to_owned()),
    ]});
    board.write("reservations/active.json", &held.to_string());
    world.register("holder-one", "r");
    world.bb(["reserve", "--agent", "holder-one", "--scope", "docs", "--bead", "b"]).ok();
    let foretold = world.json(["import", "--dry-run"]);
    let report = world.json(["import"]);
    assert_eq!(foretold["reservations"], report["reservations"]);
    assert_skipped(
        &report,
        "reservations",
        &[
            "reservations/active.json: `docs/one.md` overlaps `docs`, which `holder-one` holds here",
            "reservations/active.json: `src/**` overlaps `src/a.rs`, which `agent-ui-1` holds here",
        ],
    );
    world
        .bb(["reserve", "--agent", "holder-one", "--scope", "src/a.rs", "--bead", "b"])
        .fails("RESERVATION_STALE_FOUND", 75);
}

#[test]
fn what_was_imported_can_be_told_again_from_its_events() {
    let world = World::new();
    small(&world);
    world.bb(["import"]).ok();
    let told = replay::told(&world);
    assert_eq!(told, replay::held(&world));
    assert_eq!(told.messages.len(), 3);
}

#[test]
fn every_import_is_on_the_record() {
    let world = World::new();
    small(&world);
    world.bb(["import"]).ok();
    world.bb(["import"]).ok();
    let store = rusqlite::Connection::open(world.store()).unwrap();
    let count = |event: &str| -> i64 {
        store.query_row("SELECT count(*) FROM events WHERE event = ?1", [event], |row| row.get(0)).unwrap()
    };
    assert_eq!((count("agent.imported"), count("message.imported")), (2, 3));
}

#[test]
fn the_folder_is_found_named_or_refused() {
    let world = World::new();
    world.bb(["import"]).fails("FILE_NOT_FOUND", 66);
    world.bb(["import", "--from", "nowhere", "--json"]).fails("FILE_NOT_FOUND", 66);
    let board = small(&world);
    let outer = board.root.parent().unwrap().to_str().unwrap();
    let refused = world.bb(["import", "--from", outer]).fails("FILE_NOT_FOUND", 66);
    assert!(refused.stderr.contains("holds neither agents nor messages"), "{refused}");
    assert!(!world.path("store").exists());
    assert_eq!(counts(&world.json(["import", "--from", board.root.to_str().unwrap()])), [2, 0, 0, 3, 0, 0]);
    let mut command = world.command(["import", "--json"]);
    let profile =
        command.env("USERPROFILE", format!(" {} ", world.path("elsewhere").display())).output().unwrap();
    let refused = crate::common::Run::of(profile).fails("FILE_NOT_FOUND", 66);
    assert!(refused.stdout.contains("elsewhere/.beadboard/agent"), "{refused}");
}

#[test]
fn the_report_for_people_names_what_was_skipped() {
    let world = World::new();
    let board = small(&world);
    board.append("messages/agent-graph-1.jsonl", "{\"message_id\": \"\u{1b}[31mred");
    board.append("messages/agent-ui-1.jsonl", &"torn\n".repeat(12));
    let run = world.bb(["import"]).ok();
    let shown = run.stdout.replace(&world.path("").display().to_string(), "/");
    assert!(
        shown.starts_with("imported from /home/.beadboard/agent\nagents     2 new, 0 already there\n"),
        "{shown}"
    );
    assert!(shown.contains("messages   3 new, 0 moved on, 0 already there\n"), "{shown}");
    assert!(
        shown.contains("  skipped messages/agent-graph-1.jsonl:2: is not what BeadBoard writes"),
        "{shown}"
    );
    assert!(shown.contains("  and 3 more; --json lists them all\n"), "{shown}");
    assert!(!shown.contains('\u{1b}'), "{shown}");
}

#[test]
fn times_in_the_future_do_not_keep_an_agent_alive() {
    let world = World::new();
    let board = Board::new(&world);
    board.message(&with(
        message("msg_20260214_000100_7f3c", "agent-ui-1", "agent-graph-1", 1),
        json!({"created_at": "2999-01-01T00:00:00.000Z"}),
    ));
    world.bb(["import"]).ok();
    assert_eq!(world.json(["show", "agent-ui-1"])["last_seen_at"], world.now().to_string());
    assert_eq!(world.json(["show", "7f3c"])["created_at"], "2999-01-01T00:00:00.000Z");
}
