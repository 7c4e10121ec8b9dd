//! The orchestrator's state as it is exported, key for key in its order.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Second;
use crate::domain::agent::AgentId;
use crate::domain::handoff::{
    ACKNOWLEDGED_WITH_DELAY, Handoff, HandoffId, Moved, Outcome, Progress, Transfer,
};
use crate::domain::message::words;
use crate::domain::task::Task;
use crate::domain::{Invalid, Rule, Timestamp};

/// The status of an assignment whose agent has not repeated its instructions.
pub const PENDING_VERIFICATION: &str = "pending_verification";

/// Everything an orchestrator knows about who does what.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OrchestratorState {
    pub active_assignments: Vec<Assignment>,
    pub registered_agents: Vec<RegisteredAgent>,
    pub replacement_history: Vec<HistoryEntry>,
}

/// A task and whoever has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Assignment {
    pub agent: AgentId,
    pub agent_type: String,
    pub session: Option<String>,
    pub module: String,
    pub github_issue: Option<String>,
    pub task_uuid: String,
    pub status: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replacement_info: Option<ReplacementInfo>,
    pub instruction_verification: InstructionVerification,
    pub progress: AssignmentProgress,
}

/// Whose place the agent has taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReplacementInfo {
    pub replaced_agent: AgentId,
    pub replaced_session: Option<String>,
    pub replacement_reason: String,
    pub replacement_timestamp: Second,
    pub handoff_id: HandoffId,
    pub handoff_url: Option<String>,
    /// Only of one that did not acknowledge in time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replacement_status: Option<String>,
}

words! {
    /// Whether an agent has repeated its instructions.
    InstructionStatus, Rule::Handoff, "status of instructions" {
        AwaitingRepetition => "awaiting_repetition",
        Verified => "verified",
    }
}

/// How far the agent has come with repeating its instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InstructionVerification {
    pub status: InstructionStatus,
    pub attempts: u32,
    pub last_attempt: Option<Second>,
    pub verified_at: Option<Second>,
}

/// How much of a task is done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AssignmentProgress {
    pub percentage: Option<u8>,
    /// It was inherited, and the agent has reported nothing of its own.
    pub at_replacement: bool,
    pub last_update: Second,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
}

/// An agent in the registry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RegisteredAgent {
    pub id: AgentId,
    #[serde(rename = "type")]
    pub agent_type: String,
    pub session: Option<String>,
    pub status: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inactive_reason: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaced_at: Option<Second>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaced_by: Option<AgentId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub registered: Option<Second>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assigned_from: Option<AgentId>,
}

/// A replacement that took place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HistoryEntry {
    pub timestamp: Second,
    pub failed_agent: AgentId,
    pub replacement_agent: AgentId,
    pub reason: String,
    pub tasks_transferred: Vec<String>,
    pub handoff_id: HandoffId,
    pub status: String,
}

impl InstructionVerification {
    /// Nothing has been repeated.
    pub const RESET: Self = Self {
        status: InstructionStatus::AwaitingRepetition,
        attempts: 0,
        last_attempt: None,
        verified_at: None,
    };

    /// The acknowledgment of a task is the repetition of its instructions.
    pub fn of(task: &Task) -> Self {
        let Some(at) = task.acknowledged_at else { return Self::RESET };
        let stands = task.is_officially_assigned();
        Self {
            status: if stands { InstructionStatus::Verified } else { InstructionStatus::AwaitingRepetition },
            attempts: task.corrections.saturating_add(1),
            last_attempt: Some(at.into()),
            verified_at: stands.then(|| at.into()),
        }
    }
}

impl AssignmentProgress {
    pub(super) fn own(progress: &Progress) -> Self {
        Self {
            percentage: progress.percentage,
            at_replacement: false,
            last_update: progress.last_update.into(),
            notes: None,
        }
    }

    pub(super) fn inherited(progress: &Progress, from: &AgentId) -> Self {
        let notes = Some(format!("Inherited from {from}"));
        Self { at_replacement: true, notes, ..Self::own(progress) }
    }
}

impl Assignment {
    /// The record of a task right after it passed to the replacement.
    pub fn transferred(handoff: &Handoff, moved: &Moved, at: Timestamp) -> Self {
        Self {
            agent: handoff.replacement.id.clone(),
            agent_type: moved.agent_type.clone(),
            session: handoff.replacement.session.clone(),
            module: moved.module.clone(),
            github_issue: moved.github_issue.clone(),
            task_uuid: moved.task_uuid.clone(),
            status: PENDING_VERIFICATION.to_owned(),
            replacement_info: Some(ReplacementInfo::of(handoff, at)),
            instruction_verification: InstructionVerification::RESET,
            progress: AssignmentProgress::inherited(&moved.progress, &handoff.failed.id),
        }
    }
}

impl ReplacementInfo {
    fn of(handoff: &Handoff, at: Timestamp) -> Self {
        Self {
            replaced_agent: handoff.failed.id.clone(),
            replaced_session: handoff.failed.session.clone(),
            replacement_reason: handoff.reason.clone(),
            replacement_timestamp: at.into(),
            handoff_id: handoff.handoff_id.clone(),
            handoff_url: handoff.location().map(str::to_owned),
            replacement_status: handoff.rests_on_delay().map(|_| ACKNOWLEDGED_WITH_DELAY.to_owned()),
        }
    }
}

impl HistoryEntry {
    /// The entry of a replacement whose tasks have moved.
    pub fn of(handoff: &Handoff, transfer: &Transfer) -> Self {
        let status = if transfer.failed.is_empty() { "complete" } else { Outcome::Partial.as_str() };
        Self {
            timestamp: transfer.at.into(),
            failed_agent: handoff.failed.id.clone(),
            replacement_agent: handoff.replacement.id.clone(),
            reason: handoff.reason.clone(),
            tasks_transferred: transfer.moved.iter().map(|it| it.task_uuid.clone()).collect(),
            handoff_id: handoff.handoff_id.clone(),
            status: status.to_owned(),
        }
    }
}
