//! Which messages a view of an inbox holds.

use schemars::JsonSchema;
use serde::Deserialize;

use super::agent::AgentId;
use super::message::{Category, Message, State};
use super::{Invalid, Rule, Timestamp};

/// The conditions a message must meet to be listed; all of them must hold.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Filter {
    pub state: Option<State>,
    pub bead: Option<String>,
    pub thread: Option<String>,
    pub from: Option<AgentId>,
    pub category: Option<Category>,
    /// Unread, or requiring an ack and not acked.
    pub pending: bool,
    /// Requiring an ack and not acked.
    pub needs_ack: bool,
    /// Requiring an ack, not acked, and past its time.
    pub overdue: bool,
}

impl Filter {
    /// Messages nobody has read yet.
    pub fn unread() -> Self {
        Self { state: Some(State::Unread), ..Self::default() }
    }

    /// Messages that wait for an ack.
    pub fn needing_ack() -> Self {
        Self { needs_ack: true, ..Self::default() }
    }

    /// The one meaning of the filter; every query must agree with it.
    pub fn matches(&self, message: &Message, now: Timestamp) -> bool {
        self.state.is_none_or(|state| message.state == state)
            && self.bead.as_ref().is_none_or(|bead| message.bead_id.as_ref() == Some(bead))
            && self.thread.as_ref().is_none_or(|thread| message.thread_id == *thread)
            && self.from.as_ref().is_none_or(|from| message.from_agent == *from)
            && self.category.is_none_or(|category| message.category == category)
            && (!self.pending || is_pending(message))
            && (!self.needs_ack || needs_ack(message))
            && (!self.overdue || is_overdue(message, now))
    }
}

/// Whether a message still waits for its recipient's ack.
pub fn needs_ack(message: &Message) -> bool {
    message.requires_ack && message.state != State::Acked && message.closed_at.is_none()
}

/// Whether a message still needs its recipient.
pub fn is_pending(message: &Message) -> bool {
    message.state == State::Unread || needs_ack(message)
}

/// Whether a required ack is late.
pub fn is_overdue(message: &Message, now: Timestamp) -> bool {
    needs_ack(message) && message.ack_due_at.is_some_and(|due| due <= now)
}

/// How many messages a listing may hold: 1 to 500, 50 when not said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(try_from = "u32")]
pub struct Limit(u32);

impl TryFrom<u32> for Limit {
    type Error = Invalid;

    fn try_from(number: u32) -> Result<Self, Invalid> {
        if (1..=500).contains(&number) { Ok(Self(number)) } else { Err(out_of_range(&number.to_string())) }
    }
}

fn out_of_range(text: &str) -> Invalid {
    Invalid::new(Rule::Limit, format!("`{text}` is not a limit")).hint("use a number from 1 to 500")
}

impl Limit {
    /// The highest one.
    pub const MOST: Self = Self(500);

    /// The number itself.
    pub const fn get(self) -> u32 {
        self.0
    }

    /// Parses a limit.
    pub fn parse(text: &str) -> Result<Self, Invalid> {
        match text.trim().parse() {
            Ok(number @ 1..=500) => Ok(Self(number)),
            _ => Err(Invalid::new(Rule::Limit, format!("`{text}` is not a limit"))
                .hint("use a number from 1 to 500")),
        }
    }
}

impl Default for Limit {
    fn default() -> Self {
        Self(50)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_run_from_1_to_500() {
        assert_eq!(Limit::default().get(), 50);
        assert_eq!(Limit::parse("500").unwrap().get(), 500);
        for text in ["0", "501", "-1", "all", ""] {
            assert_eq!(Limit::parse(text).unwrap_err().rule, Rule::Limit, "{text}");
        }
    }
}
