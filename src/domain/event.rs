//! The append-only record of what happened.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Timestamp;
use super::agent::AgentId;

/// The process that caused a change.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Origin {
    pub uid: u32,
    pub pid: u32,
    pub parent_pid: u32,
    pub cwd: String,
}

/// One change, as it was recorded with it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Event {
    /// Its place in the log; only grows.
    pub event_id: i64,
    #[schemars(with = "String")]
    pub at: Timestamp,
    /// What happened, for example `message.sent`.
    pub event: String,
    pub agent: Option<AgentId>,
    /// What it happened to: a message, an agent, an operation.
    pub about: Option<String>,
    pub operation_id: Option<String>,
    pub data: Value,
    pub uid: u32,
    pub pid: u32,
    pub parent_pid: u32,
    pub cwd: String,
}

/// A change that is about to be recorded.
#[derive(Debug, Clone, PartialEq)]
pub struct NewEvent<'a> {
    pub event: &'a str,
    pub agent: Option<&'a AgentId>,
    pub about: Option<&'a str>,
    pub operation_id: Option<&'a str>,
    pub data: Value,
}

impl<'a> NewEvent<'a> {
    /// A change by `agent` to `about`, without further data.
    pub fn new(event: &'a str, agent: &'a AgentId, about: &'a str) -> Self {
        Self { event, agent: Some(agent), about: Some(about), operation_id: None, data: Value::Null }
    }

    /// Adds what changed.
    #[must_use]
    pub fn data(mut self, data: Value) -> Self {
        self.data = data;
        self
    }

    /// Adds the operation it belongs to.
    #[must_use]
    pub fn operation(mut self, operation_id: Option<&'a str>) -> Self {
        self.operation_id = operation_id;
        self
    }
}
