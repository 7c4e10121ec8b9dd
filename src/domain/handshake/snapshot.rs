//! A handshake as it is stored.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{End, NotCounted, Outcome, Reply};
use crate::domain::agent::AgentId;
use crate::domain::message::{Message, MessageId, Response, words};
use crate::domain::reply::Verdict;
use crate::domain::schedule::Plan;
use crate::domain::task::TaskId;
use crate::domain::{Invalid, Rule, Timestamp};

words! {
    /// How far a recipient has come with its answer.
    Status, Rule::State, "recipient status" {
        Waiting => "waiting",
        NeedsTime => "needs-time",
        Ready => "ready",
        Queued => "queued",
        Cancelled => "cancelled",
        Refused => "refused",
        NeedsClarification => "needs-clarification",
        Gone => "gone",
        Silent => "silent",
    }
}

impl Status {
    /// Whether an answer is still awaited.
    pub const fn is_waiting(self) -> bool {
        matches!(self, Self::Waiting | Self::NeedsTime)
    }

    /// Whether the recipient acknowledged.
    pub const fn is_yes(self) -> bool {
        matches!(self, Self::Ready | Self::Queued)
    }

    /// Whether the recipient never answered.
    pub const fn is_missing(self) -> bool {
        self.is_waiting() || matches!(self, Self::Gone | Self::Silent)
    }

    /// What a verdict makes of a recipient; words that are no answer make nothing of it. A task can wait in
    /// its agent's queue, but whoever still has other work is not ready for an operation.
    pub(super) const fn after(verdict: Verdict, operation: &Operation) -> Option<Self> {
        match verdict {
            Verdict::Ready | Verdict::Accepted | Verdict::Confirmed => Some(Self::Ready),
            Verdict::Queued if operation.task_id.is_none() => None,
            Verdict::Queued => Some(Self::Queued),
            Verdict::NeedsTime => Some(Self::NeedsTime),
            Verdict::Cancel => Some(Self::Cancelled),
            Verdict::NeedsClarification => Some(Self::NeedsClarification),
            Verdict::Rejected | Verdict::EnvironmentIssue | Verdict::Error => Some(Self::Refused),
            Verdict::Other => None,
        }
    }
}

/// What the recipients are asked about.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Operation {
    /// A short name such as `skill-install`.
    pub kind: String,
    /// What will happen, to follow "I will".
    pub description: Option<String>,
    /// Added to the notice to those who stayed silent.
    pub timeout_text: Option<String>,
    pub broadcast_id: Option<String>,
    /// It is about plain mail, whose subject is the description.
    #[serde(default)]
    pub of_mail: bool,
    pub task_id: Option<TaskId>,
    /// Who gets the task, in this order, when its agent does not answer.
    #[serde(default)]
    pub reassign_to: Vec<AgentId>,
    /// What the answer calls for is done without asking the requester.
    #[serde(default)]
    pub auto: bool,
    pub handoff_id: Option<String>,
}

/// One agent that was asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recipient {
    pub agent: AgentId,
    /// The request it got.
    pub message_id: MessageId,
    pub deadline: Timestamp,
    /// It used up its extension.
    pub extended: bool,
    /// How many steps of the plan were sent or skipped.
    pub steps_done: usize,
    pub reminders_sent: usize,
    /// The numbers of the steps that were due and never sent.
    pub skipped: Vec<usize>,
    pub status: Status,
    /// The newest thing it said in time.
    pub response: Option<Response>,
    /// When it gave the answer that settled its status.
    pub responded_at: Option<Timestamp>,
    /// Its newest reply that came too late.
    pub late: Option<Response>,
    /// Replies that were already handled, counted or not.
    pub heard: Vec<MessageId>,
    /// Who has taken its place before it answered, and has its request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub succeeded_by: Option<AgentId>,
}

/// Whether a reply has any effect.
pub(super) enum Reception {
    Counts,
    Late,
    NotCounted(NotCounted),
    /// It was handled before.
    Repeated,
}

impl Recipient {
    pub(super) const fn new(agent: AgentId, message_id: MessageId, deadline: Timestamp) -> Self {
        Self {
            agent,
            message_id,
            deadline,
            extended: false,
            steps_done: 0,
            reminders_sent: 0,
            skipped: Vec::new(),
            status: Status::Waiting,
            response: None,
            responded_at: None,
            late: None,
            heard: Vec::new(),
            succeeded_by: None,
        }
    }

    /// Whoever has the request: the recipient, or its successor.
    pub fn answerer(&self) -> &AgentId {
        self.succeeded_by.as_ref().unwrap_or(&self.agent)
    }

    /// Judges a reply, given whether the handshake is over and whether it wants proof of identity.
    pub(super) fn receive(&self, reply: &Reply, ended: bool, require_verified: bool) -> Reception {
        // An agent that agreed may think better of it as long as nothing was decided.
        let withdraws = reply.verdict == Verdict::Cancel && self.status.is_yes();
        if self.has_heard(reply) {
            Reception::Repeated
        } else if require_verified && !reply.verified {
            Reception::NotCounted(NotCounted::NotVerified)
        } else if ended || self.status == Status::Silent {
            Reception::Late
        } else if self.status.is_waiting() || withdraws {
            Reception::Counts
        } else {
            Reception::NotCounted(NotCounted::AlreadySettled)
        }
    }

    fn has_heard(&self, reply: &Reply) -> bool {
        match &reply.message_id {
            Some(id) => self.heard.contains(id),
            None => [&self.response, &self.late].into_iter().flatten().any(|known| {
                known.message_id.is_none() && known.verdict == reply.verdict && known.message == reply.text
            }),
        }
    }

    /// Passes over the steps that are due at `at`.
    pub(super) fn skip_due(&mut self, plan: &Plan, started_at: Timestamp, at: Timestamp) {
        self.skip_before(steps_due(plan, started_at, at) + 1);
    }

    /// Passes over the steps before number `next`, and says which were never sent.
    pub(super) fn skip_before(&mut self, next: usize) -> Vec<usize> {
        let skipped: Vec<_> = (self.steps_done + 1..next).collect();
        self.steps_done = self.steps_done.max(next.saturating_sub(1));
        self.skipped.extend(&skipped);
        skipped
    }
}

/// How many steps of the plan are due at `at`.
pub(super) fn steps_due(plan: &Plan, started_at: Timestamp, at: Timestamp) -> usize {
    plan.steps.iter().take_while(|step| started_at + step.after <= at).count()
}

/// Everything that is known about a handshake.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    pub id: String,
    pub requester: AgentId,
    pub operation: Operation,
    pub plan: Plan,
    /// Only replies of agents that presented their token count.
    pub require_verified: bool,
    pub started_at: Timestamp,
    /// The latest time that was seen. A clock that goes back stands still here.
    pub latest_at: Timestamp,
    /// In order of name.
    pub recipients: Vec<Recipient>,
    pub end: Option<End>,
}

impl Snapshot {
    /// How it ended, or that it has not.
    pub fn outcome(&self) -> Outcome {
        self.end.as_ref().map_or(Outcome::Waiting, |end| end.outcome)
    }

    /// Whether those who had agreed by then were told that nothing comes of it.
    pub fn called_off_after(&self, agreed_at: Timestamp) -> bool {
        let goes_on = |end: &End| end.proceed || end.outcome == Outcome::NeedsClarification;
        self.end.as_ref().is_some_and(|end| !goes_on(end) && agreed_at <= end.at)
    }

    /// The recipient of this name.
    pub fn recipient(&self, agent: &AgentId) -> Option<&Recipient> {
        self.recipients.iter().find(|it| it.agent == *agent)
    }

    /// The recipient for which an agent answers: itself, or one whose place it has taken.
    pub fn answered_by(&self, agent: &AgentId) -> Option<&Recipient> {
        let successor = || self.recipients.iter().find(|it| it.answerer() == agent);
        self.recipient(agent).filter(|it| it.succeeded_by.is_none()).or_else(successor)
    }

    /// The recipient that is asked in a message: in its request, or in what was sent about it.
    pub fn asked_in(&self, message: &Message) -> Option<&Recipient> {
        let about = |it: &&Recipient| {
            it.message_id == message.message_id || message.reply_to.as_ref() == Some(&it.message_id)
        };
        let asked = self.recipients.iter().filter(|it| *it.answerer() == message.to_agent).find(about);
        asked.or_else(|| self.answered_by(&message.to_agent))
    }

    /// Everyone whose answer is expected.
    pub fn expected(&self) -> impl Iterator<Item = &AgentId> {
        self.recipients.iter().map(|it| &it.agent)
    }

    /// Those who answered, whatever they said.
    pub fn received(&self) -> impl Iterator<Item = &AgentId> {
        self.recipients.iter().filter(|it| !it.status.is_missing()).map(|it| &it.agent)
    }

    /// Those who gave no answer so far.
    pub fn missing(&self) -> impl Iterator<Item = &AgentId> {
        self.recipients.iter().filter(|it| it.status.is_missing()).map(|it| &it.agent)
    }

    /// Those who let the time pass.
    pub fn silent(&self) -> impl Iterator<Item = &Recipient> {
        self.recipients.iter().filter(|it| it.status == Status::Silent)
    }

    /// How long a recipient was or will be waited for.
    pub fn wait_for(&self, recipient: &Recipient) -> Duration {
        recipient.deadline.since(self.started_at)
    }
}
