//! What is known about a handoff.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    Attempted, Begun, FailureCode, HandoffId, Outcome, Progress, Publication, ReceivedAck, StepTaken,
    Urgency, Verification,
};
use crate::domain::Timestamp;
use crate::domain::agent::AgentId;
use crate::domain::message::MessageId;
use crate::domain::task::{Task, TaskId};

/// The name under which a handoff's document is kept.
pub fn document_name(failed: &AgentId, new: &AgentId, at: Timestamp) -> String {
    format!("replacement-handoff-{failed}-to-{new}-{}.md", at.format("%Y%m%dT%H%M%SZ"))
}

/// An agent and the session it runs in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Member {
    pub id: AgentId,
    pub session: Option<String>,
}

/// The GitHub accounts of both agents, as far as they have any.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Accounts {
    pub failed: Option<String>,
    pub replacement: Option<String>,
}

/// A task that is handed over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TaskRef {
    pub task_id: TaskId,
    pub task_uuid: String,
    /// How much was done, in percent, when the handoff was prepared.
    pub last_known_progress: Option<u8>,
}

impl TaskRef {
    /// The reference to a task.
    pub fn of(task: &Task) -> Self {
        Self {
            task_id: task.task_id.clone(),
            task_uuid: task.task_uuid.clone(),
            last_known_progress: Progress::of(task).percentage,
        }
    }
}

/// The controller's message that asked for the replacement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Requested {
    pub notification_id: MessageId,
    pub received_at: Timestamp,
    pub urgency: Option<Urgency>,
}

/// The document that tells the replacement everything, as it is kept on this machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Document {
    pub path: String,
    pub size_bytes: u64,
    #[schemars(with = "String")]
    pub generated_at: Timestamp,
}

/// A notice that was sent to the replacement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delivery {
    pub message_id: MessageId,
    /// The handshake that waits for the acknowledgment.
    pub operation_id: Option<String>,
    /// Where the notice says that the document is.
    pub url: String,
    /// The revision of the document it is about.
    pub revision: u32,
    /// The number of the newest acknowledgment that had come by then; 0 when none had.
    #[serde(default)]
    pub after_ack: u32,
    pub at: Timestamp,
}

/// What was said to be wrong with an acknowledgment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Correction {
    /// The number of the acknowledgment that was corrected.
    pub to_ack: u32,
    pub at: Timestamp,
}

/// Answers to the questions of an acknowledgment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clarification {
    /// The number of the acknowledgment that asked.
    pub to_ack: u32,
    pub answers: Vec<Answer>,
    /// Where the document is now, if it was changed for the answers.
    pub updated_handoff_url: Option<String>,
    pub at: Timestamp,
}

/// A question and its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Answer {
    pub question: String,
    pub answer: String,
}

/// The tasks that moved, and those that did not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transfer {
    pub moved: Vec<Moved>,
    pub failed: Vec<FailedTask>,
    pub at: Timestamp,
}

/// What a task keeps when it changes hands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moved {
    pub task_uuid: String,
    pub agent_type: String,
    pub module: String,
    pub github_issue: Option<String>,
    pub progress: Progress,
}

/// A task that could not be given to the replacement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FailedTask {
    pub uuid: String,
    pub reason: String,
}

/// Why there is no replacement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HandoffFailure {
    pub code: FailureCode,
    pub message: String,
    pub reminders_sent: u64,
    /// When the replacement was last written to.
    #[schemars(with = "Option<String>")]
    pub last_attempt: Option<Timestamp>,
}

impl HandoffFailure {
    /// Silence: every attempt, which is the notice and its reminders, went unanswered.
    pub fn no_ack(reminders_sent: u64, last_attempt: Timestamp) -> Self {
        let attempts = match reminders_sent.saturating_add(1) {
            1 => "1 attempt".to_owned(),
            attempts => format!("{attempts} attempts"),
        };
        Self {
            code: FailureCode::NoAckReceived,
            message: format!("Replacement agent did not acknowledge handoff after {attempts}"),
            reminders_sent,
            last_attempt: Some(last_attempt),
        }
    }

    /// Anything else.
    pub fn new(code: FailureCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), reminders_sent: 0, last_attempt: None }
    }
}

/// What the controller was told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confirmation {
    pub message_id: MessageId,
    pub status: Outcome,
    pub at: Timestamp,
}

/// The orchestrator's decision to go on although no acknowledgment came in time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delay {
    pub reason: String,
    /// The number of the newest acknowledgment that had come by then and does not hold it up; 0 when none had.
    #[serde(default)]
    pub after_ack: u32,
    pub at: Timestamp,
}

/// A handoff as the store knows it: one JSON document that grows with every step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Handoff {
    pub handoff_id: HandoffId,
    pub orchestrator: AgentId,
    pub failed: Member,
    pub replacement: Member,
    pub reason: String,
    pub urgency: Urgency,
    pub requested: Option<Requested>,
    pub tasks: Vec<TaskRef>,
    /// The documented checkpoint from which the replacement is to go on.
    pub starting_from: Option<String>,
    pub publication: Publication,
    /// The pull request whose label and assignee change with the issue's.
    #[serde(default)]
    pub pull_request: Option<u64>,
    #[serde(default)]
    pub accounts: Accounts,
    /// Where the GitHub command line runs, because there it finds the repository.
    #[serde(default)]
    pub folder: Option<String>,
    pub document: Option<Document>,
    /// How often the document was replaced by a newer one.
    pub revision: u32,
    /// Where the document is published.
    pub url: Option<String>,
    /// What was begun on GitHub, until it is known what came of it.
    #[serde(default)]
    pub begun: Option<Begun>,
    pub attempts: Vec<Attempted>,
    pub deliveries: Vec<Delivery>,
    /// In the order in which they came.
    pub acks: Vec<ReceivedAck>,
    pub clarifications: Vec<Clarification>,
    #[serde(default)]
    pub corrections: Vec<Correction>,
    /// The newest verification; none when something was said since.
    pub verification: Option<Verification>,
    pub delay: Option<Delay>,
    pub transfer: Option<Transfer>,
    pub failure: Option<HandoffFailure>,
    pub confirmation: Option<Confirmation>,
    pub superseded_by: Option<HandoffId>,
    /// Every step that was taken, the first to the last.
    pub steps: Vec<StepTaken>,
}
