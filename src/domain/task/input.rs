//! What can happen to a task, and what follows from it.

use super::{Ack, TaskError};
use crate::domain::Timestamp;
use crate::domain::agent::AgentId;

/// Something that happened to a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TaskInput {
    /// The agent answered.
    Ack(Ack),
    /// The agent could not take it.
    Fail(TaskError),
    /// The delegator answered the questions, by position.
    Clarify { answers: Vec<String> },
    /// The delegator cannot answer such general questions, and asks which part they are about.
    AskWhich,
    /// The delegator says that the agent understood wrongly, and what is right.
    Correct { text: String },
    /// The delegator adds what the agent left out, or what has changed since.
    Supplement { items: Vec<String> },
    /// The agent finished a part.
    Checkpoint { number: u32, summary: String, next: Option<u32> },
    /// The agent finished the task.
    Complete { summary: Option<String> },
    /// Time has passed while the task was queued.
    CheckQueue,
    /// The agent let every deadline for an answer pass.
    Unresponsive,
    /// The delegator gives the task to an agent: another one, or the same one anew after a failure.
    Reassign { to: AgentId },
    /// The delegator takes the task back.
    Cancel { reason: Option<String> },
    /// The agent that could not take the task is to be asked again.
    RetryAt { at: Timestamp },
}

/// Who may cause an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Party {
    Assignee,
    Delegator,
    /// The protocol itself, when time has passed.
    Protocol,
}

/// Something that has to be done because a task changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TaskOutput {
    SendAcknowledgment,
    SendError,
    SendClarification,
    SendWhichCriterion,
    /// `number` is the ordinal of the correction.
    SendCorrection {
        number: u32,
    },
    SendSupplement,
    SendCheckpoint {
        number: u32,
    },
    SendCompletion,
    SendQueuedCheck,
    SendStop {
        to: AgentId,
    },
    SendSoleAssignee {
        to: AgentId,
    },
    SendAssignment {
        to: AgentId,
    },
    Escalate {
        reason: EscalationReason,
    },
    MarkUnresponsive {
        agent: AgentId,
    },
    LogIncident {
        what: String,
    },
    /// Work may begin from now on.
    Begin,
}

/// Why a task needs someone above its delegator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EscalationReason {
    /// Still understood wrongly after two corrections.
    Misunderstood,
    /// Queued and never begun, also after a check.
    NeverStarted,
    /// No answer in all attempts, and nobody to give it to.
    Unresponsive,
}

impl TaskInput {
    /// Who may cause it.
    pub const fn party(&self) -> Party {
        match self {
            Self::Ack(_) | Self::Fail(_) | Self::Checkpoint { .. } | Self::Complete { .. } => Party::Assignee,
            Self::Clarify { .. }
            | Self::Correct { .. }
            | Self::Supplement { .. }
            | Self::AskWhich
            | Self::Reassign { .. }
            | Self::Cancel { .. } => Party::Delegator,
            Self::CheckQueue | Self::Unresponsive | Self::RetryAt { .. } => Party::Protocol,
        }
    }

    /// What happened, in a word for the log.
    pub const fn event(&self) -> &'static str {
        match self {
            Self::Ack(_) => "task.acknowledged",
            Self::Fail(_) => "task.failed",
            Self::Clarify { .. } | Self::AskWhich => "task.clarified",
            Self::Correct { .. } => "task.corrected",
            Self::Supplement { .. } => "task.supplemented",
            Self::Checkpoint { .. } => "task.checkpoint",
            Self::Complete { .. } => "task.completed",
            Self::CheckQueue => "task.checked",
            Self::Unresponsive => "task.unresponsive",
            Self::Reassign { .. } => "task.reassigned",
            Self::Cancel { .. } => "task.cancelled",
            Self::RetryAt { .. } => "task.postponed",
        }
    }
}

impl TaskOutput {
    /// Whether the agent is asked for an answer by it.
    pub const fn asks(&self) -> bool {
        matches!(
            self,
            Self::SendAssignment { .. }
                | Self::SendClarification
                | Self::SendWhichCriterion
                | Self::SendCorrection { .. }
                | Self::SendSupplement
        )
    }
}
