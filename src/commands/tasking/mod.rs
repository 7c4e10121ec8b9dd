//! Tasks between the store and their state machine: the same few steps for whoever speaks.
//!
//! Each step happens in the caller's transaction: load the task, apply what happened, send and
//! record what comes out of it, store the task, tell the handshakes that wait for its answer.

mod changing;
mod finding;
mod hearing;
mod performing;
mod reacting;
mod relevance;
mod report;

pub(super) use changing::{Cause, Changed, begin, by_party, change, refusal};
pub(super) use finding::{asked_by, named, of_message, owed_in_thread};
pub(super) use hearing::{Heard, Statement, bind, dress, hear, misspelled, statements};
pub(super) use reacting::{after_wait, take_step};
pub(super) use relevance::{beside_the_point, verdict_of};
pub use report::{TaskReport, TaskSent};
