use crate::domain::task::samples::*;
use crate::domain::task::{Ack, AckStatus, EscalationReason, TaskInput, TaskOutput, TaskStatus};

/// E25, E37
#[test]
fn checkpoints_and_the_completion_follow_the_acknowledgment() {
    let mut task = acked(AckStatus::Received);
    for number in 1..=3 {
        let outputs = checkpoint(&mut task, number, "done").unwrap();
        assert_eq!(outputs, [TaskOutput::SendCheckpoint { number }]);
        assert_eq!(task.status, TaskStatus::Working);
    }
    let outputs = then(&mut task, TaskInput::Complete { summary: Some("all done".to_owned()) }).unwrap();
    assert_eq!(outputs, [TaskOutput::SendCompletion]);
    assert_eq!((task.status, task.may_begin().0), (TaskStatus::Complete, false));
    assert!(task.is_officially_assigned());
}

/// E25
#[test]
fn a_checkpoint_counts_once_under_its_number() {
    let mut task = acked(AckStatus::Confirmed);
    checkpoint(&mut task, 1, "Tests written").unwrap();
    let before = task.clone();
    assert_eq!(checkpoint(&mut task, 1, " Tests written ").unwrap(), []);
    assert_eq!(task, before);
    let refused = checkpoint(&mut task, 1, "something else").unwrap_err();
    assert_eq!(refused.what, "task `GH-42` already has checkpoint 1: Tests written");
    assert!(checkpoint(&mut task, 0, "x").is_err());
    assert!(checkpoint(&mut task, 2, " ").is_err());
    let backwards = TaskInput::Checkpoint { number: 2, summary: "x".to_owned(), next: Some(2) };
    assert!(then(&mut task, backwards).is_err());
}

/// E25
#[test]
fn the_next_checkpoint_is_the_following_one_until_the_plan_ends() {
    let mut task = task();
    let plan = vec!["Tests".to_owned(), "Code".to_owned()];
    let said = Ack { estimated_checkpoints: plan, ..Ack::new(AckStatus::Received) };
    then(&mut task, TaskInput::Ack(said)).unwrap();
    checkpoint(&mut task, 2, "Code written").unwrap();
    checkpoint(&mut task, 1, "Tests written").unwrap();
    let reported: Vec<_> = task.checkpoints.iter().map(|done| (done.number, done.next)).collect();
    assert_eq!(reported, [(1, Some(2)), (2, None)]);

    then(&mut task, TaskInput::Checkpoint { number: 4, summary: "extra".to_owned(), next: Some(7) }).unwrap();
    let shown: Vec<_> = task
        .view(at(0))
        .checkpoints
        .into_iter()
        .map(|view| (view.checkpoint, view.planned, view.completed_at.is_some()))
        .collect();
    let planned = |text: &str| Some(text.to_owned());
    assert_eq!(shown, [(1, planned("Tests"), true), (2, planned("Code"), true), (4, None, true)]);
}

#[test]
fn a_closed_task_takes_nothing_but_its_own_repetition() {
    let mut task = acked(AckStatus::Received);
    let complete = TaskInput::Complete { summary: None };
    then(&mut task, complete.clone()).unwrap();
    let before = task.clone();
    assert_eq!(then(&mut task, complete).unwrap(), []);
    for input in [
        TaskInput::Complete { summary: Some("other".to_owned()) },
        TaskInput::Ack(Ack::new(AckStatus::Received)),
        TaskInput::Ack(Ack::new(AckStatus::Rejected)),
        TaskInput::Clarify { answers: vec!["x".to_owned()] },
        TaskInput::Correct { text: "x".to_owned() },
        TaskInput::Supplement { items: vec!["x".to_owned()] },
        TaskInput::Checkpoint { number: 1, summary: "x".to_owned(), next: None },
        TaskInput::Unresponsive,
        TaskInput::Reassign { to: agent("other") },
        TaskInput::Cancel { reason: None },
        TaskInput::AskWhich,
    ] {
        let refused = then(&mut task, input.clone()).unwrap_err();
        assert_eq!(refused.what, "task `GH-42` is complete", "{input:?}");
        assert!(refused.hint.is_some());
    }
    assert_eq!(task, before);
}

#[test]
fn an_agent_at_work_stays_at_work_when_it_acknowledges_and_stops_when_it_asks() {
    let mut task = acked(AckStatus::Received);
    checkpoint(&mut task, 1, "Tests written").unwrap();
    says(&mut task, AckStatus::Confirmed, "JWT login and logout").unwrap();
    assert_eq!(task.status, TaskStatus::Working);
    then(&mut task, TaskInput::Ack(ack(AckStatus::NeedsClarification, "JWT", &["logout too?"]))).unwrap();
    assert!(!task.may_begin().0);
    assert!(checkpoint(&mut task, 2, "x").is_err());
}

/// E34, E42
#[test]
fn a_queued_task_is_checked_after_15_minutes_and_escalated_when_it_repeats() {
    let mut task = task();
    let said = Ack { note: Some("GH-41 first".to_owned()), ..ack(AckStatus::Queued, "JWT", &[]) };
    task.apply(TaskInput::Ack(said), at(0)).unwrap();
    assert_eq!(task.may_begin(), (false, "`amber-otter` has earlier work to finish".to_owned()));
    assert!(task.is_officially_assigned());

    assert_eq!(task.queued_too_long(at(15 * 60 - 1)), None);
    assert_eq!(task.apply(TaskInput::CheckQueue, at(15 * 60 - 1)).unwrap(), []);
    assert!(task.queued_too_long(at(15 * 60)).is_some());
    assert_eq!(task.apply(TaskInput::CheckQueue, at(15 * 60)).unwrap(), [TaskOutput::SendQueuedCheck]);
    assert_eq!(task.apply(TaskInput::CheckQueue, at(15 * 60 + 1)).unwrap(), []);
    assert_eq!(
        task.view(at(20 * 60)).reason.as_deref(),
        Some("`amber-otter` queued it 20m ago and has not begun")
    );
    assert_eq!(task.queue_check_due_at(), Some(at(30 * 60)));
    let escalated = [TaskOutput::Escalate { reason: EscalationReason::NeverStarted }];
    assert_eq!(task.apply(TaskInput::CheckQueue, at(30 * 60)).unwrap(), escalated);
    assert_eq!(task.apply(TaskInput::CheckQueue, at(90 * 60)).unwrap(), []);
}

/// E42
#[test]
fn a_check_that_comes_late_still_gives_15_minutes_until_the_next() {
    let mut task = acked(AckStatus::Queued);
    assert_eq!(task.apply(TaskInput::CheckQueue, at(3_600)).unwrap(), [TaskOutput::SendQueuedCheck]);
    assert_eq!(task.apply(TaskInput::CheckQueue, at(3_600 + 899)).unwrap(), []);
    assert_eq!(task.queue_check_due_at(), Some(at(3_600 + 900)));
}

/// E42
#[test]
fn a_queued_task_begins_when_its_agent_says_so() {
    let mut task = acked(AckStatus::Queued);
    assert!(checkpoint(&mut task, 1, "x").unwrap_err().hint.unwrap().contains("--status received"));
    let outputs = says(&mut task, AckStatus::Received, "JWT login").unwrap();
    assert_eq!(outputs, [TaskOutput::SendAcknowledgment, TaskOutput::Begin]);
    assert_eq!((task.queued_since, task.queue_checks), (None, 0));
    assert_eq!(task.queued_too_long(at(90 * 60)), None);
}

#[test]
fn a_clock_that_goes_back_moves_no_time_back() {
    let mut task = acked(AckStatus::Queued);
    let since = task.updated_at;
    task.apply(TaskInput::Ack(Ack::new(AckStatus::Received)), at(-3_600)).unwrap();
    assert_eq!(task.updated_at, since);
}
