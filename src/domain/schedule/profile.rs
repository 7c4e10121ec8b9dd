//! The words a schedule is described with.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::domain::message::words;
use crate::domain::{Invalid, Rule};

words! {
    /// A named set of habits: how long to wait, when to remind, what silence means.
    Profile, Rule::Format, "profile" {
        Operation => "operation",
        StateChange => "state-change",
        MultiAgent => "multi-agent",
        Approval => "approval",
        Emergency => "emergency",
        Health => "health",
        Task => "task",
        Critical => "critical",
        Handoff => "handoff",
    }
}

words! {
    /// What happens when somebody stays silent.
    Policy, Rule::Format, "policy for silence" {
        Proceed => "proceed",
        Abort => "abort",
        Unresponsive => "unresponsive",
        Escalate => "escalate",
    }
}

words! {
    /// How urgent a reminder sounds.
    Tone, Rule::Message, "tone" {
        Gentle => "gentle",
        Firm => "firm",
        Final => "final",
    }
}

words! {
    /// How loudly it is said that somebody stayed silent.
    Manner, Rule::Message, "manner" {
        Warning => "warning",
        Notification => "notification",
    }
}

impl Tone {
    /// The tone of reminder `number` of `total`: the last is final, the first gentle, those between firm.
    pub const fn of(number: usize, total: usize) -> Self {
        if number >= total {
            Self::Final
        } else if number <= 1 {
            Self::Gentle
        } else {
            Self::Firm
        }
    }
}

/// How many must agree for a request with several recipients to go ahead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub enum Quorum {
    All,
    Majority,
    Count(usize),
}

impl Quorum {
    /// How many of `asked` must agree.
    pub const fn needed(self, asked: usize) -> usize {
        match self {
            Self::All => asked,
            Self::Majority => asked / 2 + 1,
            Self::Count(count) => count,
        }
    }

    /// Refuses a quorum that `asked` recipients could never reach.
    pub fn check(self, asked: usize) -> Result<(), Invalid> {
        if self.needed(asked) <= asked {
            return Ok(());
        }
        let what = format!("a quorum of `{self}` cannot be reached by {asked} recipients");
        Err(Invalid::new(Rule::Format, what)
            .hint("use all, majority, or a number up to the recipients asked"))
    }
}

impl FromStr for Quorum {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        let wanted = text.trim();
        if wanted.eq_ignore_ascii_case("all") {
            return Ok(Self::All);
        }
        if wanted.eq_ignore_ascii_case("majority") {
            return Ok(Self::Majority);
        }
        match wanted.parse() {
            Ok(count @ 1..) => Ok(Self::Count(count)),
            _ => Err(Invalid::new(Rule::Format, format!("`{text}` is not a quorum"))
                .hint("use all, majority, or a number from 1")),
        }
    }
}

impl TryFrom<String> for Quorum {
    type Error = Invalid;

    fn try_from(text: String) -> Result<Self, Invalid> {
        text.parse()
    }
}

impl From<Quorum> for String {
    fn from(quorum: Quorum) -> Self {
        quorum.to_string()
    }
}

impl fmt::Display for Quorum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.pad("all"),
            Self::Majority => f.pad("majority"),
            Self::Count(count) => count.fmt(f),
        }
    }
}
