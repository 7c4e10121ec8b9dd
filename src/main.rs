//! The `bb` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(bb_agent::run())
}
