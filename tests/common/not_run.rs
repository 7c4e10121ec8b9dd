//! Tests that need more than every machine has.

use std::io::Write;

/// Says that a test did not run, past the capture that hides what passing tests print.
pub(crate) fn not_run(why: &str) {
    let name = std::thread::current().name().unwrap_or("a test").to_owned();
    let _ = writeln!(std::io::stderr(), "\nnot run: {name}: {why}");
}
