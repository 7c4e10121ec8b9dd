//! `import`: takes over what agents of BeadBoard share.
//!
//! Readers turn the files into records and say what they could not use ([`source`], [`agents`],
//! [`messages`], [`reservations`]); a plan compares the records with what is here already
//! ([`plan`]); one transaction writes the plan (`write`). The source is never written to.

mod agents;
mod messages;
mod plan;
mod records;
mod reservations;
mod source;
mod write;

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Context, Report};
use crate::failure::Failure;
use plan::{Known, Plan};
use records::{AgentRecord, MessageRecord};
use reservations::Takeover;
use source::{Read, Source};

pub use reservations::Reservations;
pub use source::Skipped;

/// Take over a BeadBoard store
///
/// Reads agents, messages and reservations from the folder, and changes nothing there. It can be repeated
/// at any time: what is here already stays as it is, except that a message which has come further there
/// (unread, read, acked) moves on here too; times once set never change. A message keeps its id and its
/// times, and takes its place in the order of arrival when it is imported. An agent without a file of its
/// own is taken from the messages and reservations that name it, with the role `unknown`. What bb would
/// not accept, such as an id with a slash in it or a torn line, is skipped and reported with its file, its
/// line and the reason. All of it happens in one transaction.
#[derive(Debug, Clone, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Args {
    /// The folder that holds agents, messages and reservations (else ~/.beadboard/agent)
    #[arg(long, value_name = "FOLDER")]
    pub from: Option<PathBuf>,
    /// Report what would be imported, and import nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// What became of the agents.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Agents {
    pub imported: usize,
    /// Those of the imported that had no file of their own.
    pub derived: usize,
    pub already_there: usize,
    pub skipped: Vec<Skipped>,
}

/// What became of the messages.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Messages {
    pub imported: usize,
    /// Here already, and moved on from unread to read, or to acked.
    pub advanced: usize,
    pub already_there: usize,
    pub skipped: Vec<Skipped>,
}

/// What was taken over.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Imported {
    pub source: String,
    pub dry_run: bool,
    pub agents: Agents,
    pub messages: Messages,
    pub reservations: Reservations,
}

impl Report for Imported {}

/// Reads everything first, so that the store is held only while it is written.
pub fn run(context: &Context, args: &Args) -> Result<Imported, Failure> {
    let folder = args.from.clone().map_or_else(|| context.settings.beadboard_folder(), Ok)?;
    let source = Source::open(&folder)?;
    let limit = context.config()?.get("max_body_bytes").number();
    let agents = agents::read(&source);
    let messages = messages::read(&source, usize::try_from(limit).unwrap_or(usize::MAX));
    let reservations = reservations::read(&source);
    let holders: Vec<_> = reservations.records.iter().map(|it| (&it.agent_id, it.created_at)).collect();
    let planned = |known: &Known, now| plan::of(known, &agents.records, &messages.records, &holders, now);
    let takeover = reservations::place(context, reservations.clone())?;
    let (plan, taken_over) = if args.dry_run {
        let plan = planned(&known(context, &messages.records)?, context.now());
        (plan, foretell(context, takeover)?)
    } else {
        context.write(|transaction, now| {
            let plan = planned(&Known::look(transaction, &messages.records)?, now);
            write::apply(transaction, &plan, now)?;
            Ok((plan, takeover.write(transaction, now)?))
        })?
    };
    Ok(Imported {
        source: folder.display().to_string(),
        dry_run: args.dry_run,
        reservations: taken_over,
        ..report(plan, agents, messages)
    })
}

/// What is here already; looking creates no store.
fn known(context: &Context, messages: &[MessageRecord]) -> Result<Known, Failure> {
    match context.existing_store()? {
        None => Ok(Known::default()),
        Some(store) => store
            .read(|view| Known::look(view, messages))
            .map_err(|failure| failure.at_store(store.location().file())),
    }
}

/// What would become of the reservations; looking creates no store.
fn foretell(context: &Context, takeover: Takeover) -> Result<Reservations, Failure> {
    match context.existing_store()? {
        None => takeover.foretell(None, context.now()),
        Some(store) => store
            .read(|view| takeover.foretell(Some(view), context.now()))
            .map_err(|failure: Failure| failure.at_store(store.location().file())),
    }
}

fn report(plan: Plan, agents: Read<AgentRecord>, messages: Read<MessageRecord>) -> Imported {
    Imported {
        source: String::new(),
        dry_run: false,
        agents: Agents {
            imported: plan.new_agents.len(),
            derived: plan.derived,
            already_there: plan.known_agents,
            skipped: agents.skipped,
        },
        messages: Messages {
            imported: plan.new_messages.len(),
            advanced: plan.advances.len(),
            already_there: plan.known_messages,
            skipped: messages.skipped.into_iter().chain(plan.conflicts).collect(),
        },
        reservations: Reservations::default(),
    }
}
