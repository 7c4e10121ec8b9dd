//! Delegated tasks: who was asked to do what, whether it was understood, and how far it is.
//!
//! A task lives by [`Task::apply`], which takes what happened ([`TaskInput`]) and
//! answers with what has to be done about it ([`TaskOutput`]); [`notice`] writes the messages.

mod ack;
mod apply;
mod assignment;
mod content;
mod id;
mod input;
mod judgment;
pub mod notice;
mod reaction;
mod readiness;
mod record;
mod view;
mod words;

pub use ack::{Ack, TaskError};
pub use assignment::{Addressed, Assignment, addressed, decide};
pub use content::read_content;
pub use id::TaskId;
pub use input::{EscalationReason, Party, TaskInput, TaskOutput};
pub use judgment::MAX_CORRECTIONS;
pub use reaction::{MAX_RETRIES, Reaction};
pub use readiness::{ACK_TIMEOUT, ChecklistItem, QUEUE_CHECK_AFTER};
pub use record::{Checkpoint, NewTask, Revision, Task};
pub use view::{CheckpointView, TaskView};
pub use words::{AckStatus, NextAction, TaskErrorCode, TaskStatus};

#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;
