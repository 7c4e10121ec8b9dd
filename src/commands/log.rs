//! `log`: what happened, in order.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::waiting::{self, Patience};
use super::{Context, Listener, Report};
use crate::domain::agent::AgentId;
use crate::domain::archive::ArchiveFile;
use crate::domain::event::Event;
use crate::domain::mailbox::Limit;
use crate::domain::message::words;
use crate::domain::{Invalid, Rule, Timestamp, duration};
use crate::failure::{Code, Failure};
use crate::store::Archive;
use crate::store::changes::Topic;
use crate::store::sqlite::EventFilter;

/// How many events are fetched at once.
const AT_ONCE: u32 = 500;

words! {
    /// How the log is written.
    Format, Rule::Format, "format of the log" {
        Text => "text",
        Jsonl => "jsonl",
        Yaml => "yaml",
    }
}

/// Show what happened
#[derive(Debug, Clone, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Args {
    /// Only from then on: a time, or how long ago (90s, 2m, 1h, 7d)
    #[arg(long, value_name = "TIME", value_parser = since)]
    pub since: Option<String>,
    /// Only what happened before this event, to see more than one page
    #[arg(long, value_name = "EVENT_ID", value_parser = clap::value_parser!(i64).range(1..))]
    pub before: Option<i64>,
    /// Only what this agent did or what happened to it
    #[arg(long, value_name = "AGENT")]
    pub agent: Option<AgentId>,
    /// Only what belongs to this operation
    #[arg(long, value_name = "OP")]
    pub operation_id: Option<String>,
    /// At most this many, the newest, 1 to 500 [default: 50]
    #[arg(long, value_name = "N", value_parser = Limit::parse, allow_negative_numbers = true)]
    pub limit: Option<Limit>,
    /// Also what `archive` moved out of the store
    #[arg(long)]
    pub archived: bool,
    /// text, jsonl (one JSON object a line) or yaml (a list) [default: text]
    #[arg(long)]
    pub format: Option<Format>,
    /// Print each new event as it happens, until interrupted; with --since, --limit or --archived, first
    /// what was
    #[arg(long, conflicts_with = "before")]
    pub follow: bool,
}

/// Checks the form; the time it means depends on when it is asked.
fn since(text: &str) -> Result<String, Invalid> {
    moment(text, Timestamp::default()).map(|_| text.to_owned())
}

fn moment(text: &str, now: Timestamp) -> Result<Timestamp, Invalid> {
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
    pub format: Format,
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
    let filter = EventFilter {
        since,
        agent: args.agent.clone(),
        operation_id: args.operation_id.clone(),
        before: args.before,
    };
    let format = args.format.unwrap_or(Format::Text);
    let (events, newest) = look(context, args, &filter, listener)?;
    if !args.follow {
        return Ok(Log { events, format, followed: false });
    }
    let followed = Log { events: Vec::new(), format, followed: true };
    // Whoever says from when or how many wants to see what was, too.
    let wants_past = args.since.is_some() || args.limit.is_some() || args.archived;
    for event in events.iter().filter(|_| wants_past) {
        if !listener.logged(event, format)? {
            return Ok(followed);
        }
    }
    follow(context, &filter, format, newest, listener)?;
    Ok(followed)
}

/// The newest events that fit, and the place of the newest of all in the log.
fn look(
    context: &Context,
    args: &Args,
    filter: &EventFilter,
    listener: &mut dyn Listener,
) -> Result<(Vec<Event>, i64), Failure> {
    let limit = args.limit.unwrap_or_default().get();
    let (events, files, newest) = context.read(|view| {
        if let Some(agent) = &args.agent {
            context.known(view, agent, Code::AgentNotFound)?;
        }
        Ok((view.newest_events(filter, limit)?, view.archive_files()?, view.newest_event_id()?))
    })?;
    // What the files held in that view they hold for ever, so it need not be kept open to read them.
    if args.archived {
        let archive = Archive::of(context.store()?.location());
        return Ok((archive.newest(&files, filter, limit, events)?, newest));
    }
    let may_be_in = |file: &ArchiveFile| filter.may_be_in(file);
    let is_full = usize::try_from(limit).is_ok_and(|limit| events.len() >= limit);
    if !args.follow && !is_full && files.iter().any(may_be_in) {
        listener.notice("what is older may be in the archive: add --archived to look there, too")?;
    }
    Ok((events, newest))
}

/// Passes on every new event that fits, until interrupted or until nobody listens.
fn follow(
    context: &Context,
    filter: &EventFilter,
    format: Format,
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
                if filter.fits(&event) && !listener.logged(&event, format)? {
                    return Ok(Some(()));
                }
            }
        }
    })?;
    Ok(())
}
