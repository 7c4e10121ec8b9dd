//! How a task is shown to a caller.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Task, TaskId, TaskStatus};
use crate::domain::Timestamp;
use crate::domain::agent::AgentId;
use crate::domain::message::MessageId;

/// A task as a caller sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TaskView {
    pub task_id: TaskId,
    pub task_uuid: String,
    pub title: String,
    pub agent: AgentId,
    pub delegated_by: AgentId,
    pub status: TaskStatus,
    /// Whether the agent may begin, or go on, working.
    pub may_begin: bool,
    /// Why it may not begin.
    pub reason: Option<String>,
    pub understanding: Option<String>,
    pub questions: Vec<String>,
    pub checkpoints: Vec<CheckpointView>,
    pub message_id: Option<MessageId>,
    #[schemars(with = "String")]
    pub assigned_at: Timestamp,
    #[schemars(with = "String")]
    pub updated_at: Timestamp,
}

/// A checkpoint that was planned, reported, or both.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CheckpointView {
    pub checkpoint: u32,
    /// What the agent planned for it.
    pub planned: Option<String>,
    /// What the agent reported; null until it did.
    pub summary: Option<String>,
    #[schemars(with = "Option<String>")]
    pub completed_at: Option<Timestamp>,
}

impl Task {
    /// The task as a caller sees it at `now`.
    pub fn view(&self, now: Timestamp) -> TaskView {
        let reason = self.obstacle(now);
        TaskView {
            task_id: self.task_id.clone(),
            task_uuid: self.task_uuid.clone(),
            title: self.title.clone(),
            agent: self.agent.clone(),
            delegated_by: self.delegated_by.clone(),
            status: self.status,
            may_begin: reason.is_none(),
            reason,
            understanding: self.understanding.clone(),
            questions: self.questions.clone(),
            checkpoints: self.checkpoint_views(),
            message_id: self.message_id.clone(),
            assigned_at: self.assigned_at,
            updated_at: self.updated_at,
        }
    }

    fn checkpoint_views(&self) -> Vec<CheckpointView> {
        let mut views: Vec<_> = (1..)
            .zip(&self.estimated_checkpoints)
            .map(|(checkpoint, planned)| CheckpointView {
                checkpoint,
                planned: Some(planned.clone()),
                summary: None,
                completed_at: None,
            })
            .collect();
        for done in &self.checkpoints {
            let at = views.partition_point(|view| view.checkpoint < done.number);
            if views.get(at).is_none_or(|view| view.checkpoint != done.number) {
                let unplanned = CheckpointView {
                    checkpoint: done.number,
                    planned: None,
                    summary: None,
                    completed_at: None,
                };
                views.insert(at, unplanned);
            }
            if let Some(view) = views.get_mut(at) {
                view.summary = Some(done.summary.clone());
                view.completed_at = Some(done.at);
            }
        }
        views
    }
}
