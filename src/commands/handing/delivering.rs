//! The notice to the replacement, and the wait for its answer.

use super::{apply, found, letter};
use crate::commands::Context;
use crate::commands::correspondence::{new_id, post_as, stored};
use crate::commands::handshake::{self, Ask};
use crate::domain::Timestamp;
use crate::domain::handoff::{Handoff, HandoffId, HandoffInput, Next, notice};
use crate::domain::handshake::{Operation, Snapshot};
use crate::domain::message::{Draft, Message};
use crate::domain::schedule::{Overrides, Plan, Profile};
use crate::failure::{Code, Failure};
use crate::store::Transaction;
use crate::store::sqlite::StoredHandshake;

/// Sends the notice, unless somebody else has.
pub(super) fn send(context: &Context, id: &HandoffId) -> Result<(), Failure> {
    context.write(|transaction, now| {
        let mut handoff = found(transaction, id)?;
        if handoff.next() != Next::Send {
            return Ok(());
        }
        let sender = context.acting(transaction, &handoff.orchestrator, Code::UnknownSender)?;
        for earlier in &handoff.deliveries {
            transaction.close_message(&earlier.message_id, now)?;
        }
        handshake::withdraw_handoff(context, transaction, id.as_str(), now)?;
        let message_id = new_id(context, transaction, now)?;
        let notice = notice::handoff(&handoff, &message_id);
        let draft = Draft {
            ack_due_at: Some(now + handoff.urgency.first_wait()),
            verified: sender.verified,
            ..letter(&handoff, &handoff.orchestrator, &handoff.replacement.id, notice)
        };
        let message = post_as(transaction, &message_id, &draft, now)?;
        let operation = open_wait(context, transaction, &handoff, &message, now)?.id;
        let input = HandoffInput::Sent { message_id, operation_id: Some(operation) };
        apply(transaction, &mut handoff, input, &sender.agent.id, now)?;
        Ok(())
    })
}

/// Waits for another acknowledgment of the same notice, unless one is waited for.
pub(crate) fn wait_anew(
    context: &Context,
    transaction: &Transaction,
    handoff: &Handoff,
    now: Timestamp,
) -> Result<(), Failure> {
    let waits = wait_of(transaction, handoff)?.is_some_and(|stored| stored.snapshot.end.is_none());
    if let Some(id) = handoff.message_id().filter(|_| !waits) {
        let message = stored(transaction, id)?;
        // The answer so far was not good enough, so it does not count for this wait.
        open_wait(context, transaction, handoff, &Message { response: None, ..message }, now)?;
    }
    Ok(())
}

/// Begins to wait for the acknowledgment, with the times that the urgency gives.
fn open_wait(
    context: &Context,
    transaction: &Transaction,
    handoff: &Handoff,
    message: &Message,
    now: Timestamp,
) -> Result<Snapshot, Failure> {
    let overrides = Overrides { first_wait: Some(handoff.urgency.first_wait()), ..Overrides::default() };
    let ask = Ask {
        requester: handoff.orchestrator.clone(),
        operation: Operation {
            kind: "handoff".to_owned(),
            description: Some(message.subject.clone()),
            handoff_id: Some(handoff.handoff_id.to_string()),
            ..Operation::default()
        },
        plan: Plan::new(Profile::Handoff, &overrides)?,
        require_verified: false,
        bead: None,
        verified: false,
    };
    handshake::open(context, transaction, ask, std::slice::from_ref(message), now)
}

/// The newest wait for the acknowledgment of a handoff.
pub(crate) fn wait_of(view: &Transaction, handoff: &Handoff) -> Result<Option<StoredHandshake>, Failure> {
    match handoff.message_id() {
        Some(id) => Ok(view.handshakes_about(id)?.into_iter().next_back()),
        None => Ok(None),
    }
}
