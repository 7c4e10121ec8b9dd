//! The record of what happened.

use std::time::Duration;

use rusqlite::{Row, params};
use serde_json::Value;

use super::Transaction;
use super::rows::{parsed_option, time};
use crate::domain::Timestamp;
use crate::domain::agent::AgentId;
use crate::domain::archive::ArchiveFile;
use crate::domain::event::{Event, NewEvent};
use crate::store::StoreError;

pub(super) fn event(row: &Row) -> rusqlite::Result<Event> {
    let data: Option<String> = row.get("data")?;
    Ok(Event {
        event_id: row.get("id")?,
        at: time(row, "at")?,
        event: row.get("event")?,
        agent: parsed_option(row, "agent_id")?,
        about: row.get("about")?,
        operation_id: row.get("operation_id")?,
        data: data.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or(Value::Null),
        uid: row.get("uid")?,
        pid: row.get("pid")?,
        parent_pid: row.get("parent_pid")?,
        cwd: row.get("cwd")?,
    })
}

/// Which events are wanted; all of it must hold.
#[derive(Debug, Clone, Default)]
pub struct EventFilter {
    pub since: Option<Timestamp>,
    pub agent: Option<AgentId>,
    pub operation_id: Option<String>,
    /// Only what happened before this event.
    pub before: Option<i64>,
}

/// The agents that an event names besides the one that caused it.
fn names(event: &Event) -> impl Iterator<Item = &str> {
    const KEYS: [&str; 6] =
        ["to", "agent", "former_agent", "replaced_by", "failed_agent", "replacement_agent"];
    // Elsewhere it is the state that an agent was in.
    let passed_on = event.event.ends_with(".passed_on").then_some("from");
    KEYS.into_iter().chain(passed_on).filter_map(|key| {
        let named = event.data.get(key)?;
        named.as_str().or_else(|| named.get("id")?.as_str())
    })
}

/// How far the clock may have gone back while the log went on.
const CLOCK_STEP: Duration = Duration::from_secs(60);

impl EventFilter {
    /// Whether an event is wanted.
    pub fn fits(&self, event: &Event) -> bool {
        let concerns = |id: &AgentId| {
            event.agent.as_ref() == Some(id)
                || event.about.as_deref() == Some(id.as_str())
                || names(event).any(|name| name == id.as_str())
        };
        self.since.is_none_or(|since| event.at >= since)
            && self.agent.as_ref().is_none_or(concerns)
            && self.operation_id.as_ref().is_none_or(|id| event.operation_id.as_ref() == Some(id))
            && self.before.is_none_or(|id| event.event_id < id)
    }

    /// Whether a file of the archive may hold an event that is wanted.
    pub fn may_be_in(&self, file: &ArchiveFile) -> bool {
        self.since.is_none_or(|since| file.newest_at + CLOCK_STEP >= since)
            && self.before.is_none_or(|id| file.first_event < id)
    }
}

impl Transaction<'_> {
    /// The newest events that are wanted, oldest first.
    pub fn newest_events(&self, filter: &EventFilter, limit: u32) -> Result<Vec<Event>, StoreError> {
        let mut statement = self.connection.prepare(
            "SELECT e.*, a.agent_id FROM events e LEFT JOIN agents a ON a.id = e.agent
             WHERE (?1 IS NULL OR e.operation_id = ?1) AND e.id < ?2 ORDER BY e.id DESC",
        )?;
        let mut rows = statement.query(params![filter.operation_id, filter.before.unwrap_or(i64::MAX)])?;
        let mut events = Vec::new();
        while let Some(row) = rows.next()? {
            let event = event(row)?;
            // The log is in order of time but for steps of the clock; a minute bounds those that matter here.
            if filter.since.is_some_and(|since| event.at + CLOCK_STEP < since) {
                break;
            }
            if filter.fits(&event) {
                events.push(event);
            }
            if events.len() >= usize::try_from(limit).unwrap_or(usize::MAX) {
                break;
            }
        }
        events.reverse();
        Ok(events)
    }

    /// The place of the newest event in the log.
    pub fn newest_event_id(&self) -> Result<i64, StoreError> {
        Ok(self.connection.query_row("SELECT coalesce(max(id), 0) FROM events", [], |row| row.get(0))?)
    }

    /// Records a change, in the change's own transaction.
    pub fn record(&self, new: &NewEvent, at: Timestamp) -> Result<(), StoreError> {
        let agent = new.agent.map(|id| self.agent_key(id)).transpose()?;
        let data = (!new.data.is_null()).then(|| new.data.to_string());
        self.connection.execute(
            "INSERT INTO events (at, event, agent, about, operation_id, data, uid, pid, parent_pid, cwd)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            params![
                at.millis(),
                new.event,
                agent,
                new.about,
                new.operation_id,
                data,
                self.origin.uid,
                self.origin.pid,
                self.origin.parent_pid,
                self.origin.cwd,
            ],
        )?;
        Ok(())
    }

    /// The events of an operation after a place in the log, oldest first.
    pub fn operation_events(&self, operation_id: &str, after: i64) -> Result<Vec<Event>, StoreError> {
        let mut statement = self.connection.prepare(
            "SELECT e.*, a.agent_id FROM events e LEFT JOIN agents a ON a.id = e.agent
             WHERE e.operation_id = ?1 AND e.id > ?2 ORDER BY e.id",
        )?;
        let events = statement.query_map(params![operation_id, after], event)?.collect::<Result<_, _>>()?;
        Ok(events)
    }

    /// The events after a place in the log, oldest first.
    pub fn events_after(&self, event_id: i64, limit: u32) -> Result<Vec<Event>, StoreError> {
        let mut statement = self.connection.prepare(
            "SELECT e.*, a.agent_id FROM events e LEFT JOIN agents a ON a.id = e.agent
             WHERE e.id > ?1 ORDER BY e.id LIMIT ?2",
        )?;
        let events = statement.query_map(params![event_id, limit], event)?.collect::<Result<_, _>>()?;
        Ok(events)
    }
}
