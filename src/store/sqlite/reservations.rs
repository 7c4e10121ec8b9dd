//! Who holds what, and what was held.

use rusqlite::{OptionalExtension, Row, params};

use super::Transaction;
use super::rows::{parsed, time, time_option};
use crate::domain::Timestamp;
use crate::domain::agent::{AgentId, AgentState, Liveness};
use crate::domain::reservation::{Held, Reservation, State};
use crate::domain::scope::Scope;
use crate::store::StoreError;

/// Everything about a reservation and its owner; a `WHERE` follows.
const RESERVATION: &str =
    "SELECT r.reservation_id, r.scope, a.agent_id, r.bead_id, r.state, r.created_at, r.expires_at,
           r.released_at, r.fence, r.reason, r.shared, r.of_files, a.state, a.last_seen_at, p.name
    FROM reservations r
    JOIN agents a ON a.id = r.agent
    JOIN projects p ON p.id = r.project";

fn reservation(row: &Row) -> rusqlite::Result<Reservation> {
    Ok(Reservation {
        reservation_id: row.get(0)?,
        scope: parsed::<Scope, _>(row, 1)?.of_files(row.get(11)?),
        agent_id: parsed(row, 2)?,
        bead_id: row.get(3)?,
        state: parsed(row, 4)?,
        created_at: time(row, 5)?,
        expires_at: time(row, 6)?,
        released_at: time_option(row, 7)?,
        fence: row.get(8)?,
        reason: row.get(9)?,
        shared: row.get(10)?,
    })
}

/// A reservation that has not ended, and the project it is in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holding {
    pub held: Held,
    pub project: String,
}

/// How many reservations ended in which way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Ended {
    pub released: i64,
    pub taken_over: i64,
}

impl Transaction<'_> {
    /// The reservations in a project that have not ended, oldest grant first. `liveness` judges an owner by
    /// its state and when it was last seen.
    pub fn held(
        &self,
        project: &str,
        liveness: impl Fn(AgentState, Timestamp) -> Liveness,
    ) -> Result<Vec<Held>, StoreError> {
        let condition = "r.project = (SELECT id FROM projects WHERE name = ?1)";
        let holdings = self.holdings_where(condition, project, liveness)?;
        Ok(holdings.into_iter().map(|holding| holding.held).collect())
    }

    /// An agent's reservations in all projects that have not ended, oldest grant first.
    pub fn held_by(
        &self,
        agent: &AgentId,
        liveness: impl Fn(AgentState, Timestamp) -> Liveness,
    ) -> Result<Vec<Holding>, StoreError> {
        let condition = "r.agent = (SELECT id FROM agents WHERE agent_id = ?1)";
        self.holdings_where(condition, agent.as_str(), liveness)
    }

    /// All reservations that have not ended, oldest grant first.
    pub fn holdings(
        &self,
        liveness: impl Fn(AgentState, Timestamp) -> Liveness,
    ) -> Result<Vec<Holding>, StoreError> {
        self.holdings_where("?1 = ''", "", liveness)
    }

    fn holdings_where(
        &self,
        condition: &str,
        value: &str,
        liveness: impl Fn(AgentState, Timestamp) -> Liveness,
    ) -> Result<Vec<Holding>, StoreError> {
        let query = format!("{RESERVATION} WHERE {condition} AND r.state = 'active' ORDER BY r.fence");
        let mut statement = self.connection.prepare(&query)?;
        let rows = statement.query_map([value], |row| {
            let owner = liveness(parsed(row, 12)?, time(row, 13)?);
            Ok(Holding { held: Held { reservation: reservation(row)?, owner }, project: row.get(14)? })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The reservation with this id, in whatever state.
    pub fn reservation(&self, id: &str) -> Result<Option<Reservation>, StoreError> {
        let query = format!("{RESERVATION} WHERE r.reservation_id = ?1");
        Ok(self.connection.query_row(&query, [id], reservation).optional()?)
    }

    /// The reservations whose id is, begins with or ends with `part`, the newest first, and only some of many.
    pub fn reservations_named(&self, part: &str) -> Result<Vec<Reservation>, StoreError> {
        let id = "r.reservation_id";
        self.reservations_where(
            &format!("(substr({id}, 1, length(?1)) = ?1 OR substr({id}, -length(?1)) = ?1)"),
            part,
        )
    }

    /// The reservations of exactly this scope, in whatever state, the newest first, and only some of many.
    pub fn reservations_of(&self, scope: &str) -> Result<Vec<Reservation>, StoreError> {
        self.reservations_where("r.scope = ?1", scope)
    }

    fn reservations_where(&self, condition: &str, value: &str) -> Result<Vec<Reservation>, StoreError> {
        let query =
            format!("{RESERVATION} WHERE {condition} ORDER BY r.state <> 'active', r.fence DESC LIMIT 6");
        let mut statement = self.connection.prepare(&query)?;
        Ok(statement.query_map([value], reservation)?.collect::<Result<_, _>>()?)
    }

    /// A fence that is higher than every one before.
    pub fn next_fence(&self) -> Result<i64, StoreError> {
        Ok(self
            .connection
            .query_row("UPDATE fences SET last = last + 1 RETURNING last", [], |row| row.get(0))?)
    }

    /// Adds a reservation to a project.
    pub fn add_reservation(&self, project: &str, new: &Reservation) -> Result<(), StoreError> {
        self.connection.execute(
            "INSERT INTO reservations (reservation_id, project, scope, agent, bead_id, state, created_at, expires_at,
                 released_at, fence, reason, shared, of_files)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
            params![
                new.reservation_id,
                self.project_key(project)?,
                new.scope.as_str(),
                self.agent_key(&new.agent_id)?,
                new.bead_id,
                new.state.as_str(),
                new.created_at.millis(),
                new.expires_at.millis(),
                new.released_at.map(Timestamp::millis),
                new.fence,
                new.reason,
                new.shared,
                new.scope.is_of_files(),
            ],
        )?;
        Ok(())
    }

    /// Gives a reservation its new bead, time, fence, reason and reach.
    pub fn refresh_reservation(&self, refreshed: &Reservation) -> Result<(), StoreError> {
        self.connection.execute(
            "UPDATE reservations SET bead_id = ?2, expires_at = ?3, fence = ?4, reason = ?5, shared = ?6, of_files = ?7
             WHERE reservation_id = ?1",
            params![
                refreshed.reservation_id,
                refreshed.bead_id,
                refreshed.expires_at.millis(),
                refreshed.fence,
                refreshed.reason,
                refreshed.shared,
                refreshed.scope.is_of_files(),
            ],
        )?;
        Ok(())
    }

    /// Ends a reservation that has not ended.
    pub fn end_reservation(&self, id: &str, state: State, at: Timestamp) -> Result<(), StoreError> {
        self.connection.execute(
            "UPDATE reservations SET state = ?2, released_at = ?3 WHERE reservation_id = ?1 AND state = 'active'",
            params![id, state.as_str(), at.millis()],
        )?;
        Ok(())
    }

    /// How many reservations of an agent, or of all, for a bead, or for any, have ended.
    pub fn ended_reservations(
        &self,
        agent: Option<&AgentId>,
        bead: Option<&str>,
    ) -> Result<Ended, StoreError> {
        let count = |state: State| -> rusqlite::Result<i64> {
            self.connection.query_row(
                "SELECT count(*) FROM reservations r WHERE r.state = ?1 AND (?2 IS NULL OR r.bead_id = ?2)
                     AND r.agent IN (SELECT id FROM agents WHERE ?3 IS NULL OR agent_id = ?3)",
                params![state.as_str(), bead, agent.map(AgentId::as_str)],
                |row| row.get(0),
            )
        };
        Ok(Ended { released: count(State::Released)?, taken_over: count(State::TakenOver)? })
    }

    /// The number a project has inside the store; a new one gets the next.
    pub(super) fn project_key(&self, name: &str) -> Result<i64, StoreError> {
        self.connection
            .execute("INSERT INTO projects (name) VALUES (?1) ON CONFLICT (name) DO NOTHING", [name])?;
        Ok(self.connection.query_row("SELECT id FROM projects WHERE name = ?1", [name], |row| row.get(0))?)
    }
}
