//! Versions of the store: migrations are added, never edited.

use std::path::Path;

use rusqlite::Connection;
use rusqlite_migration::{M, Migrations};

use crate::store::StoreError;

/// Marks a file as a store of bb: "bb" followed by "01" in ASCII.
const APPLICATION: i64 = 0x6262_3031;

const STEPS: &[M<'static>] = &[
    M::up(include_str!("migrations/001_agents_and_mail.sql")),
    M::up(include_str!("migrations/002_handshakes.sql")),
    M::up(include_str!("migrations/003_reservations.sql")),
    M::up(include_str!("migrations/004_tasks.sql")),
    M::up(include_str!("migrations/005_hooks.sql")),
    M::up(include_str!("migrations/006_handoffs.sql")),
    M::up(include_str!("migrations/007_archive.sql")),
    M::up(include_str!("migrations/008_open_mail.sql")),
    M::up(include_str!("migrations/009_commands.sql")),
    M::up(include_str!("migrations/010_command_ends.sql")),
];

/// Bytes of a page in a new store. A short message touches eight pages: smaller ones make less log to write
/// and to read again, and a store with a million messages is as quick with these as with larger ones.
const PAGE_BYTES: u32 = 2048;

/// The version this program writes.
pub(super) const KNOWN: i64 = STEPS.len() as i64;

/// The version of the store, having made sure that it is one and not newer than this program.
pub(super) fn version(connection: &Connection, file: &Path) -> Result<i64, StoreError> {
    let number = |pragma: &str| connection.query_row(pragma, [], |row| row.get::<_, i64>(0));
    let version = number("PRAGMA user_version")?;
    let application = number("PRAGMA application_id")?;
    if version == KNOWN && application == APPLICATION {
        return Ok(version);
    }
    // Whoever makes a new store marks it before it has tables: looking at the tables first tells a store
    // that is just being made from a database of another program.
    let tables = number("SELECT count(*) FROM sqlite_schema")?;
    let application = number("PRAGMA application_id")?;
    let version = number("PRAGMA user_version")?;
    if application != APPLICATION && (application != 0 || version != 0 || tables != 0) {
        let reason = "it is a database of another program".to_owned();
        return Err(StoreError::Corrupt { path: file.to_owned(), reason });
    }
    if version > KNOWN {
        return Err(StoreError::Version { path: file.to_owned(), found: version, known: KNOWN });
    }
    Ok(version)
}

/// Brings the store to the version this program writes.
pub(super) fn upgrade(connection: &mut Connection) -> Result<(), StoreError> {
    connection.execute_batch(&format!("PRAGMA page_size = {PAGE_BYTES}"))?;
    connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
    connection.execute_batch(&format!("PRAGMA application_id = {APPLICATION}"))?;
    Migrations::from_slice(STEPS).to_latest(connection).map_err(|error| match error {
        rusqlite_migration::Error::RusqliteError { err, .. } => StoreError::from(err),
        other => StoreError::Bug(rusqlite::Error::ToSqlConversionFailure(other.into())),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_migrations_apply_in_order() {
        Migrations::from_slice(STEPS).validate().unwrap();
    }

    #[test]
    fn sqlite_is_new_enough_to_keep_commits_under_concurrent_checkpoints() {
        assert!(rusqlite::version_number() >= super::super::NEEDED_SQLITE, "{}", rusqlite::version());
    }
}
