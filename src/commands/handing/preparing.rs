//! Beginning a handoff: everything is checked, the document is kept, and then it is put on record.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use serde_json::json;

use super::apply;
use crate::commands::{Context, handshake, recipients, tasking};
use crate::domain::Timestamp;
use crate::domain::agent::{Agent, AgentId};
use crate::domain::event::NewEvent;
use crate::domain::handoff::{
    Document, Handoff, HandoffInput, Member, NewHandoff, Publication, Superseded, TaskRef, Urgency,
    check_tasks, document_name, supersede,
};
use crate::domain::task::{Task, TaskId};
use crate::failure::{Code, Failure};
use crate::store::Transaction;

/// What is to be handed over, and how.
#[derive(Debug)]
pub(crate) struct Wanted<'a> {
    pub orchestrator: AgentId,
    pub failed: &'a AgentId,
    pub replacement: &'a AgentId,
    pub reason: &'a str,
    pub document: &'a str,
    pub tasks: &'a [TaskId],
    pub urgency: Urgency,
    pub starting_from: Option<&'a str>,
    pub publication: Publication,
}

/// A handoff that was put on record, and the earlier ones that it closed.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub handoff: Handoff,
    pub superseded: Vec<Superseded>,
}

/// Checks everything, keeps the document beside the store, and puts the handoff on record.
pub(crate) fn prepare(context: &Context, wanted: &Wanted) -> Result<Prepared, Failure> {
    // Refused before anything is written; what is decided on is looked at again below.
    context.read(|view| record_of(context, view, wanted, context.now()))?;
    let path = keep(context, wanted.failed, wanted.replacement, wanted.document)?;
    let prepared = context.write(|transaction, now| {
        let handoff = record_of(context, transaction, wanted, now)?;
        begin(context, transaction, handoff, described(&path, wanted.document, now), now)
    });
    if prepared.is_err() {
        let _ = fs::remove_file(&path);
    }
    prepared
}

/// The record of the handoff, if all of it can be handed over.
fn record_of(
    context: &Context,
    view: &Transaction,
    wanted: &Wanted,
    now: Timestamp,
) -> Result<Handoff, Failure> {
    context.acting(view, &wanted.orchestrator, Code::UnknownSender)?;
    let failed = context.known(view, wanted.failed, Code::AgentNotFound)?;
    let replacement = context.known(view, wanted.replacement, Code::UnknownRecipient)?;
    let tasks: Vec<Task> =
        wanted.tasks.iter().map(|id| tasking::named(view, id)).collect::<Result<_, _>>()?;
    let new = NewHandoff {
        handoff_id: context.ids.uuid()?.parse()?,
        orchestrator: wanted.orchestrator.clone(),
        failed: member(failed),
        replacement: member(replacement),
        reason: wanted.reason.to_owned(),
        urgency: wanted.urgency,
        requested: None,
        tasks: tasks.iter().map(TaskRef::of).collect(),
        starting_from: wanted.starting_from.map(str::to_owned),
        publication: wanted.publication.clone(),
    };
    let handoff = Handoff::prepare(new, now)?;
    recipients::resolve(context, view, &[wanted.replacement.to_string()], &wanted.orchestrator, false)?;
    check_tasks(wanted.failed, &tasks)?;
    Ok(handoff)
}

fn member(agent: Agent) -> Member {
    Member { id: agent.id, session: agent.session }
}

fn begin(
    context: &Context,
    transaction: &Transaction,
    mut handoff: Handoff,
    document: Document,
    now: Timestamp,
) -> Result<Prepared, Failure> {
    let by = handoff.orchestrator.clone();
    transaction.add_handoff(&handoff)?;
    let data = json!({"failed": handoff.failed.id, "to": handoff.replacement.id, "reason": handoff.reason,
        "urgency": handoff.urgency, "tasks": handoff.task_uuids()});
    transaction
        .record(&NewEvent::new("handoff.prepared", &by, handoff.handoff_id.as_str()).data(data), now)?;
    apply(transaction, &mut handoff, HandoffInput::Copied(document), &by, now)?;
    let mut earlier = transaction.open_handoffs()?;
    let superseded = supersede(&mut earlier, &handoff, now)?;
    for closed in earlier.iter().filter(|it| superseded.iter().any(|by| by.handoff_id == it.handoff_id)) {
        withdraw(context, transaction, closed, &by, now)?;
    }
    transaction.agent_seen(&by, now)?;
    Ok(Prepared { handoff, superseded })
}

/// Keeps that a handoff was superseded; nobody has to answer for it any more.
fn withdraw(
    context: &Context,
    transaction: &Transaction,
    closed: &Handoff,
    by: &AgentId,
    now: Timestamp,
) -> Result<(), Failure> {
    transaction.save_handoff(closed)?;
    for delivery in &closed.deliveries {
        transaction.close_message(&delivery.message_id, now)?;
    }
    handshake::withdraw_handoff(context, transaction, closed.handoff_id.as_str(), now)?;
    let data = json!({"superseded_by": closed.superseded_by});
    let event = NewEvent::new("handoff.superseded", by, closed.handoff_id.as_str());
    Ok(transaction.record(&event.data(data), now)?)
}

/// A document that was kept.
pub(super) fn described(path: &Path, text: &str, now: Timestamp) -> Document {
    Document {
        path: path.display().to_string(),
        size_bytes: u64::try_from(text.len()).unwrap_or(u64::MAX),
        generated_at: now,
    }
}

/// Keeps a document beside the store.
pub(super) fn keep(
    context: &Context,
    failed: &AgentId,
    replacement: &AgentId,
    text: &str,
) -> Result<PathBuf, Failure> {
    let folder = context.store()?.location().folder().join("handoffs");
    keep_in(&folder, &document_name(failed, replacement, context.now()), text)
}

/// Writes the document into the folder, private to this user; a name that is taken gets a number.
fn keep_in(folder: &Path, name: &str, text: &str) -> Result<PathBuf, Failure> {
    let unwritten = |path: &Path, error: &io::Error| {
        Failure::new(Code::IoWriteFailed, format!("cannot write `{}`: {error}", path.display()))
            .hint("nothing was changed; free some space or make the folder writable")
    };
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)
        .map_err(|error| unwritten(folder, &error))?;
    let stem = name.strip_suffix(".md").unwrap_or(name);
    for number in 1_u32.. {
        let name = if number == 1 { name.to_owned() } else { format!("{stem}-{number}.md") };
        let path = folder.join(name);
        match OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path) {
            Ok(file) => {
                write(file, text).map_err(|error| unwritten(&path, &error))?;
                return Ok(path);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(unwritten(&path, &error)),
        }
    }
    Err(Failure::new(Code::IoWriteFailed, format!("no name is left in `{}`", folder.display())))
}

fn write(mut file: File, text: &str) -> io::Result<()> {
    file.write_all(text.as_bytes())?;
    file.sync_all()
}
