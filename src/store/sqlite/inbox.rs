//! Listing an inbox: one query for every view, on an index that fits it.

use rusqlite::ToSql;

use super::Transaction;
use super::messages::{COLUMNS, JOINS, message};
use super::needs::{OPEN, OPEN_DELIVERIES, UNACKED, UNACKED_DELIVERIES, UNREAD};
use crate::domain::Timestamp;
use crate::domain::agent::AgentId;
use crate::domain::mailbox::{Filter, Limit};
use crate::domain::message::{Kind, Message, State};
use crate::store::StoreError;

/// From which end an inbox is listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    NewestFirst,
    OldestFirst,
}

/// A condition in the making, with the values it refers to.
struct Conditions {
    /// The deliveries, by the index that fits.
    source: &'static str,
    sql: String,
    values: Vec<Box<dyn ToSql>>,
}

impl Conditions {
    fn of(agent: i64, filter: &Filter, now: Timestamp) -> Self {
        let (source, needs) = needs(filter);
        let sql = format!("d.agent = ?1{needs}");
        let mut conditions = Self { source, sql, values: vec![Box::new(agent)] };
        match filter.state {
            Some(State::Unread) | None => {}
            Some(State::Read) => conditions.sql.push_str(" AND d.state = 1"),
            Some(State::Acked) => conditions.sql.push_str(" AND d.state = 2"),
        }
        if let Some(bead) = &filter.bead {
            conditions.equal("m.bead_id =", bead.clone());
        }
        if let Some(thread) = &filter.thread {
            conditions.equal("m.thread_id =", thread.clone());
        }
        if let Some(from) = &filter.from {
            conditions.equal("f.agent_id =", from.as_str().to_owned());
        }
        if let Some(category) = filter.category {
            conditions.equal("m.category =", category.as_str());
        }
        if filter.overdue {
            conditions.equal("d.ack_due_at <=", now.millis());
        }
        conditions
    }

    fn equal(&mut self, left: &str, value: impl ToSql + 'static) {
        self.values.push(Box::new(value));
        self.sql.push_str(&format!(" AND {left} ?{}", self.values.len()));
    }
}

/// The deliveries to look through, and the condition that lets their index serve the query.
fn needs(filter: &Filter) -> (&'static str, String) {
    let unread = filter.state == Some(State::Unread);
    let unacked = filter.needs_ack || filter.overdue;
    match (unread, unacked) {
        (true, true) => (UNACKED_DELIVERIES, format!(" AND {UNACKED} AND {UNREAD}")),
        (false, true) => (UNACKED_DELIVERIES, format!(" AND {UNACKED}")),
        (true, false) => (OPEN_DELIVERIES, format!(" AND {UNREAD}")),
        (false, false) if filter.pending => (OPEN_DELIVERIES, format!(" AND {OPEN}")),
        (false, false) => ("deliveries d", String::new()),
    }
}

impl Transaction<'_> {
    /// The newest messages of an agent that pass the filter, newest first.
    pub fn inbox(
        &self,
        agent: &AgentId,
        filter: &Filter,
        limit: Limit,
        now: Timestamp,
    ) -> Result<Vec<Message>, StoreError> {
        let conditions = Conditions::of(self.agent_key(agent)?, filter, now);
        self.list(&conditions, Order::NewestFirst, limit)
    }

    /// The notices of handoffs that an agent has still to acknowledge and that pass the filter, newest first.
    pub fn open_handoff_notices(
        &self,
        agent: &AgentId,
        filter: &Filter,
        limit: Limit,
        now: Timestamp,
    ) -> Result<Vec<Message>, StoreError> {
        let owed = Filter { needs_ack: true, ..filter.clone() };
        let mut conditions = Conditions::of(self.agent_key(agent)?, &owed, now);
        conditions.equal("m.kind =", Kind::ReplacementHandoff.as_str());
        self.list(&conditions, Order::NewestFirst, limit)
    }

    /// The messages of an agent after a cursor that pass the filter, oldest first.
    pub fn inbox_after(
        &self,
        agent: &AgentId,
        filter: &Filter,
        cursor: i64,
        limit: Limit,
        now: Timestamp,
    ) -> Result<Vec<Message>, StoreError> {
        let mut conditions = Conditions::of(self.agent_key(agent)?, filter, now);
        conditions.equal("d.message >", cursor);
        self.list(&conditions, Order::OldestFirst, limit)
    }

    fn list(&self, conditions: &Conditions, order: Order, limit: Limit) -> Result<Vec<Message>, StoreError> {
        let direction = if order == Order::NewestFirst { "DESC" } else { "ASC" };
        let Conditions { source, sql, .. } = conditions;
        let limit = limit.get();
        let query = format!(
            "{COLUMNS} FROM {source} {JOINS} WHERE {sql} ORDER BY d.message {direction} LIMIT {limit}"
        );
        let mut statement = self.connection.prepare(&query)?;
        let values: Vec<&dyn ToSql> = conditions.values.iter().map(AsRef::as_ref).collect();
        let messages = statement.query_map(values.as_slice(), message)?.collect::<Result<_, _>>()?;
        Ok(messages)
    }

    /// How many messages of an agent pass the filter.
    pub fn count_inbox(&self, agent: &AgentId, filter: &Filter, now: Timestamp) -> Result<i64, StoreError> {
        let conditions = Conditions::of(self.agent_key(agent)?, filter, now);
        let Conditions { source, sql, .. } = &conditions;
        let query = format!(
            "SELECT count(*) FROM {source} JOIN messages m ON m.id = d.message JOIN agents f ON f.id = m.from_agent
             WHERE {sql}"
        );
        let values: Vec<&dyn ToSql> = conditions.values.iter().map(AsRef::as_ref).collect();
        Ok(self.connection.query_row(&query, values.as_slice(), |row| row.get(0))?)
    }

    /// The cursor of the newest message of all; zero when there is none.
    pub fn newest_cursor(&self) -> Result<i64, StoreError> {
        Ok(self.connection.query_row("SELECT coalesce(max(id), 0) FROM messages", [], |row| row.get(0))?)
    }

    /// Whether an agent has at least `bound` unread messages. It counts only when that many messages were
    /// sent at all since its oldest unread one.
    pub fn unread_reaches(&self, agent: &AgentId, bound: u32) -> Result<bool, StoreError> {
        let agent = self.agent_key(agent)?;
        let at_most: Option<i64> = self.connection.query_row(
            &format!(
                "SELECT (SELECT max(id) FROM messages) - min(d.message) + 1
                 FROM {OPEN_DELIVERIES} WHERE d.agent = ?1 AND {UNREAD}"
            ),
            [agent],
            |row| row.get(0),
        )?;
        if at_most.unwrap_or(0) < i64::from(bound) {
            return Ok(false);
        }
        let counted: u32 = self.connection.query_row(&unread_up_to(), (agent, bound), |row| row.get(0))?;
        Ok(counted >= bound)
    }
}

/// Counts the unread messages of an agent (`?1`) up to a bound (`?2`).
fn unread_up_to() -> String {
    format!("SELECT count(*) FROM (SELECT 1 FROM {OPEN_DELIVERIES} WHERE d.agent = ?1 AND {UNREAD} LIMIT ?2)")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::sqlite::schema;

    #[test]
    fn unread_mail_is_counted_without_a_look_at_the_deliveries() {
        let mut store = rusqlite::Connection::open_in_memory().unwrap();
        schema::upgrade(&mut store).unwrap();
        let mut statement = store.prepare(&format!("EXPLAIN QUERY PLAN {}", unread_up_to())).unwrap();
        let plan: Vec<String> =
            statement.query_map((1, 10), |row| row.get("detail")).unwrap().collect::<Result<_, _>>().unwrap();
        assert!(
            plan.iter().any(|step| step.contains("COVERING INDEX deliveries_open (agent=?)")),
            "{plan:?}"
        );
    }
}
