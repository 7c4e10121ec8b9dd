//! Finding everything that belongs to one thing.

use super::Transaction;
use super::events::event;
use crate::domain::event::Event;
use crate::store::StoreError;

impl Transaction<'_> {
    /// The events about one thing, oldest first. The log has no index for it: it is asked for by people, and
    /// every change would pay for one.
    pub fn events_about(&self, about: &str) -> Result<Vec<Event>, StoreError> {
        let mut statement = self.connection.prepare(
            "SELECT e.*, a.agent_id FROM events e LEFT JOIN agents a ON a.id = e.agent
             WHERE e.about = ?1 ORDER BY e.id",
        )?;
        Ok(statement.query_map([about], event)?.collect::<Result<_, _>>()?)
    }

    /// The operations whose id is, begins with or ends with `part`, oldest first; at most six.
    pub fn operations_named(&self, part: &str) -> Result<Vec<String>, StoreError> {
        let mut statement = self.connection.prepare(
            "SELECT operation_id FROM handshakes
             WHERE substr(operation_id, 1, length(?1)) = ?1 OR substr(operation_id, -length(?1)) = ?1
             ORDER BY operation_id <> ?1, id LIMIT 6",
        )?;
        Ok(statement.query_map([part], |row| row.get(0))?.collect::<Result<_, _>>()?)
    }
}
