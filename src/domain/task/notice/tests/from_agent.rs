use super::*;
use crate::domain::task::samples::{at, checkpoint as report};
use crate::domain::task::{TaskError, TaskErrorCode, read_content};

/// E8, E9, E11, E30
#[test]
fn an_acknowledgment_has_its_fields_and_the_text_form() {
    for (status, questions) in [
        (AckStatus::Received, &[][..]),
        (AckStatus::NeedsClarification, &["24h or 7 days?", "Refresh tokens?"]),
        (AckStatus::Confirmed, &[]),
        (AckStatus::Queued, &[]),
        (AckStatus::Rejected, &[]),
    ] {
        let ack = Ack {
            estimated_checkpoints: vec!["Tests written".to_owned(), "PR ready".to_owned()],
            reason: (status == AckStatus::Rejected).then(|| "no access".to_owned()),
            note: (status == AckStatus::Queued).then(|| "GH-41 first".to_owned()),
            ..samples::ack(status, "JWT login", questions)
        };
        let notice = acknowledgment(&task(), &ack, at(25));
        assert_holds(
            &notice,
            json!({
                "type": "task-acknowledgment",
                "task_id": "GH-42",
                "status": status.as_str(),
                "received_at": "2026-03-04T00:11:47.000Z",
                "understanding": "JWT login",
                "questions": questions,
                "estimated_checkpoints": ["Tests written", "PR ready"],
            }),
        );
        assert_eq!((notice.kind, notice.category), (Kind::TaskAcknowledgment, Category::Info));
        assert!(!notice.requires_ack);
        assert_eq!(notice.subject, format!("[ACK] GH-42 - {}", status.in_text()));

        let from_text = Ack::from(ack_text::parse_all(&notice.body).remove(0).unwrap());
        assert_eq!(from_text, Ack { estimated_checkpoints: Vec::new(), ..ack.clone() });
        let (task_id, input) = read_content(&notice.content).unwrap().unwrap();
        assert_eq!((task_id.as_str(), input), ("GH-42", TaskInput::Ack(ack)));
    }
}

/// E12
#[test]
fn received_with_questions_is_sent_as_the_need_for_clarification() {
    let notice = acknowledgment(&task(), &samples::ack(AckStatus::Received, "JWT", &["why?"]), at(1));
    assert_eq!(notice.content["status"], "needs-clarification");
    assert_eq!(notice.priority, Priority::High);
}

/// E19
#[test]
fn an_error_has_its_fields_and_the_next_action() {
    let mut task = task();
    let alternatives = vec![agent("agent-backend-02"), agent("agent-backend-03")];
    let wait = Some(Duration::from_secs(15 * 60));
    let failed = TaskError::new(
        TaskErrorCode::ResourceUnavailable,
        Some("Cannot accept task: current load at 95%"),
        wait,
        alternatives,
    );
    assert!(error(&task, at(1)).is_none());
    then(&mut task, TaskInput::Fail(failed.clone())).unwrap();
    let notice = error(&task, at(38)).unwrap();
    assert_holds(
        &notice,
        json!({
            "type": "task-acknowledgment-error",
            "task_id": "GH-42",
            "error_code": "RESOURCE_UNAVAILABLE",
            "error_message": "Cannot accept task: current load at 95%",
            "timestamp": "2026-03-04T00:12:00.000Z",
            "retry_after_minutes": 15,
            "alternative_agents": ["agent-backend-02", "agent-backend-03"],
            "next_action": "wait-or-reassign",
        }),
    );
    assert_eq!(notice.kind, Kind::TaskAcknowledgmentError);
    assert!(notice.body.contains("wait until the agent has capacity"));
    let (_, input) = read_content(&notice.content).unwrap().unwrap();
    assert_eq!(input, TaskInput::Fail(failed));
}

/// E25
#[test]
fn checkpoints_and_the_completion_have_their_fields() {
    let mut task = acked(AckStatus::Received);
    report(&mut task, 1, "Tests written for auth endpoints").unwrap();
    let notice = checkpoint(&task, 1).unwrap();
    assert_holds(
        &notice,
        json!({
            "type": "checkpoint-ack",
            "task_id": "GH-42",
            "checkpoint": 1,
            "status": "completed",
            "summary": "Tests written for auth endpoints",
            "next_checkpoint": 2,
        }),
    );
    assert!(checkpoint(&task, 2).is_none());
    let (_, input) = read_content(&notice.content).unwrap().unwrap();
    assert_eq!(then(&mut task, input).unwrap(), []);

    then(&mut task, TaskInput::Complete { summary: Some("Merged".to_owned()) }).unwrap();
    let notice = completion(&task, at(60));
    assert_holds(&notice, json!({"type": "task-complete", "task_id": "GH-42", "summary": "Merged"}));
    assert_eq!((notice.kind, notice.body.as_str()), (Kind::TaskComplete, "Merged"));
    let (_, input) = read_content(&notice.content).unwrap().unwrap();
    assert_eq!(input, TaskInput::Complete { summary: Some("Merged".to_owned()) });
}
