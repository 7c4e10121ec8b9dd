//! System calls that fail: what was refused is not there, what was done is, and the next try does it once.

use super::cases::{self, Case};
use super::killed_calls::is_done_once;
use super::part::Part;
use super::state::State;
use super::tracing::calls_of;
use crate::common::{Run, can_trace, not_run, traced};

/// Everything with which a store is reached and written, and how it fails. A lock that cannot be had is waited
/// for and then said to be busy, so those calls are left out; what cannot be printed is done all the same.
const CALLS: [(&str, &str); 14] = [
    ("openat", "EACCES"),
    ("openat", "EIO"),
    ("openat", "ENOSPC"),
    ("pread64", "EIO"),
    ("pwrite64", "EIO"),
    ("pwrite64", "ENOSPC"),
    ("fdatasync", "EIO"),
    ("fsync", "EIO"),
    ("ftruncate", "EIO"),
    ("ftruncate", "ENOSPC"),
    ("mkdir", "EACCES"),
    ("unlink", "EIO"),
    ("rename", "EIO"),
    ("copy_file_range", "ENOSPC"),
];

/// Says of a failure that the change may be there all the same.
const UNSURE: &str = "it may have been stored all the same";

/// No command takes this many seconds, whatever fails.
const PATIENCE: &str = "60";

#[test]
fn whatever_call_fails_what_was_refused_is_not_there_and_what_was_done_is() {
    let part = Part::begin("failed calls");
    if !can_trace() {
        return not_run("strace is missing, or may not trace");
    }
    let stride = part.number("TORTURE_STRIDE", 4).max(1);
    let offset = part.chances(0).next().unwrap() % stride;
    let (mut failures, mut unsure, mut violations, cases) = (0, 0, Vec::new(), cases::all());
    for case in &cases {
        let (disturbed, not_sure) = at_every_call(case, offset, stride, &mut violations);
        failures += disturbed;
        unsure += not_sure;
    }
    let counts = format!("{} commands, {failures} failures, {unsure} of them unsure", cases.len());
    part.found(&counts, &violations);
}

/// Lets every so manieth call of each kind fail, once and for good, and gives how often it did, and how often
/// the command could not tell whether it was done.
fn at_every_call(case: &Case, offset: usize, stride: usize, violations: &mut Vec<String>) -> (usize, usize) {
    case.reset();
    let before = case.has_store().then(|| State::of(&case.world));
    let names: Vec<_> = CALLS.iter().map(|(call, _)| *call).collect();
    let made = calls_of(case, &names);
    let after = State::of(&case.world);
    let (mut failures, mut unsure, mut place) = (0, 0, 0);
    for ((call, count), (_, error)) in made.into_iter().zip(CALLS) {
        for when in (1..=count).flat_map(|number| [format!("{number}"), format!("{number}+")]) {
            place += 1;
            if place % stride != offset {
                continue;
            }
            case.reset();
            let run = disturbed(case, call, &format!("inject={call}:error={error}:when={when}"));
            failures += 1;
            unsure += usize::from(run.stderr.contains(UNSURE));
            let trouble = trouble(case, &run, before.as_ref(), &after);
            violations.extend(trouble.map(|it| format!("{}: {call} {error} {when}: {it}\n{run}", case.name)));
        }
    }
    (failures, unsure)
}

fn disturbed(case: &Case, call: &str, inject: &str) -> Run {
    let plain = case.world.command(&case.line);
    let traced = traced(&plain, &["-o", "/dev/null", "-e", &format!("trace={call}"), "-e", inject]);
    let mut bounded = std::process::Command::new("timeout");
    bounded.args(["--kill-after=5", PATIENCE]).arg(traced.get_program()).args(traced.get_args());
    bounded.env_clear().envs(traced.get_envs().filter_map(|(name, value)| Some((name, value?))));
    bounded.current_dir(case.world.work()).stdin(std::process::Stdio::null());
    Run::of(bounded.output().unwrap())
}

fn trouble(case: &Case, run: &Run, before: Option<&State>, after: &State) -> Option<String> {
    if run.code == 1 || run.code > 100 || run.code < 0 || run.stderr.contains("INTERNAL_ERROR") {
        return Some("a bug, a panic or a hang".to_owned());
    }
    let succeeded = run.code == case.code && !run.stderr.contains("error[");
    if let Some(before) = before {
        let now = State::of(&case.world);
        let same = |other: &State| (&now.things, &now.events) == (&other.things, &other.events);
        let fits = match succeeded {
            true => same(after),
            false if case.in_steps => now.is_between(before, after),
            false if run.stderr.contains(UNSURE) => same(before) || same(after),
            false => same(before),
        };
        if !fits {
            let what = if succeeded { "ok, but absent" } else { "an error, but present" };
            return Some(format!("{what}: {now:#?}"));
        }
    }
    let next = case.world.bb(&case.line);
    if next.code != case.code && next.code != case.again {
        return Some(format!("the next try: {next}"));
    }
    is_done_once(case, after)
}
