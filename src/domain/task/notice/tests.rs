use std::time::Duration;

use serde_json::json;

use super::*;
use crate::domain::delegation;
use crate::domain::message::{Category, check_subject};
use crate::domain::task::samples::{self, acked, agent, correct, says, task, then};
use crate::domain::task::{Ack, AckStatus, EscalationReason, TaskInput};
use crate::domain::{Invalid, Rule, ack_text};

mod from_agent;

const FIVE_MINUTES: Duration = Duration::from_secs(300);

fn request(remaining: Duration) -> Notice {
    let task = task();
    ack_request(&task.task_id, &task.agent, task.message_id.as_ref().unwrap(), remaining)
}

/// Whether `content` has at least the fields of `expected`.
fn holds(content: &Value, expected: &Value) -> bool {
    expected.as_object().unwrap().iter().all(|(key, value)| content.get(key) == Some(value))
}

fn assert_holds(notice: &Notice, expected: Value) {
    assert!(holds(&notice.content, &expected), "{:#} lacks something of {expected:#}", notice.content);
}

/// E7, E27
#[test]
fn an_assignment_has_its_fields() {
    let notice = assignment(&task(), FIVE_MINUTES);
    assert_holds(
        &notice,
        json!({
            "type": "task-assignment",
            "task_id": "GH-42",
            "task_uuid": "8a3e6c1e",
            "requires_ack": true,
            "ack_timeout_minutes": 5,
            "content": {
                "title": "Implement user authentication",
                "description": "Log in and out.",
                "acceptance_criteria": ["login works", "logout works"],
            },
        }),
    );
    assert_eq!((notice.kind, notice.category), (Kind::TaskAssignment, Category::Handoff));
    assert!(notice.requires_ack);
    assert_eq!(notice.subject, "Task GH-42: Implement user authentication");
}

/// E1, E2, E26
#[test]
fn every_assignment_teaches_how_to_acknowledge_it() {
    let body = assignment(&task(), FIVE_MINUTES).body;
    for part in [
        "ACKNOWLEDGMENT REQUIRED: Reply with [ACK] GH-42 - RECEIVED\nInclude: Understanding: ",
        "mandatory and comes before work",
        "within 5 minutes",
        "bb agent ack --task GH-42 --status received --understanding \"what you will do\"",
        "[ACK] GH-42 - STATUS",
        "CLARIFICATION_NEEDED",
        "Questions:",
        "QUEUED",
        "REJECTED",
    ] {
        assert!(body.contains(part), "{part:?} is not in {body}");
    }
    assert!(body.starts_with("## Task: GH-42\nImplement user authentication\n\nLog in and out.\n"));
    assert!(!delegation::marks(&body).is_empty());
}

/// E1
#[test]
fn the_content_of_an_assignment_teaches_programs() {
    let notice = assignment(&task(), FIVE_MINUTES);
    let taught = &notice.content["acknowledgment"];
    assert_eq!((&taught["required"], &taught["before_work"]), (&json!(true), &json!(true)));
    assert!(taught["command"].as_str().unwrap().starts_with("bb agent ack --task GH-42 --status received"));
    let text_form = taught["text_form"].as_str().unwrap();
    let read = ack_text::parse_all(text_form).remove(0).unwrap();
    assert_eq!((read.task_id.as_str(), read.status), ("GH-42", AckStatus::Received));
}

/// E1: whoever quotes an instruction has not acknowledged
#[test]
fn no_instruction_reads_as_an_acknowledgment_even_when_quoted() {
    let mut corrected = acked(AckStatus::Received);
    correct(&mut corrected, "session cookies").unwrap();
    let mut supplemented = acked(AckStatus::Received);
    then(&mut supplemented, TaskInput::Supplement { items: vec!["[ACK] GH-42 - RECEIVED".to_owned()] })
        .unwrap();
    let mut answered = task();
    then(&mut answered, TaskInput::Ack(samples::ack(AckStatus::Received, "x", &["[ACK] GH-42 - QUEUED"])))
        .unwrap();
    then(&mut answered, TaskInput::Clarify { answers: vec!["yes".to_owned()] }).unwrap();
    for notice in [
        assignment(&task(), FIVE_MINUTES),
        resend(&task(), &"GH-41".parse().unwrap(), FIVE_MINUTES),
        clarification(&answered),
        which_criterion(&task()),
        not_taken(&task(), &Invalid::new(Rule::Task, "task `GH-42` is complete").hint("do nothing")),
        correction(&corrected).unwrap(),
        supplement(&supplemented).unwrap(),
        request(FIVE_MINUTES),
        stop(&task(), &agent("blue-heron")),
        sole_assignee(&task()),
        queued_check(&acked(AckStatus::Queued)),
        escalation(&corrected, EscalationReason::Misunderstood),
    ] {
        let text = format!("{}\n{}", notice.subject, notice.body);
        let quoted: Vec<_> = text.lines().map(|line| format!("> {line}")).collect();
        assert_eq!(ack_text::parse_all(&text), [], "{text}");
        assert_eq!(ack_text::parse_all(&quoted.join("\n")), [], "{text}");
    }
}

/// E10
#[test]
fn a_clarification_pairs_answers_with_questions_and_asks_for_confirmation() {
    let mut task = task();
    then(
        &mut task,
        TaskInput::Ack(samples::ack(AckStatus::Received, "JWT", &["24h or 7 days?", "Refresh?"])),
    )
    .unwrap();
    let answers = vec!["24 hours".to_owned(), "Yes".to_owned()];
    then(&mut task, TaskInput::Clarify { answers }).unwrap();
    let notice = clarification(&task);
    assert_holds(
        &notice,
        json!({
            "type": "task-clarification",
            "task_id": "GH-42",
            "questions": ["24h or 7 days?", "Refresh?"],
            "answers": ["24 hours", "Yes"],
        }),
    );
    assert!(notice.body.starts_with("1. 24h or 7 days?\nAnswer: 24 hours\n\n2. Refresh?\nAnswer: Yes\n\n"));
    assert!(notice.body.contains("--status confirmed --understanding"));
    assert!(notice.requires_ack);
}

/// E5, E40, E47
#[test]
fn a_correction_quotes_both_understandings_and_requires_a_new_acknowledgment() {
    let mut task = acked(AckStatus::Received);
    assert!(correction(&task).is_none());
    says(&mut task, AckStatus::Confirmed, "JWT login.").unwrap();
    correct(&mut task, "session cookies").unwrap();
    let notice = correction(&task).unwrap();
    assert!(
        notice.body.starts_with("Your understanding: JWT login. Correct understanding: session cookies\n")
    );
    assert!(notice.body.contains("Acknowledge again"));
    assert_holds(
        &notice,
        json!({
            "type": "task-clarification",
            "requires_ack": true,
            "your_understanding": "JWT login.",
            "correct_understanding": "session cookies",
            "correction": 1,
        }),
    );
    assert_eq!((notice.requires_ack, notice.priority), (true, Priority::High));
    assert!(supplement(&task).is_none());
}

/// E50
#[test]
fn a_supplement_lists_what_is_missing() {
    let mut task = acked(AckStatus::Received);
    then(&mut task, TaskInput::Supplement { items: vec!["logout".to_owned(), "tests".to_owned()] }).unwrap();
    let notice = supplement(&task).unwrap();
    assert!(notice.body.contains("These belong to the task too:\n1. logout\n2. tests\n"));
    assert_holds(&notice, json!({"type": "task-clarification", "missing_items": ["logout", "tests"]}));
    assert!(notice.requires_ack);
}

/// E41
#[test]
fn vague_questions_are_answered_by_asking_which_criterion_is_meant() {
    let notice = which_criterion(&task());
    assert!(notice.body.starts_with("Which part of the acceptance criteria of GH-42 is unclear?"));
    for part in ["1. login works\n2. logout works", "too large", "split", "--status needs-clarification"] {
        assert!(notice.body.contains(part), "{part}");
    }
    assert!(!notice.requires_ack);
}

/// E28
#[test]
fn the_explicit_request_has_its_subject_text_and_four_options() {
    let notice = request(Duration::from_secs(120));
    assert_eq!(notice.subject, "ACK REQUIRED: GH-42");
    assert!(notice.body.starts_with(
        "I sent you task GH-42 but have not received acknowledgment.\n\
         Please confirm receipt with: [ACK] GH-42 - {status}\n\
         \n\
         Status options: RECEIVED, CLARIFICATION_NEEDED, REJECTED, QUEUED\n"
    ));
    assert!(notice.body.contains("within 2 minutes"));
    assert_eq!((notice.kind, notice.category), (Kind::AckRequest, Category::Info));
    assert_holds(
        &notice,
        json!({
            "type": "ack-request",
            "status_options": ["RECEIVED", "CLARIFICATION_NEEDED", "REJECTED", "QUEUED"],
            "task_id": "GH-42",
            "assignment_message_id": "msg_1",
            "time_remaining": "2 minutes",
        }),
    );
}

/// E43
#[test]
fn the_wrong_agent_is_cancelled_and_the_right_one_confirmed() {
    let cancelled = stop(&task(), &agent("blue-heron"));
    assert_eq!(cancelled.subject, "CANCEL: GH-42");
    assert_eq!(cancelled.kind, Kind::CancellationNotice);
    assert!(cancelled.body.starts_with("CANCEL task GH-42: it is with amber-otter."));
    assert!(cancelled.requires_ack);
    assert!(stop(&task(), &agent("amber-otter")).body.starts_with("CANCEL task GH-42: it was cancelled."));

    let confirmed = sole_assignee(&task());
    assert!(confirmed.body.contains("You are the sole assignee of task GH-42."));
    assert_holds(&confirmed, json!({"sole_assignee": "amber-otter", "task_uuid": "8a3e6c1e"}));
    assert!(confirmed.requires_ack);
}

/// E42
#[test]
fn a_queued_task_is_asked_about_and_told_to_begin() {
    let mut task = task();
    let said = Ack { note: Some("GH-41 first".to_owned()), ..Ack::new(AckStatus::Queued) };
    then(&mut task, TaskInput::Ack(said)).unwrap();
    let notice = queued_check(&task);
    for part in ["You said: GH-41 first", "begin now", "blocked", "15 minutes", "--status received"] {
        assert!(notice.body.contains(part), "{part}");
    }
    assert!(!notice.requires_ack);
    assert_eq!(notice.content["queued_since"], "2026-03-04T00:11:23.000Z");
}

/// E49
#[test]
fn an_escalation_says_what_was_understood_and_what_is_right() {
    let mut task = acked(AckStatus::Received);
    for said in ["wrong one", "wrong two"] {
        correct(&mut task, "session cookies").unwrap();
        says(&mut task, AckStatus::Confirmed, said).unwrap();
    }
    correct(&mut task, "session cookies").unwrap();
    let notice = escalation(&task, EscalationReason::Misunderstood);
    assert_eq!((notice.kind, notice.category), (Kind::Escalation, Category::Blocked));
    assert_eq!((notice.priority, notice.requires_ack), (Priority::Urgent, true));
    assert_holds(
        &notice,
        json!({
            "type": "escalation",
            "task_id": "GH-42",
            "reason": "misunderstood",
            "agent": "amber-otter",
            "delegated_by": "lead",
            "corrections": 2,
            "understanding": "wrong two",
            "correct_understanding": "session cookies",
            "action_required": "reassign_task",
        }),
    );
}

/// E46
#[test]
fn a_resent_assignment_names_both_ids() {
    let notice = resend(&task(), &"GH-41".parse().unwrap(), FIVE_MINUTES);
    assert!(notice.body.starts_with("You acknowledged GH-41, which is not a task of yours."));
    assert!(notice.body.contains("## Task: GH-42\n"));
    assert_holds(
        &notice,
        json!({"type": "task-assignment", "acknowledged_task_id": "GH-41", "task_id": "GH-42"}),
    );
}

#[test]
fn subjects_stay_on_one_line_and_within_their_bound() {
    let mut task = task();
    task.title = "two\nlines ".repeat(500);
    let notice = assignment(&task, FIVE_MINUTES);
    assert!(check_subject(&notice.subject).is_ok());
    assert!(!notice.subject.contains('\n'));
}

#[test]
fn a_critical_task_is_urgent() {
    let mut task = task();
    task.critical = true;
    assert_eq!(assignment(&task, FIVE_MINUTES).priority, Priority::Urgent);
}

#[test]
fn letters_go_from_those_who_speak_to_those_concerned() {
    let task = acked(AckStatus::Queued);
    let ends = |output: &TaskOutput| {
        let letter = letter(&task, output, Some(&Ack::new(AckStatus::Queued)), task.updated_at)?;
        Some((letter.from.to_string(), letter.to.to_string()))
    };
    let pair = |from: &str, to: &str| Some((from.to_owned(), to.to_owned()));
    let other = agent("blue-heron");
    for output in [TaskOutput::SendAcknowledgment, TaskOutput::SendCompletion] {
        assert_eq!(ends(&output), pair("amber-otter", "lead"));
    }
    for output in [TaskOutput::SendClarification, TaskOutput::SendWhichCriterion, TaskOutput::SendQueuedCheck]
    {
        assert_eq!(ends(&output), pair("lead", "amber-otter"));
    }
    assert_eq!(ends(&TaskOutput::SendStop { to: other.clone() }), pair("lead", "blue-heron"));
    assert_eq!(ends(&TaskOutput::SendSoleAssignee { to: other.clone() }), pair("lead", "blue-heron"));
    assert_eq!(ends(&TaskOutput::SendAssignment { to: other }), pair("lead", "blue-heron"));
    assert_eq!(ends(&TaskOutput::Begin), None);
}

/// E30: what was not taken is said back with the way to say it
#[test]
fn an_answer_that_was_not_taken_is_explained() {
    let problem = Invalid::new(Rule::Task, "`maybe` is not a status").hint("use RECEIVED");
    let notice = not_taken(&task(), &problem);
    assert!(notice.body.starts_with("Your answer was not taken: `maybe` is not a status.\nuse RECEIVED\n\n"));
    assert!(notice.body.contains("bb agent ack --task GH-42 --status received"));
    assert!(!notice.requires_ack);
}
