//! Moving the tasks of a handoff, and only those, to the replacement.

use super::state::{Assignment, HistoryEntry};
use crate::domain::Timestamp;
use crate::domain::agent::{Agent, AgentState};
use crate::domain::handoff::{
    FailedTask, FailureCode, Handoff, HandoffFailure, Moved, Progress, TaskRef, Transfer, obstacle,
};
use crate::domain::task::{Task, TaskInput, TaskOutput};

/// What is known when the tasks are to move.
#[derive(Debug, Clone, Copy)]
pub struct Facts<'a> {
    /// The tasks of the handoff; others are left alone.
    pub tasks: &'a [Task],
    pub failed: &'a Agent,
    pub replacement: &'a Agent,
}

/// Everything that changes, to be written in one transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// What the handoff keeps of it.
    pub transfer: Transfer,
    /// The tasks that moved, and what has to be done about each.
    pub tasks: Vec<(Task, Vec<TaskOutput>)>,
    pub assignments: Vec<Assignment>,
    pub failed_agent: Agent,
    pub replacement_agent: Agent,
    pub history: HistoryEntry,
}

/// Moves every task of the handoff that can be moved.
///
/// Each task stays what it was but for its agent: the same `task_uuid`, the same checkpoints. What
/// the failed agent said about it is forgotten, so that the replacement repeats the instructions.
pub fn transfer(handoff: &Handoff, facts: &Facts<'_>, now: Timestamp) -> Result<Change, HandoffFailure> {
    if facts.replacement.state.is_gone() {
        let what = format!("{} is {}", facts.replacement.id, facts.replacement.state);
        return Err(HandoffFailure::new(FailureCode::AgentGone, what));
    }
    let (mut moved, mut failed, mut tasks) = (Vec::new(), Vec::new(), Vec::new());
    for wanted in &handoff.tasks {
        match move_one(handoff, wanted, facts, now) {
            Ok((kept, task, outputs)) => {
                moved.push(kept);
                tasks.push((task, outputs));
            }
            Err(reason) => failed.push(FailedTask { uuid: wanted.task_uuid.clone(), reason }),
        }
    }
    if moved.is_empty() {
        let reasons: Vec<_> = failed.iter().map(|it| format!("{}: {}", it.uuid, it.reason)).collect();
        let what = format!("No task could be reassigned ({})", reasons.join("; "));
        return Err(HandoffFailure::new(FailureCode::TransferFailed, what));
    }
    let transfer = Transfer { moved, failed, at: now };
    Ok(Change {
        assignments: transfer.moved.iter().map(|it| Assignment::transferred(handoff, it, now)).collect(),
        failed_agent: Agent {
            state: AgentState::Inactive,
            replaced_by: Some(handoff.replacement.id.clone()),
            ..facts.failed.clone()
        },
        replacement_agent: taking_over(handoff, facts.replacement),
        history: HistoryEntry::of(handoff, &transfer),
        tasks,
        transfer,
    })
}

fn move_one(
    handoff: &Handoff,
    wanted: &TaskRef,
    facts: &Facts<'_>,
    now: Timestamp,
) -> Result<(Moved, Task, Vec<TaskOutput>), String> {
    let Some(task) = facts.tasks.iter().find(|task| task.task_uuid == wanted.task_uuid) else {
        return Err("is not known".to_owned());
    };
    if let Some(why) = obstacle(&handoff.failed.id, task) {
        return Err(why);
    }
    let kept = Moved {
        task_uuid: task.task_uuid.clone(),
        agent_type: agent_type(facts.failed).to_owned(),
        module: task.title.clone(),
        github_issue: task.task_id.github_issue(),
        progress: Progress::of(task),
    };
    let mut task = task.clone();
    let input = TaskInput::Reassign { to: handoff.replacement.id.clone() };
    let outputs = task.apply(input, now).map_err(|invalid| invalid.what)?;
    Ok((kept, task, outputs))
}

/// The replacement in the session it runs in by now; one that was thought unresponsive has answered.
fn taking_over(handoff: &Handoff, replacement: &Agent) -> Agent {
    let state = match replacement.state {
        AgentState::Unresponsive => AgentState::Idle,
        state => state,
    };
    let session = replacement.session.clone().or_else(|| handoff.replacement.session.clone());
    Agent { state, session, ..replacement.clone() }
}

/// What sort of agent it is.
pub(super) fn agent_type(agent: &Agent) -> &'static str {
    if agent.role.eq_ignore_ascii_case("human") { "human" } else { "ai" }
}
