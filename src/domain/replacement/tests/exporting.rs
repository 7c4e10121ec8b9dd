use super::*;
use crate::domain::replacement::{InstructionStatus, OrchestratorState};
use crate::domain::task::{AckStatus, TaskInput, TaskStatus};

fn stored() -> (Vec<Task>, [Agent; 2], Handoff) {
    let (handoff, change) = transferred();
    let tasks = change.tasks.into_iter().map(|(task, _)| task).collect();
    (tasks, [change.failed_agent, change.replacement_agent], handoff)
}

/// C18–C29: the exported state has the agents, the assignment and the history, key for key in their order.
#[test]
fn the_state_is_exported_in_the_order_of_its_keys() {
    let (tasks, agents, handoff) = stored();
    let state = OrchestratorState::of(&tasks, &agents, std::slice::from_ref(&handoff));
    assert_eq!(state.active_assignments, transferred().1.assignments);
    let text = serde_json::to_string(&state).unwrap();
    assert!(text.starts_with(r#"{"active_assignments":[{"agent":"implementer-2","#));
    assert_eq!(
        serde_json::to_string_pretty(&state.registered_agents).unwrap(),
        r#"[
  {
    "id": "implementer-1",
    "type": "ai",
    "session": "helper-agent-generic",
    "status": "inactive",
    "inactive_reason": "replaced",
    "replaced_at": "2026-01-31T14:35:00Z",
    "replaced_by": "implementer-2"
  },
  {
    "id": "implementer-2",
    "type": "ai",
    "session": "helper-agent-2",
    "status": "active",
    "registered": "2026-01-31T14:30:00Z",
    "assigned_from": "implementer-1"
  }
]"#
    );
    assert_eq!(state.replacement_history, [transferred().1.history]);
    assert_eq!(serde_json::from_str::<OrchestratorState>(&text).unwrap(), state);
}

#[test]
fn what_was_never_replaced_is_exported_too() {
    let mut queued = task("GH-7", "uuid-7");
    queued.status = TaskStatus::Queued;
    let state = OrchestratorState::of(&[second_task(), queued, tasks()[0].clone()], &[failed_agent()], &[]);
    let shown: Vec<_> =
        state.active_assignments.iter().map(|it| (it.task_uuid.as_str(), it.status.as_str())).collect();
    assert_eq!(shown, [("task-uuid-12345", "working"), ("uuid-7", "queued")]);
    let record = &state.active_assignments[0];
    assert_eq!(record.session.as_deref(), Some("helper-agent-generic"));
    assert_eq!(record.replacement_info, None);
    assert_eq!(record.instruction_verification.status, InstructionStatus::Verified);
    assert!(!record.progress.at_replacement && record.progress.percentage == Some(60));
    let agent = serde_json::to_value(&state.registered_agents[0]).unwrap();
    assert_eq!(agent["registered"], "2026-01-31T04:30:00Z");
    assert!(agent.get("replaced_by").is_none());
}

#[test]
fn what_the_replacement_does_shows_in_the_state() {
    let (mut tasks, agents, handoff) = stored();
    let ack = crate::domain::task::Ack {
        understanding: Some(UNDERSTANDING.to_owned()),
        ..crate::domain::task::Ack::new(AckStatus::Received)
    };
    tasks[0].apply(TaskInput::Ack(ack), at(8)).unwrap();
    let state = OrchestratorState::of(&tasks, &agents, std::slice::from_ref(&handoff));
    let record = &state.active_assignments[0];
    assert_eq!(record.status, "received");
    assert_eq!(record.instruction_verification.status, InstructionStatus::Verified);
    assert_eq!(record.instruction_verification.attempts, 1);
    assert!(record.progress.at_replacement, "nothing of its own is reported yet");
    tasks[0]
        .apply(TaskInput::Checkpoint { number: 4, summary: "part 4".to_owned(), next: None }, at(30))
        .unwrap();
    let state = OrchestratorState::of(&tasks, &agents, &[handoff]);
    let progress = &state.active_assignments[0].progress;
    assert_eq!((progress.percentage, progress.at_replacement, &progress.notes), (Some(80), false, &None));
    assert!(state.active_assignments[0].replacement_info.is_some());
}

#[test]
fn an_agent_that_came_back_is_no_longer_exported_as_replaced() {
    let (tasks, [mut failed, new], handoff) = stored();
    failed.state = AgentState::Idle;
    failed.replaced_by = None;
    let state = OrchestratorState::of(&tasks, &[failed, new], &[handoff]);
    assert_eq!(
        (state.registered_agents[0].status.as_str(), &state.registered_agents[0].inactive_reason),
        ("active", &None)
    );
}
