//! E8 to E12: acknowledging, asking, answering, confirming.

use serde_json::json;

use crate::task_scene::{LEAD, OTTER, Scene, body};

/// E8: the fields of an acknowledgment.
#[test]
fn an_acknowledgment_has_its_fields() {
    let scene = Scene::assigned();
    scene.world.pass(25);
    let plan = ["--checkpoint", "Tests written", "--checkpoint", "PR ready"];
    scene.ack(&[&["--status", "received", "--understanding", "JWT login"], &plan[..]].concat()).ok();
    let message = scene.newest(LEAD, "task-acknowledgment");
    let content = &message["content"];
    assert_eq!(content["type"], "task-acknowledgment");
    assert_eq!(content["task_id"], "GH-42");
    assert_eq!(content["status"], "received");
    assert_eq!(content["received_at"], "2026-03-04T00:11:47.000Z");
    assert_eq!(content["understanding"], "JWT login");
    assert_eq!(content["questions"], json!([]));
    assert_eq!(content["estimated_checkpoints"], json!(["Tests written", "PR ready"]));
    assert_eq!(message["reply_to"], scene.task()["message_id"]);
    assert_eq!(scene.status(), ("received".to_owned(), true));
}

/// E9: questions make it a request for clarification.
#[test]
fn questions_are_asked() {
    let scene = Scene::assigned();
    scene
        .ack(&["--status", "needs-clarification", "--question", "24h or 7 days?", "--question", "Refresh?"])
        .ok();
    let content = scene.newest(LEAD, "task-acknowledgment")["content"].clone();
    assert_eq!(content["status"], "needs-clarification");
    assert_eq!(content["questions"], json!(["24h or 7 days?", "Refresh?"]));
    assert_eq!(scene.task()["questions"], json!(["24h or 7 days?", "Refresh?"]));
    scene.ack(&["--status", "needs-clarification"]).fails("INVALID_TASK", 65);
}

/// E10: answers align with the questions by position.
#[test]
fn answers_align_with_questions() {
    let scene = Scene::assigned();
    scene.ack(&["--question", "24h or 7 days?", "--question", "Refresh?"]).ok();
    scene.clarify(&["--answer", "24 hours"]).fails("INVALID_TASK", 65);
    scene.clarify(&["--answer", "24 hours", "--answer", "Yes"]).ok();
    let message = scene.newest(OTTER, "task-clarification");
    assert_eq!(message["content"]["type"], "task-clarification");
    assert_eq!(message["content"]["task_id"], "GH-42");
    assert_eq!(message["content"]["answers"], json!(["24 hours", "Yes"]));
    assert!(body(&message).starts_with("1. 24h or 7 days?\nAnswer: 24 hours\n\n2. Refresh?\nAnswer: Yes\n"));
}

/// E11: the agent confirms with a new understanding.
#[test]
fn the_agent_confirms() {
    let scene = Scene::assigned();
    scene.ack(&["--question", "24h or 7 days?"]).ok();
    scene.clarify(&["--answer", "24 hours"]).ok();
    scene.ack(&["--status", "confirmed", "--understanding", "JWT with 24h expiry"]).ok();
    let content = scene.newest(LEAD, "task-acknowledgment")["content"].clone();
    assert_eq!(
        (&content["status"], &content["understanding"]),
        (&json!("confirmed"), &json!("JWT with 24h expiry"))
    );
    assert_eq!(scene.status(), ("confirmed".to_owned(), true));
    assert_eq!(scene.task()["questions"], json!([]));
}

/// E12: work begins only after `confirmed`, or `received` without questions.
#[test]
fn work_begins_only_after_the_acknowledgment() {
    let scene = Scene::assigned();
    let refused = scene.checkpoint("1", "x").fails("INVALID_TASK", 65);
    assert!(refused.document()["error"]["hint"].as_str().unwrap().contains("--status received"), "{refused}");

    scene.ack(&["--status", "received", "--understanding", "JWT", "--question", "24h?"]).ok();
    assert_eq!(scene.status(), ("needs-clarification".to_owned(), false));
    assert_eq!(scene.task()["reason"], "1 question waits for an answer from `lead-one`");
    scene.checkpoint("1", "x").fails("INVALID_TASK", 65);
    scene.complete(&[]).fails("INVALID_TASK", 65);

    scene.clarify(&["--answer", "yes"]).ok();
    scene.checkpoint("1", "x").fails("INVALID_TASK", 65);
    scene.ack(&["--status", "confirmed", "--understanding", "JWT, 24h"]).ok();
    scene.checkpoint("1", "Tests written").ok();

    let other = Scene::acknowledged("received");
    other.checkpoint("1", "Tests written").ok();
}

/// E12: a bare ack of an assignment is `received`, and is asked for what was understood.
#[test]
fn a_bare_ack_is_received_and_asked_for_an_understanding() {
    let scene = Scene::assigned();
    let message = scene.task()["message_id"].as_str().unwrap().to_owned();
    let acked = scene.json(&["ack", "--agent", OTTER, &message]).ok().data();
    assert_eq!((&acked["state"], &acked["task"]["status"]), (&json!("acked"), &json!("received")));
    assert!(acked["hint"].as_str().unwrap().contains("--understanding"), "{acked}");
    assert_eq!(scene.status(), ("received".to_owned(), true));
    let better = scene.ack(&["--understanding", "JWT login"]).ok().data();
    assert_eq!(better.get("hint"), None);
    assert_eq!(scene.task()["understanding"], "JWT login");
}
