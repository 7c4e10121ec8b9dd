//! `log`: what happened, in order.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::waiting::{self, Patience};
use super::{Context, Listener, Report};
use crate::domain::agent::AgentId;
use crate::domain::event::Event;
use crate::domain::mailbox::Limit;
use crate::domain::{Timestamp, duration};
use crate::failure::{Code, Failure};
use crate::store::changes::Topic;
use crate::store::sqlite::EventFilter;

/// How many events are fetched at once.
const AT_ONCE: u32 = 500;

/// Show what happened
#[derive(Debug, Clone, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Args {
    /// Only from then on: a time, or how long ago (90s, 2m, 1h)
    #[arg(long, value_name = "TIME", value_parser = since)]
    pub since: Option<String>,
    /// Only what this agent did or what happened to it
    #[arg(long, value_name = "AGENT")]
    pub agent: Option<AgentId>,
    /// Only what belongs to this operation
    #[arg(long, value_name = "OP")]
    pub operation_id: Option<String>,
    /// At most this many, the newest, 1 to 500 [default: 50]
    #[arg(long, value_name = "N", value_parser = Limit::parse)]
    pub limit: Option<Limit>,
    /// Print each new event as it happens, until interrupted; with --since or --limit, first what was
    #[arg(long)]
    pub follow: bool,
}

/// Checks the form; the time it means depends on when it is asked.
fn since(text: &str) -> Result<String, crate::domain::Invalid> {
    moment(text, Timestamp::default()).map(|_| text.to_owned())
}

fn moment(text: &str, now: Timestamp) -> Result<Timestamp, crate::domain::Invalid> {
    match duration::seconds(text) {
        Ok(ago) => Ok(now - ago),
        Err(_) => text.parse(),
    }
}

/// The events, oldest first.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct Log {
    pub events: Vec<Event>,
    #[serde(skip)]
    #[schemars(skip)]
    pub followed: bool,
}

impl Report for Log {
    fn is_silent(&self) -> bool {
        self.followed
    }
}

/// Lists the newest events that fit, or follows the log.
pub fn run(context: &Context, args: &Args, listener: &mut dyn Listener) -> Result<Log, Failure> {
    let since = args.since.as_deref().map(|text| moment(text, context.now())).transpose()?;
    let filter = EventFilter { since, agent: args.agent.clone(), operation_id: args.operation_id.clone() };
    let limit = args.limit.unwrap_or_default().get();
    let (events, newest) = context.read(|view| {
        if let Some(agent) = &args.agent {
            context.known(view, agent, Code::AgentNotFound)?;
        }
        Ok((view.newest_events(&filter, limit)?, view.newest_event_id()?))
    })?;
    if !args.follow {
        return Ok(Log { events, followed: false });
    }
    // Whoever says from when or how many wants to see what was, too.
    let wants_past = args.since.is_some() || args.limit.is_some();
    for event in events.iter().filter(|_| wants_past) {
        if !listener.logged(event)? {
            return Ok(Log { events: Vec::new(), followed: true });
        }
    }
    follow(context, &filter, newest, listener)?;
    Ok(Log { events: Vec::new(), followed: true })
}

/// Passes on every new event that fits, until interrupted or until nobody listens.
fn follow(
    context: &Context,
    filter: &EventFilter,
    mut seen: i64,
    listener: &mut dyn Listener,
) -> Result<(), Failure> {
    waiting::until(context, &Topic::Everything, Patience::endless(), || {
        loop {
            let events = context.read(|view| Ok(view.events_after(seen, AT_ONCE)?))?;
            if events.is_empty() {
                return Ok(None);
            }
            for event in events {
                seen = event.event_id;
                if filter.fits(&event) && !listener.logged(&event)? {
                    return Ok(Some(()));
                }
            }
        }
    })?;
    Ok(())
}
