//! What the harness of an agent is told of its mail, and when.
//!
//! Three tiers: urgent mail at every event, also in the midst of work, high mail at the boundaries of
//! tasks, everything else where it disturbs nothing: when a session starts and before the agent goes
//! idle. A session is told of a message once; an ack that is still missing is asked for once more
//! before the agent goes idle.

mod document;
mod input;
pub mod settings;

use std::cmp::Reverse;
use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::agent::AgentId;
use super::message::{Category, MessageId, Priority, words};
use super::{Invalid, Rule, Timestamp};

pub use input::Input;

/// The most messages one event lists.
pub const LISTED: usize = 5;

words! {
    /// A program that runs an agent and calls hooks.
    Harness, Rule::Message, "harness" {
        ClaudeCode => "claude-code",
        Codex => "codex",
        Plain => "plain",
    }
}

words! {
    /// When a harness calls.
    Moment, Rule::Message, "hook event" {
        SessionStart => "session-start",
        Prompt => "prompt",
        Tool => "tool",
        Stop => "stop",
    }
}

impl Moment {
    /// Whether agents may do without it: urgent mail then waits until the task ends.
    pub const fn is_optional(self) -> bool {
        matches!(self, Self::Tool)
    }

    /// The event as the harnesses themselves name it.
    pub const fn event_name(self) -> &'static str {
        match self {
            Self::SessionStart => "SessionStart",
            Self::Prompt => "UserPromptSubmit",
            Self::Tool => "PostToolUse",
            Self::Stop => "Stop",
        }
    }
}

/// How soon mail is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tier {
    /// Whenever the harness calls, in the midst of work after its next tool.
    Now,
    /// When a task begins or ends.
    TaskBoundary,
    /// When a session begins, and when the agent would otherwise go idle.
    BeforeIdle,
}

impl Tier {
    /// The tier of a priority.
    pub const fn of(priority: Priority) -> Self {
        match priority {
            Priority::Urgent => Self::Now,
            Priority::High => Self::TaskBoundary,
            Priority::Normal | Priority::Low => Self::BeforeIdle,
        }
    }

    /// Whether mail of this tier is told at that moment.
    pub const fn is_told_at(self, moment: Moment) -> bool {
        match self {
            Self::Now => true,
            Self::TaskBoundary => matches!(moment, Moment::SessionStart | Moment::Prompt | Moment::Stop),
            Self::BeforeIdle => matches!(moment, Moment::SessionStart | Moment::Stop),
        }
    }
}

/// A message that still needs its recipient, and what the session was told of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    pub message_id: MessageId,
    pub from_agent: AgentId,
    pub category: Category,
    pub priority: Priority,
    pub subject: String,
    pub unread: bool,
    pub needs_ack: bool,
    pub ack_due_at: Option<Timestamp>,
    pub created_at: Timestamp,
    /// The session was told of it before.
    pub shown: bool,
    /// The session was asked for its ack before going idle.
    pub asked: bool,
}

impl Waiting {
    /// Whether its ack is late.
    pub fn is_overdue(&self, now: Timestamp) -> bool {
        self.needs_ack && self.ack_due_at.is_some_and(|due| due <= now)
    }

    fn is_due(&self, moment: Moment) -> bool {
        let is_news = !self.shown && Tier::of(self.priority).is_told_at(moment);
        let is_owed = moment == Moment::Stop && self.needs_ack && !self.asked;
        is_news || is_owed
    }
}

/// What is told at one event.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Choice {
    pub told: Vec<Waiting>,
    /// How many more would be told if there were room; they come at the next event.
    pub more: usize,
}

/// Chooses what is told: the most pressing first, then what is owed, then the oldest.
pub fn choose(waiting: Vec<Waiting>, moment: Moment, now: Timestamp) -> Choice {
    let mut told: Vec<_> = waiting.into_iter().filter(|it| it.is_due(moment)).collect();
    told.sort_by_key(|it| (Reverse(it.priority), !it.is_overdue(now), !it.needs_ack, it.created_at));
    let more = told.len().saturating_sub(LISTED);
    told.truncate(LISTED);
    Choice { told, more }
}

#[cfg(test)]
mod tests;
