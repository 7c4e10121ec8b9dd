//! Where a wait for a task goes on when its handshake is over.

use crate::commands::waiting::{Patience, until};
use crate::commands::{Context, tasking};
use crate::domain::Timestamp;
use crate::domain::handshake::Snapshot;
use crate::domain::task::{Task, TaskId};
use crate::failure::Failure;
use crate::store::changes::Topic;

/// What comes after a handshake.
pub(super) enum Sequel {
    None,
    /// The task was given on, and is waited for in this one.
    Operation(String),
    /// The agent is asked again at this time, which the caller's patience does not reach.
    Later(Timestamp),
}

/// Where to go on. Waits for the time at which an agent that could not take the task is asked again.
pub(super) fn of(
    context: &Context,
    state: &Snapshot,
    patience: Option<Timestamp>,
) -> Result<Sequel, Failure> {
    let goes_on = state.operation.auto || !state.operation.reassign_to.is_empty();
    let Some(id) = state.operation.task_id.as_ref().filter(|_| goes_on && state.end.is_some()) else {
        return Ok(Sequel::None);
    };
    loop {
        let task = context.read(|view| tasking::named(view, id))?;
        let Some(at) = task.retry_at else { return given_on(context, state, &task) };
        if pause(context, id, &task, patience.map_or(at, |until| until.min(at)))? {
            continue;
        }
        if context.now() < at {
            return Ok(Sequel::Later(at));
        }
        context.write(|transaction, now| {
            let task = tasking::named(transaction, id)?;
            if task.retry_at.is_some_and(|at| at <= now) {
                tasking::take_step(context, transaction, task, now)?;
            }
            Ok(())
        })?;
    }
}

/// Sleeps until that time or a signal. Says whether somebody else did something about the task meanwhile.
fn pause(context: &Context, id: &TaskId, task: &Task, to: Timestamp) -> Result<bool, Failure> {
    let topic = Topic::Mailbox(task.agent.clone());
    let changed = until(context, &topic, Patience::until(to), || {
        let newest = context.read(|view| tasking::named(view, id))?;
        Ok((newest.retry_at != task.retry_at).then_some(()))
    })?;
    Ok(changed.is_some())
}

fn given_on(context: &Context, state: &Snapshot, task: &Task) -> Result<Sequel, Failure> {
    let Some(asked) = &task.asked_in else { return Ok(Sequel::None) };
    if task.status.is_closed() || state.recipients.iter().any(|it| it.message_id == *asked) {
        return Ok(Sequel::None);
    }
    let waited = context.read(|view| Ok(view.handshakes_about(asked)?))?;
    Ok(waited.into_iter().next_back().map_or(Sequel::None, |stored| Sequel::Operation(stored.snapshot.id)))
}
