//! `assign` and `complete --cancel`: a task is given, given to another, and taken back.

use serde_json::json;

use crate::task_scene::{HERON, LEAD, OTTER, Scene, YAK, body};

#[test]
fn says_what_was_sent_and_how_to_wait() {
    let scene = Scene::new();
    let line = ["assign", "--from", LEAD, "--to", OTTER, "--task", "GH-42", "--title", "Log in"];
    let run = scene.run(&[&line[..], &["--body", "Log in and out."]].concat()).ok();
    insta::assert_snapshot!(run.stdout, @r"
    assigned GH-42: assigned, `amber-otter` has not acknowledged it
      task-assignment msg_20260304_001122_bvqrsb0f33 to amber-otter
    wait for the answer with: bb agent wait-ack --task GH-42
    ");
    let again = scene.run(&[&line[..], &["--body", "Log in and out."]].concat()).ok();
    assert!(again.stdout.starts_with("assigned before GH-42: "), "{again}");
}

#[test]
fn the_answer_has_the_task_and_the_bytes_of_its_body() {
    let scene = Scene::new();
    let line =
        ["assign", "--from", LEAD, "--to", OTTER, "--task", "GH-42", "--title", "T", "--body", "grüße"];
    let assigned = scene.json(&line).ok().data();
    assert_eq!((&assigned["task_id"], &assigned["status"]), (&json!("GH-42"), &json!("assigned")));
    assert_eq!((&assigned["body_bytes"], &assigned["duplicate"]), (&json!(7), &json!(false)));
    assert_eq!(assigned["message_id"], assigned["sent"][0]["message_id"]);
    assert_eq!(assigned["task_uuid"].as_str().unwrap().len(), 36);
}

#[test]
fn a_body_comes_from_a_file_or_from_standard_input() {
    let scene = Scene::new();
    std::fs::write(scene.world.work().join("task.md"), "From `a file`.").unwrap();
    let line = |task: &'static str| ["assign", "--from", LEAD, "--to", OTTER, "--task", task, "--title", "T"];
    scene.json(&[&line("GH-1")[..], &["--body-file", "task.md"]].concat()).ok();
    assert!(body(&scene.newest(OTTER, "task-assignment")).contains("From `a file`."));
    let arguments: Vec<_> = line("GH-2").into_iter().chain(["--body", "-"]).collect();
    scene.world.bb_with_input(arguments, b"From a pipe.").ok();
    assert!(body(&scene.newest(OTTER, "task-assignment")).contains("From a pipe."));
    scene.json(&line("GH-3")).fails("INVALID_MESSAGE", 65);
}

#[test]
fn the_bead_and_the_priority_are_the_messages() {
    let scene = Scene::new();
    scene.assign("GH-42", OTTER, &["--bead", "bb-7", "--priority", "low"]);
    let message = scene.newest(OTTER, "task-assignment");
    assert_eq!((&message["bead_id"], &message["thread_id"]), (&json!("bb-7"), &json!("bead:bb-7")));
    assert_eq!(message["priority"], "low");
    scene.ack(&["--understanding", "JWT"]).ok();
    assert_eq!(scene.newest(LEAD, "task-acknowledgment")["thread_id"], "bead:bb-7");
    scene.assign("GH-43", OTTER, &["--critical"]);
    let critical = scene.newest(OTTER, "task-assignment");
    assert_eq!((&critical["bead_id"], &critical["thread_id"]), (&json!(null), &json!("task:GH-43")));
    assert_eq!(critical["priority"], "urgent");
}

#[test]
fn who_cannot_get_a_task_is_an_error() {
    let scene = Scene::new();
    scene.assign_to("GH-42", "amber-oter", &[]).fails("UNKNOWN_RECIPIENT", 67);
    scene.assign_to("GH-42", LEAD, &[]).fails("INVALID_TASK", 65);
    scene.assign_to("GH 42", OTTER, &[]).fails("INVALID_TASK", 65);
    scene.run(&["state", OTTER, "dead"]).ok();
    scene.assign_to("GH-42", OTTER, &[]).fails("RECIPIENT_GONE", 67);
    assert_eq!(scene.json(&["tasks"]).ok().data(), json!([]));
}

/// E43: the same key twice is one assignment, also when the task is over.
#[test]
fn the_same_key_twice_is_one() {
    let scene = Scene::new();
    let first = scene.assign("GH-42", OTTER, &["--key", "k1"]);
    let again = scene.assign("GH-42", OTTER, &["--key", "k1", "--criterion", "and more"]);
    assert_eq!((&again["duplicate"], &again["task_uuid"]), (&json!(true), &first["task_uuid"]));
    scene.ack(&["--understanding", "JWT"]).ok();
    scene.complete(&[]).ok();
    assert_eq!(scene.assign("GH-42", OTTER, &["--key", "k1"])["status"], "complete");
    assert_eq!(scene.got(OTTER, "task-assignment").len(), 1);
    assert_ne!(scene.assign("GH-42", OTTER, &["--key", "k2"])["task_uuid"], first["task_uuid"]);
}

/// E43: names that differ only in case would be one task in an acknowledgment, so they are one here.
#[test]
fn names_that_differ_in_case_are_one_task() {
    let scene = Scene::assigned();
    scene.assign_to("gh-42", HERON, &[]).fails("INVALID_TASK", 65);
}

#[test]
fn an_open_task_is_given_to_another_agent_only_on_purpose() {
    let scene = Scene::acknowledged("received");
    scene.checkpoint("1", "Tests written").ok();
    let refused = scene.assign_to("GH-42", HERON, &[]).fails("INVALID_TASK", 65);
    assert!(refused.document()["error"]["hint"].as_str().unwrap().contains("--reassign"), "{refused}");
    let line = ["assign", "--from", LEAD, "--to", HERON, "--task", "GH-42", "--reassign"];
    let given = scene.json(&line).ok().data();
    let kinds: Vec<_> =
        given["sent"].as_array().unwrap().iter().map(|it| (&it["kind"], &it["to_agent"])).collect();
    assert_eq!(
        kinds,
        [(&json!("cancellation-notice"), &json!(OTTER)), (&json!("task-assignment"), &json!(HERON))]
    );
    // Title, text, criteria and progress stay; the answers of the first agent do not.
    let assignment = scene.newest(HERON, "task-assignment");
    assert_eq!(assignment["content"]["content"]["title"], "Authentication");
    assert!(body(&assignment).contains("- [ ] login works"));
    let task = scene.task();
    assert_eq!(
        (&task["checkpoints"][0]["summary"], &task["understanding"]),
        (&json!("Tests written"), &json!(null))
    );
    scene.checkpoint("2", "x").fails("ACK_FORBIDDEN", 77);
    let none = ["assign", "--from", LEAD, "--to", HERON, "--task", "GH-99", "--reassign"];
    scene.json(&none).fails("TASK_NOT_FOUND", 66);
}

#[test]
fn only_its_delegator_gives_a_task_to_another() {
    let scene = Scene::assigned();
    let line = ["assign", "--from", YAK, "--to", HERON, "--task", "GH-42", "--reassign"];
    scene.json(&line).fails("INVALID_TASK", 65);
    assert_eq!(scene.task()["agent"], OTTER);
}

#[test]
fn a_task_is_taken_back() {
    let scene = Scene::acknowledged("received");
    scene.complete(&["--cancel"]).fails("ACK_FORBIDDEN", 77);
    let line = ["complete", "--agent", LEAD, "--task", "GH-42", "--cancel", "--reason", "no longer needed"];
    let cancelled = scene.json(&line).ok().data();
    assert_eq!((&cancelled["status"], &cancelled["may_begin"]), (&json!("cancelled"), &json!(false)));
    let stop = scene.newest(OTTER, "cancellation-notice");
    assert!(body(&stop).starts_with("CANCEL task GH-42: it was cancelled: no longer needed."));
    assert_eq!(scene.json(&line).ok().data()["duplicate"], true);
    scene.checkpoint("1", "x").fails("INVALID_TASK", 65);
    scene.wait(&[]).fails("INVALID_TASK", 65);
    // The name is free again.
    assert_eq!(scene.assign("GH-42", HERON, &[])["duplicate"], false);
}

#[test]
fn whoever_waits_for_a_task_that_is_taken_back_stops_waiting() {
    let scene = Scene::assigned();
    let waiting = scene.wait(&["--no-wait"]);
    let operation = waiting.data()["operation_id"].as_str().unwrap().to_owned();
    scene.json(&["complete", "--agent", LEAD, "--task", "GH-42", "--cancel"]).ok();
    let over = scene.json(&["wait-ack", "--resume", &operation]);
    assert_eq!((over.code, over.data()["outcome"].as_str()), (2, Some("cancelled")), "{over}");
    scene.world.pass(1000);
    assert_eq!(scene.json(&["tick"]).ok().data()["looked_at"], 0);
    assert_eq!(scene.state_of(OTTER), "idle");
    assert_eq!(scene.got(OTTER, "ack-request").len(), 0);
}
