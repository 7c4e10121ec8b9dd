//! `list`: who is here.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::identity::Profile;
use super::{Context, Report};
use crate::domain::Timestamp;
use crate::domain::agent::AgentState;
use crate::failure::Failure;

/// List the agents
#[derive(Debug, Clone, Default, clap::Args, Deserialize, JsonSchema)]
pub struct Args {
    /// Only agents with this role
    #[arg(long)]
    pub role: Option<String>,
    /// Only agents in this state
    #[arg(long)]
    pub state: Option<AgentState>,
}

/// The agents in order of name.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct Agents {
    pub agents: Vec<Profile>,
    #[serde(skip)]
    #[schemars(skip)]
    pub now: Timestamp,
}

impl Report for Agents {}

/// Lists the agents.
pub fn run(context: &Context, args: &Args) -> Result<Agents, Failure> {
    let agents = context.read(|view| Ok(view.agents()?))?;
    let agents = agents
        .into_iter()
        .filter(|agent| args.role.as_ref().is_none_or(|role| agent.role.eq_ignore_ascii_case(role)))
        .filter(|agent| args.state.is_none_or(|state| agent.state == state))
        .map(|agent| Profile::of(agent, context))
        .collect::<Result<_, _>>()?;
    Ok(Agents { agents, now: context.now() })
}
