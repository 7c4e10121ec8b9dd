//! Storing new messages.

use rusqlite::{OptionalExtension, params};

use super::Transaction;
use super::rows::parsed;
use crate::domain::Timestamp;
use crate::domain::agent::AgentId;
use crate::domain::message::{Draft, MessageId, State};
use crate::store::StoreError;
use crate::store::changes::Topic;

impl Transaction<'_> {
    /// Stores one message that its recipient has not seen, and notes who is to be woken.
    pub fn add_message(&self, id: &MessageId, draft: &Draft, now: Timestamp) -> Result<i64, StoreError> {
        let text = self.text_for(draft)?;
        let from = self.agent_key(&draft.from)?;
        let to = self.agent_key(&draft.to)?;
        self.connection.execute(
            "INSERT INTO messages (message_id, thread_id, bead_id, from_agent, to_agent, category, kind, priority, subject,
                 text_id, created_at, reply_to, broadcast_id, operation_id, verified)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, (SELECT id FROM messages WHERE message_id = ?12),
                 ?13, ?14, ?15)",
            params![
                id.as_str(),
                draft.thread_id,
                draft.bead_id,
                from,
                to,
                draft.category.as_str(),
                draft.kind.as_str(),
                draft.priority.as_str(),
                draft.subject,
                text,
                now.millis(),
                draft.reply_to.as_ref().map(MessageId::as_str),
                draft.broadcast_id,
                draft.operation_id,
                draft.verified,
            ],
        )?;
        let cursor = self.connection.last_insert_rowid();
        self.connection.execute(
            "INSERT INTO deliveries (agent, message, state, requires_ack, ack_due_at) VALUES (?1, ?2, 0, ?3, ?4)",
            params![to, cursor, draft.requires_ack, draft.ack_due_at.map(Timestamp::millis)],
        )?;
        self.concerns(Topic::Mailbox(draft.to.clone()));
        Ok(cursor)
    }

    /// The stored words of a message; the messages of one fan-out share them.
    fn text_for(&self, draft: &Draft) -> Result<i64, StoreError> {
        if let Some(broadcast) = &draft.broadcast_id {
            let shared = self
                .connection
                .query_row(
                    "SELECT text_id FROM messages WHERE broadcast_id = ?1 LIMIT 1",
                    [broadcast],
                    |row| row.get(0),
                )
                .optional()?;
            if let Some(text) = shared {
                return Ok(text);
            }
        }
        let content = draft.content.as_ref().map(ToString::to_string);
        self.connection
            .execute("INSERT INTO texts (body, content) VALUES (?1, ?2)", params![draft.body, content])?;
        Ok(self.connection.last_insert_rowid())
    }

    /// Whether a message has this id.
    pub fn has_message(&self, id: &MessageId) -> Result<bool, StoreError> {
        let found =
            self.connection
                .query_row("SELECT 1 FROM messages WHERE message_id = ?1", [id.as_str()], |_| Ok(()));
        Ok(found.optional()?.is_some())
    }

    /// Keeps a message that was written elsewhere, as far as it had come there.
    pub fn set_progress(
        &self,
        id: &MessageId,
        state: State,
        read_at: Option<Timestamp>,
        acked_at: Option<Timestamp>,
    ) -> Result<(), StoreError> {
        let number = match state {
            State::Unread => 0,
            State::Read => 1,
            State::Acked => 2,
        };
        self.connection.execute(
            "UPDATE deliveries SET state = ?2, read_at = ?3, acked_at = ?4 WHERE (agent, message) IN
                 (SELECT to_agent, id FROM messages WHERE message_id = ?1)",
            params![id.as_str(), number, read_at.map(Timestamp::millis), acked_at.map(Timestamp::millis)],
        )?;
        Ok(())
    }

    /// The message a sender sent with this key.
    pub fn keyed_message(&self, from: &AgentId, key: &str) -> Result<Option<MessageId>, StoreError> {
        let found = self.connection.query_row(
            "SELECT m.message_id FROM send_keys k JOIN messages m ON m.id = k.message JOIN agents a ON a.id = k.from_agent
             WHERE a.agent_id = ?1 AND k.key = ?2",
            params![from.as_str(), key],
            |row| parsed(row, 0),
        );
        Ok(found.optional()?)
    }

    /// Remembers under which key a sender sent a message.
    pub fn remember_key(&self, from: &AgentId, key: &str, id: &MessageId) -> Result<(), StoreError> {
        self.connection.execute(
            "INSERT INTO send_keys (from_agent, key, message)
             SELECT a.id, ?2, m.id FROM agents a, messages m WHERE a.agent_id = ?1 AND m.message_id = ?3",
            params![from.as_str(), key, id.as_str()],
        )?;
        Ok(())
    }
}
