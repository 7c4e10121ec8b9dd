//! Disks that are full or read-only: a named error, nothing half done, and it recovers by itself.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::common::{LEFT_OUT, World, letter, not_run};

/// A small disk of its own under the store's folder, gone when dropped.
struct Disk {
    folder: PathBuf,
}

impl Disk {
    /// Mounts one, which takes root and a system that allows it.
    fn mount(folder: PathBuf, kilobytes: u32) -> Option<Self> {
        fs::create_dir_all(&folder).unwrap();
        let options = format!("size={kilobytes}k,mode=0700");
        let mut command = Command::new("mount");
        command.args(["-t", "tmpfs", "-o", &options, "bb-test"]).arg(&folder);
        match command.output() {
            Ok(output) if output.status.success() => Some(Self { folder }),
            _ => {
                not_run("a disk of its own cannot be mounted here");
                None
            }
        }
    }

    fn remount(&self, option: &str) {
        let mut command = Command::new("mount");
        command.args(["-o", &format!("remount,{option}")]).arg(&self.folder);
        assert!(command.status().unwrap().success(), "remount {option}");
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.folder).status();
    }
}

/// Takes all room that is left.
fn fill(folder: &Path) -> PathBuf {
    let filler = folder.join("filler");
    let mut size = 1 << 20;
    let mut kept = Vec::new();
    while size >= 512 {
        let mut next = kept.clone();
        next.resize(kept.len() + size, 0);
        match fs::write(&filler, &next) {
            Ok(()) => kept = next,
            Err(_) => size /= 2,
        }
    }
    let _ = fs::write(&filler, &kept);
    filler
}

#[test]
fn a_full_disk_is_named_nothing_is_half_written_and_it_recovers_by_itself() {
    let world = World::new();
    let Some(disk) = Disk::mount(world.path("store"), 1_024) else { return };
    world.register("amber-otter", "backend");
    world.register("lead-one", "lead");
    let kept = world.send("amber-otter", "lead-one", "BLOCKED", "before");
    let filler = fill(&disk.folder);
    fs::write(world.work().join("long.md"), "x".repeat(200_000)).unwrap();
    let long = letter(&[("--body", LEFT_OUT), ("--body-file", "long.md"), ("--key", "k")]);
    for line in
        [&long[..], &letter(&[("--to", "broadcast"), ("--body", LEFT_OUT), ("--body-file", "long.md")])]
    {
        let run = world.bb(line).fails("IO_WRITE_FAILED", 74);
        assert!(run.stderr.contains("bb.db") && run.stderr.contains("free some space"), "{run}");
        world.bb(line.iter().chain(&["--json"])).fails("IO_WRITE_FAILED", 74);
    }
    let inbox = world.json(["inbox", "--agent", "lead-one"]);
    assert_eq!(inbox.as_array().unwrap().len(), 1, "reading goes on");
    let doctor = world.bb(["doctor"]);
    assert!(doctor.code == 74 && doctor.stdout.contains("the disk of the store has only "), "{doctor}");
    assert_eq!(world.json(["read", "--agent", "lead-one", &kept, "--peek"])["subject"], "before");
    fs::remove_file(filler).unwrap();
    world.bb(&long).ok();
    assert_eq!(world.json(["inbox", "--agent", "lead-one"]).as_array().unwrap().len(), 2);
    world.bb(["ack", "--agent", "lead-one", &kept]).ok();
}

#[test]
fn an_archive_that_finds_no_room_moves_nothing_and_goes_on_once_there_is_some() {
    let world = World::new();
    let Some(disk) = Disk::mount(world.path("store"), 2_048) else { return };
    world.register("amber-otter", "backend");
    let store = rusqlite::Connection::open(world.store()).unwrap();
    for _ in 0..4 {
        let bulky = "INSERT INTO events (at, event, data, uid, pid, parent_pid, cwd)
            VALUES (1, 'test.bulk', json_object('x', hex(randomblob(50000))), 0, 0, 0, '')";
        store.execute(bulky, []).unwrap();
    }
    store.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    drop(store);
    world.register("lead-one", "lead");
    let before = world.json(["log"]);
    let filler = fill(&disk.folder);
    for _ in 0..2 {
        let run = world.bb(["archive", "--older-than", "0"]).fails("IO_WRITE_FAILED", 74);
        assert!(run.stderr.contains("free some space"), "{run}");
        assert_eq!(world.json(["log", "--archived"]), before, "nothing moved");
    }
    fs::remove_file(filler).unwrap();
    assert_eq!(world.json(["archive", "--older-than", "0"])["events"], 5);
    let after = world.json(["log", "--archived"]);
    assert_eq!(after.as_array().unwrap()[..6], before.as_array().unwrap()[..]);
}

#[test]
fn a_store_that_finds_no_room_is_made_once_there_is_some() {
    let world = World::new();
    let Some(disk) = Disk::mount(world.path("store"), 256) else { return };
    let filler = fill(&disk.folder);
    let run = world.bb(["register", "--name", "amber-otter", "--role", "backend"]);
    assert!([73, 74].contains(&run.code), "{run}");
    assert!(
        run.stderr.starts_with("error[IO_WRITE_FAILED]")
            || run.stderr.starts_with("error[STORE_CREATE_FAILED]")
    );
    fs::remove_file(filler).unwrap();
    // A busy machine gives the room back a moment later.
    let register = || world.bb(["register", "--name", "amber-otter", "--role", "backend"]);
    let patience = Instant::now() + Duration::from_secs(5);
    let mut run = register();
    while run.code == 74 && Instant::now() < patience {
        run = register();
    }
    run.ok();
}

#[test]
fn a_read_only_disk_can_be_read_and_says_so_when_it_is_to_be_written() {
    let world = World::new();
    let Some(disk) = Disk::mount(world.path("store"), 16 * 1_024) else { return };
    world.register("amber-otter", "backend");
    world.register("lead-one", "lead");
    let id = world.send("amber-otter", "lead-one", "BLOCKED", "Help");
    disk.remount("ro");
    world.pass(3_600);
    for line in [
        &["list"][..],
        &["show", "lead-one"],
        &["show", &id],
        &["whoami", "--agent", "lead-one"],
        &["inbox", "--agent", "lead-one"],
        &["inbox", "--agent", "lead-one", "--wait", "1"],
        &["thread", &id],
        &["read", "--agent", "lead-one", &id, "--peek"],
    ] {
        let run = world.bb(line).ok();
        assert_eq!(run.stderr, "", "{line:?}");
    }
    for line in [
        letter(&[]),
        vec!["ack", "--agent", "lead-one", &id],
        vec!["reply", "--agent", "lead-one", &id, "--ok"],
        vec!["state", "lead-one", "working"],
        vec!["activity-lease", "--agent", "lead-one"],
        vec!["register", "--name", "zinc-yak", "--role", "r"],
    ] {
        let run = world.bb(&line).fails("IO_WRITE_FAILED", 74);
        assert!(run.stderr.contains("bb.db"), "{run}");
    }
    let doctor = world.bb(["doctor"]);
    assert!(doctor.code == 74 && doctor.stdout.contains("it can only be read"), "{doctor}");
    // What is read is shown; that it could not be marked is said beside it, and not as a second answer.
    let run = world.bb(["read", "--agent", "lead-one", &id, "--json"]);
    assert_eq!((run.code, run.data()["subject"].as_str()), (74, Some("Help")), "{run}");
    assert!(run.stderr.starts_with("error[IO_WRITE_FAILED]: "), "{run}");
    let run = world.bb(["list", "--store", world.path("store/new.db").to_str().unwrap()]);
    run.fails("STORE_CREATE_FAILED", 73);
    disk.remount("rw");
    assert_eq!(world.json(["show", &id])["state"], "unread");
    world.bb(["ack", "--agent", "lead-one", &id]).ok();
}
