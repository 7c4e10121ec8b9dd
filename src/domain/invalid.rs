//! What is wrong with a value that was typed or received.

use thiserror::Error;

/// A value that breaks one of the rules in [`Rule`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{what}")]
pub struct Invalid {
    /// The rule that was broken; the error code follows from it.
    pub rule: Rule,
    /// What is wrong, naming the value in backticks.
    pub what: String,
    /// What would be right.
    pub hint: Option<String>,
}

/// The rules a value can break.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    AgentId,
    Category,
    Content,
    Duration,
    Format,
    Handoff,
    Limit,
    Message,
    MessageId,
    Scope,
    State,
    Task,
    Time,
}

impl Invalid {
    /// A broken rule without a hint.
    pub fn new(rule: Rule, what: impl Into<String>) -> Self {
        Self { rule, what: what.into(), hint: None }
    }

    /// Adds what would be right.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}
