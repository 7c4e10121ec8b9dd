use crate::domain::handoff::samples::*;
use crate::domain::handoff::{
    Action, Check, CheckName, Criteria, Document, HandoffAck, HandoffInput, HandoffStatus, Next, SaidStatus,
    Step, Verification,
};

fn check(verification: &Verification, name: CheckName) -> &Check {
    verification.checks.iter().find(|it| it.check == name).unwrap()
}

fn failing(verification: &Verification) -> Vec<&str> {
    verification.checks.iter().filter(|it| !it.passed).map(|it| it.check.as_str()).collect()
}

fn of(ack: HandoffAck) -> Verification {
    look(&acked_with(ack), &accepting())
}

/// C1, C2, C3, C4, C5, C6, C11: six checks, and all of them hold.
#[test]
fn a_good_acknowledgment_passes_all_six_checks() {
    let verification = of(ready());
    let names: Vec<_> = verification.checks.iter().map(|it| it.check.as_str()).collect();
    assert_eq!(
        names,
        ["ack_received", "handoff_id", "status", "starting_from", "understanding", "questions"]
    );
    assert!(verification.valid && failing(&verification).is_empty());
    assert_eq!((verification.exit_code, verification.message.as_str()), (0, "ACK validated successfully"));
    assert_eq!((verification.ack_received_at, verification.template.clone()), (Some(at(5)), None));
}

/// C1, C8
#[test]
fn without_an_acknowledgment_the_code_is_1() {
    let verification = look(&sent(), &accepting());
    assert_eq!(verification.exit_code, 1);
    assert_eq!(verification.message, "ERROR: No ACK received for handoff handoff-uuid-123");
    assert_eq!(verification.checks.len(), 6);
    assert_eq!(failing(&verification).len(), 6);
    assert_eq!(verification.checks[0].action, Some(Action::WaitForAck));
    assert!(
        verification
            .template
            .unwrap()
            .starts_with("bb agent ack --agent implementer-2 --message msg_handoff")
    );
}

/// C2, C13
#[test]
fn an_acknowledgment_of_another_handoff_is_none_of_this_one() {
    let verification = of(HandoffAck { handoff_id: Some("handoff-other".to_owned()), ..ready() });
    assert_eq!(verification.exit_code, 1);
    assert_eq!(verification.message, "ERROR: No ACK received for handoff handoff-uuid-123");
    assert_eq!(failing(&verification), ["handoff_id"]);
    assert_eq!(check(&verification, CheckName::HandoffId).action, Some(Action::RequestCorrectAck));
    assert!(check(&verification, CheckName::HandoffId).detail.contains("handoff-other"));
    assert!(verification.template.is_some());
}

/// C6, C9, C17
#[test]
fn a_status_that_is_not_ready_is_code_2() {
    for (status, advice) in [
        (HandoffStatus::NeedsClarification, "answer its questions"),
        (HandoffStatus::EnvironmentIssue, "environment"),
        (HandoffStatus::Rejected, "find another agent"),
    ] {
        let verification = of(HandoffAck { status: Some(SaidStatus::Known(status)), ..ready() });
        assert_eq!(verification.exit_code, 2);
        assert_eq!(verification.message, format!("WARNING: Agent status is {status}, not ready_to_proceed"));
        let check = check(&verification, CheckName::Status);
        assert_eq!(check.action, Some(Action::ResolveBlockers));
        assert!(check.advice.as_ref().unwrap().contains(advice), "{:?}", check.advice);
    }
    let verification = of(HandoffAck { status: Some(SaidStatus::from("queued".to_owned())), ..ready() });
    assert_eq!(verification.message, "WARNING: Agent status is queued, not ready_to_proceed");
}

/// C4, C10, C15
#[test]
fn another_checkpoint_is_code_3() {
    let verification = of(HandoffAck { starting_from: Some("the beginning".to_owned()), ..ready() });
    assert_eq!(verification.exit_code, 3);
    assert_eq!(
        verification.message,
        format!("WARNING: Agent checkpoint 'the beginning' differs from expected '{CHECKPOINT}'")
    );
    assert_eq!(check(&verification, CheckName::StartingFrom).action, Some(Action::CorrectAndConfirm));
}

/// C7: the expected checkpoint is an argument that wins over the documented one.
#[test]
fn the_expected_checkpoint_can_be_given() {
    let handoff = acked_with(ready());
    let expecting = |starting_from| Criteria { starting_from: Some(starting_from), ..accepting() };
    assert_eq!(look(&handoff, &expecting("elsewhere")).exit_code, 3);
    assert_eq!(look(&handoff, &expecting("Checkpoint  3:\ttoken refresh ")).exit_code, 0);
    assert_eq!(look(&handoff, &expecting("checkpoint 3: token refresh")).exit_code, 3);
}

#[test]
fn where_no_checkpoint_is_documented_the_agents_own_is_taken() {
    let mut handoff = acked_with(ready());
    handoff.starting_from = None;
    let verification = look(&handoff, &accepting());
    assert!(verification.valid);
    assert!(check(&verification, CheckName::StartingFrom).detail.contains("no checkpoint to compare with"));
    assert_eq!(look(&acked_with(HandoffAck { starting_from: None, ..ready() }), &accepting()).exit_code, 3);
}

/// C9, C10, C12: the status is looked at before the checkpoint.
#[test]
fn of_two_faults_the_status_is_named_first() {
    let verification = of(HandoffAck {
        status: Some(SaidStatus::Known(HandoffStatus::Rejected)),
        starting_from: Some("the beginning".to_owned()),
        understanding: None,
        questions: Some(vec!["why?".to_owned()]),
        ..ready()
    });
    assert_eq!(verification.exit_code, 2);
    assert_eq!(failing(&verification), ["status", "starting_from", "understanding", "questions"]);
}

/// C3, C14: nobody but the orchestrator can say whether the understanding fits.
#[test]
fn an_understanding_counts_once_the_orchestrator_has_accepted_it() {
    let mut handoff = acked_with(ready());
    let unjudged = look(&handoff, &Criteria::default());
    assert_eq!((unjudged.exit_code, failing(&unjudged)), (4, vec!["understanding"]));
    assert_eq!(unjudged.message, format!("WARNING: Agent understanding is not accepted: '{UNDERSTANDING}'"));
    let found = check(&unjudged, CheckName::Understanding);
    assert_eq!(found.action, Some(Action::ClarifyRequirements));
    assert!(found.advice.as_ref().unwrap().contains("--accept-understanding"));

    let accepted = look(&handoff, &accepting());
    assert!(accepted.valid && accepted.understanding_accepted);
    then(&mut handoff, HandoffInput::Verified(accepted), 6);
    assert!(look(&handoff, &Criteria::default()).valid, "the judgment is on record");
    says(&mut handoff, HandoffAck { understanding: Some("something else".to_owned()), ..ready() }, 7);
    assert_eq!(look(&handoff, &Criteria::default()).exit_code, 4, "a new understanding is judged anew");
}

/// C3
#[test]
fn a_missing_understanding_is_code_4_and_cannot_be_accepted() {
    for criteria in [Criteria::default(), accepting()] {
        let handoff = acked_with(HandoffAck { understanding: None, ..ready() });
        let verification = look(&handoff, &criteria);
        assert_eq!(verification.exit_code, 4);
        assert_eq!(verification.message, "WARNING: Agent understanding is missing");
        assert_eq!(verification.missing, ["understanding"]);
        assert!(!verification.understanding_accepted);
    }
}

/// C5, C16
#[test]
fn open_questions_are_code_5_until_they_are_answered() {
    let mut handoff = acked_with(asks("Which library?"));
    let verification = look(&handoff, &accepting());
    assert_eq!(verification.exit_code, 5);
    assert_eq!(verification.message, "WARNING: Agent has 1 open question: Which library?");
    assert_eq!(check(&verification, CheckName::Questions).action, Some(Action::AnswerQuestions));
    let answers = vec!["PyJWT".to_owned()];
    then(&mut handoff, HandoffInput::Clarified { answers, updated_handoff_url: None }, 6);
    let verification = look(&handoff, &accepting());
    assert_eq!(check(&verification, CheckName::Questions).detail, "all 1 answered");
    assert_eq!(verification.exit_code, 1, "the answer is to be confirmed");
}

/// H27: what was acknowledged before an answer, a correction or a new document does not stand any more.
#[test]
fn an_acknowledgment_from_before_the_last_word_is_none() {
    let clarified = {
        let mut handoff = acked_with(asks("Which library?"));
        let answers = vec!["PyJWT".to_owned()];
        then(&mut handoff, HandoffInput::Clarified { answers, updated_handoff_url: None }, 6);
        handoff
    };
    let corrected = {
        let mut handoff = acked_with(ready());
        then(&mut handoff, HandoffInput::Corrected, 6);
        handoff
    };
    let renewed = {
        let mut handoff = verified();
        then(&mut handoff, HandoffInput::Copied(Document { path: "/newer.md".into(), ..document() }), 6);
        let attempt = handoff.next_publishing().unwrap();
        then(&mut handoff, HandoffInput::Tried { attempt, url: Some(URL.to_owned()), error: None }, 6);
        assert_eq!(handoff.next(), Next::Send);
        then(&mut handoff, HandoffInput::Sent { message_id: message("msg_new"), operation_id: None }, 6);
        handoff
    };
    for (mut handoff, what) in
        [(clarified, "clarification"), (corrected, "correction"), (renewed, "changed document")]
    {
        assert_eq!((handoff.next(), handoff.replacement_status()), (Next::Wait, "awaiting_confirmation"));
        let stale = look(&handoff, &accepting());
        assert_eq!(
            stale.message,
            format!(
                "ERROR: No confirming ACK since the {what} of 2026-01-31T14:36:00.000Z for handoff \
                 handoff-uuid-123"
            )
        );
        assert_eq!((stale.exit_code, stale.understanding_accepted), (1, false));
        let line = handoff.advice(Some(&stale)).unwrap();
        assert_eq!(line.agent, agent("implementer-2"), "{}", line.command);
        let reason = Criteria { accept_partial: Some("said so in a call"), ..accepting() };
        let accepted = look(&handoff, &reason);
        assert_eq!((accepted.valid, accepted.accepted_partial.as_deref()), (true, reason.accept_partial));
        says(&mut handoff, ready(), 6);
        assert!(look(&handoff, &accepting()).valid, "{what}");
    }
}

/// A bare word after the answers is an acknowledgment of its own, and short of what is required.
#[test]
fn a_plain_answer_is_told_from_none() {
    let plain = HandoffAck { status: ready().status, ..HandoffAck::default() };
    let verification = look(&acked_with(plain), &accepting());
    assert_eq!(
        verification.message,
        "ERROR: The answer of 2026-01-31T14:35:00.000Z lacks the handoff_id, understanding, starting_from, \
         questions of handoff handoff-uuid-123; ask for its full form: bb agent verify-ack --handoff \
         handoff-uuid-123 --correct"
    );
}

/// H38, ⚠17: missing fields pass only with a reason, which is kept; wrong ones never do.
#[test]
fn an_incomplete_acknowledgment_passes_only_for_a_reason() {
    let bare = HandoffAck { status: ready().status, ..HandoffAck::default() };
    let handoff = acked_with(bare);
    let refused = look(&handoff, &accepting());
    assert_eq!((refused.exit_code, refused.accepted_partial.clone()), (1, None));
    assert_eq!(refused.missing, ["handoff_id", "understanding", "starting_from", "questions"]);
    assert!(refused.template.unwrap().contains("--status ready_to_proceed --understanding"));
    for (reason, exit_code) in [("", 1), ("  ", 1), ("confirmed in a call", 0)] {
        let criteria = Criteria { accept_partial: Some(reason), ..Criteria::default() };
        assert_eq!(look(&handoff, &criteria).exit_code, exit_code, "{reason:?}");
    }
    let partial = Criteria { accept_partial: Some("confirmed in a call"), ..Criteria::default() };
    let accepted = look(&handoff, &partial);
    assert_eq!(accepted.accepted_partial.as_deref(), Some("confirmed in a call"));
    assert!(check(&accepted, CheckName::Understanding).detail.contains("confirmed in a call"));
    for wrong in [
        HandoffAck { starting_from: Some("the beginning".to_owned()), ..ready() },
        HandoffAck { handoff_id: Some("handoff-other".to_owned()), ..ready() },
        HandoffAck { status: Some(SaidStatus::Known(HandoffStatus::Rejected)), ..ready() },
        ready(),
        asks("why?"),
    ] {
        let verification = look(&acked_with(wrong.clone()), &partial);
        assert!(!verification.valid && verification.accepted_partial.is_none(), "{wrong:?}");
    }
}

#[test]
fn each_missing_field_has_the_code_of_its_check() {
    let code = |change: &dyn Fn(&mut HandoffAck)| {
        let mut ack = ready();
        change(&mut ack);
        of(ack).exit_code
    };
    assert_eq!(code(&|ack| ack.handoff_id = None), 1);
    assert_eq!(code(&|ack| ack.status = None), 2);
    assert_eq!(code(&|ack| ack.starting_from = None), 3);
    assert_eq!(code(&|ack| ack.understanding = None), 4);
    assert_eq!(code(&|ack| ack.questions = None), 5);
}

#[test]
fn a_valid_verification_clears_the_transfer_until_something_else_is_said() {
    let mut handoff = verified();
    assert_eq!((handoff.step(), handoff.next()), (Step::Verified, Next::Transfer));
    says(&mut handoff, HandoffAck::new("handoff-uuid-123", HandoffStatus::Rejected), 6);
    assert!(!handoff.is_cleared());
    assert_eq!((handoff.step(), handoff.next()), (Step::Verified, Next::Verify));
}

#[test]
fn a_verification_of_an_older_acknowledgment_is_refused() {
    let mut handoff = acked_with(ready());
    let stale = look(&handoff, &accepting());
    says(&mut handoff, asks("wait, why?"), 6);
    assert!(
        handoff
            .apply(HandoffInput::Verified(stale), at(7))
            .unwrap_err()
            .what
            .contains("another acknowledgment")
    );
    assert_eq!(handoff.verification, None);
}

#[test]
fn an_invalid_verification_is_kept_and_moves_nothing() {
    let mut handoff = acked_with(asks("why?"));
    let invalid = look(&handoff, &Criteria::default());
    then(&mut handoff, HandoffInput::Verified(invalid.clone()), 6);
    assert_eq!((handoff.step(), handoff.verification.as_ref()), (Step::Acknowledged, Some(&invalid)));
    assert!(!handoff.is_cleared());
}
