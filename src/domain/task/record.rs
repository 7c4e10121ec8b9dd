//! What is known about a task.

use serde::{Deserialize, Serialize};

use super::{TaskError, TaskId, TaskStatus};
use crate::domain::agent::AgentId;
use crate::domain::message::{MAX_SUBJECT, MessageId, Priority, default_thread};
use crate::domain::{Invalid, Rule, Timestamp};

/// What the thread of a task without a bead begins with.
const THREAD: &str = "task:";

/// A task that is about to be delegated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewTask {
    pub task_id: TaskId,
    pub task_uuid: String,
    pub title: String,
    pub description: String,
    pub criteria: Vec<String>,
    pub critical: bool,
    pub agent: AgentId,
    pub delegated_by: AgentId,
    pub bead: Option<String>,
    /// How soon it wants to be seen; a critical task is urgent by itself.
    pub priority: Option<Priority>,
    pub key: Option<String>,
}

/// A delegated task as the store knows it.
///
/// A task keeps its `task_uuid` for life, also when it passes to another agent; what the earlier
/// agents were is in `former_agents`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    pub task_id: TaskId,
    pub task_uuid: String,
    pub title: String,
    pub description: String,
    pub criteria: Vec<String>,
    pub critical: bool,
    pub agent: AgentId,
    pub delegated_by: AgentId,
    pub bead: Option<String>,
    pub priority: Option<Priority>,
    pub former_agents: Vec<AgentId>,
    pub status: TaskStatus,
    /// What the agent last said it will do.
    pub understanding: Option<String>,
    /// What the agent asked and has not taken back by a later acknowledgment.
    pub questions: Vec<String>,
    /// The answers to `questions`, by position; empty until the delegator answers.
    pub answers: Vec<String>,
    pub note: Option<String>,
    /// Why the agent rejected the task.
    pub rejection: Option<String>,
    pub error: Option<TaskError>,
    /// The delegator asked which part of the task the questions are about.
    pub vague: bool,
    /// What the delegator wants acknowledged anew.
    pub revision: Option<Revision>,
    /// How many wrong understandings were corrected.
    pub corrections: u32,
    pub escalated: bool,
    pub estimated_checkpoints: Vec<String>,
    /// The checkpoints that were reported, by number.
    pub checkpoints: Vec<Checkpoint>,
    /// What was said on completion, or why it was cancelled.
    pub summary: Option<String>,
    pub queued_since: Option<Timestamp>,
    pub queue_checks: u32,
    pub queue_checked_at: Option<Timestamp>,
    /// The assignment that the agent got.
    pub message_id: Option<MessageId>,
    /// The newest message that asks the agent for an answer: the assignment, or what followed it.
    pub asked_in: Option<MessageId>,
    /// When the agent that could not take the task is asked again.
    pub retry_at: Option<Timestamp>,
    /// How often it was asked again.
    pub retries: u32,
    pub key: Option<String>,
    pub assigned_at: Timestamp,
    pub acknowledged_at: Option<Timestamp>,
    pub updated_at: Timestamp,
}

/// A change to what the agent understood, which it has to acknowledge before it works on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "revision", rename_all = "lowercase")]
pub enum Revision {
    Correction { understood: String, correct: String },
    Supplement { understood: Option<String>, items: Vec<String> },
}

/// A part of the work that is done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checkpoint {
    pub number: u32,
    pub summary: String,
    pub next: Option<u32>,
    pub at: Timestamp,
}

impl NewTask {
    /// Checks what cannot be delegated: work without a title, or to oneself.
    pub fn check(&self) -> Result<(), Invalid> {
        if self.title.trim().is_empty() {
            return Err(Invalid::new(Rule::Task, format!("task `{}` has no title", self.task_id))
                .hint("say in one line what is to be done: --title TEXT"));
        }
        // The subject of the assignment holds the id and the title.
        if self.title.len() + TaskId::MAX_LENGTH + 20 > MAX_SUBJECT {
            return Err(Invalid::new(Rule::Task, format!("the title has {} bytes", self.title.len()))
                .hint("shorten it, and move the details into the body"));
        }
        if self.agent == self.delegated_by {
            return Err(Invalid::new(Rule::Task, format!("`{}` cannot delegate to itself", self.agent))
                .hint("name another agent: --to AGENT"));
        }
        Ok(())
    }
}

impl Task {
    /// The record of a task that is delegated now.
    pub fn assign(new: NewTask, now: Timestamp) -> Result<Self, Invalid> {
        new.check()?;
        Ok(Self {
            task_id: new.task_id,
            task_uuid: new.task_uuid,
            title: new.title,
            description: new.description,
            criteria: new.criteria,
            critical: new.critical,
            agent: new.agent,
            delegated_by: new.delegated_by,
            bead: new.bead,
            priority: new.priority,
            former_agents: Vec::new(),
            status: TaskStatus::Assigned,
            understanding: None,
            questions: Vec::new(),
            answers: Vec::new(),
            note: None,
            rejection: None,
            error: None,
            vague: false,
            revision: None,
            corrections: 0,
            escalated: false,
            estimated_checkpoints: Vec::new(),
            checkpoints: Vec::new(),
            summary: None,
            queued_since: None,
            queue_checks: 0,
            queue_checked_at: None,
            message_id: None,
            asked_in: None,
            retry_at: None,
            retries: 0,
            key: new.key,
            assigned_at: now,
            acknowledged_at: None,
            updated_at: now,
        })
    }

    /// The thread of the messages about this task: its bead's, if it has one.
    pub fn thread_id(&self) -> String {
        self.bead.as_deref().map_or_else(|| format!("{THREAD}{}", self.task_id), default_thread)
    }

    /// The task whose own thread this is.
    pub fn of_thread(thread_id: &str) -> Option<TaskId> {
        thread_id.strip_prefix(THREAD)?.parse().ok()
    }
}
