//! What a replacement says about the handoff it was given.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::HandoffStatus;
use super::notice::teaching;
use crate::domain::Timestamp;
use crate::domain::agent::AgentId;
use crate::domain::message::{Kind, MessageId};
use crate::domain::question::asked;
use crate::domain::reply::Verdict;
use crate::domain::{Invalid, Rule};

/// The acknowledgment of a handoff, as complete as it came.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HandoffAck {
    /// The handoff it names; need not be the one it answers.
    pub handoff_id: Option<String>,
    pub status: Option<SaidStatus>,
    /// What the replacement will do, in its own words.
    pub understanding: Option<String>,
    /// The checkpoint from which it goes on.
    pub starting_from: Option<String>,
    /// None when it did not even say that it has none.
    pub questions: Option<Vec<String>>,
    /// Why it cannot take the tasks, or what is wrong with its environment.
    pub reason: Option<String>,
}

/// A status, or what was said in the place of one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum SaidStatus {
    Known(HandoffStatus),
    Other(String),
}

impl From<String> for SaidStatus {
    fn from(text: String) -> Self {
        HandoffStatus::recognise(&text).map_or(Self::Other(text), Self::Known)
    }
}

impl From<SaidStatus> for String {
    fn from(said: SaidStatus) -> Self {
        said.as_str().to_owned()
    }
}

impl SaidStatus {
    /// The status in its own spelling, or what was said.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Known(status) => status.as_str(),
            Self::Other(text) => text,
        }
    }
}

/// An acknowledgment as it was received.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReceivedAck {
    /// Its place among the acknowledgments of the handoff, from 1.
    pub number: u32,
    pub ack: HandoffAck,
    /// The message that carried it.
    pub message_id: Option<MessageId>,
    pub at: Timestamp,
    /// It came when it was decided already what becomes of the tasks, and counts for nothing.
    pub late: bool,
    /// The orchestrator judged that the understanding fits the tasks.
    pub accepted: bool,
}

impl HandoffAck {
    /// An acknowledgment of this handoff that says only its status.
    pub fn new(handoff_id: &str, status: HandoffStatus) -> Self {
        Self {
            handoff_id: Some(handoff_id.to_owned()),
            status: Some(SaidStatus::Known(status)),
            ..Self::default()
        }
    }

    /// What a plain answer to the notice amounts to: a status, and nothing of what else is required.
    ///
    /// Whoever is busy or says nothing of the vocabulary has given none.
    pub fn plain(verdict: Verdict) -> Option<Self> {
        let status = match (HandoffStatus::of(verdict), verdict) {
            (Some(status), _) => SaidStatus::Known(status),
            (None, Verdict::Queued | Verdict::Error) => SaidStatus::Other(verdict.as_str().to_owned()),
            (None, _) => return None,
        };
        Some(Self { status: Some(status), ..Self::default() })
    }

    /// Reads an acknowledgment from a message's content.
    ///
    /// None when its `type` is no acknowledgment of a handoff. Kinds, statuses and keys are
    /// understood in every spelling; a field of the wrong shape counts as missing.
    pub fn from_content(content: &Value) -> Option<Self> {
        let field = |wanted: &str| {
            let fields = content.as_object()?;
            let plain = |key: &str| key.trim().to_ascii_lowercase().replace('-', "_");
            fields.iter().find(|(key, _)| plain(key) == wanted).map(|(_, value)| value)
        };
        if Kind::recognise(field("type")?.as_str()?)? != Kind::HandoffAck {
            return None;
        }
        let text = |key| field(key).and_then(Value::as_str).map(str::to_owned);
        let ack = Self {
            handoff_id: text("handoff_id"),
            status: text("status").filter(|it| !it.trim().is_empty()).map(SaidStatus::from),
            understanding: text("understanding"),
            starting_from: text("starting_from"),
            questions: field("questions").and_then(questions),
            reason: text("reason"),
        };
        Some(ack.cleaned())
    }

    /// The same without blank texts, outer white space, and templates that were not filled in.
    #[must_use]
    pub fn cleaned(self) -> Self {
        Self {
            handoff_id: self.handoff_id.as_deref().and_then(clean),
            status: self.status,
            understanding: self.understanding.as_deref().and_then(clean),
            starting_from: self.starting_from.as_deref().and_then(clean),
            questions: self.questions.map(|all| asked(&all).iter().filter_map(|it| clean(it)).collect()),
            reason: self.reason.as_deref().and_then(clean),
        }
    }

    /// The status, if it is one.
    pub const fn known_status(&self) -> Option<HandoffStatus> {
        match self.status {
            Some(SaidStatus::Known(status)) => Some(status),
            _ => None,
        }
    }

    /// Whether something that has to be removed first keeps the replacement from going on.
    pub const fn is_hindered(&self) -> bool {
        match self.status {
            Some(SaidStatus::Known(status)) => matches!(status, HandoffStatus::EnvironmentIssue),
            Some(SaidStatus::Other(_)) => true,
            None => false,
        }
    }

    /// Whether it says nothing but its status.
    pub fn is_plain(&self) -> bool {
        let empty =
            Self { handoff_id: self.handoff_id.clone(), status: self.status.clone(), ..Self::default() };
        *self == empty
    }

    /// The questions it asks.
    pub fn questions(&self) -> &[String] {
        self.questions.as_deref().unwrap_or_default()
    }

    /// What a waiting orchestrator learns from it: whoever asks needs clarification.
    pub fn verdict(&self) -> Verdict {
        match self.known_status() {
            None => Verdict::Other,
            Some(HandoffStatus::ReadyToProceed) if !self.questions().is_empty() => {
                Verdict::NeedsClarification
            }
            Some(status) => status.verdict(),
        }
    }

    /// The required fields that it lacks, by their names.
    ///
    /// Whoever cannot proceed says why instead of what it will do: a question or a reason.
    pub fn missing(&self) -> Vec<&'static str> {
        let blocked =
            matches!(self.known_status(), Some(HandoffStatus::EnvironmentIssue | HandoffStatus::Rejected));
        let asks = self.known_status() == Some(HandoffStatus::NeedsClarification);
        let goes_on = !blocked && !asks;
        let unasked = if asks { self.questions().is_empty() } else { goes_on && self.questions.is_none() };
        [
            ("handoff_id", self.handoff_id.is_none()),
            ("status", self.status.is_none()),
            ("understanding", goes_on && self.understanding.is_none()),
            ("starting_from", goes_on && self.starting_from.is_none()),
            ("questions", unasked),
            ("reason", blocked && self.reason.is_none()),
        ]
        .into_iter()
        .filter_map(|(field, lacks)| lacks.then_some(field))
        .collect()
    }

    /// Refuses an acknowledgment that lacks a required field, with the line that would be right.
    pub fn check_complete(&self, agent: &AgentId, message_id: &MessageId) -> Result<(), Invalid> {
        let missing = self.missing();
        if missing.is_empty() {
            return Ok(());
        }
        let names: Vec<_> = missing.iter().map(|field| format!("`{field}`")).collect();
        let status = self.known_status().unwrap_or(HandoffStatus::ReadyToProceed);
        Err(Invalid::new(Rule::Handoff, format!("the acknowledgment lacks {}", names.join(", ")))
            .hint(teaching::command(agent, message_id, status)))
    }
}

/// Questions as a list, as one text, or as an explicit nothing.
fn questions(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::Null => Some(Vec::new()),
        Value::String(text) => Some(vec![text.clone()]),
        Value::Array(items) => items.iter().map(|item| item.as_str().map(str::to_owned)).collect(),
        _ => None,
    }
}

/// The text without outer white space, unless nothing is left or it is a placeholder.
fn clean(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty() && !teaching::PLACEHOLDERS.contains(&text)).then(|| text.to_owned())
}
