//! Delegated tasks in the store.

use rusqlite::{OptionalExtension, Row, params};

use super::Transaction;
use super::needs::{UNACKED, UNACKED_DELIVERIES};
use super::rows::{corrupt, parsed};
use crate::domain::Timestamp;
use crate::domain::agent::AgentId;
use crate::domain::message::MessageId;
use crate::domain::task::{Task, TaskId, TaskStatus};
use crate::store::StoreError;

/// Which tasks are wanted; all of it must hold.
#[derive(Debug, Clone, Default)]
pub struct TaskFilter {
    /// The one it is with, or who delegated it.
    pub agent: Option<AgentId>,
    pub status: Option<TaskStatus>,
    pub task_id: Option<TaskId>,
    /// Only those to which something can still happen.
    pub open: bool,
}

fn task(row: &Row) -> rusqlite::Result<Task> {
    let text: String = row.get("task")?;
    serde_json::from_str(&text).map_err(corrupt)
}

fn json(task: &Task) -> Result<String, StoreError> {
    serde_json::to_string(task).map_err(|error| StoreError::from(corrupt(error)))
}

impl Transaction<'_> {
    /// Adds a task.
    pub fn add_task(&self, task: &Task) -> Result<(), StoreError> {
        self.connection.execute(
            "INSERT INTO tasks (task_uuid, task_id, agent, delegated_by, status, open, due_at, task)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            params![
                task.task_uuid,
                task.task_id.as_str(),
                self.agent_key(&task.agent)?,
                self.agent_key(&task.delegated_by)?,
                task.status.as_str(),
                !task.status.is_closed(),
                task.due_at().map(Timestamp::millis),
                json(task)?,
            ],
        )?;
        Ok(())
    }

    /// Keeps how far a task has come and whom it is with.
    pub fn save_task(&self, task: &Task) -> Result<(), StoreError> {
        self.connection.execute(
            "UPDATE tasks SET agent = ?2, delegated_by = ?3, status = ?4, open = ?5, due_at = ?6, task = ?7
             WHERE task_uuid = ?1",
            params![
                task.task_uuid,
                self.agent_key(&task.agent)?,
                self.agent_key(&task.delegated_by)?,
                task.status.as_str(),
                !task.status.is_closed(),
                task.due_at().map(Timestamp::millis),
                json(task)?,
            ],
        )?;
        Ok(())
    }

    /// The task with this lasting id.
    pub fn task(&self, task_uuid: &str) -> Result<Option<Task>, StoreError> {
        let query = "SELECT task FROM tasks WHERE task_uuid = ?1";
        Ok(self.connection.query_row(query, [task_uuid], task).optional()?)
    }

    /// The newest task of this name; if one of them is open, it is this one.
    pub fn task_named(&self, id: &TaskId) -> Result<Option<Task>, StoreError> {
        let query = "SELECT task FROM tasks WHERE task_id = ?1 ORDER BY id DESC LIMIT 1";
        Ok(self.connection.query_row(query, [id.as_str()], task).optional()?)
    }

    /// The open tasks one agent has from another, oldest first.
    pub fn open_tasks_between(
        &self,
        agent: &AgentId,
        delegated_by: &AgentId,
    ) -> Result<Vec<Task>, StoreError> {
        let mut statement = self.connection.prepare(
            "SELECT task FROM tasks WHERE open AND agent = (SELECT id FROM agents WHERE agent_id = ?1)
                 AND delegated_by = (SELECT id FROM agents WHERE agent_id = ?2) ORDER BY id",
        )?;
        let found = statement.query_map([agent.as_str(), delegated_by.as_str()], task)?;
        Ok(found.collect::<Result<_, _>>()?)
    }

    /// The tasks that are wanted: the open ones before the closed, the newest first.
    pub fn tasks(&self, filter: &TaskFilter, limit: u32) -> Result<Vec<Task>, StoreError> {
        let mut statement = self.connection.prepare(
            "SELECT task FROM tasks WHERE (?1 IS NULL OR agent = ?1 OR delegated_by = ?1)
                 AND (?2 IS NULL OR status = ?2) AND (?3 IS NULL OR task_id = ?3) AND (open OR NOT ?4)
             ORDER BY open DESC, id DESC LIMIT ?5",
        )?;
        let agent = filter.agent.as_ref().map(|id| self.agent_key(id)).transpose()?;
        let status = filter.status.map(TaskStatus::as_str);
        let name = filter.task_id.as_ref().map(TaskId::as_str);
        let found = statement.query_map(params![agent, status, name, filter.open, limit], task)?;
        Ok(found.collect::<Result<_, _>>()?)
    }

    /// The tasks about which something is to be done some day, the next one first.
    pub fn tasks_with_a_step(&self) -> Result<Vec<Task>, StoreError> {
        let mut statement =
            self.connection.prepare("SELECT task FROM tasks WHERE due_at IS NOT NULL ORDER BY due_at, id")?;
        let found = statement.query_map([], task)?;
        Ok(found.collect::<Result<_, _>>()?)
    }

    /// The messages about a task that still wait for an agent's ack.
    pub fn unacked_about(&self, agent: &AgentId, task_uuid: &str) -> Result<Vec<MessageId>, StoreError> {
        let mut statement = self.connection.prepare(&format!(
            "SELECT m.message_id FROM {UNACKED_DELIVERIES}
             JOIN messages m ON m.id = d.message JOIN texts x ON x.id = m.text_id
             WHERE d.agent = ?1 AND {UNACKED} AND m.kind <> 'message'
                 AND json_extract(x.content, '$.task_uuid') = ?2 ORDER BY m.id"
        ))?;
        let found = statement
            .query_map(params![self.agent_key(agent)?, task_uuid], |row| parsed(row, "message_id"))?;
        Ok(found.collect::<Result<_, _>>()?)
    }
}
