//! The record of what happened.

use rusqlite::{Row, params};
use serde_json::Value;

use super::Transaction;
use super::rows::{parsed_option, time};
use crate::domain::Timestamp;
use crate::domain::event::{Event, NewEvent};
use crate::store::StoreError;

fn event(row: &Row) -> rusqlite::Result<Event> {
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

impl Transaction<'_> {
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
