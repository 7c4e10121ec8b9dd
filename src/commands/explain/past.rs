//! What happened to a thing, wherever it is recorded: in the store, and in the archive.

use std::collections::BTreeSet;

use super::{Fact, Question, fact};
use crate::domain::Timestamp;
use crate::domain::event::Event;
use crate::failure::Failure;
use crate::store::sqlite::EventFilter;
use crate::store::{Archive, StoreError};

/// The events a story is made of: those about these things, and those of these operations.
#[derive(Debug, Default)]
pub(super) struct Wanted {
    about: BTreeSet<String>,
    operations: BTreeSet<String>,
    /// Nothing of it can have happened earlier.
    since: Timestamp,
}

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Past {
    pub events: Vec<Event>,
    /// What is known to be missing.
    pub gap: Option<Fact>,
}

impl Wanted {
    /// Nothing yet, of something that there has been since then.
    pub(super) fn since(since: Timestamp) -> Self {
        Self { since, ..Self::default() }
    }

    /// And what is about this.
    pub(super) fn about(&mut self, thing: impl ToString) -> &mut Self {
        self.about.insert(thing.to_string());
        self
    }

    /// And what belongs to this operation.
    pub(super) fn operation(&mut self, id: impl ToString) -> &mut Self {
        self.operations.insert(id.to_string());
        self
    }

    fn fits(&self, event: &Event) -> bool {
        event.about.as_ref().is_some_and(|about| self.about.contains(about))
            || event.operation_id.as_ref().is_some_and(|id| self.operations.contains(id))
    }
}

impl Question<'_> {
    /// Everything of this that was recorded.
    pub(super) fn past(&self, wanted: &Wanted) -> Result<Past, Failure> {
        let mut events = Vec::new();
        for thing in &wanted.about {
            events.extend(self.view.events_about(thing)?);
        }
        for operation in &wanted.operations {
            events.extend(self.view.operation_events(operation, 0)?);
        }
        let files = self.view.archive_files()?;
        let since = EventFilter { since: Some(wanted.since), ..EventFilter::default() };
        let mut archived = Vec::new();
        let read = self.archive()?.read_all(files.iter().filter(|it| since.may_be_in(it)), &mut |event| {
            if wanted.fits(&event) {
                archived.push(event);
            }
        });
        events.extend(archived);
        Ok(Past { events, gap: gap(read)? })
    }

    /// The newest events that fit.
    pub(super) fn newest(&self, filter: &EventFilter, limit: u32) -> Result<Past, Failure> {
        let stored = self.view.newest_events(filter, limit)?;
        let files = self.view.archive_files()?;
        match self.archive()?.newest(&files, filter, limit, stored.clone()) {
            Ok(events) => Ok(Past { events, gap: None }),
            Err(error) => Ok(Past { events: stored, gap: gap(Err(error))? }),
        }
    }

    fn archive(&self) -> Result<Archive, Failure> {
        Ok(Archive::of(self.context.store()?.location()))
    }
}

/// A damaged archive makes a story shorter; it does not make it silent, and it is not passed over.
fn gap(read: Result<(), StoreError>) -> Result<Option<Fact>, Failure> {
    match read {
        Ok(()) => Ok(None),
        Err(error @ (StoreError::ArchiveCorrupt { .. } | StoreError::ArchiveRead { .. })) => {
            Ok(Some(fact("missing", format!("earlier steps: {error}"))))
        }
        Err(other) => Err(other.into()),
    }
}
