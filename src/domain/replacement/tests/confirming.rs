use serde_json::json;

use super::*;
use crate::domain::message::{Category, Kind, Priority};
use crate::domain::notice::Notice;
use crate::domain::replacement::confirmation;

fn told(handoff: &Handoff) -> Notice {
    confirmation(handoff).unwrap()
}

/// C35, ⚠13
#[test]
fn a_success_is_confirmed() {
    let (mut handoff, _) = transferred();
    labelled(&mut handoff);
    let notice = told(&handoff);
    assert_eq!(notice.subject, "[EOA] Agent Replacement Complete");
    assert_eq!((notice.kind, notice.priority), (Kind::ReplacementConfirmation, Priority::Normal));
    assert_eq!((notice.category, notice.requires_ack), (Category::Info, false));
    assert_eq!(
        notice.content,
        json!({
            "type": "replacement_confirmation",
            "message": "Agent replacement completed successfully",
            "status": "success",
            "failed_agent": {"id": "implementer-1", "session": "helper-agent-generic"},
            "replacement_agent": {"id": "implementer-2", "session": "helper-agent-2"},
            "details": {
                "tasks_reassigned": 1,
                "tasks_uuids": ["task-uuid-12345"],
                "github_issues_updated": ["#42"],
                "handoff_id": "handoff-uuid-123",
                "handoff_url": URL,
                "ack_received_at": "2026-01-31T14:35:00.000Z",
                "total_time": "5 minutes",
            },
        })
    );
}

/// C36
#[test]
fn a_partial_success_asks_for_the_rest() {
    let notice = told(&partly_transferred());
    assert_eq!(notice.subject, "[EOA] Agent Replacement Partially Complete");
    assert_eq!((notice.kind, notice.priority), (Kind::ReplacementConfirmation, Priority::High));
    assert_eq!((notice.category, notice.requires_ack), (Category::Blocked, true));
    assert_eq!(
        notice.content,
        json!({
            "type": "replacement_confirmation",
            "message": "Agent replacement partially completed",
            "status": "partial",
            "failed_agent": {"id": "implementer-1"},
            "replacement_agent": {"id": "implementer-2"},
            "details": {
                "tasks_reassigned": 1,
                "tasks_failed": 1,
                "failed_tasks": [{"uuid": "task-uuid-67890", "reason": "is complete"}],
                "action_required": "manual_reassignment_needed",
            },
        })
    );
}

/// C37, ⚠12: three attempts are one notice and two reminders.
#[test]
fn a_failure_asks_for_another_agent() {
    let notice = told(&unanswered());
    assert_eq!(notice.subject, "[EOA] Agent Replacement Failed");
    assert_eq!((notice.kind, notice.priority), (Kind::ReplacementConfirmation, Priority::Urgent));
    assert_eq!((notice.category, notice.requires_ack), (Category::Blocked, true));
    assert_eq!(
        notice.content,
        json!({
            "type": "replacement_confirmation",
            "message": "Agent replacement failed",
            "status": "failed",
            "failed_agent": {"id": "implementer-1"},
            "replacement_agent": {"id": "implementer-2"},
            "error": {
                "code": "NO_ACK_RECEIVED",
                "message": "Replacement agent did not acknowledge handoff after 3 attempts",
                "reminders_sent": 2,
                "last_attempt": "2026-01-31T14:38:00.000Z",
            },
            "action_required": "provide_alternative_agent",
        })
    );
}

#[test]
fn every_confirmation_names_all_tasks_and_the_document_for_people() {
    for handoff in [transferred().0, partly_transferred(), unanswered()] {
        let body = told(&handoff).body;
        for text in handoff.task_uuids().iter().map(String::as_str).chain([URL, "handoff-uuid-123"]) {
            assert!(body.contains(text), "{text} is not in {body}");
        }
    }
}

#[test]
fn nothing_is_confirmed_before_it_is_decided() {
    for handoff in [prepared(), sent(), escalated(), verified()] {
        assert_eq!(confirmation(&handoff), None);
    }
}
