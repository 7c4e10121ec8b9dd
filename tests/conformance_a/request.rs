//! A6 to A18: the request, and the wait that begins with it.

use std::time::Duration;

use serde_json::{Value, json};

use crate::wait_ack_scene::{LEAD, OTTER, Scene, told};

fn request(scene: &Scene) -> Value {
    let mut requests = scene.received(OTTER, "pre-operation");
    assert_eq!(requests.len(), 1);
    requests.remove(0)
}

fn described(scene: &Scene, operation: &str, description: &str) -> Value {
    let run = scene.world.bb([
        "wait-ack",
        "--from",
        LEAD,
        "--to",
        OTTER,
        "--operation",
        operation,
        "--describe",
        description,
        "--no-wait",
    ]);
    assert_eq!(run.code, 75, "{run}");
    request(scene)
}

/// A6, A10: the subject names the operation, and so does the content.
#[test]
fn the_subject_names_the_operation() {
    for (operation, title) in [
        ("skill-install", "Skill Installation"),
        ("plugin-install", "Plugin Installation"),
        ("restart", "Agent Restart"),
        ("maintenance", "System Maintenance"),
        ("rolling-deploy", "Rolling Deploy"),
    ] {
        let scene = Scene::new();
        scene.open(&format!("--from {LEAD} --to {OTTER} --operation {operation}"));
        let request = request(&scene);
        assert_eq!(request["subject"], format!("{title} Pending - Acknowledgment Required"));
        assert_eq!(request["content"]["operation"], operation);
    }
}

/// A7, A8: priority high, kind and type `pre-operation`.
#[test]
fn the_request_is_urgent_enough_to_be_seen() {
    let scene = Scene::new();
    scene.ask();
    let request = request(&scene);
    assert_eq!(request["priority"], "high");
    assert_eq!(
        (&request["kind"], &request["content"]["type"]),
        (&json!("pre-operation"), &json!("pre-operation"))
    );
    assert_eq!((&request["category"], &request["from_agent"]), (&json!("BLOCKED"), &json!(LEAD)));
}

/// A9: the text says what will happen, asks for an "ok", and says how long is waited.
#[test]
fn the_text_says_what_happens_what_to_answer_and_how_long_there_is() {
    let scene = Scene::new();
    let request = described(&scene, "skill-install", "install the security-audit skill");
    let text = "I will install the security-audit skill. Please finish your current work and reply with \
                \"ok\" when ready. I will wait up to 2 minutes.";
    assert_eq!(request["content"]["message"], text);
    assert_eq!(request["body"], text);
}

/// A11, A12, A13, ⚠19: an ack is required, within 120 seconds, with reminders at 30, 60 and 90.
#[test]
fn the_numbers_travel_with_the_request() {
    let scene = Scene::new();
    scene.ask();
    let request = request(&scene);
    assert_eq!(request["requires_ack"], true);
    let content = &request["content"];
    assert_eq!(content["requires_acknowledgment"], true);
    assert_eq!(content["acknowledgment_timeout"], 120);
    assert_eq!(content["acknowledgment_reminder_intervals"], json!([30, 60, 90]));
}

/// A13: where nothing is said about reminders, the usual ones are sent.
#[test]
fn a_plain_message_is_reminded_at_the_usual_times() {
    let scene = Scene::new();
    let id = scene.world.send(LEAD, OTTER, "BLOCKED", "Need a key");
    let asked = scene.open(&id);
    assert_eq!(scene.data("waits")[0]["reminders_at"], json!([30, 60, 90]));
    assert_eq!(scene.finish(&asked).data()["reminders_sent"], 3);
}

/// A14: the three answers and their texts.
#[test]
fn the_request_teaches_its_three_answers() {
    let scene = Scene::new();
    let asked = scene.ask();
    let instructions = &request(&scene)["content"]["acknowledgment_instructions"];
    assert_eq!(instructions["ready"], "Reply with 'ok' to proceed");
    assert_eq!(instructions["need_time"], "Reply with 'wait' for more time (up to 1 additional minute)");
    assert_eq!(instructions["cancel"], "Reply with 'cancel' to abort the operation");
    let reply = format!("bb agent reply --agent {OTTER} --message {}", asked.request());
    assert_eq!(instructions["commands"]["ready"], format!("{reply} --ok"));
}

/// A15: the four critical elements, also of an operation nobody described.
#[test]
fn the_four_critical_elements_are_always_there() {
    for operation in ["skill-install", "plugin-install", "restart", "maintenance", "own-word"] {
        let scene = Scene::new();
        scene.open(&format!("--from {LEAD} --to {OTTER} --operation {operation} --timeout 90s"));
        let request = request(&scene);
        let text = request["content"]["message"].as_str().unwrap();
        assert!(text.starts_with("I will "), "{text}");
        assert!(text.contains("reply with \"ok\""), "{text}");
        assert!(text.ends_with("I will wait up to 1 minute 30 seconds."), "{text}");
        assert_eq!(request["priority"], "high");
    }
}

/// A16: the wait is announced with a date.
#[test]
fn the_start_of_the_wait_is_told_with_its_date() {
    let scene = Scene::new();
    let asked = scene.ask();
    let run = scene.watch(&asked, 5);
    assert_eq!(
        run.stderr,
        "[2026-03-04T00:11:22.000Z] Started waiting for acknowledgment from amber-otter\n"
    );
    assert_eq!(told(&run).len(), 1);
}

/// A17: it is too late at 120 seconds, and not a millisecond before.
#[test]
fn the_time_is_up_exactly_at_the_timeout() {
    for (millis, counts) in [(119_999, true), (120_000, false), (120_001, false)] {
        let scene = Scene::new();
        let asked = scene.ask();
        let ack = format!("ack --agent {OTTER} --message {}", asked.request());
        scene.run_at(Duration::from_millis(millis), &ack).ok();
        let data = scene.finish(&asked).data();
        let expected = if counts { ("acknowledged", "ready") } else { ("timed_out", "silent") };
        let outcome = data["outcome"].as_str().unwrap();
        assert_eq!((outcome, data["agents"][0]["status"].as_str().unwrap()), expected, "at {millis} ms");
    }
}

/// A17: a look just before the deadline ends nothing.
#[test]
fn a_look_before_the_deadline_ends_nothing() {
    let scene = Scene::new();
    let asked = scene.ask();
    let before = scene.run_at(Duration::from_millis(119_999), "tick --json").ok().data();
    assert_eq!(before["ended"], json!([]));
    let after = scene.run_at(Duration::from_millis(120_000), "tick --json").ok().data();
    assert_eq!(after["ended"][0]["operation_id"], asked.operation);
}

/// A18: agent, timeout and reminders are parameters.
#[test]
fn agent_timeout_and_reminders_can_be_chosen() {
    let scene = Scene::with(&["zinc-yak"]);
    let asked = scene.ask_with("zinc-yak", "--timeout 40s --remind-at 10,25");
    let run = scene.finish(&asked);
    assert_eq!(
        told(&run),
        [
            "Started waiting for acknowledgment from zinc-yak",
            "Reminder 1 of 2 sent to zinc-yak - 30 seconds remaining",
            "Reminder 2 of 2 sent to zinc-yak - 15 seconds remaining",
            "WARNING: Timeout - no acknowledgment from zinc-yak after 40 seconds",
            "Proceeding with operation - no acknowledgment from zinc-yak",
        ]
    );
}
