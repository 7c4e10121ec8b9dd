//! A task and its people, for tests.

use super::{Ack, AckStatus, NewTask, Task, TaskInput, TaskOutput, TaskStatus};
use crate::domain::agent::AgentId;
use crate::domain::{Invalid, Timestamp};

pub(super) fn agent(name: &str) -> AgentId {
    name.parse().unwrap()
}

/// `seconds` after the assignment.
pub(super) fn at(seconds: i64) -> Timestamp {
    Timestamp::from_millis(1_772_583_082_000 + seconds * 1_000)
}

pub(super) fn new_task() -> NewTask {
    NewTask {
        task_id: "GH-42".parse().unwrap(),
        task_uuid: "8a3e6c1e".to_owned(),
        title: "Implement user authentication".to_owned(),
        description: "Log in and out.".to_owned(),
        criteria: vec!["login works".to_owned(), "logout works".to_owned()],
        critical: false,
        agent: agent("amber-otter"),
        delegated_by: agent("lead"),
        bead: None,
        priority: None,
        key: None,
    }
}

/// A task that was just assigned by `lead` to `amber-otter`.
pub(super) fn task() -> Task {
    let mut task = Task::assign(new_task(), at(0)).unwrap();
    task.message_id = Some("msg_1".parse().unwrap());
    task
}

pub(super) fn ack(status: AckStatus, understanding: &str, questions: &[&str]) -> Ack {
    Ack {
        understanding: Some(understanding.to_owned()),
        questions: questions.iter().map(|&it| it.to_owned()).collect(),
        ..Ack::new(status)
    }
}

pub(super) fn acked(status: AckStatus) -> Task {
    let mut task = task();
    task.apply(TaskInput::Ack(ack(status, "JWT login", &[])), at(25)).unwrap();
    task
}

/// Applies an input a second after the last.
pub(super) fn then(task: &mut Task, input: TaskInput) -> Result<Vec<TaskOutput>, Invalid> {
    let now = task.updated_at + std::time::Duration::from_secs(1);
    task.apply(input, now)
}

pub(super) fn says(
    task: &mut Task,
    status: AckStatus,
    understanding: &str,
) -> Result<Vec<TaskOutput>, Invalid> {
    then(task, TaskInput::Ack(ack(status, understanding, &[])))
}

pub(super) fn correct(task: &mut Task, text: &str) -> Result<Vec<TaskOutput>, Invalid> {
    then(task, TaskInput::Correct { text: text.to_owned() })
}

pub(super) fn checkpoint(task: &mut Task, number: u32, summary: &str) -> Result<Vec<TaskOutput>, Invalid> {
    then(task, TaskInput::Checkpoint { number, summary: summary.to_owned(), next: None })
}

/// One task of every status.
pub(super) fn one_of_each() -> Vec<Task> {
    TaskStatus::ALL.iter().map(|&status| Task { status, ..task() }).collect()
}
