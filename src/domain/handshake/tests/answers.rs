//! What each reply does, and which replies count.

use super::*;

/// A35, A36, A37, ⚠1: every way of saying yes proceeds.
#[test]
fn yes_proceeds() {
    for text in ["ok", "OK", "okay", "ready", "Ready!", "received", "confirmed", "ready_to_proceed"] {
        let mut scene = Scene::operation();
        scene.says(10.0, OTTER, text);
        assert_eq!(scene.end().outcome, Outcome::Acknowledged, "{text}");
        assert!(scene.end().acknowledgment_received && !scene.end().proceeded_anyway);
        assert_eq!(scene.of(OTTER).status, Status::Ready);
    }
}

#[test]
fn queued_acknowledges_a_task_and_no_operation() {
    let mut scene = Scene::operation();
    scene.says(10.0, OTTER, "queued");
    scene.expect(&["10 amber-otter says queued"]);
    assert_eq!(scene.of(OTTER).status, Status::Waiting);
    let mut opening = opening(plan(Profile::Task), &[OTTER]);
    opening.operation.task_id = Some("GH-42".parse().unwrap());
    let handshake = Handshake::open(opening, at(0.0)).unwrap();
    let mut task = Scene { handshake, transcript: Vec::new(), replies: 0 };
    task.says(10.0, OTTER, "queued");
    task.expect(&["10 amber-otter answers queued after 0", "10 end acknowledged proceed"]);
    assert_eq!(task.of(OTTER).status, Status::Queued);
}

/// A38, A39: every way of asking for time extends.
#[test]
fn asking_for_time_extends() {
    for text in ["wait", "not ready", "NOT READY", "busy"] {
        let mut scene = Scene::operation();
        scene.says(10.0, OTTER, text);
        assert_eq!(scene.of(OTTER).deadline, at(180.0), "{text}");
        assert_eq!(scene.of(OTTER).status, Status::NeedsTime);
    }
}

/// A40, A41: both words cancel.
#[test]
fn cancel_and_abort_cancel() {
    for text in ["cancel", "abort"] {
        let mut scene = Scene::operation();
        scene.says(10.0, OTTER, text);
        assert_eq!(scene.end().outcome, Outcome::Cancelled, "{text}");
        assert!(!scene.end().proceed);
    }
}

/// A42, ⚠1: anything else is shown and waited through; no trap proceeds.
#[test]
fn anything_else_is_heard_and_waited_through() {
    for text in ["broken", "not ok", "looking into it", "token expired, cancel", "ok but wait"] {
        let mut scene = Scene::operation();
        scene.says(10.0, OTTER, text).until(29.0);
        scene.expect(&[&format!("10 amber-otter says {text}")]);
        assert_eq!(scene.of(OTTER).status, Status::Waiting);
        assert_eq!(scene.of(OTTER).response.as_ref().unwrap().message, text);
        scene.until(500.0);
        assert_eq!(scene.end().outcome, Outcome::TimedOut);
    }
}

#[test]
fn a_refusal_ends_it_with_its_own_code() {
    for (text, outcome, code) in [
        ("rejected", Outcome::Refused, 6),
        ("environment_issue", Outcome::Refused, 6),
        ("error", Outcome::Refused, 6),
        ("needs-clarification", Outcome::NeedsClarification, 7),
    ] {
        let mut scene = Scene::operation();
        scene.says(10.0, OTTER, text).until(500.0);
        assert_eq!((scene.end().outcome, scene.end().exit_code()), (outcome, code), "{text}");
        assert!(!scene.end().proceed);
        assert_eq!(scene.transcript.len(), 2);
    }
}

#[test]
fn a_recipient_that_dies_ends_it_at_once() {
    let mut scene = Scene::operation();
    scene.loses(40.0, OTTER).until(500.0);
    scene.expect(&after_reminders(1, &["40 amber-otter is dead", "40 end gone stop"]));
    assert_eq!(scene.end().exit_code(), 5);
    assert_eq!(scene.end().missing, [agent(OTTER)]);
}

#[test]
fn a_death_after_the_answer_or_the_end_changes_nothing() {
    let mut scene = Scene::new(plan(Profile::Operation), &[OTTER, "zinc-yak"]);
    scene.says(5.0, OTTER, "ok").loses(6.0, OTTER);
    assert_eq!(scene.of(OTTER).status, Status::Ready);
    scene.says(7.0, "zinc-yak", "ok");
    let ended = scene.end().clone();
    scene.loses(8.0, "zinc-yak");
    assert_eq!(*scene.end(), ended);
}

/// A34: only the agents that were asked can answer.
#[test]
fn strangers_do_not_count() {
    let mut scene = Scene::operation();
    scene.says(10.0, "zinc-yak", "ok").says(11.0, "lead-one", "cancel");
    scene.expect(&[
        "10 zinc-yak not counted with ready: NotAsked",
        "11 lead-one not counted with cancel: NotAsked",
    ]);
    assert_eq!(scene.of(OTTER).status, Status::Waiting);
}

/// ⚠21: one message counts once, however often it is found.
#[test]
fn the_same_message_counts_once() {
    let mut scene = Scene::operation();
    let wait = Input::Reply(reply_of(OTTER, "wait", 7));
    scene.takes(10.0, wait.clone()).kill().takes(11.0, wait.clone()).takes(12.0, wait.clone());
    scene.expect(&["10 extension for amber-otter, 170 s left, until 2026-03-04T00:03:00.000Z"]);
    scene.transcript.clear();
    scene.until(181.0).takes(182.0, Input::Reply(reply_of(OTTER, "ok", 8)));
    scene.takes(183.0, Input::Reply(reply_of(OTTER, "ok", 8))).takes(184.0, wait);
    assert_eq!(scene.transcript.last().unwrap(), "182 amber-otter late with ready");
}

#[test]
fn a_bare_ack_that_is_found_again_says_nothing_new() {
    let ack = || Input::Reply(Reply { message_id: None, ..reply_of(OTTER, "ack", 1) });
    let mut scene = Scene::new(plan(Profile::Operation), &[OTTER, "zinc-yak"]);
    scene.takes(10.0, ack()).takes(11.0, ack());
    scene.expect(&["10 amber-otter answers ready after 0"]);

    let mut late = Scene::operation();
    late.until(120.0).takes(121.0, ack()).takes(122.0, ack());
    assert_eq!(late.transcript.last().unwrap(), "121 amber-otter late with ready");
}

#[test]
fn bare_replies_that_differ_from_what_was_heard_are_new() {
    let bare = |text| Input::Reply(Reply { message_id: None, ..reply_of(OTTER, text, 1) });
    let mut scene = Scene::operation();
    scene.takes(5.0, bare("hm")).takes(6.0, bare("hmm")).hears(10.0, OTTER, "wait").takes(11.0, bare("wait"));
    scene.expect(&[
        "5 amber-otter says hm",
        "6 amber-otter says hmm",
        "10 extension for amber-otter, 170 s left, until 2026-03-04T00:03:00.000Z",
        "11 no extension for amber-otter, 169 s left",
    ]);
}

#[test]
fn a_second_answer_does_not_replace_the_first_unless_it_cancels() {
    let mut scene = Scene::new(plan(Profile::Operation), &[OTTER, "zinc-yak"]);
    scene.says(5.0, OTTER, "ok").says(6.0, OTTER, "rejected").says(7.0, OTTER, "wait");
    assert_eq!(scene.of(OTTER).status, Status::Ready);
    scene.says(8.0, OTTER, "cancel");
    scene.expect(&[
        "5 amber-otter answers ready after 0",
        "6 amber-otter not counted with rejected: AlreadySettled",
        "7 amber-otter not counted with needs-time: AlreadySettled",
        "8 amber-otter answers cancel after 0",
        "8 cancelled by amber-otter, tell amber-otter zinc-yak",
        "8 end cancelled stop",
    ]);
}

#[test]
fn a_cancel_after_the_end_is_late() {
    let mut scene = Scene::operation();
    scene.says(5.0, OTTER, "ok").says(6.0, OTTER, "cancel");
    assert_eq!(scene.transcript.last().unwrap(), "6 amber-otter late with cancel");
    assert_eq!(scene.end().outcome, Outcome::Acknowledged);
}

#[test]
fn only_verified_replies_count_where_that_is_required() {
    let wanted = Opening { require_verified: true, ..opening(plan(Profile::Operation), &[OTTER]) };
    let mut scene = Scene::operation();
    scene.handshake = Handshake::open(wanted, at(0.0)).unwrap();
    scene.hears(5.0, OTTER, "ok");
    let verified = Reply { verified: true, ..reply_of(OTTER, "ok", 2) };
    scene.takes(6.0, Input::Reply(verified));
    scene.expect(&[
        "5 amber-otter not counted with ready: NotVerified",
        "6 amber-otter answers ready after 0",
        "6 end acknowledged proceed",
    ]);
}

#[test]
fn a_successor_answers_for_the_one_it_replaced() {
    let mut scene = Scene::operation();
    let reply = Reply { on_behalf_of: Some(agent(OTTER)), ..reply_of("zinc-yak", "ok", 1) };
    scene.takes(5.0, Input::Reply(reply));
    scene.expect(&["5 amber-otter answers ready after 0", "5 end acknowledged proceed"]);
}

/// The wait goes on with whoever has the request now: its deadline and its reminders are the same.
#[test]
fn a_successor_is_waited_for_and_may_be_succeeded_itself() {
    let mut scene = Scene::operation();
    scene.until(40.0).takes(50.0, Input::Succeeded { agent: agent(OTTER), by: agent("zinc-yak") });
    assert_eq!(scene.of(OTTER).answerer(), &agent("zinc-yak"));
    scene.takes(51.0, Input::Succeeded { agent: agent("zinc-yak"), by: agent("opal-hare") });
    scene.takes(52.0, Input::Succeeded { agent: agent("zinc-yak"), by: agent("nobody-here") });
    assert_eq!(scene.handshake.state().answered_by(&agent("opal-hare")), Some(scene.of(OTTER)));
    assert_eq!(scene.handshake.state().answered_by(&agent(OTTER)), None);
    let reply = Reply { on_behalf_of: Some(agent(OTTER)), ..reply_of("opal-hare", "ok", 1) };
    scene.until(65.0).takes(70.0, Input::Reply(reply));
    scene.expect(&after_reminders(
        1,
        &[
            "50 amber-otter is succeeded by zinc-yak",
            "51 amber-otter is succeeded by opal-hare",
            "60 firm 2/3 to amber-otter, 60 s left",
            "70 amber-otter answers ready after 2",
            "70 end acknowledged proceed",
        ],
    ));
    scene.takes(80.0, Input::Succeeded { agent: agent("opal-hare"), by: agent("zinc-yak") });
    assert_eq!(scene.of(OTTER).answerer(), &agent("opal-hare"), "what is over stays as it was");
}

/// A successor that is asked in a message of its own has the whole time, and the other one has no say.
#[test]
fn a_request_that_is_handed_on_is_waited_for_anew() {
    let mut scene = Scene::operation();
    let message_id: crate::domain::message::MessageId = "handed_on".parse().unwrap();
    let input =
        Input::HandedOn { agent: agent(OTTER), by: agent("zinc-yak"), message_id: message_id.clone() };
    scene.until(40.0).takes(50.0, input);
    assert_eq!((&scene.of(OTTER).message_id, scene.of(OTTER).deadline), (&message_id, at(170.0)));
    scene.takes(55.0, Input::Reply(reply_of(OTTER, "ok", 1)));
    assert!(scene.handshake.state().end.is_none(), "it was replaced");
    let reply = Reply { on_behalf_of: Some(agent(OTTER)), ..reply_of("zinc-yak", "ok", 2) };
    scene.takes(160.0, Input::Reply(reply));
    assert_eq!(scene.handshake.state().outcome(), Outcome::Acknowledged);
}

#[test]
fn notes_are_kept_with_the_answer() {
    let mut scene = Scene::operation();
    let reply = Reply { notes: Some("saved".to_owned()), ..reply_of(OTTER, "ok", 1) };
    scene.takes(5.0, Input::Reply(reply));
    let response = scene.of(OTTER).response.as_ref().unwrap();
    assert_eq!(response.notes.as_deref(), Some("saved"));
    assert_eq!(response.message_id, Some("reply_1".parse().unwrap()));
    assert_eq!(response.at, at(5.0));
}

#[test]
fn exit_codes_follow_the_outcome() {
    let codes: Vec<_> = Outcome::ALL.iter().map(|it| (it.exit_code(true), it.exit_code(false))).collect();
    assert_eq!(codes, [(0, 0), (0, 0), (2, 2), (3, 4), (4, 4), (4, 4), (5, 5), (6, 6), (7, 7), (75, 75)]);
}

/// What the requester takes back is over, and nobody is told or blamed.
#[test]
fn a_withdrawn_request_ends_without_a_word() {
    let mut scene = Scene::operation();
    scene.until(40.0).takes(50.0, Input::Withdrawn).until(500.0);
    scene.expect(&after_reminders(1, &["50 end cancelled stop"]));
    assert_eq!(scene.of(OTTER).status, Status::Waiting);
}
