//! Answers for tasks through `ack`, `reply` and `send`: what counts, and for what.

use serde_json::json;

use crate::task_scene::{HERON, LEAD, OTTER, Scene, YAK, id};

#[test]
fn a_rejection_needs_a_reason_and_an_error_its_code() {
    let scene = Scene::assigned();
    scene.ack(&["--status", "rejected"]).fails("INVALID_TASK", 65);
    scene.ack(&["--status", "perhaps"]).fails("INVALID_TASK", 65);
    scene.ack(&["--error", "OOPS"]).fails("INVALID_TASK", 65);
    scene.ack(&["--error", "NETWORK_ERROR", "--status", "received"]).fails("INVALID_ARGS", 64);
    scene.ack(&["--retry-after", "15m"]).fails("INVALID_ARGS", 64);
    assert_eq!(scene.status().0, "assigned");
    let rejected = scene.ack(&["--status", "rejected", "--reason", "no access"]).ok().data();
    assert_eq!(
        (&rejected["task"]["status"], &rejected["response"]["verdict"]),
        (&json!("rejected"), &json!("rejected"))
    );
    assert_eq!(scene.json(&["inbox", "--agent", OTTER, "--needs-ack"]).data(), json!([]));
}

#[test]
fn task_flags_need_a_task() {
    let scene = Scene::assigned();
    let plain = scene.says(LEAD, OTTER, "How are you?").ok().data();
    let line =
        ["ack", "--agent", OTTER, "--message", plain["message_id"].as_str().unwrap(), "--status", "received"];
    scene.json(&line).fails("INVALID_TASK", 65);
    let assignment = id(&scene.newest(OTTER, "task-assignment"));
    let foreign = ["ack", "--agent", HERON, "--message", &assignment, "--status", "received"];
    scene.json(&foreign).fails("ACK_FORBIDDEN", 77);
    let two =
        ["ack", "--agent", OTTER, &assignment, plain["message_id"].as_str().unwrap(), "--status", "queued"];
    scene.json(&two).fails("INVALID_ARGS", 64);
    scene.json(&["ack", "--agent", OTTER]).fails("INVALID_ARGS", 64);
}

#[test]
fn people_see_where_the_task_stands() {
    let scene = Scene::assigned();
    let assignment = id(&scene.newest(OTTER, "task-assignment"));
    let run = scene.run(&["ack", "--agent", OTTER, &assignment]).ok();
    insta::assert_snapshot!(run.stdout, @r#"
    acked msg_20260304_001122_bvqrsb0f33 from lead-one: Task GH-42: Authentication
    GH-42: received, may begin
    hint: say what you will do: bb agent ack --task GH-42 --status received --understanding "what you will do" --agent amber-otter
    "#);
    let asked = scene.run(&["ack", "--agent", OTTER, "--task", "GH-42", "--question", "24h?"]).ok();
    insta::assert_snapshot!(asked.stdout, @r"
    acked msg_20260304_001122_bvqrsb0f33 from lead-one: Task GH-42: Authentication
    GH-42: needs-clarification, 1 question waits for an answer from `lead-one`
    ");
}

/// An agent that has asked does not take its questions back by acking what it was sent.
#[test]
fn a_bare_ack_after_a_question_changes_no_task() {
    let scene = Scene::assigned();
    scene.ack(&["--question", "24h?"]).ok();
    let assignment = id(&scene.newest(OTTER, "task-assignment"));
    let acked = scene.json(&["ack", "--agent", OTTER, &assignment]).ok().data();
    assert_eq!((&acked["state"], &acked["task"]["status"]), (&json!("acked"), &json!("needs-clarification")));
    assert_eq!(scene.wait(&[]).code, 7);
}

#[test]
fn a_bare_ack_of_answers_confirms_and_of_a_correction_is_refused() {
    let scene = Scene::assigned();
    scene.ack(&["--question", "24h?", "--understanding", "JWT"]).ok();
    scene.clarify(&["--answer", "yes"]).ok();
    scene.json(&["ack", "--agent", OTTER, &id(&scene.newest(OTTER, "task-clarification"))]).ok();
    assert_eq!(scene.status(), ("confirmed".to_owned(), true));
    scene.clarify(&["--correct", "cookies"]).ok();
    let correction = id(&scene.newest(OTTER, "task-clarification"));
    let refused = scene.json(&["ack", "--agent", OTTER, &correction]).fails("INVALID_TASK", 65);
    assert!(refused.document()["error"]["hint"].as_str().unwrap().contains("--understanding"), "{refused}");
    scene.json(&["reply", "--agent", OTTER, &correction, "--ok"]).fails("INVALID_TASK", 65);
}

/// Mail is delivered whatever the task makes of it.
#[test]
fn a_plain_message_that_a_task_cannot_take_is_delivered_with_a_warning() {
    let scene = Scene::acknowledged("received");
    scene.ack(&["--status", "rejected", "--reason", "no time"]).ok();
    let assignment = id(&scene.newest(OTTER, "task-assignment"));
    let to = format!("{LEAD},{HERON}");
    let line = ["send", "--from", OTTER, "--to", &to, "--bead", "bb-1", "--category", "INFO", "-s", "so"];
    let sent = scene.json(&[&line[..], &["-m", "ok", "--reply-to", &assignment]].concat()).ok().data();
    assert!(sent["warnings"][0].as_str().unwrap().starts_with("not taken: "), "{sent}");
    assert_eq!(sent["broadcast"]["messages"].as_array().unwrap().len(), 2);
    assert_eq!((scene.got(LEAD, "message").len(), scene.got(HERON, "message").len()), (1, 1));
    assert_eq!(scene.status().0, "rejected");
}

/// Words that are no answer do not take the place of one.
#[test]
fn talk_after_an_answer_changes_nothing() {
    let scene = Scene::acknowledged("received");
    let assignment = id(&scene.newest(OTTER, "task-assignment"));
    scene.json(&["reply", "--agent", OTTER, &assignment, "--body", "The tests are half done."]).ok();
    assert_eq!(scene.newest(OTTER, "task-assignment")["response"]["verdict"], "accepted");
    assert_eq!(scene.wait(&[]).ok().data()["elapsed_seconds"], 0);
}

#[test]
fn asking_for_time_extends_the_wait_and_leaves_the_task() {
    let scene = Scene::assigned();
    scene.wait(&["--no-wait"]);
    let assignment = id(&scene.newest(OTTER, "task-assignment"));
    scene.json(&["reply", "--agent", OTTER, &assignment, "--wait"]).ok();
    assert_eq!(scene.got(OTTER, "extension-granted").len(), 1);
    assert_eq!(scene.status(), ("assigned".to_owned(), false));
    assert_eq!(scene.wait(&[]).data()["elapsed_seconds"], 480);
}

/// What answers anything the delegator sent about the task answers for the task.
#[test]
fn an_ok_to_any_message_of_the_wait_acknowledges_the_task() {
    for kind in ["extension-granted", "ack-request"] {
        let scene = Scene::assigned();
        scene.wait(&["--no-wait"]);
        let assignment = id(&scene.newest(OTTER, "task-assignment"));
        scene.json(&["reply", "--agent", OTTER, &assignment, "--wait"]).ok();
        scene.world.pass(300);
        scene.run(&["tick"]).ok();
        scene.json(&["reply", "--agent", OTTER, &id(&scene.newest(OTTER, kind)), "--ok"]).ok();
        assert_eq!(scene.status(), ("received".to_owned(), true), "{kind}");
        assert_eq!(scene.wait(&[]).ok().data()["outcome"], "acknowledged", "{kind}");
    }
}

/// A delegation sent as a plain message is acknowledged by the text form too.
#[test]
fn a_text_form_answers_a_plain_delegation() {
    let scene = Scene::new();
    let line = ["send", "--from", LEAD, "--to", OTTER, "--bead", "bb-1", "--category", "HANDOFF"];
    let sent = scene.json(&[&line[..], &["-s", "Work", "-m", "## Task: GH-7\nDo it"]].concat()).ok().data();
    let message = sent["message_id"].as_str().unwrap();
    let text = "[ACK] GH-7 - RECEIVED\nUnderstanding: I do it";
    let replied = scene.json(&["reply", "--agent", OTTER, message, "--body", text]).ok().data();
    assert_eq!((&replied["verdict"], &replied["answered"]["state"]), (&json!("accepted"), &json!("acked")));
    assert_eq!((&replied["kind"], &replied["warnings"]), (&json!("message"), &json!(null)));
    assert_eq!(scene.json(&["wait-ack", message]).code, 0);
}

#[test]
fn one_text_may_answer_for_several_tasks() {
    let scene = Scene::assigned();
    scene.assign("GH-43", OTTER, &[]);
    let text = "[ACK] GH-42 - RECEIVED\nUnderstanding: first\n\n[ACK] GH-43 - QUEUED\nNote: after GH-42";
    let sent = scene.says(OTTER, LEAD, text).ok().data();
    assert_eq!(sent["tasks"].as_array().unwrap().len(), 2);
    assert_eq!(
        (scene.status().0.as_str(), scene.task_named("GH-43")["status"].as_str()),
        ("received", Some("queued"))
    );
}

#[test]
fn a_text_to_several_reaches_the_delegator_among_them() {
    let scene = Scene::assigned();
    scene.says(OTTER, "lead-one,blue-heron", "[ACK] GH-42 - RECEIVED\nUnderstanding: JWT").ok();
    assert_eq!(scene.status(), ("received".to_owned(), true));
}

/// What a task does not allow is said back when it comes as mail.
#[test]
fn what_a_task_does_not_allow_is_answered() {
    let scene = Scene::acknowledged("received");
    scene.complete(&[]).ok();
    let sent = scene.says(OTTER, LEAD, "[ACK] GH-42 - RECEIVED").ok().data();
    assert_eq!(sent["warnings"][0], "not taken: task `GH-42` is complete");
    assert_eq!(scene.newest(OTTER, "task-clarification")["subject"], "Not taken: GH-42");
}

#[test]
fn the_same_key_does_not_answer_twice() {
    let scene = Scene::assigned();
    let line = ["send", "--from", OTTER, "--to", LEAD, "--bead", "bb-1", "--category", "INFO", "--key", "k"];
    let send = || scene.json(&[&line[..], &["-s", "x", "-m", "[ACK] GH-42 - RECEIVED"]].concat()).ok().data();
    assert_eq!(send()["duplicate"], false);
    assert_eq!(send()["duplicate"], true);
    assert_eq!(scene.got(LEAD, "task-acknowledgment").len(), 1);
}

#[test]
fn an_answer_repeated_with_its_key_was_taken_for_the_same() {
    let scene = Scene::assigned();
    let assignment = id(&scene.newest(OTTER, "task-assignment"));
    let line = ["reply", "--agent", OTTER, &assignment, "--key", "a1", "--body", "[ACK] GH-42 - RECEIVED"];
    let (first, again) = (scene.json(&line).ok().data(), scene.json(&line).ok().data());
    assert_eq!((&first["duplicate"], &again["duplicate"]), (&json!(false), &json!(true)));
    assert_eq!(first["verdict"], "accepted");
    assert_eq!(again["verdict"], first["verdict"]);
}

/// What is said of a task never lets an operation go ahead.
#[test]
fn the_ack_of_a_task_is_no_answer_to_another_message() {
    for text in ["[ACK] GH-777 - RECEIVED", "[ACK] GH-42 - CONFIRMED"] {
        let scene = Scene::assigned();
        let line =
            ["wait-ack", "--from", LEAD, "--to", OTTER, "--operation", "dropdb", "--no-wait", "--json"];
        let asked = scene.world.bb(line).data();
        let request = asked["agents"][0]["message_id"].as_str().unwrap().to_owned();
        let operation = asked["operation_id"].as_str().unwrap().to_owned();
        let mail = scene.world.send(LEAD, OTTER, "HANDOFF", "Please take over");
        let send = |to: &str| {
            let flags = ["--bead", "b", "--category", "INFO", "-s", "x", "-m", text, "--reply-to", to];
            scene.json(&[&["send", "--from", OTTER, "--to", LEAD][..], &flags].concat())
        };
        for id in [&request, &mail] {
            let said = scene.json(&["reply", "--agent", OTTER, id, "--body", text]).ok().data();
            assert_eq!(said["verdict"], "other", "{said}");
            for warnings in [&said["warnings"], &send(id).ok().data()["warnings"]] {
                let warnings = warnings.to_string();
                assert!(warnings.contains(&format!("`{id}` is not about task `")), "{warnings}");
                assert_eq!(warnings.contains("you are still waited for"), id == &request, "{warnings}");
            }
            assert_eq!(scene.json(&["show", id]).ok().data()["state"], "read");
        }
        let run = scene.world.bb(["wait-ack", "--resume", &operation, "--no-wait"]);
        assert_eq!(run.code, 75, "{run}");
    }
}

#[test]
fn a_wrong_id_sends_only_the_task_it_replies_to_again() {
    let scene = Scene::assigned();
    scene.assign("GH-43", OTTER, &[]);
    let sent = scene.says(OTTER, LEAD, "[ACK] GH-24 - RECEIVED").ok().data();
    let exactly = "`GH-24` is no task of yours; acknowledge `GH-42` or `GH-43` by exactly that id";
    assert_eq!(sent["warnings"], json!([exactly]));
    assert_eq!(scene.got(OTTER, "task-assignment").len(), 2);
    let second = id(&scene.newest(OTTER, "task-assignment"));
    let said = scene.json(&["reply", "--agent", OTTER, &second, "--body", "[ACK] GH-24 - RECEIVED"]);
    let warnings = said.ok().data()["warnings"].clone();
    assert_eq!(warnings, json!(["`GH-24` is no task of yours; `GH-43` was sent to you again"]));
    assert_eq!(scene.got(OTTER, "task-assignment").len(), 3);
}

#[test]
fn the_ack_of_no_task_at_all_is_said_to_be_one() {
    let scene = Scene::assigned();
    let sent = scene.says(YAK, LEAD, "[ACK] GH-777 - RECEIVED").ok().data();
    assert_eq!(sent["warnings"], json!(["`GH-777` is no task that lead-one gave you"]));
}
