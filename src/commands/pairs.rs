//! Who waits for whom.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Serialize;

use super::Context;
use super::handshake::time_of;
use crate::domain::agent::AgentId;
use crate::domain::handshake::Status;
use crate::domain::message::MessageId;
use crate::domain::notice::whole_seconds;
use crate::failure::Failure;
use crate::store::Transaction;

/// Somebody waits for somebody.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Pair {
    pub requester: AgentId,
    pub waits_for: AgentId,
    pub status: Status,
    pub operation: String,
    pub operation_id: String,
    /// The request that was sent.
    pub message_id: MessageId,
    pub remaining_seconds: u64,
    /// How long it is waited for in all.
    pub whole_seconds: u64,
    pub reminders_sent: usize,
}

/// Everyone in an open handshake whose answer is awaited: what concerns me first, then the least time left.
pub(super) fn open(
    context: &Context,
    view: &Transaction,
    me: Option<&AgentId>,
) -> Result<Vec<Pair>, Failure> {
    let mut pairs = Vec::new();
    for stored in view.open_handshakes()? {
        let at = time_of(&stored, context.clock);
        let state = &stored.snapshot;
        let awaited = state.recipients.iter().filter(|it| it.status.is_waiting());
        pairs.extend(awaited.map(|asked| Pair {
            requester: state.requester.clone(),
            waits_for: asked.agent.clone(),
            status: asked.status,
            operation: state.operation.kind.clone(),
            operation_id: state.id.clone(),
            message_id: asked.message_id.clone(),
            remaining_seconds: whole_seconds(asked.deadline.since(at)),
            whole_seconds: whole_seconds(state.wait_for(asked)),
            reminders_sent: asked.reminders_sent,
        }));
    }
    let is_me = |agent: &AgentId| me == Some(agent);
    pairs.sort_by_key(|it| (!is_me(&it.waits_for), !is_me(&it.requester), it.remaining_seconds));
    Ok(pairs)
}

/// How many handshakes these are; several may be awaited in one.
pub(super) fn handshakes(pairs: &[Pair]) -> usize {
    pairs.iter().map(|pair| pair.operation_id.as_str()).collect::<BTreeSet<_>>().len()
}
