//! What can be configured.

use std::fmt;
use std::time::Duration;

use serde::Serialize;

use crate::domain::agent::AgentId;
use crate::domain::duration;

/// A configured value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Value {
    Switch(bool),
    Number(u64),
    Numbers(Vec<u64>),
    Text(String),
}

impl Value {
    /// The number, for keys that have one.
    pub fn number(&self) -> u64 {
        match self {
            Self::Number(number) => *number,
            _ => 0,
        }
    }

    /// The number as seconds.
    pub fn seconds(&self) -> Duration {
        Duration::from_secs(self.number())
    }

    /// The numbers as seconds.
    pub fn all_seconds(&self) -> Vec<Duration> {
        match self {
            Self::Numbers(numbers) => numbers.iter().copied().map(Duration::from_secs).collect(),
            _ => Vec::new(),
        }
    }

    /// Whether a switch is on.
    pub fn is_on(&self) -> bool {
        *self == Self::Switch(true)
    }

    /// What a name stands for, in a text such as `name=value,other=value`.
    pub fn of(&self, name: &str) -> Option<&str> {
        let pairs = self.text().split(',').filter_map(|pair| pair.split_once('='));
        pairs.map(|(key, value)| (key.trim(), value.trim())).find(|(key, _)| *key == name).map(|(_, it)| it)
    }

    /// The text, for keys that have one.
    pub fn text(&self) -> &str {
        match self {
            Self::Text(text) => text,
            _ => "",
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Switch(on) => on.fmt(f),
            Self::Number(number) => number.fmt(f),
            Self::Numbers(numbers) => {
                let texts: Vec<_> = numbers.iter().map(ToString::to_string).collect();
                write!(f, "[{}]", texts.join(", "))
            }
            Self::Text(text) => f.write_str(text),
        }
    }
}

/// One thing that can be configured, with the same parser for every place it can be set in.
#[derive(Debug)]
pub struct Key {
    pub name: &'static str,
    pub variable: &'static str,
    pub default: &'static str,
    pub meaning: &'static str,
    pub(super) parse: fn(&str) -> Result<Value, String>,
}

/// Every key, in the order they are printed.
pub const KEYS: &[Key] = &[
    Key {
        name: "acknowledgment_timeout",
        variable: "BB_ACKNOWLEDGMENT_TIMEOUT",
        default: "120",
        meaning: "seconds an ack is waited for",
        parse: seconds,
    },
    Key {
        name: "reminder_intervals",
        variable: "BB_REMINDER_INTERVALS",
        default: "30,60,90",
        meaning: "seconds after which reminders are sent",
        parse: seconds_list,
    },
    Key {
        name: "extension_allowed",
        variable: "BB_EXTENSION_ALLOWED",
        default: "true",
        meaning: "whether an agent may ask once for more time",
        parse: switch,
    },
    Key {
        name: "max_extension",
        variable: "BB_MAX_EXTENSION",
        default: "60",
        meaning: "seconds an extension adds",
        parse: seconds,
    },
    Key {
        name: "proceed_on_timeout",
        variable: "BB_PROCEED_ON_TIMEOUT",
        default: "true",
        meaning: "whether an operation goes ahead without an ack",
        parse: switch,
    },
    Key {
        name: "escalate_to",
        variable: "BB_ESCALATE_TO",
        default: "ecos-controller",
        meaning: "the agent that is told when nobody answers",
        parse: agent,
    },
    Key {
        name: "agent_stale_minutes",
        variable: "BB_AGENT_STALE_MINUTES",
        default: "15",
        meaning: "minutes of silence after which an agent is stale; after twice that it is evicted",
        parse: positive,
    },
    Key {
        name: "max_body_bytes",
        variable: "BB_MAX_BODY_BYTES",
        default: "1048576",
        meaning: "the longest body of a message",
        parse: positive,
    },
    Key {
        name: "max_unread",
        variable: "BB_MAX_UNREAD",
        default: "10000",
        meaning: "unread messages after which a mailbox takes no more",
        parse: positive,
    },
    Key {
        name: "publish",
        variable: "BB_PUBLISH",
        default: "none",
        meaning: "where the document of a handoff is published without a flag: none, issue or gist",
        parse: place,
    },
    Key {
        name: "github_timeout",
        variable: "BB_GITHUB_TIMEOUT",
        default: "30",
        meaning: "seconds after which the GitHub command line is ended",
        parse: some_seconds,
    },
    Key {
        name: "github_accounts",
        variable: "BB_GITHUB_ACCOUNTS",
        default: "",
        meaning: "the agents with an account on GitHub, as agent=account",
        parse: accounts,
    },
];

fn seconds(text: &str) -> Result<Value, String> {
    duration::seconds(text).map(|it| Value::Number(it.as_secs())).map_err(|invalid| invalid.what)
}

fn some_seconds(text: &str) -> Result<Value, String> {
    match seconds(text)? {
        Value::Number(0) => Err(format!("`{text}` is less than a second")),
        value => Ok(value),
    }
}

fn seconds_list(text: &str) -> Result<Value, String> {
    let text = text.trim();
    if text.is_empty() || text == "none" {
        return Ok(Value::Numbers(Vec::new()));
    }
    text.split(',')
        .map(|part| duration::seconds(part).map(|it| it.as_secs()).map_err(|invalid| invalid.what))
        .collect::<Result<_, _>>()
        .map(Value::Numbers)
}

fn positive(text: &str) -> Result<Value, String> {
    match text.trim().parse() {
        Ok(number @ 1..=4_294_967_295_u64) => Ok(Value::Number(number)),
        _ => Err(format!("`{text}` is not a positive number")),
    }
}

fn switch(text: &str) -> Result<Value, String> {
    match text.trim().to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" | "1" => Ok(Value::Switch(true)),
        "false" | "no" | "off" | "0" => Ok(Value::Switch(false)),
        _ => Err(format!("`{text}` is neither true nor false")),
    }
}

fn place(text: &str) -> Result<Value, String> {
    let text = text.trim().to_ascii_lowercase();
    match text.as_str() {
        "none" | "issue" | "gist" => Ok(Value::Text(text)),
        _ => Err(format!("`{text}` is none of none, issue and gist")),
    }
}

/// Agents and their accounts; an account is letters, digits and hyphens, as GitHub has it.
fn accounts(text: &str) -> Result<Value, String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
    for pair in text.split(',').map(str::trim).filter(|pair| !pair.is_empty()) {
        let (agent, account) = pair.split_once('=').ok_or(format!("`{pair}` is not agent=account"))?;
        agent.trim().parse::<AgentId>().map_err(|invalid| invalid.what)?;
        let account = account.trim();
        if account.is_empty() || account.starts_with('-') || !account.chars().all(plain) {
            return Err(format!("`{account}` is not an account"));
        }
    }
    Ok(Value::Text(text.trim().to_owned()))
}

fn agent(text: &str) -> Result<Value, String> {
    text.parse::<AgentId>().map(|id| Value::Text(id.to_string())).map_err(|invalid| invalid.what)
}
