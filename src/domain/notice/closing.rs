//! What is said when a handshake, or what it was about, is over.

use serde_json::json;

use super::Notice;
use super::wording::{duration_in_words, named, titled};
use crate::domain::agent::AgentId;
use crate::domain::handshake::{End, Outcome, Recipient, Snapshot, Status};
use crate::domain::message::{Kind, Priority};
use crate::domain::schedule::Policy;

/// Tells everyone asked that the operation will not take place.
pub fn cancellation(state: &Snapshot, by: &AgentId) -> Notice {
    let message = format!("{by} asked to cancel. The {} will not be performed.", named(&state.operation));
    let fields = json!({ "operation": state.operation.kind, "cancelled_by": by });
    let subject = "Operation Cancelled".to_owned();
    Notice::new(Kind::CancellationNotice, Priority::High, subject, message, fields).about(state)
}

/// Tells those who agreed or are still asked that the operation will not take place, and why.
pub fn called_off(state: &Snapshot, outcome: Outcome) -> Notice {
    let those = |status: Status| {
        let agents = state.recipients.iter().filter(|it| it.status == status);
        agents.map(|it| it.agent.as_str()).collect::<Vec<_>>().join(", ")
    };
    let why = match outcome {
        _ if state.plan.quorum.is_some() => "Too few agreed.".to_owned(),
        Outcome::Refused => format!("{} refused.", those(Status::Refused)),
        Outcome::Gone => format!("{} will not answer any more.", those(Status::Gone)),
        _ => format!("There was no answer from {}.", those(Status::Silent)),
    };
    let message = format!("{why} The {} will not be performed.", named(&state.operation));
    let fields = json!({ "operation": state.operation.kind, "reason": outcome });
    let subject = "Operation Cancelled".to_owned();
    Notice::new(Kind::CancellationNotice, Priority::High, subject, message, fields).about(state)
}

/// Tells a silent recipient what comes of its silence.
pub fn timeout(state: &Snapshot, recipient: &Recipient, end: &End) -> Notice {
    let waited = duration_in_words(state.wait_for(recipient));
    let consequence = match state.plan.on_silence {
        _ if end.proceed => "Proceeding with operation now.",
        Policy::Proceed | Policy::Abort => "The operation will not be performed.",
        Policy::Unresponsive => "You are now marked unresponsive.",
        Policy::Escalate => "This has been escalated.",
    };
    let more = state.operation.timeout_text.as_deref().map(str::trim).unwrap_or_default();
    let message = format!("No response received after {waited}. {consequence} {more}");
    let fields = json!({ "operation": state.operation.kind, "timeout_occurred": true });
    let subject = if end.proceed {
        "Proceeding Without Acknowledgment"
    } else {
        "Not Proceeding Without Acknowledgment"
    };
    let message = message.trim_end().to_owned();
    Notice::new(Kind::TimeoutNotice, Priority::High, subject.to_owned(), message, fields).about(state)
}

/// Tells a recipient how the operation went; without an exit status a signal ended it.
pub fn post_operation(state: &Snapshot, recipient: &Recipient, exit_status: Option<i32>) -> Notice {
    let name = named(&state.operation);
    let title = titled(&state.operation);
    let success = exit_status == Some(0);
    let (subject, message) = match exit_status {
        Some(0) => (format!("{title} Complete"), format!("The {name} is complete.")),
        Some(status) => (format!("{title} Failed"), format!("The {name} failed with exit status {status}.")),
        None => (format!("{title} Failed"), format!("The {name} was ended by a signal.")),
    };
    let fields = json!({
        "operation": state.operation.kind,
        "success": success,
        "exit_status": exit_status,
        "acknowledgment_received": recipient.status.is_yes(),
        "timeout_occurred": recipient.status == Status::Silent,
    });
    let priority = if success { Priority::Normal } else { Priority::High };
    Notice::new(Kind::PostOperation, priority, subject, message, fields).about(state)
}
