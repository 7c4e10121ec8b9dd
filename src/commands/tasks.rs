//! `tasks`: who has what to do, whether it may begin, and why not.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Context, Report, tasking};
use crate::domain::Timestamp;
use crate::domain::agent::AgentId;
use crate::domain::task::{Task, TaskId, TaskStatus, TaskView};
use crate::failure::{Code, Failure};
use crate::store::sqlite::TaskFilter;

/// How many tasks are listed at most.
const MOST: u32 = 500;

/// List the tasks, and whether they may begin
#[derive(Debug, Clone, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Args {
    /// Show one task with everything that is known about it
    #[arg(value_name = "TASK")]
    pub id: Option<TaskId>,
    /// The same as TASK
    #[arg(long, value_name = "TASK", conflicts_with = "id")]
    pub task: Option<TaskId>,
    /// Only those this agent works on or delegated
    #[arg(long, value_name = "AGENT")]
    pub agent: Option<AgentId>,
    /// Only those with this status, for example queued
    #[arg(long)]
    pub status: Option<TaskStatus>,
    /// Only those that are neither complete nor cancelled
    #[arg(long)]
    pub open: bool,
}

/// The tasks: the open ones before the closed, the newest first.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct Tasks {
    pub tasks: Vec<TaskView>,
    #[serde(skip)]
    #[schemars(skip)]
    pub seen: Seen,
}

/// What people see beside the list.
#[derive(Debug)]
pub struct Seen {
    pub now: Timestamp,
    /// The one task that was asked for.
    pub one: Option<Box<Task>>,
    /// More tasks than are listed.
    pub more: bool,
}

impl Report for Tasks {}

/// Lists them; changes nothing.
pub fn run(context: &Context, args: &Args) -> Result<Tasks, Failure> {
    let now = context.now();
    context.read(|view| {
        if let Some(agent) = &args.agent {
            context.known(view, agent, Code::AgentNotFound)?;
        }
        let one = match args.id.as_ref().or(args.task.as_ref()) {
            Some(id) => Some(Box::new(tasking::named(view, id)?)),
            None => None,
        };
        let filter = TaskFilter {
            agent: args.agent.clone(),
            status: args.status,
            task_id: one.as_ref().map(|task| task.task_id.clone()),
            open: args.open,
        };
        let tasks = view.tasks(&filter, MOST)?;
        let more = tasks.len() >= usize::try_from(MOST).unwrap_or(usize::MAX);
        let tasks = tasks.iter().map(|task| task.view(now)).collect();
        Ok(Tasks { tasks, seen: Seen { now, one, more } })
    })
}
