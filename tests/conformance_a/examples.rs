//! A57 to A62: the examples of the protocol, second by second.

use serde_json::json;

use crate::wait_ack_scene::{LEAD, OTTER, Scene, told};

/// A57: ok at 25 seconds.
#[test]
fn ok_at_25_seconds_needs_no_reminder() {
    let scene = Scene::new();
    let asked = scene.ask();
    scene.watch(&asked, 25);
    scene.answer(&asked, OTTER, "ok");
    let run = scene.finish(&asked).ok();
    let data = run.data();
    assert_eq!((&data["reminders_sent"], &data["elapsed_seconds"]), (&json!(0), &json!(25)));
    assert_eq!(scene.kinds(OTTER), ["pre-operation"]);
    assert_eq!(
        told(&run),
        [
            "Started waiting for acknowledgment from amber-otter",
            "Agent amber-otter acknowledged - ready to proceed",
            "Acknowledgment received from amber-otter",
            "Proceeding with operation - agent acknowledged",
        ]
    );
}

/// A58: ok at 75 seconds, after exactly two reminders.
#[test]
fn ok_at_75_seconds_comes_after_2_reminders() {
    let scene = Scene::new();
    let asked = scene.ask();
    scene.watch(&asked, 75);
    scene.answer(&asked, OTTER, "ok");
    let run = scene.finish(&asked).ok();
    assert_eq!(run.data()["reminders_sent"], 2);
    assert_eq!(scene.received(OTTER, "reminder").len(), 2);
    assert!(told(&run).contains(&"Acknowledgment received from amber-otter after 2 reminders"), "{run}");
    assert_eq!(scene.events(&asked, "handshake.answered")[0]["data"]["after_reminders"], 2);
}

/// A59: silence: three reminders, then the notice at 120 seconds, with words of its own.
#[test]
fn silence_is_reminded_thrice_and_told_at_120_seconds() {
    let scene = Scene::new();
    let note = "You will be hibernated shortly.";
    let run = scene.world.bb([
        "wait-ack",
        "--from",
        LEAD,
        "--to",
        OTTER,
        "--operation",
        "skill-install",
        "--timeout-note",
        note,
    ]);
    assert_eq!(run.code, 3, "{run}");
    assert_eq!(scene.kinds(OTTER), ["pre-operation", "reminder", "reminder", "reminder", "timeout-notice"]);
    let notice = scene.received(OTTER, "timeout-notice").remove(0);
    assert_eq!(notice["created_at"], "2026-03-04T00:13:22.000Z");
    assert_eq!(
        notice["content"]["message"],
        format!("No response received after 2 minutes. Proceeding with operation now. {note}")
    );
}

/// A60, ⚠5: wait at 45 seconds: 135 seconds are left, until 180 seconds after the start.
#[test]
fn wait_at_45_seconds_leaves_135_seconds() {
    let scene = Scene::new();
    let asked = scene.ask();
    scene.watch(&asked, 45);
    let notes = "Need 30 more seconds to save state";
    let id = asked.request();
    scene.world.bb(["reply", "--agent", OTTER, "--message", id, "--wait", "--note", notes]).ok();
    let grant = scene.received(OTTER, "extension-granted").remove(0);
    assert_eq!((&grant["subject"], &grant["priority"]), (&json!("Extension Granted"), &json!("normal")));
    let content = &grant["content"];
    assert_eq!(content["type"], "extension-granted");
    assert_eq!(content["new_timeout"], "135 seconds");
    assert_eq!(content["extension_allowed_again"], false);
    assert_eq!(content["deadline"], "2026-03-04T00:14:22.000Z");
    let text = "Extension granted. You now have 135 seconds remaining. Please reply \"ok\" when ready.";
    assert_eq!(content["message"], text);
    let waited = scene.finish(&asked).data();
    assert_eq!((&waited["elapsed_seconds"], &waited["extension_granted"]), (&json!(180), &json!(true)));
    assert_eq!(waited["agents"][0]["response"]["notes"], notes);
    let reminders: Vec<_> = scene
        .received(OTTER, "reminder")
        .iter()
        .map(|it| (it["created_at"].clone(), it["content"]["time_remaining"].clone()))
        .collect();
    assert_eq!(
        reminders,
        [
            (json!("2026-03-04T00:11:52.000Z"), json!("90 seconds")),
            (json!("2026-03-04T00:12:22.000Z"), json!("120 seconds")),
            (json!("2026-03-04T00:12:52.000Z"), json!("90 seconds")),
        ]
    );
}

/// A61: a second wait is refused, and the deadline stays.
#[test]
fn a_second_wait_is_refused() {
    let scene = Scene::new();
    let asked = scene.ask();
    scene.world.pass(45);
    scene.answer(&asked, OTTER, "wait");
    scene.world.pass(15);
    scene.answer(&asked, OTTER, "wait");
    assert_eq!(scene.received(OTTER, "extension-granted").len(), 1);
    let refusal = scene.inbox(OTTER).pop().unwrap();
    assert_eq!(refusal["subject"], "Extension Not Granted");
    assert_eq!(refusal["content"]["extension_allowed_again"], false);
    assert_eq!(refusal["content"]["deadline"], "2026-03-04T00:14:22.000Z");
    assert_eq!(refusal["content"]["time_remaining"], "120 seconds");
    let run = scene.finish(&asked);
    assert_eq!(run.data()["elapsed_seconds"], 180);
    let line = "Agent amber-otter requested more time - no extension allowed, 120 seconds remaining";
    assert!(told(&run).contains(&line), "{run}");
}

/// A62: cancel: the operation is not run, and the notice goes out.
#[test]
fn a_cancelled_operation_is_not_run() {
    let scene = Scene::new();
    let asked = scene.ask();
    scene.watch(&asked, 10);
    scene.answer(&asked, OTTER, "cancel");
    let run = scene.run(&format!("wait-ack --resume {} --json -- touch begun", asked.operation));
    assert_eq!(run.code, 2, "{run}");
    assert_eq!((&run.data()["outcome"], &run.data()["proceed"]), (&json!("cancelled"), &json!(false)));
    assert!(!scene.world.work().join("begun").exists());
    assert_eq!(scene.kinds(OTTER), ["pre-operation", "cancellation-notice"]);
    let notice = scene.received(OTTER, "cancellation-notice").remove(0);
    assert_eq!(notice["content"]["type"], "cancellation-notice");
    assert_eq!(notice["content"]["operation"], "skill-install");
    assert_eq!(
        notice["content"]["message"],
        "amber-otter asked to cancel. The skill installation will not be performed."
    );
}
