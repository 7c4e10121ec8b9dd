//! `show`: one agent, or one message, without changing it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::identity::Profile;
use super::{Context, Report, lookup};
use crate::domain::Timestamp;
use crate::domain::agent::{Agent, AgentId};
use crate::domain::mailbox::Filter;
use crate::domain::message::Message;
use crate::failure::{Code, Failure};
use crate::store::Transaction;

/// Show an agent or a message
#[derive(Debug, Clone, clap::Args, Deserialize, JsonSchema)]
pub struct Args {
    /// The name of an agent, or the id of a message
    #[arg(value_name = "AGENT|ID", required_unless_present = "agent")]
    pub id: Option<String>,
    /// The agent, as a flag
    #[arg(long, value_name = "AGENT", conflicts_with = "id")]
    pub agent: Option<String>,
}

/// What was asked for.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Shown {
    Agent(Box<ShownAgent>),
    Message(Box<ShownMessage>),
}

/// An agent with what it still has to do.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ShownAgent {
    #[serde(flatten)]
    pub agent: Profile,
    /// Messages it has not read.
    pub unread: i64,
    /// Messages that wait for its ack.
    pub needs_ack: i64,
    #[serde(skip)]
    pub now: Timestamp,
}

/// A message, unchanged by looking at it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ShownMessage {
    #[serde(flatten)]
    pub message: Message,
    #[serde(skip)]
    pub now: Timestamp,
}

impl Report for Shown {}

/// Shows it. An agent wins over a message, whose id may end in what could be a name.
pub fn run(context: &Context, args: &Args) -> Result<Shown, Failure> {
    let now = context.now();
    context.read(|view| {
        if let Some(name) = &args.agent {
            let agent = context.known(view, &name.parse()?, Code::AgentNotFound)?;
            return with_mail(context, view, agent, now);
        }
        let wanted = args.id.as_deref().unwrap_or_default();
        let name = wanted.parse::<AgentId>().ok();
        if let Some(name) = &name
            && let Some(agent) = view.agent(name)?
        {
            return with_mail(context, view, agent, now);
        }
        let missing = match lookup::message(view, &wanted.parse()?) {
            Ok(message) => return Ok(Shown::Message(Box::new(ShownMessage { message, now }))),
            Err(failure) => failure,
        };
        match name {
            Some(name) if missing.code == Code::MessageNotFound && !looks_like_message(wanted) => {
                Err(context.known(view, &name, Code::AgentNotFound).err().unwrap_or(missing))
            }
            _ => Err(missing),
        }
    })
}

fn with_mail(context: &Context, view: &Transaction, agent: Agent, now: Timestamp) -> Result<Shown, Failure> {
    let count = |filter| view.count_inbox(&agent.id, &filter, now);
    let (unread, needs_ack) = (count(Filter::unread())?, count(Filter::needing_ack())?);
    Ok(Shown::Agent(Box::new(ShownAgent { agent: Profile::of(agent, context)?, unread, needs_ack, now })))
}

/// Whether a text that could be an agent's name is more likely the tail of a message id.
fn looks_like_message(text: &str) -> bool {
    !text.contains('-') && text.bytes().any(|byte| byte.is_ascii_digit())
}
