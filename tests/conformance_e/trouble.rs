//! E40 to E44: what goes wrong, and what helps.

use serde_json::json;

use crate::task_scene::{HERON, LEAD, OTTER, Scene, body, id};

/// E40: a wrong understanding is quoted and corrected; work waits; who misunderstands again loses the task.
#[test]
fn a_wrong_understanding_is_corrected_and_blocks_the_work() {
    let scene = Scene::acknowledged("received");
    scene.clarify(&["--correct", "session cookies"]).ok();
    let correction = scene.newest(OTTER, "task-clarification");
    assert!(
        body(&correction)
            .starts_with("Your understanding: JWT login. Correct understanding: session cookies\n")
    );
    assert_eq!(scene.status(), ("needs-clarification".to_owned(), false));
    scene.checkpoint("1", "x").fails("INVALID_TASK", 65);
    scene.ack(&["--status", "confirmed", "--understanding", "jwt  LOGIN"]).fails("INVALID_TASK", 65);
    scene.ack(&["--status", "confirmed", "--understanding", "cookies, no JWT"]).ok();
    assert_eq!(scene.status(), ("confirmed".to_owned(), true));
    scene.json(&["assign", "--from", LEAD, "--to", HERON, "--task", "GH-42", "--reassign"]).ok();
    assert_eq!((&scene.task()["agent"], scene.got(OTTER, "cancellation-notice").len()), (&json!(HERON), 1));
}

/// E41: vague questions are answered with the criteria to choose from; the task may be too large.
#[test]
fn vague_questions_are_asked_back() {
    let scene = Scene::assigned();
    scene.ack(&["--question", "What is meant?"]).ok();
    assert_eq!(scene.wait(&[]).code, 7);
    scene.clarify(&["--vague"]).ok();
    let back = scene.newest(OTTER, "task-clarification");
    assert!(body(&back).starts_with(
        "Which part of the acceptance criteria of GH-42 is unclear?\n1. login works\n2. logout works\n"
    ));
    assert!(body(&back).contains("too large") && body(&back).contains("split"));
    // The word is with the agent now, and can be waited for.
    scene.wait(&["--no-wait"]);
    scene.ack(&["--question", "login works: also with a phone?"]).ok();
    assert_eq!(scene.wait(&[]).data()["task"]["questions"], json!(["login works: also with a phone?"]));
}

/// E42: a queued task that does not begin is asked about after 15 minutes, and escalated after 15 more.
#[test]
fn a_queued_task_that_never_begins_is_asked_about_and_escalated() {
    let scene = Scene::assigned();
    scene.ack(&["--status", "queued", "--note", "GH-41 first"]).ok();
    scene.world.pass(899);
    assert_eq!(scene.json(&["tick"]).ok().data()["tasks"], json!([]));
    scene.world.pass(1);
    assert_eq!(scene.task()["reason"], "`amber-otter` queued it 15m ago and has not begun");
    let ticked = scene.json(&["tick"]).ok().data();
    assert_eq!(
        (&ticked["tasks"][0]["task_id"], &ticked["next_due_at"]),
        (&json!("GH-42"), &json!("2026-03-04T00:41:22.000Z"))
    );
    let check = scene.newest(OTTER, "ack-request");
    for part in ["You said: GH-41 first", "begin now", "blocked", "15 minutes"] {
        assert!(body(&check).contains(part), "{part}");
    }
    assert_eq!(scene.json(&["tick"]).ok().data()["tasks"], json!([]), "asked once");
    scene.world.pass(900);
    scene.run(&["tick"]).ok();
    assert_eq!(scene.newest("ecos-controller", "escalation")["content"]["reason"], "never_started");
    scene.ack(&["--status", "received", "--understanding", "JWT"]).ok();
    assert_eq!(scene.status(), ("received".to_owned(), true));
    scene.world.pass(9000);
    assert_eq!(scene.json(&["tick"]).ok().data()["tasks"], json!([]));
}

/// E43: the same task is with one agent only, and keeps its `task_uuid`.
#[test]
fn a_task_is_with_one_agent_only() {
    let scene = Scene::assigned();
    let refused = scene.assign_to("GH-42", HERON, &[]).fails("INVALID_TASK", 65);
    assert!(
        refused.document()["error"]["message"].as_str().unwrap().contains("already with `amber-otter`"),
        "{refused}"
    );
    assert_eq!(scene.got(HERON, "task-assignment").len(), 0);
    let uuid = scene.task()["task_uuid"].clone();
    let again = scene.assign("GH-42", OTTER, &[]);
    assert_eq!((&again["duplicate"], &again["task_uuid"]), (&json!(true), &uuid));
    assert_eq!(scene.got(OTTER, "task-assignment").len(), 1);
}

/// E43: of two agents that acknowledge, the wrong one is cancelled and the right one told that it is alone.
#[test]
fn of_two_that_acknowledge_the_wrong_one_is_cancelled() {
    let scene = Scene::acknowledged("received");
    scene.json(&["assign", "--from", LEAD, "--to", HERON, "--task", "GH-42", "--reassign"]).ok();
    let stop = id(&scene.newest(OTTER, "cancellation-notice"));
    scene.json(&["ack", "--agent", OTTER, &stop]).ok();
    scene.ack_as(HERON, &["--understanding", "JWT"]).ok();

    let refused = scene.ack(&["--status", "received"]).fails("ACK_FORBIDDEN", 77);
    assert!(refused.document()["error"]["hint"].as_str().unwrap().contains("stop working"), "{refused}");
    assert_eq!(scene.got(OTTER, "cancellation-notice").len(), 2);
    let alone = scene.newest(HERON, "task-clarification");
    assert!(body(&alone).contains("You are the sole assignee of task GH-42."));
    assert_eq!(alone["requires_ack"], true);

    // Said again, in another way, neither of them is told a second time.
    let sent = scene.says(OTTER, LEAD, "[ACK] GH-42 - RECEIVED").ok().data();
    assert_eq!(sent["warnings"][0], "task `GH-42` is with `blue-heron`: stop working on it");
    assert_eq!(scene.got(OTTER, "cancellation-notice").len(), 2);
    assert_eq!(scene.got(HERON, "task-clarification").len(), 1);
    assert_eq!((&scene.task()["agent"], scene.status().1), (&json!(HERON), true));
    scene.json(&["ack", "--agent", HERON, &id(&alone)]).ok();
    assert_eq!(scene.status(), ("received".to_owned(), true));
}

/// E44: a raised timeout, an answer by plain mail, and an answer after the end that puts things right.
#[test]
fn an_agent_behind_a_bad_line_is_heard_in_the_end() {
    let scene = Scene::assigned();
    let patient = scene.wait(&["--timeout", "800"]).data();
    assert_eq!(patient["elapsed_seconds"], 800);
    assert_eq!(patient["agents"][0]["liveness"], "active");
    scene.world.pass(1000);
    assert_eq!((scene.state_of(OTTER).as_str(), scene.status().0.as_str()), ("unresponsive", "unresponsive"));
    scene.says(OTTER, LEAD, "My line was down.\n\n[ACK] GH-42 - RECEIVED\nUnderstanding: JWT").ok();
    assert_eq!(scene.status(), ("received".to_owned(), true));
    assert_eq!(scene.state_of(OTTER), "idle");
    assert_eq!(scene.wait(&[]).ok().data()["outcome"], "acknowledged");
}
