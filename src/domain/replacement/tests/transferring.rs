use proptest::prelude::*;

use super::*;
use crate::domain::handoff::FailureCode;
use crate::domain::replacement::state::{InstructionStatus, PENDING_VERIFICATION};
use crate::domain::task::{TaskOutput, TaskStatus};

/// C18, C19, C20, C21, C22, C23, C24, C25, C26: the record of the assignment, key for key in its order.
#[test]
fn the_assignment_passes_to_the_replacement() {
    let (_, change) = transferred();
    assert_eq!(
        serde_json::to_string_pretty(&change.assignments).unwrap(),
        r##"[
  {
    "agent": "implementer-2",
    "agent_type": "ai",
    "session": "helper-agent-2",
    "module": "auth-core",
    "github_issue": "#42",
    "task_uuid": "task-uuid-12345",
    "status": "pending_verification",
    "replacement_info": {
      "replaced_agent": "implementer-1",
      "replaced_session": "helper-agent-generic",
      "replacement_reason": "context_loss",
      "replacement_timestamp": "2026-01-31T14:35:00Z",
      "handoff_id": "handoff-uuid-123",
      "handoff_url": "https://github.com/owner/repo/issues/42#issuecomment-123456"
    },
    "instruction_verification": {
      "status": "awaiting_repetition",
      "attempts": 0,
      "last_attempt": null,
      "verified_at": null
    },
    "progress": {
      "percentage": 60,
      "at_replacement": true,
      "last_update": "2026-01-31T14:00:00Z",
      "notes": "Inherited from implementer-1"
    }
  }
]"##
    );
    let record = &change.assignments[0];
    assert_eq!(record.status, PENDING_VERIFICATION);
    assert_eq!(record.instruction_verification.status, InstructionStatus::AwaitingRepetition);
}

/// C18, C22, C25, C26: the task itself keeps its uuid and its checkpoints and is to be acknowledged anew.
#[test]
fn the_task_moves_with_all_that_was_done() {
    let (_, change) = transferred();
    let before = &tasks()[0];
    let (after, outputs) = &change.tasks[0];
    assert_eq!(after.agent, agent("implementer-2"));
    assert_eq!((&after.task_uuid, &after.task_id), (&before.task_uuid, &before.task_id));
    assert_eq!(after.checkpoints, before.checkpoints);
    assert_eq!((after.status, after.acknowledged_at), (TaskStatus::Reassigned, None));
    assert_eq!(after.former_agents, [agent("implementer-1")]);
    assert!(!after.may_begin().0);
    assert_eq!(
        outputs,
        &[
            TaskOutput::SendStop { to: agent("implementer-1") },
            TaskOutput::SendAssignment { to: agent("implementer-2") },
        ]
    );
}

/// C27
#[test]
fn the_failed_agent_becomes_inactive_and_names_its_successor() {
    let (_, change) = transferred();
    assert_eq!(change.failed_agent.state, AgentState::Inactive);
    assert_eq!(change.failed_agent.replaced_by, Some(agent("implementer-2")));
    assert_eq!(
        Agent { state: AgentState::Working, replaced_by: None, ..change.failed_agent },
        failed_agent()
    );
}

/// C20, C28
#[test]
fn the_replacement_takes_its_session_and_is_active() {
    let handoff = verified();
    let quiet = Agent { state: AgentState::Unresponsive, ..new_agent() };
    let facts = Facts { tasks: &tasks(), failed: &failed_agent(), replacement: &quiet };
    let change = transfer(&handoff, &facts, at(5)).unwrap();
    assert_eq!(change.replacement_agent.session.as_deref(), Some("helper-agent-2"));
    assert_eq!(change.replacement_agent.state, AgentState::Idle);
    let moved_on = Agent { session: Some("helper-agent-3".to_owned()), ..new_agent() };
    let facts = Facts { replacement: &moved_on, ..facts };
    let change = transfer(&handoff, &facts, at(5)).unwrap();
    assert_eq!(change.replacement_agent.session.as_deref(), Some("helper-agent-3"), "the one it runs in now");
    assert_eq!(transferred().1.replacement_agent.state, AgentState::Working);
}

/// C29
#[test]
fn the_replacement_goes_into_the_history() {
    let (_, change) = transferred();
    assert_eq!(
        serde_json::to_string(&change.history).unwrap(),
        r#"{"timestamp":"2026-01-31T14:35:00Z","failed_agent":"implementer-1","replacement_agent":"implementer-2","reason":"context_loss","tasks_transferred":["task-uuid-12345"],"handoff_id":"handoff-uuid-123","status":"complete"}"#
    );
}

/// ⚠11: what the replacement does besides is left alone, and so is what the failed agent keeps.
#[test]
fn only_the_tasks_of_the_handoff_move() {
    let mut own = task("GH-7", "uuid-own");
    own.agent = agent("implementer-2");
    let kept = task("GH-8", "uuid-kept");
    let change = moving(&verified(), &[tasks(), vec![own, kept]].concat());
    let moved: Vec<_> = change.tasks.iter().map(|(task, _)| task.task_uuid.as_str()).collect();
    assert_eq!(moved, ["task-uuid-12345"]);
}

#[test]
fn a_task_that_cannot_move_says_why() {
    let mut handoff = verified();
    let mut elsewhere = task("GH-9", "uuid-elsewhere");
    elsewhere.agent = agent("implementer-3");
    let mut own = task("GH-6", "uuid-own");
    own.delegated_by = agent("implementer-2");
    let unknown = task("GH-5", "uuid-unknown");
    for task in [&second_task(), &elsewhere, &own, &unknown] {
        handoff.tasks.push(TaskRef::of(task));
    }
    let change = moving(&handoff, &[tasks(), vec![second_task(), elsewhere, own]].concat());
    assert_eq!(change.tasks.len(), 1);
    let failed: Vec<_> =
        change.transfer.failed.iter().map(|it| (it.uuid.as_str(), it.reason.as_str())).collect();
    assert_eq!(
        failed,
        [
            ("task-uuid-67890", "is complete"),
            ("uuid-elsewhere", "is with `implementer-3`, not with `implementer-1`"),
            ("uuid-own", "task `GH-6` cannot go to its delegator"),
            ("uuid-unknown", "is not known"),
        ]
    );
    assert_eq!(change.history.status, "partial");
}

#[test]
fn nothing_changes_when_nothing_can_move() {
    let refused = |tasks: &[Task], replacement: &Agent| {
        let facts = Facts { tasks, failed: &failed_agent(), replacement };
        transfer(&verified(), &facts, at(5)).unwrap_err()
    };
    let nothing = refused(&[], &new_agent());
    assert_eq!(nothing.code, FailureCode::TransferFailed);
    assert_eq!(nothing.message, "No task could be reassigned (task-uuid-12345: is not known)");
    let gone = refused(&tasks(), &Agent { state: AgentState::Dead, ..new_agent() });
    assert_eq!((gone.code, gone.message.as_str()), (FailureCode::AgentGone, "implementer-2 is dead"));
}

/// C19, C21
#[test]
fn the_issue_is_read_from_the_name_of_the_task() {
    for (id, issue) in [
        ("GH-42", Some("#42")),
        ("gh-4-xls-implementation", Some("#4")),
        ("#42", Some("#42")),
        ("owner/repo#7", Some("owner/repo#7")),
        ("bd-a1.2", None),
        ("GH-x", None),
        ("a#b", None),
    ] {
        let task = task(id, "u");
        let handoff = Handoff { tasks: vec![TaskRef::of(&task)], ..verified() };
        let change = moving(&handoff, &[task]);
        assert_eq!(change.assignments[0].github_issue.as_deref(), issue, "{id}");
    }
    let human = Agent { role: "Human".to_owned(), ..failed_agent() };
    let facts = Facts { tasks: &tasks(), failed: &human, replacement: &new_agent() };
    assert_eq!(transfer(&verified(), &facts, at(5)).unwrap().assignments[0].agent_type, "human");
}

proptest! {
    #[test]
    fn every_task_of_the_handoff_either_moves_or_says_why(
        kinds in prop::collection::vec((0..4_u8, any::<bool>()), 1..8),
    ) {
        let mut handoff = verified();
        handoff.tasks.clear();
        let mut stored = Vec::new();
        for (place, (kind, wanted)) in kinds.iter().enumerate() {
            let mut task = task("GH-1", &format!("uuid-{place}"));
            match kind {
                0 => task.status = TaskStatus::Cancelled,
                1 => task.agent = agent("implementer-3"),
                _ => {}
            }
            if *wanted {
                handoff.tasks.push(TaskRef::of(&task));
            }
            if *kind != 3 {
                stored.push(task);
            }
        }
        let facts = Facts { tasks: &stored, failed: &failed_agent(), replacement: &new_agent() };
        let movable = kinds.iter().filter(|(kind, wanted)| *wanted && *kind == 2).count();
        match transfer(&handoff, &facts, at(5)) {
            Err(_) => prop_assert_eq!(movable, 0),
            Ok(change) => {
                prop_assert_eq!(change.tasks.len(), movable);
                prop_assert_eq!(change.assignments.len(), movable);
                prop_assert_eq!(change.transfer.failed.len() + movable, handoff.tasks.len());
                for (task, _) in &change.tasks {
                    let before = stored.iter().find(|it| it.task_uuid == task.task_uuid).unwrap();
                    prop_assert_eq!(&task.checkpoints, &before.checkpoints);
                    prop_assert_eq!(&task.agent, &handoff.replacement.id);
                    prop_assert!(handoff.task_uuids().contains(&task.task_uuid));
                }
            }
        }
    }
}
