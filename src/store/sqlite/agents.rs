//! Agents in the store.

use rusqlite::{OptionalExtension, Row, params};
use serde_json::json;

use super::Transaction;
use super::rows::{parsed, time};
use crate::domain::Timestamp;
use crate::domain::agent::{Agent, AgentId, AgentState};
use crate::domain::event::NewEvent;
use crate::store::StoreError;

const AGENT: &str =
    "SELECT id, agent_id, display, role, session, state, token_hash, replaced_by, created_at, last_seen_at
    FROM agents";

impl Transaction<'_> {
    /// The agent of that name.
    pub fn agent(&self, id: &AgentId) -> Result<Option<Agent>, StoreError> {
        let mut statement = self.connection.prepare_cached(&format!("{AGENT} WHERE agent_id = ?1"))?;
        Ok(statement.query_row([id.as_str()], |row| self.agent_in(row)).optional()?)
    }

    /// All agents in order of name.
    pub fn agents(&self) -> Result<Vec<Agent>, StoreError> {
        let mut statement = self.connection.prepare(&format!("{AGENT} ORDER BY agent_id"))?;
        let agents = statement.query_map([], |row| self.agent_in(row))?.collect::<Result<_, _>>()?;
        Ok(agents)
    }

    fn agent_in(&self, row: &Row) -> rusqlite::Result<Agent> {
        let id: AgentId = parsed(row, 1)?;
        self.agent_keys.borrow_mut().push((id.clone(), row.get(0)?));
        let successor: Option<i64> = row.get(7)?;
        Ok(Agent {
            id,
            display: row.get(2)?,
            role: row.get(3)?,
            session: row.get(4)?,
            state: parsed(row, 5)?,
            token_hash: row.get(6)?,
            replaced_by: successor.map(|key| self.agent_named(key)).transpose()?,
            created_at: time(row, 8)?,
            last_seen_at: time(row, 9)?,
        })
    }

    fn agent_named(&self, key: i64) -> rusqlite::Result<AgentId> {
        let query = "SELECT agent_id FROM agents WHERE id = ?1";
        self.connection.prepare_cached(query)?.query_row([key], |row| parsed(row, 0))
    }

    /// Adds an agent.
    pub fn add_agent(&self, agent: &Agent) -> Result<(), StoreError> {
        self.connection.execute(
            "INSERT INTO agents (agent_id, display, role, session, state, token_hash, created_at, last_seen_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            params![
                agent.id.as_str(),
                agent.display,
                agent.role,
                agent.session,
                agent.state.as_str(),
                agent.token_hash,
                agent.created_at.millis(),
                agent.last_seen_at.millis(),
            ],
        )?;
        Ok(())
    }

    /// Replaces what an agent may say about itself.
    pub fn update_agent(&self, agent: &Agent) -> Result<(), StoreError> {
        self.connection.execute(
            "UPDATE agents SET display = ?2, role = ?3, session = ?4, token_hash = ?5 WHERE agent_id = ?1",
            params![agent.id.as_str(), agent.display, agent.role, agent.session, agent.token_hash],
        )?;
        Ok(())
    }

    /// Sets what an agent is doing.
    pub fn set_agent_state(&self, id: &AgentId, state: AgentState) -> Result<(), StoreError> {
        self.connection.execute(
            "UPDATE agents SET state = ?2 WHERE agent_id = ?1",
            params![id.as_str(), state.as_str()],
        )?;
        Ok(())
    }

    /// Notes that an agent did something; time never runs backwards here. One that was given up is there again.
    pub fn agent_seen(&self, id: &AgentId, at: Timestamp) -> Result<(), StoreError> {
        let key = self.agent_key(id)?;
        let state: Option<AgentState> = self
            .connection
            .query_row(
                "UPDATE agents SET last_seen_at = max(last_seen_at, ?2) WHERE id = ?1 RETURNING state",
                params![key, at.millis()],
                |row| parsed(row, 0),
            )
            .optional()?;
        let (given_up, back) = (AgentState::Unresponsive, AgentState::Idle);
        if state == Some(given_up) {
            self.connection
                .execute("UPDATE agents SET state = ?2 WHERE id = ?1", params![key, back.as_str()])?;
            let data = json!({"from": given_up, "to": back});
            self.record(&NewEvent::new("agent.state", id, id.as_str()).data(data), at)?;
        }
        Ok(())
    }

    /// The number an agent has inside the store.
    pub(super) fn agent_key(&self, id: &AgentId) -> Result<i64, StoreError> {
        let known = self.agent_keys.borrow().iter().find(|(known, _)| known == id).map(|(_, key)| *key);
        if let Some(key) = known {
            return Ok(key);
        }
        let query = "SELECT id FROM agents WHERE agent_id = ?1";
        let key = self.connection.prepare_cached(query)?.query_row([id.as_str()], |row| row.get(0))?;
        self.agent_keys.borrow_mut().push((id.clone(), key));
        Ok(key)
    }
}
