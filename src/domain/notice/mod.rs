//! What handshakes say: the messages they send and the lines they log.
//!
//! Pure composition. Each message carries a text for people in its body and the same, with the
//! facts as fields, in its content.

mod acknowledgment;
mod closing;
mod escalation;
mod extension;
mod instructions;
pub mod log;
mod record;
mod reminder;
mod request;
#[cfg(test)]
mod tests;
mod wording;

use serde_json::{Map, Value};

use super::Timestamp;
use super::agent::AgentId;
use super::handshake::{Outcome, Output, Recipient, Snapshot};
use super::message::{Category, Kind, Priority};

pub use acknowledgment::acknowledgment;
pub use closing::{called_off, cancellation, post_operation, timeout};
pub use escalation::{HandoffEscalation, escalation, handoff_escalation};
pub use extension::{extension_granted, extension_refused};
pub use record::OperationRecord;
pub use reminder::reminder;
pub use request::request;
pub use wording::{duration_in_words, operation_title, whole_seconds};

/// A message without its addresses.
#[derive(Debug, Clone, PartialEq)]
pub struct Notice {
    pub subject: String,
    pub body: String,
    pub content: Value,
    pub kind: Kind,
    pub category: Category,
    pub priority: Priority,
    pub requires_ack: bool,
}

impl Notice {
    /// A message whose content has the fields, and `type` and `message` besides.
    fn new(kind: Kind, priority: Priority, subject: String, message: String, fields: Value) -> Self {
        let mut content = match fields {
            Value::Object(map) => map,
            _ => Map::new(),
        };
        content.entry("type").or_insert_with(|| kind.as_str().into());
        content.insert("message".to_owned(), message.clone().into());
        Self::with_content(kind, priority, subject, message, Value::Object(content))
    }

    /// A message of a kind, which decides its category and whether it requires an ack.
    pub(super) const fn with_content(
        kind: Kind,
        priority: Priority,
        subject: String,
        body: String,
        content: Value,
    ) -> Self {
        let category = kind.category();
        Self { subject, body, content, kind, category, priority, requires_ack: category.requires_ack() }
    }

    /// Adds what correlates the messages of one handshake.
    fn about(mut self, state: &Snapshot) -> Self {
        if let Value::Object(content) = &mut self.content {
            content.insert("operation_id".to_owned(), state.id.clone().into());
            if let Some(broadcast) = &state.operation.broadcast_id {
                content.insert("broadcast_id".to_owned(), broadcast.clone().into());
            }
        }
        self
    }
}

/// The messages to recipients that an output calls for, when they are sent at `now`.
///
/// A resend is not among them, because it is the request itself, nor an escalation, because its
/// address is not a recipient: see [`escalation()`] and [`handoff_escalation`].
pub fn messages(state: &Snapshot, output: &Output, now: Timestamp) -> Vec<(AgentId, Notice)> {
    let to_one = |to: &AgentId, compose: &dyn Fn(&Recipient) -> Notice| {
        state.recipient(to).map(|it| (to.clone(), compose(it))).into_iter().collect()
    };
    match output {
        Output::Remind(due) => to_one(&due.to, &|recipient| reminder(state, recipient, due)),
        Output::ExtensionGranted { to, .. } => to_one(to, &|it| extension_granted(state, it, now)),
        Output::ExtensionRefused { to, .. } => to_one(to, &|it| extension_refused(state, it, now)),
        Output::Cancelled { by, told } => {
            told.iter().map(|to| (to.clone(), cancellation(state, by))).collect()
        }
        Output::CalledOff { outcome, told } => {
            told.iter().map(|to| (to.clone(), called_off(state, *outcome))).collect()
        }
        Output::Ended(end) => match end.outcome {
            Outcome::TimedOut | Outcome::Unresponsive | Outcome::Escalated | Outcome::Quorum => {
                state.silent().map(|it| (it.agent.clone(), timeout(state, it, end))).collect()
            }
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}
