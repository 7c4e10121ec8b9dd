//! Several recipients of whom enough must agree.

use super::*;
use crate::domain::schedule::{Policy, Quorum};

const THREE: [&str; 3] = [OTTER, "moss-hare", "zinc-yak"];

fn asking(quorum: Quorum) -> Scene {
    let overrides = Overrides { quorum: Some(quorum), ..Overrides::default() };
    Scene::new(Plan::new(Profile::MultiAgent, &overrides).unwrap(), &THREE)
}

fn summary(scene: &Scene) -> (Outcome, bool, u8) {
    (scene.end().outcome, scene.end().proceed, scene.end().exit_code())
}

/// A5: all participants must agree unless told otherwise.
#[test]
fn all_agree() {
    let mut scene = Scene::new(plan(Profile::MultiAgent), &THREE);
    scene.says(1.0, OTTER, "ok").says(2.0, "moss-hare", "ok").says(3.0, "zinc-yak", "received");
    assert_eq!(summary(&scene), (Outcome::Acknowledged, true, 0));
    assert_eq!(scene.end().at, at(3.0));
}

/// A5, ⚠10: when all are needed, one silence aborts at the deadline.
#[test]
fn one_silent_when_all_are_needed() {
    let mut scene = Scene::new(plan(Profile::MultiAgent), &THREE);
    scene.says(1.0, OTTER, "ok").says(2.0, "moss-hare", "ok").until(500.0);
    assert_eq!(summary(&scene), (Outcome::TimedOut, false, 4));
    assert_eq!(scene.end().at, at(120.0));
    assert_eq!(scene.end().missing, [agent("zinc-yak")]);
    assert!(!scene.end().acknowledgment_received && !scene.end().proceeded_anyway);
}

/// A5, ⚠10: a majority proceeds at the deadline, with the missing named; not before it.
#[test]
fn a_majority_still_waits_for_the_rest() {
    let mut scene = asking(Quorum::Majority);
    scene.says(1.0, OTTER, "ok").says(2.0, "moss-hare", "ok").until(119.0);
    assert_eq!(scene.handshake.state().outcome(), Outcome::Waiting);
    assert_eq!(scene.transcript[2], "30 gentle 1/3 to zinc-yak, 90 s left");
    scene.until(500.0);
    assert_eq!(summary(&scene), (Outcome::Quorum, true, 0));
    let end = scene.end();
    assert_eq!((end.at, end.missing.as_slice()), (at(120.0), &[agent("zinc-yak")][..]));
    assert_eq!((end.acknowledgment_received, end.timeout_occurred, end.proceeded_anyway), (true, true, true));
}

#[test]
fn it_ends_when_the_last_one_answers() {
    let mut scene = asking(Quorum::Majority);
    scene.says(1.0, OTTER, "ok").says(2.0, "moss-hare", "cancel").says(3.0, "zinc-yak", "ok");
    assert_eq!(summary(&scene), (Outcome::Quorum, true, 0));
    assert_eq!(scene.end().at, at(3.0));
    assert!(scene.end().missing.is_empty());
    assert!(!scene.transcript.iter().any(|line| line.contains("cancelled by")));
}

#[test]
fn it_ends_when_the_quorum_is_out_of_reach() {
    for refusal in ["cancel", "rejected", "needs-clarification"] {
        let mut scene = asking(Quorum::Count(2));
        scene.says(1.0, OTTER, refusal);
        assert_eq!(scene.handshake.state().outcome(), Outcome::Waiting, "{refusal}");
        scene.loses(2.0, "moss-hare").until(500.0);
        assert_eq!(summary(&scene), (Outcome::TimedOut, false, 4), "{refusal}");
        assert_eq!(scene.end().at, at(2.0));
        assert_eq!(scene.of("zinc-yak").status, Status::Waiting);
        assert!(!scene.end().timeout_occurred);
    }
}

#[test]
fn a_yes_that_is_withdrawn_becomes_a_no() {
    let mut scene = asking(Quorum::All);
    scene.says(1.0, OTTER, "ok").says(2.0, OTTER, "cancel");
    assert_eq!(summary(&scene), (Outcome::TimedOut, false, 4));
}

/// A5: each agent has its own 120 seconds, and its own extension.
#[test]
fn an_extension_keeps_the_quorum_open() {
    let mut scene = asking(Quorum::Count(2));
    scene.says(1.0, OTTER, "ok").says(100.0, "moss-hare", "wait").until(120.0);
    assert_eq!(scene.of("zinc-yak").status, Status::Silent);
    scene.says(179.0, "moss-hare", "ok");
    assert_eq!(summary(&scene), (Outcome::Quorum, true, 0));
}

#[test]
fn looking_late_ends_it_as_looking_in_time() {
    let play = |looks: &[f64]| {
        let mut scene = asking(Quorum::All);
        scene.hears(10.0, OTTER, "wait");
        for look in looks {
            scene.wake(*look);
        }
        let state = scene.handshake.state();
        let statuses: Vec<_> = state.recipients.iter().map(|it| it.status).collect();
        (scene.end().outcome, statuses)
    };
    assert_eq!(play(&[120.0, 300.0]), play(&[300.0]));
}

#[test]
fn the_policy_still_says_what_becomes_of_the_silent() {
    let with = |policy| {
        let overrides =
            Overrides { quorum: Some(Quorum::Majority), on_timeout: Some(policy), ..Overrides::default() };
        Scene::new(Plan::new(Profile::Operation, &overrides).unwrap(), &THREE)
    };
    let mut marked = with(Policy::Unresponsive);
    marked.says(1.0, OTTER, "ok").says(1.0, "moss-hare", "ok").until(500.0);
    assert_eq!(summary(&marked), (Outcome::Quorum, true, 0));
    assert!(marked.transcript.contains(&"120 zinc-yak unresponsive".to_owned()));
    let mut escalated = with(Policy::Escalate);
    escalated.says(1.0, OTTER, "ok").until(500.0);
    assert_eq!(summary(&escalated), (Outcome::TimedOut, false, 4));
    assert!(escalated.transcript.contains(&"120 escalate moss-hare zinc-yak".to_owned()));
    let mut proceed = with(Policy::Proceed);
    proceed.until(500.0);
    assert_eq!(summary(&proceed), (Outcome::TimedOut, false, 4));
}
