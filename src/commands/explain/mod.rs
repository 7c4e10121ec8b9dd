//! `explain`: the whole story of anything that has an id, and the next command.
//!
//! Each kind of thing is one function that knows its ids: it answers with a story, or with nothing when
//! the id is none of its own.

mod agent;
mod broadcast;
mod handoff;
mod message;
mod operation;
mod past;
mod reservation;
mod task;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Context, Me, Report};
use crate::domain::agent::AgentId;
use crate::domain::story::Step;
use crate::failure::{Code, Failure};
use crate::store::Transaction;

/// Tell the whole story of anything that has an id
#[derive(Debug, Clone, clap::Args, Deserialize, JsonSchema)]
pub struct Args {
    /// A message, operation, task, handoff, reservation, fan-out or agent: its id; of messages, operations,
    /// handoffs and reservations a part will do, and a reservation's scope
    #[arg(value_name = "ID")]
    pub id: String,
    #[command(flatten)]
    #[serde(flatten)]
    pub me: Me,
}

/// What became of one thing.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Story {
    pub id: String,
    /// What it is, for example `message`.
    pub kind: &'static str,
    pub title: String,
    /// How it stands now.
    pub standing: String,
    pub facts: Vec<Fact>,
    /// What happened to it, in order of time.
    pub steps: Vec<Step>,
    pub next: Option<Next>,
}

/// Something that is known of it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Fact {
    pub name: &'static str,
    pub value: String,
}

/// What is to be done next, and by whom.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Next {
    pub agent: AgentId,
    pub command: String,
}

impl Report for Story {}

/// What a kind is asked: what was typed, and who asks.
struct Question<'a> {
    context: &'a Context<'a>,
    view: &'a Transaction<'a>,
    part: &'a str,
    asker: Option<&'a AgentId>,
}

/// A kind of thing that has ids.
type Kind = fn(&Question) -> Result<Option<Story>, Failure>;

/// Every kind, the ones with the strictest ids first.
const KINDS: &[Kind] = &[
    agent::story,
    task::story,
    reservation::story,
    broadcast::story,
    handoff::story,
    operation::story,
    message::story,
];

/// Finds out what the id belongs to and tells its story; changes nothing.
pub fn run(context: &Context, args: &Args) -> Result<Story, Failure> {
    let asker = context.identity_if_set(args.me.agent.as_ref(), "--agent")?.map(|identity| identity.id);
    context.read(|view| {
        let question = Question { context, view, part: &args.id, asker: asker.as_ref() };
        for kind in KINDS {
            if let Some(story) = kind(&question)? {
                return Ok(story);
            }
        }
        Err(Failure::new(Code::MessageNotFound, format!("nothing has the id `{}`", args.id))
            .hint("see `bb inbox`, `bb waits`, `bb tasks`, `bb status` or `bb log` for ids"))
    })
}

fn fact(name: &'static str, value: impl ToString) -> Fact {
    Fact { name, value: value.to_string() }
}

/// Names in a row, or a dash for nobody.
fn names<'a>(agents: impl IntoIterator<Item = &'a AgentId>) -> String {
    let names: Vec<_> = agents.into_iter().map(AgentId::as_str).collect();
    if names.is_empty() { "-".to_owned() } else { names.join(", ") }
}
