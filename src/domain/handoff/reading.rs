//! What follows from the record of a handoff.

use std::time::Duration;

use super::{
    Attempt, Delay, Delivery, FailureCode, Handoff, HandoffAck, HandoffFailure, HandoffStatus, Outcome,
    ReceivedAck, SaidStatus, Step, TaskRef, Transfer, progress,
};
use crate::domain::Timestamp;
use crate::domain::message::MessageId;

/// The status of a replacement that goes on without an acknowledgment in time.
pub const ACKNOWLEDGED_WITH_DELAY: &str = "acknowledged_with_delay";

/// What a replacement does next; whoever resumes it asks again after every step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Keep the document on this machine.
    Copy,
    /// Do something on GitHub.
    Github(Attempt),
    /// Send the notice, or send it again because the document changed.
    Send,
    /// Wait for the acknowledgment.
    Wait,
    /// Look at the acknowledgment.
    Verify,
    /// Move the tasks.
    Transfer,
    /// Give up: the controller has been told that nobody answers.
    Fail,
    /// Tell the controller how it went.
    Confirm,
    /// Write the audit entry.
    Audit,
    /// It is over.
    Nothing,
}

impl Handoff {
    /// The step it is at.
    pub fn step(&self) -> Step {
        self.steps.last().map_or(Step::Prepared, |taken| taken.step)
    }

    /// When a step was taken.
    pub fn taken_at(&self, step: Step) -> Option<Timestamp> {
        self.steps.iter().find(|taken| taken.step == step).map(|taken| taken.at)
    }

    /// What is to be done next.
    pub fn next(&self) -> Next {
        match self.step() {
            Step::Prepared => Next::Copy,
            Step::Copied | Step::Published => self.next_publishing().map_or(Next::Send, Next::Github),
            step if step.is_delivered() && self.is_outdated() => {
                self.next_publishing().map_or(Next::Send, Next::Github)
            }
            Step::Escalated if !self.is_answered() => Next::Fail,
            // Whether somebody still waits, or it is for the orchestrator to act, is told by the wait.
            Step::Sent | Step::Escalated => Next::Wait,
            Step::Acknowledged | Step::Verified if self.is_cleared() => Next::Transfer,
            Step::Acknowledged | Step::Verified if self.unconfirmed().is_some() => Next::Wait,
            Step::Acknowledged | Step::Verified => Next::Verify,
            Step::Transferred | Step::Partial => self.next_labelling().map_or(Next::Confirm, Next::Github),
            Step::Failed => Next::Confirm,
            Step::Confirmed => Next::Audit,
            Step::Audited | Step::Superseded => Next::Nothing,
        }
    }

    /// Whether the replacement was told of an older document than there is.
    fn is_outdated(&self) -> bool {
        self.deliveries.last().is_some_and(|delivery| delivery.revision < self.revision)
    }

    /// Whether the tasks may move: the acknowledgment is valid, or an override was documented and
    /// nothing was answered since.
    pub fn is_cleared(&self) -> bool {
        self.is_verified() || self.standing_delay().is_some()
    }

    /// The override, while nothing was answered since.
    pub fn standing_delay(&self) -> Option<&Delay> {
        let answered_since = |delay: &Delay| {
            let newest = self.newest_ack().filter(|_| self.is_answered());
            newest.is_some_and(|it| it.number > delay.after_ack)
        };
        self.delay.as_ref().filter(|delay| !answered_since(delay))
    }

    /// Whether the replacement answered this handoff in time, whatever it said.
    pub fn is_answered(&self) -> bool {
        self.newest_ack().is_some_and(|it| !self.names_another(&it.ack))
    }

    /// Whether the replacement refused this handoff, and said nothing else since.
    pub fn is_rejected(&self) -> bool {
        let said = self.newest_ack().filter(|it| !self.names_another(&it.ack));
        said.is_some_and(|it| it.ack.known_status() == Some(HandoffStatus::Rejected))
    }

    /// Whether the newest acknowledgment passed all checks.
    pub fn is_verified(&self) -> bool {
        self.verification.as_ref().is_some_and(|it| it.valid)
    }

    /// Where the document is: published, or on this machine.
    pub fn location(&self) -> Option<&str> {
        self.url.as_deref().or_else(|| self.document.as_ref().map(|document| document.path.as_str()))
    }

    /// The newest notice.
    pub fn delivery(&self) -> Option<&Delivery> {
        self.deliveries.last()
    }

    /// The message that the replacement acknowledges.
    pub fn message_id(&self) -> Option<&MessageId> {
        self.delivery().map(|delivery| &delivery.message_id)
    }

    /// When the first notice was sent.
    pub fn sent_at(&self) -> Option<Timestamp> {
        self.deliveries.first().map(|delivery| delivery.at)
    }

    /// When the newest notice is to be acknowledged, before the first reminder.
    pub fn ack_due_at(&self) -> Option<Timestamp> {
        self.delivery().map(|delivery| delivery.at + self.urgency.first_wait())
    }

    /// The override on which the replacement rests; none when an acknowledgment was verified after all.
    pub fn rests_on_delay(&self) -> Option<&Delay> {
        self.delay.as_ref().filter(|_| !self.is_verified())
    }

    /// The thread of its messages, unless they belong to a bead.
    pub fn thread_id(&self) -> String {
        format!("handoff:{}", self.handoff_id)
    }

    /// The `task_uuid`s that are handed over.
    pub fn task_uuids(&self) -> Vec<String> {
        self.tasks.iter().map(|task| task.task_uuid.clone()).collect()
    }

    /// The acknowledgment that counts: the newest that is not late, if possible one that does not
    /// name another handoff.
    pub fn newest_ack(&self) -> Option<&ReceivedAck> {
        let in_time = || self.acks.iter().rev().filter(|it| !it.late);
        in_time().find(|it| !self.names_another(&it.ack)).or_else(|| in_time().next())
    }

    /// Why an acknowledgment that comes now counts for nothing; none while one does.
    pub fn lateness(&self) -> Option<String> {
        let why = match (&self.superseded_by, &self.transfer) {
            _ if self.step().is_open() => return None,
            (Some(newer), _) => format!("the tasks went into handoff {newer}"),
            (None, Some(transfer)) => return Some(self.answering_for(transfer)),
            (None, None) => "the replacement is over (failed)".to_owned(),
        };
        Some(format!("it came too late and counts for nothing: {why}"))
    }

    /// Whoever acknowledges the handoff when the tasks have moved answers for the tasks themselves.
    fn answering_for(&self, transfer: &Transfer) -> String {
        let has_moved = |task: &&TaskRef| transfer.moved.iter().any(|it| it.task_uuid == task.task_uuid);
        let line = |task: &TaskRef| {
            format!("bb agent ack --agent {} --task {}", self.replacement.id, task.task_id.in_shell())
        };
        let lines: Vec<_> = self.tasks.iter().filter(has_moved).map(line).collect();
        format!("the handoff is over, and the tasks are with you already: {}", lines.join("; "))
    }

    /// Whether an acknowledgment is by its own words about another handoff.
    pub fn names_another(&self, ack: &HandoffAck) -> bool {
        ack.handoff_id.as_deref().is_some_and(|named| named != self.handoff_id.as_str())
    }

    /// The questions of an acknowledgment that were not answered.
    pub fn open_questions<'a>(&'a self, received: &'a ReceivedAck) -> Vec<&'a str> {
        let answered = |question: &str| {
            let answers = self.clarifications.iter().filter(|it| it.to_ack == received.number);
            answers.flat_map(|it| &it.answers).any(|answer| answer.question == question)
        };
        received.ack.questions().iter().map(String::as_str).filter(|it| !answered(it)).collect()
    }

    /// How it went, once that is decided.
    pub fn outcome(&self) -> Option<Outcome> {
        match (&self.failure, &self.transfer) {
            (Some(_), _) => Some(Outcome::Failed),
            (None, Some(transfer)) if transfer.failed.is_empty() => Some(Outcome::Success),
            (None, Some(_)) => Some(Outcome::Partial),
            (None, None) => None,
        }
    }

    /// How the replacement stands, in one word.
    pub fn replacement_status(&self) -> &'static str {
        let said = self.newest_ack().filter(|it| !self.names_another(&it.ack));
        match self.step() {
            step if step.is_delivered() && self.standing_delay().is_some() => ACKNOWLEDGED_WITH_DELAY,
            // What the replacement said does not stand any more.
            step if step.is_delivered() && self.unconfirmed().is_some() => "awaiting_confirmation",
            // A replacement that asks or refuses has answered, and yet not taken the tasks.
            Step::Sent | Step::Escalated if said.is_some() => {
                said.and_then(|it| it.ack.known_status()).map_or("answered", HandoffStatus::as_str)
            }
            Step::Acknowledged if self.delay.is_some() => ACKNOWLEDGED_WITH_DELAY,
            step => step.as_str(),
        }
    }

    /// The same, when it is known whether the newest wait for its answer was in vain.
    pub fn status_after_wait(&self, in_vain: bool) -> &'static str {
        if in_vain { Step::Escalated.as_str() } else { self.replacement_status() }
    }

    /// When the acknowledgment came on which the replacement rests.
    pub fn ack_received_at(&self) -> Option<Timestamp> {
        self.newest_ack().map(|received| received.at)
    }

    /// From the first notice to the replacement until its acknowledgment.
    pub fn total_time(&self) -> Option<Duration> {
        Some(self.ack_received_at()?.since(self.sent_at()?))
    }

    /// Why there is no replacement when all the time has passed: nobody answered, or what was answered does
    /// not do.
    pub fn silence(&self, reminders_sent: u64, last_attempt: Timestamp) -> HandoffFailure {
        let failure = HandoffFailure::no_ack(reminders_sent, last_attempt);
        let Some(ack) = self.newest_ack().filter(|_| self.is_answered()).map(|it| &it.ack) else {
            return failure;
        };
        let said = ack.status.as_ref().map_or("no status", SaidStatus::as_str);
        let why = ack.reason.as_deref().map_or_else(String::new, |why| format!(" ({why})"));
        let code = match ack.known_status() {
            Some(HandoffStatus::EnvironmentIssue) => FailureCode::EnvironmentIssue,
            _ => FailureCode::NotVerified,
        };
        let message =
            format!("Replacement agent answered {said}{why} and gave no valid acknowledgment since");
        HandoffFailure { code, message, ..failure }
    }

    /// Whether it failed because none of its tasks was left to move, so that another agent would not help.
    pub fn has_nothing_to_move(&self) -> bool {
        self.failure.as_ref().is_some_and(|it| it.code == FailureCode::TransferFailed)
    }

    /// When the replacement was first asked for.
    pub fn first_notice_at(&self) -> Timestamp {
        let prepared = || self.taken_at(Step::Prepared).unwrap_or_default();
        self.requested.as_ref().map_or_else(prepared, |requested| requested.received_at)
    }

    /// From the first notice of the need until the confirmation.
    pub fn total_duration(&self) -> Option<Duration> {
        Some(self.confirmation.as_ref()?.at.since(self.first_notice_at()))
    }

    /// How much of the tasks was done when they changed hands, or else when the handoff was prepared.
    pub fn last_known_progress(&self) -> Option<u8> {
        match &self.transfer {
            Some(transfer) => progress::mean(transfer.moved.iter().map(|it| it.progress.percentage)),
            None => progress::mean(self.tasks.iter().map(|task| task.last_known_progress)),
        }
    }
}
