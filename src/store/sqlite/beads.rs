//! A look into the database of an older beads, which kept its settings in SQLite.

use std::path::Path;

use rusqlite::{Connection, OpenFlags, OptionalExtension};

use crate::store::StoreError;

/// One setting of a beads workspace; reading it changes nothing.
pub fn beads_setting(file: &Path, key: &str) -> Result<Option<String>, StoreError> {
    let look = || -> rusqlite::Result<Option<String>> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(file, flags)?;
        connection.query_row("SELECT value FROM config WHERE key = ?1", [key], |row| row.get(0)).optional()
    };
    look().map_err(|error| match error.sqlite_error_code() {
        // A file without such a table is no database of beads.
        Some(rusqlite::ErrorCode::Unknown) => {
            StoreError::Corrupt { path: file.to_owned(), reason: error.to_string() }
        }
        _ => StoreError::from(error).about(file),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn database(sql: &str) -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("beads.db");
        Connection::open(&file).unwrap().execute_batch(sql).unwrap();
        (folder, file)
    }

    #[test]
    fn a_setting_is_read_and_a_missing_one_is_none() {
        let (_folder, file) = database(
            "CREATE TABLE config (key TEXT PRIMARY KEY, value TEXT NOT NULL);
             INSERT INTO config VALUES ('mail.delegate', 'bb mail')",
        );
        assert_eq!(beads_setting(&file, "mail.delegate").unwrap().as_deref(), Some("bb mail"));
        assert_eq!(beads_setting(&file, "other").unwrap(), None);
    }

    #[test]
    fn what_is_no_database_of_beads_is_said_to_be_none() {
        let (_folder, file) = database("CREATE TABLE other (x)");
        assert!(matches!(beads_setting(&file, "mail.delegate"), Err(StoreError::Corrupt { .. })));
        std::fs::write(&file, "text, and long enough not to be taken for an empty database").unwrap();
        assert!(matches!(beads_setting(&file, "mail.delegate"), Err(StoreError::Corrupt { .. })));
    }

    #[test]
    fn a_missing_file_is_not_created() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("beads.db");
        assert!(matches!(beads_setting(&file, "mail.delegate"), Err(StoreError::Read { .. })));
        assert!(!file.exists());
    }
}
