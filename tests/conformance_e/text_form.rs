//! E30 to E35, E46: the acknowledgment as plain text, wherever it arrives.

use serde_json::json;

use crate::task_scene::{HERON, LEAD, OTTER, Scene, YAK, body, id};

/// E30: the text form is understood in a message of any kind, with prose around it.
#[test]
fn a_text_in_any_message_acknowledges() {
    for text in [
        "[ACK] GH-42 - RECEIVED\nUnderstanding: JWT login",
        "Good morning!\n\n[ACK] GH-42 - RECEIVED\nUnderstanding: JWT login\n\nTalk to you later.",
        "**[ack] gh-42 — received**\n**Understanding:** JWT login",
        "```\n[ACK] GH-42 - RECEIVED\nUnderstanding: JWT login\n```",
    ] {
        let scene = Scene::assigned();
        let sent = scene.says(OTTER, LEAD, text).ok().data();
        assert_eq!(sent["tasks"][0]["status"], "received", "{text}");
        assert_eq!(scene.task()["understanding"], "JWT login", "{text}");
        assert_eq!(scene.status(), ("received".to_owned(), true), "{text}");
        // It is the acknowledgment itself, with its fields: nothing else is sent.
        let mail = scene.newest(LEAD, "task-acknowledgment");
        assert_eq!((mail["message_id"].as_str(), body(&mail)), (sent["message_id"].as_str(), text));
        assert_eq!(mail["content"]["understanding"], "JWT login");
        assert_eq!(scene.got(LEAD, "task-acknowledgment").len(), 1);
        assert_eq!(scene.newest(OTTER, "task-assignment")["state"], "acked");
    }
}

/// E30: the same in a reply, and to whoever quotes the request.
#[test]
fn a_text_in_a_reply_acknowledges() {
    let scene = Scene::assigned();
    let assignment = id(&scene.newest(OTTER, "task-assignment"));
    let text = "> ACKNOWLEDGMENT REQUIRED: Reply with [ACK] GH-42 - RECEIVED\n\n[ACK] GH-42 - QUEUED\nNote: GH-41 first";
    let replied = scene.json(&["reply", "--agent", OTTER, &assignment, "--body", text]).ok().data();
    assert_eq!((&replied["verdict"], &replied["kind"]), (&json!("queued"), &json!("task-acknowledgment")));
    assert_eq!(scene.status(), ("queued".to_owned(), false));
}

/// E30: the JSON form arrives as the content of a message, in every spelling (⚠8, ⚠20).
#[test]
fn json_content_acknowledges() {
    let scene = Scene::assigned();
    let content = r#"{"type": "TASK_ACKNOWLEDGMENT", "task_id": "GH-42", "status": "CLARIFICATION_NEEDED", "questions": ["24h?"]}"#;
    let line = ["send", "--from", OTTER, "--to", LEAD, "--bead", "bb-1", "--category", "INFO"];
    let send = |content: &str| {
        scene.json(&[&line[..], &["-s", "Answer", "-m", "see the content", "--content", content]].concat())
    };
    assert_eq!(send(content).ok().data()["kind"], "task-acknowledgment");
    assert_eq!(scene.task()["questions"], json!(["24h?"]));
    let broken = send(r#"{"type": "task-acknowledgment", "task_id": "GH-42", "status": "perhaps"}"#);
    broken.fails("INVALID_TASK", 65);
    assert_eq!(scene.got(LEAD, "task-acknowledgment").len(), 1);
}

/// E30: single words in reply to an assignment, or in its thread, are answers too.
#[test]
fn a_word_in_reply_is_an_answer() {
    for (word, status) in
        [("ok", "received"), ("Queued.", "queued"), ("rejected", "rejected"), ("cancel", "rejected")]
    {
        let scene = Scene::assigned();
        let assignment = id(&scene.newest(OTTER, "task-assignment"));
        scene.json(&["reply", "--agent", OTTER, &assignment, "--body", word]).ok();
        assert_eq!(scene.status().0, status, "{word}");
    }
    let scene = Scene::assigned();
    let line = ["send", "--from", OTTER, "--to", LEAD, "--bead", "bb-1", "--category", "INFO"];
    scene.json(&[&line[..], &["-s", "x", "-m", "ok", "--thread", "task:GH-42"]].concat()).ok();
    assert_eq!(scene.status().0, "received");
}

/// E31: RECEIVED begins now.
#[test]
fn received_begins_now() {
    let scene = Scene::assigned();
    scene.says(OTTER, LEAD, "[ACK] GH-42 - RECEIVED\nUnderstanding: JWT").ok();
    assert_eq!(scene.status(), ("received".to_owned(), true));
    scene.checkpoint("1", "Tests written").ok();
}

/// E32: CLARIFICATION_NEEDED carries its questions.
#[test]
fn clarification_needed_carries_its_questions() {
    let scene = Scene::assigned();
    scene.says(OTTER, LEAD, "[ACK] GH-42 - CLARIFICATION_NEEDED\nQuestions:\n1. 24h?\n2. Refresh?").ok();
    assert_eq!(scene.task()["questions"], json!(["24h?", "Refresh?"]));
    assert_eq!(scene.status(), ("needs-clarification".to_owned(), false));
}

/// E33: REJECTED carries its reason.
#[test]
fn rejected_carries_its_reason() {
    let scene = Scene::assigned();
    scene.says(OTTER, LEAD, "[ACK] GH-42 - REJECTED\nReason: no access to the repository").ok();
    assert_eq!(scene.task()["reason"], "`amber-otter` rejected it: no access to the repository");
    assert_eq!(scene.status(), ("rejected".to_owned(), false));
}

/// E34: QUEUED is an acknowledgment, and earlier work comes first.
#[test]
fn queued_waits_for_earlier_work() {
    let scene = Scene::assigned();
    scene.says(OTTER, LEAD, "[ACK] GH-42 - QUEUED\nUnderstanding: JWT\nNote: GH-41 first").ok();
    assert_eq!(scene.status(), ("queued".to_owned(), false));
    assert_eq!(scene.task()["reason"], "`amber-otter` has earlier work to finish");
    assert_eq!(scene.wait(&[]).ok().data()["outcome"], "acknowledged");
}

/// E35: the three good examples.
#[test]
fn the_three_good_examples_are_understood() {
    let task = "GH-4-xls-implementation";
    let examples = [
        (
            "RECEIVED\nUnderstanding: Will implement directory listing with fs::read_dir, serde_json formatting, and all CLI flags (--sort, --reverse, --format, --verbose, --human)",
            "received",
            0,
        ),
        (
            "CLARIFICATION_NEEDED\nUnderstanding: Implement xls CLI directory browser\nQuestions:\n1. Should --format support both JSON and table output?\n2. Should --verbose show file permissions on all platforms?",
            "needs-clarification",
            2,
        ),
        (
            "QUEUED\nUnderstanding: Directory browser with full CLI flags\nNote: Currently completing GH-3, will start this after current task completes",
            "queued",
            0,
        ),
    ];
    for (answer, status, questions) in examples {
        let scene = Scene::new();
        scene.assign(task, OTTER, &[]);
        scene.says(OTTER, LEAD, &format!("[ACK] {task} - {answer}")).ok();
        let shown = scene.task_named(task);
        assert_eq!(shown["status"], status);
        assert_eq!(shown["questions"].as_array().unwrap().len(), questions);
        let understanding = answer.split("Understanding: ").nth(1).unwrap().lines().next().unwrap();
        assert_eq!(shown["understanding"], understanding);
    }
}

/// E30: what was meant as an acknowledgment and lacks the dash is not passed over in silence.
#[test]
fn a_text_without_its_dash_is_told_how_to_write_it() {
    for text in ["[ACK] GH-42 RECEIVED", "[ACK] GH-42-RECEIVED"] {
        let scene = Scene::assigned();
        let words = format!("`{text}` is not understood: write `[ACK] TASK - STATUS`");
        let sent = scene.says(OTTER, LEAD, &format!("Hello.\n{text}\n")).ok().data();
        assert_eq!(sent["warnings"], json!([words]));
        assert_eq!(scene.status().0, "assigned");
    }
    let scene = Scene::assigned();
    let sent = scene.says(OTTER, LEAD, "[ACK] Handoff h-1 Received\n[ACK] to all of this\nack received").ok();
    assert_eq!(sent.data()["warnings"], json!(null));
}

/// E46: a wrong task id changes nothing; what the agent was given is sent again, with its id.
#[test]
fn a_wrong_task_id_is_answered_with_the_right_one() {
    let scene = Scene::assigned();
    let assignment = id(&scene.newest(OTTER, "task-assignment"));
    let mut warnings = Vec::new();
    for run in [
        scene.says(OTTER, LEAD, "[ACK] GH-24 - RECEIVED\nUnderstanding: JWT"),
        scene.json(&["reply", "--agent", OTTER, &assignment, "--body", "[ACK] GH-24 - RECEIVED"]),
    ] {
        let sent = run.ok().data();
        warnings.push(sent["warnings"][0].as_str().unwrap().to_owned());
    }
    assert_eq!(
        warnings,
        [
            "`GH-24` is no task of yours; `GH-42` was sent to you again",
            "`GH-24` is no task of yours; acknowledge `GH-42` by exactly that id"
        ]
    );
    assert_eq!(scene.got(OTTER, "task-assignment").len(), 2, "sent again once for each wrong id");
    assert_eq!(scene.status(), ("assigned".to_owned(), false));
    let again = scene.newest(OTTER, "task-assignment");
    assert!(body(&again).starts_with(
        "You acknowledged GH-24, which is not a task of yours. The task you were given is GH-42"
    ));
    assert!(body(&again).contains("ACKNOWLEDGMENT REQUIRED: Reply with [ACK] GH-42 - RECEIVED"));
    assert_eq!(again["content"]["task_id"], "GH-42");
    scene.json(&["ack", "--agent", OTTER, &id(&again)]).ok();
    assert_eq!(scene.status(), ("received".to_owned(), true));
    assert!(scene.got(OTTER, "task-assignment").iter().all(|message| message["state"] == "acked"));
}

/// E46: what contradicts itself, or says no status, is answered too.
#[test]
fn contradictions_are_answered() {
    for (text, problem) in [
        ("[ACK] GH-42 - RECEIVED\n\n[ACK] GH-42 - REJECTED", "acknowledged twice"),
        ("[ACK] GH-42 - SOON", "`SOON` is not a status"),
    ] {
        let scene = Scene::assigned();
        let sent = scene.says(OTTER, LEAD, text).ok().data();
        assert!(sent["warnings"][0].as_str().unwrap().contains(problem), "{sent}");
        assert_eq!(scene.status(), ("assigned".to_owned(), false));
        let back = scene.newest(OTTER, "task-clarification");
        assert_eq!((back["from_agent"].as_str(), &back["subject"]), (Some(LEAD), &json!("Not taken: GH-42")));
        assert!(
            body(&back).contains(problem) && body(&back).contains("[ACK] GH-42 - RECEIVED"),
            "{}",
            body(&back)
        );
    }
}

/// E46: what is said to somebody else, or by somebody else, is conversation.
#[test]
fn only_the_assignee_speaks_to_the_delegator() {
    let scene = Scene::assigned();
    scene.says(OTTER, YAK, "[ACK] GH-42 - RECEIVED").ok();
    scene.says(HERON, LEAD, "[ACK] GH-42 - RECEIVED").ok();
    assert_eq!(scene.status(), ("assigned".to_owned(), false));
    assert_eq!(scene.got(OTTER, "task-assignment").len(), 1);
    assert_eq!(scene.got(HERON, "task-clarification").len(), 0);
}
