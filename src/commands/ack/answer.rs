//! What an agent says about a task it was given, as flags.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::domain::agent::AgentId;
use crate::domain::duration;
use crate::domain::handoff::{HandoffAck, HandoffId, HandoffStatus, SaidStatus};
use crate::domain::question::asked;
use crate::domain::task::{Ack, AckStatus, Task, TaskError, TaskErrorCode, TaskInput};
use crate::failure::Failure;

/// The flags that answer an assignment.
#[derive(Debug, Clone, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default)]
#[command(next_help_heading = "For a task")]
pub struct Answer {
    /// received, confirmed, queued, needs-clarification or rejected; for a handoff ready_to_proceed,
    /// needs_clarification, environment_issue or rejected
    #[arg(long)]
    pub status: Option<String>,
    /// What you will do, in one line
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub understanding: Option<String>,
    /// For a handoff: the checkpoint from which you go on
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub starting_from: Option<String>,
    /// What must be answered before you begin; once for each question
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub question: Vec<String>,
    /// What you will report as done on the way; once for each checkpoint
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub checkpoint: Vec<String>,
    /// Why you reject it, or what the error is
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub reason: Option<String>,
    /// Why you cannot take it: RESOURCE_UNAVAILABLE, CAPABILITY_MISMATCH, NETWORK_ERROR, INVALID_TASK_FORMAT
    /// or AGENT_SHUTTING_DOWN
    #[arg(long, value_name = "CODE", conflicts_with_all = ["status", "understanding", "question", "checkpoint", "starting_from"])]
    pub error: Option<TaskErrorCode>,
    /// When to ask you again, for example 15m
    #[arg(long, value_name = "TIME", value_parser = duration::seconds, requires = "error")]
    #[schemars(with = "Option<u64>")]
    pub retry_after: Option<Duration>,
    /// Who could take it instead; once for each agent
    #[arg(long, value_name = "AGENT", num_args = 1.., requires = "error")]
    pub alternative: Vec<AgentId>,
}

impl Answer {
    /// Whether anything was said that only a task understands.
    pub(super) fn is_given(&self) -> bool {
        self.status.is_some()
            || self.understanding.is_some()
            || self.starting_from.is_some()
            || !self.question.is_empty()
            || !self.checkpoint.is_empty()
            || self.reason.is_some()
            || self.error.is_some()
    }

    /// What is said about the task. Without a status it is what the task waits for, or a question.
    pub(super) fn input(&self, task: &Task, note: Option<&str>) -> Result<TaskInput, Failure> {
        if let Some(code) = self.error {
            let message = self.reason.as_deref().or(note);
            let error = TaskError::new(code, message, self.retry_after, self.alternative.clone());
            return Ok(TaskInput::Fail(error));
        }
        let said = self.status.as_deref().map(str::parse::<AckStatus>).transpose()?;
        let usual = if asked(&self.question).is_empty() {
            task.next_ack_status()
        } else {
            AckStatus::NeedsClarification
        };
        let ack = Ack {
            status: said.unwrap_or(usual),
            understanding: self.understanding.clone(),
            questions: asked(&self.question),
            estimated_checkpoints: self.checkpoint.clone(),
            note: note.map(str::to_owned),
            reason: self.reason.clone(),
        };
        ack.check_complete()?;
        Ok(TaskInput::Ack(ack))
    }

    /// What is said about a handoff. Whoever names no question has none.
    pub(super) fn of_handoff(&self, id: &HandoffId, note: Option<&str>) -> Result<HandoffAck, Failure> {
        let said = self.status.as_deref().map(str::parse::<HandoffStatus>).transpose()?;
        let asks = said.is_none() && !asked(&self.question).is_empty();
        let status = if asks { Some(HandoffStatus::NeedsClarification) } else { said };
        Ok(HandoffAck {
            handoff_id: Some(id.to_string()),
            status: status.map(SaidStatus::Known),
            understanding: self.understanding.clone(),
            starting_from: self.starting_from.clone(),
            questions: Some(asked(&self.question)),
            reason: self.reason.as_deref().or(note).map(str::to_owned),
        })
    }
}
