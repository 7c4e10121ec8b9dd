//! What a look at the store itself says.

use super::{Store, schema};
use crate::store::StoreError;

/// The store's own account of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Health {
    pub version: i64,
    pub known_version: i64,
    pub sqlite_version: &'static str,
    pub journal_mode: String,
    /// Complaints of SQLite's own check; empty when it found nothing.
    pub complaints: Vec<String>,
}

impl Store {
    /// Looks at version, journal and integrity; changes nothing.
    pub fn health(&self) -> Result<Health, StoreError> {
        let look = || -> rusqlite::Result<Health> {
            let mut check = self.connection.prepare("PRAGMA integrity_check(20)")?;
            let complaints: Vec<String> = check.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
            Ok(Health {
                version: self.connection.query_row("PRAGMA user_version", [], |row| row.get(0))?,
                known_version: schema::KNOWN,
                sqlite_version: rusqlite::version(),
                journal_mode: self.connection.query_row("PRAGMA journal_mode", [], |row| row.get(0))?,
                complaints: complaints.into_iter().filter(|line| line != "ok").collect(),
            })
        };
        look().map_err(|error| StoreError::from(error).about(self.location.file()))
    }
}
