use super::*;
use crate::domain::handoff::{Criteria, HandoffAck};
use crate::domain::replacement::AuditEntry;

/// C38, C39, ⚠13: the keys of an entry in their order.
#[test]
fn an_entry_has_its_keys_in_order() {
    let entry = AuditEntry::of(&successful()).unwrap();
    assert_eq!(
        serde_json::to_string_pretty(&entry).unwrap(),
        r##"{
  "timestamp": "2026-01-31T14:35:00Z",
  "event": "agent_replacement",
  "orchestrator": "orchestrator-master",
  "ecos_notification": {
    "received_at": "2026-01-31T14:25:00Z",
    "notification_id": "ecos-notif-uuid",
    "urgency": "immediate"
  },
  "failed_agent": {
    "id": "implementer-1",
    "session": "helper-agent-generic",
    "reason": "context_loss",
    "tasks_assigned": [
      "task-uuid-12345"
    ],
    "last_known_progress": 60
  },
  "replacement_agent": {
    "id": "implementer-2",
    "session": "helper-agent-2"
  },
  "handoff": {
    "id": "handoff-uuid-123",
    "url": "https://github.com/owner/repo/issues/42#issuecomment-123456",
    "generated_at": "2026-01-31T14:28:00Z",
    "size_bytes": 15234
  },
  "github": {
    "issues_updated": [
      "#42"
    ],
    "labels_changed": [
      "assigned:implementer-1 -> assigned:implementer-2"
    ],
    "comments_added": [
      "#42 issuecomment-123456"
    ]
  },
  "ack": {
    "received_at": "2026-01-31T14:35:00Z",
    "status": "ready_to_proceed",
    "understanding_verified": true
  },
  "ecos_confirmation": {
    "sent_at": "2026-01-31T14:36:00Z",
    "status": "success"
  },
  "total_duration": "11 minutes",
  "outcome": "success"
}"##
    );
    let stored = serde_json::to_string(&entry).unwrap();
    assert_eq!(serde_json::from_str::<AuditEntry>(&stored).unwrap(), entry);
}

/// C39
#[test]
fn partial_and_failed_replacements_are_audited_too() {
    let partial = AuditEntry::of(&confirmed(partly_transferred())).unwrap();
    assert_eq!((partial.outcome.as_str(), partial.ecos_confirmation.status.as_str()), ("partial", "partial"));
    assert_eq!(partial.failed_agent.tasks_assigned, ["task-uuid-12345", "task-uuid-67890"]);
    let failed = AuditEntry::of(&confirmed(unanswered())).unwrap();
    assert_eq!(failed.outcome.as_str(), "failed");
    assert_eq!(
        (failed.ack.received_at, failed.ack.status, failed.ack.understanding_verified),
        (None, None, false)
    );
    assert_eq!(failed.failed_agent.last_known_progress, Some(60), "as it was when the handoff was prepared");
}

/// ⚠17: an acknowledgment that was accepted although incomplete is audited.
#[test]
fn an_accepted_partial_acknowledgment_is_audited() {
    let mut handoff = acked_with(HandoffAck { understanding: None, ..ready() });
    let criteria = Criteria { accept_partial: Some("confirmed in a call"), ..Criteria::default() };
    let verification = look(&handoff, &criteria);
    then(&mut handoff, HandoffInput::Verified(verification), 5);
    let change = moving(&handoff, &tasks());
    then(&mut handoff, HandoffInput::Transferred(change.transfer), 5);
    let entry = AuditEntry::of(&confirmed(handoff)).unwrap();
    assert_eq!(entry.ack.accepted_partial.as_deref(), Some("confirmed in a call"));
    assert!(!entry.ack.understanding_verified);
}

/// H33: the override is audited.
#[test]
fn an_override_is_audited() {
    let mut handoff = escalated();
    then(&mut handoff, HandoffInput::Delayed { reason: "online, but busy".to_owned(), in_vain: false }, 11);
    let change = moving(&handoff, &tasks());
    then(&mut handoff, HandoffInput::Transferred(change.transfer), 12);
    let entry = AuditEntry::of(&confirmed(handoff)).unwrap();
    assert_eq!(entry.ack.status.as_deref(), Some("acknowledged_with_delay"));
    assert_eq!(entry.ack.acknowledged_with_delay.as_deref(), Some("online, but busy"));
    assert_eq!(entry.outcome.as_str(), "success");
}

#[test]
fn a_replacement_nobody_asked_for_begins_when_it_was_prepared() {
    let mut handoff = successful();
    handoff.requested = None;
    let entry = AuditEntry::of(&handoff).unwrap();
    assert_eq!(entry.ecos_notification.received_at.to_string(), "2026-01-31T14:27:00Z");
    assert_eq!((entry.ecos_notification.notification_id, entry.total_duration.as_str()), (None, "9 minutes"));
}

#[test]
fn an_acknowledgment_after_the_end_is_not_in_the_entry() {
    let (mut handoff, _) = transferred();
    labelled(&mut handoff);
    says(&mut handoff, asks("one more thing?"), 6);
    assert_eq!(AuditEntry::of(&confirmed(handoff)).unwrap(), AuditEntry::of(&successful()).unwrap());
}

#[test]
fn nothing_is_audited_before_the_controller_knows() {
    for handoff in [sent(), transferred().0, unanswered()] {
        let refused = AuditEntry::of(&handoff).unwrap_err();
        assert!(refused.what.contains("cannot be audited"), "{}", refused.what);
    }
}
