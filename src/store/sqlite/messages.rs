//! Finding messages and moving them forward.

use rusqlite::{OptionalExtension, Row, params};

use super::Transaction;
use super::rows::{parsed, parsed_option, time, time_option};
use crate::domain::Timestamp;
use crate::domain::agent::AgentId;
use crate::domain::message::{Message, MessageId, Response, State};
use crate::store::StoreError;

/// Everything a caller sees of a message.
pub(super) const COLUMNS: &str =
    "SELECT m.id, m.message_id, m.thread_id, m.bead_id, f.agent_id AS from_agent,
           t.agent_id AS to_agent, m.category, m.kind, m.priority, m.subject, x.body, x.content, m.created_at,
           p.message_id AS reply_to, m.broadcast_id, m.operation_id, m.verified,
           d.state, d.requires_ack, d.ack_due_at, d.read_at, d.acked_at, d.closed_at,
           r.verdict, r.words, r.notes, c.message_id AS carried_by, r.at AS responded_at";

/// Where that comes from, beginning with the deliveries `d`; a `WHERE` follows.
pub(super) const JOINS: &str = "JOIN messages m ON m.id = d.message
    JOIN agents f ON f.id = m.from_agent
    JOIN agents t ON t.id = m.to_agent
    JOIN texts x ON x.id = m.text_id
    LEFT JOIN messages p ON p.id = m.reply_to
    LEFT JOIN responses r ON r.message = m.id
    LEFT JOIN messages c ON c.id = r.carried_by";

/// The part of the above that leads from a message to its delivery.
const BY_MESSAGE: &str = "d.agent = m.to_agent AND d.message = m.id";

pub(super) fn message(row: &Row) -> rusqlite::Result<Message> {
    let content: Option<String> = row.get("content")?;
    Ok(Message {
        message_id: parsed(row, "message_id")?,
        thread_id: row.get("thread_id")?,
        bead_id: row.get("bead_id")?,
        from_agent: parsed(row, "from_agent")?,
        to_agent: parsed(row, "to_agent")?,
        category: parsed(row, "category")?,
        kind: parsed(row, "kind")?,
        priority: parsed(row, "priority")?,
        subject: row.get("subject")?,
        body: row.get("body")?,
        state: state_from(row.get("state")?),
        requires_ack: row.get("requires_ack")?,
        created_at: time(row, "created_at")?,
        read_at: time_option(row, "read_at")?,
        acked_at: time_option(row, "acked_at")?,
        reply_to: parsed_option(row, "reply_to")?,
        broadcast_id: row.get("broadcast_id")?,
        operation_id: row.get("operation_id")?,
        content: content.and_then(|text| serde_json::from_str(&text).ok()),
        response: response(row)?,
        verified: row.get("verified")?,
        ack_due_at: time_option(row, "ack_due_at")?,
        closed_at: time_option(row, "closed_at")?,
        cursor: row.get("id")?,
    })
}

fn response(row: &Row) -> rusqlite::Result<Option<Response>> {
    let Some(verdict) = parsed_option(row, "verdict")? else { return Ok(None) };
    Ok(Some(Response {
        verdict,
        message: row.get("words")?,
        notes: row.get("notes")?,
        message_id: parsed_option(row, "carried_by")?,
        at: time(row, "responded_at")?,
    }))
}

const fn state_from(number: i64) -> State {
    match number {
        0 => State::Unread,
        1 => State::Read,
        _ => State::Acked,
    }
}

/// What a part of an id stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    One(MessageId),
    None,
    /// Some of the candidates, newest last.
    Many(Vec<MessageId>),
}

impl Transaction<'_> {
    /// The message with exactly this id.
    pub fn message(&self, id: &MessageId) -> Result<Option<Message>, StoreError> {
        let query = format!("{COLUMNS} FROM deliveries d {JOINS} WHERE m.message_id = ?1 AND {BY_MESSAGE}");
        Ok(self.connection.query_row(&query, [id.as_str()], message).optional()?)
    }

    /// Finds the one message whose id is, begins with or ends with `part`.
    pub fn find_message(&self, part: &MessageId) -> Result<Found, StoreError> {
        let part = part.as_str();
        let exact: Option<MessageId> = self
            .connection
            .query_row("SELECT message_id FROM messages WHERE message_id = ?1", [part], |row| parsed(row, 0))
            .optional()?;
        if let Some(id) = exact {
            return Ok(Found::One(id));
        }
        // `~` sorts after every character an id can have.
        let mut candidates = self.ids("message_id >= ?1 AND message_id < ?1 || '~'", part)?;
        if candidates.is_empty() {
            // A scan of the ids alone: people type tails, programs pass whole ids, and another index
            // would be paid for by every message.
            candidates = self.ids("substr(message_id, -length(?1)) = ?1", part)?;
        }
        Ok(match candidates.as_slice() {
            [] => Found::None,
            [one] => Found::One(one.clone()),
            _ => Found::Many(candidates),
        })
    }

    fn ids(&self, condition: &str, part: &str) -> Result<Vec<MessageId>, StoreError> {
        let query = format!("SELECT message_id FROM messages WHERE {condition} ORDER BY id LIMIT 6");
        let mut statement = self.connection.prepare(&query)?;
        let ids = statement.query_map([part], |row| parsed(row, 0))?.collect::<Result<_, _>>()?;
        Ok(ids)
    }

    /// The messages of a thread, oldest first.
    pub fn thread(&self, thread_id: &str) -> Result<Vec<Message>, StoreError> {
        self.messages_where("m.thread_id = ?1", thread_id)
    }

    /// The messages of one fan-out, in the order they were sent.
    pub fn broadcast(&self, broadcast_id: &str) -> Result<Vec<Message>, StoreError> {
        self.messages_where("m.broadcast_id = ?1", broadcast_id)
    }

    /// The newest message an agent sent since a point in time. Looks at recent messages only.
    pub fn newest_from(&self, from: &AgentId, since: Timestamp) -> Result<Option<Message>, StoreError> {
        let query = format!(
            "{COLUMNS} FROM deliveries d {JOINS}
             WHERE m.id = (SELECT id FROM messages WHERE from_agent = ?1 AND created_at >= ?2
                           AND id > (SELECT max(id) FROM messages) - 10000 ORDER BY id DESC LIMIT 1)
             AND {BY_MESSAGE}"
        );
        let found =
            self.connection.query_row(&query, params![self.agent_key(from)?, since.millis()], message);
        Ok(found.optional()?)
    }

    fn messages_where(&self, condition: &str, value: &str) -> Result<Vec<Message>, StoreError> {
        let query =
            format!("{COLUMNS} FROM deliveries d {JOINS} WHERE {condition} AND {BY_MESSAGE} ORDER BY m.id");
        let mut statement = self.connection.prepare(&query)?;
        let messages = statement.query_map([value], message)?.collect::<Result<_, _>>()?;
        Ok(messages)
    }

    /// Marks a message read; a time once set never changes. Says whether anything changed.
    pub fn mark_read(&self, id: &MessageId, at: Timestamp) -> Result<bool, StoreError> {
        self.advance(id, "state = 1, read_at = ?2", "state = 0", at)
    }

    /// Marks a message acked, and read if it was not. Says whether anything changed.
    pub fn mark_acked(&self, id: &MessageId, at: Timestamp) -> Result<bool, StoreError> {
        self.advance(id, "state = 2, read_at = coalesce(read_at, ?2), acked_at = ?2", "state < 2", at)
    }

    fn advance(&self, id: &MessageId, change: &str, from: &str, at: Timestamp) -> Result<bool, StoreError> {
        let changed = self.connection.execute(
            &format!(
                "UPDATE deliveries SET {change} WHERE {from} AND (agent, message) IN
                     (SELECT to_agent, id FROM messages WHERE message_id = ?1)"
            ),
            params![id.as_str(), at.millis()],
        )?;
        Ok(changed > 0)
    }

    /// Keeps what a recipient answered; a later answer takes the place of an earlier one.
    pub fn set_response(&self, id: &MessageId, response: &Response) -> Result<(), StoreError> {
        self.connection.execute(
            "INSERT INTO responses (message, verdict, words, notes, carried_by, at)
             SELECT id, ?2, ?3, ?4, (SELECT id FROM messages WHERE message_id = ?5), ?6
             FROM messages WHERE message_id = ?1
             ON CONFLICT (message) DO UPDATE SET verdict = excluded.verdict, words = excluded.words,
                 notes = excluded.notes, carried_by = excluded.carried_by, at = excluded.at",
            params![
                id.as_str(),
                response.verdict.as_str(),
                response.message,
                response.notes,
                response.message_id.as_ref().map(MessageId::as_str),
                response.at.millis(),
            ],
        )?;
        Ok(())
    }
}
