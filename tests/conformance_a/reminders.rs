//! A19 to A33: reminders.

use std::time::Duration;

use serde_json::{Value, json};

use crate::wait_ack_scene::{LEAD, OTTER, Scene, told};

/// When each reminder was sent, its number, and the time it says is left.
fn reminders(scene: &Scene) -> Vec<(String, u64, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    scene
        .received(OTTER, "reminder")
        .iter()
        .map(|it| {
            let content = &it["content"];
            let number = content["reminder_number"].as_u64().unwrap();
            (text(&it["created_at"]), number, text(&content["time_remaining"]))
        })
        .collect()
}

fn reminder(at: &str, number: u64, left: &str) -> (String, u64, String) {
    (format!("2026-03-04T00:{at}.000Z"), number, left.to_owned())
}

/// A19, A20, A21, A27, A28, ⚠2: at 30, 60 and 90 seconds, numbered, with the time that is left.
#[test]
fn three_reminders_each_with_its_number_and_the_time_left() {
    let scene = Scene::new();
    let asked = scene.ask();
    scene.finish(&asked);
    assert_eq!(
        reminders(&scene),
        [
            reminder("11:52", 1, "90 seconds"),
            reminder("12:22", 2, "60 seconds"),
            reminder("12:52", 3, "30 seconds")
        ]
    );
}

/// A22: however often and by however many it is looked, each reminder is sent once.
#[test]
fn each_reminder_is_sent_once() {
    let scene = Scene::new();
    let asked = scene.ask();
    for second in [30, 30, 31, 59, 60, 60, 75, 90, 91, 119] {
        scene.run_at(Duration::from_secs(second), "tick").ok();
        let resume = format!("wait-ack --resume {} --no-wait", asked.operation);
        assert_eq!(scene.run_at(Duration::from_secs(second), &resume).code, 75);
    }
    let numbers: Vec<_> = reminders(&scene).into_iter().map(|(_, number, _)| number).collect();
    assert_eq!(numbers, [1, 2, 3]);
}

/// A23: a reminder that is overdue is sent late, with the time that is really left.
#[test]
fn an_overdue_reminder_is_sent_late_rather_than_never() {
    let scene = Scene::new();
    scene.ask();
    scene.run_at(Duration::from_secs(29), "tick").ok();
    assert_eq!(reminders(&scene), []);
    scene.run_at(Duration::from_secs(35), "tick").ok();
    assert_eq!(reminders(&scene), [reminder("11:57", 1, "85 seconds")]);
}

/// A23: after a gap only the newest one is sent, and the others are on record as skipped.
#[test]
fn after_a_gap_only_the_newest_reminder_is_sent() {
    let scene = Scene::new();
    let asked = scene.ask();
    scene.run_at(Duration::from_secs(95), "tick").ok();
    assert_eq!(reminders(&scene), [reminder("12:57", 3, "25 seconds")]);
    assert_eq!(scene.events(&asked, "handshake.remind")[0]["data"]["skipped"], json!([1, 2]));
}

/// A24: nobody is reminded of what it has answered.
#[test]
fn no_reminder_follows_an_ack() {
    let scene = Scene::with(&[OTTER, "zinc-yak"]);
    let asked = scene.ask_with("amber-otter,zinc-yak", "");
    scene.watch(&asked, 40);
    scene.run(&format!("ack --agent {OTTER} --message {}", asked.request_to(OTTER))).ok();
    scene.finish(&asked);
    assert_eq!(scene.received(OTTER, "reminder").len(), 1);
    assert_eq!(scene.received("zinc-yak", "reminder").len(), 3);
}

/// A25, A29, A30: subject, priority, type, how many there are, and what it was about.
#[test]
fn a_reminder_says_what_it_is_about() {
    let scene = Scene::new();
    let asked = scene.ask();
    scene.finish(&asked);
    for reminder in scene.received(OTTER, "reminder") {
        assert_eq!(reminder["subject"], "Reminder: Acknowledgment Required");
        assert_eq!(reminder["priority"], "high");
        assert_eq!((&reminder["category"], &reminder["requires_ack"]), (&json!("INFO"), &json!(false)));
        assert_eq!(reminder["from_agent"], LEAD);
        assert_eq!(reminder["reply_to"], asked.request());
        let content = &reminder["content"];
        assert_eq!(content["type"], "reminder");
        assert_eq!(content["total_reminders"], 3);
        assert_eq!(content["original_operation"], "skill-install");
        assert_eq!(content["operation_id"], asked.operation);
    }
}

/// A26, A31: the text is the same but for the seconds, and its tone rises: gentle, firm, final.
#[test]
fn the_tone_of_the_reminders_rises() {
    let scene = Scene::new();
    let asked = scene.ask();
    scene.finish(&asked);
    let texts: Vec<_> = scene
        .received(OTTER, "reminder")
        .iter()
        .map(|it| {
            assert_eq!(it["body"], it["content"]["message"]);
            it["body"].as_str().unwrap().to_owned()
        })
        .collect();
    let plain = |seconds| {
        format!(
            "Reminder: Please reply 'ok' when ready for the pending skill installation. {seconds} seconds \
             remaining before I proceed."
        )
    };
    assert_eq!(texts[0], plain(90));
    assert_eq!(
        texts[1].strip_prefix(&plain(60)).unwrap(),
        " I still have no answer from you: please give one now."
    );
    assert_eq!(texts[2].strip_prefix(&plain(30)).unwrap(), " Final notice: no further reminder follows.");
}

/// A33: the acknowledgment is told with its date.
#[test]
fn the_acknowledgment_is_told_with_its_date() {
    let scene = Scene::new();
    let asked = scene.ask();
    scene.world.pass(25);
    scene.answer(&asked, OTTER, "ok");
    let run = scene.finish(&asked);
    let line = "[2026-03-04T00:11:47.000Z] Acknowledgment received from amber-otter\n";
    assert!(run.stderr.contains(line), "{run}");
    assert!(told(&run).contains(&"Acknowledgment received from amber-otter"));
}
