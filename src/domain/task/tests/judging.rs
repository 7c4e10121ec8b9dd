use crate::domain::task::samples::*;
use crate::domain::task::{
    Ack, AckStatus, EscalationReason, MAX_CORRECTIONS, Revision, TaskInput, TaskOutput, TaskStatus,
};

fn supplement(item: &str) -> TaskInput {
    TaskInput::Supplement { items: vec![item.to_owned()] }
}

/// E40, E47, E48
#[test]
fn a_correction_blocks_the_work_until_it_is_acknowledged_in_new_words() {
    let mut task = acked(AckStatus::Received);
    let outputs = correct(&mut task, "session cookies").unwrap();
    assert_eq!(outputs, [TaskOutput::SendCorrection { number: 1 }]);
    let expected =
        Revision::Correction { understood: "JWT login".to_owned(), correct: "session cookies".to_owned() };
    assert_eq!(task.revision, Some(expected));
    let (may_begin, reason) = task.may_begin();
    assert_eq!(
        (may_begin, reason.as_str()),
        (false, "correction 1 of 2 waits for a new acknowledgment from `amber-otter`")
    );
    assert!(checkpoint(&mut task, 1, "x").unwrap_err().hint.unwrap().contains("--status confirmed"));

    for said in [Ack::new(AckStatus::Received), ack(AckStatus::Confirmed, "jwt  LOGIN", &[])] {
        let refused = then(&mut task, TaskInput::Ack(said)).unwrap_err();
        assert!(refused.hint.unwrap().contains("--understanding"));
    }
    let outputs = says(&mut task, AckStatus::Confirmed, "login by session cookie").unwrap();
    assert_eq!(outputs, [TaskOutput::SendAcknowledgment, TaskOutput::Begin]);
    assert_eq!((task.revision.as_ref(), task.corrections), (None, 1));
    assert!(checkpoint(&mut task, 1, "x").is_ok());
}

/// E40: also once the work has begun
#[test]
fn a_correction_stops_work_that_has_begun() {
    let mut task = acked(AckStatus::Received);
    checkpoint(&mut task, 1, "x").unwrap();
    correct(&mut task, "session cookies").unwrap();
    assert!(checkpoint(&mut task, 2, "y").is_err());
    assert_eq!(checkpoint(&mut task, 1, "x").unwrap(), []);
}

/// E49
#[test]
fn the_third_wrong_understanding_escalates() {
    let mut task = acked(AckStatus::Received);
    for number in 1..=MAX_CORRECTIONS {
        let outputs = correct(&mut task, "session cookies").unwrap();
        assert_eq!(outputs, [TaskOutput::SendCorrection { number }]);
        says(&mut task, AckStatus::Confirmed, &format!("wrong again, {number}")).unwrap();
    }
    assert!(task.may_begin().0);
    let outputs = correct(&mut task, "session cookies").unwrap();
    assert_eq!(outputs, [TaskOutput::Escalate { reason: EscalationReason::Misunderstood }]);
    assert_eq!(
        task.may_begin(),
        (false, "still misunderstood after 2 corrections, and escalated".to_owned())
    );
    assert_eq!(correct(&mut task, "session cookies").unwrap(), []);
    assert!(says(&mut task, AckStatus::Confirmed, "fourth try").unwrap_err().what.contains("escalated"));

    then(&mut task, TaskInput::Reassign { to: agent("blue-heron") }).unwrap();
    assert_eq!((task.corrections, task.escalated), (0, false));
}

/// E49: wrong understandings count, not messages
#[test]
fn saying_a_correction_again_or_better_does_not_count_twice() {
    let mut task = acked(AckStatus::Received);
    correct(&mut task, "session cookies").unwrap();
    assert_eq!(correct(&mut task, "session cookies").unwrap(), []);
    let outputs = correct(&mut task, "session cookies, signed").unwrap();
    assert_eq!(outputs, [TaskOutput::SendCorrection { number: 1 }]);
    assert_eq!(task.corrections, 1);
}

/// E45: nothing follows from a right understanding but the work
#[test]
fn a_right_understanding_needs_no_judgment() {
    let mut task = acked(AckStatus::Received);
    assert!(task.may_begin().0);
    let refused = correct(&mut task, " jwt login ").unwrap_err();
    assert!(refused.what.contains("differs"));
    assert!(correct(&mut task, "  ").is_err());
}

#[test]
fn only_what_was_understood_can_be_corrected() {
    assert!(correct(&mut task(), "x").is_err());
    let mut silent = task();
    then(&mut silent, TaskInput::Ack(Ack::new(AckStatus::Received))).unwrap();
    assert!(correct(&mut silent, "x").unwrap_err().what.contains("no understanding"));
    for mut failed in one_of_each().into_iter().filter(|task| task.status.is_failed()) {
        assert!(correct(&mut failed, "x").is_err());
    }
}

/// E50
#[test]
fn a_supplement_asks_for_an_updated_acknowledgment() {
    let mut task = acked(AckStatus::Received);
    assert_eq!(then(&mut task, supplement("logout")).unwrap(), [TaskOutput::SendSupplement]);
    assert_eq!(then(&mut task, supplement("logout")).unwrap(), []);
    assert!(!task.may_begin().0 && task.owes_an_answer());
    assert!(says(&mut task, AckStatus::Received, "JWT login").is_err());
    says(&mut task, AckStatus::Confirmed, "JWT login and logout").unwrap();
    assert!(task.may_begin().0);
    assert_eq!(task.corrections, 0);
}

/// E5, E38: what changes while the work goes on is acknowledged anew
#[test]
fn a_change_during_the_work_is_acknowledged_before_it_goes_on() {
    let mut task = acked(AckStatus::Received);
    checkpoint(&mut task, 1, "x").unwrap();
    then(&mut task, supplement("the configuration moved to config.toml")).unwrap();
    assert_eq!(task.may_begin().1, "added items wait for an updated acknowledgment from `amber-otter`");
    assert!(then(&mut task, TaskInput::Complete { summary: None }).is_err());
    says(&mut task, AckStatus::Received, "JWT login, configured by config.toml").unwrap();
    assert!(then(&mut task, TaskInput::Complete { summary: None }).is_ok());
}

#[test]
fn a_supplement_waits_for_an_outstanding_correction() {
    let mut task = acked(AckStatus::Received);
    assert!(then(&mut task, supplement(" ")).is_err());
    correct(&mut task, "session cookies").unwrap();
    assert!(then(&mut task, supplement("logout")).is_err());
    assert!(matches!(task.revision, Some(Revision::Correction { .. })));
}

/// E14, E16, E29
#[test]
fn an_agent_that_never_answers_is_marked_and_the_incident_logged() {
    let mut task = task();
    let outputs = then(&mut task, TaskInput::Unresponsive).unwrap();
    assert_eq!(
        outputs,
        [
            TaskOutput::MarkUnresponsive { agent: agent("amber-otter") },
            TaskOutput::LogIncident { what: "`amber-otter` did not acknowledge task `GH-42`".to_owned() },
        ]
    );
    assert_eq!(task.status, TaskStatus::Unresponsive);
    assert_eq!(then(&mut task, TaskInput::Unresponsive).unwrap(), []);
}

/// E14: an acknowledgment stored in time wins
#[test]
fn an_agent_that_answered_is_not_marked() {
    for status in [AckStatus::Received, AckStatus::Confirmed, AckStatus::Queued, AckStatus::Rejected] {
        assert!(then(&mut acked(status), TaskInput::Unresponsive).is_err(), "{status}");
    }
    let mut asking = task();
    then(&mut asking, TaskInput::Ack(ack(AckStatus::Received, "JWT", &["why?"]))).unwrap();
    assert!(then(&mut asking, TaskInput::Unresponsive).is_err());
    then(&mut asking, TaskInput::Clarify { answers: vec!["so".to_owned()] }).unwrap();
    assert!(then(&mut asking, TaskInput::Unresponsive).is_ok());
}

/// E44: what comes late is still taken
#[test]
fn a_late_acknowledgment_is_taken_while_the_task_is_still_the_agents() {
    let mut task = task();
    then(&mut task, TaskInput::Unresponsive).unwrap();
    let outputs = says(&mut task, AckStatus::Received, "JWT").unwrap();
    assert_eq!(outputs, [TaskOutput::SendAcknowledgment, TaskOutput::Begin]);
}

/// E41: the word is with the agent again, and its next questions are new ones
#[test]
fn vague_questions_are_asked_back() {
    let mut task = task();
    assert!(then(&mut task, TaskInput::AskWhich).is_err());
    then(&mut task, TaskInput::Ack(ack(AckStatus::NeedsClarification, "JWT", &["What is meant?"]))).unwrap();
    assert!(!task.owes_an_answer());
    assert_eq!(then(&mut task, TaskInput::AskWhich).unwrap(), [TaskOutput::SendWhichCriterion]);
    assert!(task.owes_an_answer() && !task.may_begin().0);
    assert_eq!(task.may_begin().1, "`amber-otter` was asked which part its questions are about");
    assert_eq!(then(&mut task, TaskInput::AskWhich).unwrap(), []);
    then(&mut task, TaskInput::Ack(ack(AckStatus::NeedsClarification, "JWT", &["24h or 7 days?"]))).unwrap();
    assert!(!task.owes_an_answer());
    then(&mut task, TaskInput::Clarify { answers: vec!["24h".to_owned()] }).unwrap();
    assert!(task.owes_an_answer());
}
