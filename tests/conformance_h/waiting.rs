//! H29 to H36: silence, the override, the checklists, and what to look at.

use std::fs;

use serde_json::{Value, json};

use crate::replacement_scene::{CONTROLLER, FAILED, LEAD, NEW, Scene, text};

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
        assert_eq!(failed.code, 4, "{failed}");
        assert_eq!((&failed.data()["step"], &failed.data()["outcome"]), (&json!("escalated"), &json!(null)));
        assert!(scene.mail_of(CONTROLLER, "replacement_confirmation").is_empty(), "that is decided later");
        let minutes_after = |message: &Value| {
            let at: bb_agent::domain::Timestamp = text(&message["created_at"]).parse().unwrap();
            at.since(begun).as_secs() * 2 / 60
        };
        let reminded: Vec<_> = scene.mail_of(NEW, "handoff_reminder").iter().map(minutes_after).collect();
        assert_eq!(reminded, [minutes * 3, minutes * 2], "in halves of a minute, newest first");
        let escalated: Vec<_> = scene.mail_of(CONTROLLER, "escalation").iter().map(minutes_after).collect();
        assert_eq!(escalated, [minutes * 4]);
        let next = text(&failed.data()["next"]);
        let closed = scene.world.bb(next.split(' ').skip(1).chain(["--json"]));
        assert_eq!((closed.code, &closed.data()["audit"]["outcome"]), (6, &json!("failed")));
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
    assert_eq!(delayed["acknowledged_with_delay"], "it said so by phone");
    assert_eq!(scene.task("GH-42")["agent"], NEW);
    let told = &scene.mail_of(CONTROLLER, "replacement_confirmation")[0];
    assert_eq!(told["content"]["replacement_status"], "acknowledged_with_delay");
    assert!(text(&told["body"]).contains("it said so by phone"), "{told}");
    let state = scene.world.json(["export"])["state"].clone();
    let info = &state["active_assignments"][0]["replacement_info"];
    assert_eq!(info["replacement_status"], "acknowledged_with_delay");
    let owed = scene.world.json(["inbox", "--agent", NEW, "--needs-ack", "--category", "HANDOFF"]);
    let notices = owed.as_array().unwrap().iter().filter(|it| it["kind"] == "replacement_handoff");
    assert_eq!(notices.count(), 0, "nobody has to acknowledge the notice any more: {owed}");
}

/// H33: the whole command stops where the override is possible, which it is not before its time.
#[test]
fn an_override_is_for_when_the_time_is_over() {
    let scene = Scene::new();
    let words = ["--acknowledge-with-delay", "--reason", "it said so by phone"];
    let early = scene.world.bb(Scene::order("replace", &["--no-wait", "--json"])).data();
    let refused = scene.resume(&early, &words).fails("INVALID_HANDOFF", 65);
    assert!(refused.document()["error"]["message"].as_str().unwrap().contains("is to be acknowledged by"));
    assert_eq!(scene.task("GH-42")["agent"], FAILED);
    let silent = scene.world.bb(Scene::order("replace", &["--json"]));
    assert_eq!(silent.code, 4, "{silent}");
    let hints = silent.data()["warnings"].to_string();
    assert!(hints.contains("--acknowledge-with-delay --reason TEXT"), "{hints}");
    let done = scene.resume(&silent.data(), &words).ok().data();
    assert_eq!((&done["outcome"], &done["audit"]["outcome"]), (&json!("success"), &json!("success")));
    assert_eq!(scene.mail_of(CONTROLLER, "replacement_confirmation").len(), 1);
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
    assert_eq!(scene.world.bb(words.split(' ').skip(1).chain(["--no-wait"])).code, 75, "{words}");
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
