//! The store in SQLite.

mod agents;
mod archive;
mod beads;
mod boards;
mod candidates;
mod care;
mod events;
mod handoffs;
mod handshakes;
mod health;
mod hooks;
mod inbox;
mod messages;
mod needs;
mod open;
mod reservations;
mod rows;
mod schema;
mod sending;
mod stories;
mod tasks;
mod unacked;
mod waiters;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use rusqlite::{Connection, TransactionBehavior, ffi};

use super::changes::{Belfry, Bell, Topic};
use super::queue::Queue;
use super::{Location, StoreError};
use crate::domain::agent::AgentId;
use crate::domain::event::Origin;

pub use archive::Closed;
pub use beads::beads_setting;
pub use care::NEEDED_SQLITE;
pub use events::EventFilter;
pub use handshakes::{Claim, StoredHandshake};
pub use health::Health;
pub use messages::Found;
pub use open::Mode;
pub use reservations::{Ended, Holding};
pub use tasks::TaskFilter;

/// Bytes of log after which a writer copies it back into the store: every process reads the log anew, so a
/// long one would be paid for by all, and copying it back costs two syncs.
const LOG_BYTES: u64 = 128 * 1024;

/// An open store.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    location: Location,
    queue: Queue,
    belfry: Belfry,
    origin: Origin,
    /// How long it is waited for other writers.
    patience: Duration,
}

/// A view of the store that either happens as a whole or not at all.
#[derive(Debug)]
pub struct Transaction<'a> {
    connection: &'a Connection,
    origin: &'a Origin,
    concerns: RefCell<BTreeSet<Topic>>,
    /// Numbers of agents that were looked up; they never change.
    agent_keys: RefCell<Vec<(AgentId, i64)>>,
}

impl Transaction<'_> {
    /// Notes that waiters for this topic are to be woken after the commit.
    pub fn concerns(&self, topic: Topic) {
        self.concerns.borrow_mut().insert(topic);
    }
}

impl Store {
    /// Where the store lies.
    pub fn location(&self) -> &Location {
        &self.location
    }

    /// Reads in one consistent view.
    pub fn read<T, E: From<StoreError>>(
        &self,
        look: impl FnOnce(&Transaction) -> Result<T, E>,
    ) -> Result<T, E> {
        let fail = |error: rusqlite::Error| E::from(StoreError::from(error).about(self.location.file()));
        let view = rusqlite::Transaction::new_unchecked(&self.connection, TransactionBehavior::Deferred)
            .map_err(fail)?;
        let seen = look(&self.transaction(&view));
        view.rollback().map_err(fail)?;
        seen
    }

    /// Writes in one transaction: on an error nothing has happened.
    pub fn write<T, E: From<StoreError>>(
        &self,
        change: impl FnOnce(&Transaction) -> Result<T, E>,
    ) -> Result<T, E> {
        let fail = |error: StoreError| E::from(error.about(self.location.file()));
        let turn = self.queue.take(self.patience).map_err(fail)?;
        let sql = rusqlite::Transaction::new_unchecked(&self.connection, TransactionBehavior::Immediate)
            .map_err(|error| fail(error.into()))?;
        let transaction = self.transaction(&sql);
        let done = change(&transaction)?;
        let concerns = transaction.concerns.into_inner();
        sql.commit().map_err(|error| fail(self.not_committed(error)))?;
        self.bound_the_log();
        drop(turn);
        for topic in concerns.iter().chain(&[Topic::Everything]) {
            self.belfry.ring(topic);
        }
        Ok(done)
    }

    /// What became of a commit that failed. When only its sync did, the change stands whole in the log, and the
    /// next process would find it there: it is taken back with the log, or the caller is told that it may stay.
    fn not_committed(&self, error: rusqlite::Error) -> StoreError {
        let unsynced = error.sqlite_error().is_some_and(|it| it.extended_code == ffi::SQLITE_IOERR_FSYNC);
        if !unsynced || self.empty_the_log() {
            return error.into();
        }
        StoreError::Unsure { path: PathBuf::new(), reason: error.to_string() }
    }

    fn transaction<'a>(&'a self, connection: &'a Connection) -> Transaction<'a> {
        Transaction {
            connection,
            origin: &self.origin,
            concerns: RefCell::default(),
            agent_keys: RefCell::default(),
        }
    }

    /// Hangs a bell that rings when something about the topic was committed.
    pub fn bell(&self, topic: &Topic) -> Bell {
        self.belfry.hang(topic)
    }

    /// A number that differs after another process committed something.
    pub fn version(&self) -> Result<i64, StoreError> {
        self.connection
            .query_row("PRAGMA data_version", [], |row| row.get(0))
            .map_err(|error| StoreError::from(error).about(self.location.file()))
    }

    /// Copies a long log back and empties it. Tries once and never waits: whoever commits next tries again.
    fn bound_the_log(&self) {
        let length = std::fs::metadata(self.location.beside("wal")).map_or(0, |log| log.len());
        if length > LOG_BYTES {
            self.empty_the_log();
        }
    }

    /// Copies the log back and empties it, if nobody reads from it just now; says whether it is empty.
    fn empty_the_log(&self) -> bool {
        let _ = self.connection.busy_timeout(Duration::ZERO);
        let kept =
            self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, bool>(0));
        let _ = self.connection.busy_timeout(self.patience);
        kept == Ok(false)
    }
}
