//! Answers that came when nobody waited for them any more.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Outcome, Snapshot, Status};
use crate::domain::Timestamp;
use crate::domain::agent::AgentId;
use crate::domain::message::{Message, Response};
use crate::domain::reply::Verdict;

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

impl Snapshot {
    /// Why an answer to a message did not count while the wait goes on.
    pub fn uncounted(&self, asked: &Message, answer: &Response, verified: bool) -> Option<String> {
        let recipient = self.asked_in(asked).filter(|_| self.end.is_none())?;
        if self.require_verified && !verified {
            return Some(format!("not counted: {} counts only answers with a token", self.requester));
        }
        match answer.verdict {
            Verdict::Other if recipient.status.is_waiting() => {
                return Some("not understood as ok, wait or cancel: you are still waited for".to_owned());
            }
            Verdict::Queued if recipient.status.is_waiting() => {
                return Some("queued is not ready: you are still waited for".to_owned());
            }
            _ => {}
        }
        let settled = recipient.response.as_ref().filter(|_| recipient.responded_at.is_some())?;
        let is_this = settled.message_id == answer.message_id;
        let agrees = recipient.status.is_yes() && answer.verdict.acknowledges();
        (!is_this && !agrees).then(|| format!("not counted: your answer \"{}\" stands", settled.message))
    }
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
