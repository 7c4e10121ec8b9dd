//! H5 to H17: the notice to the replacement.

use serde_json::json;

use crate::replacement_scene::{CHECKPOINT, FAILED, NEW, Scene, UNDERSTANDING, text};

/// H5, H6, H7, H8, H9, H10, H11, H12, H13, H14
#[test]
fn the_notice_has_its_subject_kind_and_fields() {
    let scene = Scene::new();
    let handoff = scene.hand_over(&[]);
    let notice = &scene.mail_of(NEW, "replacement_handoff")[0];
    assert_eq!(notice["subject"], "[HANDOFF] Agent Replacement - You are replacing implementer-1");
    assert_eq!((&notice["priority"], &notice["requires_ack"]), (&json!("urgent"), &json!(true)));
    assert_eq!(notice["message_id"], handoff["message_id"]);
    let content = &notice["content"];
    assert_eq!(content["type"], "replacement_handoff");
    assert_eq!(content["handoff_id"], handoff["handoff_id"]);
    assert_eq!(text(&handoff["handoff_id"]).len(), 36, "a uuid");
    assert_eq!(content["handoff_url"], handoff["url"]);
    assert_eq!(content["failed_agent"], json!({"id": FAILED, "session": "session-of-implementer-1"}));
    assert_eq!(content["tasks"], json!([scene.task("GH-42")["task_uuid"]]));
    assert_eq!(
        (&content["urgency"], &content["ack_required_within"]),
        (&json!("immediate"), &json!("5 minutes"))
    );
    let message = content["message"].as_str().unwrap();
    for part in [FAILED, "context_loss", &text(&handoff["url"]), "within 5 minutes"] {
        assert!(message.contains(part), "{part}");
    }
}

/// H18, H38: whoever reads the notice is shown the lines that answer it in full, and each of them works.
#[test]
fn the_notice_is_read_with_the_lines_that_answer_it() {
    let scene = Scene::new();
    let handoff = scene.hand_over(&[]);
    let read = scene.world.json(["read", "--agent", NEW, &text(&handoff["message_id"])]);
    let ready = text(&read["acknowledge"]);
    assert!(ready.contains("--status ready_to_proceed --understanding "), "{ready}");
    let answers = &read["handshake"]["answers"];
    assert_eq!(answers["ok"], ready.as_str());
    assert!(text(&answers["ask"]).contains("--status needs_clarification --question "), "{answers}");
    assert!(text(&answers["cancel"]).contains("--status rejected --reason "), "{answers}");
    let people = scene.world.bb(["read", "--agent", NEW, &text(&handoff["message_id"])]).ok().stdout;
    assert!(people.contains("to ask     bb agent ack --agent implementer-2 "), "{people}");
    assert!(!people.contains("--ok"), "a plain word falls short: {people}");
    let words = ["ack", "--agent", NEW, "--message", &text(&handoff["message_id"])].map(str::to_owned);
    let mut filled: Vec<_> = words.to_vec();
    filled.extend(["--status", "ready_to_proceed", "--understanding", UNDERSTANDING].map(str::to_owned));
    filled.extend(["--starting-from", CHECKPOINT].map(str::to_owned));
    scene.world.bb(&filled).ok();
    assert_eq!(scene.verify(&handoff, &["--accept-understanding"]).code, 0);
}

/// H15, H16, H17
#[test]
fn urgency_gives_priority_and_time() {
    for (urgency, priority, minutes) in
        [("immediate", "urgent", 5), ("prepare", "high", 15), ("when_available", "normal", 30)]
    {
        let scene = Scene::new();
        let handoff = scene.hand_over(&["--urgency", urgency]);
        assert_eq!(handoff["priority"], priority);
        scene.world.pass(minutes * 60 - 1);
        scene.world.bb(["tick"]).ok();
        assert!(scene.mail_of(NEW, "handoff_reminder").is_empty(), "{urgency}");
        scene.world.pass(1);
        scene.world.bb(["tick"]).ok();
        assert_eq!(scene.mail_of(NEW, "handoff_reminder").len(), 1, "{urgency}");
    }
}
