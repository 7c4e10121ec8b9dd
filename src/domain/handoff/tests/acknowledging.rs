use serde_json::json;

use crate::domain::Rule;
use crate::domain::handoff::samples::*;
use crate::domain::handoff::{HandoffAck, HandoffInput, HandoffStatus, Next, SaidStatus, Step};
use crate::domain::reply::Verdict;

const LINE: &str = "bb agent ack --agent implementer-2 --message msg_handoff --status ready_to_proceed \
                    --understanding \"what you will do\" --starting-from \"the checkpoint you go on from\"";

/// H18, ⚠8, ⚠20: the content of an acknowledgment in every spelling.
#[test]
fn an_acknowledgment_is_read_from_content() {
    for (kind, status) in [
        ("handoff_ack", "ready_to_proceed"),
        ("handoff-ack", "READY-TO-PROCEED"),
        ("HANDOFF_ACK", "Ready to proceed"),
    ] {
        let content = json!({
            "type": kind,
            "message": "Handoff received and reviewed",
            "handoff_id": " handoff-uuid-123 ",
            "understanding": UNDERSTANDING,
            "starting-from": CHECKPOINT,
            "questions": [],
            "Status": status,
        });
        assert_eq!(HandoffAck::from_content(&content).unwrap(), ready(), "{kind} {status}");
    }
}

#[test]
fn content_that_acknowledges_no_handoff_is_left_alone() {
    for content in [
        json!(null),
        json!("handoff_ack"),
        json!({"handoff_id": "x"}),
        json!({"type": 1}),
        json!({"type": "task-acknowledgment", "status": "received"}),
        json!({"type": "novel"}),
    ] {
        assert_eq!(HandoffAck::from_content(&content), None, "{content}");
    }
}

/// H38: what is not there, has the wrong shape or was left as in the template counts as missing.
#[test]
fn a_malformed_acknowledgment_is_read_as_far_as_it_goes() {
    let content = json!({
        "type": "handoff_ack",
        "handoff_id": 7,
        "understanding": " what you will do ",
        "starting_from": "  ",
        "questions": [1],
        "status": "",
    });
    let ack = HandoffAck::from_content(&content).unwrap();
    assert_eq!(ack, HandoffAck::default());
    assert_eq!(ack.missing(), ["handoff_id", "status", "understanding", "starting_from", "questions"]);
}

#[test]
fn questions_may_be_a_list_one_text_or_none() {
    let of = |questions| {
        let content = json!({"type": "handoff_ack", "questions": questions});
        HandoffAck::from_content(&content).unwrap().questions
    };
    assert_eq!(of(json!(["a", " ", "b "])), Some(vec!["a".to_owned(), "b".to_owned()]));
    assert_eq!(of(json!("which library?")), Some(vec!["which library?".to_owned()]));
    assert_eq!(of(json!("None")), Some(Vec::new()));
    assert_eq!(of(json!(["n/a", "which library?"])), Some(vec!["which library?".to_owned()]));
    assert_eq!(of(json!(null)), Some(Vec::new()));
    assert_eq!(of(json!({})), None);
}

/// H23, H24, H25, H26: the required fields.
#[test]
fn each_required_field_is_missed() {
    let without = |change: &dyn Fn(&mut HandoffAck)| {
        let mut ack = ready();
        change(&mut ack);
        ack.missing()
    };
    assert!(ready().missing().is_empty());
    assert_eq!(without(&|ack| ack.handoff_id = None), ["handoff_id"]);
    assert_eq!(without(&|ack| ack.understanding = None), ["understanding"]);
    assert_eq!(without(&|ack| ack.starting_from = None), ["starting_from"]);
    assert_eq!(without(&|ack| ack.questions = None), ["questions"]);
    assert_eq!(without(&|ack| ack.status = None), ["status"]);
}

/// H38, ⚠17: refused by default, with the template of the right line.
#[test]
fn an_incomplete_acknowledgment_is_refused_with_the_line_that_is_right() {
    let check = |ack: &HandoffAck| ack.check_complete(&agent("implementer-2"), &message("msg_handoff"));
    assert!(check(&ready()).is_ok());
    let ack = HandoffAck { understanding: None, starting_from: None, ..ready() };
    let refused = check(&ack).unwrap_err();
    assert_eq!(refused.rule, Rule::Handoff);
    assert_eq!(refused.what, "the acknowledgment lacks `understanding`, `starting_from`");
    assert_eq!(refused.hint.unwrap(), LINE);
}

#[test]
fn whoever_cannot_proceed_says_why() {
    let lacks = |status| HandoffAck::new("handoff-uuid-123", status).missing();
    assert_eq!(lacks(HandoffStatus::NeedsClarification), ["questions"]);
    assert_eq!(lacks(HandoffStatus::EnvironmentIssue), ["reason"]);
    assert_eq!(lacks(HandoffStatus::Rejected), ["reason"]);
    let rejected = HandoffAck::new("handoff-uuid-123", HandoffStatus::Rejected);
    let refused = rejected.check_complete(&agent("implementer-2"), &message("msg_handoff")).unwrap_err();
    assert!(refused.hint.unwrap().ends_with("--status rejected --reason \"what is in the way\""));
}

#[test]
fn an_acknowledgment_tells_the_waiting_orchestrator_what_it_means() {
    assert_eq!(ready().verdict(), Verdict::Ready);
    assert_eq!(asks("which library?").verdict(), Verdict::NeedsClarification);
    for (status, verdict) in [
        (HandoffStatus::NeedsClarification, Verdict::NeedsClarification),
        (HandoffStatus::EnvironmentIssue, Verdict::EnvironmentIssue),
        (HandoffStatus::Rejected, Verdict::Rejected),
    ] {
        assert_eq!(
            HandoffAck { questions: Some(vec!["?".into()]), ..HandoffAck::new("x", status) }.verdict(),
            verdict
        );
    }
    let other = HandoffAck { status: Some(SaidStatus::from("maybe later".to_owned())), ..ready() };
    assert_eq!(other.verdict(), Verdict::Other);
}

#[test]
fn a_plain_answer_is_a_status_and_nothing_else() {
    let plain = HandoffAck::plain(Verdict::Ready).unwrap();
    assert_eq!(plain.missing(), ["handoff_id", "understanding", "starting_from", "questions"]);
    assert!(plain.is_plain() && !ready().is_plain());
    assert_eq!(HandoffAck::plain(Verdict::NeedsTime), None);
}

#[test]
fn what_was_said_as_a_status_is_kept() {
    for (said, stored) in [("RECEIVED", "ready_to_proceed"), ("Queued behind GH-7", "Queued behind GH-7")] {
        let status = SaidStatus::from(said.to_owned());
        let json = serde_json::to_value(&status).unwrap();
        assert_eq!(json, stored);
        assert_eq!(serde_json::from_value::<SaidStatus>(json).unwrap(), status);
    }
}

/// H30: an acknowledgment counts whenever it comes, also after the escalation.
#[test]
fn an_acknowledgment_at_any_wait_moves_the_handoff_on() {
    for mut handoff in [sent(), escalated()] {
        says(&mut handoff, ready(), 12);
        assert_eq!((handoff.step(), handoff.next()), (Step::Acknowledged, Next::Verify));
    }
}

#[test]
fn only_an_agent_that_is_ready_has_acknowledged() {
    for status in
        [HandoffStatus::NeedsClarification, HandoffStatus::EnvironmentIssue, HandoffStatus::Rejected]
    {
        let handoff = acked_with(HandoffAck::new("handoff-uuid-123", status));
        assert_eq!((handoff.step(), handoff.acks.len()), (Step::Sent, 1), "{status}");
    }
    let handoff = acked_with(HandoffAck { handoff_id: Some("handoff-other".to_owned()), ..ready() });
    assert_eq!(handoff.step(), Step::Sent);
}

#[test]
fn only_the_replacement_acknowledges_and_only_what_was_sent() {
    let acked = |from: &str| HandoffInput::Acked { from: agent(from), ack: ready(), message_id: None };
    let mut handoff = sent();
    assert!(handoff.apply(acked("implementer-3"), at(1)).unwrap_err().what.contains("was not given to"));
    assert!(copied().apply(acked("implementer-2"), at(1)).is_err());
    assert!(handoff.apply(acked("implementer-2"), at(1)).unwrap());
    assert!(!handoff.apply(acked("implementer-2"), at(2)).unwrap());
}

#[test]
fn a_bare_ok_after_the_full_acknowledgment_takes_nothing_away() {
    let mut handoff = acked_with(ready());
    says(&mut handoff, HandoffAck::plain(Verdict::Ready).unwrap(), 6);
    assert_eq!(handoff.newest_ack().unwrap().ack, ready());
    says(&mut handoff, HandoffAck::plain(Verdict::Rejected).unwrap(), 7);
    assert_eq!(handoff.newest_ack().unwrap().ack.known_status(), Some(HandoffStatus::Rejected));
}

/// ⚠9: of two matching acknowledgments the newest counts; one for another handoff does not.
#[test]
fn the_newest_acknowledgment_that_names_the_handoff_counts() {
    let mut handoff = acked_with(asks("which library?"));
    says(&mut handoff, ready(), 6);
    says(&mut handoff, HandoffAck { handoff_id: Some("handoff-other".to_owned()), ..ready() }, 7);
    let newest = handoff.newest_ack().unwrap();
    assert_eq!((newest.number, newest.ack.questions().len()), (2, 0));
}

#[test]
fn what_comes_after_the_end_is_kept_and_changes_nothing_else() {
    let mut handoff = unanswered();
    says(&mut handoff, ready(), 30);
    assert_eq!((handoff.step(), handoff.acks.len()), (Step::Failed, 1));
    assert_eq!((handoff.newest_ack(), handoff.ack_received_at()), (None, None));
}
