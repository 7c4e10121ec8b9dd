//! Handing the tasks of a failed agent to its replacement: document, notice, acknowledgment.
//!
//! A handoff lives by [`Handoff::apply`], which takes what happened ([`HandoffInput`]);
//! [`Handoff::next`] says what to do next, so that whoever resumes it goes on where it stopped;
//! [`notice`] writes the messages; [`verify`] decides whether an acknowledgment is good enough.
//! What follows for tasks, agents and records is in [`crate::domain::replacement`].

mod ack;
mod advice;
mod answering;
mod apply;
mod checks;
mod confirming;
mod delivering;
mod github;
mod id;
mod input;
mod labelling;
pub mod notice;
mod preparing;
mod progress;
mod publication;
mod reading;
mod record;
mod step;
mod superseding;
mod verification;
mod view;
mod words;

pub use ack::{HandoffAck, ReceivedAck, SaidStatus};
pub use advice::Advice;
pub use confirming::Unconfirmed;
pub use id::HandoffId;
pub use input::HandoffInput;
pub use preparing::{NewHandoff, check_tasks, obstacle};
pub use progress::Progress;
pub use publication::{Attempt, Attempted, Begun, MAX_COMMENT, MAX_DOCUMENT, Publication, issue_number};
pub use reading::{ACKNOWLEDGED_WITH_DELAY, Next};
pub use record::{
    Accounts, Answer, Clarification, Confirmation, Correction, Delay, Delivery, Document, FailedTask,
    Handoff, HandoffFailure, Member, Moved, Requested, TaskRef, Transfer, document_name,
};
pub use step::{Step, StepTaken};
pub use superseding::{Superseded, supersede};
pub use verification::{Action, Check, CheckName, Criteria, Verification, verify};
pub use view::HandoffView;
pub use words::{FailureCode, HandoffStatus, NextAction, Outcome, Urgency};

#[cfg(test)]
pub(in crate::domain) mod samples;
#[cfg(test)]
mod tests;
