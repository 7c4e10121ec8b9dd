//! Answers that came when nobody waited for them any more.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Outcome, Snapshot, Status};
use crate::domain::Timestamp;
use crate::domain::agent::AgentId;

/// An answer that came after the wait for it was over, told to the one who gave it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Late {
    pub operation_id: String,
    /// How the wait ended; `waiting` while others are still waited for.
    pub outcome: Outcome,
    /// It went ahead.
    pub proceed: bool,
    /// When the wait for this agent was over.
    #[schemars(with = "String")]
    pub over_at: Timestamp,
    /// How long after that the answer came.
    pub late_seconds: u64,
}

impl Late {
    /// The newest late answer of an agent, if it has given one and none in time.
    pub fn of(state: &Snapshot, agent: &AgentId) -> Option<Self> {
        let recipient = state.recipient(agent).filter(|it| it.responded_at.is_none())?;
        let answered_at = recipient.late.as_ref()?.at;
        let end = state.end.as_ref();
        let over_at = match recipient.status {
            Status::Silent => recipient.deadline,
            _ => end?.at,
        };
        Some(Self {
            operation_id: state.id.clone(),
            outcome: state.outcome(),
            proceed: end.is_some_and(|end| end.proceed),
            over_at,
            late_seconds: answered_at.since(over_at).as_secs(),
        })
    }
}
