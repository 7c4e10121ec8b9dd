//! Who can get at a store, judged without opening it.
//!
//! Closing any handle of a database file drops the locks this process holds on it, so
//! everything here goes by name.

use std::fmt;
use std::fs::{self, Metadata, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::PathBuf;

use super::{Location, StoreError};

/// Files and folders that lie beside a store under its name.
const COMPANIONS: [&str; 4] = ["wal", "shm", "lock", "bells"];

/// Folders that lie beside a store and hold what it wrote out.
const ANNEXES: [&str; 2] = ["handoffs", "archive"];

/// Something of a store that others can get at, or that its own user cannot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exposure {
    pub path: PathBuf,
    /// The permissions found, as `chmod` counts them.
    pub mode: u32,
    /// The permissions it should have.
    pub wanted: u32,
    /// It belongs to another user.
    pub foreign: bool,
    /// Others can read or replace what is stored, or commands fail; otherwise others only see that it is there.
    pub grave: bool,
    /// It belongs to this user and to the store alone, so it can be closed without harm to anything else.
    pub mendable: bool,
}

impl Exposure {
    /// Gives it the permissions it should have.
    pub fn mend(&self) -> io::Result<()> {
        fs::set_permissions(&self.path, Permissions::from_mode(self.wanted))
    }
}

impl Location {
    /// Makes sure that the store's file is one of this user's own, as opening it would.
    pub fn inspect(&self) -> Result<(), StoreError> {
        let found = fs::symlink_metadata(self.file())
            .map_err(|error| StoreError::Read { path: self.file().to_owned(), reason: error.to_string() })?;
        self.check(&found)
    }

    /// Everything of the store with other permissions than it should have: its folder first, then its files.
    pub fn exposures(&self) -> Vec<Exposure> {
        let folder = fs::metadata(self.folder()).ok().and_then(|found| self.exposed_folder(&found));
        let files = [self.file().to_owned()]
            .into_iter()
            .chain(COMPANIONS.map(|suffix| self.beside(suffix)))
            .chain(ANNEXES.map(|name| self.folder().join(name)))
            .filter_map(|path| fs::symlink_metadata(&path).ok().and_then(|found| exposed(path, &found)));
        folder.into_iter().chain(files).collect()
    }

    fn exposed_folder(&self, found: &Metadata) -> Option<Exposure> {
        let mode = found.mode() & 0o7777;
        let mine = is_mine(found);
        // In a folder with the sticky bit, such as /tmp, others cannot replace what is not theirs.
        let replaceable = mode & 0o022 != 0 && mode & 0o1000 == 0;
        let closed = mine && mode & 0o700 != 0o700;
        (mode & 0o077 != 0 || !mine || closed).then(|| Exposure {
            path: self.folder().to_owned(),
            mode,
            wanted: 0o700,
            foreign: !mine,
            grave: replaceable || closed,
            mendable: mine && self.has_its_folder_alone(),
        })
    }

    /// Whether nothing but this store lies in its folder; then the folder may be closed.
    fn has_its_folder_alone(&self) -> bool {
        let Some(name) = self.file().file_name().and_then(|name| name.to_str()) else { return false };
        let own = |entry: &str| entry.starts_with(name) || ANNEXES.contains(&entry);
        let is_own = |entry: io::Result<fs::DirEntry>| {
            entry.is_ok_and(|entry| entry.file_name().to_str().is_some_and(own))
        };
        fs::read_dir(self.folder()).is_ok_and(|mut entries| entries.all(is_own))
    }
}

fn exposed(path: PathBuf, found: &Metadata) -> Option<Exposure> {
    let mode = found.mode() & 0o7777;
    let wanted = if found.is_dir() { 0o700 } else { 0o600 };
    // The permissions of a link mean nothing, and what it leads to is not looked at here.
    let open = mode & 0o077 != 0 && !found.file_type().is_symlink();
    let foreign = !is_mine(found);
    let closed = !found.file_type().is_symlink() && mode & wanted != wanted;
    (open || closed || foreign).then_some(Exposure {
        path,
        mode,
        wanted,
        foreign,
        grave: true,
        mendable: !foreign,
    })
}

fn is_mine(found: &Metadata) -> bool {
    found.uid() == rustix::process::geteuid().as_raw()
}

impl fmt::Display for Exposure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        if self.foreign {
            return write!(f, "`{path}` belongs to another user");
        }
        write!(f, "`{path}` has permissions {:04o}, not {:04o}", self.mode, self.wanted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(folder_mode: u32, file_mode: u32) -> (tempfile::TempDir, Location) {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("store");
        fs::create_dir(&folder).unwrap();
        let file = folder.join("bb.db");
        fs::write(&file, "").unwrap();
        fs::set_permissions(&file, Permissions::from_mode(file_mode)).unwrap();
        fs::set_permissions(&folder, Permissions::from_mode(folder_mode)).unwrap();
        (outer, Location::new(&file).unwrap())
    }

    #[test]
    fn a_closed_store_exposes_nothing() {
        let (_outer, location) = place(0o700, 0o600);
        assert!(location.exposures().is_empty());
        location.inspect().unwrap();
    }

    #[test]
    fn open_files_are_grave_and_an_open_folder_only_when_others_write_there() {
        for (folder_mode, file_mode, expected) in [
            (0o755, 0o600, vec![false]),
            (0o777, 0o600, vec![true]),
            (0o1777, 0o600, vec![false]),
            (0o700, 0o640, vec![true]),
            (0o755, 0o644, vec![false, true]),
        ] {
            let (_outer, location) = place(folder_mode, file_mode);
            let grave: Vec<_> = location.exposures().iter().map(|it| it.grave).collect();
            assert_eq!(grave, expected, "{folder_mode:o} {file_mode:o}");
        }
    }

    #[test]
    fn mending_closes_what_belongs_to_the_store_alone() {
        let (_outer, location) = place(0o755, 0o644);
        assert!(location.exposures().iter().all(|it| it.mendable));
        for exposure in location.exposures() {
            exposure.mend().unwrap();
        }
        assert!(location.exposures().is_empty());
    }

    #[test]
    fn a_folder_that_holds_other_things_is_left_alone() {
        let (_outer, location) = place(0o755, 0o600);
        fs::write(location.folder().join("notes.txt"), "").unwrap();
        assert!(!location.exposures().first().unwrap().mendable);
    }

    #[test]
    fn a_link_is_no_store() {
        let (outer, location) = place(0o700, 0o600);
        let link = outer.path().join("link.db");
        std::os::unix::fs::symlink(location.file(), &link).unwrap();
        assert!(matches!(Location::new(&link).unwrap().inspect(), Err(StoreError::Forbidden { .. })));
    }
}
