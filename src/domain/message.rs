//! Mail: what a message is and which rules it obeys.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

mod checks;

pub use checks::{
    MAX_LABEL, MAX_SUBJECT, check_body, check_label, check_subject, default_thread, reply_subject,
};

use super::agent::AgentId;
use super::reply::Verdict;
use super::{Invalid, Rule, Timestamp};

/// The name of a message, for example `msg_20260304_001122_k3v9x2m7qp`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
pub struct MessageId(String);

impl MessageId {
    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for MessageId {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        let plain = |b: u8| b.is_ascii_alphanumeric() || b"_-.:".contains(&b);
        if (1..=100).contains(&text.len()) && text.bytes().all(plain) {
            Ok(Self(text.to_owned()))
        } else {
            Err(Invalid::new(Rule::MessageId, format!("`{text}` is not a message id"))
                .hint("copy the id from `bb inbox`, or type a unique part of its beginning or end"))
        }
    }
}

impl TryFrom<String> for MessageId {
    type Error = Invalid;

    fn try_from(text: String) -> Result<Self, Invalid> {
        text.parse()
    }
}

impl From<MessageId> for String {
    fn from(id: MessageId) -> Self {
        id.0
    }
}

impl fmt::Display for MessageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// The end of an id: short enough to type, long enough to be unique. An id that ends in a name is left whole.
pub fn short_id(id: &str) -> &str {
    let is_random = |tail: &&str| tail.len() >= 4 && tail.chars().all(|it| it.is_ascii_alphanumeric());
    id.rsplit('_').next().filter(is_random).unwrap_or(id)
}

/// Declares a closed set of words that are parsed from and printed as text.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident, $rule:expr, $thing:literal { $($variant:ident => $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        pub enum $name { $(#[serde(rename = $word)] $variant),+ }

        impl $name {
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The word used in flags, JSON, tables and the store.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }
        }

        impl FromStr for $name {
            type Err = Invalid;

            fn from_str(text: &str) -> Result<Self, Invalid> {
                let wanted = text.trim();
                Self::ALL.iter().copied().find(|it| it.as_str().eq_ignore_ascii_case(wanted)).ok_or_else(|| {
                    let words: Vec<_> = Self::ALL.iter().map(|it| it.as_str()).collect();
                    Invalid::new($rule, format!("`{text}` is not a {}", $thing))
                        .hint(format!("use one of {}", words.join(", ")))
                })
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }
    };
}
pub(crate) use words;

words! {
    /// Why a message is sent; it decides whether an ack is required.
    Category, Rule::Category, "category" {
        Handoff => "HANDOFF",
        Blocked => "BLOCKED",
        Decision => "DECISION",
        Info => "INFO",
    }
}

impl Category {
    /// Whether every message of this category must be acknowledged.
    pub const fn requires_ack(self) -> bool {
        matches!(self, Self::Handoff | Self::Blocked)
    }
}

words! {
    /// How soon a message wants to be seen.
    Priority, Rule::Message, "priority" {
        Low => "low",
        Normal => "normal",
        High => "high",
        Urgent => "urgent",
    }
}

words! {
    /// How far a message has come with its recipient.
    State, Rule::State, "message state" {
        Unread => "unread",
        Read => "read",
        Acked => "acked",
    }
}

words! {
    /// What a message is in the protocols; a plain one is `message`.
    Kind, Rule::Message, "message kind" {
        Message => "message",
        PreOperation => "pre-operation",
        Reminder => "reminder",
        AckRequest => "ack-request",
        ExtensionGranted => "extension-granted",
        CancellationNotice => "cancellation-notice",
        TimeoutNotice => "timeout-notice",
        PostOperation => "post-operation",
        Acknowledgment => "acknowledgment",
        TaskAssignment => "task-assignment",
        TaskAcknowledgment => "task-acknowledgment",
        TaskAcknowledgmentError => "task-acknowledgment-error",
        TaskClarification => "task-clarification",
        CheckpointAck => "checkpoint-ack",
        TaskComplete => "task-complete",
        ReplacementHandoff => "replacement_handoff",
        ReplacementConfirmation => "replacement_confirmation",
        HandoffAck => "handoff_ack",
        HandoffClarification => "handoff_clarification",
        HandoffReminder => "handoff_reminder",
        Escalation => "escalation",
    }
}

impl Kind {
    /// Recognises a kind spelled with hyphens or underscores, in any case.
    pub fn recognise(text: &str) -> Option<Self> {
        let plain = |it: &str| it.to_ascii_lowercase().replace('_', "-");
        let wanted = plain(text.trim());
        Self::ALL.iter().copied().find(|kind| plain(kind.as_str()) == wanted)
    }

    /// The category of messages of this kind, unless their sender says otherwise.
    pub const fn category(self) -> Category {
        match self {
            Self::PreOperation | Self::Escalation => Category::Blocked,
            Self::TaskAssignment | Self::ReplacementHandoff => Category::Handoff,
            _ => Category::Info,
        }
    }

    /// Whether messages of this kind ask for an ack in the name of a handshake.
    pub const fn asks_for_ack(self) -> bool {
        matches!(
            self,
            Self::PreOperation
                | Self::TaskAssignment
                | Self::ReplacementHandoff
                | Self::Reminder
                | Self::AckRequest
                | Self::HandoffReminder
        )
    }
}

/// What a recipient answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Response {
    pub verdict: Verdict,
    /// The words that were sent.
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
    /// The message that carried the answer, when it was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message_id: Option<MessageId>,
    #[schemars(with = "String")]
    pub at: Timestamp,
}

/// A message as a caller sees it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Message {
    pub message_id: MessageId,
    pub thread_id: String,
    pub bead_id: Option<String>,
    pub from_agent: AgentId,
    pub to_agent: AgentId,
    pub category: Category,
    pub kind: Kind,
    pub priority: Priority,
    pub subject: String,
    pub body: String,
    pub state: State,
    pub requires_ack: bool,
    #[schemars(with = "String")]
    pub created_at: Timestamp,
    #[schemars(with = "Option<String>")]
    pub read_at: Option<Timestamp>,
    #[schemars(with = "Option<String>")]
    pub acked_at: Option<Timestamp>,
    pub reply_to: Option<MessageId>,
    pub broadcast_id: Option<String>,
    pub operation_id: Option<String>,
    pub content: Option<Value>,
    pub response: Option<Response>,
    /// Sent by an agent that presented its token.
    pub verified: bool,
    /// When an ack that is required becomes overdue.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub ack_due_at: Option<Timestamp>,
    /// When the request became moot, so that no ack is needed any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub closed_at: Option<Timestamp>,
    /// Its place in the order of all messages.
    pub cursor: i64,
}

/// A message that is about to be stored, for one recipient.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    pub from: AgentId,
    pub to: AgentId,
    pub bead_id: Option<String>,
    pub thread_id: String,
    pub category: Category,
    pub kind: Kind,
    pub priority: Priority,
    pub subject: String,
    pub body: String,
    pub content: Option<Value>,
    pub requires_ack: bool,
    pub ack_due_at: Option<Timestamp>,
    pub reply_to: Option<MessageId>,
    pub broadcast_id: Option<String>,
    pub operation_id: Option<String>,
    pub key: Option<String>,
    pub verified: bool,
}

impl Draft {
    /// The message as its recipient finds it, before doing anything about it.
    pub fn sent(self, message_id: MessageId, cursor: i64, now: Timestamp) -> Message {
        Message {
            message_id,
            thread_id: self.thread_id,
            bead_id: self.bead_id,
            from_agent: self.from,
            to_agent: self.to,
            category: self.category,
            kind: self.kind,
            priority: self.priority,
            subject: self.subject,
            body: self.body,
            state: State::Unread,
            requires_ack: self.requires_ack,
            created_at: now,
            read_at: None,
            acked_at: None,
            reply_to: self.reply_to,
            broadcast_id: self.broadcast_id,
            operation_id: self.operation_id,
            content: self.content,
            response: None,
            verified: self.verified,
            ack_due_at: self.ack_due_at,
            closed_at: None,
            cursor,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn categories_are_exactly_four_in_any_case() {
        for (text, category) in
            [("handoff", Category::Handoff), ("Blocked", Category::Blocked), ("INFO", Category::Info)]
        {
            assert_eq!(text.parse::<Category>().unwrap(), category);
        }
        for text in ["RESUME", "INCURSION", "", "hand-off"] {
            assert_eq!(text.parse::<Category>().unwrap_err().rule, Rule::Category);
        }
    }

    #[test]
    fn handoff_and_blocked_require_an_ack() {
        let required: Vec<_> = Category::ALL.iter().filter(|c| c.requires_ack()).collect();
        assert_eq!(required, [&Category::Handoff, &Category::Blocked]);
    }

    #[test]
    fn kinds_are_compared_with_hyphen_equal_to_underscore() {
        assert_eq!(Kind::recognise("PRE_OPERATION"), Some(Kind::PreOperation));
        assert_eq!(Kind::recognise("handoff-ack"), Some(Kind::HandoffAck));
        assert_eq!(Kind::recognise("novel"), None);
    }

    #[test]
    fn ids_hold_no_shell_or_glob_characters() {
        assert!("msg_20260304_001122_abc".parse::<MessageId>().is_ok());
        for bad in ["", "msg*", "$(x)", "a b", "a/b", &"x".repeat(101)] {
            assert!(bad.parse::<MessageId>().is_err(), "{bad}");
        }
    }
}
