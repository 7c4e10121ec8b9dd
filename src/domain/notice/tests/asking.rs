//! The request, its reminders and the answer, field by field.

use serde_json::json;

use super::*;
use crate::domain::reply::Verdict;

/// A6, A7, A8, A9, A10, A11, A12, A13, A14, A15: the request, whole.
#[test]
fn the_request() {
    let notice = Scene::skill().request();
    assert_eq!(notice.subject, "Skill Installation Pending - Acknowledgment Required");
    assert_eq!(notice.priority, Priority::High);
    assert_eq!((notice.kind, notice.category), (Kind::PreOperation, Category::Blocked));
    assert!(notice.requires_ack);
    let message = "I will install the security-audit skill. Please finish your current work and reply \
                   with \"ok\" when ready. I will wait up to 2 minutes.";
    assert_eq!(notice.body, message);
    assert_eq!(
        notice.content,
        json!({
            "type": "pre-operation",
            "message": message,
            "operation": "skill-install",
            "requires_acknowledgment": true,
            "acknowledgment_timeout": 120,
            "acknowledgment_reminder_intervals": [30, 60, 90],
            "acknowledgment_instructions": instructions_with(true),
            "operation_id": "op_1",
        })
    );
}

/// A6, A10: each known operation, and any other, has its subject.
#[test]
fn every_operation_has_a_subject() {
    for (kind, title) in [
        ("plugin-install", "Plugin Installation"),
        ("restart", "Agent Restart"),
        ("maintenance", "System Maintenance"),
        ("rolling-deploy", "Rolling Deploy"),
    ] {
        let operation = Operation { kind: kind.to_owned(), ..Operation::default() };
        let notice = Scene::new(Profile::Operation, operation).request();
        assert_eq!(notice.subject, format!("{title} Pending - Acknowledgment Required"));
        assert_eq!(notice.content["operation"], kind);
    }
}

/// A9, A12, A13: the request states the wait it really has.
#[test]
fn the_request_states_its_own_numbers() {
    let overrides = Overrides {
        timeout: Some(Duration::from_secs(90)),
        remind_at: Some(vec![]),
        extend: Some(None),
        ..Overrides::default()
    };
    let notice = Scene::with(Profile::Operation, &overrides, skill(), &[OTTER]).request();
    assert!(notice.body.ends_with("I will wait up to 1 minute 30 seconds."), "{}", notice.body);
    assert_eq!(notice.content["acknowledgment_timeout"], 90);
    assert_eq!(notice.content["acknowledgment_reminder_intervals"], json!([]));
    assert_eq!(notice.content["acknowledgment_instructions"], instructions_with(false));
}

/// A67: the messages of a fan-out carry both ids.
#[test]
fn a_fan_out_is_correlated() {
    let operation = Operation { broadcast_id: Some("bc_1".to_owned()), ..skill() };
    let mut scene = Scene::with(Profile::MultiAgent, &Overrides::default(), operation, &[OTTER, "zinc-yak"]);
    let notice = scene.request();
    scene.until(500);
    assert_eq!(scene.sent.len(), 2 * (3 + 1));
    for notice in scene.sent.iter().map(|(.., notice)| notice).chain([&notice]) {
        assert_eq!(notice.content["broadcast_id"], "bc_1");
        assert_eq!(notice.content["operation_id"], "op_1");
    }
}

/// A25, A26, A27, A28, A29, A30, ⚠2: a reminder, whole.
#[test]
fn a_reminder() {
    let mut scene = Scene::skill();
    scene.until(30);
    let (_, to, notice) = &scene.sent[0];
    assert_eq!(*to, agent(OTTER));
    assert_eq!(notice.subject, "Reminder: Acknowledgment Required");
    assert_eq!(
        (notice.kind, notice.category, notice.priority),
        (Kind::Reminder, Category::Info, Priority::High)
    );
    assert!(!notice.requires_ack);
    let message = "Reminder: Please reply 'ok' when ready for the pending skill installation. \
                   90 seconds remaining before I proceed.";
    assert_eq!(notice.body, message);
    assert_eq!(
        notice.content,
        json!({
            "type": "reminder",
            "message": message,
            "original_operation": "skill-install",
            "time_remaining": "90 seconds",
            "reminder_number": 1,
            "total_reminders": 3,
            "acknowledgment_instructions": instructions_with(true),
            "operation_id": "op_1",
        })
    );
}

/// A19, A20, A21, A26, A28, A31: numbers, seconds and tones of all three.
#[test]
fn reminders_count_down_and_get_firmer() {
    let mut scene = Scene::skill();
    scene.until(90);
    let told: Vec<_> = scene
        .sent
        .iter()
        .map(|(seconds, _, notice)| {
            (*seconds, notice.content["reminder_number"].clone(), notice.content["time_remaining"].clone())
        })
        .collect();
    assert_eq!(
        told,
        [
            (30, json!(1), json!("90 seconds")),
            (60, json!(2), json!("60 seconds")),
            (90, json!(3), json!("30 seconds"))
        ]
    );
    let ends = [
        "before I proceed.",
        "before I proceed. I still have no answer from you: please give one now.",
        "before I proceed. Final notice: no further reminder follows.",
    ];
    for ((.., notice), end) in scene.sent.iter().zip(ends) {
        assert!(notice.body.ends_with(end), "{}", notice.body);
    }
}

#[test]
fn a_reminder_does_not_threaten_to_proceed_where_silence_stops() {
    let mut scene = Scene::new(Profile::Approval, skill());
    scene.until(60);
    assert!(scene.last().body.ends_with("60 seconds remaining before I stop waiting."));
}

/// A45: the answer.
#[test]
fn the_answer() {
    let subject = Scene::skill().request().subject;
    let notice = acknowledgment(&subject, Verdict::Ready, "ok", Some("saved"));
    assert_eq!(notice.subject, "RE: Skill Installation Pending - Acknowledgment Required");
    assert_eq!(
        (notice.kind, notice.category, notice.requires_ack),
        (Kind::Acknowledgment, Category::Info, false)
    );
    assert_eq!(notice.body, "ok");
    assert_eq!(
        notice.content,
        json!({"type": "acknowledgment", "message": "ok", "ready": true, "notes": "saved"})
    );
    let wait = acknowledgment("S", Verdict::NeedsTime, "wait", None);
    assert_eq!(
        wait.content,
        json!({"type": "acknowledgment", "message": "wait", "ready": false, "notes": null})
    );
}
