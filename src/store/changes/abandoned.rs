//! Bells whose owners died before they could take them down.

use std::fs;
use std::io;
use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};

use super::Belfry;

impl Belfry {
    /// The bells nobody listens to any more. Finding them rings none.
    pub(in crate::store) fn abandoned(&self) -> Vec<PathBuf> {
        let Some(root) = &self.root else { return Vec::new() };
        let mut found: Vec<_> = entries(root)
            .iter()
            .flat_map(|folder| entries(folder))
            .filter(|bell| is_abandoned(bell))
            .collect();
        found.sort();
        found
    }

    /// Takes down the bells nobody listens to and says how many there were.
    pub(in crate::store) fn take_down_abandoned(&self) -> usize {
        self.abandoned().iter().filter(|bell| fs::remove_file(bell).is_ok()).count()
    }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

fn is_abandoned(bell: &Path) -> bool {
    UnixDatagram::unbound()
        .and_then(|caller| caller.connect(bell))
        .is_err_and(|error| error.kind() == io::ErrorKind::ConnectionRefused)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::changes::Topic;

    #[test]
    fn only_bells_of_the_dead_are_taken_down() {
        let folder = tempfile::tempdir().unwrap();
        let belfry = Belfry::new(folder.path().join("bells"), None);
        let alive = belfry.hang(&Topic::Everything);
        let mut dead = belfry.hang(&Topic::Everything);
        let (socket, path) = dead.hung.take().unwrap();
        drop(socket);
        assert_eq!(belfry.abandoned(), std::slice::from_ref(&path));
        assert_eq!(belfry.take_down_abandoned(), 1);
        assert!(!path.exists());
        assert!(alive.hung.as_ref().unwrap().1.exists());
        assert!(belfry.abandoned().is_empty());
    }
}
