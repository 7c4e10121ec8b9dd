//! Agents in the store.

use rusqlite::{OptionalExtension, Row, params};

use super::Transaction;
use super::rows::{parsed, parsed_option, time};
use crate::domain::Timestamp;
use crate::domain::agent::{Agent, AgentId, AgentState};
use crate::store::StoreError;

const AGENT: &str = "SELECT a.agent_id, a.display, a.role, a.session, a.state, a.token_hash,
           (SELECT r.agent_id FROM agents r WHERE r.id = a.replaced_by) AS replaced_by, a.created_at, a.last_seen_at
    FROM agents a";

fn agent(row: &Row) -> rusqlite::Result<Agent> {
    Ok(Agent {
        id: parsed(row, "agent_id")?,
        display: row.get("display")?,
        role: row.get("role")?,
        session: row.get("session")?,
        state: parsed(row, "state")?,
        token_hash: row.get("token_hash")?,
        replaced_by: parsed_option(row, "replaced_by")?,
        created_at: time(row, "created_at")?,
        last_seen_at: time(row, "last_seen_at")?,
    })
}

impl Transaction<'_> {
    /// The agent of that name.
    pub fn agent(&self, id: &AgentId) -> Result<Option<Agent>, StoreError> {
        let found =
            self.connection.query_row(&format!("{AGENT} WHERE a.agent_id = ?1"), [id.as_str()], agent);
        Ok(found.optional()?)
    }

    /// All agents in order of name.
    pub fn agents(&self) -> Result<Vec<Agent>, StoreError> {
        let mut statement = self.connection.prepare(&format!("{AGENT} ORDER BY a.agent_id"))?;
        let agents = statement.query_map([], agent)?.collect::<Result<_, _>>()?;
        Ok(agents)
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

    /// Notes that an agent did something; time never runs backwards here.
    pub fn agent_seen(&self, id: &AgentId, at: Timestamp) -> Result<(), StoreError> {
        self.connection.execute(
            "UPDATE agents SET last_seen_at = ?2 WHERE agent_id = ?1 AND last_seen_at < ?2",
            params![id.as_str(), at.millis()],
        )?;
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
