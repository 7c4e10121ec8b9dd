//! Moving the tasks, the open mail and the reservations of the failed agent to its replacement.

use serde_json::json;

use super::closing::{give_up, release};
use super::{apply, found};
use crate::commands::tasking::{self, Cause};
use crate::commands::{Context, handshake};
use crate::domain::Timestamp;
use crate::domain::agent::{Agent, Liveness};
use crate::domain::event::NewEvent;
use crate::domain::handoff::{Handoff, HandoffId, HandoffInput, Next};
use crate::domain::message::MessageId;
use crate::domain::replacement::{Change, Facts, transfer};
use crate::domain::task::{Task, TaskInput};
use crate::failure::{Code, Failure};
use crate::store::Transaction;
use crate::store::changes::Topic;

/// Moves everything in one transaction, unless somebody else has.
pub(super) fn transfer_all(context: &Context, id: &HandoffId) -> Result<(), Failure> {
    context.write(|transaction, now| {
        let mut handoff = found(transaction, id)?;
        if handoff.next() != Next::Transfer {
            return Ok(());
        }
        let by = context.acting(transaction, &handoff.orchestrator, Code::UnknownSender)?.agent.id;
        let failed = context.known(transaction, &handoff.failed.id, Code::AgentNotFound)?;
        let replacement = context.known(transaction, &handoff.replacement.id, Code::AgentNotFound)?;
        let mut tasks = Vec::new();
        for wanted in &handoff.tasks {
            tasks.extend(transaction.task(&wanted.task_uuid)?);
        }
        let facts = Facts { tasks: &tasks, failed: &failed, replacement: &replacement };
        match transfer(&handoff, &facts, now) {
            Ok(change) => {
                pass_on(context, transaction, &handoff, &change, &tasks, now)?;
                let input = HandoffInput::Transferred(change.transfer);
                apply(transaction, &mut handoff, input, &by, now)?;
                release(context, transaction, &handoff, now)
            }
            Err(failure) => give_up(context, transaction, &mut handoff, failure, now),
        }
    })
}

fn pass_on(
    context: &Context,
    transaction: &Transaction,
    handoff: &Handoff,
    change: &Change,
    before: &[Task],
    now: Timestamp,
) -> Result<(), Failure> {
    let passed_on = mail(transaction, handoff, now)?;
    reservations(transaction, handoff, now)?;
    let cause = Cause { carries_waits: true, ..Cause::command(&handoff.orchestrator, false) };
    for (moved, _) in &change.tasks {
        let Some(task) = before.iter().find(|task| task.task_uuid == moved.task_uuid) else { continue };
        let input = TaskInput::Reassign { to: handoff.replacement.id.clone() };
        let after = tasking::change(context, transaction, task.clone(), input, &cause, now)?.task;
        if let Some(asked) = &after.asked_in {
            handshake::handed_on(context, transaction, (task, &after.agent), asked, now)?;
        }
        // It is told to stop, and will not answer.
        for id in transaction.unacked_about(&handoff.failed.id, &task.task_uuid)? {
            transaction.close_message(&id, now)?;
        }
    }
    for agent in [&change.failed_agent, &change.replacement_agent] {
        succeed(transaction, handoff, agent, now)?;
    }
    let Agent { id, state, .. } = &change.failed_agent;
    handshake::succeeded(context, transaction, id, &handoff.replacement.id, &passed_on, now)?;
    handshake::lost(context, transaction, id, *state, now)
}

/// Passes open mail on, and says which.
fn mail(transaction: &Transaction, handoff: &Handoff, now: Timestamp) -> Result<Vec<MessageId>, Failure> {
    let (from, to) = (&handoff.failed.id, &handoff.replacement.id);
    let passed_on = transaction.pass_on_mail(from, to)?;
    for message in &passed_on {
        let data = json!({"from": from, "to": to, "handoff_id": handoff.handoff_id});
        let event = NewEvent::new("message.passed_on", &handoff.orchestrator, message.as_str());
        transaction.record(&event.data(data), now)?;
    }
    Ok(passed_on)
}

/// Each reservation goes on under a new fence, so that nothing the failed agent still does passes for its
/// successor's.
fn reservations(transaction: &Transaction, handoff: &Handoff, now: Timestamp) -> Result<(), Failure> {
    let (from, to) = (&handoff.failed.id, &handoff.replacement.id);
    for holding in transaction.held_by(from, |_, _| Liveness::Active)? {
        let reservation = holding.held.reservation;
        if reservation.is_over(now) {
            continue;
        }
        let fence = transaction.next_fence()?;
        transaction.pass_on_reservation(&reservation.reservation_id, to, fence)?;
        let data = json!({"from": from, "to": to, "scope": reservation.scope.as_str(), "fence": fence,
            "handoff_id": handoff.handoff_id});
        let event =
            NewEvent::new("reservation.passed_on", &handoff.orchestrator, &reservation.reservation_id);
        transaction.record(&event.data(data), now)?;
        transaction.concerns(Topic::Reservations(holding.project));
    }
    Ok(())
}

fn succeed(
    transaction: &Transaction,
    handoff: &Handoff,
    agent: &Agent,
    now: Timestamp,
) -> Result<(), Failure> {
    let before = transaction.agent(&agent.id)?;
    transaction.save_succession(agent)?;
    if let Some(before) = before.filter(|before| before.state != agent.state) {
        let data = json!({"from": before.state, "to": agent.state, "replaced_by": agent.replaced_by,
            "handoff_id": handoff.handoff_id});
        let event = NewEvent::new("agent.state", &handoff.orchestrator, agent.id.as_str());
        transaction.record(&event.data(data), now)?;
    }
    Ok(())
}
