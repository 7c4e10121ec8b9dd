//! Every command that changes something, each in a world where it has something to do.

use std::fs;
use std::path::PathBuf;

use super::state::State;
use crate::common::{self, World, copy, words};

/// A command line, ready to be disturbed again and again from the same beginning.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) world: World,
    pub(crate) line: Vec<String>,
    /// With what it ends when it does what it should.
    pub(crate) code: i32,
    /// With what it ends when everything was done before.
    pub(crate) again: i32,
    /// Events that it records each time.
    pub(crate) recorded_again: &'static [&'static str],
    /// What must be the same however often it is repeated.
    pub(crate) lasting: fn(&State) -> Vec<String>,
    /// It may be seen half done: it makes several transactions, each of which stands for itself.
    pub(crate) in_steps: bool,
    /// Files that it had begun stay behind, and nobody ever looks at them.
    pub(crate) leaves_files: bool,
}

impl Case {
    fn new(name: &'static str, world: World, line: &str) -> Self {
        // A second later: whoever acts is seen at another time than before.
        if world.store().exists() {
            world.pass(1);
        }
        let case = Self {
            name,
            world,
            line: words(line),
            code: 0,
            again: 0,
            recorded_again: &[],
            lasting: |state| state.things.clone(),
            in_steps: false,
            leaves_files: false,
        };
        case.keep();
        case
    }

    fn before(&self) -> PathBuf {
        self.world.path("before")
    }

    fn keep(&self) {
        fs::create_dir_all(self.world.path("store")).unwrap();
        copy(&self.world.path("store"), &self.before());
    }

    /// Puts everything back as it was at the beginning.
    pub(crate) fn reset(&self) {
        copy(&self.before(), &self.world.path("store"));
    }

    /// Whether there is a store before the command.
    pub(crate) fn has_store(&self) -> bool {
        self.before().join("bb.db").exists()
    }
}

fn letter(world: &World) -> String {
    world.send("lead-one", "amber-otter", "BLOCKED", "a question")
}

fn team() -> World {
    let world = World::with_two_agents();
    world.register("zinc-yak", "backend");
    world
}

/// A world in which `amber-otter` has a task, and how far it has come with it.
fn tasked(lines: &[&str]) -> World {
    let world = team();
    world.bb(words("assign --from lead-one --to amber-otter --task GH-42 --title T -m 'Do it'")).ok();
    for line in lines {
        world.bb(words(line)).ok();
    }
    world
}

const CONFIRM: &str = "ack --agent amber-otter --task GH-42 --status confirmed --understanding 'do it'";
const SEND: &str = "send --from amber-otter --bead b --category BLOCKED -s news -m body --key once --to";

/// All of them.
pub(crate) fn all() -> Vec<Case> {
    let groups = [identities(), letters(), answers(), reservations(), tasks(), waits(), vec![long_log()]];
    groups.into_iter().flatten().collect()
}

fn identities() -> Vec<Case> {
    let register = "register --name new-one --role backend";
    let lease = "activity-lease --agent lead-one";
    vec![
        Case { again: 65, ..Case::new("register", team(), register) },
        Case { again: 65, ..Case::new("first register", World::new(), register) },
        Case { recorded_again: &["agent.state"], ..Case::new("state", team(), "state lead-one working") },
        Case { recorded_again: &["agent.seen"], ..Case::new("activity-lease", team(), lease) },
    ]
}

fn letters() -> Vec<Case> {
    let read = || {
        let world = team();
        let id = letter(&world);
        Case::new("read", world, &format!("read --agent amber-otter {id}"))
    };
    vec![
        Case::new("send", team(), &format!("{SEND} lead-one")),
        Case::new("fan-out", team(), &format!("{SEND} broadcast")),
        read(),
    ]
}

fn answers() -> Vec<Case> {
    let asked = |name, line: &str| {
        let world = team();
        let id = letter(&world);
        world.bb(["wait-ack", &id, "--no-wait"]);
        Case::new(name, world, &line.replace("ID", &id))
    };
    // An answer that is given twice is two messages, and one answer.
    let distinct = |state: &State| {
        let mut things = state.things.clone();
        things.dedup();
        things
    };
    let twice =
        &["message.sent acknowledgment", "message.answered", "handshake.late", "handshake.not-counted"];
    let reply = asked("reply", "reply --agent amber-otter ID --ok");
    vec![
        asked("ack", "ack --agent amber-otter ID --note fine"),
        Case { lasting: distinct, recorded_again: twice, ..reply },
    ]
}

fn reservations() -> Vec<Case> {
    let reserve = "reserve --agent amber-otter --bead b --scope src docs";
    let held = team();
    held.bb(words(reserve)).ok();
    let refreshed = &["reservation.granted", "reservation.refreshed"];
    vec![
        Case { recorded_again: refreshed, ..Case::new("reserve", team(), reserve) },
        Case { again: 66, ..Case::new("release", held, "release --agent amber-otter --scope src docs") },
    ]
}

fn tasks() -> Vec<Case> {
    let assign = "assign --from lead-one --to amber-otter --task GH-42 --title T -m 'Do it'";
    let handoff = || {
        let world = tasked(&[CONFIRM]);
        fs::write(world.work().join("handoff.md"), "# Everything\n").unwrap();
        let line = "handoff --from lead-one --failed amber-otter --to zinc-yak --reason crash --task GH-42 \
                    --document handoff.md --starting-from begin";
        Case { in_steps: true, lasting: open_handoffs, ..Case::new("handoff", world, line) }
    };
    let checkpoint = "checkpoint --agent amber-otter --task GH-42 --number 1 --summary begun";
    vec![
        Case::new("assign", team(), assign),
        Case::new("task ack", tasked(&[]), CONFIRM),
        Case::new("checkpoint", tasked(&[CONFIRM]), checkpoint),
        Case::new("complete", tasked(&[CONFIRM]), "complete --agent amber-otter --task GH-42"),
        handoff(),
    ]
}

/// A handoff that is made again supersedes the first: one is open, and one is waited for.
fn open_handoffs(state: &State) -> Vec<String> {
    let is_open = |thing: &&String| {
        let handoff = thing.starts_with("handoff") && !thing.contains("Superseded");
        handoff || thing.starts_with("task") || (thing.starts_with("handshake") && thing.contains("Waiting"))
    };
    state.things.iter().filter(is_open).cloned().collect()
}

fn waits() -> Vec<Case> {
    let wait = || {
        let world = team();
        let id = letter(&world);
        Case { code: 75, again: 75, ..Case::new("wait-ack", world, &format!("wait-ack {id} --no-wait")) }
    };
    let tick = |name, seconds| {
        let world = team();
        for to in ["amber-otter", "zinc-yak"] {
            let line = format!("wait-ack --from lead-one --to {to} --operation restart --no-wait");
            assert_eq!(world.bb(words(&line)).code, 75);
        }
        world.pass(seconds);
        Case { in_steps: true, ..Case::new(name, world, "tick") }
    };
    let archive = || {
        let world = team();
        let id = letter(&world);
        world.bb(["ack", "--agent", "amber-otter", &id]).ok();
        world.pass(31 * 86_400);
        letter(&world);
        let case = Case::new("archive", world, "archive");
        Case { in_steps: true, leaves_files: true, recorded_again: &["log.archived"], ..case }
    };
    vec![wait(), tick("tick: reminders", 31), tick("tick: the end", 121), archive()]
}

/// A `send` after which the log of the store is copied back into it.
fn long_log() -> Case {
    let world = team();
    let (many, more) = ("x".repeat(20_000), "y".repeat(60_000));
    while fs::metadata(world.path("store/bb.db-wal")).unwrap().len() < 220_000 {
        world.bb(common::letter(&[("--body", &many)])).ok();
    }
    Case::new("send: the log is copied back", world, &format!("{} lead-one", SEND.replace("body", &more)))
}
