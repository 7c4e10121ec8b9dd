//! Golden timelines of the default profile: exact messages at exact seconds.

use super::*;

/// A2, A36, A57: an "ok" before the first reminder proceeds without one.
#[test]
fn ok_before_the_first_reminder() {
    for seconds in [0.0, 25.0, 29.999] {
        let mut scene = Scene::operation();
        scene.says(seconds, OTTER, "ok").until(500.0);
        let answer = format!("{seconds} amber-otter answers ready after 0");
        let end = format!("{seconds} end acknowledged proceed");
        scene.expect(&[&answer, &end]);
        assert_eq!(scene.end().exit_code(), 0);
        assert!(scene.of(OTTER).skipped.is_empty());
        assert_eq!(scene.of(OTTER).responded_at, Some(at(seconds)));
    }
}

/// A24: an "ok" at the very instant of a reminder comes before it; the reminder is not sent.
#[test]
fn ok_at_30_seconds() {
    let mut scene = Scene::operation();
    scene.says(30.0, OTTER, "ok").until(500.0);
    scene.expect(&["30 amber-otter answers ready after 0", "30 end acknowledged proceed"]);
    assert_eq!(scene.of(OTTER).skipped, [1]);
}

/// A19: whoever looked at 30 seconds before the "ok" arrived has sent the first reminder.
#[test]
fn ok_at_30_seconds_after_the_look() {
    let mut scene = Scene::operation();
    scene.until(30.0).hears(30.0, OTTER, "ok").until(500.0);
    let rest = ["30 amber-otter answers ready after 1", "30 end acknowledged proceed"];
    scene.expect(&after_reminders(1, &rest));
}

/// A19, A20, A22, A24, A58: two reminders, then the "ok", then nothing.
#[test]
fn ok_at_75_seconds() {
    let mut scene = Scene::operation();
    scene.says(75.0, OTTER, "ok").until(500.0);
    let rest = ["75 amber-otter answers ready after 2", "75 end acknowledged proceed"];
    scene.expect(&after_reminders(2, &rest));
    assert_eq!(scene.of(OTTER).reminders_sent, 2);
}

/// A17: the last millisecond before the deadline is in time.
#[test]
fn ok_at_119_999_seconds() {
    let mut scene = Scene::operation();
    scene.says(119.999, OTTER, "ok").until(500.0);
    let rest = ["119.999 amber-otter answers ready after 3", "119.999 end acknowledged proceed"];
    scene.expect(&after_reminders(3, &rest));
    assert!(!scene.end().timeout_occurred);
}

/// A17, ⚠4: at the deadline it is late, and there is one end only.
#[test]
fn ok_at_120_seconds() {
    let mut scene = Scene::operation();
    scene.says(120.0, OTTER, "ok").until(500.0);
    let rest =
        ["120 amber-otter silent for 120 s", "120 end timed_out proceed", "120 amber-otter late with ready"];
    scene.expect(&after_reminders(3, &rest));
    assert_eq!(scene.end().exit_code(), 3);
    assert_eq!(scene.of(OTTER).late.as_ref().unwrap().verdict, Verdict::Ready);
    assert_eq!(scene.of(OTTER).responded_at, None);
}

/// A3, A19, A20, A21, A50, A59: silence gets three reminders and ends at 120 seconds; it proceeds.
#[test]
fn silence() {
    let mut scene = Scene::operation();
    scene.until(500.0);
    let rest = ["120 amber-otter silent for 120 s", "120 end timed_out proceed"];
    scene.expect(&after_reminders(3, &rest));
    let end = scene.end();
    assert_eq!(
        (end.acknowledgment_received, end.timeout_occurred, end.proceeded_anyway),
        (false, true, true)
    );
    assert_eq!(end.missing, [agent(OTTER)]);
    assert_eq!(end.exit_code(), 3);
}

/// A38, A60, ⚠5: "wait" at 45 seconds moves the deadline to 180; reminders keep their seconds
/// and tell the true time.
#[test]
fn wait_at_45_seconds() {
    let mut scene = Scene::operation();
    scene.says(45.0, OTTER, "wait").until(500.0);
    scene.expect(&[
        "30 gentle 1/3 to amber-otter, 90 s left",
        "45 extension for amber-otter, 135 s left, until 2026-03-04T00:03:00.000Z",
        "60 firm 2/3 to amber-otter, 120 s left",
        "90 final 3/3 to amber-otter, 90 s left",
        "180 amber-otter silent for 180 s",
        "180 end timed_out proceed",
    ]);
}

/// A39: "not ready" at 100 seconds does the same.
#[test]
fn not_ready_at_100_seconds() {
    let mut scene = Scene::operation();
    scene.says(100.0, OTTER, "not ready").says(179.999, OTTER, "ok");
    let rest = [
        "100 extension for amber-otter, 80 s left, until 2026-03-04T00:03:00.000Z",
        "179.999 amber-otter answers ready after 3",
        "179.999 end acknowledged proceed",
    ];
    scene.expect(&after_reminders(3, &rest));
}

/// A61: a second "wait" is refused and moves nothing.
#[test]
fn wait_at_45_and_100_seconds() {
    let mut scene = Scene::operation();
    scene.says(45.0, OTTER, "wait").says(100.0, OTTER, "wait").until(500.0);
    scene.expect(&[
        "30 gentle 1/3 to amber-otter, 90 s left",
        "45 extension for amber-otter, 135 s left, until 2026-03-04T00:03:00.000Z",
        "60 firm 2/3 to amber-otter, 120 s left",
        "90 final 3/3 to amber-otter, 90 s left",
        "100 no extension for amber-otter, 80 s left",
        "180 amber-otter silent for 180 s",
        "180 end timed_out proceed",
    ]);
    assert_eq!(scene.of(OTTER).deadline, at(180.0));
}

/// A40, A62, ⚠3: "cancel" ends it at once with its own code; nothing proceeds.
#[test]
fn wait_then_cancel() {
    let mut scene = Scene::operation();
    scene.says(45.0, OTTER, "wait").says(70.0, OTTER, "cancel").until(500.0);
    scene.expect(&[
        "30 gentle 1/3 to amber-otter, 90 s left",
        "45 extension for amber-otter, 135 s left, until 2026-03-04T00:03:00.000Z",
        "60 firm 2/3 to amber-otter, 120 s left",
        "70 amber-otter answers cancel after 2",
        "70 cancelled by amber-otter, tell amber-otter",
        "70 end cancelled stop",
    ]);
    assert_eq!(scene.end().exit_code(), 2);
    assert!(!scene.end().proceed);
}

/// ⚠4: an "ok" after the end is recorded as late and changes nothing.
#[test]
fn late_ok() {
    let mut scene = Scene::operation();
    scene.until(120.0);
    let end = scene.end().clone();
    scene.says(121.0, OTTER, "ok").until(500.0);
    let rest =
        ["120 amber-otter silent for 120 s", "120 end timed_out proceed", "121 amber-otter late with ready"];
    scene.expect(&after_reminders(3, &rest));
    assert_eq!(*scene.end(), end);
    assert_eq!(scene.of(OTTER).status, Status::Silent);
    assert_eq!(scene.of(OTTER).late.as_ref().unwrap().at, at(121.0));
}
