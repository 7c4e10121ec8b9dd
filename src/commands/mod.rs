//! What happens: one file for each verb, with its `Args`, its `Report` and its `run`.
//!
//! A command decides inside one transaction and answers with a report; it never prints.
//! What must be seen while it still runs goes to the [`Listener`].

mod context;
mod correspondence;
mod handing;
mod handshake;
mod holding;
mod identity;
mod keys;
mod lookup;
mod pairs;
mod process;
mod program;
mod recipients;
mod replacing;
mod tasking;
mod token_file;
mod waiting;
mod words;

pub mod ack;
pub mod activity_lease;
pub mod archive;
pub mod assign;
pub mod candidates;
pub mod checkpoint;
pub mod clarify;
pub mod complete;
pub mod config;
pub mod doctor;
pub mod explain;
pub mod export;
pub mod glance;
pub mod guard;
pub mod handoff;
pub mod hook;
pub mod import;
pub mod inbox;
pub mod list;
pub mod log;
pub mod onboard;
pub mod read;
pub mod register;
pub mod release;
pub mod replace;
pub mod reply;
pub mod report;
pub mod reserve;
pub mod send;
pub mod show;
pub mod state;
pub mod status;
pub mod tasks;
pub mod thread;
pub mod tick;
pub mod verify_ack;
pub mod wait_ack;
pub mod waits;
pub mod watch;
pub mod whoami;

use serde::Serialize;

pub use context::Context;
pub use handing::{HandoffReport, Order, Reach};
pub use identity::{Identity, Me};
pub use lookup::{Which, WhichTask};
pub use pairs::Pair;
pub use tasking::{TaskReport, TaskSent};

use crate::commands::wait_ack::Countdown;
use crate::commands::watch::{Board, Screen};
use crate::domain::Timestamp;
use crate::domain::event::Event;
use crate::domain::message::Message;
use crate::failure::Failure;

/// What a command answers: the `data` of its JSON document, and what is drawn for people.
pub trait Report: Serialize {
    /// The exit code of a command that did what it was asked to do.
    fn exit_code(&self) -> u8 {
        0
    }

    /// Whether everything there is to say was said while it ran.
    fn is_silent(&self) -> bool {
        false
    }

    /// Undoes what was done only for the sake of an answer that could not be written out.
    fn retract(&self, _context: &Context) {}

    /// What is left to do once the answer was written out.
    fn settle(&self, _context: &Context) -> Result<(), Failure> {
        Ok(())
    }
}

/// Hears of things while a command still runs.
pub trait Listener {
    /// A message arrived. Says whether anyone still listens.
    fn message(&mut self, message: &Message) -> Result<bool, Failure>;

    /// Something was recorded. Says whether anyone still listens.
    fn logged(&mut self, event: &Event, format: log::Format) -> Result<bool, Failure>;

    /// Something worth a line happened.
    fn notice(&mut self, line: &str) -> Result<(), Failure>;

    /// Something happened at a time.
    fn event(&mut self, at: Timestamp, line: &str) -> Result<(), Failure>;

    /// How the agents stand that are waited for.
    fn countdown(&mut self, agents: &[Countdown]);

    /// Something else writes to the terminal from now on: nothing is redrawn there any more.
    fn makes_room(&mut self);

    /// Whether standard output is kept for the answer alone.
    fn keeps_stdout(&self) -> bool;

    /// The board changed. Says whether anyone still looks.
    fn board(&mut self, _board: &Board) -> Result<bool, Failure> {
        Ok(true)
    }

    /// The terminal as a whole, if there is one; it calls `wake` at every key.
    fn screen(&mut self, _wake: Box<dyn Fn() + Send>) -> Result<Option<Box<dyn Screen>>, Failure> {
        Ok(None)
    }
}
