//! Everybody's open mail at once.

use std::collections::BTreeMap;

use super::Transaction;
use super::messages::{COLUMNS, JOINS, message};
use super::needs::{OPEN, OPEN_DELIVERIES, UNACKED, UNREAD};
use super::rows::parsed;
use crate::domain::agent::AgentId;
use crate::domain::message::Message;
use crate::store::StoreError;

/// How much mail still needs an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OpenMail {
    pub unread: u32,
    pub needs_ack: u32,
}

impl Transaction<'_> {
    /// How much mail needs whom; agents that nothing needs are left out.
    pub fn open_mail_counts(&self) -> Result<BTreeMap<AgentId, OpenMail>, StoreError> {
        let mut statement = self.connection.prepare(&format!(
            "SELECT a.agent_id, sum({UNREAD}) AS unread, sum({UNACKED}) AS needs_ack
             FROM {OPEN_DELIVERIES} JOIN agents a ON a.id = d.agent WHERE {OPEN} GROUP BY d.agent"
        ))?;
        let counts = statement.query_map([], |row| {
            Ok((parsed(row, 0)?, OpenMail { unread: row.get("unread")?, needs_ack: row.get("needs_ack")? }))
        })?;
        Ok(counts.collect::<Result<_, _>>()?)
    }

    /// The newest messages that still need anybody, newest first.
    pub fn open_mail(&self, limit: u32) -> Result<Vec<Message>, StoreError> {
        let query = format!(
            "{COLUMNS} FROM {OPEN_DELIVERIES} {JOINS}
             WHERE {OPEN} ORDER BY d.message DESC LIMIT ?1"
        );
        let mut statement = self.connection.prepare(&query)?;
        Ok(statement.query_map([limit], message)?.collect::<Result<_, _>>()?)
    }
}
