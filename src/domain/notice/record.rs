//! How an operation was asked about and how that ended, for the operation log.

use schemars::JsonSchema;
use serde::Serialize;

use crate::domain::agent::AgentId;
use crate::domain::handshake::{Snapshot, Status};

/// The record of one recipient's part in an operation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OperationRecord {
    pub operation_id: String,
    pub operation: String,
    pub agent: AgentId,
    pub acknowledgment_received: bool,
    pub timeout_occurred: bool,
    pub proceeded_anyway: bool,
}

impl OperationRecord {
    /// The records of a handshake that is over, one for each recipient.
    pub fn of(state: &Snapshot) -> Vec<Self> {
        let Some(end) = &state.end else { return Vec::new() };
        let record = |agent: &AgentId, status: Status| Self {
            operation_id: state.id.clone(),
            operation: state.operation.kind.clone(),
            agent: agent.clone(),
            acknowledgment_received: status.is_yes(),
            timeout_occurred: status == Status::Silent,
            proceeded_anyway: status == Status::Silent && end.proceed,
        };
        state.recipients.iter().map(|it| record(&it.agent, it.status)).collect()
    }
}
