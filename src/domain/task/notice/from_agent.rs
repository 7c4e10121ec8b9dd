//! What an agent says to the one who delegated to it.

use serde_json::json;

use super::{about, numbered};
use crate::domain::Timestamp;
use crate::domain::ack_text::AckText;
use crate::domain::message::{Kind, Priority};
use crate::domain::notice::Notice;
use crate::domain::task::{Ack, AckStatus, Task};

/// Acknowledges the task; the body is the text form.
pub fn acknowledgment(task: &Task, ack: &Ack, now: Timestamp) -> Notice {
    let ack = ack.clone().cleaned();
    let status = ack.effective_status();
    let mut body = AckText::of(task.task_id.clone(), &ack).print();
    if !ack.estimated_checkpoints.is_empty() {
        body.push_str(&format!("\n\nPlanned checkpoints\n{}", numbered(&ack.estimated_checkpoints)));
    }
    let priority = match status {
        AckStatus::NeedsClarification | AckStatus::Rejected => Priority::High,
        AckStatus::Received | AckStatus::Confirmed | AckStatus::Queued => Priority::Normal,
    };
    let subject = format!("[ACK] {} - {}", task.task_id, status.in_text());
    let mut notice = about(task, Kind::TaskAcknowledgment, &subject, body)
        .priority(priority)
        .with("status", json!(status))
        .with("received_at", json!(now))
        .with("understanding", json!(ack.understanding))
        .with("questions", json!(ack.questions))
        .with("estimated_checkpoints", json!(ack.estimated_checkpoints));
    for (key, value) in [("note", &ack.note), ("reason", &ack.reason)] {
        if let Some(value) = value {
            notice = notice.with(key, json!(value));
        }
    }
    notice
}

/// Says why the agent cannot take the task, and what its delegator should do; none without an error.
pub fn error(task: &Task, now: Timestamp) -> Option<Notice> {
    let error = task.error.as_ref()?;
    let body = format!("{}: {}\n\nNext: {}", error.code, error.message, error.advice());
    let subject = format!("Cannot take {}: {}", task.task_id, error.code);
    Some(
        about(task, Kind::TaskAcknowledgmentError, &subject, body)
            .priority(Priority::High)
            .with("error_code", json!(error.code))
            .with("error_message", json!(error.message))
            .with("timestamp", json!(now))
            .with("retry_after_minutes", json!(error.retry_after_minutes))
            .with("alternative_agents", json!(error.alternatives))
            .with("next_action", json!(error.code.next_action())),
    )
}

/// Reports a checkpoint; none when no checkpoint of that number was reported.
pub fn checkpoint(task: &Task, number: u32) -> Option<Notice> {
    let done = task.checkpoints.iter().find(|done| done.number == number)?;
    let body = match done.next {
        Some(next) => format!("{}\n\nNext: checkpoint {next}", done.summary),
        None => done.summary.clone(),
    };
    let subject = format!("Checkpoint {number}: {}", task.task_id);
    Some(
        about(task, Kind::CheckpointAck, &subject, body)
            .with("checkpoint", json!(done.number))
            .with("status", json!("completed"))
            .with("summary", json!(done.summary))
            .with("next_checkpoint", json!(done.next))
            .with("completed_at", json!(done.at)),
    )
}

/// Reports that the task is complete.
pub fn completion(task: &Task, now: Timestamp) -> Notice {
    let body = task.summary.clone().unwrap_or_else(|| format!("Task {} is complete.", task.task_id));
    let numbers: Vec<_> = task.checkpoints.iter().map(|done| done.number).collect();
    about(task, Kind::TaskComplete, &format!("Complete: {}", task.task_id), body)
        .with("status", json!("complete"))
        .with("summary", json!(task.summary))
        .with("checkpoints", json!(numbers))
        .with("completed_at", json!(now))
}
