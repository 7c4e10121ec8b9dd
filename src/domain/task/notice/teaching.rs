//! How an agent that knows nothing of this protocol learns to acknowledge.
//!
//! In a body the text form is always shown inside a sentence. At the beginning of a line it would
//! read as an acknowledgment in the reply of an agent that quotes the message it answers.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use crate::domain::agent::AgentId;
use crate::domain::task::{AckStatus, Task, TaskId};

/// The statuses an agent can choose from when it first answers.
pub(super) const STATUS_OPTIONS: [AckStatus; 4] =
    [AckStatus::Received, AckStatus::NeedsClarification, AckStatus::Rejected, AckStatus::Queued];

/// The command that acknowledges a task.
pub(super) fn command(task_id: &TaskId, agent: &AgentId, status: AckStatus) -> String {
    format!(
        "bb agent ack --task {} --status {status} --understanding \"what you will do\" --agent {agent}",
        task_id.in_shell()
    )
}

/// The command that asks about a task.
pub(super) fn question(task: &Task) -> String {
    format!(
        "bb agent ack --task {} --status needs-clarification --question \"your question\" --agent {}",
        task.task_id.in_shell(),
        task.agent
    )
}

fn text_form(task_id: &TaskId, status: AckStatus) -> String {
    format!("[ACK] {task_id} - {}\nUnderstanding: {{1-line summary of what you will do}}", status.in_text())
}

/// What an agent does next about a task whose answer it owes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Lesson {
    pub task_id: TaskId,
    /// The line that acknowledges it.
    pub command: String,
    /// The same as a text, for a reply.
    pub text_form: String,
    /// The line that asks instead.
    pub question: String,
}

impl Lesson {
    /// The lesson within a body, where no line may begin with the text form.
    pub(super) fn sentence(&self) -> String {
        let first = self.text_form.lines().next().unwrap_or_default();
        format!(
            "With bb: {}\nAs text: one line {first}, and below it a line Understanding: with your summary.",
            self.command
        )
    }
}

/// How to give the acknowledgment that is due now: a first one, or a new one after a change.
pub fn lesson(task: &Task) -> Lesson {
    let status = task.next_ack_status();
    Lesson {
        task_id: task.task_id.clone(),
        command: command(&task.task_id, &task.agent, status),
        text_form: text_form(&task.task_id, status),
        question: question(task),
    }
}

/// The footer that every assignment ends with.
pub(super) fn footer(task: &Task, timeout: Duration) -> String {
    let id = &task.task_id;
    let received = command(id, &task.agent, AckStatus::Received);
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
pub(super) fn content(task_id: &TaskId, agent: &AgentId) -> Value {
    json!({
        "required": true,
        "before_work": true,
        "text_form": text_form(task_id, AckStatus::Received),
        "statuses": STATUS_OPTIONS.map(AckStatus::in_text),
        "command": command(task_id, agent, AckStatus::Received),
    })
}

/// How to acknowledge anew after a change of what is to be done.
pub(super) fn again(task: &Task) -> String {
    format!(
        "Acknowledge again, with the understanding you have now, before you begin or go on:\n{}",
        lesson(task).sentence()
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
