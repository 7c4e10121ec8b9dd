//! Opening a store: the order of these steps is what keeps it safe.

use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::{Store, schema};
use crate::domain::event::Origin;
use crate::store::changes::Belfry;
use crate::store::queue::Queue;
use crate::store::{Location, StoreError};

/// How long a command waits for its turn to write, and then again for SQLite's own lock.
const PATIENCE: Duration = Duration::from_secs(30);

/// What to do when there is no store yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Make one.
    Create,
    /// Look only, and change nothing.
    Existing,
}

impl Store {
    /// Opens the store, creating or upgrading it where that is needed and allowed.
    pub fn open(
        location: Location,
        mode: Mode,
        origin: Origin,
        runtime_folder: Option<&Path>,
    ) -> Result<Self, StoreError> {
        Self::open_within(PATIENCE, location, mode, origin, runtime_folder)
    }

    /// Opens the store for a command that has no time: it waits only that long for other writers.
    pub fn open_within(
        patience: Duration,
        mut location: Location,
        mode: Mode,
        origin: Origin,
        runtime_folder: Option<&Path>,
    ) -> Result<Self, StoreError> {
        location.check_log()?;
        if mode == Mode::Create {
            location.prepare()?;
        }
        let log_is_new = !location.beside("wal").exists();
        let connection = connect(&location, mode)?;
        let queue = Queue::at(location.beside("lock"));
        let belfry = Belfry::new(location.beside("bells"), runtime_folder);
        let mut store = Self { connection, location, queue, belfry, origin, patience };
        let file = store.location.file().to_owned();
        store.configure().map_err(|error| StoreError::from(error).about(&file))?;
        store.bring_up_to_date(mode).map_err(|error| error.about(&file))?;
        if log_is_new {
            store.location.sync_folder()?;
        }
        Ok(store)
    }

    fn configure(&self) -> rusqlite::Result<()> {
        let connection = &self.connection;
        connection.busy_timeout(self.patience)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_FKEY, true)?;
        connection.execute_batch("PRAGMA synchronous = FULL; PRAGMA cell_size_check = ON;")
    }

    fn bring_up_to_date(&mut self, mode: Mode) -> Result<(), StoreError> {
        let version = schema::version(&self.connection, self.location.file())?;
        if version == schema::KNOWN || mode == Mode::Existing {
            return Ok(());
        }
        let _turn = self.queue.take(self.patience)?;
        schema::upgrade(&mut self.connection)
    }
}

/// Opens for writing, or for reading alone where the folder allows no more.
fn connect(location: &Location, mode: Mode) -> Result<Connection, StoreError> {
    let file = location.file();
    let name = |error: rusqlite::Error| StoreError::from(error).about(file);
    let writing = Connection::open_with_flags(
        file,
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    );
    match writing {
        Ok(connection) => Ok(connection),
        Err(_) if mode == Mode::Existing && !file.exists() => {
            Err(StoreError::Read { path: file.to_owned(), reason: "there is no such file".to_owned() })
        }
        Err(_) => Connection::open_with_flags(
            file,
            OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX,
        )
        .map_err(name),
    }
}
