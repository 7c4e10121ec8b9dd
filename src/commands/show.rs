//! `show`: one agent, or one message, without changing it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::identity::Profile;
use super::{Context, Report, lookup};
use crate::domain::Timestamp;
use crate::domain::agent::AgentId;
use crate::domain::mailbox::Filter;
use crate::domain::message::Message;
use crate::failure::{Code, Failure};

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

/// Shows it. Agent ids have no underscore and message ids of bb have no other shape.
pub fn run(context: &Context, args: &Args) -> Result<Shown, Failure> {
    let wanted = args.id.as_ref().or(args.agent.as_ref()).map_or("", String::as_str);
    let now = context.now();
    context.read(|view| {
        if let Ok(id) = wanted.parse::<AgentId>() {
            if let Some(agent) = view.agent(&id)? {
                let count = |filter| view.count_inbox(&id, &filter, now);
                return Ok(Shown::Agent(Box::new(ShownAgent {
                    unread: count(Filter::unread())?,
                    needs_ack: count(Filter::needing_ack())?,
                    agent: Profile::of(agent, context)?,
                    now,
                })));
            }
            if args.agent.is_some() || !looks_like_message(wanted) {
                return Err(context
                    .known(view, &id, Code::AgentNotFound)
                    .err()
                    .unwrap_or_else(|| no_such(wanted)));
            }
        }
        let message = lookup::message(view, &wanted.parse()?)?;
        Ok(Shown::Message(Box::new(ShownMessage { message, now })))
    })
}

/// Whether a text that could be an agent's name is more likely the tail of a message id.
fn looks_like_message(text: &str) -> bool {
    !text.contains('-') && text.bytes().any(|byte| byte.is_ascii_digit())
}

fn no_such(wanted: &str) -> Failure {
    Failure::new(Code::AgentNotFound, format!("there is no agent `{wanted}`"))
}
