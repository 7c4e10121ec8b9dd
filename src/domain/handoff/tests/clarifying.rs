use crate::domain::handoff::samples::*;
use crate::domain::handoff::{
    Attempt, Document, Handoff, HandoffAck, HandoffInput, HandoffStatus, Next, Step,
};

fn answer(text: &str) -> HandoffInput {
    HandoffInput::Clarified { answers: vec![text.to_owned()], updated_handoff_url: None }
}

fn questioned() -> Handoff {
    acked_with(HandoffAck {
        questions: Some(vec!["Which JWT library should I use?".to_owned()]),
        ..HandoffAck::new("handoff-uuid-123", HandoffStatus::NeedsClarification)
    })
}

/// H27: answer, update the document, send it again with the new address, wait for the confirmation.
#[test]
fn questions_are_answered_the_document_is_sent_again_and_confirmed() {
    let mut handoff = questioned();
    assert_eq!(handoff.next(), Next::Wait);
    then(&mut handoff, answer("Use PyJWT version 2.8.0"), 6);
    let newer = Document { path: "/store/handoffs/newer.md".to_owned(), ..document() };
    then(&mut handoff, HandoffInput::Copied(newer), 6);
    assert_eq!((handoff.step(), handoff.location()), (Step::Sent, Some("/store/handoffs/newer.md")));
    assert_eq!(handoff.next(), Next::Github(Attempt::IssueComment));
    let url = Some("https://github.com/owner/repo/issues/42#issuecomment-7".to_owned());
    then(
        &mut handoff,
        HandoffInput::Tried { attempt: Attempt::IssueComment, url: url.clone(), error: None },
        7,
    );
    assert_eq!(handoff.next(), Next::Send);
    then(&mut handoff, HandoffInput::Sent { message_id: message("msg_again"), operation_id: None }, 7);
    assert_eq!(handoff.next(), Next::Wait);
    assert_eq!(handoff.message_id(), Some(&message("msg_again")));
    assert_eq!(handoff.delivery().map(|it| it.url.clone()), url);
    assert_eq!(handoff.sent_at(), Some(at(0)));

    let unconfirmed = look(&handoff, &accepting());
    assert_eq!(unconfirmed.exit_code, 1);
    assert!(unconfirmed.checks[2].advice.as_ref().unwrap().contains("confirming acknowledgment"));
    says(&mut handoff, ready(), 8);
    assert!(look(&handoff, &accepting()).valid);
}

#[test]
fn every_question_gets_an_answer_by_position() {
    let mut handoff = acked_with(HandoffAck { questions: Some(vec!["a?".into(), "b?".into()]), ..ready() });
    let refused = handoff.apply(answer("only one"), at(6)).unwrap_err();
    assert!(refused.what.ends_with("has 2 questions, and 1 answer was given"));
    assert_eq!(refused.hint.unwrap(), "give one --answer for each, in order: 1. a? 2. b?");
    let blank = HandoffInput::Clarified { answers: vec!["x".into(), " ".into()], updated_handoff_url: None };
    let refused = handoff.apply(blank, at(6)).unwrap_err();
    assert!(refused.what.ends_with("has an answer that says nothing: number 2"));
    let both = HandoffInput::Clarified { answers: vec!["x".into(), "y".into()], updated_handoff_url: None };
    assert!(handoff.apply(both.clone(), at(6)).unwrap());
    assert!(!handoff.apply(both, at(9)).unwrap());
    let pairs: Vec<_> = handoff.clarifications[0]
        .answers
        .iter()
        .map(|it| (it.question.as_str(), it.answer.as_str()))
        .collect();
    assert_eq!(pairs, [("a?", "x"), ("b?", "y")]);
}

#[test]
fn a_question_that_is_asked_again_is_open_again() {
    let mut handoff = acked_with(asks("a?"));
    then(&mut handoff, answer("x"), 6);
    assert!(handoff.open_questions(handoff.newest_ack().unwrap()).is_empty());
    says(&mut handoff, asks("a?"), 6);
    assert_eq!(handoff.open_questions(handoff.newest_ack().unwrap()), ["a?"]);
}

#[test]
fn where_nothing_is_asked_nothing_is_answered() {
    for mut handoff in [sent(), acked_with(ready()), unanswered()] {
        assert!(handoff.apply(answer("x"), at(6)).is_err());
    }
}
