//! Whether an acknowledgment is good enough to move the tasks.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::checks::{Look, unreceived};
use super::notice::teaching;
use super::{Handoff, HandoffId, HandoffStatus, ReceivedAck};
use crate::domain::message::words;
use crate::domain::{Invalid, Rule, Timestamp};

words! {
    /// One of the six checks, in the order in which they are made.
    CheckName, Rule::Handoff, "check" {
        AckReceived => "ack_received",
        HandoffId => "handoff_id",
        Status => "status",
        StartingFrom => "starting_from",
        Understanding => "understanding",
        Questions => "questions",
    }
}

impl CheckName {
    /// The exit code of a verification in which this check is the first to fail.
    pub const fn exit_code(self) -> u8 {
        match self {
            Self::AckReceived | Self::HandoffId => 1,
            Self::Status => 2,
            Self::StartingFrom => 3,
            Self::Understanding => 4,
            Self::Questions => 5,
        }
    }
}

words! {
    /// What to do about a check that failed.
    Action, Rule::Handoff, "action" {
        WaitForAck => "wait_for_ack",
        RequestCorrectAck => "request_correct_ack",
        ClarifyRequirements => "clarify_requirements",
        CorrectAndConfirm => "correct_and_confirm",
        AnswerQuestions => "answer_questions",
        ResolveBlockers => "resolve_blockers",
    }
}

/// One check and its result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Check {
    pub check: CheckName,
    pub passed: bool,
    /// What was found.
    pub detail: String,
    /// What to do, if it failed.
    pub action: Option<Action>,
    /// The same in a sentence.
    pub advice: Option<String>,
}

/// What the orchestrator brings to a verification.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Criteria<'a> {
    /// The checkpoint to expect instead of the one the handoff documents.
    pub starting_from: Option<&'a str>,
    /// The orchestrator has read the understanding and finds that it fits the tasks.
    pub accept_understanding: bool,
    /// Why fields that are missing are not needed. What is there and wrong is never passed over.
    pub accept_partial: Option<&'a str>,
}

impl Criteria<'_> {
    /// Whether the orchestrator builds on what was acknowledged.
    pub const fn accepts(&self) -> bool {
        self.accept_understanding || self.accept_partial.is_some() || self.starting_from.is_some()
    }
}

/// The result of the six checks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Verification {
    pub handoff_id: HandoffId,
    pub valid: bool,
    pub exit_code: u8,
    /// The result in one line.
    pub message: String,
    pub checks: Vec<Check>,
    /// The acknowledgment that was looked at, by its place among those received.
    pub ack_number: Option<u32>,
    #[schemars(with = "Option<String>")]
    pub ack_received_at: Option<Timestamp>,
    /// The checkpoint that was expected: the documented one, or what the orchestrator said instead.
    #[serde(default)]
    pub expected_starting_from: Option<String>,
    pub understanding_accepted: bool,
    /// Why missing fields were accepted, if any were.
    pub accepted_partial: Option<String>,
    /// The required fields that the acknowledgment lacks.
    pub missing: Vec<String>,
    /// The line that acknowledges as it should be, when the acknowledgment is missing, wrong or incomplete.
    pub template: Option<String>,
    #[schemars(with = "String")]
    pub at: Timestamp,
}

/// Makes the six checks on the newest acknowledgment, the status before the checkpoint.
///
/// Whether an understanding fits the tasks is for the orchestrator to judge. Until it has accepted
/// this very acknowledgment's, now or in an earlier verification, the check fails although
/// everything else may be in order.
pub fn verify(
    handoff: &Handoff,
    newest: Option<&ReceivedAck>,
    criteria: &Criteria<'_>,
    now: Timestamp,
) -> Verification {
    let partial = criteria.accept_partial.map(str::trim).filter(|reason| !reason.is_empty());
    let checks = match newest {
        None => CheckName::ALL.iter().map(|check| unreceived(handoff, *check)).collect(),
        Some(received) => {
            let accepted = criteria.accept_understanding || received.accepted;
            let look = Look { handoff, received, expected: expected(handoff, criteria), accepted, partial };
            look.at_everything()
        }
    };
    let first = checks.iter().find(|check| !check.passed);
    let missing = newest.map(|it| it.ack.missing()).unwrap_or_default();
    let unconfirmed = newest.is_some_and(|it| handoff.unconfirmed_by(it).is_some());
    let unnamed = first.is_some_and(|check| check.check.exit_code() == 1);
    let accepted =
        |it: &ReceivedAck| it.ack.understanding.is_some() && (criteria.accept_understanding || it.accepted);
    let stands = !unconfirmed || partial.is_some();
    Verification {
        handoff_id: handoff.handoff_id.clone(),
        valid: first.is_none(),
        exit_code: first.map_or(0, |check| check.check.exit_code()),
        message: message(handoff, newest, first),
        ack_number: newest.map(|it| it.number),
        ack_received_at: newest.map(|it| it.at),
        expected_starting_from: expected(handoff, criteria).map(str::to_owned),
        understanding_accepted: newest.is_some_and(accepted) && stands,
        accepted_partial: partial
            .filter(|_| (!missing.is_empty() || unconfirmed) && first.is_none())
            .map(str::to_owned),
        template: (unnamed || !missing.is_empty()).then(|| template(handoff, newest)).flatten(),
        missing: missing.into_iter().map(str::to_owned).collect(),
        checks,
        at: now,
    }
}

fn expected<'a>(handoff: &'a Handoff, criteria: &Criteria<'a>) -> Option<&'a str> {
    criteria.starting_from.or(handoff.starting_from.as_deref())
}

fn message(handoff: &Handoff, newest: Option<&ReceivedAck>, first: Option<&Check>) -> String {
    let id = &handoff.handoff_id;
    let Some(check) = first else { return "ACK validated successfully".to_owned() };
    let unnamed = newest.filter(|it| it.ack.handoff_id.is_none());
    match (check.check, newest.and_then(|it| handoff.unconfirmed_by(it)), unnamed) {
        (CheckName::AckReceived, Some(since), _) => {
            format!("ERROR: No confirming ACK since the {since} for handoff {id}")
        }
        (CheckName::HandoffId, _, Some(plain)) => format!(
            "ERROR: The answer of {} lacks the {} of handoff {id}; ask for its full form: \
             bb agent verify-ack --handoff {id} --correct",
            plain.at,
            plain.ack.missing().join(", ")
        ),
        (CheckName::AckReceived | CheckName::HandoffId, ..) => {
            format!("ERROR: No ACK received for handoff {id}")
        }
        _ => format!("WARNING: {}", check.detail),
    }
}

fn template(handoff: &Handoff, newest: Option<&ReceivedAck>) -> Option<String> {
    let status = newest.and_then(|it| it.ack.known_status()).unwrap_or(HandoffStatus::ReadyToProceed);
    Some(teaching::command(&handoff.replacement.id, handoff.message_id()?, status))
}
