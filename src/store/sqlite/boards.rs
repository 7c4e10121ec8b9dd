//! Everybody's open mail at once.

use std::collections::BTreeMap;

use rusqlite::{Row, params};

use super::Transaction;
use super::messages::{COLUMNS, JOINS, message};
use super::needs::{OPEN, OPEN_DELIVERIES, OVERDUE, UNACKED, UNREAD};
use super::rows::parsed;
use crate::domain::Timestamp;
use crate::domain::agent::AgentId;
use crate::domain::message::Message;
use crate::store::StoreError;

/// How much mail still needs somebody, and for how much of it the time is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pressing {
    pub total: u32,
    pub overdue: u32,
}

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

    /// How much mail still needs an agent, or anybody.
    pub fn pressing_mail(&self, of: Option<&AgentId>, now: Timestamp) -> Result<Pressing, StoreError> {
        let whose = whose(of);
        let query = format!(
            "SELECT count(*) AS total, count(*) FILTER (WHERE {OVERDUE}) AS overdue
             FROM {OPEN_DELIVERIES} WHERE {OPEN} AND {whose}"
        );
        let values = params![now.millis(), self.key_of(of)?];
        let counts = |row: &Row| Ok(Pressing { total: row.get("total")?, overdue: row.get("overdue")? });
        Ok(self.connection.query_row(&query, values, counts)?)
    }

    /// The messages that need an agent, or anybody, most: what is overdue, then by priority, then the oldest. They
    /// are chosen in that order and come in any.
    pub fn most_pressing_mail(
        &self,
        of: Option<&AgentId>,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<Message>, StoreError> {
        let whose = whose(of);
        // Only the chosen ones are read with their texts.
        let query = format!(
            "{COLUMNS} FROM deliveries d {JOINS} WHERE (d.agent, d.message) IN (
                 SELECT d.agent, d.message FROM {OPEN_DELIVERIES} JOIN messages m ON m.id = d.message
                 WHERE {OPEN} AND {whose}
                 ORDER BY coalesce({OVERDUE}, 0) DESC,
                     CASE m.priority WHEN 'urgent' THEN 0 WHEN 'high' THEN 1 WHEN 'normal' THEN 2 ELSE 3 END,
                     d.message
                 LIMIT ?3)"
        );
        let mut statement = self.connection.prepare(&query)?;
        let values = params![now.millis(), self.key_of(of)?, limit];
        Ok(statement.query_map(values, message)?.collect::<Result<_, _>>()?)
    }

    /// The number of an agent, if one is meant.
    fn key_of(&self, agent: Option<&AgentId>) -> Result<Option<i64>, StoreError> {
        agent.map(|agent| self.agent_key(agent)).transpose()
    }
}

/// That a delivery is the agent's (`?2`), or anybody's where none is named.
fn whose(of: Option<&AgentId>) -> &'static str {
    if of.is_some() { "d.agent = ?2" } else { "?2 IS NULL" }
}
