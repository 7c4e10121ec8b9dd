//! What goes to those still silent.

use serde_json::json;

use super::wording::{named, seconds};
use super::{Notice, instructions};
use crate::domain::handshake::{Operation, Recipient, Reminder, Snapshot};
use crate::domain::message::{Kind, Priority};
use crate::domain::schedule::{Policy, StepKind, Tone};
use crate::domain::task;

/// Reminds a recipient, in the form that fits what it was sent.
pub fn reminder(state: &Snapshot, recipient: &Recipient, due: &Reminder) -> Notice {
    let notice = match (due.step, &state.operation) {
        (StepKind::AckRequest, Operation { task_id: Some(task), .. }) => {
            task::notice::ack_request(task, &recipient.agent, &recipient.message_id, due.remaining)
        }
        (StepKind::AckRequest, _) => of_operation(state, recipient, due, Kind::AckRequest, Tone::Firm),
        (StepKind::Reminder { tone }, Operation { handoff_id: Some(handoff), .. }) => {
            handoff_reminder(state, recipient, due, tone, handoff)
        }
        (StepKind::Reminder { tone }, _) => of_operation(state, recipient, due, Kind::Reminder, tone),
        (StepKind::Resend { .. }, _) => of_operation(state, recipient, due, Kind::Reminder, Tone::Firm),
    };
    notice.about(state)
}

fn of_operation(state: &Snapshot, recipient: &Recipient, due: &Reminder, kind: Kind, tone: Tone) -> Notice {
    let remaining = seconds(due.remaining);
    let then = match (state.plan.on_silence, state.plan.quorum) {
        (Policy::Proceed, None) => "proceed",
        _ => "stop waiting",
    };
    let emphasis = match tone {
        Tone::Gentle => "",
        Tone::Firm => " I still have no answer from you: please give one now.",
        Tone::Final => " Final notice: no further reminder follows.",
    };
    let message = format!(
        "Reminder: Please reply 'ok' when ready for the pending {}. {remaining} remaining before I {then}.{emphasis}",
        named(&state.operation)
    );
    let fields = json!({
        "original_operation": state.operation.kind,
        "time_remaining": remaining,
        "reminder_number": due.number,
        "total_reminders": due.total,
        "acknowledgment_instructions": instructions::for_operation(state, recipient),
    });
    let subject = "Reminder: Acknowledgment Required".to_owned();
    Notice::new(kind, Priority::High, subject, message, fields)
}

fn handoff_reminder(
    state: &Snapshot,
    recipient: &Recipient,
    due: &Reminder,
    tone: Tone,
    handoff: &str,
) -> Notice {
    let emphasis = match tone {
        Tone::Final => " Final reminder: without an answer this is escalated.",
        Tone::Gentle | Tone::Firm => "",
    };
    let message = format!(
        "You have not acknowledged the replacement handoff. \
         Please ACK immediately or indicate if you cannot accept this task.{emphasis}"
    );
    let fields = json!({
        "handoff_id": handoff,
        "original_sent": state.started_at,
        "reminder_number": due.number,
        "final_deadline": recipient.deadline,
        "acknowledgment_instructions": instructions::for_handoff(recipient),
    });
    let subject = format!("[REMINDER] ACK Required for Handoff {handoff}");
    Notice::new(Kind::HandoffReminder, Priority::Urgent, subject, message, fields)
}
