//! Where the store lies, and whether that place is safe.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use super::StoreError;

/// The absolute path of a store's file, with its folder resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    file: PathBuf,
}

impl Location {
    /// Checks a path without touching anything.
    ///
    /// SQLite would take an empty name, `:memory:` and `file:` as places that keep nothing.
    pub fn new(path: &Path) -> Result<Self, StoreError> {
        let refuse = |reason: &str| StoreError::Location { path: path.to_owned(), reason: reason.to_owned() };
        if Self::is_special(path) {
            return Err(refuse("it is empty, or a special name of SQLite that keeps nothing"));
        }
        if !path.is_absolute() {
            return Err(refuse("it is not absolute"));
        }
        if path.file_name().is_none() || path.is_dir() {
            return Err(refuse("it is a folder; name a file in it"));
        }
        Ok(Self { file: path.to_owned() })
    }

    /// Whether SQLite would take the path for something else than a file.
    pub fn is_special(path: &Path) -> bool {
        let text = path.to_string_lossy();
        text.trim().is_empty() || text.starts_with(':') || text.starts_with("file:")
    }

    /// The store's file.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// A file or folder beside the store that belongs to it, for example `bb.db-lock`.
    pub fn beside(&self, suffix: &str) -> PathBuf {
        let mut name = self.file.clone().into_os_string();
        name.push("-");
        name.push(suffix);
        PathBuf::from(name)
    }

    /// The folder the store lies in.
    pub fn folder(&self) -> &Path {
        self.file.parent().unwrap_or(Path::new("/"))
    }

    /// Whether there is a store. Not to be allowed to look is an answer of its own, and so is a log whose
    /// store is missing.
    pub fn is_there(&self) -> Result<bool, StoreError> {
        self.check_log()?;
        self.file
            .try_exists()
            .map_err(|error| StoreError::Read { path: self.file.clone(), reason: error.to_string() })
    }

    /// Bytes that this user may still write where the store lies, if the system says.
    pub fn free_bytes(&self) -> Option<u64> {
        let disk = rustix::fs::statvfs(self.folder()).ok()?;
        disk.f_bavail.checked_mul(disk.f_frsize)
    }

    /// Refuses an empty or missing file beside a log that holds something: SQLite would take it for a new
    /// store and throw the log away.
    pub(super) fn check_log(&self) -> Result<(), StoreError> {
        // To SQLite a single byte is as empty as none.
        let empty = || fs::metadata(&self.file).map_or(true, |found| found.len() <= 1);
        let logged = || fs::metadata(self.beside("wal")).is_ok_and(|log| log.len() > 0);
        // Whoever makes a new store writes its file before its log, so only what stays empty was lost.
        if empty() && logged() && empty() {
            let reason = "it is empty or missing, and its log is not".to_owned();
            return Err(StoreError::Corrupt { path: self.file.clone(), reason });
        }
        Ok(())
    }

    /// Creates what is missing, private to this user, and refuses what is not safe.
    pub(super) fn prepare(&mut self) -> Result<(), StoreError> {
        if let Ok(found) = fs::symlink_metadata(&self.file) {
            return self.check(&found);
        }
        let create =
            |error: io::Error| StoreError::Create { path: self.file.clone(), reason: error.to_string() };
        let folder = self.folder().to_owned();
        if !folder.is_dir() {
            DirBuilder::new().recursive(true).mode(0o700).create(&folder).map_err(create)?;
        }
        let folder = folder.canonicalize().map_err(create)?;
        let name = self.file.file_name().unwrap_or_default();
        let resolved = folder.join(name);
        match OpenOptions::new().write(true).create_new(true).mode(0o600).open(&resolved) {
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(create(error)),
        }
        self.file = resolved;
        let found = fs::symlink_metadata(&self.file)
            .map_err(|error| StoreError::Read { path: self.file.clone(), reason: error.to_string() })?;
        self.check(&found)
    }

    /// Makes sure that new files of the store outlast a power cut. SQLite is built to leave this to us,
    /// because it would do it again in every process.
    pub(super) fn sync_folder(&self) -> Result<(), StoreError> {
        let unwritten =
            |error: io::Error| StoreError::Write { path: self.file.clone(), reason: error.to_string() };
        fs::File::open(self.folder()).and_then(|folder| folder.sync_all()).map_err(unwritten)
    }

    /// Refuses what is not a file of this user's own.
    pub(super) fn check(&self, found: &fs::Metadata) -> Result<(), StoreError> {
        let refuse =
            |reason: &str| Err(StoreError::Forbidden { path: self.file.clone(), reason: reason.to_owned() });
        if found.file_type().is_symlink() {
            return refuse("it is a symbolic link");
        }
        if !found.is_file() {
            return refuse("it is not a regular file");
        }
        if found.uid() != rustix::process::geteuid().as_raw() {
            return refuse("it belongs to another user");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_places_that_keep_nothing() {
        for path in ["", " ", ":memory:", "file:x?mode=memory", "relative.db", "/", "/tmp"] {
            assert!(matches!(Location::new(Path::new(path)), Err(StoreError::Location { .. })), "{path:?}");
        }
        assert!(Location::new(Path::new("/tmp/bb-nowhere/bb.db")).is_ok());
    }

    #[test]
    fn names_its_companions() {
        let location = Location::new(Path::new("/tmp/bb-nowhere/bb.db")).unwrap();
        assert_eq!(location.beside("lock"), Path::new("/tmp/bb-nowhere/bb.db-lock"));
    }
}
