//! Whether work may begin, and what is still missing.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;

use super::{AckStatus, MAX_CORRECTIONS, Revision, Task, TaskStatus};
use crate::domain::{Timestamp, age};

/// How long an assignment waits for its acknowledgment, unless told otherwise.
pub const ACK_TIMEOUT: Duration = Duration::from_secs(5 * 60);

/// After how long a queued task is checked, and checked again.
pub const QUEUE_CHECK_AFTER: Duration = Duration::from_secs(15 * 60);

/// How often a queued task is looked at: the second time it is escalated.
const MAX_QUEUE_CHECKS: u32 = 2;

/// One of the things a delegator makes sure of after delegating.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ChecklistItem {
    pub item: String,
    pub done: bool,
}

impl Task {
    /// Whether the agent may begin, or go on, working; and why, or why not.
    pub fn may_begin(&self) -> (bool, String) {
        let agent = &self.agent;
        match self.status {
            TaskStatus::Received => (true, format!("`{agent}` received it and has no questions")),
            TaskStatus::Confirmed => (true, format!("`{agent}` confirmed how it is understood")),
            TaskStatus::Working => (true, format!("`{agent}` is working on it")),
            TaskStatus::Assigned | TaskStatus::Reassigned => {
                (false, format!("`{agent}` has not acknowledged it"))
            }
            TaskStatus::Queued => (false, format!("`{agent}` has earlier work to finish")),
            TaskStatus::NeedsClarification => (false, self.what_is_unclear()),
            TaskStatus::Rejected => {
                let why = self.rejection.as_deref().unwrap_or("no reason given");
                (false, format!("`{agent}` rejected it: {why}"))
            }
            TaskStatus::Error => {
                let code = self.error.as_ref().map_or("an error", |error| error.code.as_str());
                (false, format!("`{agent}` could not take it: {code}"))
            }
            TaskStatus::Unresponsive => (false, format!("`{agent}` did not answer in time")),
            TaskStatus::Complete => (false, "it is complete".to_owned()),
            TaskStatus::Cancelled => (false, "it was cancelled".to_owned()),
        }
    }

    fn what_is_unclear(&self) -> String {
        let agent = &self.agent;
        if self.escalated {
            return format!("still misunderstood after {MAX_CORRECTIONS} corrections, and escalated");
        }
        let open = self.questions.len();
        match &self.revision {
            _ if self.vague => format!("`{agent}` was asked which part its questions are about"),
            _ if open > 0 && self.answers.is_empty() => {
                let questions =
                    if open == 1 { "1 question waits" } else { &format!("{open} questions wait") };
                format!("{questions} for an answer from `{}`", self.delegated_by)
            }
            Some(Revision::Correction { .. }) => format!(
                "correction {} of {MAX_CORRECTIONS} waits for a new acknowledgment from `{agent}`",
                self.corrections
            ),
            Some(Revision::Supplement { .. }) => {
                format!("added items wait for an updated acknowledgment from `{agent}`")
            }
            None if !self.answers.is_empty() => format!("the answers wait to be confirmed by `{agent}`"),
            None => format!("`{agent}` needs clarification but asked no question"),
        }
    }

    /// What has to happen before work may begin, as a hint.
    pub(super) fn way_to_begin(&self) -> String {
        let acknowledge = |status: &str| {
            format!(
                "first: bb agent ack --task {} --status {status} --understanding TEXT",
                self.task_id.in_shell()
            )
        };
        match self.status {
            TaskStatus::Assigned
            | TaskStatus::Reassigned
            | TaskStatus::Queued
            | TaskStatus::Error
            | TaskStatus::Unresponsive => acknowledge("received"),
            TaskStatus::NeedsClarification if self.owes_an_answer() => acknowledge("confirmed"),
            _ => format!("wait for `{}` to decide", self.delegated_by),
        }
    }

    /// Whether the next word is the agent's: an acknowledgment, a first or a new one.
    pub fn owes_an_answer(&self) -> bool {
        let answered = self.questions.is_empty() || !self.answers.is_empty();
        let asked_anew = self.revision.is_some() || !self.answers.is_empty();
        let unclear = self.status == TaskStatus::NeedsClarification && !self.escalated;
        self.status.awaits_first_ack() || (unclear && (self.vague || (answered && asked_anew)))
    }

    /// Whether an acknowledgment is still welcome: it is owed, or was given up on.
    pub fn awaits_ack(&self) -> bool {
        self.owes_an_answer() || self.status == TaskStatus::Unresponsive
    }

    /// The status of an acknowledgment that says nothing else: a first one, or a new one after a change.
    pub fn next_ack_status(&self) -> AckStatus {
        match self.status {
            TaskStatus::NeedsClarification => AckStatus::Confirmed,
            _ => AckStatus::Received,
        }
    }

    /// Whether the task counts as assigned: only once its acknowledgment stands.
    pub fn is_officially_assigned(&self) -> bool {
        let taken = matches!(self.status, TaskStatus::Queued | TaskStatus::Complete);
        self.acknowledged_at.is_some() && (taken || self.may_begin().0)
    }

    /// How long a queued task has not begun, once it had time to.
    pub fn queued_too_long(&self, now: Timestamp) -> Option<Duration> {
        self.queued_since.map(|since| now.since(since)).filter(|queued| *queued >= QUEUE_CHECK_AFTER)
    }

    /// Why work may not begin, as of `now`; none when it may.
    pub fn obstacle(&self, now: Timestamp) -> Option<String> {
        match (self.may_begin(), self.queued_too_long(now)) {
            ((true, _), _) => None,
            ((false, _), Some(queued)) => {
                Some(format!("`{}` queued it {} ago and has not begun", self.agent, age::short(queued)))
            }
            ((false, reason), None) => Some(reason),
        }
    }

    /// When something is to be done about the task although nobody says anything.
    pub fn due_at(&self) -> Option<Timestamp> {
        [self.queue_check_due_at(), self.retry_at].into_iter().flatten().min()
    }

    /// When a queued task is to be looked at next: once to ask its agent, once more to escalate it.
    pub fn queue_check_due_at(&self) -> Option<Timestamp> {
        let since = self.queue_checked_at.or(self.queued_since)?;
        (self.queue_checks < MAX_QUEUE_CHECKS).then(|| since + QUEUE_CHECK_AFTER)
    }

    /// The five things a delegator makes sure of after delegating.
    pub fn checklist(&self) -> Vec<ChecklistItem> {
        let in_time = self.acknowledged_at.is_some_and(|at| at.since(self.assigned_at) <= ACK_TIMEOUT);
        let understood = self.understanding.is_some() && self.revision.is_none() && !self.escalated;
        let clear = self.acknowledged_at.is_some() && self.status != TaskStatus::NeedsClarification;
        [
            (format!("delegation sent to {}", self.agent), self.message_id.is_some()),
            (format!("acknowledged within {} minutes", ACK_TIMEOUT.as_secs() / 60), in_time),
            ("understanding covers the task".to_owned(), understood),
            ("questions answered, then received or confirmed".to_owned(), clear),
            ("counts as assigned only after the acknowledgment".to_owned(), self.is_officially_assigned()),
        ]
        .into_iter()
        .map(|(item, done)| ChecklistItem { item, done })
        .collect()
    }
}

/// Whether two texts say the same, whatever their case and white space.
pub(super) fn same_words(a: &str, b: &str) -> bool {
    a.split_whitespace().map(str::to_lowercase).eq(b.split_whitespace().map(str::to_lowercase))
}
