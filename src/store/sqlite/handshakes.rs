//! Handshakes in the store.

use rusqlite::{OptionalExtension, Row, params};

use super::Transaction;
use super::rows::corrupt;
use crate::domain::Timestamp;
use crate::domain::handshake::Snapshot;
use crate::domain::message::MessageId;
use crate::store::StoreError;
use crate::store::changes::Topic;

/// A handshake with what ties it to the clock of this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredHandshake {
    pub snapshot: Snapshot,
    /// The run of the machine it began in, and how long that had lasted, in milliseconds.
    pub began: Option<(String, i64)>,
    /// The waiter that took it upon itself to run the command.
    pub claim: Option<Claim>,
}

/// Who runs an operation's command, or has run it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    pub at: Timestamp,
    /// Its process; earlier versions did not keep it.
    pub pid: Option<u32>,
    /// Tells the process apart from a later one with the same number, where the system can.
    pub birth: Option<String>,
    /// What the command exited with, as a shell reports it; nothing as long as it runs.
    pub exit: Option<i32>,
}

impl Claim {
    /// By whom and when the command was begun, as far as it is known.
    pub fn whence(&self) -> String {
        let by = self.pid.map(|pid| format!("by process {pid} ")).unwrap_or_default();
        format!("{by}at {}", self.at)
    }
}

fn stored(row: &Row) -> rusqlite::Result<StoredHandshake> {
    let snapshot: String = row.get("snapshot")?;
    let boot: Option<String> = row.get("boot")?;
    let since_boot: Option<i64> = row.get("since_boot")?;
    Ok(StoredHandshake {
        snapshot: serde_json::from_str(&snapshot).map_err(corrupt)?,
        began: boot.zip(since_boot),
        claim: claim(row)?,
    })
}

fn claim(row: &Row) -> rusqlite::Result<Option<Claim>> {
    let Some(at) = super::rows::time_option(row, "claimed_at")? else { return Ok(None) };
    let (pid, birth) = (row.get("claimed_pid")?, row.get("claimed_birth")?);
    Ok(Some(Claim { at, pid, birth, exit: row.get("command_exit")? }))
}

fn json(snapshot: &Snapshot) -> Result<String, StoreError> {
    serde_json::to_string(snapshot).map_err(|error| StoreError::from(corrupt(error)))
}

impl Transaction<'_> {
    /// Adds a handshake and binds its requests to it.
    pub fn add_handshake(&self, new: &StoredHandshake, due_at: Option<Timestamp>) -> Result<(), StoreError> {
        let (boot, since_boot) = new.began.clone().unzip();
        self.connection.execute(
            "INSERT INTO handshakes (operation_id, requester, snapshot, boot, since_boot, due_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            params![
                new.snapshot.id,
                self.agent_key(&new.snapshot.requester)?,
                json(&new.snapshot)?,
                boot,
                since_boot,
                due_at.map(Timestamp::millis),
            ],
        )?;
        let handshake = self.connection.last_insert_rowid();
        for recipient in &new.snapshot.recipients {
            self.connection.execute(
                "INSERT INTO handshake_requests (message, handshake) SELECT id, ?2 FROM messages WHERE message_id = ?1",
                params![recipient.message_id.as_str(), handshake],
            )?;
        }
        self.concerns(Topic::Operation(new.snapshot.id.clone()));
        Ok(())
    }

    /// Keeps how far a handshake has come; `due_at` is when its next step is due.
    pub fn save_handshake(&self, snapshot: &Snapshot, due_at: Option<Timestamp>) -> Result<(), StoreError> {
        self.connection.execute(
            "UPDATE handshakes SET snapshot = ?2, due_at = ?3 WHERE operation_id = ?1",
            params![snapshot.id, json(snapshot)?, due_at.map(Timestamp::millis)],
        )?;
        self.concerns(Topic::Operation(snapshot.id.clone()));
        Ok(())
    }

    /// A handshake asks in another message than before.
    pub fn move_request(
        &self,
        operation_id: &str,
        from: &MessageId,
        to: &MessageId,
    ) -> Result<(), StoreError> {
        self.connection.execute(
            "UPDATE handshake_requests SET message = (SELECT id FROM messages WHERE message_id = ?3)
             WHERE handshake = (SELECT id FROM handshakes WHERE operation_id = ?1)
                 AND message = (SELECT id FROM messages WHERE message_id = ?2)",
            params![operation_id, from.as_str(), to.as_str()],
        )?;
        Ok(())
    }

    /// The handshake of an operation.
    pub fn handshake(&self, operation_id: &str) -> Result<Option<StoredHandshake>, StoreError> {
        let query = "SELECT * FROM handshakes WHERE operation_id = ?1";
        Ok(self.connection.query_row(query, [operation_id], stored).optional()?)
    }

    /// The handshakes that are not over, the one with the next step first.
    pub fn open_handshakes(&self) -> Result<Vec<StoredHandshake>, StoreError> {
        let mut statement = self
            .connection
            .prepare("SELECT * FROM handshakes WHERE due_at IS NOT NULL ORDER BY due_at, id")?;
        let handshakes = statement.query_map([], stored)?.collect::<Result<_, _>>()?;
        Ok(handshakes)
    }

    /// The handshakes in which a message is a request, oldest first.
    pub fn handshakes_about(&self, id: &MessageId) -> Result<Vec<StoredHandshake>, StoreError> {
        let mut statement = self.connection.prepare(
            "SELECT h.* FROM messages m JOIN handshake_requests r ON r.message = m.id
             JOIN handshakes h ON h.id = r.handshake WHERE m.message_id = ?1 ORDER BY h.id",
        )?;
        let handshakes = statement.query_map([id.as_str()], stored)?.collect::<Result<_, _>>()?;
        Ok(handshakes)
    }

    /// Takes the right to run an operation's command for this process; only the first one gets it.
    pub fn claim_command(
        &self,
        operation_id: &str,
        birth: Option<&str>,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        let claimed = self.connection.execute(
            "UPDATE handshakes SET claimed_at = ?2, claimed_pid = ?3, claimed_birth = ?4
             WHERE operation_id = ?1 AND claimed_at IS NULL",
            params![operation_id, at.millis(), self.origin.pid, birth],
        )?;
        Ok(claimed > 0)
    }

    /// Keeps what an operation's command exited with.
    pub fn finish_command(&self, operation_id: &str, exit: i32) -> Result<(), StoreError> {
        let query = "UPDATE handshakes SET command_exit = ?2 WHERE operation_id = ?1";
        self.connection.execute(query, params![operation_id, exit])?;
        self.concerns(Topic::Operation(operation_id.to_owned()));
        Ok(())
    }

    /// Closes a request that became moot: it needs no ack any more.
    pub fn close_message(&self, id: &MessageId, at: Timestamp) -> Result<(), StoreError> {
        self.connection.execute(
            "UPDATE deliveries SET closed_at = ?2 WHERE closed_at IS NULL AND (agent, message) IN
                 (SELECT to_agent, id FROM messages WHERE message_id = ?1)",
            params![id.as_str(), at.millis()],
        )?;
        Ok(())
    }

    /// Opens a request again that was closed and never acked; its ack is due at this time.
    pub fn reopen_message(&self, id: &MessageId, due_at: Timestamp) -> Result<(), StoreError> {
        self.connection.execute(
            "UPDATE deliveries SET closed_at = NULL, ack_due_at = ?2
             WHERE closed_at IS NOT NULL AND state < 2 AND (agent, message) IN
                 (SELECT to_agent, id FROM messages WHERE message_id = ?1)",
            params![id.as_str(), due_at.millis()],
        )?;
        Ok(())
    }
}
