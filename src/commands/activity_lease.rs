//! `activity-lease`: an agent says that it is alive.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::identity::Profile;
use super::{Context, Me, Report};
use crate::domain::agent::AgentId;
use crate::domain::event::NewEvent;
use crate::failure::{Code, Failure};

/// Say that an agent is alive
#[derive(Debug, Clone, Default, clap::Args, Deserialize, JsonSchema)]
pub struct Args {
    /// The agent (the same as --agent)
    #[arg(value_name = "AGENT", conflicts_with = "agent")]
    pub subject: Option<AgentId>,
    #[command(flatten)]
    #[serde(flatten)]
    pub me: Me,
}

/// The agent, just seen.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct Seen {
    pub agent: Profile,
}

impl Report for Seen {}

/// Refreshes the liveness and does nothing else.
pub fn run(context: &Context, args: &Args) -> Result<Seen, Failure> {
    let identity = context.identity(args.subject.as_ref().or(args.me.agent.as_ref()), "--agent")?;
    let agent = context.write(|transaction, now| {
        context.acting(transaction, &identity.id, Code::AgentNotFound)?;
        transaction.agent_seen(&identity.id, now)?;
        transaction.record(&NewEvent::new("agent.seen", &identity.id, identity.id.as_str()), now)?;
        context.known(transaction, &identity.id, Code::AgentNotFound)
    })?;
    Ok(Seen { agent: Profile::of(agent, context)? })
}
