//! What reserving, releasing, guarding and the board look at.

use std::fs;

use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};

use super::Context;
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

/// Whether a process still runs. One that ended and was not yet collected by its parent does not.
fn is_running(pid: u32) -> bool {
    let Some(process) = i32::try_from(pid).ok().and_then(Pid::from_raw) else { return false };
    if !matches!(test_kill_process(process), Ok(()) | Err(Errno::PERM)) {
        return false;
    }
    // The state stands after the name, which is in parentheses and may itself hold some.
    let status = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = status.rsplit(") ").next().and_then(|rest| rest.chars().next());
    !matches!(state, Some('Z' | 'X'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn a_process_that_ended_does_not_run_even_before_it_is_collected() {
        assert!(is_running(std::process::id()));
        let mut child = Command::new("true").spawn().unwrap();
        while is_running(child.id()) {
            std::thread::yield_now();
        }
        child.wait().unwrap();
        assert!(!is_running(0));
    }
}
