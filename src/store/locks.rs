//! Who holds the locks that writers wait for, as far as the system tells.
//!
//! All of them are locks of the kernel and go with their process: a file that is left behind holds nobody up.

use std::collections::BTreeSet;
use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;

use super::Location;

/// The byte of the shared memory that SQLite locks to write to the log.
const WRITES_THE_LOG: u64 = 120;

/// A file whose lock is asked about.
struct Locked {
    inode: u64,
    /// The byte that matters; every lock of the file does where it is nothing.
    byte: Option<u64>,
}

impl Location {
    /// The processes that hold the queue's lock or SQLite's own now; nothing where the system does not tell.
    pub fn lock_holders(&self) -> Option<BTreeSet<u32>> {
        let table = fs::read_to_string("/proc/locks").ok()?;
        let files = [("lock", None), ("shm", Some(WRITES_THE_LOG))];
        let mut found = BTreeSet::new();
        for (suffix, byte) in files {
            let Ok(file) = fs::metadata(self.beside(suffix)) else { continue };
            let seen = holders(&table, &Locked { inode: file.ino(), byte });
            found.extend(seen.into_iter().filter(|process| has_open(*process, &file)));
        }
        Some(found)
    }
}

/// Whether a process has a file open. Files of other disks may have the same number in the table of locks.
fn has_open(process: u32, file: &Metadata) -> bool {
    let open = fs::read_dir(format!("/proc/{process}/fd")).into_iter().flatten().flatten();
    let is_same = |it: Metadata| (it.dev(), it.ino()) == (file.dev(), file.ino());
    open.filter_map(|entry| fs::metadata(entry.path()).ok()).any(is_same)
}

/// The processes that hold a file's lock against writers, in the words of `/proc/locks`:
/// `1: FLOCK ADVISORY WRITE 4711 fe:00:123456 0 EOF`. Those that wait have an arrow behind the number.
fn holders(table: &str, file: &Locked) -> Vec<u32> {
    let holder = |line: &str| {
        let words: Vec<_> = line.split_whitespace().collect();
        let [_, "FLOCK" | "POSIX" | "OFDLCK", _, "WRITE", process, place, first, last] = words.as_slice()
        else {
            return None;
        };
        let inode: u64 = place.rsplit(':').next()?.parse().ok()?;
        let covers = |byte: u64| {
            let last = if *last == "EOF" { u64::MAX } else { last.parse().unwrap_or(0) };
            first.parse::<u64>().is_ok_and(|first| first <= byte) && byte <= last
        };
        (inode == file.inode && file.byte.is_none_or(covers)).then(|| process.parse().ok())?
    };
    table.lines().filter_map(holder).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "1: FLOCK  ADVISORY  WRITE 4711 fe:00:77 0 EOF\n\
                         1: -> FLOCK  ADVISORY  WRITE 4712 fe:00:77 0 EOF\n\
                         2: POSIX  ADVISORY  WRITE 4713 fe:00:88 120 120\n\
                         3: POSIX  ADVISORY  READ  4714 fe:00:88 123 123\n\
                         4: POSIX  ADVISORY  WRITE 4715 fe:00:88 121 122\n\
                         5: OFDLCK ADVISORY  WRITE -1 fe:00:77 0 EOF\n\
                         6: LEASE  ACTIVE    READ  4716 fe:00:77 0 EOF\nnonsense\n";

    #[test]
    fn only_those_who_hold_the_lock_that_is_asked_about_are_named() {
        assert_eq!(holders(TABLE, &Locked { inode: 77, byte: None }), [4711]);
        assert_eq!(holders(TABLE, &Locked { inode: 88, byte: Some(WRITES_THE_LOG) }), [4713]);
        assert!(holders(TABLE, &Locked { inode: 7, byte: None }).is_empty());
    }
}
