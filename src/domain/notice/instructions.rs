//! How a recipient answers: the words, and the exact lines to run.

use serde_json::{Value, json};

use super::wording::additional;
use crate::domain::handshake::{Recipient, Snapshot};

/// How to answer a request for an acknowledgment.
pub(super) fn for_operation(state: &Snapshot, recipient: &Recipient) -> Value {
    let reply = format!("bb agent reply --agent {} --message {}", recipient.agent, recipient.message_id);
    let cancel = match state.plan.quorum {
        None => "Reply with 'cancel' to abort the operation",
        Some(_) => "Reply with 'cancel' to vote against the operation",
    };
    match state.plan.extension.filter(|_| !recipient.extended) {
        Some(extension) => json!({
            "ready": "Reply with 'ok' to proceed",
            "need_time": format!("Reply with 'wait' for more time (up to {})", additional(extension)),
            "cancel": cancel,
            "commands": {
                "ready": format!("{reply} --ok"),
                "need_time": format!("{reply} --wait"),
                "cancel": format!("{reply} --cancel"),
            },
        }),
        None => json!({
            "ready": "Reply with 'ok' to proceed",
            "need_time": "No more time can be granted",
            "cancel": cancel,
            "commands": {
                "ready": format!("{reply} --ok"),
                "cancel": format!("{reply} --cancel"),
            },
        }),
    }
}

/// Where it says how to acknowledge a handoff.
pub(super) fn for_handoff(recipient: &Recipient) -> Value {
    json!({
        "commands": {
            "show": format!("bb agent read --agent {} --message {}", recipient.agent, recipient.message_id),
        },
    })
}
