//! The queue of those who wait for a scope.

use rusqlite::types::Type;
use rusqlite::{Row, params};

use super::Transaction;
use super::rows::{parsed, time};
use crate::domain::reservation::Waiter;
use crate::domain::scope::Scope;
use crate::store::StoreError;

/// A waiter with the number of its process.
fn waiter(row: &Row) -> rusqlite::Result<(Waiter, u32)> {
    let scopes: String = row.get("scopes")?;
    let scopes: Vec<(Scope, bool)> = serde_json::from_str(&scopes)
        .map_err(|error| rusqlite::Error::FromSqlConversionFailure(0, Type::Text, error.into()))?;
    let scopes = scopes.into_iter().map(|(scope, of_files)| scope.of_files(of_files)).collect();
    let waiter = Waiter {
        place: row.get("place")?,
        agent: parsed(row, "agent_id")?,
        scopes,
        shared: row.get("shared")?,
        takeover_stale: row.get("takeover_stale")?,
        since: time(row, "since")?,
        until: time(row, "until")?,
    };
    Ok((waiter, row.get("pid")?))
}

impl Transaction<'_> {
    /// Those who wait in a project, first come first, with the numbers of their processes.
    pub fn waiters(&self, project: &str) -> Result<Vec<(Waiter, u32)>, StoreError> {
        let mut statement = self.connection.prepare(
            "SELECT w.*, a.agent_id FROM reservation_waiters w JOIN agents a ON a.id = w.agent
             WHERE w.project = (SELECT id FROM projects WHERE name = ?1) ORDER BY w.place",
        )?;
        let waiters = statement.query_map([project], waiter)?.collect::<Result<_, _>>()?;
        Ok(waiters)
    }

    /// The projects somebody waits in.
    pub fn projects_with_waiters(&self) -> Result<Vec<String>, StoreError> {
        let mut statement = self.connection.prepare(
            "SELECT p.name FROM projects p WHERE p.id IN (SELECT w.project FROM reservation_waiters w) ORDER BY p.name",
        )?;
        let names = statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
        Ok(names)
    }

    /// Puts this process at the end of the queue and says in which place; the one in `waiter` does not count.
    pub fn add_waiter(&self, project: &str, waiter: &Waiter) -> Result<i64, StoreError> {
        let scopes: Vec<_> = waiter.scopes.iter().map(|scope| (scope, scope.is_of_files())).collect();
        let scopes = serde_json::to_string(&scopes)
            .map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?;
        self.connection.execute(
            "INSERT INTO reservation_waiters (project, agent, scopes, shared, takeover_stale, since, until, pid)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            params![
                self.project_key(project)?,
                self.agent_key(&waiter.agent)?,
                scopes,
                waiter.shared,
                waiter.takeover_stale,
                waiter.since.millis(),
                waiter.until.millis(),
                self.origin.pid,
            ],
        )?;
        Ok(self.connection.last_insert_rowid())
    }

    /// Takes a waiter out of the queue.
    pub fn remove_waiter(&self, place: i64) -> Result<(), StoreError> {
        self.connection.execute("DELETE FROM reservation_waiters WHERE place = ?1", [place])?;
        Ok(())
    }
}
