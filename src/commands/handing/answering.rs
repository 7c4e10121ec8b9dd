//! What a replacement says about the handoff it was given: by command, by reply, by mail.

use super::closing::close_notices;
use super::{apply, letter};
use crate::commands::Context;
use crate::commands::correspondence::{keep_answer, mark_acked, post, stored};
use crate::domain::Timestamp;
use crate::domain::handoff::{Handoff, HandoffAck, HandoffInput, notice};
use crate::domain::message::{Draft, Message, Response};
use crate::domain::reply::Verdict;
use crate::failure::{Code, Failure};
use crate::store::Transaction;

/// An answer that was taken in.
#[derive(Debug)]
pub(crate) struct Answered {
    pub handoff: Handoff,
    /// The notice that was answered.
    pub asked: Message,
}

/// The handoff that a message of its orchestrator to its replacement is about.
pub(crate) fn of_message(view: &Transaction, message: &Message) -> Result<Option<Handoff>, Failure> {
    let named =
        message.content.as_ref().and_then(|content| content.get("handoff_id")?.as_str()?.parse().ok());
    let Some(id) = named else { return Ok(None) };
    let found = view.handoff(&id)?;
    let fits = |it: &Handoff| it.orchestrator == message.from_agent && it.replacement.id == message.to_agent;
    Ok(found.filter(fits))
}

/// The handoff whose acknowledgment a message asks for, while it is owed.
pub(crate) fn asked_by(view: &Transaction, message: &Message) -> Result<Option<Handoff>, Failure> {
    Ok(of_message(view, message)?.filter(|it| message.kind.asks_for_ack() && it.owes_ack()))
}

/// Takes in an acknowledgment. Without a message that carried it, one is sent to the orchestrator.
pub(crate) fn answer(
    context: &Context,
    transaction: &Transaction,
    mut handoff: Handoff,
    ack: HandoffAck,
    carrier: Option<&Message>,
    verified: bool,
    now: Timestamp,
) -> Result<Answered, Failure> {
    let ack = ack.cleaned();
    let unsent = || Failure::new(Code::InvalidHandoff, "the handoff was not sent yet");
    let asked = stored(transaction, handoff.message_id().ok_or_else(unsent)?)?;
    if carrier.is_none() && has_said(&handoff, &ack) {
        return Ok(Answered { handoff, asked });
    }
    let replacement = handoff.replacement.id.clone();
    let carrier = match carrier {
        Some(carrier) => carrier.clone(),
        None => {
            let notice = notice::ack(&handoff, &ack);
            let draft = letter(&handoff, &replacement, &handoff.orchestrator, notice);
            post(context, transaction, &Draft { verified, ..draft }, now)?
        }
    };
    let message_id = Some(carrier.message_id.clone());
    let verdict = if handoff.names_another(&ack) { Verdict::Other } else { ack.verdict() };
    let words = ack.status.as_ref().map_or_else(|| carrier.body.clone(), |said| said.as_str().to_owned());
    let notes = ack.understanding.clone().or_else(|| ack.reason.clone());
    let input = HandoffInput::Acked { from: replacement.clone(), ack, message_id: message_id.clone() };
    apply(transaction, &mut handoff, input, &replacement, now)?;
    settle(transaction, &handoff, verdict, now)?;
    let response = Response { verdict, message: words, notes, message_id, at: now };
    keep_answer(context, transaction, &asked, &response, verified, now)?;
    if handoff.is_rejected() {
        close_notices(transaction, &handoff, now)?;
    }
    let asked = stored(transaction, &asked.message_id)?;
    Ok(Answered { handoff, asked })
}

/// Whether the newest acknowledgment says the same, and nobody has replied to it since.
fn has_said(handoff: &Handoff, ack: &HandoffAck) -> bool {
    handoff.newest_ack().is_some_and(|newest| newest.ack == *ack && handoff.unconfirmed().is_none())
}

/// Whoever acknowledged the handoff need not ack the reminders of it.
fn settle(
    transaction: &Transaction,
    handoff: &Handoff,
    verdict: Verdict,
    now: Timestamp,
) -> Result<(), Failure> {
    if !verdict.acknowledges() {
        return Ok(());
    }
    for message in transaction.waiting_for_ack(Some(&handoff.replacement.id), None)? {
        if of_message(transaction, &message)?.is_some_and(|it| it.handoff_id == handoff.handoff_id) {
            mark_acked(transaction, &message, now)?;
        }
    }
    Ok(())
}

/// Takes in what a mail says about a handoff: in its own form, or as a plain answer to its notice.
/// Says whether it was about one.
pub(crate) fn hear(
    context: &Context,
    transaction: &Transaction,
    mail: &Message,
    asked: Option<&Message>,
    verdict: Verdict,
    now: Timestamp,
) -> Result<Option<Handoff>, Failure> {
    let said = mail.content.as_ref().and_then(HandoffAck::from_content);
    let named = said.as_ref().and_then(|ack| ack.handoff_id.as_deref()?.parse().ok());
    let by_name = named.map(|id| transaction.handoff(&id)).transpose()?.flatten();
    let fits = |it: &Handoff| it.replacement.id == mail.from_agent && it.orchestrator == mail.to_agent;
    let by_thread = match asked {
        Some(asked) => of_message(transaction, asked)?,
        None => None,
    };
    let Some(handoff) = by_thread.or_else(|| by_name.filter(fits)) else { return Ok(None) };
    let Some(ack) = said.or_else(|| HandoffAck::plain(verdict)) else { return Ok(None) };
    if handoff.message_id().is_none() {
        return Ok(None);
    }
    let answered = answer(context, transaction, handoff, ack, Some(mail), mail.verified, now)?;
    Ok(Some(answered.handoff))
}
