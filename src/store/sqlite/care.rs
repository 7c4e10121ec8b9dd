//! Looking after a store: what `doctor` asks and mends beyond [`super::Health`].

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, OptionalExtension};

use super::rows::time;
use super::{Store, Transaction};
use crate::domain::Timestamp;
use crate::store::StoreError;

/// The first SQLite that cannot lose a commit to a checkpoint at the same instant, as SQLite numbers it.
pub const NEEDED_SQLITE: i32 = 3_051_003;

const SHARED_JOURNAL: &str = "PRAGMA journal_mode = WAL";

impl Store {
    /// The number of the SQLite in use.
    pub fn sqlite_number(&self) -> i32 {
        rusqlite::version_number()
    }

    /// Takes the right to write, and gives it back.
    pub fn try_writing(&self) -> Result<(), StoreError> {
        let name = |error: rusqlite::Error| StoreError::from(error).about(self.location.file());
        // Where nothing can be written, SQLite lets a transaction begin all the same.
        if self.connection.is_readonly("main").map_err(name)? {
            let reason = "it can only be read".to_owned();
            return Err(StoreError::Write { path: self.location.file().to_owned(), reason });
        }
        self.connection.busy_timeout(Duration::ZERO).map_err(name)?;
        let tried = self.connection.execute_batch("BEGIN IMMEDIATE; ROLLBACK").map_err(name);
        self.connection.busy_timeout(self.patience).map_err(name)?;
        tried
    }

    /// Copies the store as it is now into an empty file, while others work with it.
    ///
    /// The path must be absolute: SQLite takes some short names for something else than a file.
    pub fn copy_into(&self, file: &Path) -> Result<(), StoreError> {
        let Some(name) = file.to_str() else {
            let reason = "its name is not UTF-8".to_owned();
            return Err(StoreError::Write { path: file.to_owned(), reason });
        };
        let copy = || -> rusqlite::Result<()> {
            self.connection.execute("VACUUM INTO ?1", [name])?;
            // The copy is written with another journal than a store has.
            let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
            Connection::open_with_flags(file, flags)?.query_row(SHARED_JOURNAL, [], |_| Ok(()))
        };
        copy().map_err(|error| StoreError::from(error).about(file))
    }

    /// Returns the store to the journal that readers and writers can share.
    pub fn restore_journal(&self) -> Result<(), StoreError> {
        self.connection
            .query_row(SHARED_JOURNAL, [], |_| Ok(()))
            .map_err(|error| StoreError::from(error).about(self.location.file()))
    }

    /// The bells of processes that died while they waited.
    pub fn abandoned_bells(&self) -> Vec<PathBuf> {
        self.belfry.abandoned()
    }

    /// Takes down the bells of processes that died and says how many there were.
    pub fn take_down_abandoned_bells(&self) -> usize {
        self.belfry.take_down_abandoned()
    }
}

impl Transaction<'_> {
    /// When the newest event was recorded.
    pub fn newest_event_at(&self) -> Result<Option<Timestamp>, StoreError> {
        let newest = self
            .connection
            .query_row("SELECT at FROM events ORDER BY id DESC LIMIT 1", [], |row| time(row, 0))
            .optional()?;
        Ok(newest)
    }
}
