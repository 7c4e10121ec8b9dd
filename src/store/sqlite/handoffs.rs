//! Handoffs in the store, and what passes from one agent to another.

use rusqlite::{OptionalExtension, Row, params};

use super::Transaction;
use super::needs::{OPEN, OPEN_DELIVERIES};
use super::rows::{corrupt, parsed};
use crate::domain::agent::{Agent, AgentId};
use crate::domain::handoff::{Handoff, HandoffId};
use crate::domain::message::MessageId;
use crate::store::StoreError;
use crate::store::changes::Topic;

fn handoff(row: &Row) -> rusqlite::Result<Handoff> {
    let text: String = row.get("handoff")?;
    serde_json::from_str(&text).map_err(corrupt)
}

fn json(handoff: &Handoff) -> Result<String, StoreError> {
    serde_json::to_string(handoff).map_err(|error| StoreError::from(corrupt(error)))
}

impl Transaction<'_> {
    /// Adds a handoff.
    pub fn add_handoff(&self, new: &Handoff) -> Result<(), StoreError> {
        self.connection.execute(
            "INSERT INTO handoffs (handoff_id, orchestrator, failed, replacement, step, open, handoff)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            params![
                new.handoff_id.as_str(),
                self.agent_key(&new.orchestrator)?,
                self.agent_key(&new.failed.id)?,
                self.agent_key(&new.replacement.id)?,
                new.step().as_str(),
                new.step().is_open(),
                json(new)?,
            ],
        )?;
        Ok(())
    }

    /// Keeps how far a handoff has come.
    pub fn save_handoff(&self, changed: &Handoff) -> Result<(), StoreError> {
        self.connection.execute(
            "UPDATE handoffs SET step = ?2, open = ?3, handoff = ?4 WHERE handoff_id = ?1",
            params![
                changed.handoff_id.as_str(),
                changed.step().as_str(),
                changed.step().is_open(),
                json(changed)?,
            ],
        )?;
        Ok(())
    }

    /// The handoff with this id.
    pub fn handoff(&self, id: &HandoffId) -> Result<Option<Handoff>, StoreError> {
        let query = "SELECT handoff FROM handoffs WHERE handoff_id = ?1";
        Ok(self.connection.query_row(query, [id.as_str()], handoff).optional()?)
    }

    /// The ids that begin or end with this part; only the id itself where one is exactly that.
    pub fn handoffs_named(&self, part: &str) -> Result<Vec<HandoffId>, StoreError> {
        let mut statement = self.connection.prepare(
            "SELECT handoff_id FROM handoffs
             WHERE substr(handoff_id, 1, length(?1)) = ?1 OR substr(handoff_id, -length(?1)) = ?1 ORDER BY id",
        )?;
        let found: Vec<HandoffId> =
            statement.query_map([part], |row| parsed(row, "handoff_id"))?.collect::<Result<_, _>>()?;
        let exact = found.iter().find(|id| id.as_str() == part).cloned();
        Ok(exact.map_or(found, |id| vec![id]))
    }

    /// All handoffs, oldest first.
    pub fn handoffs(&self) -> Result<Vec<Handoff>, StoreError> {
        let mut statement = self.connection.prepare("SELECT handoff FROM handoffs ORDER BY id")?;
        let found = statement.query_map([], handoff)?;
        Ok(found.collect::<Result<_, _>>()?)
    }

    /// The handoffs of which it is not decided what becomes of their tasks, oldest first.
    pub fn open_handoffs(&self) -> Result<Vec<Handoff>, StoreError> {
        let mut statement = self.connection.prepare("SELECT handoff FROM handoffs WHERE open ORDER BY id")?;
        let found = statement.query_map([], handoff)?;
        Ok(found.collect::<Result<_, _>>()?)
    }

    /// Keeps the state of an agent, where it runs and who has taken its place.
    pub fn save_succession(&self, agent: &Agent) -> Result<(), StoreError> {
        let successor = agent.replaced_by.as_ref().map(|id| self.agent_key(id)).transpose()?;
        self.connection.execute(
            "UPDATE agents SET state = ?2, session = ?3, replaced_by = ?4 WHERE agent_id = ?1",
            params![agent.id.as_str(), agent.state.as_str(), agent.session, successor],
        )?;
        Ok(())
    }

    /// Passes mail that one agent has not read or not acked to another, and says which: plain mail, and
    /// requests before an operation. What the other one sent itself stays where it is.
    pub fn pass_on_mail(&self, from: &AgentId, to: &AgentId) -> Result<Vec<MessageId>, StoreError> {
        let (old, new) = (self.agent_key(from)?, self.agent_key(to)?);
        let mut statement = self.connection.prepare(&format!(
            "SELECT m.message_id FROM {OPEN_DELIVERIES} JOIN messages m ON m.id = d.message
             WHERE d.agent = ?1 AND {OPEN} AND m.kind IN ('message', 'pre-operation') AND m.from_agent <> ?2
             ORDER BY m.id"
        ))?;
        let ids: Vec<MessageId> = statement
            .query_map(params![old, new], |row| parsed(row, "message_id"))?
            .collect::<Result<_, _>>()?;
        for id in &ids {
            self.connection.execute(
                "UPDATE deliveries SET agent = ?2
                 WHERE agent = ?1 AND message = (SELECT id FROM messages WHERE message_id = ?3)",
                params![old, new, id.as_str()],
            )?;
            self.connection.execute(
                "UPDATE messages SET to_agent = ?1 WHERE message_id = ?2",
                params![new, id.as_str()],
            )?;
        }
        if !ids.is_empty() {
            self.concerns(Topic::Mailbox(to.clone()));
        }
        Ok(ids)
    }

    /// Passes a reservation that has not ended to another agent, under a fence of its own.
    pub fn pass_on_reservation(&self, id: &str, to: &AgentId, fence: i64) -> Result<(), StoreError> {
        self.connection.execute(
            "UPDATE reservations SET agent = ?2, fence = ?3 WHERE reservation_id = ?1 AND state = 'active'",
            params![id, self.agent_key(to)?, fence],
        )?;
        Ok(())
    }
}
