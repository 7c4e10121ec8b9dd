//! `complete`: the end of a task: its agent is done, or its delegator takes it back.

use schemars::JsonSchema;
use serde::Deserialize;

use super::tasking::{self, TaskReport};
use super::{Context, Me, WhichTask};
use crate::domain::task::TaskInput;
use crate::failure::Failure;

/// Report a task as done, or take it back
#[derive(Debug, Clone, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Args {
    #[command(flatten)]
    #[serde(flatten)]
    pub which: WhichTask,
    #[command(flatten)]
    #[serde(flatten)]
    pub me: Me,
    /// What was done
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub summary: Option<String>,
    /// For its delegator: take the task back; its agent is told to stop
    #[arg(long, conflicts_with = "summary")]
    pub cancel: bool,
    /// Why it is taken back
    #[arg(long, value_name = "TEXT", requires = "cancel", allow_hyphen_values = true)]
    pub reason: Option<String>,
}

/// Ends the task.
pub fn run(context: &Context, args: &Args) -> Result<TaskReport, Failure> {
    let (input, done) = if args.cancel {
        (TaskInput::Cancel { reason: args.reason.clone() }, "cancelled")
    } else {
        (TaskInput::Complete { summary: args.summary.clone() }, "completed")
    };
    tasking::by_party(context, args.me.agent.as_ref(), &args.which, input, done)
}
