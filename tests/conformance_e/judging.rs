//! E45, E47 to E50: the delegator judges what was understood.

use serde_json::json;

use crate::task_scene::{OTTER, Scene, body};

/// E45: the right id and a right summary: logged, and the work goes on.
#[test]
fn a_right_acknowledgment_is_logged_and_monitored() {
    let scene = Scene::acknowledged("received");
    let log = scene.json(&["log"]).ok().data();
    let acked = log.as_array().unwrap().iter().find(|event| event["event"] == "task.acknowledged").unwrap();
    assert_eq!((&acked["agent"], &acked["about"]), (&json!(OTTER), &json!("GH-42")));
    assert_eq!(
        (&acked["data"]["understanding"], &acked["data"]["begins"]),
        (&json!("JWT login"), &json!(true))
    );
    assert_eq!(scene.wait(&[]).ok().data()["proceed"], true);
    assert_eq!(scene.task()["understanding"], "JWT login");
}

/// E47: a wrong summary is corrected in these words, and a new acknowledgment asked for.
#[test]
fn a_wrong_summary_is_corrected_in_its_words() {
    let scene = Scene::acknowledged("received");
    scene.clarify(&["--correct", "session cookies"]).ok();
    let correction = scene.newest(OTTER, "task-clarification");
    assert!(
        body(&correction).contains("Your understanding: JWT login. Correct understanding: session cookies")
    );
    assert!(body(&correction).contains("--status confirmed"));
    assert_eq!(correction["content"]["your_understanding"], "JWT login");
    assert_eq!(correction["content"]["correct_understanding"], "session cookies");
    assert_eq!(
        (&correction["requires_ack"], &correction["content"]["correction"]),
        (&json!(true), &json!(1))
    );
}

/// E48: a corrected acknowledgment proceeds, and the old one does not end the new wait.
#[test]
fn a_corrected_acknowledgment_proceeds() {
    let scene = Scene::acknowledged("received");
    assert_eq!(scene.wait(&[]).code, 0);
    scene.clarify(&["--correct", "session cookies"]).ok();
    assert_eq!(scene.wait(&["--block-for", "5"]).code, 75, "the old answer does not count any more");
    scene.world.pass(5);
    scene.ack(&["--status", "confirmed", "--understanding", "session cookies"]).ok();
    assert_eq!(scene.wait(&[]).code, 0);
    assert_eq!(scene.status(), ("confirmed".to_owned(), true));
}

/// E49: still wrong after two corrections: escalated.
#[test]
fn the_third_wrong_understanding_escalates() {
    let scene = Scene::acknowledged("received");
    for wrong in ["JWT logout", "JWT both"] {
        scene.clarify(&["--correct", "session cookies"]).ok();
        scene.ack(&["--status", "confirmed", "--understanding", wrong]).ok();
    }
    assert!(!scene.events().contains(&"task.escalated".to_owned()));
    let third = scene.clarify(&["--correct", "session cookies"]).ok().data();
    assert_eq!(
        (&third["sent"][0]["kind"], &third["sent"][0]["to_agent"]),
        (&json!("escalation"), &json!("ecos-controller"))
    );
    let escalation = scene.newest("ecos-controller", "escalation");
    assert_eq!(escalation["content"]["reason"], "misunderstood");
    assert_eq!(escalation["content"]["understanding"], "JWT both");
    assert!(body(&escalation).contains("may lack what the task needs"));
    scene.ack(&["--status", "confirmed", "--understanding", "cookies"]).fails("INVALID_TASK", 65);
    assert_eq!(scene.task()["reason"], "still misunderstood after 2 corrections, and escalated");
}

/// E50: a partial summary is supplemented, and an updated acknowledgment asked for.
#[test]
fn a_partial_summary_is_supplemented() {
    let scene = Scene::acknowledged("received");
    scene.clarify(&["--supplement", "logout", "--supplement", "tests"]).ok();
    let message = scene.newest(OTTER, "task-clarification");
    assert!(body(&message).contains("These belong to the task too:\n1. logout\n2. tests\n"));
    assert_eq!(message["content"]["missing_items"], json!(["logout", "tests"]));
    assert_eq!(scene.status(), ("needs-clarification".to_owned(), false));
    scene.ack(&["--status", "confirmed", "--understanding", "JWT login"]).fails("INVALID_TASK", 65);
    scene.ack(&["--status", "confirmed", "--understanding", "JWT login, logout, tests"]).ok();
    assert_eq!(scene.status(), ("confirmed".to_owned(), true));
}
