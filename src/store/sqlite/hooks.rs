//! What the sessions of agents were told of their mail.

use rusqlite::{Row, params};

use super::Transaction;
use super::needs::{OPEN, OPEN_DELIVERIES, UNACKED, UNREAD};
use super::rows::{parsed, time, time_option};
use crate::domain::Timestamp;
use crate::domain::agent::AgentId;
use crate::domain::hook::Waiting;
use crate::domain::message::MessageId;
use crate::store::StoreError;

fn waiting(row: &Row) -> rusqlite::Result<Waiting> {
    Ok(Waiting {
        message_id: parsed(row, "message_id")?,
        from_agent: parsed(row, "from_agent")?,
        category: parsed(row, "category")?,
        priority: parsed(row, "priority")?,
        subject: row.get("subject")?,
        unread: row.get("unread")?,
        needs_ack: row.get("needs_ack")?,
        ack_due_at: time_option(row, "ack_due_at")?,
        created_at: time(row, "created_at")?,
        shown: row.get("shown")?,
        asked: row.get("asked")?,
    })
}

impl Transaction<'_> {
    /// What still needs an agent, and what a session was told of it.
    pub fn waiting_for(&self, agent: &AgentId, session: &str) -> Result<Vec<Waiting>, StoreError> {
        let mut statement = self.connection.prepare(&format!(
            "SELECT m.message_id, f.agent_id AS from_agent, m.category, m.priority, m.subject,
                    {UNREAD} AS unread, {UNACKED} AS needs_ack, d.ack_due_at, m.created_at,
                    h.shown_at IS NOT NULL AS shown, h.asked_at IS NOT NULL AS asked
             FROM {OPEN_DELIVERIES}
             JOIN messages m ON m.id = d.message JOIN agents f ON f.id = m.from_agent
             LEFT JOIN hook_tellings h ON h.agent = d.agent AND h.message = d.message AND h.session = ?2
             WHERE d.agent = ?1 AND {OPEN} ORDER BY d.message"
        ))?;
        let found = statement.query_map(params![self.agent_key(agent)?, session], waiting)?;
        Ok(found.collect::<Result<_, _>>()?)
    }

    /// Remembers that a session was told of a message, and whether it was asked for the ack.
    pub fn remember_telling(
        &self,
        agent: &AgentId,
        session: &str,
        message: &MessageId,
        asked: bool,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        self.connection.execute(
            "INSERT INTO hook_tellings (agent, message, session, shown_at, asked_at)
             SELECT ?1, id, ?2, ?4, iif(?5, ?4, NULL) FROM messages WHERE message_id = ?3
             ON CONFLICT (agent, message, session) DO UPDATE SET asked_at = coalesce(asked_at, excluded.asked_at)",
            params![self.agent_key(agent)?, session, message.as_str(), at.millis(), asked],
        )?;
        Ok(())
    }

    /// Takes back the newest telling of a message, which the session never heard.
    pub fn take_back_telling(
        &self,
        agent: &AgentId,
        session: &str,
        message: &MessageId,
        was_told_before: bool,
    ) -> Result<(), StoreError> {
        let change = if was_told_before {
            "UPDATE hook_tellings SET asked_at = NULL"
        } else {
            "DELETE FROM hook_tellings"
        };
        self.connection.execute(
            &format!(
                "{change} WHERE agent = ?1 AND session = ?2
                     AND message = (SELECT id FROM messages WHERE message_id = ?3)"
            ),
            params![self.agent_key(agent)?, session, message.as_str()],
        )?;
        Ok(())
    }

    /// Forgets what was told of messages that need nothing more from the agent.
    pub fn forget_tellings(&self, agent: &AgentId) -> Result<(), StoreError> {
        self.connection.execute(
            &format!(
                "DELETE FROM hook_tellings WHERE agent = ?1 AND message NOT IN
                     (SELECT d.message FROM {OPEN_DELIVERIES} WHERE d.agent = ?1 AND {OPEN})"
            ),
            [self.agent_key(agent)?],
        )?;
        Ok(())
    }

    /// Forgets what one session was told, because another one goes by its name.
    pub fn forget_session(&self, agent: &AgentId, session: &str) -> Result<(), StoreError> {
        self.connection.execute(
            "DELETE FROM hook_tellings WHERE agent = ?1 AND session = ?2",
            params![self.agent_key(agent)?, session],
        )?;
        Ok(())
    }
}
