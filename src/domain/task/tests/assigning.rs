use crate::domain::Rule;
use crate::domain::message::check_label;
use crate::domain::task::samples::*;
use crate::domain::task::{
    AckStatus, Addressed, Assignment, NewTask, Party, Task, TaskInput, TaskOutput, TaskStatus, addressed,
    decide,
};

/// E15
#[test]
fn a_task_passes_to_a_different_agent_and_keeps_its_uuid_and_progress() {
    let mut task = acked(AckStatus::Received);
    checkpoint(&mut task, 1, "Tests written").unwrap();
    let uuid = task.task_uuid.clone();
    let outputs = then(&mut task, TaskInput::Reassign { to: agent("blue-heron") }).unwrap();
    assert_eq!(
        outputs,
        [
            TaskOutput::SendStop { to: agent("amber-otter") },
            TaskOutput::SendAssignment { to: agent("blue-heron") },
        ]
    );
    assert_eq!((task.status, &task.agent), (TaskStatus::Reassigned, &agent("blue-heron")));
    assert_eq!((task.task_uuid.as_str(), task.checkpoints.len()), (uuid.as_str(), 1));
    assert_eq!(task.former_agents, [agent("amber-otter")]);
    assert_eq!((task.understanding.as_ref(), task.acknowledged_at), (None, None));
    assert_eq!(task.assigned_at, task.updated_at);
    assert!(!task.may_begin().0);
    assert_eq!(then(&mut task, TaskInput::Reassign { to: agent("blue-heron") }).unwrap(), []);
    says(&mut task, AckStatus::Received, "go on").unwrap();
    assert!(task.may_begin().0);
}

/// E15
#[test]
fn a_task_that_its_agent_took_does_not_go_to_the_same_agent_again() {
    let same = || TaskInput::Reassign { to: agent("amber-otter") };
    for status in [AckStatus::Received, AckStatus::Queued, AckStatus::Confirmed] {
        let refused = then(&mut acked(status), same()).unwrap_err();
        assert_eq!(refused.hint.as_deref(), Some("name a different agent: --to AGENT"));
    }
    assert!(then(&mut task(), TaskInput::Reassign { to: agent("lead") }).is_err());
}

/// E5, E23: after a failure the same agent may get it anew, and has to acknowledge anew
#[test]
fn a_failed_task_can_be_sent_again_to_the_same_agent() {
    for mut failed in one_of_each().into_iter().filter(|task| task.status.is_failed()) {
        let outputs = then(&mut failed, TaskInput::Reassign { to: agent("amber-otter") }).unwrap();
        assert_eq!(outputs, [TaskOutput::SendAssignment { to: agent("amber-otter") }]);
        assert_eq!((failed.status, failed.former_agents.len()), (TaskStatus::Assigned, 0));
        assert!(!failed.may_begin().0);
    }
}

#[test]
fn an_agent_that_refused_is_not_told_to_stop() {
    let mut rejected = acked(AckStatus::Rejected);
    let outputs = then(&mut rejected, TaskInput::Reassign { to: agent("blue-heron") }).unwrap();
    assert_eq!(outputs, [TaskOutput::SendAssignment { to: agent("blue-heron") }]);
}

/// E43
#[test]
fn the_same_task_is_never_with_two_agents_at_once() {
    let other = NewTask { agent: agent("blue-heron"), ..new_task() };
    for task in one_of_each() {
        let decision = decide(Some(&task), &other, false);
        match task.status {
            TaskStatus::Complete | TaskStatus::Cancelled => assert_eq!(decision, Ok(Assignment::New)),
            TaskStatus::Rejected | TaskStatus::Error | TaskStatus::Unresponsive => {
                assert_eq!(decision, Ok(Assignment::Reassign));
            }
            _ => {
                let refused = decision.unwrap_err();
                assert_eq!(refused.rule, Rule::Task);
                assert!(refused.what.contains("already with `amber-otter`"), "{}", refused.what);
            }
        }
    }
    assert_eq!(decide(None, &other, false), Ok(Assignment::New));
    assert!(decide(Some(&task()), &other, false).unwrap_err().hint.unwrap().contains("--reassign"));
    assert_eq!(decide(Some(&task()), &other, true), Ok(Assignment::Reassign));
    let foreign = NewTask { delegated_by: agent("other-lead"), ..other };
    assert!(decide(Some(&task()), &foreign, true).is_err());
}

/// E43
#[test]
fn the_same_assignment_twice_is_one() {
    let open = task();
    assert_eq!(decide(Some(&open), &new_task(), false), Ok(Assignment::Duplicate));
    let changed = NewTask { description: "Something else".to_owned(), ..new_task() };
    assert!(decide(Some(&open), &changed, false).unwrap_err().hint.unwrap().contains("clarify"));
    let foreign = NewTask { delegated_by: agent("other-lead"), ..new_task() };
    assert!(decide(Some(&open), &foreign, false).unwrap_err().hint.unwrap().contains("another task id"));

    let keyed = NewTask { key: Some("k1".to_owned()), ..new_task() };
    let done = Task { status: TaskStatus::Complete, ..Task::assign(keyed.clone(), at(0)).unwrap() };
    assert_eq!(decide(Some(&done), &keyed, false), Ok(Assignment::Duplicate));
}

/// E23
#[test]
fn a_corrected_assignment_replaces_what_is_to_be_done() {
    let mut failed = Task { status: TaskStatus::Error, ..task() };
    let fixed = NewTask { title: "Log in".to_owned(), description: "Clearer".to_owned(), ..new_task() };
    assert_eq!(decide(Some(&failed), &fixed, false), Ok(Assignment::Reassign));
    then(&mut failed, TaskInput::Reassign { to: fixed.agent.clone() }).unwrap();
    failed.rewrite(fixed);
    assert_eq!((failed.title.as_str(), failed.description.as_str()), ("Log in", "Clearer"));
    assert_eq!(failed.task_uuid, "8a3e6c1e");
}

/// E43
#[test]
fn a_second_agent_is_told_to_stop_and_the_first_that_it_is_alone() {
    let mut task = acked(AckStatus::Received);
    assert_eq!(task.outputs_for_duplicate(&agent("amber-otter")), []);
    let expected = [
        TaskOutput::SendStop { to: agent("blue-heron") },
        TaskOutput::SendSoleAssignee { to: agent("amber-otter") },
    ];
    assert_eq!(task.outputs_for_duplicate(&agent("blue-heron")), expected);
    then(&mut task, TaskInput::Cancel { reason: None }).unwrap();
    assert_eq!(task.outputs_for_duplicate(&agent("blue-heron")), expected[..1]);
}

/// E43
#[test]
fn cancelling_tells_the_agent_to_stop_once() {
    let mut task = acked(AckStatus::Received);
    let stop = [TaskOutput::SendStop { to: agent("amber-otter") }];
    assert_eq!(then(&mut task, TaskInput::Cancel { reason: None }).unwrap(), stop);
    assert_eq!(then(&mut task, TaskInput::Cancel { reason: None }).unwrap(), []);
    assert_eq!(task.may_begin(), (false, "it was cancelled".to_owned()));
    assert_eq!(then(&mut acked(AckStatus::Rejected), TaskInput::Cancel { reason: None }).unwrap(), []);
}

/// E46
#[test]
fn a_wrong_task_id_has_what_is_waiting_sent_again() {
    let named = |id: &str, task: Task| Task { task_id: id.parse().unwrap(), ..task };
    let open = [named("GH-42", task()), named("GH-43", acked(AckStatus::Received)), named("gh-44", task())];
    let asked = |id: &str| addressed(&id.parse().unwrap(), &open);

    assert_eq!(asked("GH-43"), Addressed::Task(&open[1]));
    assert_eq!(asked("Gh-42"), Addressed::Task(&open[0]));
    assert_eq!(asked("GH-4"), Addressed::Resend(vec![&open[0], &open[2]]));
    assert_eq!(asked("GH-420"), Addressed::Resend(vec![&open[0], &open[2]]));
    assert_eq!(addressed(&"GH-4".parse().unwrap(), &open[1..2]), Addressed::Nothing);

    let twins = [named("GH-1", task()), named("gh-1", task())];
    assert_eq!(addressed(&"gh-1".parse().unwrap(), &twins), Addressed::Task(&twins[1]));
    assert_eq!(addressed(&"Gh-1".parse().unwrap(), &twins), Addressed::Resend(vec![&twins[0], &twins[1]]));
}

#[test]
fn the_assignee_works_and_the_delegator_decides() {
    let task = task();
    let ack = TaskInput::Ack(ack(AckStatus::Received, "x", &[]));
    assert!(task.permits(&agent("amber-otter"), &ack));
    assert!(!task.permits(&agent("lead"), &ack));
    assert!(task.permits(&agent("lead"), &TaskInput::Cancel { reason: None }));
    assert!(!task.permits(&agent("amber-otter"), &TaskInput::Cancel { reason: None }));
    assert!(task.permits(&agent("anyone"), &TaskInput::Unresponsive));
    assert_eq!(TaskInput::CheckQueue.party(), Party::Protocol);
}

#[test]
fn the_thread_of_a_task_is_a_valid_label() {
    let longest = Task { task_id: "x".repeat(100).parse().unwrap(), ..task() };
    assert_eq!(task().thread_id(), "task:GH-42");
    assert!(check_label("thread", &longest.thread_id()).is_ok());
}

#[test]
fn nothing_is_delegated_without_a_title_or_to_oneself() {
    for wrong in [
        NewTask { title: " ".to_owned(), ..new_task() },
        NewTask { title: "x".repeat(1_000), ..new_task() },
        NewTask { agent: agent("lead"), ..new_task() },
    ] {
        assert_eq!(Task::assign(wrong, at(0)).unwrap_err().rule, Rule::Task);
    }
}
