//! What is waited for: an open handshake, messages that were sent, or a request sent from here.

use super::{Args, plan, request};
use crate::commands::correspondence::stored;
use crate::commands::handshake::{self, Ask};
use crate::commands::{Context, Listener, handing, lookup, tasking};
use crate::domain::agent::AgentId;
use crate::domain::handoff::HandoffId;
use crate::domain::handshake::Operation;
use crate::domain::message::Message;
use crate::domain::schedule::Profile;
use crate::domain::task::{TaskId, TaskStatus};
use crate::failure::{Code, Failure};
use crate::store::Transaction;

/// The operation to wait for.
pub(super) fn find_or_open(
    context: &Context,
    args: &Args,
    listener: &mut dyn Listener,
) -> Result<String, Failure> {
    if let Some(wanted) = args.operation_id.as_ref().or(args.resume.as_ref()) {
        return known(context, args, wanted, listener);
    }
    if let Some(handoff) = handoff(context, args)? {
        return on_handoff(context, args, &handoff, listener);
    }
    if let Some(task) = task(context, args)? {
        return on_task(context, args, &task, listener);
    }
    if args.to.is_empty() {
        on_messages(context, args, listener)
    } else {
        request::send(context, args, listener)
    }
}

fn known(
    context: &Context,
    args: &Args,
    wanted: &str,
    listener: &mut dyn Listener,
) -> Result<String, Failure> {
    let missing = || {
        Failure::new(Code::OperationNotFound, format!("there is no operation `{wanted}`"))
            .hint("see the open ones with `bb waits`")
    };
    let id = context.read(|view| {
        let id = lookup::operation(view, wanted)?.ok_or_else(missing)?;
        let state = view.handshake(&id)?.ok_or_else(missing)?.snapshot;
        only_requester(context, args, &state.requester)?;
        // Whoever only looks at how it ended does nothing in the requester's name.
        if state.end.is_none() || !args.command.is_empty() {
            context.acting(view, &state.requester, Code::UnknownSender)?;
        }
        Ok(id)
    })?;
    if args.sets_schedule() {
        listener.notice(&format!("{id} was opened before; its own schedule holds"))?;
    }
    Ok(id)
}

/// Waits for messages that were sent; a handshake that is open for them already is joined.
fn on_messages(context: &Context, args: &Args, listener: &mut dyn Listener) -> Result<String, Failure> {
    let plan_for = |several: bool| {
        let usual = if several && args.quorum.is_some() { Profile::MultiAgent } else { Profile::Operation };
        plan::resolve(context, args, usual)
    };
    let (id, joined) = context.write(|transaction, now| {
        let messages = messages(transaction, args)?;
        let requester = requester(context, transaction, args, &messages)?;
        if let Some(open) = open_for(transaction, &messages)? {
            return Ok((open, true));
        }
        let ask = Ask {
            requester: requester.clone(),
            operation: operation_of(transaction, args, &messages)?,
            plan: plan_for(messages.len() > 1)?,
            require_verified: args.require_verified,
            bead: None,
            verified: false,
        };
        transaction.agent_seen(&requester, now)?;
        Ok((handshake::open(context, transaction, ask, &messages, now)?.id, false))
    })?;
    if joined {
        listener.notice(&format!("joined the open handshake {id}; its own schedule holds"))?;
    }
    Ok(id)
}

/// The handoff that is waited for: named itself, or by a message that asks for its acknowledgment.
fn handoff(context: &Context, args: &Args) -> Result<Option<HandoffId>, Failure> {
    let parts: Vec<_> = args.ids.iter().chain(&args.message).collect();
    let ([part], None) = (parts.as_slice(), &args.handoff) else { return Ok(args.handoff.clone()) };
    context.read(|view| {
        let message = lookup::message(view, part)?;
        let asked = handing::of_message(view, &message)?.filter(|_| message.kind.asks_for_ack());
        Ok(asked.map(|handoff| handoff.handoff_id))
    })
}

/// The task that is waited for: named itself, or by a message that asks for its acknowledgment.
fn task(context: &Context, args: &Args) -> Result<Option<TaskId>, Failure> {
    if args.task.is_some() {
        return Ok(args.task.clone());
    }
    let parts: Vec<_> = args.ids.iter().chain(&args.message).collect();
    let asked = match parts.as_slice() {
        [part] => context.read(|view| tasking::asked_by(view, &lookup::message(view, part)?))?,
        _ => None,
    };
    if asked.is_none() && (args.auto || !args.reassign_to.is_empty()) {
        return Err(Failure::new(Code::InvalidArgs, "only a task can go to another agent")
            .hint("name the task: --task TASK"));
    }
    Ok(asked.map(|task| task.task_id))
}

/// Waits for the agent of a task to answer what it was sent last.
fn on_task(
    context: &Context,
    args: &Args,
    id: &TaskId,
    listener: &mut dyn Listener,
) -> Result<String, Failure> {
    let (id, joined) = context.write(|transaction, now| {
        let task = tasking::named(transaction, id)?;
        let asked = task.asked_in.as_ref().filter(|_| task.status != TaskStatus::Cancelled);
        let Some(asked) = asked else {
            let what = format!("task `{}` is {}", task.task_id, task.status);
            return Err(Failure::new(Code::InvalidTask, what).hint("nobody is asked to answer for it"));
        };
        let messages = [stored(transaction, asked)?];
        let requester = requester(context, transaction, args, &messages)?;
        for agent in &args.reassign_to {
            context.known(transaction, agent, Code::UnknownRecipient)?;
        }
        if let Some(open) = open_for(transaction, &messages)? {
            return Ok((open, true));
        }
        let usual = if task.critical { Profile::Critical } else { Profile::Task };
        let ask = Ask {
            requester: requester.clone(),
            operation: Operation {
                kind: "task".to_owned(),
                description: Some(task.title.clone()),
                timeout_text: args.timeout_note.clone(),
                task_id: Some(task.task_id.clone()),
                reassign_to: args.reassign_to.clone(),
                auto: args.auto,
                ..Operation::default()
            },
            plan: plan::resolve(context, args, usual)?,
            require_verified: args.require_verified,
            bead: None,
            verified: false,
        };
        transaction.agent_seen(&requester, now)?;
        Ok((handshake::open(context, transaction, ask, &messages, now)?.id, false))
    })?;
    if joined {
        listener.notice(&format!("joined the open handshake {id}; its own schedule holds"))?;
    }
    Ok(id)
}

/// Waits for the acknowledgment of a handoff. The wait began when its notice was sent; where the orchestrator
/// knows what keeps the replacement from going on, another one begins.
fn on_handoff(
    context: &Context,
    args: &Args,
    id: &HandoffId,
    listener: &mut dyn Listener,
) -> Result<String, Failure> {
    let (handoff, waited) = context.read(|view| {
        let handoff = handing::found(view, id)?;
        handing::orchestrator(context, view, &handoff, args.from.as_ref())?;
        let waited = handing::wait_of(view, &handoff)?;
        Ok((handoff, waited))
    })?;
    let waited = match handoff.can_be_awaited_anew() {
        true => context.write(|transaction, now| {
            let handoff = handing::found(transaction, id)?;
            handing::wait_anew(context, transaction, &handoff, now)?;
            handing::wait_of(transaction, &handoff)
        })?,
        false => waited,
    };
    let unsent = || {
        Failure::new(Code::InvalidHandoff, format!("handoff `{id}` was not sent yet"))
            .hint(format!("go on with it: bb replace --resume {id}"))
    };
    if args.sets_schedule() {
        listener.notice("a handoff is waited for with the times of its urgency")?;
    }
    Ok(waited.ok_or_else(unsent)?.snapshot.id)
}

fn messages(transaction: &Transaction, args: &Args) -> Result<Vec<Message>, Failure> {
    let mut messages: Vec<Message> = Vec::new();
    for part in args.ids.iter().chain(&args.message) {
        let message = lookup::message(transaction, part)?;
        if messages.iter().all(|known| known.message_id != message.message_id) {
            messages.push(message);
        }
    }
    Ok(messages)
}

/// Whoever sent the messages waits for the answers, and reminders go out in its name.
fn requester(
    context: &Context,
    transaction: &Transaction,
    args: &Args,
    messages: &[Message],
) -> Result<AgentId, Failure> {
    let mut senders = messages.iter().map(|message| &message.from_agent);
    let missing = || Failure::new(Code::InvalidArgs, "no message is named");
    let sender = senders.next().ok_or_else(missing)?;
    if let Some(other) = senders.find(|other| *other != sender) {
        let what = format!("the messages have different senders: `{sender}` and `{other}`");
        return Err(
            Failure::new(Code::InvalidArgs, what).hint("wait for the messages of one sender at a time")
        );
    }
    only_requester(context, args, sender)?;
    context.acting(transaction, sender, Code::UnknownSender)?;
    Ok(sender.clone())
}

/// Refuses whoever says or is set to be somebody else than the one who asked.
fn only_requester(context: &Context, args: &Args, requester: &AgentId) -> Result<(), Failure> {
    match context.identity_if_set(args.from.as_ref(), "--from")? {
        Some(me) if me.id != *requester => {
            let what = format!("`{requester}` asked; `{}` ({}) cannot wait for the answer", me.id, me.source);
            Err(Failure::new(Code::ReadForbidden, what).hint(format!(
                "only the one who asked waits; see how it stands with `bb waits --agent {requester}`"
            )))
        }
        _ => Ok(()),
    }
}

/// An open handshake that waits for all of these messages.
fn open_for(transaction: &Transaction, messages: &[Message]) -> Result<Option<String>, Failure> {
    let Some(first) = messages.first() else { return Ok(None) };
    let asks = |stored: &crate::store::sqlite::StoredHandshake, message: &Message| {
        stored.snapshot.recipients.iter().any(|it| it.message_id == message.message_id)
    };
    let open = transaction
        .handshakes_about(&first.message_id)?
        .into_iter()
        .find(|it| it.snapshot.end.is_none() && messages.iter().all(|message| asks(it, message)));
    Ok(open.map(|stored| stored.snapshot.id))
}

/// What messages are about: what they were asked about before, or what their content names, or their
/// category in place of an operation.
fn operation_of(transaction: &Transaction, args: &Args, messages: &[Message]) -> Result<Operation, Failure> {
    let Some(first) = messages.first() else { return Ok(Operation::default()) };
    let earlier = transaction.handshakes_about(&first.message_id)?.pop().map(|it| it.snapshot.operation);
    if let Some(earlier) = earlier.filter(|it| it.task_id.is_none() && it.handoff_id.is_none()) {
        let timeout_text = args.timeout_note.clone().or(earlier.timeout_text);
        return Ok(Operation { timeout_text, ..earlier });
    }
    let named = first.content.as_ref().and_then(|content| content.get("operation")?.as_str());
    Ok(Operation {
        kind: named.map_or_else(|| first.category.as_str().to_lowercase(), str::to_owned),
        description: Some(first.subject.clone()),
        timeout_text: args.timeout_note.clone(),
        broadcast_id: first.broadcast_id.clone(),
        of_mail: named.is_none(),
        ..Operation::default()
    })
}
