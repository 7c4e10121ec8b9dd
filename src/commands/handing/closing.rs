//! The end of a replacement: giving up, telling the controller, putting it on record.

use super::{apply, found, letter, of_message, wait_of};
use crate::commands::Context;
use crate::commands::correspondence::post;
use crate::commands::handshake;
use crate::domain::Timestamp;
use crate::domain::event::NewEvent;
use crate::domain::handoff::{
    FailureCode, Handoff, HandoffFailure, HandoffId, HandoffInput, Next, Step, notice,
};
use crate::domain::replacement::{AuditEntry, confirmation};
use crate::failure::{Code, Failure};
use crate::store::Transaction;

/// Gives up for this reason, as long as it is open what becomes of the tasks.
pub(super) fn fail(context: &Context, id: &HandoffId, failure: HandoffFailure) -> Result<(), Failure> {
    context.write(|transaction, now| {
        let mut handoff = found(transaction, id)?;
        if handoff.step().is_open() {
            give_up(context, transaction, &mut handoff, failure, now)?;
        }
        Ok(())
    })
}

/// Gives up, and tells the replacement so if it has answered and would have gone on.
pub(super) fn give_up(
    context: &Context,
    transaction: &Transaction,
    handoff: &mut Handoff,
    failure: HandoffFailure,
    now: Timestamp,
) -> Result<(), Failure> {
    let by = handoff.orchestrator.clone();
    let told =
        handoff.is_answered() && !matches!(failure.code, FailureCode::Rejected | FailureCode::AgentGone);
    apply(transaction, handoff, HandoffInput::Failed(failure), &by, now)?;
    release(context, transaction, handoff, now)?;
    if let Some(notice) = notice::given_up(handoff).filter(|_| told) {
        post(context, transaction, &letter(handoff, &by, &handoff.replacement.id, notice), now)?;
    }
    Ok(())
}

/// Nobody has to acknowledge the handoff any more, and nobody waits for it.
pub(super) fn release(
    context: &Context,
    transaction: &Transaction,
    handoff: &Handoff,
    now: Timestamp,
) -> Result<(), Failure> {
    close_notices(transaction, handoff, now)?;
    handshake::withdraw_handoff(context, transaction, handoff.handoff_id.as_str(), now)
}

/// Nobody has to acknowledge the notices of a handoff, or the reminders of it, any more.
pub(super) fn close_notices(
    transaction: &Transaction,
    handoff: &Handoff,
    now: Timestamp,
) -> Result<(), Failure> {
    for delivery in &handoff.deliveries {
        transaction.close_message(&delivery.message_id, now)?;
    }
    for message in transaction.waiting_for_ack(Some(&handoff.replacement.id), None)? {
        if of_message(transaction, &message)?.is_some_and(|it| it.handoff_id == handoff.handoff_id) {
            transaction.close_message(&message.message_id, now)?;
        }
    }
    Ok(())
}

/// Gives up on a replacement that stayed silent.
pub(super) fn fail_for_silence(context: &Context, id: &HandoffId) -> Result<(), Failure> {
    let failure = context.read(|view| {
        let handoff = found(view, id)?;
        silence(view, &handoff, context.now())
    })?;
    fail(context, id, failure)
}

fn silence(view: &Transaction, handoff: &Handoff, now: Timestamp) -> Result<HandoffFailure, Failure> {
    let Some(stored) = wait_of(view, handoff)? else { return Ok(handoff.silence(0, now)) };
    let state = stored.snapshot;
    let sent: usize = state.recipients.iter().map(|it| it.reminders_sent).sum();
    let last = state.plan.steps.iter().take(sent).next_back();
    let last_attempt = last.map_or(state.started_at, |step| state.started_at + step.after);
    Ok(handoff.silence(u64::try_from(sent).unwrap_or(u64::MAX), last_attempt))
}

/// Tells the controller how it went, once.
pub(super) fn confirm(context: &Context, id: &HandoffId) -> Result<(), Failure> {
    context.write(|transaction, now| {
        let mut handoff = found(transaction, id)?;
        let notice = confirmation(&handoff).filter(|_| handoff.next() == Next::Confirm);
        let Some(notice) = notice else { return Ok(()) };
        let by = context.acting(transaction, &handoff.orchestrator, Code::UnknownSender)?.agent.id;
        let controller = handshake::controller(context, transaction, now)?;
        let message = post(context, transaction, &letter(&handoff, &by, &controller, notice), now)?;
        let input = HandoffInput::Confirmed { message_id: message.message_id };
        apply(transaction, &mut handoff, input, &by, now)?;
        Ok(())
    })
}

/// What the audit log holds, in the order in which it was written.
pub(crate) fn audit_log(view: &Transaction) -> Result<Vec<AuditEntry>, Failure> {
    let mut closed: Vec<_> = view
        .handoffs()?
        .into_iter()
        .filter_map(|handoff| handoff.taken_at(Step::Audited).map(|at| (at, handoff)))
        .collect();
    closed.sort_by_key(|(at, _)| *at);
    closed.iter().map(|(_, handoff)| Ok(AuditEntry::of(handoff)?)).collect()
}

/// Writes the audit entry, once.
pub(super) fn audit(context: &Context, id: &HandoffId) -> Result<(), Failure> {
    context.write(|transaction, now| {
        let mut handoff = found(transaction, id)?;
        if handoff.next() != Next::Audit {
            return Ok(());
        }
        let by = handoff.orchestrator.clone();
        put_on_record(transaction, &handoff, AuditEntry::EVENT, &AuditEntry::of(&handoff)?, now)?;
        apply(transaction, &mut handoff, HandoffInput::Audited, &by, now)?;
        Ok(())
    })
}

/// The audit entry of a handoff that has one.
pub(super) fn audited(handoff: &Handoff) -> Result<Option<AuditEntry>, Failure> {
    let entry = || AuditEntry::of(handoff);
    Ok(handoff.taken_at(Step::Audited).map(|_| entry()).transpose()?)
}

/// Puts the entry on record again when it says something else than before; the earlier one stays.
pub(super) fn correct_audit(
    transaction: &Transaction,
    handoff: &Handoff,
    before: Option<&AuditEntry>,
    now: Timestamp,
) -> Result<(), Failure> {
    match audited(handoff)?.filter(|entry| before.is_some_and(|before| before != entry)) {
        Some(entry) => put_on_record(transaction, handoff, AuditEntry::CORRECTION, &entry, now),
        None => Ok(()),
    }
}

fn put_on_record(
    transaction: &Transaction,
    handoff: &Handoff,
    event: &'static str,
    entry: &AuditEntry,
    now: Timestamp,
) -> Result<(), Failure> {
    let entry = serde_json::to_value(entry).map_err(|error| {
        Failure::new(Code::InternalError, "a record cannot be written as JSON").caused_by(error)
    })?;
    let event = NewEvent::new(event, &handoff.orchestrator, handoff.handoff_id.as_str());
    Ok(transaction.record(&event.data(entry), now)?)
}
