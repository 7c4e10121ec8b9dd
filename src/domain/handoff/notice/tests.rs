use serde_json::json;

use super::*;
use crate::domain::handoff::samples::*;
use crate::domain::handoff::{Criteria, HandoffInput, Publication, Urgency};

const READY_LINE: &str = "bb agent ack --agent implementer-2 --message msg_handoff --status ready_to_proceed \
                          --understanding \"what you will do\" --starting-from \"the checkpoint you go on from\"";

fn notice() -> Notice {
    handoff(&sent(), &message("msg_handoff"))
}

/// H5, H6, H7
#[test]
fn the_notice_is_a_handoff_that_requires_an_ack() {
    let notice = notice();
    assert_eq!(notice.subject, "[HANDOFF] Agent Replacement - You are replacing implementer-1");
    assert_eq!((notice.kind, notice.priority), (Kind::ReplacementHandoff, Priority::Urgent));
    assert_eq!((notice.category, notice.requires_ack), (Category::Handoff, true));
    assert_eq!(notice.content["type"], "replacement_handoff");
}

/// H6, ⚠16: the urgency gives the first notice its priority.
#[test]
fn the_priority_of_the_notice_follows_the_urgency() {
    for (urgency, priority, within) in [
        (Urgency::Immediate, Priority::Urgent, "5 minutes"),
        (Urgency::Prepare, Priority::High, "15 minutes"),
        (Urgency::WhenAvailable, Priority::Normal, "30 minutes"),
    ] {
        let notice = handoff(&Handoff { urgency, ..sent() }, &message("msg_handoff"));
        assert_eq!(notice.priority, priority);
        assert_eq!(notice.content["ack_required_within"], within);
        assert!(notice.body.contains(&format!("Please ACK within {within}")));
    }
}

/// H8
#[test]
fn the_message_names_the_failed_agent_the_reason_the_address_and_the_deadline() {
    let message = notice().content["message"].as_str().unwrap().to_owned();
    for part in ["implementer-1", "context_loss", URL, "within 5 minutes"] {
        assert!(message.contains(part), "{part}");
    }
}

/// H9, H10, H11, H12, H13, H14
#[test]
fn the_notice_carries_its_fields() {
    let mut content = notice().content;
    let fields = content.as_object_mut().unwrap();
    for key in ["acknowledgment_instructions", "message"] {
        assert!(fields.remove(key).is_some());
    }
    assert_eq!(
        content,
        json!({
            "type": "replacement_handoff",
            "handoff_id": "handoff-uuid-123",
            "handoff_url": URL,
            "failed_agent": {"id": "implementer-1", "session": "helper-agent-generic"},
            "tasks": ["task-uuid-12345"],
            "task_ids": ["GH-42"],
            "urgency": "immediate",
            "ack_required_within": "5 minutes",
        })
    );
}

#[test]
fn the_notice_teaches_every_answer() {
    let notice = notice();
    let commands = &notice.content["acknowledgment_instructions"]["commands"];
    assert_eq!(commands["ready_to_proceed"], READY_LINE);
    for status in HandoffStatus::ALL {
        let line = commands[status.as_str()].as_str().unwrap();
        assert!(notice.body.lines().any(|it| it == line), "{line}");
        assert!(line.contains(&format!("--agent implementer-2 --message msg_handoff --status {status}")));
    }
    let form = &notice.content["acknowledgment_instructions"]["content"];
    let unfilled = HandoffAck::from_content(form).unwrap();
    assert_eq!(unfilled.missing(), ["understanding", "starting_from"], "a copied template says nothing");
}

#[test]
fn the_notice_does_not_give_away_the_checkpoint_it_asks_for() {
    let notice = notice();
    assert!(!notice.body.contains(CHECKPOINT) && !notice.content.to_string().contains(CHECKPOINT));
}

#[test]
fn a_document_that_is_not_published_is_named_by_its_path_and_said_to_be_local() {
    let local = Handoff { publication: Publication::Local, ..copied() };
    let notice = handoff(&local, &message("msg_handoff"));
    let path = document().path;
    assert_eq!(notice.content["handoff_url"], json!(path));
    assert!(notice.body.contains(&format!("Document (a file on this machine): {path}")));
}

/// H18
#[test]
fn an_acknowledgment_carries_its_fields() {
    let notice = ack(&sent(), &asks("Which library?"));
    assert_eq!(notice.subject, "[ACK] Handoff handoff-uuid-123 Received");
    assert_eq!((notice.kind, notice.priority), (Kind::HandoffAck, Priority::High));
    assert_eq!((notice.category, notice.requires_ack), (Category::Info, false));
    assert_eq!(
        notice.content,
        json!({
            "type": "handoff_ack",
            "message": "Handoff received and reviewed",
            "handoff_id": "handoff-uuid-123",
            "understanding": UNDERSTANDING,
            "starting_from": CHECKPOINT,
            "questions": ["Which library?"],
            "status": "ready_to_proceed",
        })
    );
    assert_eq!(HandoffAck::from_content(&notice.content).unwrap(), asks("Which library?"));
    assert!(notice.body.contains("Questions:\n1. Which library?"));
}

#[test]
fn a_refusal_says_why() {
    let refusal =
        HandoffAck { reason: Some("no access".to_owned()), ..HandoffAck::new("x", HandoffStatus::Rejected) };
    let notice = ack(&sent(), &refusal);
    assert_eq!(
        (&notice.content["status"], &notice.content["reason"]),
        (&json!("rejected"), &json!("no access"))
    );
    assert_eq!(notice.body, "Handoff received and rejected\n\nStatus: rejected\nReason: no access");
}

/// H28
#[test]
fn a_clarification_carries_its_fields() {
    let mut handoff = acked_with(asks("Which JWT library should I use?"));
    let answers = vec!["Use PyJWT version 2.8.0".to_owned()];
    let updated_handoff_url = Some("https://github.com/owner/repo/issues/42#issuecomment-7".to_owned());
    then(&mut handoff, HandoffInput::Clarified { answers, updated_handoff_url }, 6);
    let notice = clarification(&handoff, &handoff.clarifications[0]);
    assert_eq!(notice.subject, "[CLARIFICATION] Re: Handoff handoff-uuid-123");
    assert_eq!((notice.kind, notice.priority), (Kind::HandoffClarification, Priority::High));
    assert_eq!(
        notice.content,
        json!({
            "type": "handoff_clarification",
            "message": "Answers to your questions about the handoff",
            "handoff_id": "handoff-uuid-123",
            "clarifications": [
                {"question": "Which JWT library should I use?", "answer": "Use PyJWT version 2.8.0"},
            ],
            "updated_handoff_url": "https://github.com/owner/repo/issues/42#issuecomment-7",
        })
    );
    assert!(notice.body.ends_with(READY_LINE));
}

/// H38, C13: an acknowledgment out of form is asked for again, with the template.
#[test]
fn what_is_missing_is_asked_for_with_the_template() {
    let handoff = acked_with(HandoffAck { understanding: None, ..ready() });
    let notice = correction(&handoff, &look(&handoff, &Criteria::default())).unwrap();
    assert_eq!(
        (notice.kind, notice.subject.as_str()),
        (Kind::AckRequest, "ACK REQUIRED: Handoff handoff-uuid-123")
    );
    assert_eq!(notice.content["template"], READY_LINE);
    assert_eq!(notice.content["missing"], json!(["understanding"]));
    assert!(notice.body.contains("- understanding: Agent understanding is missing"));
}

/// C14, C15: what is complete but wrong is corrected.
#[test]
fn another_checkpoint_is_corrected() {
    let handoff = acked_with(HandoffAck { starting_from: Some("the beginning".to_owned()), ..ready() });
    let notice = correction(&handoff, &look(&handoff, &accepting())).unwrap();
    assert_eq!(notice.kind, Kind::HandoffClarification);
    assert_eq!(notice.content["discrepancies"][0]["action"], "correct_and_confirm");
    assert!(notice.body.contains(&format!("differs from expected '{CHECKPOINT}'")));
}

#[test]
fn there_is_nothing_to_correct_in_what_is_valid_absent_or_a_question() {
    for handoff in [acked_with(ready()), sent(), acked_with(asks("why?"))] {
        assert_eq!(correction(&handoff, &look(&handoff, &accepting())), None);
    }
}
