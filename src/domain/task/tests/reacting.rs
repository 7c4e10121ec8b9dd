use std::time::Duration;

use crate::domain::task::samples::*;
use crate::domain::task::{
    AckStatus, MAX_RETRIES, NextAction, Reaction, Task, TaskError, TaskErrorCode, TaskInput, TaskStatus,
};

fn failed(code: TaskErrorCode, retry_after: Option<u64>) -> Task {
    let retry_after = retry_after.map(|minutes| Duration::from_secs(minutes * 60));
    let alternatives = vec![agent("blue-heron"), agent("zinc-yak")];
    let mut task = task();
    task.apply(TaskInput::Fail(TaskError::new(code, None, retry_after, alternatives)), at(10)).unwrap();
    task
}

/// E20, E21, E22, E23, E24
#[test]
fn every_error_has_its_reaction() {
    let live = [agent("zinc-yak")];
    let given = Reaction::GiveTo(agent("zinc-yak"));
    let reaction = |code, live: &[_]| failed(code, Some(15)).reaction(live, at(10));
    let in_15_minutes = Reaction::RetryAt(at(10 + 15 * 60));
    assert_eq!(reaction(TaskErrorCode::ResourceUnavailable, &live), given);
    assert_eq!(reaction(TaskErrorCode::ResourceUnavailable, &[]), in_15_minutes);
    assert_eq!(reaction(TaskErrorCode::CapabilityMismatch, &live), given);
    assert_eq!(reaction(TaskErrorCode::CapabilityMismatch, &[]), Reaction::Leave);
    assert_eq!(reaction(TaskErrorCode::NetworkError, &live), in_15_minutes);
    assert_eq!(reaction(TaskErrorCode::InvalidTaskFormat, &live), Reaction::Leave);
    assert_eq!(reaction(TaskErrorCode::AgentShuttingDown, &live), given);
    let patient = failed(TaskErrorCode::ResourceUnavailable, None);
    assert_eq!(patient.reaction(&[], at(10)), Reaction::Leave);
}

/// E18, E22, ⚠7
#[test]
fn a_network_error_is_retried_with_growing_pauses_and_then_given_away() {
    let mut task = failed(TaskErrorCode::NetworkError, None);
    for pause in [30, 60] {
        let now = task.updated_at;
        let Reaction::RetryAt(when) = task.reaction(&[], now) else { panic!("no retry") };
        assert_eq!(when.since(now).as_secs(), pause);
        then(&mut task, TaskInput::RetryAt { at: when }).unwrap();
        assert_eq!(task.due_at(), Some(when));
        let same = task.agent.clone();
        task.apply(TaskInput::Reassign { to: same }, when).unwrap();
        assert_eq!((task.status, task.due_at()), (TaskStatus::Assigned, None));
        let error = TaskError::new(TaskErrorCode::NetworkError, None, None, Vec::new());
        then(&mut task, TaskInput::Fail(error)).unwrap();
    }
    assert_eq!(task.retries, MAX_RETRIES);
    assert_eq!(task.reaction(&[], task.updated_at), Reaction::Leave);
    assert_eq!(task.reaction(&[agent("zinc-yak")], at(99)), Reaction::GiveTo(agent("zinc-yak")));
    then(&mut task, TaskInput::Reassign { to: agent("zinc-yak") }).unwrap();
    assert_eq!(task.retries, 0);
}

/// E15
#[test]
fn nobody_gets_a_task_that_had_it_or_gave_it() {
    let mut task = failed(TaskErrorCode::CapabilityMismatch, None);
    then(&mut task, TaskInput::Reassign { to: agent("blue-heron") }).unwrap();
    let error = TaskError::new(
        TaskErrorCode::CapabilityMismatch,
        None,
        None,
        vec![agent("amber-otter"), agent("lead")],
    );
    then(&mut task, TaskInput::Fail(error)).unwrap();
    let named = [agent("blue-heron"), agent("zinc-yak"), agent("zinc-yak")];
    assert_eq!(task.candidates(&named), [agent("zinc-yak")]);
}

#[test]
fn only_a_task_that_was_not_taken_calls_for_action() {
    for task in one_of_each().into_iter().filter(|task| task.status != TaskStatus::Error) {
        let expected = task.status.is_failed().then_some(NextAction::ReassignNow);
        assert_eq!(task.next_action(), expected, "{}", task.status);
    }
    let mut taken = acked(AckStatus::Received);
    assert!(then(&mut taken, TaskInput::RetryAt { at: at(90) }).is_err());
}
