//! What sending, answering and acknowledging have in common.

use serde_json::json;

use super::identity::Actor;
use super::{Context, handshake};
use crate::domain::Timestamp;
use crate::domain::agent::AgentId;
use crate::domain::event::NewEvent;
use crate::domain::handshake::Reply;
use crate::domain::message::{Draft, Message, MessageId, Response};
use crate::failure::{Code, Failure};
use crate::store::Transaction;
use crate::store::changes::Topic;

/// Stores a message under a new id and records it.
pub(super) fn post(
    context: &Context,
    transaction: &Transaction,
    draft: &Draft,
    now: Timestamp,
) -> Result<Message, Failure> {
    post_as(transaction, &new_id(context, transaction, now)?, draft, now)
}

/// Stores a message under an id that was given out before, and records it.
pub(super) fn post_as(
    transaction: &Transaction,
    id: &MessageId,
    draft: &Draft,
    now: Timestamp,
) -> Result<Message, Failure> {
    let cursor = transaction.add_message(id, draft, now)?;
    let sent = json!({"to": draft.to, "category": draft.category, "kind": draft.kind, "requires_ack": draft.requires_ack});
    let event = NewEvent::new("message.sent", &draft.from, id.as_str());
    transaction.record(&event.operation(draft.operation_id.as_deref()).data(sent), now)?;
    Ok(draft.clone().sent(id.clone(), cursor, now))
}

/// Refuses mail to an agent that reads none of it. Answers and notices of protocols always get through.
pub(super) fn check_room(context: &Context, view: &Transaction, to: &AgentId) -> Result<(), Failure> {
    let bound = context.config()?.get("max_unread").number();
    if !view.unread_reaches(to, u32::try_from(bound).unwrap_or(u32::MAX))? {
        return Ok(());
    }
    Err(Failure::new(Code::MailboxFull, format!("`{to}` has {bound} unread messages and takes no more"))
        .hint(format!("wait until it reads some, or raise `max_unread`; see `bb inbox --agent {to}`")))
}

/// An id that no message has; equal ones are as good as impossible, and tried again all the same.
pub(super) fn new_id(
    context: &Context,
    transaction: &Transaction,
    now: Timestamp,
) -> Result<MessageId, Failure> {
    loop {
        let id = context.ids.message(now)?;
        if !transaction.has_message(&id)? {
            return Ok(id);
        }
    }
}

/// The message as it stands now.
pub(super) fn stored(transaction: &Transaction, id: &MessageId) -> Result<Message, Failure> {
    let gone = || Failure::new(Code::InternalError, format!("message `{id}` vanished while it was written"));
    transaction.message(id)?.ok_or_else(gone)
}

/// Refuses anyone but the recipient.
pub(super) fn only_recipient(
    message: &Message,
    actor: &Actor,
    code: Code,
    verb: &str,
) -> Result<(), Failure> {
    if message.to_agent == actor.agent.id {
        return Ok(());
    }
    let what = format!(
        "message `{}` is for `{}`; `{}` cannot {verb} it",
        message.message_id, message.to_agent, actor.agent.id
    );
    Err(Failure::new(code, what).hint("only the recipient can; see your own with `bb inbox`"))
}

/// Marks a message read and records it; repeating it changes nothing.
pub(super) fn mark_read(transaction: &Transaction, message: &Message, now: Timestamp) -> Result<(), Failure> {
    if transaction.mark_read(&message.message_id, now)? {
        transaction
            .record(&NewEvent::new("message.read", &message.to_agent, message.message_id.as_str()), now)?;
        transaction.concerns(Topic::Mailbox(message.from_agent.clone()));
    }
    Ok(())
}

/// Marks a message acked and records it; repeating it changes nothing. Says whether it was the first time.
pub(super) fn mark_acked(
    transaction: &Transaction,
    message: &Message,
    now: Timestamp,
) -> Result<bool, Failure> {
    let first = transaction.mark_acked(&message.message_id, now)?;
    if first {
        let event = NewEvent::new("message.acked", &message.to_agent, message.message_id.as_str());
        transaction.record(&event.operation(message.operation_id.as_deref()), now)?;
        transaction.concerns(Topic::Mailbox(message.from_agent.clone()));
    }
    Ok(first)
}

/// Keeps what a recipient answered: the message is read, and acked when the answer acknowledges it and counts;
/// the handshakes it belongs to hear of it.
pub(super) fn keep_answer(
    context: &Context,
    transaction: &Transaction,
    asked: &Message,
    answer: &Response,
    verified: bool,
    now: Timestamp,
) -> Result<(), Failure> {
    mark_read(transaction, asked, now)?;
    transaction.set_response(&asked.message_id, answer)?;
    let data = json!({"verdict": answer.verdict, "message": answer.message, "message_id": answer.message_id});
    let event = NewEvent::new("message.answered", &asked.to_agent, asked.message_id.as_str());
    transaction.record(&event.operation(asked.operation_id.as_deref()).data(data), now)?;
    if answer.verdict.proceeds() && (verified || !handshake::wants_token(transaction, asked)?) {
        mark_acked(transaction, asked, now)?;
    }
    transaction.concerns(Topic::Mailbox(asked.from_agent.clone()));
    let reply = Reply {
        from: asked.to_agent.clone(),
        on_behalf_of: None,
        verdict: answer.verdict,
        text: answer.message.clone(),
        notes: answer.notes.clone(),
        message_id: answer.message_id.clone(),
        verified,
    };
    handshake::hear(context, transaction, asked, &reply, now)
}
