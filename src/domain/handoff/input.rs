//! What can happen to a handoff.

use super::{Attempt, Document, HandoffAck, HandoffFailure, HandoffId, Transfer, Verification};
use crate::domain::agent::AgentId;
use crate::domain::message::MessageId;

/// Something that happened to a handoff.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HandoffInput {
    /// The document was copied to its place, for the first time or in a newer version.
    Copied(Document),
    /// Something is about to be tried on GitHub.
    Trying(Attempt),
    /// Something was tried on GitHub; without an error it succeeded.
    Tried { attempt: Attempt, url: Option<String>, error: Option<String> },
    /// The notice was sent.
    Sent { message_id: MessageId, operation_id: Option<String> },
    /// Somebody answered the notice.
    Acked { from: AgentId, ack: HandoffAck, message_id: Option<MessageId> },
    /// The orchestrator answered the questions of the newest acknowledgment, by position.
    Clarified { answers: Vec<String>, updated_handoff_url: Option<String> },
    /// The replacement was told what is wrong with its newest acknowledgment.
    Corrected,
    /// The newest acknowledgment was verified, with whatever result.
    Verified(Verification),
    /// The orchestrator goes on although no acknowledgment came in time, and says why. `in_vain` says that the
    /// newest wait was escalated, so that whatever was answered before it stands for nothing.
    Delayed { reason: String, in_vain: bool },
    /// The controller was told that the replacement does not answer.
    Escalated,
    /// The tasks were moved, all or some.
    Transferred(Transfer),
    /// There will be no replacement.
    Failed(HandoffFailure),
    /// The controller was told how it went.
    Confirmed { message_id: MessageId },
    /// The audit entry was written.
    Audited,
    /// A newer handoff has its tasks.
    Superseded { by: HandoffId },
}
