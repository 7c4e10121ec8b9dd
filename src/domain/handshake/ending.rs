//! How a handshake ends.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Snapshot, Status};
use crate::domain::agent::AgentId;
use crate::domain::message::words;
use crate::domain::schedule::Policy;
use crate::domain::{Invalid, Rule, Timestamp};

words! {
    /// What came of a handshake.
    Outcome, Rule::Message, "outcome" {
        Acknowledged => "acknowledged",
        Quorum => "quorum",
        Cancelled => "cancelled",
        TimedOut => "timed_out",
        Unresponsive => "unresponsive",
        Escalated => "escalated",
        Gone => "gone",
        Refused => "refused",
        NeedsClarification => "needs_clarification",
        Waiting => "waiting",
    }
}

impl Outcome {
    /// The exit code of whoever waited for it.
    pub const fn exit_code(self, proceed: bool) -> u8 {
        match self {
            Self::Acknowledged | Self::Quorum => 0,
            Self::Cancelled => 2,
            Self::TimedOut if proceed => 3,
            Self::TimedOut | Self::Unresponsive | Self::Escalated => 4,
            Self::Gone => 5,
            Self::Refused => 6,
            Self::NeedsClarification => 7,
            Self::Waiting => 75,
        }
    }
}

/// The end of a handshake, decided once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct End {
    pub outcome: Outcome,
    /// Whether what was asked about may go ahead.
    pub proceed: bool,
    /// When it was decided.
    #[schemars(with = "String")]
    pub at: Timestamp,
    /// Everyone who was needed agreed.
    pub acknowledgment_received: bool,
    /// Somebody let the time pass.
    pub timeout_occurred: bool,
    /// It goes ahead although somebody let the time pass.
    pub proceeded_anyway: bool,
    /// Those who gave no answer.
    pub missing: Vec<AgentId>,
}

impl End {
    /// Describes an end that was just decided.
    pub(super) fn new(state: &Snapshot, outcome: Outcome, proceed: bool, at: Timestamp) -> Self {
        let timeout_occurred = state.recipients.iter().any(|it| it.status == Status::Silent);
        Self {
            outcome,
            proceed,
            at,
            acknowledgment_received: matches!(outcome, Outcome::Acknowledged | Outcome::Quorum),
            timeout_occurred,
            proceeded_anyway: timeout_occurred && proceed,
            missing: state.missing().cloned().collect(),
        }
    }

    /// The exit code of whoever waited.
    pub const fn exit_code(&self) -> u8 {
        self.outcome.exit_code(self.proceed)
    }
}

/// Decides whether a handshake is over, and with which outcome; the flag says whether to proceed.
pub(super) fn decide(state: &Snapshot) -> Option<(Outcome, bool)> {
    match state.plan.quorum {
        Some(quorum) => by_quorum(state, quorum.needed(state.recipients.len())),
        None => by_each(state),
    }
}

/// Everyone is waited for, unless the quorum is out of reach. Whatever is not a yes is a no.
fn by_quorum(state: &Snapshot, needed: usize) -> Option<(Outcome, bool)> {
    let count = |fits: fn(Status) -> bool| state.recipients.iter().filter(|it| fits(it.status)).count();
    let agreed = count(Status::is_yes);
    let waiting = count(Status::is_waiting);
    if agreed + waiting < needed {
        Some((Outcome::TimedOut, false))
    } else if waiting > 0 {
        None
    } else if agreed == state.recipients.len() {
        Some((Outcome::Acknowledged, true))
    } else {
        Some((Outcome::Quorum, true))
    }
}

/// One no ends it at once; otherwise everyone has to answer or fall silent.
fn by_each(state: &Snapshot) -> Option<(Outcome, bool)> {
    let any = |status| state.recipients.iter().any(|it| it.status == status);
    for (status, outcome) in [
        (Status::Cancelled, Outcome::Cancelled),
        (Status::Refused, Outcome::Refused),
        (Status::NeedsClarification, Outcome::NeedsClarification),
        (Status::Gone, Outcome::Gone),
    ] {
        if any(status) {
            return Some((outcome, false));
        }
    }
    if state.recipients.iter().any(|it| it.status.is_waiting()) {
        return None;
    }
    if !any(Status::Silent) {
        return Some((Outcome::Acknowledged, true));
    }
    Some(match state.plan.on_silence {
        Policy::Proceed => (Outcome::TimedOut, true),
        Policy::Abort => (Outcome::TimedOut, false),
        Policy::Unresponsive => (Outcome::Unresponsive, false),
        Policy::Escalate => (Outcome::Escalated, false),
    })
}
