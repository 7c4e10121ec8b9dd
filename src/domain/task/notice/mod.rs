//! The messages of the task protocol, ready to be sent.

mod from_agent;
mod from_delegator;
mod request;
mod teaching;

pub use from_agent::{acknowledgment, checkpoint, completion, error};
pub use from_delegator::{assignment, clarification, correction, resend, supplement, which_criterion};
pub use request::{ack_request, escalation, queued_check, sole_assignee, stop};

use serde_json::{Value, json};

use super::Task;
use crate::domain::agent::AgentId;
use crate::domain::message::{Category, Kind, MAX_SUBJECT, Priority};

/// A message about a task.
#[derive(Debug, Clone, PartialEq)]
pub struct Notice {
    pub from: AgentId,
    pub to: AgentId,
    pub kind: Kind,
    pub category: Category,
    pub priority: Priority,
    pub requires_ack: bool,
    pub subject: String,
    pub body: String,
    pub content: Value,
}

impl Notice {
    fn to_agent(task: &Task, kind: Kind, subject: &str, body: String) -> Self {
        Self::between(task, [&task.delegated_by, &task.agent], kind, subject, body)
    }

    fn to_delegator(task: &Task, kind: Kind, subject: &str, body: String) -> Self {
        Self::between(task, [&task.agent, &task.delegated_by], kind, subject, body)
    }

    fn between(task: &Task, [from, to]: [&AgentId; 2], kind: Kind, subject: &str, body: String) -> Self {
        let category = match kind {
            Kind::TaskAssignment => Category::Handoff,
            Kind::Escalation => Category::Blocked,
            _ => Category::Info,
        };
        Self {
            from: from.clone(),
            to: to.clone(),
            kind,
            category,
            priority: Priority::Normal,
            requires_ack: category.requires_ack(),
            subject: one_line(subject, MAX_SUBJECT),
            body,
            content: json!({
                "type": kind.as_str(),
                "task_id": task.task_id,
                "task_uuid": task.task_uuid,
            }),
        }
    }

    fn priority(mut self, priority: Priority) -> Self {
        self.priority = priority;
        self
    }

    fn requiring_ack(mut self) -> Self {
        self.requires_ack = true;
        self.with("requires_ack", json!(true))
    }

    fn with(mut self, key: &str, value: Value) -> Self {
        if let Value::Object(fields) = &mut self.content {
            fields.insert(key.to_owned(), value);
        }
        self
    }
}

/// The text on one line, cut to `max` bytes.
fn one_line(text: &str, max: usize) -> String {
    let mut line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    while line.len() > max {
        line.pop();
    }
    line
}

/// One numbered line for each text.
fn numbered(texts: &[String]) -> String {
    let lines: Vec<_> = (1..)
        .zip(texts)
        .map(|(number, text): (u32, _)| format!("{number}. {}", one_line(text, usize::MAX)))
        .collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests;
