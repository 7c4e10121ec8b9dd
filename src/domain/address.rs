//! Where a message goes: an agent, everyone in a role, or everyone.

use std::fmt;
use std::str::FromStr;

use super::agent::{Agent, AgentId};
use super::{Invalid, Rule};

/// One place a message can be addressed to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    Agent(AgentId),
    Role(String),
    Broadcast,
}

impl Address {
    /// Parses a comma-separated list of addresses.
    pub fn parse_list(text: &str) -> Result<Vec<Self>, Invalid> {
        text.split(',').map(|part| part.trim().parse()).collect()
    }

    /// Whether this address can stand for more than one agent.
    pub const fn is_group(&self) -> bool {
        !matches!(self, Self::Agent(_))
    }
}

impl FromStr for Address {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        if text == "broadcast" {
            return Ok(Self::Broadcast);
        }
        match text.strip_prefix("role:") {
            Some("") => Err(Invalid::new(Rule::AgentId, "`role:` names no role").hint("write role:NAME")),
            Some(role) => Ok(Self::Role(role.to_owned())),
            None => text.parse().map(Self::Agent),
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Agent(id) => id.fmt(f),
            Self::Role(role) => write!(f, "role:{role}"),
            Self::Broadcast => f.write_str("broadcast"),
        }
    }
}

/// The agents a group address stands for, whatever their state: everyone it fits, in order of name, but for
/// the sender.
pub fn expand<'a>(group: &Address, agents: &'a [Agent], sender: &AgentId) -> Vec<&'a Agent> {
    let mut fitting: Vec<_> = agents
        .iter()
        .filter(|agent| match group {
            Address::Agent(id) => agent.id == *id,
            Address::Role(role) => agent.role.eq_ignore_ascii_case(role),
            Address::Broadcast => true,
        })
        .filter(|agent| agent.id != *sender)
        .collect();
    fitting.sort_by(|a, b| a.id.cmp(&b.id));
    fitting
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Timestamp;
    use crate::domain::agent::AgentState;

    fn agent(id: &str, role: &str, state: AgentState) -> Agent {
        Agent {
            id: id.parse().unwrap(),
            display: id.to_owned(),
            role: role.to_owned(),
            session: None,
            state,
            token_hash: None,
            replaced_by: None,
            created_at: Timestamp::default(),
            last_seen_at: Timestamp::default(),
        }
    }

    #[test]
    fn a_fan_out_leaves_out_its_sender() {
        let agents = [
            agent("lead-one", "lead", AgentState::Idle),
            agent("amber-otter", "backend", AgentState::Idle),
            agent("dead-one", "backend", AgentState::Dead),
            agent("zinc-yak", "backend", AgentState::Stuck),
        ];
        let sender: AgentId = "amber-otter".parse().unwrap();
        let names = |group: Address| {
            expand(&group, &agents, &sender).into_iter().map(|a| a.id.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(names(Address::Broadcast), ["dead-one", "lead-one", "zinc-yak"]);
        assert_eq!(names(Address::Role("Backend".into())), ["dead-one", "zinc-yak"]);
        assert!(names(Address::Role("nobody".into())).is_empty());
    }

    #[test]
    fn parses_lists() {
        let list = Address::parse_list("amber-otter, role:backend,broadcast").unwrap();
        assert_eq!(list.len(), 3);
        assert!(Address::parse_list("amber-otter,,x").is_err());
        assert!(Address::parse_list("role:").is_err());
    }
}
