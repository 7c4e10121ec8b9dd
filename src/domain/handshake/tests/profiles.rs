//! The whole silent timeline of each profile.

use super::*;
use std::time::Duration;

#[track_caller]
fn silent(profile: Profile, transcript: &[&str]) -> Scene {
    let mut scene = Scene::new(plan(profile), &[OTTER]);
    scene.until(100_000.0);
    scene.expect(transcript);
    scene
}

/// A3: a disruptive operation.
#[test]
fn operation() {
    let rest = ["120 amber-otter silent for 120 s", "120 end timed_out proceed"];
    silent(Profile::Operation, &after_reminders(3, &rest));
}

/// A4: a change of state.
#[test]
fn state_change() {
    let rest = ["120 amber-otter silent for 120 s", "120 end timed_out proceed"];
    silent(Profile::StateChange, &after_reminders(3, &rest));
}

/// A5: several agents at once.
#[test]
fn multi_agent() {
    let rest = ["120 amber-otter silent for 120 s", "120 end timed_out stop"];
    silent(Profile::MultiAgent, &after_reminders(3, &rest));
}

#[test]
fn approval() {
    let scene = silent(
        Profile::Approval,
        &[
            "60 gentle 1/2 to amber-otter, 60 s left",
            "90 final 2/2 to amber-otter, 30 s left",
            "120 amber-otter silent for 120 s",
            "120 end timed_out stop",
        ],
    );
    assert_eq!(scene.end().exit_code(), 4);
}

#[test]
fn emergency() {
    let scene = silent(
        Profile::Emergency,
        &[
            "10 gentle 1/2 to amber-otter, 20 s left",
            "20 final 2/2 to amber-otter, 10 s left",
            "30 amber-otter silent for 30 s",
            "30 end timed_out proceed",
        ],
    );
    assert_eq!(scene.end().exit_code(), 3);
}

#[test]
fn emergency_grants_no_time() {
    let mut scene = Scene::new(plan(Profile::Emergency), &[OTTER]);
    scene.says(5.0, OTTER, "wait");
    scene.expect(&["5 no extension for amber-otter, 25 s left"]);
    assert_eq!(scene.of(OTTER).deadline, at(30.0));
}

#[test]
fn health() {
    let scene = silent(
        Profile::Health,
        &["30 amber-otter silent for 30 s", "30 amber-otter unresponsive", "30 end unresponsive stop"],
    );
    assert_eq!(scene.end().exit_code(), 4);
}

/// E13, E14, E27, E29: one explicit request after 5 minutes, 2 more, then unresponsive.
#[test]
fn task() {
    silent(
        Profile::Task,
        &[
            "300 ack-request 1/1 to amber-otter, 120 s left",
            "420 amber-otter silent for 420 s",
            "420 amber-otter unresponsive",
            "420 end unresponsive stop",
        ],
    );
}

/// E17, E18, ⚠7: three attempts, re-sent at 330 and 510 seconds, over at 9.5 minutes.
#[test]
fn critical() {
    silent(
        Profile::Critical,
        &[
            "330 attempt 2/3 to amber-otter, 240 s left",
            "510 attempt 3/3 to amber-otter, 60 s left",
            "570 amber-otter silent for 570 s",
            "570 amber-otter unresponsive",
            "570 end unresponsive stop",
        ],
    );
}

/// E17: after a gap only the newest attempt is sent.
#[test]
fn critical_after_a_gap() {
    let mut scene = Scene::new(plan(Profile::Critical), &[OTTER]);
    scene.kill().wake(520.0);
    scene.expect(&["520 attempt 3/3 to amber-otter, 50 s left, skipped [1]"]);
}

/// H29, H32, ⚠12: reminder at T, final at 1.5 T, escalated at 2 T after two reminders.
#[test]
fn handoff() {
    let scene = silent(
        Profile::Handoff,
        &[
            "300 gentle 1/2 to amber-otter, 300 s left",
            "450 final 2/2 to amber-otter, 150 s left",
            "600 amber-otter silent for 600 s",
            "600 escalate amber-otter",
            "600 end escalated stop",
        ],
    );
    assert_eq!(scene.of(OTTER).reminders_sent, 2);
    assert_eq!(scene.end().exit_code(), 4);
}

/// H29: totals of 30 and 60 minutes for the other urgencies.
#[test]
fn handoff_by_urgency() {
    for (minutes, total) in [(15, 1800), (30, 3600)] {
        let first_wait = Some(Duration::from_secs(minutes * 60));
        let plan = Plan::new(Profile::Handoff, &Overrides { first_wait, ..Overrides::default() }).unwrap();
        let mut scene = Scene::new(plan, &[OTTER]);
        scene.until(100_000.0);
        assert_eq!(scene.transcript[2], format!("{total} amber-otter silent for {total} s"));
    }
}

/// H30: an ack in any of the waits is an answer.
#[test]
fn handoff_acked_in_each_wait() {
    for (seconds, reminders) in [(100.0, 0), (400.0, 1), (599.9, 2)] {
        let mut scene = Scene::new(plan(Profile::Handoff), &[OTTER]);
        scene.says(seconds, OTTER, "ready_to_proceed").until(100_000.0);
        assert_eq!(scene.end().outcome, Outcome::Acknowledged);
        assert_eq!(scene.of(OTTER).reminders_sent, reminders);
    }
}
