//! A queue before the store's lock.
//!
//! SQLite's own back-off starves under many writers. The kernel serves waiters of a file
//! lock in turn, so taking one first makes writing fair. It is only fairness: SQLite's lock
//! stays the truth, and a command that cannot open the lock file goes on without it.

use std::fs::{File, OpenOptions, TryLockError};
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use super::StoreError;

/// The lock file that writers queue at.
#[derive(Debug)]
pub(super) struct Queue {
    file: PathBuf,
}

/// A writer's turn; the next one comes when it is dropped.
#[derive(Debug)]
pub(super) struct Turn {
    _lock: Option<File>,
}

impl Queue {
    pub(super) fn at(file: PathBuf) -> Self {
        Self { file }
    }

    /// Waits for this process's turn to write, at most that long.
    pub(super) fn take(&self, patience: Duration) -> Result<Turn, StoreError> {
        let opened = OpenOptions::new().create(true).truncate(false).write(true).mode(0o600).open(&self.file);
        let Ok(file) = opened else { return Ok(Turn { _lock: None }) };
        match file.try_lock() {
            Ok(()) => Ok(Turn { _lock: Some(file) }),
            Err(TryLockError::Error(_)) => Ok(Turn { _lock: None }),
            Err(TryLockError::WouldBlock) => self.wait(file, patience),
        }
    }

    /// Blocks in another thread, because a file lock has no time limit of its own.
    fn wait(&self, file: File, patience: Duration) -> Result<Turn, StoreError> {
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            let taken = file.lock().is_ok();
            // Nobody listens any more when the time was up; the lock then goes with the file.
            let _ = sender.send(taken.then_some(file));
        });
        match receiver.recv_timeout(patience) {
            Ok(lock) => Ok(Turn { _lock: lock }),
            Err(_) => Err(StoreError::Busy { path: self.file.clone() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENCE: Duration = Duration::from_secs(30);

    #[test]
    fn turns_are_taken_one_after_the_other() {
        let folder = tempfile::tempdir().unwrap();
        let queue = Queue::at(folder.path().join("lock"));
        let first = queue.take(PATIENCE).unwrap();
        let (sender, receiver) = mpsc::channel();
        let second = Queue::at(folder.path().join("lock"));
        let waiter = thread::spawn(move || {
            let turn = second.take(PATIENCE).unwrap();
            sender.send(()).unwrap();
            drop(turn);
        });
        assert!(receiver.recv_timeout(Duration::from_millis(30)).is_err());
        drop(first);
        receiver.recv_timeout(Duration::from_secs(10)).unwrap();
        waiter.join().unwrap();
    }

    #[test]
    fn goes_on_without_a_lock_file() {
        let queue = Queue::at(PathBuf::from("/nonexistent-folder/lock"));
        assert!(queue.take(PATIENCE).unwrap()._lock.is_none());
    }

    #[test]
    fn whoever_has_no_patience_is_told_that_others_write() {
        let folder = tempfile::tempdir().unwrap();
        let queue = Queue::at(folder.path().join("lock"));
        let _held = queue.take(PATIENCE).unwrap();
        let hurried = Queue::at(folder.path().join("lock")).take(Duration::from_millis(1));
        assert!(matches!(hurried, Err(StoreError::Busy { .. })));
    }
}
