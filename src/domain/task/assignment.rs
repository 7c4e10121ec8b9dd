//! Who a task belongs to: one agent at a time.

use super::{NewTask, Task, TaskId, TaskOutput, TaskStatus};
use crate::domain::agent::AgentId;
use crate::domain::{Invalid, Rule};

/// What an assignment amounts to, given what is already known about its task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Assignment {
    /// A task that does not exist, or whose namesake is closed.
    New,
    /// The very assignment that was made before.
    Duplicate,
    /// The task of an agent that did not take it, or from which it is taken: it keeps its `task_uuid`.
    Reassign,
}

/// Decides what an assignment amounts to; the same task is never with two agents at once.
///
/// `existing` is the latest task of that id; `take_back` gives an open one to another agent.
pub fn decide(existing: Option<&Task>, wanted: &NewTask, take_back: bool) -> Result<Assignment, Invalid> {
    let Some(existing) = existing else { return Ok(Assignment::New) };
    let same_sender = existing.delegated_by == wanted.delegated_by;
    if same_sender && wanted.key.is_some() && existing.key == wanted.key {
        return Ok(Assignment::Duplicate);
    }
    if existing.status.is_closed() {
        return Ok(Assignment::New);
    }
    let what =
        format!("task `{}` is already with `{}` ({})", existing.task_id, existing.agent, existing.status);
    let taken = |hint: String| Err(Invalid::new(Rule::Task, what).hint(hint));
    if !same_sender {
        return taken(format!("it was delegated by `{}`; use another task id", existing.delegated_by));
    }
    if existing.status.is_failed() {
        return Ok(Assignment::Reassign);
    }
    if existing.agent != wanted.agent {
        if take_back {
            return Ok(Assignment::Reassign);
        }
        return taken(format!("pass --reassign to take it from `{}`, which is told to stop", existing.agent));
    }
    if same_work(existing, wanted) {
        return Ok(Assignment::Duplicate);
    }
    taken(format!(
        "to change what is to be done use `bb agent clarify --task {0} --supplement TEXT`, \
         or cancel it with `bb agent complete --task {0} --cancel` and assign it anew",
        existing.task_id.in_shell()
    ))
}

fn same_work(existing: &Task, wanted: &NewTask) -> bool {
    existing.title == wanted.title
        && existing.description == wanted.description
        && existing.criteria == wanted.criteria
        && existing.critical == wanted.critical
}

/// Which of an agent's tasks an acknowledgment is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Addressed<'a> {
    /// This one.
    Task(&'a Task),
    /// None of that name. These wait for the agent's answer and are sent again with their id.
    Resend(Vec<&'a Task>),
    /// None of that name, and nothing waits for an answer.
    Nothing,
}

/// Decides which of the open tasks of an agent it acknowledges by the id `said`.
///
/// The id must be the task's. Only its case may differ, and only while one task fits.
pub fn addressed<'a>(said: &TaskId, open: &'a [Task]) -> Addressed<'a> {
    if let Some(task) = open.iter().find(|task| task.task_id == *said) {
        return Addressed::Task(task);
    }
    let folded = said.as_str().to_lowercase();
    let mut alike = open.iter().filter(|task| task.task_id.as_str().to_lowercase() == folded);
    if let (Some(task), None) = (alike.next(), alike.next()) {
        return Addressed::Task(task);
    }
    let waiting: Vec<_> = open.iter().filter(|task| task.owes_an_answer()).collect();
    if waiting.is_empty() { Addressed::Nothing } else { Addressed::Resend(waiting) }
}

impl Task {
    /// Takes over what is to be done from a new assignment of the same task.
    pub fn rewrite(&mut self, wanted: NewTask) {
        self.title = wanted.title;
        self.description = wanted.description;
        self.criteria = wanted.criteria;
        self.critical = wanted.critical;
        self.bead = wanted.bead.or(self.bead.take());
        self.priority = wanted.priority;
        self.key = wanted.key;
    }

    /// What is to be done when `by` acknowledges, or works on, a task that is with another agent.
    ///
    /// It is told to stop, and the assignee that it is alone.
    pub fn outputs_for_duplicate(&self, by: &AgentId) -> Vec<TaskOutput> {
        if *by == self.agent {
            return Vec::new();
        }
        let stop = TaskOutput::SendStop { to: by.clone() };
        if self.status.is_closed() || self.status == TaskStatus::Rejected {
            return vec![stop];
        }
        vec![stop, TaskOutput::SendSoleAssignee { to: self.agent.clone() }]
    }
}
