//! What may be meant by somebody who is still typing: the newest names of each kind.

use super::Transaction;
use super::rows::parsed;
use crate::domain::message::MessageId;
use crate::store::StoreError;

impl Transaction<'_> {
    /// The ids of the newest messages, newest first.
    pub fn newest_message_ids(&self, limit: u32) -> Result<Vec<MessageId>, StoreError> {
        let mut statement =
            self.connection.prepare("SELECT message_id FROM messages ORDER BY id DESC LIMIT ?1")?;
        let ids = statement.query_map([limit], |row| parsed(row, 0))?.collect::<Result<_, _>>()?;
        Ok(ids)
    }

    /// The threads of the newest messages, each once, the one with the newest message first.
    pub fn newest_threads(&self, messages: u32) -> Result<Vec<String>, StoreError> {
        let mut statement = self.connection.prepare(
            "SELECT thread_id FROM (SELECT id, thread_id FROM messages ORDER BY id DESC LIMIT ?1)
             GROUP BY thread_id ORDER BY max(id) DESC",
        )?;
        let threads = statement.query_map([messages], |row| row.get(0))?.collect::<Result<_, _>>()?;
        Ok(threads)
    }
}
