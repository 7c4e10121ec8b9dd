//! The closed vocabularies of delegated tasks.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::domain::message::words;
use crate::domain::reply::{self, Verdict};
use crate::domain::{Invalid, Rule};

words! {
    /// How far a delegated task has come.
    TaskStatus, Rule::Task, "task status" {
        Assigned => "assigned",
        Received => "received",
        Queued => "queued",
        NeedsClarification => "needs-clarification",
        Confirmed => "confirmed",
        Working => "working",
        Complete => "complete",
        Rejected => "rejected",
        Error => "error",
        Unresponsive => "unresponsive",
        Reassigned => "reassigned",
        Cancelled => "cancelled",
    }
}

impl TaskStatus {
    /// Whether nothing more can happen to such a task.
    pub const fn is_closed(self) -> bool {
        matches!(self, Self::Complete | Self::Cancelled)
    }

    /// Whether such a task was given to an agent that has not answered yet.
    pub const fn awaits_first_ack(self) -> bool {
        matches!(self, Self::Assigned | Self::Reassigned)
    }

    /// Whether the agent did not take the task, so that the delegator has to act.
    pub const fn is_failed(self) -> bool {
        matches!(self, Self::Rejected | Self::Error | Self::Unresponsive)
    }
}

/// What an agent says about a task it was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AckStatus {
    Received,
    Confirmed,
    Queued,
    NeedsClarification,
    Rejected,
}

impl AckStatus {
    pub const ALL: [Self; 5] =
        [Self::Received, Self::Confirmed, Self::Queued, Self::NeedsClarification, Self::Rejected];

    /// The word used in flags, JSON, tables and the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Received => "received",
            Self::Confirmed => "confirmed",
            Self::Queued => "queued",
            Self::NeedsClarification => "needs-clarification",
            Self::Rejected => "rejected",
        }
    }

    /// The word used in the text form.
    pub const fn in_text(self) -> &'static str {
        match self {
            Self::Received => "RECEIVED",
            Self::Confirmed => "CONFIRMED",
            Self::Queued => "QUEUED",
            Self::NeedsClarification => "CLARIFICATION_NEEDED",
            Self::Rejected => "REJECTED",
        }
    }

    /// What a waiting delegator learns from it.
    pub const fn verdict(self) -> Verdict {
        match self {
            Self::Received => Verdict::Accepted,
            Self::Confirmed => Verdict::Confirmed,
            Self::Queued => Verdict::Queued,
            Self::NeedsClarification => Verdict::NeedsClarification,
            Self::Rejected => Verdict::Rejected,
        }
    }

    /// Recognises every spelling of a status: any case, `-` as `_`, and the words of the other protocols.
    pub fn recognise(text: &str) -> Option<Self> {
        Self::of_verdict(reply::classify(text))
    }

    /// The status that says what a verdict says.
    pub(super) const fn of_verdict(verdict: Verdict) -> Option<Self> {
        match verdict {
            Verdict::Ready | Verdict::Accepted => Some(Self::Received),
            Verdict::Confirmed => Some(Self::Confirmed),
            Verdict::Queued => Some(Self::Queued),
            Verdict::NeedsClarification => Some(Self::NeedsClarification),
            Verdict::Rejected => Some(Self::Rejected),
            Verdict::NeedsTime
            | Verdict::Cancel
            | Verdict::EnvironmentIssue
            | Verdict::Error
            | Verdict::Other => None,
        }
    }
}

impl FromStr for AckStatus {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        Self::recognise(text).ok_or_else(|| {
            let words = Self::ALL.map(Self::as_str);
            Invalid::new(Rule::Task, format!("`{text}` is not an acknowledgment status"))
                .hint(format!("use one of {}; for an error use --error CODE", words.join(", ")))
        })
    }
}

impl fmt::Display for AckStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

words! {
    /// Why an agent cannot take a task.
    TaskErrorCode, Rule::Task, "task error code" {
        ResourceUnavailable => "RESOURCE_UNAVAILABLE",
        CapabilityMismatch => "CAPABILITY_MISMATCH",
        NetworkError => "NETWORK_ERROR",
        InvalidTaskFormat => "INVALID_TASK_FORMAT",
        AgentShuttingDown => "AGENT_SHUTTING_DOWN",
    }
}

impl TaskErrorCode {
    /// What the code says about the agent.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::ResourceUnavailable => "the agent has no capacity left",
            Self::CapabilityMismatch => "the agent lacks a skill the task needs",
            Self::NetworkError => "the agent could not communicate",
            Self::InvalidTaskFormat => "the agent could not make sense of the assignment",
            Self::AgentShuttingDown => "the agent is going offline",
        }
    }

    /// What the delegator should do about it.
    pub const fn next_action(self) -> NextAction {
        match self {
            Self::ResourceUnavailable => NextAction::WaitOrReassign,
            Self::CapabilityMismatch | Self::AgentShuttingDown => NextAction::ReassignNow,
            Self::NetworkError => NextAction::RetryWithBackoff,
            Self::InvalidTaskFormat => NextAction::FixAndResend,
        }
    }
}

words! {
    /// What a delegator should do after an error.
    NextAction, Rule::Task, "next action" {
        WaitOrReassign => "wait-or-reassign",
        ReassignNow => "reassign-now",
        RetryWithBackoff => "retry-with-backoff",
        FixAndResend => "fix-and-resend",
    }
}

impl NextAction {
    /// The action in a sentence.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::WaitOrReassign => "wait until the agent has capacity, or assign the task to another agent",
            Self::ReassignNow => "assign the task to another agent now",
            Self::RetryWithBackoff => "send the assignment again, waiting longer before each attempt",
            Self::FixAndResend => "correct the assignment and send it again",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// E31, E32, E33, E34
    #[test]
    fn every_spelling_of_a_status_is_understood() {
        for (status, spellings) in [
            (
                AckStatus::Received,
                &["RECEIVED", "received", "Accepted", "ready", "READY_TO_PROCEED", "ok"][..],
            ),
            (AckStatus::Confirmed, &["CONFIRMED", "Confirmed."]),
            (AckStatus::Queued, &["QUEUED", "queued"]),
            (
                AckStatus::NeedsClarification,
                &[
                    "CLARIFICATION_NEEDED",
                    "clarification-needed",
                    "needs-clarification",
                    "NEEDS_CLARIFICATION",
                    "Needs clarification",
                ],
            ),
            (AckStatus::Rejected, &["REJECTED", "rejected"]),
        ] {
            for spelling in spellings {
                assert_eq!(spelling.parse::<AckStatus>().unwrap(), status, "{spelling}");
            }
            assert_eq!(status.as_str().parse::<AckStatus>().unwrap(), status);
            assert_eq!(status.in_text().parse::<AckStatus>().unwrap(), status);
        }
    }

    #[test]
    fn what_is_no_status_is_refused_with_the_words_that_are() {
        for text in
            ["not received", "received?", "wait", "error", "environment_issue", "", "received rejected"]
        {
            let refused = text.parse::<AckStatus>().unwrap_err();
            assert_eq!(refused.rule, Rule::Task, "{text}");
            assert!(refused.hint.unwrap().contains("needs-clarification"));
        }
    }

    #[test]
    fn json_uses_the_words_of_the_flags() {
        for status in AckStatus::ALL {
            assert_eq!(serde_json::to_value(status).unwrap(), status.as_str());
        }
    }

    /// E20, E21, E22, E23, E24
    #[test]
    fn every_error_code_leads_to_its_action() {
        let actions: Vec<_> =
            TaskErrorCode::ALL.iter().map(|code| (code.as_str(), code.next_action().as_str())).collect();
        assert_eq!(
            actions,
            [
                ("RESOURCE_UNAVAILABLE", "wait-or-reassign"),
                ("CAPABILITY_MISMATCH", "reassign-now"),
                ("NETWORK_ERROR", "retry-with-backoff"),
                ("INVALID_TASK_FORMAT", "fix-and-resend"),
                ("AGENT_SHUTTING_DOWN", "reassign-now"),
            ]
        );
        assert!(NextAction::ALL.iter().all(|action| !action.sentence().is_empty()));
    }
}
