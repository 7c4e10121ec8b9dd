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

/// The groups in the order they are shown, and what their verbs do together.
pub const GROUPS: &[(&str, &str)] = &[
    ("Identity", "Say who you are and what you do; see who is here and who is alive"),
    ("Mail", "Send, list, read, acknowledge, answer; follow a conversation"),
    ("Handshake", "Wait for acks, with reminders and a deadline; see who waits"),
    ("Reservations", "Claim files before editing; see who holds them; guard commits"),
    ("Tasks", "Delegate work that is echoed before it begins; follow it on"),
    ("Replacement", "Hand a failed agent's tasks to another, checked and on record"),
    ("Records", "See what happened; export, back up, put away, take over"),
    ("Setup", "Check and configure; connect and teach agents; watch it all live"),
];

/// What `bb --help` prints: it fits on the smallest of terminals.
pub(super) fn root() -> String {
    let mut text = String::from(
        "bb: mail with acknowledgments for AI agents on one machine\n\
         Usage: bb [agent|mail] <command> [flags]\n\n",
    );
    for (group, purpose) in GROUPS {
        let verbs: Vec<_> = VERBS.iter().filter(|verb| verb.group == *group).map(|verb| verb.name).collect();
        let _ = writeln!(text, "{group:<13} {}\n{:13} {purpose}", verbs.join("  "), "");
    }
    text.push_str(
        "\nOne command with an example: bb <command> --help; all of them: bb man | man -l -\n\
         Everywhere: --json, --fields A,B, --store FILE, --color WHEN\n\
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
