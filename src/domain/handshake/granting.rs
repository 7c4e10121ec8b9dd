//! What a reply leaves with its recipient.

use super::{Output, Recipient, Reply, Status};
use crate::domain::Timestamp;
use crate::domain::message::Response;
use crate::domain::schedule::Plan;

/// The reply as it is kept.
pub(super) fn response(reply: Reply, at: Timestamp) -> Response {
    Response {
        verdict: reply.verdict,
        message: reply.text,
        notes: reply.notes,
        message_id: reply.message_id,
        at,
    }
}

/// Grants more time the first time it is asked for, if the plan has any.
pub(super) fn extend(recipient: &mut Recipient, plan: &Plan, at: Timestamp) -> Output {
    recipient.status = Status::NeedsTime;
    let to = recipient.agent.clone();
    match plan.extension.filter(|_| !recipient.extended) {
        Some(extension) => {
            recipient.extended = true;
            recipient.deadline = recipient.deadline + extension;
            let deadline = recipient.deadline;
            Output::ExtensionGranted { to, remaining: deadline.since(at), deadline }
        }
        None => {
            let deadline = recipient.deadline;
            Output::ExtensionRefused { to, remaining: deadline.since(at), deadline }
        }
    }
}
