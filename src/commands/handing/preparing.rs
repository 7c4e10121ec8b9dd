//! Beginning a handoff: everything is checked, the document is kept, and then it is put on record.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use serde_json::json;

use super::closing::release;
use super::{apply, letter};
use crate::commands::correspondence::post;
use crate::commands::{Context, lookup, recipients, tasking};
use crate::domain::agent::{Agent, AgentId, Liveness};
use crate::domain::event::NewEvent;
use crate::domain::handoff::{
    Accounts, Document, Handoff, HandoffInput, Member, NewHandoff, Publication, Requested, Superseded,
    TaskRef, Urgency, check_tasks, document_name, notice, supersede,
};
use crate::domain::message::MessageId;
use crate::domain::task::{Task, TaskId};
use crate::domain::{Timestamp, age};
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
    /// None for what the notification asks for.
    pub urgency: Option<Urgency>,
    pub starting_from: Option<&'a str>,
    pub publication: Publication,
    pub pull_request: Option<u64>,
    pub notification: Option<&'a MessageId>,
}

/// A handoff that was put on record, and the earlier ones that it closed.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub handoff: Handoff,
    pub superseded: Vec<Superseded>,
    /// When the replacement was last heard of, if that is long ago.
    pub silence: Option<String>,
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
    let requested =
        wanted.notification.map(|part| requested(view, part, &wanted.orchestrator)).transpose()?;
    let asked = requested.as_ref().and_then(|it| it.urgency);
    let new = NewHandoff {
        handoff_id: context.ids.uuid()?.parse()?,
        orchestrator: wanted.orchestrator.clone(),
        failed: member(failed),
        replacement: member(replacement),
        reason: wanted.reason.to_owned(),
        urgency: wanted.urgency.or(asked).unwrap_or_default(),
        requested,
        tasks: tasks.iter().map(TaskRef::of).collect(),
        starting_from: wanted.starting_from.map(str::to_owned),
        publication: wanted.publication.clone(),
        pull_request: wanted.pull_request,
        accounts: accounts(context, wanted)?,
        folder: context.settings.current_folder().ok().map(|folder| folder.display().to_string()),
    };
    let handoff = Handoff::prepare(new, now)?;
    recipients::resolve(context, view, &[wanted.replacement.to_string()], &wanted.orchestrator, false)
        .map_err(|failure| {
            unreachable_replacement(failure, recipients::successor(view, wanted.replacement))
        })?;
    check_tasks(wanted.failed, &tasks)?;
    Ok(handoff)
}

/// Nothing is left lying for a replacement that is gone: it is to begin now.
fn unreachable_replacement(failure: Failure, successor: Option<AgentId>) -> Failure {
    match (failure.code, successor) {
        (Code::RecipientGone, Some(by)) => failure.hint(format!("it was replaced by `{by}`: --to {by}")),
        (Code::RecipientGone, None) => failure.hint("name another agent: --to AGENT"),
        _ => failure,
    }
}

/// What the controller asked for in a message to the orchestrator.
fn requested(view: &Transaction, part: &MessageId, orchestrator: &AgentId) -> Result<Requested, Failure> {
    let message = lookup::message(view, part)?;
    if message.to_agent != *orchestrator {
        let what = format!("message `{}` is for `{}`", message.message_id, message.to_agent);
        return Err(Failure::new(Code::ReadForbidden, what).hint("name the one that asked you to replace"));
    }
    let said = message.content.as_ref().and_then(|content| content.get("urgency")?.as_str()?.parse().ok());
    Ok(Requested { notification_id: message.message_id, received_at: message.created_at, urgency: said })
}

fn accounts(context: &Context, wanted: &Wanted) -> Result<Accounts, Failure> {
    let known = context.config()?.get("github_accounts");
    let of = |agent: &AgentId| known.of(agent.as_str()).map(str::to_owned);
    Ok(Accounts { failed: of(wanted.failed), replacement: of(wanted.replacement) })
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
    let data = json!({"failed": handoff.failed.id, "failed_agent": handoff.failed.id,
        "to": handoff.replacement.id, "reason": handoff.reason,
        "urgency": handoff.urgency, "tasks": handoff.task_uuids()});
    transaction
        .record(&NewEvent::new("handoff.prepared", &by, handoff.handoff_id.as_str()).data(data), now)?;
    apply(transaction, &mut handoff, HandoffInput::Copied(document), &by, now)?;
    let mut earlier = transaction.open_handoffs()?;
    let superseded = supersede(&mut earlier, &handoff, now)?;
    for closed in earlier.iter().filter(|it| superseded.iter().any(|by| by.handoff_id == it.handoff_id)) {
        withdraw(context, transaction, closed, &handoff, now)?;
    }
    transaction.agent_seen(&by, now)?;
    let silence = silence(context, transaction, &handoff.replacement.id)?;
    Ok(Prepared { handoff, superseded, silence })
}

fn silence(context: &Context, view: &Transaction, agent: &AgentId) -> Result<Option<String>, Failure> {
    let agent = context.known(view, agent, Code::UnknownRecipient)?;
    let long = context.liveness(&agent)? != Liveness::Active;
    let ago = age::short(context.now().since(agent.last_seen_at));
    Ok(long.then(|| format!("`{}` was last seen {ago} ago; it may have to be started", agent.id)))
}

/// Keeps that a handoff was superseded; nobody has to answer for it any more, and whoever was asked to or
/// waits for it is told.
fn withdraw(
    context: &Context,
    transaction: &Transaction,
    closed: &Handoff,
    newer: &Handoff,
    now: Timestamp,
) -> Result<(), Failure> {
    let by = &newer.orchestrator;
    transaction.save_handoff(closed)?;
    release(context, transaction, closed, now)?;
    let data = json!({"superseded_by": closed.superseded_by, "failed_agent": closed.failed.id,
        "replacement_agent": closed.replacement.id});
    let event = NewEvent::new("handoff.superseded", by, closed.handoff_id.as_str());
    transaction.record(&event.data(data), now)?;
    let asked = closed.delivery().map(|_| &closed.replacement.id);
    for to in asked.into_iter().chain([&closed.orchestrator]).filter(|to| *to != by) {
        post(context, transaction, &letter(closed, by, to, notice::superseded(closed, newer, to)), now)?;
    }
    Ok(())
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
