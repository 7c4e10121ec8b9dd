//! Finding a handoff, and changing it.

use serde_json::{Value, json};

use crate::commands::Context;
use crate::commands::identity::Actor;
use crate::domain::Timestamp;
use crate::domain::agent::AgentId;
use crate::domain::event::NewEvent;
use crate::domain::handoff::{Handoff, HandoffId, HandoffInput, SaidStatus};
use crate::domain::message::Draft;
use crate::domain::notice::Notice;
use crate::failure::{Code, Failure};
use crate::store::Transaction;

/// The fewest characters of an id that stand for all of it.
pub(crate) const SHORTEST_PART: usize = 4;

/// The most handoffs a hint names.
const LISTED: usize = 5;

/// The handoff with this id, or with a unique beginning or end of it.
pub(crate) fn found(view: &Transaction, id: &HandoffId) -> Result<Handoff, Failure> {
    let whole = match view.handoffs_named(id.as_str())?.as_slice() {
        [] => return Err(missing(view, id)?),
        [one] if one == id || id.as_str().len() >= SHORTEST_PART => one.clone(),
        [_] => return Err(missing(view, id)?),
        several => {
            let listed: Vec<_> = several.iter().take(LISTED).map(|it| format!("`{it}`")).collect();
            return Err(Failure::new(Code::AmbiguousId, format!("`{id}` fits several handoffs"))
                .hint(format!("type more of it: {}", listed.join(", "))));
        }
    };
    match view.handoff(&whole)? {
        Some(handoff) => Ok(handoff),
        None => Err(missing(view, id)?),
    }
}

/// Says that there is none, and which are not over: hardly anybody means one that is.
fn missing(view: &Transaction, id: &HandoffId) -> Result<Failure, Failure> {
    let mut open = view.handoffs()?;
    open.retain(|it| !it.step().is_last());
    let hint = match open.as_slice() {
        [] => "no handoff is open; see the earlier ones with `bb replace --status`".to_owned(),
        open => {
            let name =
                |it: &Handoff| format!("`{}` ({} to {})", it.handoff_id, it.failed.id, it.replacement.id);
            let listed: Vec<_> = open.iter().rev().take(LISTED).map(name).collect();
            format!("open, the latest first: {}", listed.join(", "))
        }
    };
    Ok(Failure::new(Code::HandoffNotFound, format!("there is no handoff `{id}`")).hint(hint))
}

/// The orchestrator of a handoff, acting; nobody else decides about it. Where nothing says who acts, it is
/// the orchestrator.
pub(crate) fn orchestrator(
    context: &Context,
    view: &Transaction,
    handoff: &Handoff,
    me: Option<&AgentId>,
) -> Result<Actor, Failure> {
    let me = context.identity_if_set(me, "--from")?;
    if let Some(other) = me.filter(|me| me.id != handoff.orchestrator) {
        let Handoff { handoff_id, orchestrator, .. } = handoff;
        let what = format!(
            "handoff `{handoff_id}` is of `{orchestrator}`; you are `{}` ({})",
            other.id, other.source
        );
        return Err(Failure::new(Code::AckForbidden, what).hint("only its orchestrator decides about it"));
    }
    context.acting(view, &handoff.orchestrator, Code::UnknownSender)
}

/// Applies what happened, stores and records it. Says whether anything changed.
pub(crate) fn apply(
    transaction: &Transaction,
    handoff: &mut Handoff,
    input: HandoffInput,
    by: &AgentId,
    now: Timestamp,
) -> Result<bool, Failure> {
    let (name, mut data) = event(&input);
    let before = handoff.step();
    if !handoff.apply(input, now)? {
        return Ok(false);
    }
    transaction.save_handoff(handoff)?;
    if let Some(fields) = data.as_object_mut() {
        fields.insert("step_before".to_owned(), before.as_str().into());
        fields.insert("step".to_owned(), handoff.step().as_str().into());
        fields.insert("failed_agent".to_owned(), handoff.failed.id.as_str().into());
        fields.insert("replacement_agent".to_owned(), handoff.replacement.id.as_str().into());
    }
    let operation = handoff.delivery().and_then(|delivery| delivery.operation_id.clone());
    let event = NewEvent::new(name, by, handoff.handoff_id.as_str()).operation(operation.as_deref());
    transaction.record(&event.data(data), now)?;
    Ok(true)
}

fn event(input: &HandoffInput) -> (&'static str, Value) {
    match input {
        HandoffInput::Copied(document) => ("handoff.copied", json!({"document": document})),
        HandoffInput::Trying(attempt) => ("handoff.trying", json!({"attempt": attempt})),
        HandoffInput::Tried { attempt, url, error } => {
            ("handoff.tried", json!({"attempt": attempt, "url": url, "error": error}))
        }
        HandoffInput::Sent { message_id, .. } => ("handoff.sent", json!({"message_id": message_id})),
        HandoffInput::Acked { ack, message_id, .. } => {
            let status = ack.status.as_ref().map(SaidStatus::as_str);
            ("handoff.answered", json!({"status": status, "message_id": message_id}))
        }
        HandoffInput::Clarified { answers, .. } => ("handoff.clarified", json!({"answers": answers})),
        HandoffInput::Corrected => ("handoff.corrected", json!({})),
        HandoffInput::Verified(it) => (
            "handoff.verified",
            json!({"valid": it.valid, "message": it.message, "accepted_partial": it.accepted_partial,
                "understanding_accepted": it.understanding_accepted,
                "expected_starting_from": it.expected_starting_from}),
        ),
        HandoffInput::Delayed { reason, .. } => {
            ("handoff.acknowledged_with_delay", json!({"reason": reason}))
        }
        HandoffInput::Escalated => ("handoff.escalated", json!({})),
        HandoffInput::Transferred(transfer) => {
            let moved: Vec<_> = transfer.moved.iter().map(|it| &it.task_uuid).collect();
            ("handoff.transferred", json!({"moved": moved, "failed": transfer.failed}))
        }
        HandoffInput::Failed(failure) => ("handoff.failed", json!({"error": failure})),
        HandoffInput::Confirmed { message_id } => ("handoff.confirmed", json!({"message_id": message_id})),
        HandoffInput::Audited => ("handoff.closed", json!({})),
        HandoffInput::Superseded { by } => ("handoff.superseded", json!({"superseded_by": by})),
    }
}

/// A message about a handoff, in its thread.
pub(crate) fn letter(handoff: &Handoff, from: &AgentId, to: &AgentId, notice: Notice) -> Draft {
    Draft {
        from: from.clone(),
        to: to.clone(),
        bead_id: None,
        thread_id: handoff.thread_id(),
        category: notice.category,
        kind: notice.kind,
        priority: notice.priority,
        subject: notice.subject,
        body: notice.body,
        content: Some(notice.content),
        requires_ack: notice.requires_ack,
        ack_due_at: None,
        reply_to: handoff.message_id().cloned(),
        broadcast_id: None,
        operation_id: None,
        key: None,
        verified: false,
    }
}
