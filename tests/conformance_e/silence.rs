//! E13 to E18, E28, E29, E39: an agent that does not answer.

use serde_json::json;

use crate::task_scene::{HERON, LEAD, OTTER, Scene, YAK, body};

/// Seconds between the assignment and a message.
fn after(message: &serde_json::Value) -> i64 {
    let at: bb_agent::domain::Timestamp = message["created_at"].as_str().unwrap().parse().unwrap();
    let start: bb_agent::domain::Timestamp = "2026-03-04T00:11:22.000Z".parse().unwrap();
    (at.millis() - start.millis()) / 1000
}

/// E13, ⚠6: one retry, with a shorter timeout of two minutes.
#[test]
fn silence_is_asked_once_more() {
    let scene = Scene::assigned();
    let waited = scene.wait(&[]);
    assert_eq!(waited.code, 4, "{waited}");
    assert_eq!(scene.got(OTTER, "ack-request").iter().map(after).collect::<Vec<_>>(), [300]);
    let waited = waited.data();
    assert_eq!((&waited["outcome"], &waited["elapsed_seconds"]), (&json!("unresponsive"), &json!(420)));
    assert_eq!((&waited["profile"], &waited["reminders_sent"]), (&json!("task"), &json!(1)));
}

/// E13: an answer within the two minutes counts.
#[test]
fn an_answer_to_the_request_counts() {
    let scene = Scene::assigned();
    scene.wait(&["--block-for", "310"]);
    scene.world.pass(310);
    let request = crate::task_scene::id(&scene.newest(OTTER, "ack-request"));
    scene
        .json(&[
            "ack",
            "--agent",
            OTTER,
            "--message",
            &request,
            "--status",
            "received",
            "--understanding",
            "JWT",
        ])
        .ok();
    let waited = scene.wait(&[]).ok().data();
    assert_eq!(waited["outcome"], "acknowledged");
    assert_eq!(scene.status(), ("received".to_owned(), true));
}

/// E14: still silent, the agent is unresponsive, and so is the task.
#[test]
fn the_agent_is_marked_unresponsive() {
    let scene = Scene::assigned();
    scene.wait(&[]);
    assert_eq!(scene.state_of(OTTER), "unresponsive");
    assert_eq!(scene.status(), ("unresponsive".to_owned(), false));
}

/// E15, E43: the task goes to the next live agent in the same transaction; the first one is told to stop.
#[test]
fn the_task_goes_to_the_next_live_agent() {
    let scene = Scene::assigned();
    let uuid = scene.task()["task_uuid"].clone();
    scene.run(&["state", HERON, "dead"]).ok();
    let waited = scene.wait(&["--reassign-to", "blue-heron,zinc-yak", "--block-for", "430"]);
    assert_eq!(waited.code, 75, "{waited}");
    let task = scene.task();
    assert_eq!((&task["agent"], &task["status"]), (&json!(YAK), &json!("reassigned")));
    assert_eq!(task["task_uuid"], uuid);
    let stop = scene.newest(OTTER, "cancellation-notice");
    assert_eq!((stop["subject"].as_str(), &stop["requires_ack"]), (Some("CANCEL: GH-42"), &json!(true)));
    assert!(body(&stop).contains("it is with zinc-yak"));
    assert_eq!((after(&stop), after(&scene.newest(YAK, "task-assignment"))), (420, 420));
    assert_eq!(scene.got(HERON, "task-assignment").len(), 0);
    // The assignment of the first one needs nothing any more.
    let pending = scene.json(&["inbox", "--agent", OTTER, "--needs-ack"]).data();
    assert_eq!(pending.as_array().unwrap().len(), 1, "only the notice to stop: {pending}");

    scene.world.pass(430);
    scene.ack_as(YAK, &["--understanding", "JWT"]).ok();
    assert_eq!(scene.wait(&[]).ok().data()["agents"][0]["agent"], YAK);
}

/// E16: the incident is in the log.
#[test]
fn the_incident_is_logged() {
    let scene = Scene::assigned();
    scene.wait(&[]);
    let log = scene.json(&["log", "--agent", OTTER]).data();
    let incident = log.as_array().unwrap().iter().find(|event| event["event"] == "incident").unwrap();
    assert_eq!(incident["data"]["line"], "`amber-otter` did not acknowledge task `GH-42`");
    assert_eq!(incident["data"]["task_id"], "GH-42");
}

/// E17, E39: a critical task has three attempts, and is given up at nine and a half minutes.
#[test]
fn a_critical_task_has_three_attempts() {
    let scene = Scene::new();
    scene.assign("GH-42", OTTER, &["--critical"]);
    let waited = scene.wait(&[]);
    assert_eq!(waited.code, 4);
    let waited = waited.data();
    assert_eq!((&waited["profile"], &waited["elapsed_seconds"]), (&json!("critical"), &json!(570)));
    assert_eq!(scene.state_of(OTTER), "unresponsive");
    let mut sent = scene.got(OTTER, "task-assignment");
    sent.reverse();
    assert_eq!(sent.iter().map(after).collect::<Vec<_>>(), [0, 330, 510]);
    assert!(sent.iter().all(|message| message["requires_ack"] == true));
    scene.ack(&["--understanding", "JWT"]).ok();
    let acked = scene.got(OTTER, "task-assignment").iter().all(|message| message["state"] == "acked");
    assert!(acked, "one answer is enough for all of them");
}

/// E18, ⚠7: the pause before an attempt doubles: 30 s after the first, 60 s after the second.
#[test]
fn the_pauses_double() {
    let scene = Scene::new();
    scene.assign("GH-42", OTTER, &["--critical"]);
    scene.wait(&[]);
    let mut attempts: Vec<_> = scene.got(OTTER, "task-assignment").iter().map(after).collect();
    attempts.reverse();
    let lengths = [300, 120, 60];
    let pauses: Vec<_> =
        attempts.windows(2).zip(lengths).map(|(pair, length)| pair[1] - pair[0] - length).collect();
    assert_eq!(pauses, [30, 60]);
}

/// E28: the explicit request, word for word.
#[test]
fn the_explicit_request_has_its_words() {
    let scene = Scene::assigned();
    scene.wait(&["--timeout", "301"]);
    let request = scene.newest(OTTER, "ack-request");
    assert_eq!(request["subject"], "ACK REQUIRED: GH-42");
    assert!(body(&request).starts_with(
        "I sent you task GH-42 but have not received acknowledgment.\n\
         Please confirm receipt with: [ACK] GH-42 - {status}\n\n\
         Status options: RECEIVED, CLARIFICATION_NEEDED, REJECTED, QUEUED\n"
    ));
    assert_eq!(request["content"]["type"], "ack-request");
}

/// E29: after two more minutes the task is reassigned, or escalated when nobody is left to take it.
#[test]
fn a_task_nobody_takes_is_escalated() {
    let scene = Scene::assigned();
    scene.run(&["state", HERON, "stopped"]).ok();
    let waited = scene.wait(&["--reassign-to", HERON]);
    assert_eq!(waited.code, 4, "{waited}");
    let escalation = scene.newest("ecos-controller", "escalation");
    assert_eq!((&escalation["category"], &escalation["requires_ack"]), (&json!("BLOCKED"), &json!(true)));
    assert_eq!(escalation["content"]["reason"], "unresponsive");
    assert_eq!(after(&escalation), 420);
    assert!(scene.events().contains(&"incident".to_owned()));

    let other = Scene::assigned();
    assert_eq!(other.wait(&["--on-timeout", "escalate"]).code, 4);
    assert_eq!(other.newest("ecos-controller", "escalation")["content"]["task_id"], "GH-42");
    assert_eq!(other.state_of(OTTER), "unresponsive");
}

/// E29: nobody has to wait for it: `tick` does the same.
#[test]
fn tick_does_what_a_waiter_would() {
    let scene = Scene::assigned();
    scene.wait(&["--reassign-to", HERON, "--no-wait"]);
    scene.world.pass(300);
    scene.run(&["tick"]).ok();
    assert_eq!(scene.got(OTTER, "ack-request").len(), 1);
    scene.world.pass(120);
    scene.run(&["tick"]).ok();
    assert_eq!(scene.task()["agent"], HERON);
    scene.world.pass(300);
    scene.run(&["tick"]).ok();
    assert_eq!(scene.got(HERON, "ack-request").len(), 1);
}

/// E39: what the waiter learns: whether it was delivered and read, and when the agent was last seen.
#[test]
fn the_waiter_learns_why_probably() {
    let scene = Scene::assigned();
    scene
        .run(&["read", "--agent", OTTER, &crate::task_scene::id(&scene.newest(OTTER, "task-assignment"))])
        .ok();
    let waited = scene.wait(&[]).data();
    let agent = &waited["agents"][0];
    assert_eq!(agent["diagnosis"], "it read the request 7m ago and gave no answer");
    assert!(!agent["read_at"].is_null() && !agent["last_seen"].is_null());
    assert_eq!(waited["next_action"], "reassign-now");
    assert_eq!(waited["advice"], "bb agent assign --task GH-42 --reassign --to AGENT");
    assert_eq!(scene.got(LEAD, "escalation").len(), 0);
}
