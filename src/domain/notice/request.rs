//! The request that opens a handshake.

use serde_json::json;

use super::wording::{announcement, duration_in_words, operation_title, whole_seconds};
use super::{Notice, instructions};
use crate::domain::handshake::{Recipient, Snapshot};
use crate::domain::message::{Kind, Priority};

/// Announces an operation and asks for an "ok".
pub fn request(state: &Snapshot, recipient: &Recipient) -> Notice {
    let operation = &state.operation;
    let message = format!(
        "{} Please finish your current work and reply with \"ok\" when ready. I will wait up to {}.",
        announcement(operation),
        duration_in_words(state.plan.wait)
    );
    let intervals: Vec<_> = state.plan.steps.iter().map(|step| whole_seconds(step.after)).collect();
    let fields = json!({
        "operation": operation.kind,
        "requires_acknowledgment": true,
        "acknowledgment_timeout": whole_seconds(state.plan.wait),
        "acknowledgment_reminder_intervals": intervals,
        "acknowledgment_instructions": instructions::for_operation(state, recipient),
    });
    let subject = format!("{} Pending - Acknowledgment Required", operation_title(&operation.kind));
    Notice::new(Kind::PreOperation, Priority::High, subject, message, fields).about(state)
}
