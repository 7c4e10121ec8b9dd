//! A task is handed over once at a time: a newer handoff closes the earlier ones.

use super::{Handoff, HandoffId, HandoffInput, TaskRef};
use crate::domain::{Invalid, Timestamp};

/// An earlier handoff that a newer one closed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Superseded {
    pub handoff_id: HandoffId,
    /// Tasks of the earlier handoff that are not in the newer one, so that nobody hands them over now.
    pub left_over: Vec<TaskRef>,
}

/// Closes every open handoff among `earlier` that shares a task with `newer`.
pub fn supersede(
    earlier: &mut [Handoff],
    newer: &Handoff,
    now: Timestamp,
) -> Result<Vec<Superseded>, Invalid> {
    let has = |task: &TaskRef| newer.tasks.iter().any(|it| it.task_uuid == task.task_uuid);
    let mut closed = Vec::new();
    for handoff in earlier {
        let concerned = handoff.handoff_id != newer.handoff_id
            && handoff.step().is_open()
            && handoff.tasks.iter().any(has);
        if concerned {
            handoff.apply(HandoffInput::Superseded { by: newer.handoff_id.clone() }, now)?;
            let left_over = handoff.tasks.iter().filter(|task| !has(task)).cloned().collect();
            closed.push(Superseded { handoff_id: handoff.handoff_id.clone(), left_over });
        }
    }
    Ok(closed)
}
