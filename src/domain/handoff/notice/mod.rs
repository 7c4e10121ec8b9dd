//! The messages of a handoff, ready to be addressed and sent.
//!
//! Reminders and the escalation of silence are those of the handshake: see
//! [`crate::domain::notice`].

mod asking;
mod ending;
pub(super) mod teaching;
#[cfg(test)]
mod tests;

pub use asking::{clarification, correction};
pub use ending::{given_up, superseded};

use serde_json::{Value, json};

use super::{Handoff, HandoffAck, HandoffStatus, TaskRef};
use crate::domain::message::{Category, Kind, MessageId, Priority};
use crate::domain::notice::Notice;

/// A message with a text for people and the same in fields, of the category its kind has.
pub(in crate::domain) fn compose(
    kind: Kind,
    priority: Priority,
    subject: String,
    body: String,
    fields: Value,
) -> Notice {
    let category = match kind {
        Kind::ReplacementHandoff => Category::Handoff,
        _ => Category::Info,
    };
    let mut content = fields;
    if let Value::Object(content) = &mut content {
        content.insert("type".to_owned(), kind.as_str().into());
    }
    let requires_ack = category.requires_ack();
    Notice { subject, body, content, kind, category, priority, requires_ack }
}

/// Tells the replacement whom it replaces and where the document is, and teaches it to acknowledge.
///
/// `message_id` is the id that the notice will have, because it stands in the lines that answer it.
pub fn handoff(handoff: &Handoff, message_id: &MessageId) -> Notice {
    let failed = &handoff.failed.id;
    let url = handoff.location().unwrap_or_default();
    let within = handoff.urgency.ack_required_within();
    let message = format!(
        "You are replacing {failed} due to {}. Please ACK within {within} and confirm you understand \
         the requirements. Full handoff document with all context: {url}",
        handoff.reason
    );
    let place = if handoff.url.is_some() { "published" } else { "a file on this machine" };
    let tasks: Vec<_> = handoff.tasks.iter().map(task_line).collect();
    let body = format!(
        "{message}\n\nHandoff: {}\nDocument ({place}): {url}\nTasks:\n{}\n\n{}",
        handoff.handoff_id,
        tasks.join("\n"),
        teaching::text(handoff, message_id)
    );
    let task_ids: Vec<_> = handoff.tasks.iter().map(|task| &task.task_id).collect();
    let fields = json!({
        "message": message,
        "handoff_id": handoff.handoff_id,
        "handoff_url": url,
        "failed_agent": handoff.failed,
        "tasks": handoff.task_uuids(),
        "task_ids": task_ids,
        "urgency": handoff.urgency,
        "ack_required_within": within,
        "acknowledgment_instructions": teaching::content(handoff, message_id),
    });
    let subject = format!("[HANDOFF] Agent Replacement - You are replacing {failed}");
    compose(Kind::ReplacementHandoff, handoff.urgency.priority(), subject, body, fields)
}

fn task_line(task: &TaskRef) -> String {
    format!("- {} ({})", task.task_id, task.task_uuid)
}

/// Acknowledges the handoff to its orchestrator.
pub fn ack(handoff: &Handoff, ack: &HandoffAck) -> Notice {
    let ack = ack.clone().cleaned();
    let message = match ack.known_status() {
        Some(HandoffStatus::Rejected) => "Handoff received and rejected",
        _ => "Handoff received and reviewed",
    };
    let status = ack.status.as_ref().map(|said| said.as_str().to_owned());
    let questions: Vec<_> =
        (1..).zip(ack.questions()).map(|(number, it): (u32, _)| format!("{number}. {it}")).collect();
    let mut lines = vec![message.to_owned(), String::new()];
    lines.extend(status.as_ref().map(|it| format!("Status: {it}")));
    lines.extend(ack.understanding.as_ref().map(|it| format!("Understanding: {it}")));
    lines.extend(ack.starting_from.as_ref().map(|it| format!("Starting from: {it}")));
    lines.extend(ack.reason.as_ref().map(|it| format!("Reason: {it}")));
    if !questions.is_empty() {
        lines.push(format!("Questions:\n{}", questions.join("\n")));
    }
    let mut fields = json!({
        "message": message,
        "handoff_id": handoff.handoff_id,
        "understanding": ack.understanding,
        "starting_from": ack.starting_from,
        "questions": ack.questions(),
        "status": status,
    });
    if let (Some(reason), Some(map)) = (&ack.reason, fields.as_object_mut()) {
        map.insert("reason".to_owned(), reason.as_str().into());
    }
    let subject = format!("[ACK] Handoff {} Received", handoff.handoff_id);
    compose(Kind::HandoffAck, Priority::High, subject, lines.join("\n"), fields)
}
