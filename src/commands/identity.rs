//! Who acts, and whether they may.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Context;
use crate::domain::agent::{Agent, AgentId, AgentState, near_names};
use crate::domain::token;
use crate::failure::{Code, Failure};
use crate::store::Transaction;

/// Looking at mail counts as activity, but is written down at most this often, or more often where agents are
/// soon taken for stale.
const SEEN_AT_MOST_EVERY: Duration = Duration::from_secs(60);

/// The flag that says who acts.
#[derive(Debug, Clone, Default, clap::Args, Deserialize, JsonSchema)]
pub struct Me {
    /// Who you are (else BB_AGENT, else BD_ACTOR)
    #[arg(long, value_name = "AGENT")]
    pub agent: Option<AgentId>,
}

/// A name and where it came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    pub id: AgentId,
    pub source: &'static str,
}

/// A registered agent that proved to be itself as far as it must.
#[derive(Debug, Clone)]
pub(super) struct Actor {
    pub agent: Agent,
    /// It presented its token.
    pub verified: bool,
}

impl Context<'_> {
    /// The identity from the flag, else the environment; never a default.
    pub fn identity(&self, flag: Option<&AgentId>, flag_name: &'static str) -> Result<Identity, Failure> {
        self.identity_if_set(flag, flag_name)?.ok_or_else(|| {
            Failure::new(Code::MissingIdentity, "nothing says who you are")
                .hint(format!("pass {flag_name} AGENT, or set BB_AGENT"))
        })
    }

    /// The identity, if anything names one.
    pub fn identity_if_set(
        &self,
        flag: Option<&AgentId>,
        flag_name: &'static str,
    ) -> Result<Option<Identity>, Failure> {
        if let Some(id) = flag {
            return Ok(Some(Identity { id: id.clone(), source: flag_name }));
        }
        for source in ["BB_AGENT", "BD_ACTOR"] {
            if let Some(text) = self.settings.text(source)? {
                let id = text.parse().map_err(|invalid| {
                    let failure = Failure::from(invalid);
                    Failure { message: format!("{source}: {}", failure.message), ..failure }
                })?;
                return Ok(Some(Identity { id, source }));
            }
        }
        Ok(None)
    }

    /// The agent of that name; an unknown one is an error with near names.
    pub(super) fn known(&self, view: &Transaction, id: &AgentId, unknown: Code) -> Result<Agent, Failure> {
        if let Some(agent) = view.agent(id)? {
            return Ok(agent);
        }
        let agents = view.agents()?;
        let runs_there = agents.iter().find(|agent| agent.session.as_deref() == Some(id.as_str()));
        let names: Vec<_> = agents.iter().map(|agent| agent.id.clone()).collect();
        let near: Vec<_> =
            near_names(id.as_str(), &names).into_iter().map(|name| format!("`{name}`")).collect();
        let hint = match (runs_there, near.as_slice()) {
            (Some(agent), _) => format!("that is the session of `{}`: name the agent", agent.id),
            (None, []) => format!("see `bb list`, or register it: bb register --name {id} --role ROLE"),
            (None, near) => format!("did you mean {}?", near.join(" or ")),
        };
        let thing = match unknown {
            Code::UnknownSender => "sender",
            Code::UnknownRecipient => "recipient",
            _ => "agent",
        };
        Err(Failure::new(unknown, format!("{thing} `{id}` is not registered")).hint(hint))
    }

    /// The agent that acts, having presented its token if it is protected.
    pub(super) fn acting(&self, view: &Transaction, id: &AgentId, unknown: Code) -> Result<Actor, Failure> {
        let agent = self.known(view, id, unknown)?;
        let verified = self.check_token(&agent)?;
        Ok(Actor { agent, verified })
    }

    fn check_token(&self, agent: &Agent) -> Result<bool, Failure> {
        let Some(stored) = &agent.token_hash else { return Ok(false) };
        match self.settings.token()? {
            None => Err(Failure::new(Code::TokenRequired, format!("agent `{}` is protected", agent.id))
                .hint("set BB_TOKEN or BB_TOKEN_FILE to the token that `register --protect` printed")),
            Some(presented) if token::matches(&presented, stored) => Ok(true),
            Some(_) => {
                Err(Failure::new(Code::TokenInvalid, format!("the token is not that of `{}`", agent.id))
                    .hint("check BB_TOKEN and BB_TOKEN_FILE"))
            }
        }
    }

    /// Notes that an agent looked at something. A reader must not fail because this cannot be written.
    pub(super) fn note_activity(&self, agent: &Agent) {
        let often = self.stale_after().map_or(SEEN_AT_MOST_EVERY, |stale| SEEN_AT_MOST_EVERY.min(stale / 4));
        let given_up = agent.state == AgentState::Unresponsive;
        if given_up || self.now().since(agent.last_seen_at) >= often {
            let _ = self.write(|transaction, now| Ok(transaction.agent_seen(&agent.id, now)?));
        }
    }
}

/// An agent as callers see it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Profile {
    pub agent_id: AgentId,
    pub display_name: String,
    pub role: String,
    pub session: Option<String>,
    pub state: AgentState,
    pub liveness: crate::domain::agent::Liveness,
    pub protected: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replaced_by: Option<AgentId>,
    #[schemars(with = "String")]
    pub created_at: crate::domain::Timestamp,
    #[schemars(with = "String")]
    pub last_seen_at: crate::domain::Timestamp,
}

impl Profile {
    /// What callers see of an agent now.
    pub(super) fn of(agent: Agent, context: &Context) -> Result<Self, Failure> {
        let liveness = context.liveness(&agent)?;
        Ok(Self {
            protected: agent.is_protected(),
            agent_id: agent.id,
            display_name: agent.display,
            role: agent.role,
            session: agent.session,
            state: agent.state,
            liveness,
            replaced_by: agent.replaced_by,
            created_at: agent.created_at,
            last_seen_at: agent.last_seen_at,
        })
    }
}
