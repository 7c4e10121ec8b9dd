//! Waiters that were away, and clocks that are wrong.

use super::*;

/// A22, A23: a waiter that comes back at 31 seconds sends the overdue first reminder late.
#[test]
fn resumed_at_31_seconds() {
    let mut scene = Scene::operation();
    scene.kill().wake(31.0).kill().wake(31.0).until(500.0);
    scene.expect(&[
        "31 gentle 1/3 to amber-otter, 89 s left",
        "60 firm 2/3 to amber-otter, 60 s left",
        "90 final 3/3 to amber-otter, 30 s left",
        "120 amber-otter silent for 120 s",
        "120 end timed_out proceed",
    ]);
}

/// A22, A23, A28: at 61 seconds only the newest due reminder is sent, with its true number.
#[test]
fn resumed_at_61_seconds() {
    let mut scene = Scene::operation();
    scene.kill().wake(61.0).kill().until(500.0);
    scene.expect(&[
        "61 firm 2/3 to amber-otter, 59 s left, skipped [1]",
        "90 final 3/3 to amber-otter, 30 s left",
        "120 amber-otter silent for 120 s",
        "120 end timed_out proceed",
    ]);
    assert_eq!(scene.of(OTTER).skipped, [1]);
    assert_eq!(scene.of(OTTER).reminders_sent, 2);
}

/// A22, A23: at 119 seconds that is the final one.
#[test]
fn resumed_at_119_seconds() {
    let mut scene = Scene::operation();
    scene.kill().wake(119.0).kill().until(500.0);
    scene.expect(&[
        "119 final 3/3 to amber-otter, 1 s left, skipped [1, 2]",
        "120 amber-otter silent for 120 s",
        "120 end timed_out proceed",
    ]);
}

#[test]
fn resumed_between_reminders_sends_none_again() {
    let mut scene = Scene::operation();
    scene.until(30.0).kill().wake(31.0).kill().wake(59.999).kill().until(60.0);
    scene.expect(&after_reminders(2, &[]));
}

#[test]
fn resumed_after_the_deadline_sends_no_reminder() {
    let mut scene = Scene::operation();
    scene.until(30.0).kill().wake(3600.0);
    scene.expect(&after_reminders(1, &["3600 amber-otter silent for 120 s", "3600 end timed_out proceed"]));
    assert_eq!(scene.of(OTTER).skipped, [2, 3]);
}

/// A17, ⚠4: an answer stored before the deadline wins, however late the waiter looks.
#[test]
fn an_ok_stored_at_119_seconds_wins_though_looked_at_after_an_hour() {
    let mut scene = Scene::operation();
    scene.until(30.0).kill().hears(119.0, OTTER, "ok").wake(3600.0);
    let rest = ["119 amber-otter answers ready after 1", "119 end acknowledged proceed"];
    scene.expect(&after_reminders(1, &rest));
    assert_eq!(scene.of(OTTER).skipped, [2, 3]);
}

#[test]
fn a_wait_found_late_is_granted_and_stale_reminders_are_not_sent() {
    let mut scene = Scene::operation();
    scene.hears(65.0, OTTER, "wait").wake(80.0).until(100.0);
    scene.expect(&[
        "65 extension for amber-otter, 115 s left, until 2026-03-04T00:03:00.000Z",
        "90 final 3/3 to amber-otter, 90 s left",
    ]);
    assert_eq!(scene.of(OTTER).skipped, [1, 2]);
}

/// A clock that goes back a day moves nothing: time stands still until it catches up, nothing
/// is sent twice, and an answer still counts.
#[test]
fn clock_back_a_day_at_59_seconds() {
    const DAY: f64 = 86_400.0;
    let mut scene = Scene::operation();
    scene.until(59.0).wake(59.0).wake(59.0 - DAY).kill().wake(65.0 - DAY).wake(-1.0);
    scene.expect(&after_reminders(1, &[]));
    assert_eq!(scene.handshake.state().latest_at, at(59.0));
    let next = scene.handshake.poll_timeout().unwrap();
    assert_eq!(next, (at(60.0), Why::Step { agent: agent(OTTER), number: 2 }));

    let mut answered = Scene { handshake: scene.handshake.clone(), transcript: Vec::new(), replies: 0 };
    answered.hears(70.0 - DAY, OTTER, "ok");
    assert_eq!(answered.of(OTTER).responded_at, Some(at(59.0)));
    assert_eq!(answered.end().outcome, Outcome::Acknowledged);

    scene.until(500.0);
    let rest = ["120 amber-otter silent for 120 s", "120 end timed_out proceed"];
    scene.expect(&after_reminders(3, &rest));
}

#[test]
fn waking_without_need_changes_nothing() {
    let mut scene = Scene::operation();
    for tenth in 0..300 {
        scene.wake(f64::from(tenth) / 10.0);
    }
    scene.expect(&[]);
    let before = scene.handshake.state().clone();
    scene.wake(29.9);
    assert_eq!(*scene.handshake.state(), before);
    scene.until(500.0);
    let ended = scene.handshake.state().clone();
    scene.wake(120.0).wake(1.0);
    assert_eq!(*scene.handshake.state(), ended);
    assert_eq!(scene.handshake.poll_timeout(), None);
}

/// A67: what is stored says who is expected and who answered.
#[test]
fn a_snapshot_reads_as_rows() {
    let mut scene = Scene::new(plan(Profile::Operation), &["zinc-yak", OTTER]);
    scene.says(5.0, OTTER, "ok");
    let state = scene.handshake.state();
    let names = |agents: Vec<&AgentId>| agents.into_iter().map(AgentId::to_string).collect::<Vec<_>>();
    assert_eq!(names(state.expected().collect()), [OTTER, "zinc-yak"]);
    assert_eq!(names(state.received().collect()), [OTTER]);
    assert_eq!(names(state.missing().collect()), ["zinc-yak"]);
    assert_eq!(state.outcome(), Outcome::Waiting);
    let json = serde_json::to_value(state).unwrap();
    assert_eq!(json["plan"]["wait_ms"], 120_000);
    assert_eq!(json["plan"]["steps"][0]["after_ms"], 30_000);
    assert_eq!(json["plan"]["extension_ms"], 60_000);
    assert_eq!(json["recipients"][0]["status"], "ready");
    assert_eq!(json["recipients"][1]["deadline"], "2026-03-04T00:02:00.000Z");
}
