//! The end of a replacement: giving up, telling the controller, putting it on record.

use super::{apply, found, letter, wait_of};
use crate::commands::Context;
use crate::commands::correspondence::post;
use crate::commands::handshake;
use crate::domain::Timestamp;
use crate::domain::event::NewEvent;
use crate::domain::handoff::{Handoff, HandoffFailure, HandoffId, HandoffInput, Next, Step};
use crate::domain::replacement::{AuditEntry, confirmation};
use crate::failure::{Code, Failure};
use crate::store::Transaction;

/// Gives up for this reason, as long as it is open what becomes of the tasks.
pub(super) fn fail(context: &Context, id: &HandoffId, failure: HandoffFailure) -> Result<(), Failure> {
    context.write(|transaction, now| {
        let mut handoff = found(transaction, id)?;
        if handoff.step().is_open() {
            let by = handoff.orchestrator.clone();
            for delivery in &handoff.deliveries {
                transaction.close_message(&delivery.message_id, now)?;
            }
            apply(transaction, &mut handoff, HandoffInput::Failed(failure), &by, now)?;
            handshake::withdraw_handoff(context, transaction, id.as_str(), now)?;
        }
        Ok(())
    })
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
    let Some(stored) = wait_of(view, handoff)? else { return Ok(HandoffFailure::no_ack(0, now)) };
    let state = stored.snapshot;
    let sent: usize = state.recipients.iter().map(|it| it.reminders_sent).sum();
    let last = state.plan.steps.iter().take(sent).next_back();
    let last_attempt = last.map_or(state.started_at, |step| state.started_at + step.after);
    Ok(HandoffFailure::no_ack(u64::try_from(sent).unwrap_or(u64::MAX), last_attempt))
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
        let entry = serde_json::to_value(AuditEntry::of(&handoff)?).map_err(|error| {
            Failure::new(Code::InternalError, "a record cannot be written as JSON").caused_by(error)
        })?;
        transaction.record(&NewEvent::new(AuditEntry::EVENT, &by, id.as_str()).data(entry), now)?;
        apply(transaction, &mut handoff, HandoffInput::Audited, &by, now)?;
        Ok(())
    })
}
