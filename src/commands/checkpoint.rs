//! `checkpoint`: an agent reports a part of its task as done.

use schemars::JsonSchema;
use serde::Deserialize;

use super::tasking::{self, TaskReport};
use super::{Context, Me, WhichTask};
use crate::domain::task::TaskInput;
use crate::failure::Failure;

/// Report a part of a task as done
#[derive(Debug, Clone, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Args {
    #[command(flatten)]
    #[serde(flatten)]
    pub which: WhichTask,
    #[command(flatten)]
    #[serde(flatten)]
    pub me: Me,
    /// Its number, from 1
    #[arg(long, value_name = "N", required = true)]
    pub number: u32,
    /// What is done, in one line
    #[arg(long, value_name = "TEXT", required = true, allow_hyphen_values = true)]
    pub summary: String,
    /// The number of the next one [default: the following, until the plan ends]
    #[arg(long, value_name = "N")]
    pub next: Option<u32>,
}

/// Reports it; the task must have been acknowledged.
pub fn run(context: &Context, args: &Args) -> Result<TaskReport, Failure> {
    let (number, next) = (args.number, args.next);
    let input = TaskInput::Checkpoint { number, summary: args.summary.clone(), next };
    tasking::by_party(context, args.me.agent.as_ref(), &args.which, input, "reported")
}
