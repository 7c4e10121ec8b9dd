//! What is sent for tasks, handoffs and escalations.

use serde_json::json;

use super::*;
use crate::domain::schedule::Policy;

/// E28: the explicit request for the ack of a task.
#[test]
fn an_ack_request() {
    let operation = Operation { task_id: Some("GH-42".parse().unwrap()), ..skill() };
    let mut scene = Scene::new(Profile::Task, operation);
    scene.until(300);
    let notice = scene.last();
    assert_eq!(notice.subject, "ACK REQUIRED: GH-42");
    assert_eq!((notice.kind, notice.category), (Kind::AckRequest, Category::Info));
    assert!(notice.body.starts_with("I sent you task GH-42 but have not received acknowledgment.\n"));
    assert_eq!(notice.content["type"], "ack-request");
    assert_eq!(notice.content["task_id"], "GH-42");
    assert_eq!(
        (&notice.content["operation_id"], &notice.content["time_remaining"]),
        (&json!("op_1"), &json!("2 minutes"))
    );
    assert_eq!(
        notice.content["acknowledgment"]["command"],
        "bb agent ack --task GH-42 --status received --understanding \"what you will do\" --agent amber-otter"
    );
    scene.until(500);
    assert_eq!(scene.kinds(), [(300, "ack-request"), (420, "timeout-notice")]);
}

/// A request that is no task is asked for outright too, in the words of its operation.
#[test]
fn an_ack_request_without_a_task() {
    let mut scene = Scene::new(Profile::Task, skill());
    scene.until(300);
    let notice = scene.last();
    assert_eq!((notice.kind, notice.content["type"].as_str()), (Kind::AckRequest, Some("ack-request")));
    assert!(
        notice.body.starts_with("Reminder: Please reply 'ok' when ready for the pending skill installation.")
    );
}

fn handoff() -> Scene {
    let operation = Operation { handoff_id: Some("h-1".to_owned()), ..skill() };
    Scene::new(Profile::Handoff, operation)
}

/// H31, ⚠16: both reminders of a handoff are urgent.
#[test]
fn a_handoff_reminder() {
    let mut scene = handoff();
    scene.until(450);
    assert_eq!(scene.kinds(), [(300, "handoff_reminder"), (450, "handoff_reminder")]);
    let (first, second) = (&scene.sent[0].2, &scene.sent[1].2);
    assert_eq!(first.subject, "[REMINDER] ACK Required for Handoff h-1");
    assert_eq!((first.priority, second.priority), (Priority::Urgent, Priority::Urgent));
    assert_eq!(
        first.content,
        json!({
            "type": "handoff_reminder",
            "message": "You have not acknowledged the replacement handoff. Please ACK immediately or \
                        indicate if you cannot accept this task.",
            "handoff_id": "h-1",
            "original_sent": "2026-03-04T00:00:00.000Z",
            "reminder_number": 1,
            "final_deadline": "2026-03-04T00:10:00.000Z",
            "acknowledgment_instructions": {
                "commands": {"show": "bb agent read --agent amber-otter --message msg_amber-otter"},
            },
            "operation_id": "op_1",
        })
    );
    assert_eq!(second.content["reminder_number"], 2);
    assert!(second.body.ends_with("Final reminder: without an answer this is escalated."));
}

/// H32, ⚠12: the escalation of a handoff after two reminders.
#[test]
fn a_handoff_is_escalated() {
    let mut scene = handoff();
    scene.until(600);
    let tasks = ["uuid-1".to_owned(), "uuid-2".to_owned()];
    let notice = handoff_escalation(
        scene.handshake.state(),
        &HandoffEscalation {
            handoff_id: "h-1",
            failed_agent: &agent("old-one"),
            replacement_agent: &agent(OTTER),
            tasks_affected: &tasks,
            task_names: &["GH-1".to_owned(), "GH-2".to_owned()],
        },
    );
    assert_eq!(
        notice.body,
        "amber-otter has not acknowledged handoff h-1 (replacing old-one) after 2 reminders.\n\
         Tasks: GH-1, GH-2\nName another agent."
    );
    assert_eq!(notice.subject, "[EOA-ESCALATE] Replacement Agent Not Responding");
    assert_eq!(
        (notice.category, notice.priority, notice.requires_ack),
        (Category::Blocked, Priority::Urgent, true)
    );
    assert_eq!(
        notice.content,
        json!({
            "type": "escalation",
            "message": "Replacement agent has not acknowledged handoff after 2 reminders",
            "failed_agent": "old-one",
            "replacement_agent": "amber-otter",
            "handoff_id": "h-1",
            "reminders_sent": 2,
            "tasks_affected": ["uuid-1", "uuid-2"],
            "action_required": "provide_alternative_agent",
            "operation_id": "op_1",
        })
    );
}

#[test]
fn any_operation_can_be_escalated() {
    let overrides = Overrides { on_timeout: Some(Policy::Escalate), ..Overrides::default() };
    let mut scene = Scene::with(Profile::Operation, &overrides, skill(), &[OTTER, "zinc-yak"]);
    scene.says(10, OTTER, "ok").until(500);
    let state = scene.handshake.state();
    let notice = escalation(state, &state.end.as_ref().unwrap().missing);
    assert_eq!(notice.subject, "[ESCALATE] Skill Installation - Agent Not Responding");
    assert_eq!(notice.kind, Kind::Escalation);
    assert_eq!(
        notice.content,
        json!({
            "type": "escalation",
            "message": "No acknowledgment of the skill installation from zinc-yak after 3 reminders",
            "operation": "skill-install",
            "agents": ["zinc-yak"],
            "reminders_sent": 3,
            "action_required": "decide_how_to_proceed",
            "operation_id": "op_1",
        })
    );
}
