//! C35 to C37 and C44: what the controller is told, and when a replacement is done.

use serde_json::{Value, json};

use super::replaced;
use crate::replacement_scene::{CONTROLLER, FAILED, LEAD, NEW, Scene, text};

/// C35, ⚠13
#[test]
fn success_is_confirmed_to_the_controller() {
    let scene = Scene::new();
    let done = replaced(&scene);
    let told = scene.mail_of(CONTROLLER, "replacement_confirmation");
    assert_eq!(told.len(), 1);
    assert_eq!(told[0]["subject"], "[EOA] Agent Replacement Complete");
    assert_eq!((&told[0]["priority"], &told[0]["to_agent"]), (&json!("normal"), &json!(CONTROLLER)));
    let content = &told[0]["content"];
    assert_eq!(content["type"], "replacement_confirmation");
    assert_eq!(content["status"], "success");
    assert_eq!(content["failed_agent"], json!({"id": FAILED, "session": "session-of-implementer-1"}));
    assert_eq!(content["replacement_agent"], json!({"id": NEW, "session": "session-of-implementer-2"}));
    assert_eq!(
        content["details"],
        json!({"tasks_reassigned": 1, "tasks_uuids": [scene.task("GH-42")["task_uuid"]],
            "github_issues_updated": [], "handoff_id": done["handoff_id"], "handoff_url": done["url"],
            "ack_received_at": "2026-03-04T00:12:22.000Z", "total_time": "1 minute"})
    );
}

/// C36
#[test]
fn a_task_that_cannot_move_makes_it_partial() {
    let scene = Scene::new();
    let handoff = scene.hand_over(&["--task", "GH-42", "GH-43"]);
    scene.ready(&handoff).ok();
    scene.world.bb(["complete", "--agent", LEAD, "--task", "GH-43", "--cancel"]).ok();
    let run = scene.resume(&handoff, &["--accept-understanding"]);
    assert_eq!(run.code, 6, "{run}");
    let told = &scene.mail_of(CONTROLLER, "replacement_confirmation")[0];
    assert_eq!(told["subject"], "[EOA] Agent Replacement Partially Complete");
    assert_eq!((&told["priority"], &told["content"]["status"]), (&json!("high"), &json!("partial")));
    let details = &told["content"]["details"];
    assert_eq!((&details["tasks_reassigned"], &details["tasks_failed"]), (&json!(1), &json!(1)));
    assert_eq!(details["failed_tasks"][0]["uuid"], scene.task("GH-43")["task_uuid"]);
    assert!(details["failed_tasks"][0]["reason"].is_string());
    assert_eq!(details["action_required"], "manual_reassignment_needed");
    let body = text(&told["body"]);
    assert!(body.ends_with("(is cancelled)\nReassign by hand what of that is still to be done."), "{body}");
}

/// C37, ⚠12
#[test]
fn silence_is_a_failure_that_the_controller_hears_of() {
    let scene = Scene::new();
    let handoff = scene.hand_over(&[]);
    for seconds in [300, 150, 150] {
        scene.world.pass(seconds);
        scene.world.bb(["tick"]).ok();
    }
    assert_eq!(scene.resume(&handoff, &[]).code, 6);
    let told = &scene.mail_of(CONTROLLER, "replacement_confirmation")[0];
    assert_eq!(told["subject"], "[EOA] Agent Replacement Failed");
    assert_eq!((&told["priority"], &told["content"]["status"]), (&json!("urgent"), &json!("failed")));
    let error = &told["content"]["error"];
    assert_eq!((&error["code"], &error["reminders_sent"]), (&json!("NO_ACK_RECEIVED"), &json!(2)));
    assert_eq!(error["last_attempt"], "2026-03-04T00:18:52.000Z", "the second reminder");
    assert_eq!(told["content"]["action_required"], "provide_alternative_agent");
    assert_eq!(scene.task("GH-42")["agent"], FAILED, "nothing moved");
}

/// C44, H34, H35: each item is looked for, and what is missing is said.
#[test]
fn a_replacement_is_done_only_when_every_item_holds() {
    let scene = Scene::new();
    let handoff = scene.hand_over(&[]);
    let id = text(&handoff["handoff_id"]);
    let before = scene.world.json(["replace", "--status", &id]);
    assert_eq!(before["done"], false);
    assert_eq!(missing(&before), [0, 6, 6, 9, 0, 4, 3], "only the delivery is complete: {before}");
    let people = scene.world.bb(["replace", "--status", &id]).ok().stdout;
    assert_eq!((people.matches("[x]").count(), people.matches("[ ]").count()), (11, 28), "{people}");
    assert!(people.contains("[ ] status is ready_to_proceed (not verified: bb agent verify-ack"), "{people}");
    scene.ready(&handoff).ok();
    scene.verify(&handoff, &["--accept-understanding"]).ok();
    let verified = scene.world.json(["replace", "--status", &id]);
    assert_eq!(missing(&verified), [0, 2, 0, 9, 0, 4, 3], "{verified}");
    scene.resume(&handoff, &["--accept-understanding"]).ok();
    let status = scene.world.json(["replace", "--status", &id]);
    let sizes: Vec<_> = groups(&status).iter().map(|(_, items)| items.len()).collect();
    assert_eq!(sizes, [7, 6, 6, 9, 4, 4, 3]);
    let names: Vec<_> = groups(&status).into_iter().map(|(name, _)| name).collect();
    assert_eq!(
        names,
        [
            "Delivery",
            "After the acknowledgment",
            "ACK verification",
            "State",
            "GitHub",
            "Controller",
            "Audit"
        ]
    );
    assert_eq!(status["done"], true, "{status}");
    let people = scene.world.bb(["replace", "--status", &id]).ok().stdout;
    assert_eq!(people.matches("[x]").count(), 39, "{people}");
    scene.world.bb(["state", FAILED, "running"]).ok();
    let changed = scene.world.json(["replace", "--status", &id]);
    assert_eq!(missing(&changed), [0, 0, 0, 1, 0, 0, 0], "what is so in the store counts: {changed}");
}

fn groups(status: &Value) -> Vec<(String, Vec<bool>)> {
    let all = status["checklists"].as_array().unwrap().iter();
    let done =
        |group: &Value| group["items"].as_array().unwrap().iter().map(|it| it["done"] == true).collect();
    all.map(|group| (text(&group["group"]), done(group))).collect()
}

/// How many items of each group are missing.
fn missing(status: &Value) -> Vec<usize> {
    groups(status).iter().map(|(_, items)| items.iter().filter(|done| !**done).count()).collect()
}
