//! What follows when a task was not taken, or when time has passed.

use super::performing::{escalate, perform};
use super::{Cause, Changed, change};
use crate::commands::{Context, handshake};
use crate::domain::Timestamp;
use crate::domain::agent::AgentId;
use crate::domain::handshake::{Outcome, Snapshot};
use crate::domain::message::{Kind, Message};
use crate::domain::task::{EscalationReason, Reaction, Task, TaskInput, TaskOutput};
use crate::failure::Failure;
use crate::store::Transaction;

/// Does what the end of a wait calls for, in the transaction that ended it.
///
/// Silence makes the task unresponsive, and gives it to the next of those who were named. What an
/// error calls for is done only if the waiter said so.
pub(crate) fn after_wait(
    context: &Context,
    transaction: &Transaction,
    state: &Snapshot,
    now: Timestamp,
) -> Result<(), Failure> {
    let Some(task) = awaited(transaction, state)? else { return Ok(()) };
    match state.outcome() {
        Outcome::Unresponsive | Outcome::Escalated => silence(context, transaction, task, state, now),
        Outcome::Gone if !state.operation.reassign_to.is_empty() => {
            let next = live(context, transaction, task.candidates(&state.operation.reassign_to))?;
            match next.into_iter().next() {
                Some(to) => give(context, transaction, task, to, state, now),
                None => abandon(context, transaction, &task, now),
            }
        }
        Outcome::Refused | Outcome::Cancelled if state.operation.auto && task.retry_at.is_none() => {
            react(context, transaction, &task, state, now)?;
            Ok(())
        }
        _ => Ok(()),
    }
}

/// The task a handshake waits for, unless it has moved on.
fn awaited(transaction: &Transaction, state: &Snapshot) -> Result<Option<Task>, Failure> {
    let Some(id) = &state.operation.task_id else { return Ok(None) };
    let waits = |task: &Task| {
        let asked = |agent: &AgentId, id| *agent == task.agent && task.asked_in.as_ref() == Some(id);
        state.recipients.iter().any(|it| asked(it.answerer(), &it.message_id))
    };
    Ok(transaction.task_named(id)?.filter(|task| !task.status.is_closed() && waits(task)))
}

fn silence(
    context: &Context,
    transaction: &Transaction,
    task: Task,
    state: &Snapshot,
    now: Timestamp,
) -> Result<(), Failure> {
    // An answer that did not count for the waiter still is one.
    if !task.owes_an_answer() {
        return Ok(());
    }
    let task = change_in(context, transaction, task, TaskInput::Unresponsive, state, now)?.task;
    let somebody_must_act = !state.operation.reassign_to.is_empty() || state.outcome() == Outcome::Escalated;
    if !react(context, transaction, &task, state, now)? && somebody_must_act {
        abandon(context, transaction, &task, now)?;
    }
    Ok(())
}

/// Nobody is left to take the task.
fn abandon(context: &Context, transaction: &Transaction, task: &Task, now: Timestamp) -> Result<(), Failure> {
    escalate(context, transaction, task, EscalationReason::Unresponsive, now)?;
    Ok(())
}

/// Gives the task away or plans to ask again. Says whether there was anything to do.
fn react(
    context: &Context,
    transaction: &Transaction,
    task: &Task,
    state: &Snapshot,
    now: Timestamp,
) -> Result<bool, Failure> {
    let live = live(context, transaction, task.candidates(&state.operation.reassign_to))?;
    match task.reaction(&live, now) {
        Reaction::GiveTo(to) => give(context, transaction, task.clone(), to, state, now)?,
        Reaction::RetryAt(at) => {
            change_in(context, transaction, task.clone(), TaskInput::RetryAt { at }, state, now)?;
        }
        Reaction::Leave => return Ok(false),
    }
    Ok(true)
}

/// Gives the task to an agent, and waits for that one as for the one before.
fn give(
    context: &Context,
    transaction: &Transaction,
    task: Task,
    to: AgentId,
    state: &Snapshot,
    now: Timestamp,
) -> Result<(), Failure> {
    let given = change_in(context, transaction, task, TaskInput::Reassign { to }, state, now)?;
    for assignment in given.sent.iter().filter(|message| message.kind == Kind::TaskAssignment) {
        handshake::open_again(context, transaction, state, assignment, now)?;
    }
    Ok(())
}

/// Changes a task because of how a handshake went.
fn change_in(
    context: &Context,
    transaction: &Transaction,
    task: Task,
    input: TaskInput,
    state: &Snapshot,
    now: Timestamp,
) -> Result<Changed, Failure> {
    let cause = Cause { operation_id: Some(&state.id), ..Cause::command(&state.requester, false) };
    change(context, transaction, task, input, &cause, now)
}

/// Those of the candidates that work can be given to.
fn live(
    context: &Context,
    transaction: &Transaction,
    candidates: Vec<AgentId>,
) -> Result<Vec<AgentId>, Failure> {
    let mut live = Vec::new();
    for id in candidates {
        if let Some(agent) = transaction.agent(&id)?
            && agent.can_take_work(context.liveness(&agent)?)
        {
            live.push(id);
        }
    }
    Ok(live)
}

/// Does what is due about a task: asks again who could not take it, or after one who never began.
pub(crate) fn take_step(
    context: &Context,
    transaction: &Transaction,
    task: Task,
    now: Timestamp,
) -> Result<(), Failure> {
    if task.retry_at.is_none_or(|at| at > now) {
        let delegator = task.delegated_by.clone();
        let cause = Cause::command(&delegator, false);
        change(context, transaction, task, TaskInput::CheckQueue, &cause, now)?;
        return Ok(());
    }
    let asked = task.asked_in.clone();
    let waited = asked.map(|id| transaction.handshakes_about(&id)).transpose()?.unwrap_or_default();
    // Only a waiter plans to ask again, so there was one.
    let Some(last) = waited.into_iter().next_back() else { return Ok(()) };
    let to = task.agent.clone();
    give(context, transaction, task, to, &last.snapshot, now)
}

/// Tells an agent that works on what is not its task any more to stop, and the right one that it is
/// alone; neither of them twice while the first word of it is not acknowledged.
pub(super) fn stop_the_wrong_one(
    context: &Context,
    transaction: &Transaction,
    mut task: Task,
    by: &AgentId,
    now: Timestamp,
) -> Result<(), Failure> {
    let mut outputs = Vec::new();
    for output in task.outputs_for_duplicate(by) {
        let (to, says_so): (_, fn(&Message) -> bool) = match &output {
            TaskOutput::SendStop { to } => (to, |it| it.kind == Kind::CancellationNotice),
            TaskOutput::SendSoleAssignee { to } => {
                (to, |it| it.content.as_ref().is_some_and(|content| content.get("sole_assignee").is_some()))
            }
            _ => continue,
        };
        let mut told = false;
        for id in transaction.unacked_about(to, &task.task_uuid)? {
            told |= transaction.message(&id)?.as_ref().is_some_and(says_so);
        }
        if !told {
            outputs.push(output);
        }
    }
    let delegator = task.delegated_by.clone();
    perform(context, transaction, &mut task, &outputs, None, &Cause::command(&delegator, false), now)?;
    Ok(())
}
