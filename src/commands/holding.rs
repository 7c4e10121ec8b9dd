//! What reserving, releasing, guarding and the board look at.

use super::Context;
use super::process::is_running;
use crate::domain::Timestamp;
use crate::domain::agent::{AgentId, AgentState, Liveness};
use crate::domain::reservation::{Held, Waiter, owner_liveness};
use crate::failure::Failure;
use crate::project::Project;
use crate::store::Transaction;
use crate::store::sqlite::Holding;

/// The project around the current folder.
pub(super) fn project(context: &Context) -> Result<Project, Failure> {
    Ok(Project::around(&context.settings.current_folder()?))
}

/// The reservations in a project that have not ended, and how their owners are doing.
pub(super) fn held(context: &Context, view: &Transaction, project: &str) -> Result<Vec<Held>, Failure> {
    Ok(view.held(project, judge(context)?)?)
}

/// An agent's reservations in all projects that have not ended.
pub(super) fn held_by(
    context: &Context,
    view: &Transaction,
    agent: &AgentId,
) -> Result<Vec<Holding>, Failure> {
    Ok(view.held_by(agent, judge(context)?)?)
}

/// All reservations that have not ended.
pub(super) fn holdings(context: &Context, view: &Transaction) -> Result<Vec<Holding>, Failure> {
    Ok(view.holdings(judge(context)?)?)
}

fn judge(context: &Context) -> Result<impl Fn(AgentState, Timestamp) -> Liveness, Failure> {
    let (stale_after, now) = (context.stale_after()?, context.now());
    Ok(move |state, last_seen| owner_liveness(state, last_seen, stale_after, now))
}

/// Those who wait in a project, first come first, and those whose rows mean nothing any more.
pub(super) struct Queue {
    pub(super) waiting: Vec<Waiter>,
    pub(super) gone: Vec<Waiter>,
}

/// Who waits in a project. A process that died leaves its row behind.
pub(super) fn queue(view: &Transaction, project: &str, now: Timestamp) -> Result<Queue, Failure> {
    let (waiting, gone): (Vec<_>, Vec<_>) =
        view.waiters(project)?.into_iter().partition(|(waiter, pid)| waiter.until > now && is_running(*pid));
    let waiters = |rows: Vec<(Waiter, u32)>| rows.into_iter().map(|(waiter, _)| waiter).collect();
    Ok(Queue { waiting: waiters(waiting), gone: waiters(gone) })
}
