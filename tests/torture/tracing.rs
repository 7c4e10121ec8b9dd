//! Which system calls a command makes.

use std::fs;

use super::cases::Case;
use crate::common::{Run, traced};

/// How often a command, which is run by it, makes each of these calls.
pub(crate) fn calls_of<'a>(case: &Case, calls: &[&'a str]) -> Vec<(&'a str, usize)> {
    let trace = case.world.path("calls");
    let wanted = format!("trace=?{}", calls.join(",?"));
    let arguments = ["-o", trace.to_str().unwrap(), "-e", &wanted];
    let run = Run::of(traced(&case.world.command(&case.line), &arguments).output().unwrap());
    assert_eq!(run.code, case.code, "{}: {run}", case.name);
    let text = fs::read_to_string(trace).unwrap();
    let count = |call: &&'a str| (*call, text.matches(&format!(" {call}(")).count());
    calls.iter().map(count).collect()
}
