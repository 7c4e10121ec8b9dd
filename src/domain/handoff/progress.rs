//! How far a task was when it changed hands.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::domain::Timestamp;
use crate::domain::task::{Task, TaskStatus};

/// How much of a task is done, as far as its agent reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Progress {
    /// None when checkpoints were reported without a plan of how many there will be.
    pub percentage: Option<u8>,
    /// When it was last reported, or the task last changed.
    #[schemars(with = "String")]
    pub last_update: Timestamp,
}

impl Progress {
    /// The progress of a task: the reported checkpoints among the planned ones.
    pub fn of(task: &Task) -> Self {
        let (done, planned) = (task.checkpoints.len(), task.estimated_checkpoints.len());
        let percentage = match (task.status, done, planned) {
            (TaskStatus::Complete, _, _) => Some(100),
            (_, 0, _) => Some(0),
            (_, _, 0) => None,
            (_, done, planned) => u8::try_from(done.saturating_mul(100) / planned).ok().or(Some(100)),
        };
        let reported = task.checkpoints.iter().map(|done| done.at).max();
        Self {
            percentage: percentage.map(|it| it.min(100)),
            last_update: reported.unwrap_or(task.updated_at),
        }
    }
}

/// The mean of what is known, rounded down.
pub(super) fn mean(percentages: impl IntoIterator<Item = Option<u8>>) -> Option<u8> {
    let known: Vec<u64> = percentages.into_iter().flatten().map(u64::from).collect();
    let count = u64::try_from(known.len()).ok()?;
    known.iter().sum::<u64>().checked_div(count).and_then(|it| u8::try_from(it).ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::handoff::samples::{at, task};

    #[test]
    fn progress_is_the_share_of_the_planned_checkpoints() {
        let mut task = task("GH-42", "task-uuid-12345");
        assert_eq!(Progress::of(&task), Progress { percentage: Some(60), last_update: at(-30) });
        task.estimated_checkpoints.truncate(1);
        assert_eq!(Progress::of(&task).percentage, Some(100));
        task.estimated_checkpoints.clear();
        assert_eq!(Progress::of(&task).percentage, None);
        task.checkpoints.clear();
        assert_eq!(Progress::of(&task), Progress { percentage: Some(0), last_update: task.updated_at });
        task.status = TaskStatus::Complete;
        assert_eq!(Progress::of(&task).percentage, Some(100));
    }

    #[test]
    fn the_mean_leaves_out_what_is_unknown() {
        assert_eq!(mean([Some(60), None, Some(25)]), Some(42));
        assert_eq!(mean([None, None]), None);
        assert_eq!(mean([]), None);
    }
}
