//! Beginning a handshake.

use serde_json::json;

use super::driving::finish;
use super::performing::{draft, thread_of};
use crate::commands::Context;
use crate::commands::correspondence::{check_room, new_id, post_as};
use crate::domain::Timestamp;
use crate::domain::agent::AgentId;
use crate::domain::event::NewEvent;
use crate::domain::handshake::{Handshake, Input, Opening, Operation, Reply, Snapshot};
use crate::domain::message::{Draft, Message};
use crate::domain::notice::{self, log};
use crate::domain::schedule::Plan;
use crate::failure::Failure;
use crate::store::Transaction;
use crate::store::sqlite::StoredHandshake;

/// What is asked, by whom, and how long.
#[derive(Debug, Clone)]
pub(crate) struct Ask {
    pub requester: AgentId,
    pub operation: Operation,
    pub plan: Plan,
    pub require_verified: bool,
    /// The bead the request is about.
    pub bead: Option<String>,
    pub verified: bool,
}

/// Waits for the answers to messages that were sent already. Answers that are there count at once.
pub(crate) fn open(
    context: &Context,
    transaction: &Transaction,
    ask: Ask,
    messages: &[Message],
    now: Timestamp,
) -> Result<Snapshot, Failure> {
    let recipients = messages.iter().map(|it| (it.to_agent.clone(), it.message_id.clone())).collect();
    // Whoever changes a task asks anew with a message of its own, so the answer to this one stands.
    let stands = ask.operation.task_id.is_some();
    let mut handshake = begin(context, ask, recipients, now)?;
    let answers =
        messages.iter().map(|it| answer_to(transaction, it, stands)).collect::<Result<Vec<_>, _>>()?;
    store(context, transaction, handshake.state())?;
    for reply in answers.into_iter().flatten() {
        handshake.handle(Input::Reply(reply), now);
    }
    // A request that an earlier wait closed is asked about again.
    for recipient in handshake.state().recipients.iter().filter(|it| it.status.is_waiting()) {
        transaction.reopen_message(&recipient.message_id, recipient.deadline)?;
    }
    finish(context, transaction, handshake, now, now)
}

/// Waits for the answer to a message in the way another one was waited for.
pub(crate) fn open_again(
    context: &Context,
    transaction: &Transaction,
    state: &Snapshot,
    message: &Message,
    now: Timestamp,
) -> Result<Snapshot, Failure> {
    let ask = Ask {
        requester: state.requester.clone(),
        operation: state.operation.clone(),
        plan: state.plan.clone(),
        require_verified: state.require_verified,
        bead: None,
        verified: false,
    };
    open(context, transaction, ask, std::slice::from_ref(message), now)
}

/// The answer a message got before anybody waited for it.
fn answer_to(transaction: &Transaction, message: &Message, stands: bool) -> Result<Option<Reply>, Failure> {
    let Some(response) = &message.response else { return Ok(None) };
    // An ack stands, unless its agent was told since that nothing comes of it; any other answer counted in the
    // handshake that heard it, and counts once.
    let earlier = transaction.handshakes_about(&message.message_id)?.pop();
    if let Some(earlier) = earlier.filter(|_| !stands)
        && (!response.verdict.proceeds() || earlier.snapshot.called_off_after(response.at))
    {
        return Ok(None);
    }
    let carrier = response.message_id.as_ref().map(|id| transaction.message(id)).transpose()?.flatten();
    // A bare ack of a protected agent took its token.
    let verified = match carrier {
        Some(carrier) => carrier.verified,
        None => transaction.agent(&message.to_agent)?.is_some_and(|agent| agent.is_protected()),
    };
    Ok(Some(Reply {
        from: message.to_agent.clone(),
        on_behalf_of: None,
        verdict: response.verdict,
        text: response.message.clone(),
        notes: response.notes.clone(),
        message_id: response.message_id.clone(),
        verified,
    }))
}

/// Sends the request to everyone and waits for their answers.
pub(crate) fn open_request(
    context: &Context,
    transaction: &Transaction,
    mut ask: Ask,
    to: &[AgentId],
    now: Timestamp,
) -> Result<Snapshot, Failure> {
    if to.len() > 1 {
        ask.operation.broadcast_id = Some(context.ids.id("bc", now)?);
    }
    let (bead, verified) = (ask.bead.clone(), ask.verified);
    let mut recipients = Vec::with_capacity(to.len());
    for agent in to {
        check_room(context, transaction, agent)?;
        recipients.push((agent.clone(), new_id(context, transaction, now)?));
    }
    let handshake = begin(context, ask, recipients, now)?;
    let state = handshake.state();
    for recipient in &state.recipients {
        let composed = draft(state, &recipient.agent, notice::request(state, recipient), None);
        let request = Draft {
            thread_id: thread_of(&state.id),
            bead_id: bead.clone(),
            broadcast_id: state.operation.broadcast_id.clone(),
            ack_due_at: Some(recipient.deadline),
            verified,
            ..composed
        };
        post_as(transaction, &recipient.message_id, &request, now)?;
    }
    store(context, transaction, state)?;
    finish(context, transaction, handshake, now, now)
}

fn begin(
    context: &Context,
    ask: Ask,
    recipients: Vec<(AgentId, crate::domain::message::MessageId)>,
    now: Timestamp,
) -> Result<Handshake, Failure> {
    let opening = Opening {
        id: context.ids.id("op", now)?,
        requester: ask.requester,
        operation: ask.operation,
        plan: ask.plan,
        require_verified: ask.require_verified,
        recipients,
    };
    Ok(Handshake::open(opening, now)?)
}

fn store(context: &Context, transaction: &Transaction, state: &Snapshot) -> Result<(), Failure> {
    let began = context
        .clock
        .uptime()
        .map(|uptime| (uptime.boot, i64::try_from(uptime.since_boot.as_millis()).unwrap_or(i64::MAX)));
    let new = StoredHandshake { snapshot: state.clone(), began, claim: None };
    transaction.add_handshake(&new, Some(state.started_at))?;
    let lines: Vec<_> = state.expected().map(log::started).collect();
    let data = json!({
        "operation": state.operation.kind, "expected": state.expected().collect::<Vec<_>>(),
        "profile": state.plan.profile, "lines": lines,
    });
    let event = NewEvent::new("handshake.started", &state.requester, &state.id);
    Ok(transaction.record(&event.operation(Some(&state.id)).data(data), state.started_at)?)
}
