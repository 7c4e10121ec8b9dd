//! What leaves the log of events, and which files it went into.

use rusqlite::{Row, params};

use super::Transaction;
use super::events::event;
use super::needs::{OPEN, OPEN_DELIVERIES};
use super::rows::{corrupt, time, time_option};
use crate::domain::Timestamp;
use crate::domain::archive::{ArchiveFile, Batch, MOVED};
use crate::domain::event::Event;
use crate::store::StoreError;

/// The events that may leave: they are old enough (`?1`), they come after a place (`?2`), what they are about
/// is closed, and they are not the newest. What the archive recorded of itself is no reason to move more.
///
/// Open is what can still change: a message that is not read, owes an ack or is waited for; a handshake, a
/// task, a handoff or a reservation that has not ended. Agents never end; what happened to them is over.
fn closed(columns: &str) -> String {
    format!(
        "WITH open_things (id) AS (
            SELECT operation_id FROM handshakes WHERE due_at IS NOT NULL
            UNION SELECT m.message_id FROM handshakes h
                JOIN handshake_requests r ON r.handshake = h.id JOIN messages m ON m.id = r.message
                WHERE h.due_at IS NOT NULL
            UNION SELECT m.message_id FROM {OPEN_DELIVERIES} JOIN messages m ON m.id = d.message WHERE {OPEN}
            UNION SELECT task_id FROM tasks WHERE open
            UNION SELECT handoff_id FROM handoffs WHERE step NOT IN ('audited', 'superseded')
            UNION SELECT reservation_id FROM reservations WHERE state = 'active'
        )
        SELECT {columns} FROM events e LEFT JOIN agents a ON a.id = e.agent
        WHERE e.at <= ?1 AND e.id > ?2
            AND e.id < (SELECT id FROM events WHERE event <> ?3 ORDER BY id DESC LIMIT 1)
            AND (e.about IS NULL OR e.about NOT IN (SELECT id FROM open_things))
            AND (e.operation_id IS NULL OR e.operation_id NOT IN (SELECT id FROM open_things))"
    )
}

/// What may leave, counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Closed {
    pub events: u64,
    pub oldest_at: Option<Timestamp>,
    pub newest_at: Option<Timestamp>,
}

/// A number that is never negative.
fn count(row: &Row, column: &str) -> rusqlite::Result<u64> {
    row.get::<_, i64>(column).and_then(|number| u64::try_from(number).map_err(corrupt))
}

fn stored(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn file(row: &Row) -> rusqlite::Result<ArchiveFile> {
    Ok(ArchiveFile {
        name: row.get("name")?,
        bytes: count(row, "bytes")?,
        events: count(row, "events")?,
        first_event: row.get("first_event")?,
        last_event: row.get("last_event")?,
        oldest_at: time(row, "oldest_at")?,
        newest_at: time(row, "newest_at")?,
    })
}

/// An event with all that was recorded; one that cannot be read back must not leave.
fn whole_event(row: &Row) -> rusqlite::Result<Event> {
    if let Some(data) = row.get::<_, Option<String>>("data")? {
        serde_json::from_str::<serde::de::IgnoredAny>(&data).map_err(corrupt)?;
    }
    event(row)
}

impl Transaction<'_> {
    /// The files of the archive, in the order in which they were begun.
    pub fn archive_files(&self) -> Result<Vec<ArchiveFile>, StoreError> {
        let mut statement = self.connection.prepare("SELECT * FROM archive_files ORDER BY id")?;
        Ok(statement.query_map([], file)?.collect::<Result<_, _>>()?)
    }

    /// Counts what may leave because nothing happened to it since `before`.
    pub fn count_closed_events(&self, before: Timestamp) -> Result<Closed, StoreError> {
        let columns = "count(*) AS events, min(e.at) AS oldest_at, max(e.at) AS newest_at";
        let query = closed(columns);
        let counted = self.connection.query_row(&query, params![before.millis(), 0, MOVED], |row| {
            Ok(Closed {
                events: count(row, "events")?,
                oldest_at: time_option(row, "oldest_at")?,
                newest_at: time_option(row, "newest_at")?,
            })
        })?;
        Ok(counted)
    }

    /// Hands out what may leave, oldest first, from a place in the log on, until `each` says that it has enough.
    pub fn closed_events(
        &self,
        before: Timestamp,
        after: i64,
        each: &mut dyn FnMut(Event) -> Result<bool, StoreError>,
    ) -> Result<(), StoreError> {
        let query = format!("{} ORDER BY e.id", closed("e.*, a.agent_id"));
        let mut statement = self.connection.prepare(&query)?;
        let mut rows = statement.query(params![before.millis(), after, MOVED])?;
        while let Some(row) = rows.next()? {
            if !each(whole_event(row)?)? {
                break;
            }
        }
        Ok(())
    }

    /// Takes events out of the log that are on the disk as a part of this file.
    pub fn move_events(&self, file: &ArchiveFile, batch: &Batch) -> Result<(), StoreError> {
        self.connection.execute(
            "INSERT INTO archive_files (name, bytes, events, first_event, last_event, oldest_at, newest_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
             ON CONFLICT (name) DO UPDATE SET bytes = ?2, events = ?3, first_event = ?4, last_event = ?5,
                 oldest_at = ?6, newest_at = ?7",
            params![
                file.name,
                stored(file.bytes),
                stored(file.events),
                file.first_event,
                file.last_event,
                file.oldest_at.millis(),
                file.newest_at.millis(),
            ],
        )?;
        let mut statement = self.connection.prepare("DELETE FROM events WHERE id = ?1")?;
        for id in &batch.events {
            statement.execute([id])?;
        }
        Ok(())
    }

    /// How many events the log holds.
    pub fn count_events(&self) -> Result<u64, StoreError> {
        let query = "SELECT count(*) AS events FROM events";
        Ok(self.connection.query_row(query, [], |row| count(row, "events"))?)
    }
}
