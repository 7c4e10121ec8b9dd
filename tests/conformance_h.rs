//! How a handoff is delivered and acknowledged, one requirement a test.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use crate::common::Run;
use crate::replacement_scene::{CHECKPOINT, CONTROLLER, FAILED, LEAD, NEW, Scene, UNDERSTANDING, text};

const COMMENT: &str = "https://github.com/owner/repo/issues/42#issuecomment-7";
const GIST: &str = "https://gist.github.com/lead/abc";

/// Hands over with a `gh` that is recorded and answers with this script.
fn with_gh(scene: &Scene, script: &str, more: &[&str]) -> (Value, String) {
    let (path, calls) = scene.fake_gh(script);
    let words: Vec<_> = Scene::order("handoff", more).into_iter().chain(["--json"]).collect();
    let handoff = scene.world.bb_with(&[("PATH", &path)], words).ok().data();
    (handoff, fs::read_to_string(calls).unwrap_or_default())
}

/// H1: against a recorded `gh`.
#[test]
fn the_document_is_published_as_a_comment() {
    let scene = Scene::new();
    let (handoff, calls) = with_gh(&scene, &format!("echo {COMMENT}"), &["--issue", "#42"]);
    assert_eq!((&handoff["url"], &handoff["published"]), (&json!(COMMENT), &json!(true)));
    let path = text(&handoff["document"]["path"]);
    assert_eq!(calls, format!("issue comment 42 --body-file {path}.comment\n"));
    assert_eq!(scene.mail_of(NEW, "replacement_handoff")[0]["content"]["handoff_url"], COMMENT);
}

/// H2: against a recorded `gh`; a large document goes into a gist, and the issue says where.
#[test]
fn a_large_document_becomes_a_gist() {
    let scene = Scene::new();
    fs::write(scene.world.work().join("handoff.md"), "x".repeat(65_537)).unwrap();
    let script = format!("case $1 in gist) echo {GIST};; *) echo {COMMENT};; esac");
    let (handoff, calls) = with_gh(&scene, &script, &["--issue", "42"]);
    assert_eq!(handoff["url"], GIST);
    assert!(calls.starts_with("gist create ") && calls.contains("\nissue comment 42 --body "), "{calls}");
    assert!(!calls.contains("--public"));
}

/// H37: against a recorded `gh` that fails; a gist is tried, then the path is enough, and it says so.
#[test]
fn what_cannot_be_published_stays_local_and_says_so() {
    let scene = Scene::new();
    let (handoff, calls) = with_gh(&scene, "echo 'not logged in' >&2; exit 4", &["--issue", "42"]);
    assert_eq!(
        calls.lines().map(|line| line.split(' ').next().unwrap()).collect::<Vec<_>>(),
        ["issue", "auth", "gist", "auth"]
    );
    assert_eq!((&handoff["published"], &handoff["step"]), (&json!(false), &json!("sent")));
    assert_eq!(handoff["url"], handoff["document"]["path"]);
    assert!(handoff["warnings"][0].as_str().unwrap().contains("not logged in"), "{handoff}");
}

/// H37: without any `gh` at all.
#[test]
fn without_the_github_command_line_the_handoff_goes_on() {
    let scene = Scene::new();
    let words: Vec<_> = Scene::order("handoff", &["--gist"]).into_iter().chain(["--json"]).collect();
    let handoff = scene.world.bb_with(&[("PATH", "/nowhere")], words).ok().data();
    assert_eq!(handoff["step"], "sent");
    assert!(handoff["publishing_errors"][0].as_str().unwrap().contains("cannot run gh"), "{handoff}");
}

/// H3, ⚠15, H4
#[test]
fn a_private_copy_is_kept_under_its_name_before_anything_is_published() {
    let scene = Scene::new();
    let script = "test -f \"${5%.comment}\" || exit 9; echo https://example.com/1";
    let (handoff, _) = with_gh(&scene, script, &["--issue", "42"]);
    assert_eq!(handoff["published"], true, "the copy was there when gh ran");
    let path = text(&handoff["document"]["path"]);
    let name = "store/handoffs/replacement-handoff-implementer-1-to-implementer-2-20260304T001122Z.md";
    assert!(path.ends_with(name), "{path}");
    let original = fs::read_to_string(scene.world.work().join("handoff.md")).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), original);
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    let folder = fs::metadata(scene.world.path("store/handoffs")).unwrap();
    assert_eq!(folder.permissions().mode() & 0o777, 0o700);
}

/// H5, H6, H7, H8, H9, H10, H11, H12, H13, H14
#[test]
fn the_notice_has_its_subject_kind_and_fields() {
    let scene = Scene::new();
    let handoff = scene.hand_over(&[]);
    let notice = &scene.mail_of(NEW, "replacement_handoff")[0];
    assert_eq!(notice["subject"], "[HANDOFF] Agent Replacement - You are replacing implementer-1");
    assert_eq!((&notice["priority"], &notice["requires_ack"]), (&json!("urgent"), &json!(true)));
    assert_eq!(notice["message_id"], handoff["message_id"]);
    let content = &notice["content"];
    assert_eq!(content["type"], "replacement_handoff");
    assert_eq!(content["handoff_id"], handoff["handoff_id"]);
    assert_eq!(text(&handoff["handoff_id"]).len(), 36, "a uuid");
    assert_eq!(content["handoff_url"], handoff["url"]);
    assert_eq!(content["failed_agent"], json!({"id": FAILED, "session": "session-of-implementer-1"}));
    assert_eq!(content["tasks"], json!([scene.task("GH-42")["task_uuid"]]));
    assert_eq!(
        (&content["urgency"], &content["ack_required_within"]),
        (&json!("immediate"), &json!("5 minutes"))
    );
    let message = content["message"].as_str().unwrap();
    for part in [FAILED, "context_loss", &text(&handoff["url"]), "within 5 minutes"] {
        assert!(message.contains(part), "{part}");
    }
}

/// H18, H38: whoever reads the notice is shown the lines that answer it in full, and each of them works.
#[test]
fn the_notice_is_read_with_the_lines_that_answer_it() {
    let scene = Scene::new();
    let handoff = scene.hand_over(&[]);
    let read = scene.world.json(["read", "--agent", NEW, &text(&handoff["message_id"])]);
    let ready = text(&read["acknowledge"]);
    assert!(ready.contains("--status ready_to_proceed --understanding "), "{ready}");
    let answers = &read["handshake"]["answers"];
    assert_eq!(answers["ok"], ready.as_str());
    assert!(text(&answers["ask"]).contains("--status needs_clarification --question "), "{answers}");
    assert!(text(&answers["cancel"]).contains("--status rejected --reason "), "{answers}");
    let people = scene.world.bb(["read", "--agent", NEW, &text(&handoff["message_id"])]).ok().stdout;
    assert!(people.contains("to ask     bb agent ack --agent implementer-2 "), "{people}");
    assert!(!people.contains("--ok"), "a plain word falls short: {people}");
    let words = ["ack", "--agent", NEW, "--message", &text(&handoff["message_id"])].map(str::to_owned);
    let mut filled: Vec<_> = words.to_vec();
    filled.extend(["--status", "ready_to_proceed", "--understanding", UNDERSTANDING].map(str::to_owned));
    filled.extend(["--starting-from", CHECKPOINT].map(str::to_owned));
    scene.world.bb(&filled).ok();
    assert_eq!(scene.verify(&handoff, &["--accept-understanding"]).code, 0);
}

/// H15, H16, H17
#[test]
fn urgency_gives_priority_and_time() {
    for (urgency, priority, minutes) in
        [("immediate", "urgent", 5), ("prepare", "high", 15), ("when_available", "normal", 30)]
    {
        let scene = Scene::new();
        let handoff = scene.hand_over(&["--urgency", urgency]);
        assert_eq!(handoff["priority"], priority);
        scene.world.pass(minutes * 60 - 1);
        scene.world.bb(["tick"]).ok();
        assert!(scene.mail_of(NEW, "handoff_reminder").is_empty(), "{urgency}");
        scene.world.pass(1);
        scene.world.bb(["tick"]).ok();
        assert_eq!(scene.mail_of(NEW, "handoff_reminder").len(), 1, "{urgency}");
    }
}

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
    }
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
    assert_eq!(scene.verify(&handoff, &["--accept-understanding"]).code, 1);
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

/// H29, H31, H32, ⚠12, ⚠16, ⚠22
#[test]
fn silence_is_reminded_of_twice_and_then_escalated() {
    let scene = Scene::new();
    let handoff = scene.hand_over(&["--urgency", "prepare"]);
    let id = text(&handoff["handoff_id"]);
    for (seconds, reminders) in [(900, 1), (450, 2)] {
        scene.world.pass(seconds);
        scene.world.bb(["tick"]).ok();
        let mail = scene.mail_of(NEW, "handoff_reminder");
        assert_eq!(mail.len(), reminders);
        assert_eq!(mail[0]["subject"], format!("[REMINDER] ACK Required for Handoff {id}"));
        assert_eq!(mail[0]["priority"], "urgent");
        assert_eq!(mail[0]["content"]["reminder_number"], reminders);
        assert_eq!(mail[0]["content"]["handoff_id"], id.as_str());
        assert_eq!(mail[0]["content"]["type"], "handoff_reminder");
        assert_eq!(mail[0]["content"]["original_sent"], "2026-03-04T00:11:22.000Z");
        assert_eq!(mail[0]["content"]["final_deadline"], "2026-03-04T00:41:22.000Z", "twice 15 minutes");
    }
    scene.world.pass(450);
    assert_eq!(scene.world.bb(["wait-ack", "--handoff", &id]).code, 4);
    let escalations = scene.mail_of(CONTROLLER, "escalation");
    assert_eq!(escalations.len(), 1);
    let escalation = &escalations[0];
    assert_eq!(escalation["subject"], "[EOA-ESCALATE] Replacement Agent Not Responding");
    assert_eq!(escalation["priority"], "urgent");
    let content = &escalation["content"];
    assert_eq!((&content["failed_agent"], &content["replacement_agent"]), (&json!(FAILED), &json!(NEW)));
    assert_eq!((&content["handoff_id"], &content["reminders_sent"]), (&json!(id), &json!(2)));
    assert_eq!(content["tasks_affected"], json!([scene.task("GH-42")["task_uuid"]]));
    assert_eq!(content["action_required"], "provide_alternative_agent");
}

/// H29, H32: the whole command in one piece, for each urgency: reminders at T and 1.5 T, escalation at 2 T.
#[test]
fn silence_takes_twice_the_time_of_the_urgency() {
    for (urgency, minutes) in [("immediate", 5), ("prepare", 15), ("when_available", 30)] {
        let scene = Scene::new();
        let begun = scene.world.now();
        let failed = scene.world.bb(Scene::order("replace", &["--urgency", urgency, "--json"]));
        assert_eq!(failed.code, 6, "{failed}");
        let minutes_after = |message: &Value| {
            let at: bb_agent::domain::Timestamp = text(&message["created_at"]).parse().unwrap();
            at.since(begun).as_secs() * 2 / 60
        };
        let reminded: Vec<_> = scene.mail_of(NEW, "handoff_reminder").iter().map(minutes_after).collect();
        assert_eq!(reminded, [minutes * 3, minutes * 2], "in halves of a minute, newest first");
        let escalated: Vec<_> = scene.mail_of(CONTROLLER, "escalation").iter().map(minutes_after).collect();
        assert_eq!(escalated, [minutes * 4]);
        let error = failed.data()["audit"]["outcome"].clone();
        assert_eq!(error, "failed");
        let told = &scene.mail_of(CONTROLLER, "replacement_confirmation")[0]["content"]["error"];
        assert_eq!(told["message"], "Replacement agent did not acknowledge handoff after 3 attempts");
    }
}

/// H30
#[test]
fn an_acknowledgment_between_two_reminders_ends_them() {
    let scene = Scene::new();
    let handoff = scene.hand_over(&[]);
    scene.world.pass(300);
    scene.world.bb(["tick"]).ok();
    scene.ready(&handoff).ok();
    scene.world.pass(3600);
    scene.world.bb(["tick"]).ok();
    assert_eq!(scene.mail_of(NEW, "handoff_reminder").len(), 1);
    assert_eq!(scene.world.bb(["wait-ack", "--handoff", &text(&handoff["handoff_id"])]).code, 0);
}

/// H33
#[test]
fn an_override_is_documented() {
    let scene = Scene::new();
    let handoff = scene.hand_over(&[]);
    scene.world.pass(600);
    scene.world.bb(["tick"]).ok();
    let delayed = scene.resume(&handoff, &["--acknowledge-with-delay", "--reason", "it said so by phone"]);
    let delayed = delayed.ok().data();
    assert_eq!(delayed["outcome"], "success");
    assert_eq!(delayed["audit"]["ack"]["status"], "acknowledged_with_delay");
    assert_eq!(delayed["audit"]["ack"]["acknowledged_with_delay"], "it said so by phone");
    assert_eq!(scene.task("GH-42")["agent"], NEW);
}

/// H34
#[test]
fn the_delivery_has_a_checklist_of_seven() {
    let scene = Scene::new();
    let handoff = scene.hand_over(&[]);
    let status = scene.world.json(["replace", "--status", &text(&handoff["handoff_id"])]);
    let items = status["checklists"][0]["items"].as_array().unwrap().clone();
    assert_eq!(items.len(), 7);
    assert!(items.iter().all(|item| item["done"] == true), "{items:?}");
    fs::remove_file(text(&handoff["document"]["path"])).unwrap();
    let status = scene.world.json(["replace", "--status", &text(&handoff["handoff_id"])]);
    assert_eq!(status["checklists"][0]["items"][1]["done"], false, "the copy is looked for");
}

/// H34: the urgency is the one that the controller's notification asks for, unless a flag says otherwise.
#[test]
fn the_urgency_is_compared_with_what_the_controller_asked_for() {
    let scene = Scene::new();
    scene.world.bb(["register", "--name", CONTROLLER, "--role", "controller"]).ok();
    let words = ["send", "--from", CONTROLLER, "--to", LEAD, "--bead", "bb-1", "--category", "INFO", "-s"];
    let more = ["replace it", "-m", "now", "--content", r#"{"urgency": "when_available"}"#];
    let notification = text(&scene.world.json(words.into_iter().chain(more))["message_id"]);
    scene.world.pass(60);
    let item = |handoff: &Value| {
        let status = scene.world.json(["replace", "--status", &text(&handoff["handoff_id"])]);
        status["checklists"][0]["items"][5].clone()
    };
    let asked = scene.hand_over(&["--notification", &notification]);
    assert_eq!((&asked["urgency"], &item(&asked)["done"]), (&json!("when_available"), &json!(true)));
    let other = scene.hand_over(&["--notification", &notification, "--urgency", "immediate"]);
    assert_eq!(item(&other)["done"], false);
    assert_eq!(item(&other)["detail"], "the controller asked for when_available, the handoff is immediate");
    scene.ready(&other).ok();
    let audit = scene.resume(&other, &["--accept-understanding"]).ok().data()["audit"].clone();
    assert_eq!(
        audit["ecos_notification"],
        json!({"received_at": "2026-03-04T00:11:22Z", "notification_id": notification,
            "urgency": "when_available"})
    );
    assert_eq!(audit["total_duration"], "1 minute", "from the notification on");
    let foreign = scene.world.send(LEAD, NEW, "INFO", "not for the orchestrator");
    scene.world.bb(Scene::order("handoff", &["--notification", &foreign])).fails("READ_FORBIDDEN", 77);
    scene
        .world
        .bb(Scene::order("handoff", &["--notification", "msg_nothing"]))
        .fails("MESSAGE_NOT_FOUND", 66);
}

/// H36: whether the session exists, whether the agent lives, and how far the notice has come.
#[test]
fn a_notice_that_is_not_answered_is_traced() {
    let scene = Scene::new();
    let handoff = scene.hand_over(&[]);
    let id = text(&handoff["handoff_id"]);
    let delivery = || scene.world.json(["replace", "--status", &id])["delivery"].clone();
    let fresh = delivery();
    assert_eq!(fresh["session"], "session-of-implementer-2");
    assert_eq!(
        (&fresh["state"], &fresh["liveness"], &fresh["notice"]),
        (&json!("idle"), &json!("active"), &json!("unread"))
    );
    assert!(text(&fresh["diagnosis"]).contains("lies unread in its inbox"), "{fresh}");
    let words = text(&fresh["next"]);
    scene.world.bb(words.split(' ').skip(1)).ok();
    scene.world.pass(1801);
    let silent = delivery();
    assert_eq!(silent["liveness"], "evicted");
    assert!(text(&silent["diagnosis"]).contains("it may have to be restarted"), "{silent}");
    let people = scene.world.bb(["replace", "--status", &id]).ok().stdout;
    assert!(people.contains("(session session-of-implementer-2), idle, evicted, last seen"), "{people}");
    let again = scene.hand_over(&[]);
    assert!(again["warnings"].to_string().contains("`implementer-2` was last seen 30m ago"), "{again}");
    scene.world.bb(["read", "--agent", NEW, &text(&again["message_id"])]).ok();
    let status = scene.world.json(["replace", "--status", &text(&again["handoff_id"])]);
    assert_eq!(status["delivery"]["notice"], "read");
    assert!(text(&status["delivery"]["diagnosis"]).contains("gave no answer"), "{status}");
    scene.ready(&again).ok();
    let status = scene.world.json(["replace", "--status", &text(&again["handoff_id"])]);
    assert_eq!(
        (&status["delivery"]["notice"], &status["delivery"]["diagnosis"]),
        (&json!("acked"), &json!(null))
    );
}

/// H36: a session in the place of an agent is refused with the name to retry with; one that moved is shown.
#[test]
fn a_session_leads_to_its_agent() {
    let scene = Scene::new();
    let words = ["handoff", "--from", LEAD, "--failed", FAILED, "--reason", "crash", "--task", "GH-42"];
    let with = |to| scene.world.bb(words.iter().chain(&["--document", "handoff.md", "--to", to]));
    let refused = with("session-of-implementer-2").fails("UNKNOWN_RECIPIENT", 67);
    assert!(refused.stderr.contains("that is the session of `implementer-2`: name the agent"), "{refused}");
    with(NEW).ok();
    let words = ["register", "--name", NEW, "--role", "backend", "--session", "elsewhere", "--force-update"];
    scene.world.bb(words).ok();
    let status = scene.world.json(["replace", "--status", &scene.newest_handoff()]);
    assert_eq!(status["delivery"]["session"], "elsewhere", "where it runs now");
    scene.world.bb(["doctor"]).ok();
}

/// H36: why nobody answered is said for each agent.
#[test]
fn silence_is_explained() {
    let scene = Scene::new();
    let handoff = scene.hand_over(&[]);
    scene.world.pass(600);
    let waited = scene.world.bb(["wait-ack", "--handoff", &text(&handoff["handoff_id"]), "--json"]);
    let line = &waited.data()["agents"][0];
    assert!(line["diagnosis"].is_string() && line["next"].is_string(), "{line}");
}
