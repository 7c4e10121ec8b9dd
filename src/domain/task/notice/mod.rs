//! The messages of the task protocol, ready to be sent.

mod from_agent;
mod from_delegator;
mod request;
mod teaching;

pub use from_agent::{acknowledgment, checkpoint, completion, error};
pub use from_delegator::{
    assignment, clarification, correction, not_taken, resend, supplement, which_criterion,
};
pub use request::{ack_request, escalation, queued_check, sole_assignee, stop};
pub use teaching::{Lesson, lesson};

use serde_json::{Value, json};

use super::{ACK_TIMEOUT, Ack, Task, TaskOutput};
use crate::domain::Timestamp;
use crate::domain::agent::AgentId;
use crate::domain::message::{Kind, MAX_SUBJECT, Priority};
use crate::domain::notice::Notice;

/// A message with its addresses.
#[derive(Debug, Clone, PartialEq)]
pub struct Letter {
    pub from: AgentId,
    pub to: AgentId,
    pub notice: Notice,
}

/// The message that an output calls for; `said` is the acknowledgment it follows from.
///
/// An escalation is not among them, because its address is not part of the task.
pub fn letter(task: &Task, output: &TaskOutput, said: Option<&Ack>, now: Timestamp) -> Option<Letter> {
    let from_agent = |notice: Option<Notice>| {
        notice.map(|notice| Letter { from: task.agent.clone(), to: task.delegated_by.clone(), notice })
    };
    let to = |to: &AgentId, notice: Option<Notice>| {
        notice.map(|notice| Letter { from: task.delegated_by.clone(), to: to.clone(), notice })
    };
    match output {
        TaskOutput::SendAcknowledgment => from_agent(said.map(|ack| acknowledgment(task, ack, now))),
        TaskOutput::SendError => from_agent(error(task, now)),
        TaskOutput::SendCheckpoint { number } => from_agent(checkpoint(task, *number)),
        TaskOutput::SendCompletion => from_agent(Some(completion(task, now))),
        TaskOutput::SendClarification => to(&task.agent, Some(clarification(task))),
        TaskOutput::SendWhichCriterion => to(&task.agent, Some(which_criterion(task))),
        TaskOutput::SendCorrection { .. } => to(&task.agent, correction(task)),
        TaskOutput::SendSupplement => to(&task.agent, supplement(task)),
        TaskOutput::SendQueuedCheck => to(&task.agent, Some(queued_check(task))),
        TaskOutput::SendStop { to: agent } => to(agent, Some(stop(task, agent))),
        TaskOutput::SendSoleAssignee { to: agent } => to(agent, Some(sole_assignee(task))),
        TaskOutput::SendAssignment { to: agent } => to(agent, Some(assignment(task, ACK_TIMEOUT))),
        TaskOutput::Escalate { .. }
        | TaskOutput::MarkUnresponsive { .. }
        | TaskOutput::LogIncident { .. }
        | TaskOutput::Begin => None,
    }
}

/// A message about a task.
fn about(task: &Task, kind: Kind, subject: &str, body: String) -> Notice {
    let content = json!({
        "type": kind.as_str(),
        "task_id": task.task_id,
        "task_uuid": task.task_uuid,
    });
    Notice::with_content(kind, Priority::Normal, one_line(subject, MAX_SUBJECT), body, content)
}

impl Notice {
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
