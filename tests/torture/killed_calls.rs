//! Killed at every system call, and run again: done or not done, and then done once.

use std::os::unix::process::ExitStatusExt;
use std::process::Stdio;

use super::cases::{self, Case};
use super::part::Part;
use super::state::State;
use super::tracing::calls_of;
use crate::common::{can_trace, not_run, replay, traced};

/// Everything with which a process changes what others see, or takes its turn; and its end.
pub(crate) const CALLS: [&str; 22] = [
    "openat",
    "mkdir",
    "mkdirat",
    "chmod",
    "fchmod",
    "fchmodat",
    "flock",
    "fcntl",
    "write",
    "pwrite64",
    "pwritev",
    "copy_file_range",
    "sendto",
    "fsync",
    "fdatasync",
    "ftruncate",
    "unlink",
    "unlinkat",
    "rename",
    "renameat",
    "linkat",
    "exit_group",
];

#[test]
fn killed_at_every_call_and_run_again_everything_is_done_once() {
    let part = Part::begin("killed calls");
    if !can_trace() {
        return not_run("strace is missing, or may not trace");
    }
    let stride = part.number("TORTURE_STRIDE", 1).max(1);
    let offset = part.chances(0).next().unwrap() % stride;
    let (mut kills, mut violations, cases) = (0, Vec::new(), cases::all());
    for case in &cases {
        let killed = at_every_call(case, offset, stride, &mut violations);
        kills += killed;
    }
    part.found(&format!("{} commands, {kills} kills, each run again", cases.len()), &violations);
}

/// Kills at every so manieth call of each kind, and gives how often it did.
fn at_every_call(case: &Case, offset: usize, stride: usize, violations: &mut Vec<String>) -> usize {
    case.reset();
    let before = case.has_store().then(|| State::of(&case.world));
    let made = calls_of(case, &CALLS);
    let after = State::of(&case.world);
    let (mut kills, mut place) = (0, 0);
    for (call, count) in made {
        for number in 1..=count {
            place += 1;
            if place % stride != offset {
                continue;
            }
            case.reset();
            if !is_killed(case, call, number) {
                continue;
            }
            kills += 1;
            let trouble = trouble(case, before.as_ref(), &after);
            violations.extend(trouble.map(|it| format!("{}: killed at {call} {number}: {it}", case.name)));
        }
    }
    kills
}

fn is_killed(case: &Case, call: &str, number: usize) -> bool {
    let plain = case.world.command(&case.line);
    let (trace, inject) = (format!("trace={call}"), format!("inject={call}:signal=KILL:when={number}"));
    let mut command = traced(&plain, &["-o", "/dev/null", "-e", &trace, "-e", &inject]);
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap().signal() == Some(9)
}

/// What is wrong after a kill, or after the next try.
fn trouble(case: &Case, before: Option<&State>, after: &State) -> Option<String> {
    let mut done = false;
    if let Some(before) = before {
        let now = State::of(&case.world);
        // A file that was begun is no change yet.
        let same = |other: &State| (&now.things, &now.events) == (&other.things, &other.events);
        done = same(after);
        let on_the_way = case.in_steps && now.is_between(before, after);
        if !(done || same(before) || on_the_way) {
            return Some(format!("half done: {now:#?}\nbefore: {before:#?}"));
        }
    }
    let run = case.world.bb(&case.line);
    let expected = [Some(case.code), (done || before.is_none()).then_some(case.again)];
    if !expected.contains(&Some(run.code)) {
        return Some(format!("the next try: {run}"));
    }
    is_done_once(case, after)
}

/// What is wrong with the state after a command was tried until it ended well.
pub(crate) fn is_done_once(case: &Case, after: &State) -> Option<String> {
    let last = State::of(&case.world);
    if (case.lasting)(&last) != (case.lasting)(after) {
        return Some(format!("not done once: {:#?}\ninstead of {:#?}", last.things, after.things));
    }
    let (now, wanted) = (last.without(case.recorded_again), after.without(case.recorded_again));
    let whole = [&last, after].iter().all(|state| (case.lasting)(state) == state.things);
    if whole && now.events != wanted.events {
        return Some(format!("recorded: {:#?}\ninstead of {:#?}", now.events, wanted.events));
    }
    if whole && !case.leaves_files && now.files != wanted.files {
        return Some(format!("left over: {:?}\ninstead of {:?}", now.files, wanted.files));
    }
    let (told, held) = (replay::told(&case.world), replay::held(&case.world));
    (told != held).then(|| format!("the events tell {told:#?}\nand the tables hold {held:#?}"))
}
