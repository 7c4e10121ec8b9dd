//! H18 to H28 and H38: the acknowledgment, its questions and their answers.

use std::fs;

use serde_json::json;

use crate::common::Run;
use crate::replacement_scene::{CHECKPOINT, LEAD, NEW, Scene, UNDERSTANDING, text};

/// H18
#[test]
fn an_acknowledgment_reaches_the_orchestrator_in_its_form() {
    let scene = Scene::new();
    let handoff = scene.hand_over(&[]);
    let acked = scene.ready(&handoff).ok().data();
    assert_eq!((&acked["state"], &acked["handoff"]["step"]), (&json!("acked"), &json!("acknowledged")));
    let ack = &scene.mail_of(LEAD, "handoff_ack")[0];
    assert_eq!(ack["subject"], format!("[ACK] Handoff {} Received", text(&handoff["handoff_id"])));
    assert_eq!(ack["priority"], "high");
    let mut content = ack["content"].clone();
    assert!(content.as_object_mut().unwrap().remove("message").is_some());
    assert_eq!(
        content,
        json!({"type": "handoff_ack", "handoff_id": handoff["handoff_id"], "understanding": UNDERSTANDING,
            "starting_from": CHECKPOINT, "questions": [], "status": "ready_to_proceed"})
    );
    scene.ready(&handoff).ok();
    assert_eq!(scene.mail_of(LEAD, "handoff_ack").len(), 1, "saying it again is no second acknowledgment");
}

/// H19, H20, H21, H22
#[test]
fn every_status_leads_to_its_action() {
    for (status, more, exit, action, next) in [
        (
            "ready_to_proceed",
            &["--understanding", UNDERSTANDING, "--starting-from", CHECKPOINT][..],
            4,
            "clarify_requirements",
            "mark_complete",
        ),
        ("needs_clarification", &["--question", "Which library?"], 2, "answer_questions", "answer_questions"),
        ("environment_issue", &["--reason", "no compiler"], 2, "resolve_blockers", "help_resolve"),
        ("rejected", &["--reason", "no time"], 2, "resolve_blockers", "find_alternative"),
    ] {
        let scene = Scene::new();
        let handoff = scene.hand_over(&[]);
        let words: Vec<_> = ["--status", status].iter().chain(more).copied().collect();
        scene.ack(&handoff, &words).ok();
        let looked = scene.verify(&handoff, &[]);
        assert_eq!(looked.code, exit, "{looked}");
        let checks = looked.data()["checks"].to_string();
        assert!(checks.contains(action), "{status}: {checks}");
        let stands = scene.world.json(["replace", "--status", &text(&handoff["handoff_id"])]);
        assert_eq!((&stands["ack_status"], &stands["next_action"]), (&json!(status), &json!(next)));
        let word = if status == "ready_to_proceed" { "acknowledged" } else { status };
        assert_eq!(stands["replacement_status"], word, "it has answered");
        let line = text(&stands["next"]).replace("\"your answer\"", "answer");
        let went_on = scene.world.bb(line.split(' ').skip(1).chain(["--json"]).chain(waits(&line)));
        let code = match status {
            "ready_to_proceed" | "needs_clarification" => 0,
            "environment_issue" => 75,
            _ => 6,
        };
        assert_eq!(went_on.code, code, "`{line}` leads on: {went_on}");
    }
}

/// What keeps a line that waits from doing so.
fn waits(line: &str) -> Option<&'static str> {
    line.contains("wait-ack").then_some("--no-wait")
}

/// H23, H24, H25, H26, H38, ⚠17
#[test]
fn what_lacks_a_field_is_refused_with_the_template() {
    let scene = Scene::new();
    let handoff = scene.hand_over(&[]);
    let bare =
        scene.world.bb(["ack", "--agent", NEW, &text(&handoff["message_id"])]).fails("INVALID_HANDOFF", 65);
    assert!(bare.stderr.contains("bb agent ack --agent implementer-2 --message"), "{bare}");
    let other = scene.world.send(LEAD, NEW, "BLOCKED", "Something else");
    scene
        .world
        .bb(["ack", "--agent", NEW, &other, &text(&handoff["message_id"])])
        .fails("INVALID_HANDOFF", 65);
    assert_eq!(scene.world.json(["show", &other])["state"], "unread", "all of them or none");
    let template = |run: Run, field: &str| {
        let error = run.fails("INVALID_HANDOFF", 65).document()["error"].clone();
        assert!(error["message"].as_str().unwrap().contains(field), "{error}");
        assert!(error["hint"].as_str().unwrap().contains("bb agent ack"), "{error}");
    };
    template(scene.ack(&handoff, &["--starting-from", CHECKPOINT]), "understanding");
    template(scene.ack(&handoff, &["--understanding", UNDERSTANDING]), "starting_from");
    template(scene.ack(&handoff, &["--status", "needs_clarification"]), "questions");
    template(scene.ack(&handoff, &["--status", "rejected"]), "reason");
    assert!(scene.mail_of(LEAD, "handoff_ack").is_empty());
    // A plain word gets through as mail, and falls short in the verification.
    scene.world.bb(["reply", "--agent", NEW, &text(&handoff["message_id"]), "--ok"]).ok();
    let short = scene.verify(&handoff, &["--accept-understanding"]);
    assert_eq!(short.code, 1);
    assert!(text(&short.data()["message"]).contains("lacks the handoff_id, understanding"), "{short}");
    let partial = ["--accept-partial", "--reason", "confirmed by voice", "--accept-understanding"];
    let accepted = scene.verify(&handoff, &partial);
    assert_eq!(accepted.code, 0, "{accepted}");
    assert_eq!(accepted.data()["accepted_partial"], "confirmed by voice");
}

/// H18: the same by mail, in the JSON form of the notice.
#[test]
fn an_acknowledgment_may_come_as_mail() {
    let scene = Scene::new();
    let handoff = scene.hand_over(&[]);
    let content = json!({"type": "handoff-ack", "handoff_id": handoff["handoff_id"], "status": "READY-TO-PROCEED",
        "understanding": UNDERSTANDING, "starting_from": CHECKPOINT, "questions": []});
    let words = ["send", "--from", NEW, "--to", LEAD, "--bead", "bb-1", "--category", "INFO", "-s", "ack"];
    scene.world.bb(words.iter().chain(&["-m", "ready", "--content", &content.to_string()])).ok();
    assert_eq!(scene.verify(&handoff, &["--accept-understanding"]).code, 0);
}

/// H27, H28, H35
#[test]
fn questions_are_answered_the_document_is_sent_anew_and_confirmed() {
    let scene = Scene::new();
    let handoff = scene.hand_over(&[]);
    let id = text(&handoff["handoff_id"]);
    scene.ack(&handoff, &["--status", "needs_clarification", "--question", "Which library?"]).ok();
    assert_eq!(scene.world.bb(["wait-ack", "--handoff", &id]).code, 7);
    scene
        .world
        .bb(["clarify", "--handoff", &id, "--answer", "a", "--answer", "b"])
        .fails("INVALID_HANDOFF", 65);
    fs::write(scene.world.work().join("newer.md"), "# Use PyJWT\n").unwrap();
    scene.world.pass(60);
    let words = ["clarify", "--handoff", &id, "--answer", "PyJWT", "--document", "newer.md"];
    let clarified = scene.world.json(words);
    assert_ne!(clarified["url"], handoff["url"]);
    let sent = &scene.mail_of(NEW, "handoff_clarification")[0];
    assert_eq!(sent["subject"], format!("[CLARIFICATION] Re: Handoff {id}"));
    assert_eq!(sent["priority"], "high");
    assert_eq!(sent["content"]["clarifications"], json!([{"question": "Which library?", "answer": "PyJWT"}]));
    assert_eq!(sent["content"]["updated_handoff_url"], clarified["url"]);
    assert_eq!(scene.mail_of(NEW, "replacement_handoff").len(), 2, "the notice was sent again");
    assert_eq!(scene.world.bb(["wait-ack", "--handoff", &id, "--no-wait"]).code, 75);
    scene.ready(&clarified).ok();
    assert_eq!(scene.world.bb(["wait-ack", "--handoff", &id]).code, 0);
    assert_eq!(scene.verify(&handoff, &["--accept-understanding"]).code, 0);
}

/// H27, H28: a changed document is published anew (against a recorded `gh`), and its new address is sent.
#[test]
fn a_changed_document_is_published_anew() {
    let scene = Scene::new();
    let path = scene.recorded_github("");
    let words = Scene::order("handoff", &["--issue", "42", "--json"]);
    let handoff = scene.world.bb_with(&[("PATH", &path)], words).ok().data();
    let id = text(&handoff["handoff_id"]);
    scene.ack(&handoff, &["--status", "needs_clarification", "--question", "Which library?"]).ok();
    let answer = |document| {
        let words = ["clarify", "--handoff", &id, "--answer", "PyJWT", "--document", document, "--json"];
        scene.world.bb_with(&[("PATH", &path)], words)
    };
    answer("missing.md").fails("FILE_NOT_FOUND", 66);
    assert_eq!(scene.published("comment").len(), 1, "nothing happened");
    fs::write(scene.world.work().join("newer.md"), "# Use PyJWT\n").unwrap();
    let clarified = answer("newer.md").ok().data();
    let comments = scene.published("comment");
    assert_eq!(comments.len(), 2);
    assert!(
        comments[1].starts_with("# Use PyJWT\n") && comments[1].contains("revision 1"),
        "{}",
        comments[1]
    );
    assert_eq!(clarified["url"], "https://github.com/o/r/issues/42#issuecomment-2");
    let sent = &scene.mail_of(NEW, "handoff_clarification")[0];
    assert_eq!(sent["content"]["updated_handoff_url"], clarified["url"]);
    assert_eq!(scene.mail_of(NEW, "replacement_handoff")[0]["content"]["handoff_url"], clarified["url"]);
    answer("newer.md").ok();
    assert_eq!(scene.published("comment").len(), 2, "the same document again is nothing new");
    assert_eq!(scene.mail_of(NEW, "handoff_clarification").len(), 1);
}
