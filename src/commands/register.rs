//! `register`: an agent gets a name.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::identity::Profile;
use super::token_file::{self, Kept};
use super::{Context, Report};
use crate::domain::Timestamp;
use crate::domain::agent::{Agent, AgentId, AgentState};
use crate::domain::event::NewEvent;
use crate::domain::message::check_label;
use crate::domain::token;
use crate::failure::{Code, Failure};
use crate::store::Transaction;

/// Register an agent
#[derive(Debug, Clone, clap::Args, Deserialize, JsonSchema)]
pub struct Args {
    /// Its name: 3 to 48 lower-case letters and digits in words joined by hyphens
    #[arg(long, value_name = "AGENT")]
    pub name: AgentId,
    /// What it does, for example backend; `role:backend` then reaches it
    #[arg(long)]
    pub role: String,
    /// How people call it
    #[arg(long, value_name = "NAME")]
    pub display: Option<String>,
    /// The session it runs in
    #[arg(long)]
    pub session: Option<String>,
    /// Change display, role and session of an agent that is registered already
    #[arg(long)]
    #[serde(default)]
    pub force_update: bool,
    /// Require a token from whoever acts as this agent; printed once
    #[arg(long)]
    #[serde(default)]
    pub protect: bool,
    /// Keep the token in this file instead of printing it; repeating the command is then safe
    #[arg(long, value_name = "FILE", requires = "protect")]
    pub token_file: Option<PathBuf>,
}

/// The agent, and its token if it got one.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Registered {
    #[serde(flatten)]
    pub agent: Profile,
    /// Shown this once; only its hash is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// Where the token is kept, if it is not shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token_file: Option<PathBuf>,
    #[serde(skip)]
    pub updated: bool,
}

impl Report for Registered {}

impl Args {
    /// Whether an agent is what these arguments ask for.
    fn asks_for(&self, known: &Agent, token: Option<&str>) -> bool {
        known.has_token(token)
            && known.role == self.role
            && self.display.as_ref().is_none_or(|display| known.display == *display)
            && (self.session.is_none() || known.session == self.session)
    }
}

/// Registers the agent.
pub fn run(context: &Context, args: &Args) -> Result<Registered, Failure> {
    check_label("role", &args.role)?;
    for (thing, text) in [("display name", &args.display), ("session", &args.session)] {
        text.as_deref().map_or(Ok(()), |text| check_label(thing, text))?;
    }
    let kept = args.token_file.as_ref().map(|file| token_file::keep(context, file)).transpose()?;
    let token = match &kept {
        Some(kept) => Some(kept.token.clone()),
        None => args.protect.then(|| context.ids.token()).transpose()?,
    };
    let registered = context.write(|transaction, now| match transaction.agent(&args.name)? {
        None => Ok((add(transaction, args, token.as_deref(), now)?, false)),
        Some(_) if args.force_update => {
            context.acting(transaction, &args.name, Code::AgentNotFound)?;
            transaction.agent_seen(&args.name, now)?;
            let known = context.known(transaction, &args.name, Code::AgentNotFound)?;
            Ok((update(transaction, known, args, token.as_deref(), now)?, true))
        }
        // Whoever never heard the answer of the first time asks again.
        Some(known) if args.token_file.is_some() && args.asks_for(&known, token.as_deref()) => {
            Ok((known, false))
        }
        Some(_) => {
            Err(Failure::new(Code::DuplicateAgentId, format!("agent `{}` is registered already", args.name))
                .hint("choose another name, or pass --force-update to change display, role and session"))
        }
    });
    let (agent, updated) = registered.inspect_err(|failure| {
        if failure.code == Code::DuplicateAgentId {
            kept.iter().for_each(Kept::discard);
        }
    })?;
    let shown = token.filter(|_| args.token_file.is_none());
    let agent = Profile::of(agent, context)?;
    Ok(Registered { agent, token: shown, token_file: args.token_file.clone(), updated })
}

fn add(
    transaction: &Transaction,
    args: &Args,
    token: Option<&str>,
    now: Timestamp,
) -> Result<Agent, Failure> {
    let agent = Agent {
        id: args.name.clone(),
        display: args.display.clone().unwrap_or_else(|| args.name.to_string()),
        role: args.role.clone(),
        session: args.session.clone(),
        state: AgentState::Idle,
        token_hash: token.map(token::hash),
        replaced_by: None,
        created_at: now,
        last_seen_at: now,
    };
    transaction.add_agent(&agent)?;
    record(transaction, "agent.registered", &agent, now)?;
    Ok(agent)
}

fn update(
    transaction: &Transaction,
    known: Agent,
    args: &Args,
    token: Option<&str>,
    now: Timestamp,
) -> Result<Agent, Failure> {
    let agent = Agent {
        display: args.display.clone().unwrap_or(known.display),
        role: args.role.clone(),
        session: args.session.clone().or(known.session),
        token_hash: token.map(token::hash).or(known.token_hash),
        ..known
    };
    transaction.update_agent(&agent)?;
    record(transaction, "agent.updated", &agent, now)?;
    Ok(agent)
}

fn record(transaction: &Transaction, event: &str, agent: &Agent, now: Timestamp) -> Result<(), Failure> {
    let data = json!({
        "display": agent.display, "role": agent.role, "session": agent.session,
        "state": agent.state, "protected": agent.is_protected(),
    });
    Ok(transaction.record(&NewEvent::new(event, &agent.id, agent.id.as_str()).data(data), now)?)
}
