//! What goes to those still silent.

use serde_json::json;

use super::wording::{operation_name, seconds};
use super::{Notice, instructions};
use crate::domain::handshake::{Recipient, Reminder, Snapshot};
use crate::domain::message::{Kind, Priority};
use crate::domain::schedule::{Policy, StepKind, Tone};

/// Reminds a recipient, in the form that fits what it was sent.
pub fn reminder(state: &Snapshot, recipient: &Recipient, due: &Reminder) -> Notice {
    let notice = match (due.step, &state.operation.handoff_id) {
        (StepKind::AckRequest, _) => ack_request(state, recipient, due),
        (StepKind::Reminder { tone }, Some(handoff)) => {
            handoff_reminder(state, recipient, due, tone, handoff)
        }
        (StepKind::Reminder { tone }, None) => of_operation(state, recipient, due, tone),
        (StepKind::Resend { .. }, _) => of_operation(state, recipient, due, Tone::Firm),
    };
    notice.about(state)
}

fn of_operation(state: &Snapshot, recipient: &Recipient, due: &Reminder, tone: Tone) -> Notice {
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
        operation_name(&state.operation.kind)
    );
    let fields = json!({
        "original_operation": state.operation.kind,
        "time_remaining": remaining,
        "reminder_number": due.number,
        "total_reminders": due.total,
        "acknowledgment_instructions": instructions::for_operation(state, recipient),
    });
    let subject = "Reminder: Acknowledgment Required".to_owned();
    Notice::new(Kind::Reminder, Priority::High, subject, message, fields)
}

/// Asks outright for the ack of a task.
fn ack_request(state: &Snapshot, recipient: &Recipient, due: &Reminder) -> Notice {
    let task = state.operation.task_id.as_deref().unwrap_or(&state.id);
    let message = format!(
        "I sent you task {task} but have not received acknowledgment.\n\
         Please confirm receipt with: [ACK] {task} - {{status}}\n\n\
         Status options: RECEIVED, CLARIFICATION_NEEDED, REJECTED, QUEUED"
    );
    let fields = json!({
        "task_id": task,
        "time_remaining": seconds(due.remaining),
        "status_options": ["RECEIVED", "CLARIFICATION_NEEDED", "REJECTED", "QUEUED"],
        "acknowledgment_instructions": instructions::for_task(recipient),
    });
    let subject = format!("ACK REQUIRED: {task}");
    Notice::new(Kind::AckRequest, Priority::High, subject, message, fields)
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
