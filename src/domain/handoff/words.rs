//! The closed vocabularies of handoffs.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::domain::message::{Priority, words};
use crate::domain::notice::duration_in_words;
use crate::domain::reply::{self, Verdict};
use crate::domain::{Invalid, Rule};

/// How soon a replacement is needed; it gives the notice its priority and its time.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Urgency {
    #[default]
    Immediate,
    Prepare,
    WhenAvailable,
}

impl Urgency {
    pub const ALL: [Self; 3] = [Self::Immediate, Self::Prepare, Self::WhenAvailable];

    /// The word used in flags, JSON, tables and the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Immediate => "immediate",
            Self::Prepare => "prepare",
            Self::WhenAvailable => "when_available",
        }
    }

    /// The priority of the first notice; reminders are urgent whatever it was.
    pub const fn priority(self) -> Priority {
        match self {
            Self::Immediate => Priority::Urgent,
            Self::Prepare => Priority::High,
            Self::WhenAvailable => Priority::Normal,
        }
    }

    /// How long the notice waits for its acknowledgment before the first reminder.
    pub const fn first_wait(self) -> Duration {
        Duration::from_secs(match self {
            Self::Immediate => 5 * 60,
            Self::Prepare => 15 * 60,
            Self::WhenAvailable => 30 * 60,
        })
    }

    /// The same in words: `5 minutes`.
    pub fn ack_required_within(self) -> String {
        duration_in_words(self.first_wait())
    }
}

impl FromStr for Urgency {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        let wanted = text.trim().to_ascii_lowercase().replace('-', "_");
        Self::ALL.into_iter().find(|urgency| urgency.as_str() == wanted).ok_or_else(|| {
            Invalid::new(Rule::Handoff, format!("`{text}` is not an urgency"))
                .hint(format!("use one of {}", Self::ALL.map(Self::as_str).join(", ")))
        })
    }
}

impl fmt::Display for Urgency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// What a replacement says about the handoff it was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum HandoffStatus {
    ReadyToProceed,
    NeedsClarification,
    EnvironmentIssue,
    Rejected,
}

impl HandoffStatus {
    pub const ALL: [Self; 4] =
        [Self::ReadyToProceed, Self::NeedsClarification, Self::EnvironmentIssue, Self::Rejected];

    /// The word used in flags, JSON, tables and the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ReadyToProceed => "ready_to_proceed",
            Self::NeedsClarification => "needs_clarification",
            Self::EnvironmentIssue => "environment_issue",
            Self::Rejected => "rejected",
        }
    }

    /// What a waiting orchestrator learns from it.
    pub const fn verdict(self) -> Verdict {
        match self {
            Self::ReadyToProceed => Verdict::Ready,
            Self::NeedsClarification => Verdict::NeedsClarification,
            Self::EnvironmentIssue => Verdict::EnvironmentIssue,
            Self::Rejected => Verdict::Rejected,
        }
    }

    /// The status that an answer of this verdict stands for.
    pub const fn of(verdict: Verdict) -> Option<Self> {
        match verdict {
            Verdict::Ready | Verdict::Accepted | Verdict::Confirmed => Some(Self::ReadyToProceed),
            Verdict::NeedsClarification => Some(Self::NeedsClarification),
            Verdict::EnvironmentIssue => Some(Self::EnvironmentIssue),
            Verdict::Rejected | Verdict::Cancel => Some(Self::Rejected),
            Verdict::NeedsTime | Verdict::Queued | Verdict::Error | Verdict::Other => None,
        }
    }

    /// Recognises every spelling: any case, `-` as `_`, and the words of the other protocols.
    pub fn recognise(text: &str) -> Option<Self> {
        Self::of(reply::classify(text))
    }

    /// What the orchestrator does about it.
    pub const fn next_action(self) -> NextAction {
        match self {
            Self::ReadyToProceed => NextAction::MarkComplete,
            Self::NeedsClarification => NextAction::AnswerQuestions,
            Self::EnvironmentIssue => NextAction::HelpResolve,
            Self::Rejected => NextAction::FindAlternative,
        }
    }
}

impl FromStr for HandoffStatus {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        Self::recognise(text).ok_or_else(|| {
            Invalid::new(Rule::Handoff, format!("`{text}` is not a status of a handoff"))
                .hint(format!("use one of {}", Self::ALL.map(Self::as_str).join(", ")))
        })
    }
}

impl fmt::Display for HandoffStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

words! {
    /// What an orchestrator does about a replacement's status.
    NextAction, Rule::Handoff, "next action" {
        MarkComplete => "mark_complete",
        AnswerQuestions => "answer_questions",
        HelpResolve => "help_resolve",
        FindAlternative => "find_alternative",
    }
}

impl NextAction {
    /// The action in a sentence.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::MarkComplete => "mark the handoff complete",
            Self::AnswerQuestions => "answer its questions, then wait for a confirming acknowledgment",
            Self::HelpResolve => "help it to set up its environment",
            Self::FindAlternative => "find another agent for the tasks",
        }
    }
}

words! {
    /// How a replacement went.
    Outcome, Rule::Handoff, "outcome of a replacement" {
        Success => "success",
        Partial => "partial",
        Failed => "failed",
    }
}

words! {
    /// Why a replacement failed.
    FailureCode, Rule::Handoff, "failure of a replacement" {
        NoAckReceived => "NO_ACK_RECEIVED",
        AgentGone => "AGENT_GONE",
        Rejected => "HANDOFF_REJECTED",
        EnvironmentIssue => "ENVIRONMENT_ISSUE",
        NotVerified => "ACK_NOT_VERIFIED",
        TransferFailed => "TRANSFER_FAILED",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// H15, H16, H17
    #[test]
    fn urgency_gives_priority_and_time() {
        let rows: Vec<_> = Urgency::ALL
            .into_iter()
            .map(|it| (it.as_str(), it.priority().as_str(), it.first_wait().as_secs() / 60))
            .collect();
        assert_eq!(
            rows,
            [("immediate", "urgent", 5), ("prepare", "high", 15), ("when_available", "normal", 30)]
        );
        assert_eq!(Urgency::default(), Urgency::Immediate);
    }

    /// ⚠20
    #[test]
    fn urgency_is_read_with_hyphen_equal_to_underscore() {
        for text in ["when_available", "when-available", " WHEN_AVAILABLE "] {
            assert_eq!(text.parse::<Urgency>().unwrap(), Urgency::WhenAvailable);
        }
        assert_eq!("soon".parse::<Urgency>().unwrap_err().rule, Rule::Handoff);
        for urgency in Urgency::ALL {
            assert_eq!(serde_json::to_value(urgency).unwrap(), urgency.as_str());
        }
    }

    /// ⚠8
    #[test]
    fn every_spelling_of_a_status_is_understood() {
        for (status, spellings) in [
            (
                HandoffStatus::ReadyToProceed,
                &["ready_to_proceed", "READY-TO-PROCEED", "Ready to proceed.", "ok", "RECEIVED", "confirmed"]
                    [..],
            ),
            (
                HandoffStatus::NeedsClarification,
                &["needs_clarification", "needs-clarification", "CLARIFICATION_NEEDED"],
            ),
            (HandoffStatus::EnvironmentIssue, &["environment_issue", "Environment-Issue"]),
            (HandoffStatus::Rejected, &["rejected", "REJECTED", "cancel", "Abort."]),
        ] {
            for spelling in spellings {
                assert_eq!(spelling.parse::<HandoffStatus>().unwrap(), status, "{spelling}");
            }
            assert_eq!(serde_json::to_value(status).unwrap(), status.as_str());
            assert_eq!(HandoffStatus::of(status.verdict()), Some(status));
        }
        for text in ["", "queued", "not ready", "wait", "ready?", "ready rejected"] {
            let refused = text.parse::<HandoffStatus>().unwrap_err();
            assert!(refused.hint.unwrap().contains("ready_to_proceed"), "{text}");
        }
    }

    /// H19, H20, H21, H22
    #[test]
    fn every_status_leads_to_its_action() {
        let actions: Vec<_> =
            HandoffStatus::ALL.into_iter().map(|it| (it.as_str(), it.next_action().as_str())).collect();
        assert_eq!(
            actions,
            [
                ("ready_to_proceed", "mark_complete"),
                ("needs_clarification", "answer_questions"),
                ("environment_issue", "help_resolve"),
                ("rejected", "find_alternative"),
            ]
        );
        let sentences: std::collections::BTreeSet<_> =
            NextAction::ALL.iter().map(|action| action.sentence()).collect();
        assert_eq!(sentences.len(), NextAction::ALL.len());
    }
}
