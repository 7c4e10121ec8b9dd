//! The exit codes, in one table.

use std::process::ExitCode;

/// Why the process ended, as callers see it.
///
/// Outcomes of a handshake and of a verification are small numbers and come from their
/// reports; failures take the numbers of `sysexits`, so the two never collide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    Done = 0,
    Bug = 1,
    Usage = 64,
    InvalidData = 65,
    NoInput = 66,
    NoAgent = 67,
    Unavailable = 69,
    Interrupted = 70,
    CannotCreate = 73,
    Io = 74,
    TryAgain = 75,
    Forbidden = 77,
    Configuration = 78,
}

impl Exit {
    pub const ALL: [Self; 13] = [
        Self::Done,
        Self::Bug,
        Self::Usage,
        Self::InvalidData,
        Self::NoInput,
        Self::NoAgent,
        Self::Unavailable,
        Self::Interrupted,
        Self::CannotCreate,
        Self::Io,
        Self::TryAgain,
        Self::Forbidden,
        Self::Configuration,
    ];

    /// The number the shell sees.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// What the number means, as printed in the documentation.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Bug => "unexpected failure (a bug)",
            Self::Usage => "usage: wrong flags or arguments",
            Self::InvalidData => "invalid data: bad category, state, limit, id, empty subject, …",
            Self::NoInput => "no such message, reservation, task, handoff or file",
            Self::NoAgent => "unknown agent",
            Self::Unavailable => "store unavailable: newer version, corrupt, unreachable",
            Self::Interrupted => "a command that runs once was begun, and nobody knows how far it came",
            Self::CannotCreate => "cannot create the store",
            Self::Io => "input or output error",
            Self::TryAgain => "try again: conflict, store busy, still waiting",
            Self::Forbidden => "forbidden: not the recipient, not the owner, wrong token",
            Self::Configuration => "configuration error",
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}
