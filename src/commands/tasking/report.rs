//! A task after a command, as callers see it.

use schemars::JsonSchema;
use serde::Serialize;

use super::Changed;
use crate::commands::Report;
use crate::domain::Timestamp;
use crate::domain::agent::AgentId;
use crate::domain::message::{Kind, MessageId};
use crate::domain::task::TaskView;

/// A task and what was sent because of a change to it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TaskReport {
    #[serde(flatten)]
    pub task: TaskView,
    /// It had been said before: nothing was changed or sent.
    pub duplicate: bool,
    pub sent: Vec<TaskSent>,
    /// What was done, in a word.
    #[serde(skip)]
    pub done: &'static str,
}

/// One message that went out.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TaskSent {
    pub message_id: MessageId,
    pub to_agent: AgentId,
    pub kind: Kind,
}

impl Report for TaskReport {}

impl TaskReport {
    /// What callers see of a change at `now`.
    pub(crate) fn of(changed: Changed, done: &'static str, now: Timestamp) -> Self {
        let sent = changed.sent.into_iter().map(|message| TaskSent {
            message_id: message.message_id,
            to_agent: message.to_agent,
            kind: message.kind,
        });
        Self { task: changed.task.view(now), duplicate: changed.duplicate, sent: sent.collect(), done }
    }
}
