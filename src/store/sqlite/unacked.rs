//! What still waits for an ack, whoever's it is.

use rusqlite::params;

use super::Transaction;
use super::messages::{COLUMNS, JOINS, message};
use super::needs::{UNACKED, UNACKED_DELIVERIES};
use crate::domain::agent::AgentId;
use crate::domain::message::Message;
use crate::store::StoreError;

impl Transaction<'_> {
    /// The messages to an agent, or to anyone, about a bead, or any, that wait for an ack; oldest first.
    pub fn waiting_for_ack(
        &self,
        agent: Option<&AgentId>,
        bead: Option<&str>,
    ) -> Result<Vec<Message>, StoreError> {
        let query = format!(
            "{COLUMNS} FROM {UNACKED_DELIVERIES} {JOINS}
             WHERE {UNACKED} AND (?1 IS NULL OR t.agent_id = ?1) AND (?2 IS NULL OR m.bead_id = ?2)
             ORDER BY d.message"
        );
        let mut statement = self.connection.prepare(&query)?;
        let messages = statement
            .query_map(params![agent.map(AgentId::as_str), bead], message)?
            .collect::<Result<_, _>>()?;
        Ok(messages)
    }
}
