//! What the replacement was told since it last acknowledged: it has to confirm that.

use std::fmt;

use super::{Handoff, HandoffStatus, ReceivedAck};
use crate::domain::Timestamp;

/// Something that was said after the newest acknowledgment, and that a newer one has to confirm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unconfirmed {
    what: &'static str,
    pub at: Timestamp,
}

impl fmt::Display for Unconfirmed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.what, self.at)
    }
}

impl Handoff {
    /// The newest of what the replacement has not confirmed; none when its newest acknowledgment stands,
    /// and when there is none.
    pub fn unconfirmed(&self) -> Option<Unconfirmed> {
        self.unconfirmed_by(self.newest_ack()?)
    }

    /// The newest of what was said after this acknowledgment.
    ///
    /// What came first is told by the numbers, because a clock may stand still or go back.
    pub(super) fn unconfirmed_by(&self, received: &ReceivedAck) -> Option<Unconfirmed> {
        let since = |to_ack: u32| to_ack >= received.number;
        let documents =
            self.deliveries.iter().filter(|it| since(it.after_ack)).map(|it| ("changed document", it.at));
        let corrections =
            self.corrections.iter().filter(|it| since(it.to_ack)).map(|it| ("correction", it.at));
        let answers =
            self.clarifications.iter().filter(|it| since(it.to_ack)).map(|it| ("clarification", it.at));
        let all = documents.chain(corrections).chain(answers);
        all.max_by_key(|(_, at)| *at).map(|(what, at)| Unconfirmed { what, at })
    }

    /// Whether the replacement still owes an acknowledgment: its newest one, if there is any, says neither
    /// that it goes on nor that it will not, or does not stand any more.
    pub fn owes_ack(&self) -> bool {
        let decides = |it: &ReceivedAck| {
            let status = it.ack.known_status();
            !self.names_another(&it.ack)
                && matches!(status, Some(HandoffStatus::ReadyToProceed | HandoffStatus::Rejected))
        };
        let decided = self.newest_ack().is_some_and(decides) && self.unconfirmed().is_none();
        self.step().is_open() && !decided
    }

    /// Whether another acknowledgment can be waited for although the newest one ended the wait: the
    /// orchestrator has looked at it, and the replacement is not ready yet.
    pub fn can_be_awaited_anew(&self) -> bool {
        let looked_at = self.verification.as_ref().is_some_and(|it| !it.valid);
        let hindered = self.newest_ack().is_some_and(|it| it.ack.is_hindered());
        self.step().is_delivered() && looked_at && hindered && self.unconfirmed().is_none()
    }
}
