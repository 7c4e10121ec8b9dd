//! `state`: what an agent is doing.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::identity::Profile;
use super::{Context, Me, Report, handshake};
use crate::domain::agent::{Agent, AgentId, AgentState};
use crate::domain::event::NewEvent;
use crate::failure::{Code, Failure};

/// Set what an agent is doing
#[derive(Debug, Clone, clap::Args, Deserialize, JsonSchema)]
pub struct Args {
    /// The agent
    #[arg(value_name = "AGENT")]
    pub subject: AgentId,
    /// idle, spawning, running, working, stuck, done, stopped, dead, unresponsive or inactive
    #[arg(value_name = "STATE")]
    pub state: AgentState,
    #[command(flatten)]
    #[serde(flatten)]
    pub me: Me,
}

/// The agent in its new state.
#[derive(Debug, Serialize, JsonSchema)]
pub struct StateSet {
    #[serde(flatten)]
    pub agent: Profile,
    pub previous_state: AgentState,
}

impl Report for StateSet {}

/// Sets the state. Whoever has no identity of its own acts as the agent itself.
pub fn run(context: &Context, args: &Args) -> Result<StateSet, Failure> {
    let actor = context.identity_if_set(args.me.agent.as_ref(), "--agent")?.map(|identity| identity.id);
    let (before, after) = context.write(|transaction, now| {
        let before = context.known(transaction, &args.subject, Code::AgentNotFound)?;
        // An identity that is merely set in the environment and unknown here must not stand in the way.
        let named = actor.as_ref().filter(|_| args.me.agent.is_some());
        let known = actor.as_ref().filter(|id| matches!(transaction.agent(id), Ok(Some(_))));
        let actor = named.or(known).unwrap_or(&args.subject);
        context.acting(transaction, actor, Code::AgentNotFound)?;
        if before.replaced_by.is_some() && !args.state.is_gone() {
            // Whoever works again speaks for itself.
            transaction.save_succession(&Agent { replaced_by: None, ..before.clone() })?;
        }
        transaction.agent_seen(actor, now)?;
        let current = context.known(transaction, &args.subject, Code::AgentNotFound)?.state;
        // Saying it again changes nothing, and nothing is recorded.
        if current != args.state {
            transaction.set_agent_state(&args.subject, args.state)?;
            let data = json!({"from": current, "to": args.state});
            transaction
                .record(&NewEvent::new("agent.state", actor, args.subject.as_str()).data(data), now)?;
            if args.state.is_gone() {
                handshake::lost(context, transaction, &args.subject, args.state, now)?;
            }
        }
        Ok((before, context.known(transaction, &args.subject, Code::AgentNotFound)?))
    })?;
    Ok(StateSet { agent: Profile::of(after, context)?, previous_state: before.state })
}
