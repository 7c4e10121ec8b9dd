//! `archive`: what is closed and old leaves the log of events for files beside the store.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Context, Report};
use crate::domain::archive::{ArchiveFile, Batch, DEFAULT_AGE, MOVED};
use crate::domain::event::NewEvent;
use crate::domain::{Timestamp, duration};
use crate::failure::Failure;
use crate::store::archive::Member;
use crate::store::{Archive, StoreError, Transaction};

/// The most events that are moved in one transaction, so that others get their turn.
const BATCH_EVENTS: usize = 2_000;

/// The most text that is moved in one transaction, so that little of it is in memory at once.
const BATCH_BYTES: usize = 4 * 1024 * 1024;

/// Move what is closed and old out of the store
///
/// Events that are older than asked, and about something to which nothing can happen any more, go from the
/// store into compressed files of JSON lines in the folder `archive` beside it. Messages, tasks, handoffs and
/// reservations themselves stay. Nothing is lost: an event is on the disk before it leaves the store, and
/// `bb log --archived` and `bb explain` still read it. A file that has grown beyond 10 MiB is left as it is,
/// and another one is begun. It can be repeated, cut off and run several times at once.
#[derive(Debug, Clone, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Args {
    /// Only what happened longer ago than this: seconds, or 90s, 2m, 1h, 7d [default: 30d]
    #[arg(long, value_name = "TIME", value_parser = duration::seconds)]
    #[schemars(with = "Option<u64>")]
    pub older_than: Option<Duration>,
    /// Only say what would be moved
    #[arg(long)]
    pub dry_run: bool,
}

/// What was moved, or would be.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Archived {
    pub dry_run: bool,
    /// What happened later than this stays.
    #[schemars(with = "String")]
    pub before: Timestamp,
    pub events: u64,
    #[schemars(with = "Option<String>")]
    pub oldest_at: Option<Timestamp>,
    #[schemars(with = "Option<String>")]
    pub newest_at: Option<Timestamp>,
    /// The files it went into, as they are now.
    pub files: Vec<Written>,
    /// How many events are still in the store.
    pub left: u64,
}

/// A file of the archive.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Written {
    pub path: String,
    #[serde(flatten)]
    pub file: ArchiveFile,
}

impl Report for Archived {}

/// Moves what may leave, batch by batch, each in a transaction of its own.
pub fn run(context: &Context, args: &Args) -> Result<Archived, Failure> {
    let before = context.now() - args.older_than.unwrap_or(DEFAULT_AGE);
    let mut archived = Archived { dry_run: args.dry_run, before, ..Archived::default() };
    if args.dry_run {
        let (closed, all) =
            context.read(|view| Ok((view.count_closed_events(before)?, view.count_events()?)))?;
        (archived.oldest_at, archived.newest_at) = (closed.oldest_at, closed.newest_at);
        (archived.events, archived.left) = (closed.events, all.saturating_sub(closed.events));
        return Ok(archived);
    }
    let archive = Archive::of(context.store()?.location());
    let mut after = 0;
    while let Some((file, batch)) =
        context.write(|transaction, now| move_batch(&archive, transaction, before, after, now))?
    {
        after = batch.events.last().copied().unwrap_or(after);
        archived.count(&archive, file, &batch);
    }
    archived.left = context.read(|view| Ok(view.count_events()?))?;
    Ok(archived)
}

impl Archived {
    fn count(&mut self, archive: &Archive, file: ArchiveFile, batch: &Batch) {
        self.events += u64::try_from(batch.events.len()).unwrap_or(u64::MAX);
        self.oldest_at = self.oldest_at.into_iter().chain([batch.oldest_at]).min();
        self.newest_at = self.newest_at.into_iter().chain([batch.newest_at]).max();
        self.files.retain(|written| written.file.name != file.name);
        self.files.push(Written { path: archive.path(&file.name).display().to_string(), file });
    }
}

/// Writes the next events out, and only then takes them out of the log. What is cut off in between is in
/// the log, and what was written of it does not count.
fn move_batch(
    archive: &Archive,
    transaction: &Transaction,
    before: Timestamp,
    after: i64,
    now: Timestamp,
) -> Result<Option<(ArchiveFile, Batch)>, Failure> {
    let (member, batch) = gather(archive, transaction, before, after)?;
    let Some(batch) = batch else { return Ok(None) };
    let files = transaction.archive_files()?;
    let newest = files.last();
    let addition = archive.add(newest, member, now)?;
    let known = newest.filter(|file| file.name == addition.name);
    let file = batch.added_to(known, &addition.name, addition.bytes);
    if let Err(error) = put_on_record(transaction, &file, &batch, before, now) {
        addition.undo();
        return Err(error.into());
    }
    Ok(Some((file, batch)))
}

fn gather(
    archive: &Archive,
    transaction: &Transaction,
    before: Timestamp,
    after: i64,
) -> Result<(Member, Option<Batch>), Failure> {
    let (mut member, mut batch, mut bytes) = (archive.member(), None::<Batch>, 0);
    transaction.closed_events(before, after, &mut |event| {
        bytes += member.add(&event)?;
        match &mut batch {
            Some(batch) => batch.add(event.event_id, event.at),
            None => batch = Some(Batch::of(event.event_id, event.at)),
        }
        let number = batch.as_ref().map_or(0, |batch| batch.events.len());
        Ok(number < BATCH_EVENTS && bytes < BATCH_BYTES)
    })?;
    Ok((member, batch))
}

fn put_on_record(
    transaction: &Transaction,
    file: &ArchiveFile,
    batch: &Batch,
    before: Timestamp,
    now: Timestamp,
) -> Result<(), StoreError> {
    transaction.move_events(file, batch)?;
    let data = json!({"events": batch.events.len(), "before": before, "bytes": file.bytes});
    let event = NewEvent { event: MOVED, agent: None, about: Some(&file.name), operation_id: None, data };
    transaction.record(&event, now)
}
