//! `bb`: mail with acknowledgments, for AI agents on one machine.
//!
//! The way of the data, and the rooms it passes through:
//!
//! ```text
//! argv → cli (what may be typed) → commands (what happens) → one transaction:
//!        facts from the store → pure decision in domain → writes
//!      → report → render (what is seen: text or JSON) → stdout, exit code
//! ```
//!
//! | room | holds | may name |
//! |---|---|---|
//! | [`cli`] | the doors, the flags, the one table of verbs | commands, render, clock, ids, settings |
//! | [`commands`] | one file for each verb: arguments, report, what happens | store, domain, project, clock, ids, settings |
//! | [`domain`] | pure rules: no clock, no SQL, no environment, no terminal | nothing |
//! | [`store`] | SQLite, the queue of writers, the bells of waiters, the archive | domain |
//! | [`render`] | text for people, JSON for machines | reports, domain |
//! | [`project`] | which repository a folder belongs to, and what git says | domain |
//! | [`clock`], [`ids`], [`settings`], [`interrupt`] | the only readers of time, randomness, environment, signals | |
//! | [`terminal`] | the screen as a whole, given back on every way out | |
//! | [`failure`], [`exit`] | the registry of error codes and exit codes | |

pub mod cli;
pub mod clock;
pub mod commands;
pub mod domain;
pub mod exit;
pub mod failure;
pub mod ids;
pub mod interrupt;
pub mod project;
pub mod render;
pub mod settings;
pub mod store;
pub mod terminal;

/// Runs the command line of this process.
pub fn run() -> u8 {
    report_panics();
    cli::run(std::env::args_os())
}

/// A bug still answers in the form that callers expect.
fn report_panics() {
    std::panic::set_hook(Box::new(|panic| {
        terminal::give_back();
        let where_it_was = panic.location().map(ToString::to_string).unwrap_or_default();
        let _ = std::io::Write::write_all(
            &mut std::io::stderr(),
            format!(
                "error[INTERNAL_ERROR]: unexpected failure at {where_it_was}\nhint: this is a bug in bb\n"
            )
            .as_bytes(),
        );
        end_as_a_bug();
    }));
}

#[allow(clippy::exit, clippy::disallowed_methods, reason = "a panic leaves no way to return")]
fn end_as_a_bug() {
    std::process::exit(i32::from(exit::Exit::Bug.code()));
}
