//! Feeding the machine.

use super::performing::perform;
use super::time_of;
use crate::commands::{Context, tasking};
use crate::domain::Timestamp;
use crate::domain::agent::{AgentId, AgentState};
use crate::domain::handshake::{Handshake, Input, Late, Output, Reply, Snapshot};
use crate::domain::message::{Message, MessageId, Response};
use crate::domain::task::{Task, TaskId};
use crate::failure::Failure;
use crate::store::Transaction;
use crate::store::sqlite::StoredHandshake;

/// Does what is due in a handshake, if it is not over.
pub(crate) fn advance(
    context: &Context,
    transaction: &Transaction,
    stored: StoredHandshake,
    now: Timestamp,
) -> Result<Snapshot, Failure> {
    let at = time_of(&stored, context.clock);
    let mut handshake = Handshake::resume(stored.snapshot);
    for agent in gone(transaction, handshake.state())? {
        handshake.handle(agent, at);
    }
    handshake.handle_timeout(at);
    finish(context, transaction, handshake, at, now)
}

/// Whether there is anything to do: a step is due, or somebody is waited for in vain.
pub(crate) fn is_due(
    context: &Context,
    view: &Transaction,
    stored: &StoredHandshake,
) -> Result<bool, Failure> {
    let at = time_of(stored, context.clock);
    let next = Handshake::resume(stored.snapshot.clone()).poll_timeout();
    Ok(next.is_some_and(|(when, _)| when <= at) || !gone(view, &stored.snapshot)?.is_empty())
}

/// The recipients that are waited for in vain.
fn gone(transaction: &Transaction, state: &Snapshot) -> Result<Vec<Input>, Failure> {
    let mut inputs = Vec::new();
    for recipient in state.recipients.iter().filter(|it| it.status.is_waiting()) {
        match transaction.agent(recipient.answerer())? {
            Some(agent) if agent.state.is_gone() => {
                inputs.push(Input::Gone { agent: recipient.agent.clone(), state: agent.state });
            }
            _ => {}
        }
    }
    Ok(inputs)
}

/// Tells the handshakes that an answer belongs to of it.
///
/// The answer is bound by the message it answers: a request, or anything else a handshake sent. A bare
/// ack says "ready" only of what asks for one, and not of a notice that was merely seen.
pub(crate) fn hear(
    context: &Context,
    transaction: &Transaction,
    asked: &Message,
    reply: &Reply,
    now: Timestamp,
) -> Result<(), Failure> {
    let binds = reply.message_id.is_some() || asked.kind.asks_for_ack();
    let concerned = concerned(transaction, asked, binds)?;
    // A reply after the end is recorded as late where it belongs: with the newest.
    let any_open = concerned.iter().any(|it| it.snapshot.end.is_none());
    let last = concerned.len().saturating_sub(1);
    for (index, stored) in concerned.into_iter().enumerate() {
        let is_open = stored.snapshot.end.is_none();
        if is_open || (!any_open && index == last) {
            let asked = stored.snapshot.asked_in(asked).map(|it| it.agent.clone());
            let on_behalf_of = asked.filter(|it| *it != reply.from);
            feed(context, transaction, stored, Input::Reply(Reply { on_behalf_of, ..reply.clone() }), now)?;
        }
    }
    Ok(())
}

/// The handshakes in which a message is a request; if its answer binds, also the one it only belongs to.
fn concerned(
    transaction: &Transaction,
    asked: &Message,
    binds: bool,
) -> Result<Vec<StoredHandshake>, Failure> {
    let mut concerned = transaction.handshakes_about(&asked.message_id)?;
    if let Some(operation) = asked.operation_id.as_ref().filter(|_| binds) {
        let known = concerned.iter().any(|it| it.snapshot.id == *operation);
        concerned.extend(transaction.handshake(operation)?.filter(|_| !known));
    }
    Ok(concerned)
}

/// Whether the answer to a message came when the wait for it was over.
pub(crate) fn lateness(transaction: &Transaction, asked: &Message) -> Result<Option<Late>, Failure> {
    let concerned = concerned(transaction, asked, true)?;
    Ok(concerned.last().and_then(|newest| Late::of(&newest.snapshot, &asked.to_agent)))
}

/// When the wait for the answer to a message is over, while it lasts.
pub(crate) fn deadline(transaction: &Transaction, asked: &Message) -> Result<Option<Timestamp>, Failure> {
    let open = concerned(transaction, asked, true)?.pop().filter(|it| it.snapshot.end.is_none());
    Ok(open.and_then(|it| it.snapshot.asked_in(asked).map(|recipient| recipient.deadline)))
}

/// Whether somebody waits for the answer to a message.
pub(crate) fn is_awaited(transaction: &Transaction, asked: &Message) -> Result<bool, Failure> {
    let newest = concerned(transaction, asked, true)?.pop().filter(|it| it.snapshot.end.is_none());
    let recipient = newest.as_ref().and_then(|it| it.snapshot.asked_in(asked));
    Ok(recipient.is_some_and(|it| it.status.is_waiting()))
}

/// Whether whoever waits for the answer to a message counts it only with a token.
pub(crate) fn wants_token(transaction: &Transaction, asked: &Message) -> Result<bool, Failure> {
    let newest = concerned(transaction, asked, true)?.pop();
    Ok(newest.is_some_and(|it| it.snapshot.end.is_none() && it.snapshot.require_verified))
}

/// Why an answer that was just given to a message did not count, while the wait goes on.
pub(crate) fn uncounted(
    transaction: &Transaction,
    asked: &Message,
    answer: &Response,
    verified: bool,
) -> Result<Option<String>, Failure> {
    let Some(newest) = concerned(transaction, asked, true)?.pop() else { return Ok(None) };
    Ok(newest.snapshot.uncounted(asked, answer, verified))
}

/// Tells every open handshake that an agent will not answer any more.
pub(crate) fn lost(
    context: &Context,
    transaction: &Transaction,
    agent: &AgentId,
    state: AgentState,
    now: Timestamp,
) -> Result<(), Failure> {
    for stored in transaction.open_handshakes()? {
        let waiting = stored.snapshot.answered_by(agent).filter(|it| it.status.is_waiting());
        if let Some(agent) = waiting.map(|it| it.agent.clone()) {
            feed(context, transaction, stored, Input::Gone { agent, state }, now)?;
        }
    }
    Ok(())
}

/// Tells every open handshake whose request has passed to another agent that this one answers now.
pub(crate) fn succeeded(
    context: &Context,
    transaction: &Transaction,
    agent: &AgentId,
    by: &AgentId,
    passed_on: &[MessageId],
    now: Timestamp,
) -> Result<(), Failure> {
    for stored in transaction.open_handshakes()? {
        let mut asked = stored.snapshot.recipients.iter().filter(|it| it.answerer() == agent);
        if asked.any(|it| passed_on.contains(&it.message_id)) {
            let input = Input::Succeeded { agent: agent.clone(), by: by.clone() };
            feed(context, transaction, stored, input, now)?;
        }
    }
    Ok(())
}

/// Tells every open handshake that waits for an agent's answer about a task that its successor is asked now.
pub(crate) fn handed_on(
    context: &Context,
    transaction: &Transaction,
    (task, by): (&Task, &AgentId),
    message_id: &MessageId,
    now: Timestamp,
) -> Result<(), Failure> {
    for stored in transaction.open_handshakes()? {
        let about = stored.snapshot.operation.task_id.as_ref() == Some(&task.task_id);
        let mut asked = stored.snapshot.recipients.iter().filter(|it| *it.answerer() == task.agent);
        if let Some(recipient) = asked.next().filter(|_| about) {
            transaction.move_request(&stored.snapshot.id, &recipient.message_id, message_id)?;
            let (agent, by, message_id) = (task.agent.clone(), by.clone(), message_id.clone());
            feed(context, transaction, stored, Input::HandedOn { agent, by, message_id }, now)?;
        }
    }
    Ok(())
}

/// Ends every handshake that waits for an agent's answer about a task it has no more.
pub(crate) fn withdraw(
    context: &Context,
    transaction: &Transaction,
    task_id: &TaskId,
    agent: &AgentId,
    now: Timestamp,
) -> Result<(), Failure> {
    for stored in transaction.open_handshakes()? {
        let about = stored.snapshot.operation.task_id.as_ref() == Some(task_id);
        // Where somebody else has its place, that one is waited for.
        let waiting = stored.snapshot.answered_by(agent).is_some_and(|it| it.status.is_waiting());
        if about && waiting {
            feed(context, transaction, stored, Input::Withdrawn, now)?;
        }
    }
    Ok(())
}

/// Ends every handshake that waits for the acknowledgment of a handoff that needs none any more.
pub(crate) fn withdraw_handoff(
    context: &Context,
    transaction: &Transaction,
    handoff_id: &str,
    now: Timestamp,
) -> Result<(), Failure> {
    for stored in transaction.open_handshakes()? {
        if stored.snapshot.operation.handoff_id.as_deref() == Some(handoff_id) {
            feed(context, transaction, stored, Input::Withdrawn, now)?;
        }
    }
    Ok(())
}

fn feed(
    context: &Context,
    transaction: &Transaction,
    stored: StoredHandshake,
    input: Input,
    now: Timestamp,
) -> Result<(), Failure> {
    let at = time_of(&stored, context.clock);
    let mut handshake = Handshake::resume(stored.snapshot);
    handshake.handle(input, at);
    finish(context, transaction, handshake, at, now)?;
    Ok(())
}

/// Sends and records what came out, and stores how far it has come.
pub(super) fn finish(
    context: &Context,
    transaction: &Transaction,
    mut handshake: Handshake,
    at: Timestamp,
    now: Timestamp,
) -> Result<Snapshot, Failure> {
    // Stored first: whatever the outputs lead to sees how far it has come.
    let due = handshake.poll_timeout().map(|(when, _)| when);
    transaction.save_handshake(handshake.state(), due)?;
    let mut ended = false;
    while let Some(output) = handshake.poll_output() {
        ended |= matches!(output, Output::Ended(_));
        perform(context, transaction, handshake.state(), &output, at, now)?;
    }
    if ended {
        tasking::after_wait(context, transaction, handshake.state(), now)?;
    }
    Ok(handshake.state().clone())
}
