//! `inbox`: what an agent has received. Looking changes nothing.

use std::time::Duration;

use schemars::{JsonSchema, Schema, schema_for};
use serde::{Deserialize, Serialize};

use super::waiting::{self, Patience};
use super::{Context, Listener, Me, Report};
use crate::domain::agent::{Agent, AgentId};
use crate::domain::duration;
use crate::domain::mailbox::{Filter, Limit};
use crate::domain::message::{Category, Message, MessageId, State};
use crate::domain::{Timestamp, age};
use crate::failure::{Code, Failure};
use crate::store::Transaction;
use crate::store::changes::Topic;

/// List what you have received
#[derive(Debug, Clone, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Args {
    #[command(flatten)]
    #[serde(flatten)]
    pub me: Me,
    /// Only unread, read or acked messages
    #[arg(long)]
    pub state: Option<State>,
    /// Only messages about this bead
    #[arg(long, value_name = "BEAD")]
    pub bead: Option<String>,
    /// Only messages of this thread
    #[arg(long)]
    pub thread: Option<String>,
    /// Only messages from this agent
    #[arg(long, value_name = "AGENT")]
    pub from: Option<AgentId>,
    /// Only HANDOFF, BLOCKED, DECISION or INFO
    #[arg(long)]
    pub category: Option<Category>,
    /// Only what still needs you: unread, or requiring an ack and not acked
    #[arg(long)]
    pub pending: bool,
    /// Only what requires an ack and is not acked
    #[arg(long)]
    pub needs_ack: bool,
    /// Only what requires an ack, is not acked, and is past its time
    #[arg(long)]
    pub overdue: bool,
    /// At most this many, 1 to 500 [default: 50]
    #[arg(long, value_name = "N", value_parser = Limit::parse, allow_negative_numbers = true)]
    pub limit: Option<Limit>,
    /// Oldest first, from this cursor on; 0 is the beginning
    #[arg(long, value_name = "CURSOR", value_parser = clap::value_parser!(i64).range(0..))]
    pub after: Option<i64>,
    /// Wait this long for something to list
    #[arg(long, value_name = "SECS", value_parser = duration::seconds)]
    #[schemars(with = "Option<u64>")]
    pub wait: Option<Duration>,
    /// Print each new message as it arrives, until interrupted
    #[arg(long)]
    pub follow: bool,
    /// Only id, sender, category, subject and age
    #[arg(long)]
    pub brief: bool,
}

impl Args {
    fn filter(&self) -> Filter {
        Filter {
            state: self.state,
            bead: self.bead.clone(),
            thread: self.thread.clone(),
            from: self.from.clone(),
            category: self.category,
            pending: self.pending,
            needs_ack: self.needs_ack,
            overdue: self.overdue,
        }
    }
}

/// A message in the fewest words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Brief {
    pub message_id: MessageId,
    pub from_agent: AgentId,
    pub category: Category,
    pub subject: String,
    pub age: String,
}

/// What was found.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Listed {
    Messages(Vec<Message>),
    Brief(Vec<Brief>),
    Page(Paged<Message>),
    BriefPage(Paged<Brief>),
}

/// A part of an inbox, and where the next one begins.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Paged<T> {
    pub messages: Vec<T>,
    pub next_cursor: i64,
}

/// The one of these answers that the arguments lead to.
pub fn shape(args: &Args) -> Schema {
    match (args.after.is_some() && !args.follow, args.brief && !args.follow) {
        (false, false) => schema_for!(Vec<Message>),
        (false, true) => schema_for!(Vec<Brief>),
        (true, false) => schema_for!(Paged<Message>),
        (true, true) => schema_for!(Paged<Brief>),
    }
}

/// An inbox.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct Inbox {
    pub listed: Listed,
    #[serde(skip)]
    #[schemars(skip)]
    pub owner: Owner,
}

/// Whose inbox it is, and when it was looked at.
#[derive(Debug)]
pub struct Owner {
    agent: Agent,
    pub now: Timestamp,
    followed: bool,
    /// As many were listed as were asked for.
    pub more: bool,
    /// No more can be asked for at once.
    pub at_most: bool,
}

impl Owner {
    /// The agent's name.
    pub fn id(&self) -> &AgentId {
        &self.agent.id
    }
}

impl Report for Inbox {
    fn is_silent(&self) -> bool {
        self.owner.followed
    }

    fn settle(&self, context: &Context) -> Result<(), Failure> {
        context.note_activity(&self.owner.agent);
        Ok(())
    }
}

/// Lists the inbox, waits for something to list, or follows it.
pub fn run(context: &Context, args: &Args, listener: &mut dyn Listener) -> Result<Inbox, Failure> {
    let me = context.identity(args.me.agent.as_ref(), "--agent")?.id;
    let agent = context.read(|view| {
        args.from.as_ref().map(|from| context.known(view, from, Code::AgentNotFound)).transpose()?;
        Ok(context.acting(view, &me, Code::AgentNotFound)?.agent)
    })?;
    if args.follow {
        follow(context, args, &agent, listener)?;
        return Ok(inbox(context, agent, args, Vec::new(), true));
    }
    let messages = match args.wait {
        None => context.read(|view| look(context, view, args, &me))?,
        Some(limit) => {
            let topic = Topic::Mailbox(me.clone());
            let patience =
                Patience::until(context.now() + limit).minding_time(args.overdue).ended_by_signals();
            let found = waiting::until(context, &topic, patience, || {
                let messages = context.read(|view| look(context, view, args, &me))?;
                Ok((!messages.is_empty()).then_some(messages))
            })?;
            found.unwrap_or_default()
        }
    };
    Ok(inbox(context, agent, args, messages, false))
}

fn look(context: &Context, view: &Transaction, args: &Args, me: &AgentId) -> Result<Vec<Message>, Failure> {
    let (filter, limit, now) = (args.filter(), args.limit.unwrap_or_default(), context.now());
    if let Some(cursor) = args.after {
        return Ok(view.inbox_after(me, &filter, cursor, limit, now)?);
    }
    // Whoever is to replace somebody sees that first, however much has come since.
    let mut messages = view.open_handoff_notices(me, &filter, limit, now)?;
    let newest = view.inbox(me, &filter, limit, now)?;
    let rest: Vec<_> = newest.into_iter().filter(|it| !messages.contains(it)).collect();
    messages.extend(rest);
    messages.truncate(usize::try_from(limit.get()).unwrap_or(usize::MAX));
    Ok(messages)
}

fn inbox(context: &Context, agent: Agent, args: &Args, messages: Vec<Message>, followed: bool) -> Inbox {
    let now = context.now();
    let at_most = args.limit.is_some_and(|limit| limit == Limit::MOST);
    let full =
        usize::try_from(args.limit.unwrap_or_default().get()).is_ok_and(|limit| messages.len() >= limit);
    let next_cursor = messages.last().map(|message| message.cursor).or(args.after).unwrap_or(0);
    let brief = |messages: Vec<Message>| messages.iter().map(|message| brief(message, now)).collect();
    let listed = match (args.after.is_some(), args.brief) {
        (false, false) => Listed::Messages(messages),
        (false, true) => Listed::Brief(brief(messages)),
        (true, false) => Listed::Page(Paged { messages, next_cursor }),
        (true, true) => Listed::BriefPage(Paged { messages: brief(messages), next_cursor }),
    };
    Inbox { listed, owner: Owner { agent, now, followed, more: full, at_most } }
}

fn brief(message: &Message, now: Timestamp) -> Brief {
    Brief {
        message_id: message.message_id.clone(),
        from_agent: message.from_agent.clone(),
        category: message.category,
        subject: message.subject.clone(),
        age: age::short(now.since(message.created_at)),
    }
}

/// Hands each message that arrives to the listener, from the cursor or from now on.
fn follow(context: &Context, args: &Args, agent: &Agent, listener: &mut dyn Listener) -> Result<(), Failure> {
    let mut cursor = match args.after {
        Some(cursor) => cursor,
        None => context.read(|view| Ok(view.newest_cursor()?))?,
    };
    let patience = args.wait.map_or(Patience::endless(), |limit| Patience::until(context.now() + limit));
    waiting::until(context, &Topic::Mailbox(agent.id.clone()), patience, || {
        loop {
            let page = Args { after: Some(cursor), ..args.clone() };
            let messages = context.read(|view| look(context, view, &page, &agent.id))?;
            for message in &messages {
                if !listener.message(message)? {
                    return Ok(Some(()));
                }
                cursor = message.cursor;
            }
            if messages.is_empty() {
                return Ok(None);
            }
        }
    })?;
    Ok(())
}
