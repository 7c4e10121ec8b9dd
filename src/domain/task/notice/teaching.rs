//! How an agent that knows nothing of this protocol learns to acknowledge.
//!
//! The text form is always shown inside a sentence. At the beginning of a line it would read
//! as an acknowledgment in the reply of an agent that quotes the message it answers.

use std::time::Duration;

use serde_json::{Value, json};

use crate::domain::task::{AckStatus, Task};

/// The statuses an agent can choose from when it first answers.
pub(super) const STATUS_OPTIONS: [AckStatus; 4] =
    [AckStatus::Received, AckStatus::NeedsClarification, AckStatus::Rejected, AckStatus::Queued];

/// The command that acknowledges the task.
pub(super) fn command(task: &Task, status: AckStatus) -> String {
    format!(
        "bb agent ack --task {} --status {status} --understanding \"what you will do\" --agent {}",
        task.task_id.in_shell(),
        task.agent
    )
}

/// The footer that every assignment ends with.
pub(super) fn footer(task: &Task, timeout: Duration) -> String {
    let id = &task.task_id;
    let received = command(task, AckStatus::Received);
    format!(
        "---\n\
         ACKNOWLEDGMENT REQUIRED: Reply with [ACK] {id} - RECEIVED\n\
         Include: Understanding: {{1-line summary of what you will do}}\n\
         \n\
         The acknowledgment is mandatory and comes before work: answer within {}, and begin nothing until you have.\n\
         \n\
         With bb: {received}\n\
         As text: one line [ACK] {id} - STATUS, and below it a line Understanding: with your summary.\n\
         STATUS is one of:\n\
         - RECEIVED: you have no questions and begin now\n\
         - CLARIFICATION_NEEDED: you need answers first; below a line Questions: write one numbered line for each\n\
         - QUEUED: you have earlier work to finish; a line Note: says which\n\
         - REJECTED: you cannot take it; a line Reason: says why\n\
         ---",
        minutes_text(timeout)
    )
}

/// What the footer says, for programs.
pub(super) fn content(task: &Task, timeout: Duration) -> Value {
    let id = &task.task_id;
    json!({
        "required": true,
        "before_work": true,
        "timeout_minutes": minutes(timeout),
        "text_form": format!("[ACK] {id} - RECEIVED\nUnderstanding: {{1-line summary of what you will do}}"),
        "statuses": STATUS_OPTIONS.map(AckStatus::in_text),
        "command": command(task, AckStatus::Received),
    })
}

/// How to acknowledge anew after a change of what is to be done.
pub(super) fn again(task: &Task) -> String {
    format!(
        "Acknowledge again, with the understanding you have now, before you begin or go on:\n\
         With bb: {}\n\
         As text: one line [ACK] {} - CONFIRMED, and below it a line Understanding: with your summary.",
        command(task, AckStatus::Confirmed),
        task.task_id
    )
}

/// Whole minutes, rounded up.
pub(super) fn minutes(timeout: Duration) -> u64 {
    timeout.as_secs().div_ceil(60)
}

pub(super) fn minutes_text(timeout: Duration) -> String {
    match minutes(timeout) {
        1 => "1 minute".to_owned(),
        minutes => format!("{minutes} minutes"),
    }
}
