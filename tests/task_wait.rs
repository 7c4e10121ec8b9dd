//! `wait-ack --task`: what the delegator learns, and what is done while it waits.

use serde_json::json;

use crate::task_scene::{HERON, LEAD, OTTER, Scene, YAK, id};

#[test]
fn each_answer_has_its_exit_code() {
    for (answer, code, outcome) in [
        (&["--understanding", "JWT"][..], 0, "acknowledged"),
        (&["--status", "queued"], 0, "acknowledged"),
        (&["--question", "24h?"], 7, "needs_clarification"),
        (&["--status", "rejected", "--reason", "no"], 6, "refused"),
        (&["--error", "NETWORK_ERROR"], 6, "refused"),
    ] {
        let scene = Scene::assigned();
        scene.wait(&["--no-wait"]);
        scene.ack(answer).ok();
        let waited = scene.wait(&[]);
        assert_eq!(
            (waited.code, waited.data()["outcome"].as_str()),
            (code, Some(outcome)),
            "{answer:?} {waited}"
        );
        let again = scene.wait(&[]);
        assert_eq!(again.code, code, "the answer stands until something changes: {again}");
    }
}

#[test]
fn people_see_the_questions_and_the_next_line() {
    let scene = Scene::assigned();
    scene.ack(&["--question", "24h?", "--question", "Refresh?"]).ok();
    let run = scene.run(&["wait-ack", "--task", "GH-42"]);
    assert_eq!(run.code, 7);
    insta::assert_snapshot!(run.stdout, @r"
    needs_clarification: do not proceed with task after 0 s, 0 reminders op_20260304_001122_qw2bthpy19
    amber-otter  needs-clarification  [ACK] GH-42 - CLARIFICATION_NEEDED Questions: 1. 24h? 2. Refresh?  last seen just now
    GH-42: needs-clarification, 2 questions wait for an answer from `lead-one`
      1. 24h?
      2. Refresh?
    next: bb agent clarify --task GH-42 --answer TEXT --answer TEXT
    ");
}

/// The answer that was clarified does not end the wait that follows, whether or not anybody waited before.
#[test]
fn waiting_again_after_a_clarification_waits_for_the_new_answer() {
    for waited_before in [true, false] {
        let scene = Scene::assigned();
        scene.ack(&["--question", "24h?"]).ok();
        if waited_before {
            assert_eq!(scene.wait(&[]).code, 7);
        }
        scene.clarify(&["--answer", "yes"]).ok();
        assert_eq!(scene.wait(&["--block-for", "10"]).code, 75);
        scene.world.pass(10);
        scene.ack(&["--status", "confirmed", "--understanding", "JWT, 24h"]).ok();
        let confirmed = scene.wait(&[]).ok().data();
        assert_eq!(confirmed["agents"][0]["response"]["verdict"], "confirmed");
    }
}

/// Silence after a clarification is silence about the task.
#[test]
fn silence_after_a_clarification_makes_the_task_unresponsive() {
    let scene = Scene::assigned();
    scene.ack(&["--question", "24h?"]).ok();
    scene.clarify(&["--answer", "yes"]).ok();
    assert_eq!(scene.wait(&[]).code, 4);
    assert_eq!(scene.status().0, "unresponsive");
}

/// An answer that does not count for the waiter is still the task's.
#[test]
fn an_unverified_answer_is_not_counted_and_marks_nobody() {
    let scene = Scene::assigned();
    scene.wait(&["--require-verified", "--no-wait"]);
    scene.ack(&["--understanding", "JWT"]).ok();
    let waited = scene.wait(&[]);
    assert_eq!((waited.code, waited.data()["outcome"].as_str()), (4, Some("unresponsive")), "{waited}");
    assert_eq!((scene.status().0.as_str(), scene.state_of(OTTER).as_str()), ("received", "idle"));
}

#[test]
fn a_command_runs_once_the_task_is_acknowledged() {
    let scene = Scene::acknowledged("received");
    let run = scene.run(&["wait-ack", "--task", "GH-42", "--", "sh", "-c", "exit 9"]);
    assert_eq!(run.code, 9, "{run}");
    let refused = Scene::assigned();
    refused.ack(&["--status", "rejected", "--reason", "no"]).ok();
    let run = refused.run(&["wait-ack", "--task", "GH-42", "--", "sh", "-c", "exit 9"]);
    assert_eq!(run.code, 6, "{run}");
}

#[test]
fn a_rejected_task_goes_on_only_when_told_so() {
    let scene = Scene::assigned();
    scene.ack(&["--status", "rejected", "--reason", "no access"]).ok();
    let waited = scene.wait(&["--reassign-to", HERON]);
    assert_eq!((waited.code, waited.data()["next_action"].as_str()), (6, Some("reassign-now")));
    assert_eq!(scene.task()["agent"], OTTER);
    assert_eq!(scene.wait(&["--reassign-to", HERON, "--auto", "--no-wait"]).code, 75);
    assert_eq!(scene.task()["agent"], HERON);
}

/// The chain goes on until somebody takes the task: one refuses, one is silent, one answers.
#[test]
fn a_task_goes_from_hand_to_hand_until_somebody_takes_it() {
    let scene = Scene::assigned();
    scene.wait(&["--auto", "--reassign-to", "blue-heron,zinc-yak", "--no-wait"]);
    scene.ack(&["--error", "CAPABILITY_MISMATCH"]).ok();
    assert_eq!(scene.task()["agent"], HERON);
    scene.world.pass(420);
    scene.run(&["tick"]).ok();
    assert_eq!(scene.task()["agent"], YAK);
    scene.ack_as(YAK, &["--understanding", "JWT"]).ok();
    let waited = scene.wait(&[]).ok().data();
    assert_eq!((&waited["agents"][0]["agent"], &waited["task"]["status"]), (&json!(YAK), &json!("received")));
    assert_eq!((scene.state_of(OTTER).as_str(), scene.state_of(HERON).as_str()), ("idle", "unresponsive"));
}

#[test]
fn only_a_task_goes_to_others_and_only_to_known_ones() {
    let scene = Scene::assigned();
    scene.wait(&["--reassign-to", "blue-hern"]).fails("UNKNOWN_RECIPIENT", 67);
    let plain = scene.world.send(LEAD, OTTER, "HANDOFF", "Hi");
    scene.json(&["wait-ack", "--message", &plain, "--auto"]).fails("INVALID_ARGS", 64);
    let request = ["wait-ack", "--from", LEAD, "--to", OTTER, "--operation", "restart", "--auto"];
    scene.json(&request).fails("INVALID_ARGS", 64);
}

/// Waiting for the message of an assignment is waiting for its task: silence never proceeds.
#[test]
fn the_message_of_an_assignment_stands_for_its_task() {
    let scene = Scene::assigned();
    let message = id(&scene.newest(OTTER, "task-assignment"));
    let waited = scene.json(&["wait-ack", &message, "--block-for", "10"]).data();
    assert_eq!((&waited["profile"], &waited["task"]["task_id"]), (&json!("task"), &json!("GH-42")));
    scene.ack(&["--question", "24h?"]).ok();
    scene.clarify(&["--answer", "yes"]).ok();
    assert_eq!(scene.json(&["wait-ack", &message]).code, 4);
    assert_eq!(scene.status().0, "unresponsive");
}

#[test]
fn open_waits_show_their_task() {
    let scene = Scene::assigned();
    scene.wait(&["--no-wait"]);
    let waits = scene.json(&["waits", "--agent", LEAD]).ok().data();
    assert_eq!((&waits[0]["operation"], &waits[0]["task"]["task_id"]), (&json!("task"), &json!("GH-42")));
}
