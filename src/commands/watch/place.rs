//! The place of the store, watched for as long as the board is.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::failure::{Code, Failure};
use crate::store::Store;

/// The file that was opened. One that was deleted, or put in its place, is not the one that is looked at.
pub(super) struct Place {
    file: PathBuf,
    number: Option<u64>,
}

impl Place {
    pub(super) fn of(store: &Store) -> Self {
        let file = store.location().file().to_owned();
        Self { number: number(&file), file }
    }

    /// Refuses to go on looking at something that is no longer there.
    pub(super) fn check(&self) -> Result<(), Failure> {
        if number(&self.file) == self.number {
            return Ok(());
        }
        let what =
            format!("the store `{}` was deleted or replaced while it was watched", self.file.display());
        Err(Failure::new(Code::IoReadFailed, what).hint("start again to see what is there now"))
    }
}

fn number(file: &Path) -> Option<u64> {
    fs::metadata(file).ok().map(|found| found.ino())
}
