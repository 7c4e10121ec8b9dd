//! The handshake: a request, its reminders, the answers, and how it ends.
//!
//! A state machine without I/O. [`Handshake::handle`] takes what happened and when,
//! [`Handshake::handle_timeout`] does what is due, [`Handshake::poll_output`] says what to send
//! and record, [`Handshake::poll_timeout`] when to look again. The time is always a parameter.
//! What is stored is the [`Snapshot`]; resuming is loading it.
//!
//! A driver works in one transaction: load the snapshot, handle every new reply with the time
//! it was stored, then `handle_timeout(now)`, drain the outputs, store the snapshot. An answer
//! stored before the deadline thereby wins over the timeout however late anybody looks, and
//! nothing is sent twice.

mod ending;
mod exchange;
mod granting;
mod lateness;
mod machine;
mod snapshot;
#[cfg(test)]
mod tests;

pub use ending::{End, Outcome};
pub use exchange::{Input, NotCounted, Output, Reminder, Reply, Why};
pub use lateness::Late;
pub use machine::{Handshake, Opening};
pub use snapshot::{Operation, Recipient, Snapshot, Status};
