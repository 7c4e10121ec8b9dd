//! The help that fits on one screen.

use std::fmt::Write;

use super::verbs::VERBS;
use crate::exit::Exit;
use crate::failure::{Code, Failure};
use crate::render::Out;

/// Why the help is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
    /// Nothing at all was typed.
    Welcome,
    /// A door was opened, and nothing behind it was named.
    NoVerb,
}

/// The groups in the order they are shown.
pub const GROUPS: &[&str] =
    &["Identity", "Mail", "Handshake", "Reservations", "Tasks", "Replacement", "Records", "Setup"];

/// What `bb --help` prints.
pub(super) fn root() -> String {
    let mut text = String::from(
        "bb: mail with acknowledgments for AI agents on one machine\n\n\
         Usage: bb [agent|mail] <command> [flags]\n\n",
    );
    for group in GROUPS {
        let mut title = *group;
        for verb in VERBS.iter().filter(|verb| verb.group == *group) {
            let _ = writeln!(text, "{title:<13} {:<15} {}", verb.name, verb.about);
            title = "";
        }
    }
    text.push_str(
        "\nEverywhere: --json, --fields A,B, --store FILE, --color WHEN, --help\n\
         You are --agent AGENT, else BB_AGENT, else BD_ACTOR.\n",
    );
    text
}

/// Prints the help to those who typed no verb.
pub(super) fn print(shown: Shown, out: &Out) -> u8 {
    if out.json {
        let failure = Failure::new(Code::InvalidArgs, "no command is named").hint("`bb --help` lists them");
        out.failure(&failure);
        return failure.code.exit().code();
    }
    let _ = out.text(&root());
    match shown {
        Shown::Welcome => Exit::Done.code(),
        Shown::NoVerb => Exit::Usage.code(),
    }
}
