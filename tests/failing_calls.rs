//! System calls that fail: what was refused is not there, and what was done is.
//!
//! `strace` makes the n-th call of a kind fail, for every n there is, each time in the same store.

use std::fs;

use crate::common::{Run, World, can_trace, letter, not_run, traced};

/// Everything with which a store is reached and written, how it fails, and at which of its places: all of them,
/// or every so manieth of the many.
///
/// A lock that cannot be had is waited for and then said to be busy, so those calls are left out here.
const CALLS: [(&str, &str, usize); 6] = [
    ("openat", "EACCES", 1),
    ("pread64", "EIO", 5),
    ("pwrite64", "ENOSPC", 3),
    ("pwrite64", "EIO", 4),
    ("fdatasync", "EIO", 1),
    ("ftruncate", "EIO", 1),
];

/// Says of a failure that the change may be there all the same.
const UNSURE: &str = "it may have been stored all the same";

struct Scene {
    world: World,
    before: Vec<u8>,
}

impl Scene {
    /// Two agents and a message, in a store of one file.
    fn new() -> Self {
        let world = World::with_two_agents();
        world.send("amber-otter", "lead-one", "BLOCKED", "first");
        let store = rusqlite::Connection::open(world.store()).unwrap();
        store.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
        drop(store);
        let before = fs::read(world.store()).unwrap();
        Self { world, before }
    }

    fn reset(&self) {
        for file in ["bb.db-wal", "bb.db-shm", "bb.db"] {
            let _ = fs::remove_file(self.world.path("store").join(file));
        }
        fs::write(self.world.store(), &self.before).unwrap();
        // The log holds something: a lone process reads it again.
        self.world.bb(["activity-lease", "--agent", "amber-otter"]).ok();
    }

    fn state(&self) -> (usize, String) {
        let inbox = self.world.json(["inbox", "--agent", "lead-one"]);
        let messages = inbox.as_array().unwrap();
        (messages.len(), messages.last().unwrap()["state"].as_str().unwrap().to_owned())
    }

    fn disturbed(&self, words: &[&str], inject: &str) -> Run {
        let plain = self.world.command(words);
        let (call, _) = inject.split_once(':').unwrap();
        let arguments =
            ["-o", "/dev/null", "-e", &format!("trace={call}"), "-e", &format!("inject={inject}")];
        Run::of(traced(&plain, &arguments).output().unwrap())
    }

    fn calls(&self, words: &[&str], call: &str) -> usize {
        let trace = self.world.path("calls");
        let arguments = ["-o", trace.to_str().unwrap(), "-e", &format!("trace={call}")];
        Run::of(traced(&self.world.command(words), &arguments).output().unwrap()).ok();
        fs::read_to_string(trace).unwrap().matches(&format!("{call}(")).count()
    }
}

/// Makes each call fail in turn, once and for good.
fn every_failure_is_true(words: &[&str]) {
    if !can_trace() {
        return not_run("strace is missing, or may not trace");
    }
    let scene = Scene::new();
    scene.reset();
    let before = scene.state();
    scene.world.bb(words).ok();
    let after = scene.state();
    assert_ne!(before, after);
    for (call, error, step) in CALLS {
        scene.reset();
        let made = scene.calls(words, call);
        for number in (1..=made).step_by(step).flat_map(|number| [format!("{number}"), format!("{number}+")])
        {
            scene.reset();
            let run = scene.disturbed(words, &format!("{call}:error={error}:when={number}"));
            let place = format!("{call} {error} {number}: {run}");
            assert!(!run.stderr.contains("panicked") && run.code != 1, "{place}");
            match run.code {
                0 => assert_eq!(scene.state(), after, "{place}"),
                _ if run.stderr.contains(UNSURE) => {}
                _ => assert_eq!(scene.state(), before, "{place}"),
            }
        }
    }
}

#[test]
fn a_send_that_fails_sent_nothing() {
    every_failure_is_true(&letter(&[]));
}

#[test]
fn an_ack_that_fails_acknowledged_nothing() {
    every_failure_is_true(&["ack", "--agent", "lead-one", "msg_"]);
}

#[test]
fn who_cannot_be_told_for_sure_is_told_so() {
    if !can_trace() {
        return not_run("strace is missing, or may not trace");
    }
    let scene = Scene::new();
    scene.reset();
    let run = scene.disturbed(&["ack", "--agent", "lead-one", "msg_"], "fdatasync:error=EIO:when=1+");
    let run = run.fails("IO_WRITE_FAILED", 74);
    assert!(run.stderr.contains(UNSURE), "{run}");
}
