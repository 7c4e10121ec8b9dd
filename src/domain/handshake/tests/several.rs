//! Several recipients without a quorum.

use super::*;

const BOTH: [&str; 2] = [OTTER, "zinc-yak"];

#[test]
fn reminds_only_those_who_have_not_answered() {
    let mut scene = Scene::new(plan(Profile::Operation), &BOTH);
    scene.says(10.0, OTTER, "ok").until(60.0).says(61.0, "zinc-yak", "ok").until(500.0);
    scene.expect(&[
        "10 amber-otter answers ready after 0",
        "30 gentle 1/3 to zinc-yak, 90 s left",
        "60 firm 2/3 to zinc-yak, 60 s left",
        "61 zinc-yak answers ready after 2",
        "61 end acknowledged proceed",
    ]);
}

#[test]
fn each_is_reminded_and_timed_by_itself() {
    let mut scene = Scene::new(plan(Profile::Operation), &BOTH);
    scene.says(10.0, OTTER, "wait").until(90.0);
    scene.transcript.clear();
    scene.until(120.0).says(130.0, "zinc-yak", "ok").says(150.0, OTTER, "ok");
    scene.expect(&[
        "120 zinc-yak silent for 120 s",
        "130 zinc-yak late with ready",
        "150 amber-otter answers ready after 3",
        "150 end timed_out proceed",
    ]);
    assert_eq!(scene.end().missing, [agent("zinc-yak")]);
    assert!(!scene.end().acknowledgment_received);
}

/// A62: everyone who was asked is told of a cancellation.
#[test]
fn one_cancel_ends_it_for_everyone() {
    let mut scene = Scene::new(plan(Profile::Operation), &["zinc-yak", OTTER, "moss-hare"]);
    scene.says(10.0, OTTER, "ok").says(20.0, "zinc-yak", "cancel").until(500.0);
    scene.expect(&[
        "10 amber-otter answers ready after 0",
        "20 zinc-yak answers cancel after 0",
        "20 cancelled by zinc-yak, tell amber-otter moss-hare zinc-yak",
        "20 end cancelled stop",
    ]);
    assert_eq!(scene.end().missing, [agent("moss-hare")]);
}

#[test]
fn one_refusal_or_death_ends_it_for_everyone() {
    let mut refused = Scene::new(plan(Profile::Operation), &BOTH);
    refused.says(10.0, OTTER, "rejected").until(500.0);
    refused.expect(&[
        "10 amber-otter answers rejected after 0",
        "10 called off: refused, tell zinc-yak",
        "10 end refused stop",
    ]);
    let mut gone = Scene::new(plan(Profile::Operation), &BOTH);
    gone.says(5.0, OTTER, "ok").loses(10.0, "zinc-yak").until(500.0);
    gone.expect(&[
        "5 amber-otter answers ready after 0",
        "10 zinc-yak is dead",
        "10 called off: gone, tell amber-otter",
        "10 end gone stop",
    ]);
}

#[test]
fn those_who_agreed_are_told_that_silence_called_it_off() {
    let overrides = Overrides { remind_at: Some(vec![]), ..Overrides::default() };
    let mut abort = Scene::new(Plan::new(Profile::Approval, &overrides).unwrap(), &BOTH);
    abort.says(5.0, OTTER, "ok").until(500.0);
    abort.expect(&[
        "5 amber-otter answers ready after 0",
        "120 zinc-yak silent for 120 s",
        "120 called off: timed_out, tell amber-otter",
        "120 end timed_out stop",
    ]);
    let mut proceed = Scene::new(Plan::new(Profile::Operation, &overrides).unwrap(), &BOTH);
    proceed.says(5.0, OTTER, "ok").until(500.0);
    assert!(proceed.transcript.iter().all(|line| !line.contains("called off")), "{:?}", proceed.transcript);
}

/// It goes on when the question is answered.
#[test]
fn a_question_calls_nothing_off() {
    let mut scene = Scene::new(plan(Profile::Operation), &BOTH);
    scene.says(5.0, OTTER, "ok").says(10.0, "zinc-yak", "needs clarification");
    scene.expect(&[
        "5 amber-otter answers ready after 0",
        "10 zinc-yak answers needs-clarification after 0",
        "10 end needs_clarification stop",
    ]);
}

#[test]
fn an_agent_that_agreed_can_cancel_while_another_is_still_waited_for() {
    let mut scene = Scene::new(plan(Profile::Operation), &BOTH);
    scene.says(10.0, "zinc-yak", "wait").says(20.0, OTTER, "ok").says(150.0, OTTER, "cancel");
    assert_eq!(scene.end().outcome, Outcome::Cancelled);
    assert!(scene.of(OTTER).skipped.is_empty());
}

#[test]
fn the_silent_are_named_by_what_the_policy_does_with_them() {
    let mut task = Scene::new(plan(Profile::Task), &BOTH);
    task.says(10.0, OTTER, "received").until(900.0);
    assert_eq!(
        task.transcript[2..],
        [
            "420 zinc-yak silent for 420 s",
            "420 called off: unresponsive, tell amber-otter",
            "420 zinc-yak unresponsive",
            "420 end unresponsive stop"
        ]
    );
    let mut handoff = Scene::new(plan(Profile::Handoff), &BOTH);
    handoff.until(900.0);
    assert_eq!(handoff.transcript[6..], ["600 escalate amber-otter zinc-yak", "600 end escalated stop"]);
}
