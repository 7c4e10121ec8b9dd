//! What a store can answer instead of data.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;
use thiserror::Error;

/// A store that could not be used.
#[derive(Debug, Error)]
pub enum StoreError {
    #[error("the store `{path}` is busy")]
    Busy { path: PathBuf },
    #[error("the store `{path}` is damaged or is no store of bb: {reason}")]
    Corrupt { path: PathBuf, reason: String },
    #[error("the store `{path}` has version {found}, and this bb knows versions up to {known}")]
    Version { path: PathBuf, found: i64, known: i64 },
    #[error("cannot create the store `{path}`: {reason}")]
    Create { path: PathBuf, reason: String },
    #[error("the store `{path}` is not safe to use: {reason}")]
    Forbidden { path: PathBuf, reason: String },
    #[error("`{path}` cannot be the path of a store: {reason}")]
    Location { path: PathBuf, reason: String },
    #[error("cannot read the store `{path}`: {reason}")]
    Read { path: PathBuf, reason: String },
    #[error("cannot write the store `{path}`: {reason}")]
    Write { path: PathBuf, reason: String },
    #[error("cannot write the store `{path}` safely: {reason}")]
    Unsure { path: PathBuf, reason: String },
    #[error("the archive `{path}` is damaged: {reason}")]
    ArchiveCorrupt { path: PathBuf, reason: String },
    #[error("cannot read the archive `{path}`: {reason}")]
    ArchiveRead { path: PathBuf, reason: String },
    #[error("cannot write the archive `{path}`: {reason}")]
    ArchiveWrite { path: PathBuf, reason: String },
    #[error("unexpected answer from the store: {0}")]
    Bug(rusqlite::Error),
}

impl From<rusqlite::Error> for StoreError {
    /// Sorts SQLite's answers; the path is added where the connection is known.
    fn from(error: rusqlite::Error) -> Self {
        let path = PathBuf::new();
        if let Some(reason) = damage(&error) {
            return Self::Corrupt { path, reason };
        }
        let reason = error.to_string();
        match error.sqlite_error_code() {
            Some(
                ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked | ErrorCode::FileLockingProtocolFailed,
            ) => Self::Busy { path },
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Self::Corrupt { path, reason },
            Some(ErrorCode::DiskFull | ErrorCode::ReadOnly | ErrorCode::SystemIoFailure) => {
                Self::Write { path, reason }
            }
            Some(
                ErrorCode::CannotOpen
                | ErrorCode::PermissionDenied
                | ErrorCode::AuthorizationForStatementDenied,
            ) => Self::Read { path, reason },
            _ => Self::Bug(error),
        }
    }
}

/// What is wrong with a store that holds something else than what was written into it: values that cannot
/// be read back, or tables and columns that are not there.
fn damage(error: &rusqlite::Error) -> Option<String> {
    use rusqlite::Error as E;
    match error {
        E::SqlInputError { msg, .. } => Some(msg.clone()),
        E::FromSqlConversionFailure(..)
        | E::IntegralValueOutOfRange(..)
        | E::InvalidColumnType(..)
        | E::Utf8Error(..) => Some(error.to_string()),
        other => (other.sqlite_error_code() == Some(ErrorCode::Unknown)).then(|| error.to_string()),
    }
}

impl StoreError {
    /// Names the file an answer is about.
    #[must_use]
    pub fn about(mut self, file: &Path) -> Self {
        match &mut self {
            Self::Busy { path }
            | Self::Corrupt { path, .. }
            | Self::Version { path, .. }
            | Self::Create { path, .. }
            | Self::Forbidden { path, .. }
            | Self::Location { path, .. }
            | Self::Read { path, .. }
            | Self::Write { path, .. }
            | Self::Unsure { path, .. } => file.clone_into(path),
            // These name a file of their own.
            Self::ArchiveCorrupt { .. } | Self::ArchiveRead { .. } | Self::ArchiveWrite { .. } => {}
            Self::Bug(_) => {}
        }
        self
    }
}
