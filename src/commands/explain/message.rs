//! The story of a message.

use super::past::Wanted;
use super::{Fact, Next, Question, Story, fact};
use crate::commands::lookup;
use crate::domain::mailbox::{is_overdue, needs_ack};
use crate::domain::message::{Message, MessageId, State};
use crate::domain::story::tell;
use crate::domain::{Timestamp, age};
use crate::failure::{Code, Failure};

pub(super) fn story(question: &Question) -> Result<Option<Story>, Failure> {
    let Ok(part) = question.part.parse::<MessageId>() else { return Ok(None) };
    let message = match lookup::message(question.view, &part) {
        Ok(message) => message,
        Err(failure) if failure.code == Code::MessageNotFound => return Ok(None),
        Err(failure) => return Err(failure),
    };
    let (view, now) = (question.view, question.context.now());
    let handshakes = view.handshakes_about(&message.message_id)?;
    let operations: Vec<_> =
        handshakes.iter().map(|it| it.snapshot.id.as_str()).chain(message.operation_id.as_deref()).collect();
    // An operation may have begun before one of its messages.
    let begun = if operations.is_empty() { message.created_at } else { Timestamp::default() };
    let mut wanted = Wanted::since(begun);
    wanted.about(&message.message_id);
    for operation in operations {
        wanted.operation(operation);
    }
    let thread = view.thread(&message.thread_id)?;
    for reply in thread.iter().filter(|it| it.reply_to.as_ref() == Some(&message.message_id)) {
        wanted.about(&reply.message_id);
    }
    let past = question.past(&wanted)?;
    let is_awaited = handshakes.iter().any(|it| {
        it.snapshot.end.is_none()
            && it.snapshot.asked_in(&message).is_some_and(|asked| asked.status.is_waiting())
    });
    Ok(Some(Story {
        id: message.message_id.to_string(),
        kind: "message",
        title: message.subject.clone(),
        standing: standing(&message, is_awaited, now),
        facts: facts(&message).into_iter().chain(past.gap).collect(),
        steps: tell(past.events, message.message_id.as_str()),
        next: next(question, &message, is_awaited),
    }))
}

fn facts(message: &Message) -> Vec<Fact> {
    let kind = match message.kind.as_str() {
        "message" => String::new(),
        kind => format!(", {kind}"),
    };
    let mut facts = vec![
        fact("from", &message.from_agent),
        fact("to", &message.to_agent),
        fact("category", format!("{}, {} priority{kind}", message.category, message.priority)),
        fact("thread", &message.thread_id),
    ];
    let optional = [
        ("reply to", message.reply_to.as_ref().map(ToString::to_string)),
        ("fan-out", message.broadcast_id.clone()),
        ("operation", message.operation_id.clone()),
    ];
    facts.extend(optional.into_iter().filter_map(|(name, value)| Some(fact(name, value?))));
    facts
}

/// How far it has come, and what is missing.
pub(super) fn standing(message: &Message, is_awaited: bool, now: Timestamp) -> String {
    let state = match message.state {
        State::Unread => "not read yet",
        State::Read => "read",
        State::Acked => "acknowledged",
    };
    let ack = match (needs_ack(message), message.ack_due_at) {
        (false, _) if message.closed_at.is_some() => ", and no ack is needed any more".to_owned(),
        (false, _) => String::new(),
        (true, Some(due)) if is_overdue(message, now) => {
            format!(", and its ack is overdue by {}", age::short(now.since(due)))
        }
        (true, Some(due)) => format!(", and its ack is due in {}", age::short(due.since(now))),
        (true, None) => ", and its ack is missing".to_owned(),
    };
    let awaited = if is_awaited { "; somebody waits for the answer" } else { "" };
    format!("{state}{ack}{awaited}")
}

/// The recipient reads, then answers; the sender can only wait.
fn next(question: &Question, message: &Message, is_awaited: bool) -> Option<Next> {
    let Message { message_id: id, from_agent: from, to_agent: to, .. } = message;
    let is_owed = needs_ack(message) || is_awaited;
    if question.asker == Some(from) && is_owed {
        return Some(Next { agent: from.clone(), command: format!("bb agent wait-ack --message {id}") });
    }
    let verb = match (message.state, is_awaited, is_owed) {
        (State::Unread, ..) => format!("read --agent {to} --message {id}"),
        (_, true, _) => format!("reply --agent {to} --message {id} --ok"),
        (_, false, true) => format!("ack --agent {to} --message {id}"),
        (_, false, false) => return None,
    };
    Some(Next { agent: to.clone(), command: format!("bb agent {verb}") })
}
