//! Damaged, foreign and newer stores: refused by name, and untouched.

use std::fs;

use rusqlite::Connection;

use super::{one_line_of_every_verb_with_a_store, world_with_mail};
use crate::common::{World, scattered};

/// The bytes of the store and of its log.
fn bytes(world: &World) -> (Vec<u8>, Vec<u8>) {
    (fs::read(world.store()).unwrap(), fs::read(world.path("store/bb.db-wal")).unwrap_or_default())
}

/// Copies the log back, so that the file alone holds everything.
fn settle(world: &World) {
    let store = Connection::open(world.store()).unwrap();
    store.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
}

/// Insists that every verb refuses the store and leaves it as it is.
fn refused(world: &World, id: &str, code: &str) {
    let before = bytes(world);
    for line in one_line_of_every_verb_with_a_store(id) {
        let run = world.bb(&line).fails(code, 69);
        assert!(run.stderr.contains(world.store().to_str().unwrap()), "{line:?}: {run}");
        let changed = bytes(world) != before;
        assert!(!changed, "{line:?} touched it");
    }
}

#[test]
fn a_truncated_store_is_corrupt_and_untouched() {
    for keep in [50, 100, 1_000, 4_096, 6_000, 8_192] {
        let (world, id) = world_with_mail();
        settle(&world);
        let whole = fs::read(world.store()).unwrap();
        fs::write(world.store(), &whole[..keep]).unwrap();
        refused(&world, &id, "STORE_CORRUPT");
    }
}

#[test]
fn a_store_emptied_or_removed_beside_its_log_is_corrupt_and_the_log_is_kept() {
    let (world, id) = world_with_mail();
    let before = bytes(&world);
    assert!(!before.1.is_empty());
    fs::write(world.store(), "").unwrap();
    refused(&world, &id, "STORE_CORRUPT");
    fs::remove_file(world.store()).unwrap();
    world.bb(["list"]).fails("STORE_CORRUPT", 69);
    assert!(!world.store().exists());
    fs::write(world.store(), before.0).unwrap();
    assert_eq!(world.json(["show", &id])["state"], "unread", "nothing was lost");
}

#[test]
fn an_overwritten_store_is_corrupt_and_untouched() {
    for (from, with) in [(0, b'x'), (0, 0), (16, 0xff), (100, 0), (100, 0xff)] {
        let (world, id) = world_with_mail();
        settle(&world);
        let mut whole = fs::read(world.store()).unwrap();
        whole[from..].fill(with);
        fs::write(world.store(), whole).unwrap();
        refused(&world, &id, "STORE_CORRUPT");
    }
}

#[test]
fn a_file_that_is_no_database_is_untouched() {
    let (world, id) = world_with_mail();
    fs::remove_dir_all(world.path("store")).unwrap();
    fs::create_dir(world.path("store")).unwrap();
    for text in ["a diary".to_owned(), "a diary of many years\n".repeat(1_000)] {
        fs::write(world.store(), &text).unwrap();
        refused(&world, &id, "STORE_CORRUPT");
        assert_eq!(fs::read_to_string(world.store()).unwrap(), text);
    }
}

#[test]
fn a_store_of_a_newer_bb_is_refused_and_untouched() {
    let (world, id) = world_with_mail();
    for version in [2_000, i32::MAX] {
        Connection::open(world.store()).unwrap().pragma_update(None, "user_version", version).unwrap();
        refused(&world, &id, "STORE_VERSION");
        let run = world.bb(["list"]);
        assert!(
            run.stderr.contains(&format!("version {version}")) && run.stderr.contains("newer bb"),
            "{run}"
        );
    }
}

#[test]
fn a_database_of_another_program_is_refused_and_untouched() {
    let (world, id) = world_with_mail();
    let known: i64 = Connection::open(world.store())
        .unwrap()
        .query_row("PRAGMA user_version", [], |row| row.get(0))
        .unwrap();
    fs::remove_dir_all(world.path("store")).unwrap();
    fs::create_dir(world.path("store")).unwrap();
    for (application, version) in [(0, 0), (0, known), (0, 77), (0x1234, 0), (0x1234, known), (0x1234, 77)] {
        let _ = fs::remove_file(world.store());
        let other = Connection::open(world.store()).unwrap();
        other.execute_batch("CREATE TABLE bookmarks (url TEXT); INSERT INTO bookmarks VALUES ('x')").unwrap();
        other.pragma_update(None, "application_id", application).unwrap();
        other.pragma_update(None, "user_version", version).unwrap();
        drop(other);
        refused(&world, &id, "STORE_CORRUPT");
    }
}

#[test]
fn tables_that_are_missing_and_words_that_are_unknown_are_damage_and_no_bug() {
    for damage in [
        "DROP TABLE agents",
        "DROP TABLE deliveries",
        "ALTER TABLE messages RENAME COLUMN subject TO topic",
        "UPDATE agents SET state = 'asleep'",
        "UPDATE agents SET agent_id = 'Not An Id' WHERE agent_id = 'lead-one'",
        "UPDATE messages SET category = 'RESUME'",
    ] {
        let (world, id) = world_with_mail();
        let store = Connection::open(world.store()).unwrap();
        store.execute_batch(&format!("PRAGMA foreign_keys = OFF; {damage}")).unwrap();
        for line in [&["list"][..], &["thread", "bead:bb-1"], &["ack", "--agent", "lead-one", &id]] {
            let run = world.bb(line);
            assert!([0, 67, 69].contains(&run.code), "{damage}, {line:?}: {run}");
        }
        let codes = [world.bb(["list"]).code, world.bb(["thread", "bead:bb-1"]).code];
        assert!(codes.contains(&69), "{damage}: {codes:?}");
    }
}

#[test]
fn whatever_bytes_a_store_holds_it_ends_with_an_answer() {
    let (world, id) = world_with_mail();
    settle(&world);
    let whole = fs::read(world.store()).unwrap();
    for seed in 0..60 {
        let mut numbers = scattered(seed);
        let mut damaged = whole.clone();
        for _ in 0..1 + seed * 3 {
            let place = numbers.next().unwrap() % damaged.len();
            damaged[place] = numbers.next().unwrap() as u8;
        }
        fs::remove_dir_all(world.path("store")).unwrap();
        fs::create_dir(world.path("store")).unwrap();
        fs::write(world.store(), &damaged).unwrap();
        for line in [
            &["inbox", "--agent", "lead-one"][..],
            &["thread", &id],
            &["list"],
            &["ack", "--agent", "lead-one", &id],
            &["inbox", "--agent", "lead-one", "--pending"],
        ] {
            let run = world.bb(line);
            let answered = run.code == 0 || (64..=78).contains(&run.code);
            assert!(answered, "seed {seed}, {line:?}: {run}");
            assert!(run.code == 0 || run.stderr.starts_with("error["), "seed {seed}, {line:?}: {run}");
        }
    }
}
