//! Repositories as they lie on the disk.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Where git keeps what belongs to one worktree, and what belongs to all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Repository {
    of_worktree: PathBuf,
    of_all: PathBuf,
}

impl Repository {
    /// The repository whose worktree begins at this folder. A `.git` that leads nowhere is none.
    pub(super) fn at(top: &Path) -> Option<Self> {
        let entry = top.join(".git");
        let of_worktree = if entry.is_dir() { entry } else { top.join(pointer(&entry, b"gitdir:")?) };
        fs::symlink_metadata(of_worktree.join("HEAD")).ok()?;
        let of_all = match pointer(&of_worktree.join("commondir"), b"") {
            Some(path) => of_worktree.join(path),
            None => of_worktree.clone(),
        };
        Some(Self { of_worktree, of_all: of_all.canonicalize().ok()? })
    }

    /// The folder that names the repository.
    pub(super) fn home(&self) -> &Path {
        match (self.of_all.file_name(), self.of_all.parent()) {
            (Some(name), Some(parent)) if name == ".git" => parent,
            _ => &self.of_all,
        }
    }

    /// Where git keeps what belongs to this worktree.
    pub(super) fn of_worktree(&self) -> &Path {
        &self.of_worktree
    }
}

/// The path that a small file of git holds after a word.
fn pointer(file: &Path, word: &[u8]) -> Option<PathBuf> {
    let bytes = fs::read(file).ok()?;
    let path = bytes.strip_prefix(word)?.trim_ascii();
    (!path.is_empty()).then(|| PathBuf::from(OsStr::from_bytes(path)))
}
