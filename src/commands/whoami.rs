//! `whoami`: the identity, and where it came from.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Context, Me, Report};
use crate::domain::agent::AgentId;
use crate::domain::token;
use crate::failure::Failure;

/// Say who you are, and why
#[derive(Debug, Clone, Default, clap::Args, Deserialize, JsonSchema)]
pub struct Args {
    #[command(flatten)]
    #[serde(flatten)]
    pub me: Me,
}

/// Who acts from here.
#[derive(Debug, Serialize, JsonSchema)]
pub struct WhoAmI {
    pub agent_id: AgentId,
    /// The flag or variable that named it.
    pub source: &'static str,
    pub registered: bool,
    pub protected: bool,
    /// Whether the token at hand is this agent's; null when it needs none.
    pub token_valid: Option<bool>,
    pub store: String,
}

impl Report for WhoAmI {}

/// Looks; creates nothing.
pub fn run(context: &Context, args: &Args) -> Result<WhoAmI, Failure> {
    let identity = context.identity(args.me.agent.as_ref(), "--agent")?;
    let location = context.location()?;
    let agent = match location.is_there()? {
        false => None,
        true => context.read(|view| Ok(view.agent(&identity.id)?))?,
    };
    let presented = context.settings.token()?;
    let stored = agent.as_ref().and_then(|agent| agent.token_hash.as_deref());
    Ok(WhoAmI {
        agent_id: identity.id,
        source: identity.source,
        registered: agent.is_some(),
        protected: stored.is_some(),
        token_valid: stored.map(|stored| presented.is_some_and(|token| token::matches(&token, stored))),
        store: location.file().display().to_string(),
    })
}
