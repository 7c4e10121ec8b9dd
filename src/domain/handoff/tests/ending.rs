use crate::domain::handoff::samples::*;
use crate::domain::handoff::{
    FailedTask, FailureCode, Handoff, HandoffAck, HandoffFailure, HandoffInput, HandoffStatus, Moved, Next,
    Outcome, Progress, Step, TaskRef, Transfer, supersede,
};
use crate::domain::reply::Verdict;

fn moved(failed: &[&str]) -> Transfer {
    Transfer {
        moved: vec![Moved {
            task_uuid: "task-uuid-12345".to_owned(),
            agent_type: "ai".to_owned(),
            module: "auth-core".to_owned(),
            github_issue: Some("#42".to_owned()),
            progress: Progress { percentage: Some(60), last_update: at(-30) },
        }],
        failed: failed
            .iter()
            .map(|uuid| FailedTask { uuid: (*uuid).to_owned(), reason: "is complete".to_owned() })
            .collect(),
        at: at(5),
    }
}

fn confirmed(handoff: &mut Handoff) {
    then(handoff, HandoffInput::Confirmed { message_id: message("msg_confirmed") }, 6);
}

#[test]
fn a_replacement_goes_through_its_steps_in_order() {
    let mut handoff = verified();
    then(&mut handoff, HandoffInput::Transferred(moved(&[])), 5);
    assert_eq!(handoff.outcome(), Some(Outcome::Success));
    assert!(matches!(handoff.next(), Next::Github(_)));
    let attempt = handoff.next_labelling().unwrap();
    then(&mut handoff, HandoffInput::Tried { attempt, url: None, error: None }, 5);
    assert_eq!(handoff.labels_changed(), ["assigned:implementer-1 -> assigned:implementer-2"]);
    assert_eq!(handoff.next(), Next::Confirm);
    confirmed(&mut handoff);
    assert_eq!(handoff.next(), Next::Audit);
    then(&mut handoff, HandoffInput::Audited, 6);
    assert_eq!(handoff.next(), Next::Nothing);
    let steps: Vec<_> = handoff.steps.iter().map(|it| it.step.as_str()).collect();
    assert_eq!(
        steps.join(" "),
        "prepared copied published sent acknowledged verified transferred confirmed audited"
    );
    assert_eq!(handoff.taken_at(Step::Sent), Some(at(0)));
}

/// ⚠13
#[test]
fn the_time_is_from_the_notice_to_the_ack_and_the_duration_from_the_request_to_the_confirmation() {
    let mut handoff = verified();
    then(&mut handoff, HandoffInput::Transferred(moved(&[])), 5);
    assert_eq!(handoff.total_duration(), None);
    confirmed(&mut handoff);
    assert_eq!(handoff.total_time().unwrap().as_secs(), 5 * 60);
    assert_eq!(handoff.total_duration().unwrap().as_secs(), 11 * 60);
    handoff.requested = None;
    assert_eq!(handoff.total_duration().unwrap().as_secs(), 9 * 60);
}

#[test]
fn some_tasks_make_a_partial_replacement_and_none_makes_no_replacement() {
    let mut handoff = verified();
    let nothing = Transfer { moved: Vec::new(), ..moved(&["task-uuid-12345"]) };
    assert!(handoff.apply(HandoffInput::Transferred(nothing), at(5)).is_err());
    then(&mut handoff, HandoffInput::Transferred(moved(&["task-uuid-67890"])), 5);
    assert_eq!((handoff.step(), handoff.outcome()), (Step::Partial, Some(Outcome::Partial)));
}

#[test]
fn no_task_moves_without_a_valid_acknowledgment() {
    for mut handoff in [sent(), escalated(), acked_with(ready()), unanswered()] {
        let before = handoff.clone();
        assert!(handoff.apply(HandoffInput::Transferred(moved(&[])), at(9)).is_err(), "{}", before.step());
        assert_eq!(handoff, before);
    }
}

/// H33
#[test]
fn an_override_goes_on_without_an_acknowledgment_and_is_documented() {
    let early = HandoffInput::Delayed { reason: "online".to_owned(), in_vain: false };
    let refused = sent().apply(early, at(4)).unwrap_err();
    assert!(refused.what.contains("is to be acknowledged by 2026-01-31T14:35:00.000Z"), "{}", refused.what);
    for mut handoff in [sent(), escalated()] {
        let blank = HandoffInput::Delayed { reason: " ".to_owned(), in_vain: false };
        assert!(handoff.apply(blank, at(11)).is_err());
        let delayed =
            HandoffInput::Delayed { reason: "online, but busy with a long build".to_owned(), in_vain: false };
        assert!(handoff.apply(delayed.clone(), at(11)).unwrap());
        assert!(!handoff.apply(delayed, at(12)).unwrap());
        assert_eq!(handoff.replacement_status(), "acknowledged_with_delay");
        assert_eq!(handoff.delay.as_ref().unwrap().reason, "online, but busy with a long build");
        assert_eq!((handoff.step(), handoff.next()), (Step::Acknowledged, Next::Transfer));
        then(&mut handoff, HandoffInput::Transferred(moved(&[])), 12);
        assert_eq!(handoff.step(), Step::Transferred);
    }
}

/// H33
#[test]
fn an_acknowledgment_after_the_override_is_verified_after_all() {
    let mut handoff = escalated();
    then(&mut handoff, HandoffInput::Delayed { reason: "online".to_owned(), in_vain: false }, 11);
    says(&mut handoff, asks("which library?"), 11);
    assert!(!handoff.is_cleared());
    assert_eq!(handoff.next(), Next::Verify);
}

/// H33
#[test]
fn an_override_is_for_silence_and_not_for_a_refusal() {
    let mut handoff = acked_with(HandoffAck::new("handoff-uuid-123", HandoffStatus::Rejected));
    let delayed = HandoffInput::Delayed { reason: "online".to_owned(), in_vain: false };
    assert!(
        handoff.apply(delayed.clone(), at(11)).unwrap_err().what.ends_with("was rejected by `implementer-2`")
    );
    let mut handoff = acked_with(HandoffAck::plain(Verdict::Queued).unwrap());
    assert!(handoff.apply(delayed.clone(), at(11)).unwrap_err().what.ends_with("was answered"));
    let mut handoff = acked_with(HandoffAck { handoff_id: Some("handoff-other".to_owned()), ..ready() });
    assert!(handoff.apply(delayed, at(11)).unwrap());
}

/// Whoever answers after the escalation has answered: it is looked at, or waited for, and not given up.
#[test]
fn an_answer_after_the_escalation_is_no_silence() {
    let statuses =
        [Verdict::NeedsClarification, Verdict::EnvironmentIssue, Verdict::Rejected, Verdict::Queued];
    for verdict in statuses {
        let mut handoff = escalated();
        says(&mut handoff, HandoffAck::plain(verdict).unwrap(), 12);
        assert_eq!((handoff.step(), handoff.next()), (Step::Escalated, Next::Wait), "{verdict}");
    }
    let mut other = escalated();
    says(&mut other, HandoffAck { handoff_id: Some("handoff-other".to_owned()), ..ready() }, 12);
    assert_eq!(other.next(), Next::Fail);
}

/// What was answered and did not do is another failure than silence.
#[test]
fn the_failure_after_an_answer_says_what_it_was() {
    let code = |ack| acked_with(ack).silence(2, at(8)).code;
    assert_eq!(sent().silence(2, at(8)).code, FailureCode::NoAckReceived);
    assert_eq!(code(HandoffAck::plain(Verdict::EnvironmentIssue).unwrap()), FailureCode::EnvironmentIssue);
    assert_eq!(code(HandoffAck::plain(Verdict::Queued).unwrap()), FailureCode::NotVerified);
}

/// ⚠12: the notice and two reminders are three attempts.
#[test]
fn silence_fails_after_three_attempts() {
    let handoff = unanswered();
    let failure = handoff.failure.as_ref().unwrap();
    assert_eq!(failure.message, "Replacement agent did not acknowledge handoff after 3 attempts");
    assert_eq!((failure.reminders_sent, failure.last_attempt), (2, Some(at(8))));
    assert_eq!((handoff.outcome(), handoff.next()), (Some(Outcome::Failed), Next::Confirm));
    assert_eq!(escalated().next(), Next::Fail);
    assert!(HandoffFailure::no_ack(0, at(0)).message.ends_with("after 1 attempt"));
}

#[test]
fn a_failure_ends_every_open_handoff_and_no_other() {
    let failure = || HandoffInput::Failed(HandoffFailure::new(FailureCode::Rejected, "too busy"));
    for mut handoff in [prepared(), copied(), sent(), acked_with(ready()), verified(), escalated()] {
        then(&mut handoff, failure(), 9);
        assert_eq!(handoff.step(), Step::Failed);
    }
    let mut handoff = verified();
    then(&mut handoff, HandoffInput::Transferred(moved(&[])), 5);
    assert!(handoff.apply(failure(), at(9)).is_err());
}

fn handoff_of(id: &str, tasks: &[&str]) -> Handoff {
    let mut new = new_handoff();
    new.handoff_id = id.parse().unwrap();
    new.tasks = tasks.iter().map(|uuid| TaskRef::of(&task("GH-1", uuid))).collect();
    Handoff::prepare(new, at(0)).unwrap()
}

#[test]
fn a_newer_handoff_closes_the_earlier_ones_of_its_tasks() {
    let mut earlier = [
        handoff_of("first", &["uuid-1", "uuid-2"]),
        handoff_of("other", &["uuid-3"]),
        handoff_of("newer", &["uuid-1"]),
        unanswered(),
    ];
    let newer = earlier[2].clone();
    let closed = supersede(&mut earlier, &newer, at(1)).unwrap();
    assert_eq!(closed.len(), 1);
    assert_eq!(closed[0].handoff_id.as_str(), "first");
    let left: Vec<_> = closed[0].left_over.iter().map(|task| task.task_uuid.as_str()).collect();
    assert_eq!(left, ["uuid-2"]);
    let steps: Vec<_> = earlier.iter().map(Handoff::step).collect();
    assert_eq!(steps, [Step::Superseded, Step::Prepared, Step::Prepared, Step::Failed]);
    assert_eq!(earlier[0].superseded_by, Some(newer.handoff_id.clone()));
    assert!(supersede(&mut earlier, &newer, at(2)).unwrap().is_empty());
    let refused = earlier[0].apply(HandoffInput::Copied(document()), at(3)).unwrap_err();
    assert_eq!(refused.hint.unwrap(), "its tasks went into handoff `newer`");
}
