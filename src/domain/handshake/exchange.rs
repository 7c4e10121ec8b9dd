//! What goes into a handshake and what comes out of it.

use std::time::Duration;

use serde::Serialize;

use super::{End, Outcome};
use crate::domain::Timestamp;
use crate::domain::agent::{AgentId, AgentState};
use crate::domain::message::MessageId;
use crate::domain::reply::Verdict;
use crate::domain::schedule::{StepKind, millis};

/// Something that happened to a recipient.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    Reply(Reply),
    /// The requester does not want an answer any more.
    Withdrawn,
    /// Another agent has taken its place, and has its mail.
    Succeeded {
        agent: AgentId,
        by: AgentId,
    },
    /// Another agent has taken its place, and is asked in a message of its own.
    HandedOn {
        agent: AgentId,
        by: AgentId,
        message_id: MessageId,
    },
    /// It will never read its mail.
    Gone {
        agent: AgentId,
        state: AgentState,
    },
}

/// An answer, already bound to the request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    pub from: AgentId,
    /// The recipient whose place the sender has taken.
    pub on_behalf_of: Option<AgentId>,
    /// An "ok" with `ready: false` is [`Verdict::NeedsTime`] by now.
    pub verdict: Verdict,
    pub text: String,
    pub notes: Option<String>,
    /// The message that carried it; none for a bare ack. One message counts once, and so does an
    /// ack that repeats what is recorded.
    pub message_id: Option<MessageId>,
    /// The sender presented its token.
    pub verified: bool,
}

impl Reply {
    /// The recipient whose answer this is.
    pub fn recipient(&self) -> &AgentId {
        self.on_behalf_of.as_ref().unwrap_or(&self.from)
    }
}

/// A reminder or an explicit request for an ack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reminder {
    pub to: AgentId,
    /// Its place among the steps of the plan, from 1.
    pub number: usize,
    pub total: usize,
    /// Until the recipient's deadline, extension included.
    #[serde(rename = "remaining_ms", with = "millis")]
    pub remaining: Duration,
    pub step: StepKind,
    /// Earlier ones that were due and are never sent.
    pub skipped: Vec<usize>,
}

/// Something to send or to record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "output", rename_all = "kebab-case")]
pub enum Output {
    Remind(Reminder),
    /// The request itself goes out once more.
    Resend {
        to: AgentId,
        attempt: usize,
        of: usize,
        #[serde(rename = "remaining_ms", with = "millis")]
        remaining: Duration,
        skipped: Vec<usize>,
    },
    ExtensionGranted {
        to: AgentId,
        #[serde(rename = "remaining_ms", with = "millis")]
        remaining: Duration,
        deadline: Timestamp,
    },
    ExtensionRefused {
        to: AgentId,
        #[serde(rename = "remaining_ms", with = "millis")]
        remaining: Duration,
        deadline: Timestamp,
    },
    Answered {
        agent: AgentId,
        verdict: Verdict,
        after_reminders: usize,
    },
    /// Words that are no answer.
    Said {
        agent: AgentId,
        text: String,
    },
    Gone {
        agent: AgentId,
        state: AgentState,
    },
    /// From now on another agent answers for it.
    Succeeded {
        agent: AgentId,
        by: AgentId,
    },
    TimedOut {
        agent: AgentId,
        #[serde(rename = "waited_ms", with = "millis")]
        waited: Duration,
    },
    /// An answer after the recipient's time or after the end.
    Late {
        agent: AgentId,
        verdict: Verdict,
    },
    NotCounted {
        agent: AgentId,
        verdict: Verdict,
        why: NotCounted,
    },
    Cancelled {
        by: AgentId,
        told: Vec<AgentId>,
    },
    /// It does not take place, for another reason than a cancel: those who agreed or are still asked are told.
    CalledOff {
        outcome: Outcome,
        told: Vec<AgentId>,
    },
    MarkUnresponsive {
        agent: AgentId,
    },
    Escalate {
        agents: Vec<AgentId>,
    },
    /// Always the last one but for [`Output::Late`] and [`Output::NotCounted`].
    Ended(End),
}

/// Why a reply changed nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum NotCounted {
    NotAsked,
    NotVerified,
    /// The recipient gave its answer, or is gone.
    AlreadySettled,
}

/// What a handshake waits for next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    Step { agent: AgentId, number: usize },
    Deadline { agent: AgentId },
}
