//! Who is who: ids, states, liveness.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::token;
use super::{Invalid, Rule, Timestamp};

/// The name of an agent: lower-case words joined by hyphens, 3 to 48 characters.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
pub struct AgentId(String);

impl AgentId {
    pub const MIN_LENGTH: usize = 3;
    pub const MAX_LENGTH: usize = 48;

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Whether `text` is lower-case words of letters and digits joined by single hyphens.
pub fn is_hyphenated(text: &str) -> bool {
    text.split('-')
        .all(|word| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit()))
}

impl FromStr for AgentId {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        let length_fits = (Self::MIN_LENGTH..=Self::MAX_LENGTH).contains(&text.len());
        if length_fits && is_hyphenated(text) && text != "broadcast" {
            return Ok(Self(text.to_owned()));
        }
        let what = if text == "broadcast" {
            "`broadcast` is a reserved address, not an agent id".to_owned()
        } else {
            format!("`{text}` is not an agent id")
        };
        Err(Invalid::new(Rule::AgentId, what).hint(
            "use 3 to 48 characters: lower-case letters and digits in words joined by hyphens, for example amber-otter",
        ))
    }
}

impl TryFrom<String> for AgentId {
    type Error = Invalid;

    fn try_from(text: String) -> Result<Self, Invalid> {
        text.parse()
    }
}

impl From<AgentId> for String {
    fn from(id: AgentId) -> Self {
        id.0
    }
}

impl fmt::Display for AgentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What an agent says it is doing, or what a protocol decided about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum AgentState {
    Idle,
    Spawning,
    Running,
    Working,
    Stuck,
    Done,
    Stopped,
    Dead,
    Unresponsive,
    Inactive,
}

impl AgentState {
    pub const ALL: [Self; 10] = [
        Self::Idle,
        Self::Spawning,
        Self::Running,
        Self::Working,
        Self::Stuck,
        Self::Done,
        Self::Stopped,
        Self::Dead,
        Self::Unresponsive,
        Self::Inactive,
    ];

    /// The word used in flags, JSON and tables.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Spawning => "spawning",
            Self::Running => "running",
            Self::Working => "working",
            Self::Stuck => "stuck",
            Self::Done => "done",
            Self::Stopped => "stopped",
            Self::Dead => "dead",
            Self::Unresponsive => "unresponsive",
            Self::Inactive => "inactive",
        }
    }

    /// Whether mail to such an agent would never be read.
    pub const fn is_gone(self) -> bool {
        matches!(self, Self::Dead | Self::Stopped | Self::Inactive)
    }
}

impl FromStr for AgentState {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        let wanted = text.trim().to_ascii_lowercase();
        Self::ALL.into_iter().find(|state| state.as_str() == wanted).ok_or_else(|| {
            let words: Vec<_> = Self::ALL.iter().map(|state| state.as_str()).collect();
            Invalid::new(Rule::State, format!("`{text}` is not an agent state"))
                .hint(format!("use one of {}", words.join(", ")))
        })
    }
}

impl fmt::Display for AgentState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// How recently an agent did anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Liveness {
    Active,
    Stale,
    Evicted,
}

impl Liveness {
    /// Judges by the time since the last activity: stale after `stale_after`, evicted after twice that.
    pub fn at(now: Timestamp, last_seen: Timestamp, stale_after: Duration) -> Self {
        let quiet = now.since(last_seen);
        if quiet < stale_after {
            Self::Active
        } else if quiet < stale_after * 2 {
            Self::Stale
        } else {
            Self::Evicted
        }
    }

    /// The word used in JSON and tables.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Stale => "stale",
            Self::Evicted => "evicted",
        }
    }
}

impl fmt::Display for Liveness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// An agent as the store knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agent {
    pub id: AgentId,
    pub display: String,
    pub role: String,
    pub session: Option<String>,
    pub state: AgentState,
    pub token_hash: Option<String>,
    pub replaced_by: Option<AgentId>,
    pub created_at: Timestamp,
    pub last_seen_at: Timestamp,
}

impl Agent {
    /// Whether acting as this agent takes a token.
    pub const fn is_protected(&self) -> bool {
        self.token_hash.is_some()
    }

    /// Whether this is the token that acting as this agent takes.
    pub fn has_token(&self, presented: Option<&str>) -> bool {
        let (Some(presented), Some(stored)) = (presented, &self.token_hash) else { return false };
        token::matches(presented, stored)
    }

    /// Whether work can be given to an agent that was seen so recently.
    pub const fn can_take_work(&self, liveness: Liveness) -> bool {
        let answers = !self.state.is_gone() && !matches!(self.state, AgentState::Unresponsive);
        answers && !matches!(liveness, Liveness::Evicted)
    }
}

/// The names closest to `wanted`, best first, at most three.
pub fn near_names<'a>(wanted: &str, names: impl IntoIterator<Item = &'a AgentId>) -> Vec<&'a AgentId> {
    let mut scored: Vec<_> = names
        .into_iter()
        .map(|name| (strsim::jaro_winkler(wanted, name.as_str()), name))
        .filter(|(score, _)| *score >= 0.8)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
    scored.into_iter().take(3).map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_hyphenated_lower_case_words_of_3_to_48_characters() {
        for good in ["amber-otter", "abc", "a-1", "x".repeat(48).as_str()] {
            assert!(good.parse::<AgentId>().is_ok(), "{good}");
        }
        for bad in [
            "",
            "ab",
            "Amber",
            "amber_otter",
            "-amber",
            "amber-",
            "a--b",
            "role:x",
            "broadcast",
            "ämber",
            "a b",
            "x".repeat(49).as_str(),
        ] {
            assert_eq!(bad.parse::<AgentId>().unwrap_err().rule, Rule::AgentId, "{bad}");
        }
    }

    #[test]
    fn liveness_changes_at_15_and_30_minutes() {
        let seen = Timestamp::from_millis(0);
        let stale_after = Duration::from_secs(15 * 60);
        let at = |minutes: i64, millis: i64| {
            Liveness::at(Timestamp::from_millis(minutes * 60_000 + millis), seen, stale_after)
        };
        assert_eq!(at(14, 59_999), Liveness::Active);
        assert_eq!(at(15, 0), Liveness::Stale);
        assert_eq!(at(29, 59_999), Liveness::Stale);
        assert_eq!(at(30, 0), Liveness::Evicted);
        assert_eq!(at(-5, 0), Liveness::Active);
    }

    #[test]
    fn states_parse_in_any_case_and_gone_ones_are_known() {
        assert_eq!("Stuck".parse::<AgentState>().unwrap(), AgentState::Stuck);
        assert!("sleeping".parse::<AgentState>().is_err());
        let gone: Vec<_> = AgentState::ALL.into_iter().filter(|s| s.is_gone()).collect();
        assert_eq!(gone, [AgentState::Stopped, AgentState::Dead, AgentState::Inactive]);
    }

    #[test]
    fn suggests_near_names_only() {
        let names: Vec<AgentId> =
            ["amber-otter", "amber-osprey", "lead-orchestrator"].iter().map(|n| n.parse().unwrap()).collect();
        let near: Vec<_> = near_names("amber-oter", &names).into_iter().map(AgentId::as_str).collect();
        assert_eq!(near.first(), Some(&"amber-otter"));
        assert!(near_names("zzz", &names).is_empty());
    }
}
