//! E25, E36 to E38: from the first checkpoint to the end.

use serde_json::json;

use crate::task_scene::{LEAD, OTTER, Scene};

/// E25: checkpoints, several for each task, then the completion.
#[test]
fn checkpoints_are_reported_and_then_the_completion() {
    let scene = Scene::acknowledged("received");
    scene.checkpoint("1", "Tests written").ok();
    scene.world.pass(60);
    let line = ["checkpoint", "--agent", OTTER, "--task", "GH-42", "--number", "2"];
    scene.json(&[&line[..], &["--summary", "Code written", "--next", "4"]].concat()).ok();
    let reported = scene.got(LEAD, "checkpoint-ack");
    let [second, first] = reported.as_slice() else { panic!("{reported:?}") };
    assert_eq!(first["content"]["type"], "checkpoint-ack");
    assert_eq!(first["content"]["task_id"], "GH-42");
    assert_eq!(first["content"]["checkpoint"], 1);
    assert_eq!(first["content"]["status"], "completed");
    assert_eq!(first["content"]["summary"], "Tests written");
    assert_eq!(first["content"]["next_checkpoint"], 2);
    assert_eq!(
        (&second["content"]["checkpoint"], &second["content"]["next_checkpoint"]),
        (&json!(2), &json!(4))
    );

    scene.complete(&["--summary", "Merged"]).ok();
    let complete = scene.newest(LEAD, "task-complete");
    assert_eq!(complete["content"]["type"], "task-complete");
    assert_eq!(complete["content"]["summary"], "Merged");
    assert_eq!(scene.status(), ("complete".to_owned(), false));
}

/// E25: reports arrive as JSON too.
#[test]
fn reports_arrive_as_json() {
    let scene = Scene::acknowledged("received");
    let line =
        ["send", "--from", OTTER, "--to", LEAD, "--bead", "bb-1", "--category", "INFO", "-s", "x", "-m", "x"];
    let checkpoint = r#"{"type":"checkpoint-ack","task_id":"GH-42","checkpoint":1,"status":"completed","summary":"Tests","next_checkpoint":2}"#;
    let complete = r#"{"type":"task-complete","task_id":"GH-42","summary":"Merged"}"#;
    let sent = scene.json(&[&line[..], &["--content", checkpoint]].concat()).ok().data();
    assert_eq!((&sent["kind"], &sent["tasks"][0]["status"]), (&json!("checkpoint-ack"), &json!("working")));
    scene.json(&[&line[..], &["--content", complete]].concat()).ok();
    assert_eq!(scene.status().0, "complete");
}

/// E36: the five things a delegator makes sure of.
#[test]
fn the_checklist_is_ticked_off() {
    let scene = Scene::assigned();
    let ticked = || {
        let shown = scene.run(&["tasks", "GH-42"]).ok().stdout;
        shown
            .lines()
            .filter(|line| line.starts_with('['))
            .map(|line| line.starts_with("[x]"))
            .collect::<Vec<_>>()
    };
    assert_eq!(ticked(), [true, false, false, false, false]);
    scene.ack(&["--question", "24h?"]).ok();
    assert_eq!(ticked(), [true, true, false, false, false]);
    scene.clarify(&["--answer", "yes"]).ok();
    scene.ack(&["--status", "confirmed", "--understanding", "JWT, 24h"]).ok();
    assert_eq!(ticked(), [true, true, true, true, true]);

    let late = Scene::assigned();
    late.world.pass(301);
    late.ack(&["--understanding", "JWT"]).ok();
    let shown = late.run(&["tasks", "GH-42"]).ok().stdout;
    assert!(shown.contains("\n[ ] acknowledged within 5 minutes\n"), "{shown}");
}

/// E37: the order of the flow.
#[test]
fn the_flow_has_its_order() {
    let scene = Scene::assigned();
    scene.ack(&["--question", "24h?"]).ok();
    scene.clarify(&["--answer", "yes"]).ok();
    scene.ack(&["--status", "confirmed", "--understanding", "JWT, 24h"]).ok();
    scene.checkpoint("1", "Tests").ok();
    scene.checkpoint("2", "Code").ok();
    scene.complete(&["--summary", "Merged"]).ok();
    let thread = scene.json(&["thread", "task:GH-42"]).ok().data();
    let flow: Vec<_> = thread["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|message| (message["from_agent"].as_str().unwrap(), message["kind"].as_str().unwrap()))
        .collect();
    assert_eq!(
        flow,
        [
            (LEAD, "task-assignment"),
            (OTTER, "task-acknowledgment"),
            (LEAD, "task-clarification"),
            (OTTER, "task-acknowledgment"),
            (OTTER, "checkpoint-ack"),
            (OTTER, "checkpoint-ack"),
            (OTTER, "task-complete"),
        ]
    );
    let events: Vec<_> = scene.events().into_iter().filter(|event| event.starts_with("task.")).collect();
    assert_eq!(
        events,
        [
            "task.assigned",
            "task.acknowledged",
            "task.clarified",
            "task.acknowledged",
            "task.checkpoint",
            "task.checkpoint",
            "task.completed",
        ]
    );
}

/// E38: a change of what is to be done, or something to be used, is acknowledged anew before work goes on.
#[test]
fn a_change_during_the_work_is_acknowledged_anew() {
    for change in ["the port is 8443 now", "use the schema in artifacts/schema.json"] {
        let scene = Scene::acknowledged("received");
        scene.checkpoint("1", "Tests").ok();
        scene.clarify(&["--supplement", change]).ok();
        let message = scene.newest(OTTER, "task-clarification");
        assert_eq!(message["content"]["missing_items"], json!([change]));
        assert_eq!(message["requires_ack"], true);
        scene.checkpoint("2", "Code").fails("INVALID_TASK", 65);
        scene.ack(&["--status", "confirmed", "--understanding", "JWT login, with the change"]).ok();
        scene.checkpoint("2", "Code").ok();
    }
}
