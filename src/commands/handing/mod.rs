//! Handoffs between the store and their state machine: the same few steps for whoever takes them.
//!
//! Each step happens in one transaction: load the handoff, look whether the step is still to be taken,
//! apply it, send and record what follows. A command that was cut off goes on with the next step, and two
//! that run at once take each step once.

mod answering;
mod changing;
mod clarifying;
mod closing;
mod delivering;
mod driving;
mod gh;
mod github;
mod moving;
mod order;
mod preparing;
mod report;
mod standing;

pub(super) use answering::{answer, asked_by, hear, of_message};
pub(super) use changing::{SHORTEST_PART, apply, found, letter, orchestrator};
pub(super) use clarifying::clarify;
pub(super) use closing::audit_log;
pub(super) use delivering::{wait_anew, wait_of};
pub(super) use driving::{Halt, Manner, announce, delay, deliver, drive, is_given_up, look};
pub(super) use github::retry;
pub(super) use preparing::{Prepared, Wanted, prepare};
pub use standing::Reach;
pub(super) use standing::{checklists, left_behind, reach};

pub use order::Order;
pub(super) use order::document;
pub use report::HandoffReport;
