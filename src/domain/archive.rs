//! What leaves the log of events for the archive, and into which file it goes.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;

use super::Timestamp;

/// How old an event is before it is moved, unless somebody says otherwise.
pub const DEFAULT_AGE: Duration = Duration::from_secs(30 * 86_400);

/// The largest file that is still written to.
pub const MAX_FILE_BYTES: u64 = 10 * 1024 * 1024;

/// The event with which the archive puts itself on record.
pub const MOVED: &str = "log.archived";

/// The ending of every file of the archive.
const ENDING: &str = "jsonl.gz";

/// One file of the archive, as far as it counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ArchiveFile {
    pub name: String,
    /// So many bytes from its beginning count; what a killed command left behind them does not.
    pub bytes: u64,
    pub events: u64,
    pub first_event: i64,
    pub last_event: i64,
    #[schemars(with = "String")]
    pub oldest_at: Timestamp,
    #[schemars(with = "String")]
    pub newest_at: Timestamp,
}

impl ArchiveFile {
    /// Whether more may be added. A larger one is left as it is, and another one is begun.
    pub fn has_room(&self) -> bool {
        self.bytes <= MAX_FILE_BYTES
    }
}

/// What was added to a file at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    pub events: Vec<i64>,
    pub oldest_at: Timestamp,
    pub newest_at: Timestamp,
}

impl Batch {
    /// A batch of this one event.
    pub fn of(event_id: i64, at: Timestamp) -> Self {
        Self { events: vec![event_id], oldest_at: at, newest_at: at }
    }

    /// Adds an event. The clock may have gone back since the one before.
    pub fn add(&mut self, event_id: i64, at: Timestamp) {
        self.events.push(event_id);
        self.oldest_at = self.oldest_at.min(at);
        self.newest_at = self.newest_at.max(at);
    }

    /// The file as it is with this batch at its end, where it has `bytes` bytes.
    pub fn added_to(&self, file: Option<&ArchiveFile>, name: &str, bytes: u64) -> ArchiveFile {
        let (first, last) = (self.events.first().copied(), self.events.last().copied());
        let new = ArchiveFile {
            name: name.to_owned(),
            bytes,
            events: u64::try_from(self.events.len()).unwrap_or(u64::MAX),
            first_event: first.unwrap_or_default(),
            last_event: last.unwrap_or_default(),
            oldest_at: self.oldest_at,
            newest_at: self.newest_at,
        };
        match file {
            None => new,
            Some(old) => ArchiveFile {
                events: old.events.saturating_add(new.events),
                first_event: old.first_event.min(new.first_event),
                last_event: old.last_event.max(new.last_event),
                oldest_at: old.oldest_at.min(new.oldest_at),
                newest_at: old.newest_at.max(new.newest_at),
                ..new
            },
        }
    }
}

/// The name of a file that is begun now. Two in the same second are told apart by a number.
pub fn file_name(now: Timestamp, number: u32) -> String {
    let stamp = now.format("%Y%m%d-%H%M%S");
    match number {
        1 => format!("events.{stamp}.{ENDING}"),
        _ => format!("events.{stamp}-{number}.{ENDING}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_millis(1_769_869_800_000 + seconds * 1_000)
    }

    fn file(bytes: u64) -> ArchiveFile {
        Batch::of(7, at(0)).added_to(None, &file_name(at(0), 1), bytes)
    }

    /// C40
    #[test]
    fn a_file_is_written_to_until_it_is_larger_than_ten_mebibytes() {
        assert!(file(10_485_760).has_room());
        assert!(!file(10_485_761).has_room());
    }

    /// C40
    #[test]
    fn a_file_is_named_after_the_second_in_which_it_was_begun() {
        assert_eq!(file_name(at(0), 1), "events.20260131-143000.jsonl.gz");
        assert_eq!(file_name(at(0), 2), "events.20260131-143000-2.jsonl.gz");
    }

    #[test]
    fn what_is_added_widens_what_the_file_reaches_over() {
        let mut batch = Batch::of(3, at(5));
        batch.add(9, at(-4));
        let grown = batch.added_to(Some(&file(100)), "name", 150);
        assert_eq!((grown.bytes, grown.events), (150, 3));
        assert_eq!((grown.first_event, grown.last_event), (3, 9));
        assert_eq!((grown.oldest_at, grown.newest_at), (at(-4), at(5)));
    }
}
