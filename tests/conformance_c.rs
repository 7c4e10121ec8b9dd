//! How a replacement is confirmed, one requirement a test.

use std::fs;

use serde_json::{Value, json};

use crate::common::Run;
use crate::replacement_scene::{CHECKPOINT, CONTROLLER, FAILED, LEAD, NEW, Scene, UNDERSTANDING, text};

/// A replacement of `GH-42` that went well, and what the last command answered.
fn replaced(scene: &Scene) -> Value {
    let handoff = scene.hand_over(&[]);
    scene.world.pass(60);
    scene.ready(&handoff).ok();
    scene.world.pass(30);
    scene.resume(&handoff, &["--accept-understanding"]).ok().data()
}

fn checks(run: &Run) -> Vec<(String, bool)> {
    let data = run.data();
    let all = data["checks"].as_array().unwrap().iter();
    all.map(|it| (text(&it["check"]), it["passed"] == true)).collect()
}

fn message(run: &Run) -> String {
    text(&run.data()["message"])
}

/// C1, C2, C3, C4, C5, C6, ⚠9
#[test]
fn six_checks_are_made_and_each_is_printed() {
    let scene = Scene::new();
    let handoff = scene.hand_over(&[]);
    scene.ready(&handoff).ok();
    let names = ["ack_received", "handoff_id", "status", "starting_from", "understanding", "questions"];
    let looked = scene.verify(&handoff, &[]);
    let wanted: Vec<_> = names.iter().map(|name| ((*name).to_owned(), *name != "understanding")).collect();
    assert_eq!(checks(&looked), wanted);
    let people = scene.world.bb(["verify-ack", "--handoff", &text(&handoff["handoff_id"])]);
    for name in names {
        let line = |line: &&str| line.split_whitespace().nth(1) == Some(name);
        assert_eq!(people.stdout.lines().filter(line).count(), 1, "{people}");
    }
    assert!(people.stdout.contains(UNDERSTANDING), "what is to be judged is shown: {people}");
}

/// C7, ⚠9: the validator takes the handoff and the expected checkpoint; of the acknowledgments that are
/// addressed to whoever asks the newest counts, read or not.
#[test]
fn the_newest_acknowledgment_addressed_to_the_asker_is_looked_at() {
    let scene = Scene::new();
    let handoff = scene.hand_over(&[]);
    let id = text(&handoff["handoff_id"]);
    let code = |checkpoint: &str| {
        scene.world.bb(["verify-ack", &id, checkpoint, "--accept-understanding", "--json"]).code
    };
    let content = json!({"type": "handoff_ack", "handoff_id": id, "status": "ready_to_proceed",
        "understanding": UNDERSTANDING, "starting_from": CHECKPOINT, "questions": []})
    .to_string();
    scene.world.bb(["register", "--name", "lead-two", "--role", "lead"]).ok();
    for (from, to) in [(NEW, "lead-two"), (FAILED, LEAD)] {
        let words = ["send", "--from", from, "--to", to, "--bead", "bb-1", "--category", "INFO"];
        scene.world.bb(words.iter().chain(&["-s", "ack", "-m", "ready", "--content", &content])).ok();
        assert_eq!(code(CHECKPOINT), 1, "from {from} to {to}");
    }
    scene.ack(&handoff, &["--understanding", UNDERSTANDING, "--starting-from", "the beginning"]).ok();
    assert_eq!(code(CHECKPOINT), 3);
    assert_eq!(code("the beginning"), 0, "the argument wins over the document");
    let other = Scene::new();
    let handoff = other.hand_over(&[]);
    let id = text(&handoff["handoff_id"]);
    other.ack(&handoff, &["--understanding", UNDERSTANDING, "--starting-from", "the beginning"]).ok();
    other.world.pass(1);
    other.ready(&handoff).ok();
    let acks = other.mail_of(LEAD, "handoff_ack");
    assert_eq!(acks.len(), 2);
    for ack in &acks {
        other.world.bb(["read", "--agent", LEAD, &text(&ack["message_id"])]).ok();
    }
    let looked = other.world.bb(["verify-ack", &id, CHECKPOINT, "--accept-understanding", "--json"]).ok();
    assert_eq!(looked.data()["ack_number"], 2, "the newest, although it was read: {looked}");
    assert_eq!(message(&looked), "ACK validated successfully");
    other.world.bb(["verify-ack"]).fails("INVALID_ARGS", 64);
    other.world.bb(["verify-ack", &id, "--handoff", &id]).fails("INVALID_ARGS", 64);
}

/// C8
#[test]
fn without_an_acknowledgment_the_code_is_one() {
    let scene = Scene::new();
    let handoff = scene.hand_over(&[]);
    let looked = scene.verify(&handoff, &["--starting-from", CHECKPOINT]);
    assert_eq!(looked.code, 1, "{looked}");
    assert_eq!(
        message(&looked),
        format!("ERROR: No ACK received for handoff {}", text(&handoff["handoff_id"]))
    );
}

/// C9, C12: the status comes before the checkpoint.
#[test]
fn a_status_that_is_not_ready_is_two() {
    let scene = Scene::new();
    let handoff = scene.hand_over(&[]);
    let words = ["--status", "environment_issue", "--reason", "no compiler", "--starting-from", "elsewhere"];
    scene.ack(&handoff, &words).ok();
    let looked = scene.verify(&handoff, &[]);
    assert_eq!(looked.code, 2, "{looked}");
    assert_eq!(message(&looked), "WARNING: Agent status is environment_issue, not ready_to_proceed");
    let order: Vec<_> = checks(&looked).into_iter().map(|(name, _)| name).collect();
    let place = |name: &str| order.iter().position(|it| it == name).unwrap();
    assert!(place("status") < place("starting_from"), "{order:?}");
}

/// C10, C15
#[test]
fn another_checkpoint_is_three_and_is_corrected() {
    let scene = Scene::new();
    let handoff = scene.hand_over(&[]);
    scene.ack(&handoff, &["--understanding", UNDERSTANDING, "--starting-from", "the beginning"]).ok();
    let looked = scene.verify(&handoff, &["--accept-understanding", "--correct"]);
    assert_eq!(looked.code, 3, "{looked}");
    assert_eq!(looked.data()["checks"][3]["action"], "correct_and_confirm");
    assert_eq!(
        message(&looked),
        format!("WARNING: Agent checkpoint 'the beginning' differs from expected '{CHECKPOINT}'")
    );
    let asked = &scene.mail_of(NEW, "handoff_clarification")[0];
    assert_eq!(asked["message_id"], looked.data()["correction"]);
    let waits = scene.world.bb(["wait-ack", "--handoff", &text(&handoff["handoff_id"]), "--no-wait"]);
    assert_eq!(waits.code, 75, "it is waited for anew: {waits}");
    scene.ready(&handoff).ok();
    assert_eq!(scene.verify(&handoff, &["--accept-understanding"]).code, 0);
}

/// C11
#[test]
fn a_good_acknowledgment_is_zero() {
    let scene = Scene::new();
    let handoff = scene.hand_over(&[]);
    scene.ready(&handoff).ok();
    let looked = scene.verify(&handoff, &["--accept-understanding"]).ok();
    assert_eq!(message(&looked), "ACK validated successfully");
    let people = scene.world.bb(["verify-ack", "--handoff", &text(&handoff["handoff_id"])]).ok();
    assert!(people.stdout.ends_with("ACK validated successfully\n"), "once accepted it stays so: {people}");
}

/// C13
#[test]
fn an_acknowledgment_of_another_handoff_is_asked_for_again() {
    let scene = Scene::new();
    let handoff = scene.hand_over(&[]);
    let content = json!({"type": "handoff_ack", "handoff_id": "another", "status": "ready_to_proceed",
        "understanding": UNDERSTANDING, "starting_from": CHECKPOINT, "questions": []});
    let words =
        ["send", "--from", NEW, "--to", LEAD, "--bead", "bb-1", "--category", "INFO", "-s", "ack", "-m", "x"];
    let id = text(&handoff["message_id"]);
    scene.world.bb(words.iter().chain(&["--reply-to", &id, "--content", &content.to_string()])).ok();
    let looked = scene.verify(&handoff, &["--accept-understanding"]);
    assert_eq!(looked.code, 1, "{looked}");
    assert_eq!(looked.data()["checks"][1]["action"], "request_correct_ack");
    assert_eq!(scene.verify(&handoff, &["--correct"]).code, 1);
    let asked = &scene.mail_of(NEW, "ack-request")[0];
    assert_eq!(asked["content"]["handoff_id"], handoff["handoff_id"]);
    assert!(text(&asked["content"]["template"]).contains(&id), "{asked}");
    assert!(text(&asked["body"]).contains("the acknowledgment names handoff 'another'"), "{asked}");
    let waits = scene.world.bb(["wait-ack", "--handoff", &text(&handoff["handoff_id"]), "--no-wait"]);
    assert_eq!(waits.code, 75, "nobody was acknowledged: {waits}");
}

/// C5, C16: questions that are not answered are code 5, whatever else is right.
#[test]
fn open_questions_are_five() {
    let scene = Scene::new();
    let handoff = scene.hand_over(&[]);
    let words = ["--understanding", UNDERSTANDING, "--starting-from", CHECKPOINT, "--question", "Which key?"];
    scene.ack(&handoff, &words).ok();
    let looked = scene.verify(&handoff, &["--accept-understanding"]);
    assert_eq!(looked.code, 5, "{looked}");
    assert_eq!(message(&looked), "WARNING: Agent has 1 open question: Which key?");
    let id = text(&handoff["handoff_id"]);
    assert_eq!(scene.resume(&handoff, &["--accept-understanding", "--no-wait"]).code, 5);
    assert_eq!(scene.task("GH-42")["agent"], FAILED, "answered first, then authorised");
    scene.world.bb(["clarify", "--handoff", &id, "--answer", "The new one"]).ok();
    assert_eq!(scene.verify(&handoff, &["--accept-understanding"]).code, 0, "all are answered");
}

/// C3, ⚠17: an understanding that is missing is code 4, also where the rest is right.
#[test]
fn a_missing_understanding_is_four() {
    let scene = Scene::new();
    let handoff = scene.hand_over(&[]);
    let content = json!({"type": "handoff_ack", "handoff_id": handoff["handoff_id"],
        "status": "ready_to_proceed", "starting_from": CHECKPOINT, "questions": []})
    .to_string();
    let words = ["send", "--from", NEW, "--to", LEAD, "--bead", "bb-1", "--category", "INFO", "-s", "ack"];
    scene.world.bb(words.iter().chain(&["-m", "ready", "--content", &content])).ok();
    let looked = scene.verify(&handoff, &["--accept-understanding"]);
    assert_eq!(looked.code, 4, "{looked}");
    assert_eq!(looked.data()["missing"], json!(["understanding"]));
    assert!(text(&looked.data()["template"]).contains("--understanding"), "{looked}");
    scene.verify(&handoff, &["--accept-partial", "--reason", " "]).fails("INVALID_HANDOFF", 65);
    let accepted = scene.verify(&handoff, &["--accept-partial", "--reason", "confirmed by voice"]);
    assert_eq!(accepted.code, 0, "{accepted}");
    let done = scene.resume(&handoff, &[]).ok().data();
    assert_eq!(done["audit"]["ack"]["accepted_partial"], "confirmed by voice", "it is audited");
    assert_eq!(done["audit"]["ack"]["understanding_verified"], false);
}

/// C14: an understanding that does not fit is clarified, and waited for anew.
#[test]
fn a_wrong_understanding_is_clarified() {
    let scene = Scene::new();
    let handoff = scene.hand_over(&[]);
    scene.ack(&handoff, &["--understanding", "Reset passwords", "--starting-from", CHECKPOINT]).ok();
    let looked = scene.verify(&handoff, &["--correct"]);
    assert_eq!(looked.code, 4, "{looked}");
    assert_eq!(message(&looked), "WARNING: Agent understanding is not accepted: 'Reset passwords'");
    let asked = &scene.mail_of(NEW, "handoff_clarification")[0];
    assert_eq!(asked["content"]["discrepancies"][0]["action"], "clarify_requirements");
    scene.ready(&handoff).ok();
    assert_eq!(scene.verify(&handoff, &[]).code, 4, "the new one is to be judged as well");
    assert_eq!(scene.verify(&handoff, &["--accept-understanding"]).code, 0);
}

/// C17: blockers are resolved, then it says that it is ready.
#[test]
fn whoever_is_not_ready_becomes_ready() {
    let scene = Scene::new();
    let handoff = scene.hand_over(&[]);
    scene.ack(&handoff, &["--status", "environment_issue", "--reason", "no compiler"]).ok();
    let stopped = scene.resume(&handoff, &["--accept-understanding", "--no-wait"]);
    assert_eq!((stopped.code, &stopped.data()["next_action"]), (2, &json!("help_resolve")));
    assert_eq!(scene.task("GH-42")["agent"], FAILED);
    scene.ready(&handoff).ok();
    assert_eq!(scene.resume(&handoff, &["--accept-understanding"]).ok().data()["outcome"], "success");
}

/// C14, C16, C17
#[test]
fn every_discrepancy_has_its_action() {
    let action = |words: &[&str], place: usize| {
        let scene = Scene::new();
        let handoff = scene.hand_over(&[]);
        scene.ack(&handoff, words).ok();
        scene.verify(&handoff, &[]).data()["checks"][place]["action"].clone()
    };
    let good = ["--understanding", UNDERSTANDING, "--starting-from", CHECKPOINT];
    assert_eq!(action(&good, 4), "clarify_requirements");
    let asks: Vec<_> = good.into_iter().chain(["--question", "Why?"]).collect();
    assert_eq!(action(&asks, 5), "answer_questions");
    assert_eq!(action(&["--status", "environment_issue", "--reason", "none"], 2), "resolve_blockers");
}

/// C18, C19, C20, C21, C22, C23, C24, C25, C26, C33, ⚠11
#[test]
fn the_state_names_the_replacement_and_keeps_what_was_done() {
    let scene = Scene::new();
    let (before, other) = (scene.task("GH-42"), scene.task("GH-43"));
    let done = replaced(&scene);
    let state = scene.world.json(["export"])["state"].clone();
    let moved = state["active_assignments"][0].clone();
    assert_eq!(
        moved,
        json!({
            "agent": NEW, "agent_type": "ai", "session": "session-of-implementer-2",
            "module": "Log in and out", "github_issue": "#42", "task_uuid": before["task_uuid"],
            "status": "pending_verification",
            "replacement_info": {
                "replaced_agent": FAILED, "replaced_session": "session-of-implementer-1",
                "replacement_reason": "context_loss", "replacement_timestamp": "2026-03-04T00:12:52Z",
                "handoff_id": done["handoff_id"], "handoff_url": done["url"],
            },
            "instruction_verification":
                {"status": "awaiting_repetition", "attempts": 0, "last_attempt": null, "verified_at": null},
            "progress": {"percentage": 50, "at_replacement": true, "last_update": "2026-03-04T00:11:22Z",
                "notes": "Inherited from implementer-1"},
        })
    );
    assert_eq!(scene.task("GH-43"), other, "only the transferred tasks change");
}

/// C27, C28, C29
#[test]
fn the_state_names_both_agents_and_the_history() {
    let scene = Scene::new();
    let done = replaced(&scene);
    let state = scene.world.json(["export"])["state"].clone();
    let agents = state["registered_agents"].as_array().unwrap();
    let agent = |id: &str| agents.iter().find(|it| it["id"] == id).unwrap();
    assert_eq!(
        *agent(FAILED),
        json!({"id": FAILED, "type": "ai", "session": "session-of-implementer-1", "status": "inactive",
            "inactive_reason": "replaced", "replaced_at": "2026-03-04T00:12:52Z", "replaced_by": NEW})
    );
    assert_eq!(
        *agent(NEW),
        json!({"id": NEW, "type": "ai", "session": "session-of-implementer-2", "status": "active",
            "registered": "2026-03-04T00:11:22Z", "assigned_from": FAILED})
    );
    assert_eq!(
        state["replacement_history"],
        json!([{"timestamp": "2026-03-04T00:12:52Z", "failed_agent": FAILED, "replacement_agent": NEW,
            "reason": "context_loss", "tasks_transferred": [scene.task("GH-42")["task_uuid"]],
            "handoff_id": done["handoff_id"], "status": "complete"}])
    );
    assert_eq!(scene.world.json(["show", FAILED])["replaced_by"], NEW);
}

/// C30, C31, C34: YAML that is read back is the same state; what was there is kept.
#[test]
fn the_state_is_written_as_yaml_and_the_one_before_is_kept() {
    let scene = Scene::new();
    replaced(&scene);
    let printed = scene.world.bb(["export", "--format", "yaml"]).ok().stdout;
    let read: Value = serde_norway::from_str(&printed).unwrap();
    assert_eq!(read, scene.world.json(["export"])["state"]);
    let file = scene.world.work().join(".atlas/state.yaml");
    fs::create_dir(file.parent().unwrap()).unwrap();
    fs::write(&file, "old: true\n").unwrap();
    let run = scene.world.bb(["export", "--output", ".atlas/state.yaml"]).ok();
    assert!(run.stdout.starts_with("State file updated successfully"), "{run}");
    assert_eq!(fs::read_to_string(&file).unwrap(), printed);
    let kept =
        scene.world.work().join(format!(".atlas/state.yaml.bak.{}", scene.world.now().millis() / 1000));
    assert_eq!(fs::read_to_string(kept).unwrap(), "old: true\n");
}

/// C18, C22, ⚠11: the state changes in one transaction over exactly the transferred tasks, or not at all.
#[test]
fn a_replacement_that_is_gone_at_the_last_moment_changes_nothing() {
    let scene = Scene::new();
    let (tasks, agents) = (scene.world.json(["tasks"]), scene.world.json(["show", FAILED])["state"].clone());
    let handoff = scene.hand_over(&[]);
    scene.ready(&handoff).ok();
    scene.verify(&handoff, &["--accept-understanding"]).ok();
    scene.world.bb(["state", NEW, "dead"]).ok();
    let failed = scene.resume(&handoff, &[]);
    assert_eq!(failed.code, 6, "{failed}");
    assert_eq!(scene.world.json(["tasks"]), tasks);
    assert_eq!(scene.world.json(["show", FAILED])["state"], agents);
    assert_eq!(scene.world.json(["export"])["state"]["replacement_history"], json!([]));
    assert_eq!(
        scene.mail_of(CONTROLLER, "replacement_confirmation")[0]["content"]["error"]["code"],
        "AGENT_GONE"
    );
}

/// C35, ⚠13
#[test]
fn success_is_confirmed_to_the_controller() {
    let scene = Scene::new();
    let done = replaced(&scene);
    let told = scene.mail_of(CONTROLLER, "replacement_confirmation");
    assert_eq!(told.len(), 1);
    assert_eq!(told[0]["subject"], "[EOA] Agent Replacement Complete");
    assert_eq!((&told[0]["priority"], &told[0]["to_agent"]), (&json!("normal"), &json!(CONTROLLER)));
    let content = &told[0]["content"];
    assert_eq!(content["type"], "replacement_confirmation");
    assert_eq!(content["status"], "success");
    assert_eq!(content["failed_agent"], json!({"id": FAILED, "session": "session-of-implementer-1"}));
    assert_eq!(content["replacement_agent"], json!({"id": NEW, "session": "session-of-implementer-2"}));
    assert_eq!(
        content["details"],
        json!({"tasks_reassigned": 1, "tasks_uuids": [scene.task("GH-42")["task_uuid"]],
            "github_issues_updated": [], "handoff_id": done["handoff_id"], "handoff_url": done["url"],
            "ack_received_at": "2026-03-04T00:12:22.000Z", "total_time": "1 minute"})
    );
}

/// C36
#[test]
fn a_task_that_cannot_move_makes_it_partial() {
    let scene = Scene::new();
    let handoff = scene.hand_over(&["--task", "GH-42", "GH-43"]);
    scene.ready(&handoff).ok();
    scene.world.bb(["complete", "--agent", LEAD, "--task", "GH-43", "--cancel"]).ok();
    let run = scene.resume(&handoff, &["--accept-understanding"]);
    assert_eq!(run.code, 6, "{run}");
    let told = &scene.mail_of(CONTROLLER, "replacement_confirmation")[0];
    assert_eq!(told["subject"], "[EOA] Agent Replacement Partially Complete");
    assert_eq!((&told["priority"], &told["content"]["status"]), (&json!("high"), &json!("partial")));
    let details = &told["content"]["details"];
    assert_eq!((&details["tasks_reassigned"], &details["tasks_failed"]), (&json!(1), &json!(1)));
    assert_eq!(details["failed_tasks"][0]["uuid"], scene.task("GH-43")["task_uuid"]);
    assert!(details["failed_tasks"][0]["reason"].is_string());
    assert_eq!(details["action_required"], "manual_reassignment_needed");
}

/// C37, ⚠12
#[test]
fn silence_is_a_failure_that_the_controller_hears_of() {
    let scene = Scene::new();
    let handoff = scene.hand_over(&[]);
    for seconds in [300, 150, 150] {
        scene.world.pass(seconds);
        scene.world.bb(["tick"]).ok();
    }
    assert_eq!(scene.resume(&handoff, &[]).code, 6);
    let told = &scene.mail_of(CONTROLLER, "replacement_confirmation")[0];
    assert_eq!(told["subject"], "[EOA] Agent Replacement Failed");
    assert_eq!((&told["priority"], &told["content"]["status"]), (&json!("urgent"), &json!("failed")));
    let error = &told["content"]["error"];
    assert_eq!((&error["code"], &error["reminders_sent"]), (&json!("NO_ACK_RECEIVED"), &json!(2)));
    assert_eq!(error["last_attempt"], "2026-03-04T00:18:52.000Z", "the second reminder");
    assert_eq!(told["content"]["action_required"], "provide_alternative_agent");
    assert_eq!(scene.task("GH-42")["agent"], FAILED, "nothing moved");
}

/// C32: who failed, who is new and in which session, why, and in which handoff, is what the state says.
#[test]
fn the_state_is_changed_as_the_order_says() {
    let scene = Scene::new();
    scene.world.bb(["register", "--name", "zinc-yak", "--role", "backend", "--session", "pane-7"]).ok();
    let mut order = Scene::order("replace", &["--no-wait", "--json"]);
    let says = |order: &mut Vec<&str>, flag: &str, value: &'static str| {
        let place = order.iter().position(|word| *word == flag).unwrap();
        order[place + 1] = value;
    };
    says(&mut order, "--to", "zinc-yak");
    says(&mut order, "--reason", "crashed twice");
    let begun = scene.world.bb(order);
    assert_eq!(begun.code, 75, "{begun}");
    let begun = begun.data();
    let ack = ["ack", "--agent", "zinc-yak", "--message"];
    let words =
        ["--status", "ready_to_proceed", "--understanding", UNDERSTANDING, "--starting-from", CHECKPOINT];
    scene.world.bb(ack.iter().chain(&[text(&begun["message_id"]).as_str()]).chain(&words)).ok();
    // A session that begins in between is the one that goes on with the task.
    let again = ["register", "--name", "zinc-yak", "--role", "backend", "--session", "pane-8"];
    scene.world.bb(again.iter().chain(&["--force-update"])).ok();
    scene.resume(&begun, &["--accept-understanding"]).ok();
    let state = scene.world.json(["export"])["state"].clone();
    let moved = &state["active_assignments"][0];
    assert_eq!((&moved["agent"], &moved["session"]), (&json!("zinc-yak"), &json!("pane-8")));
    let info = &moved["replacement_info"];
    assert_eq!(
        (&info["replaced_agent"], &info["replacement_reason"]),
        (&json!(FAILED), &json!("crashed twice"))
    );
    assert_eq!(info["handoff_id"], begun["handoff_id"]);
    let history = &state["replacement_history"][0];
    assert_eq!(
        (&history["failed_agent"], &history["replacement_agent"]),
        (&json!(FAILED), &json!("zinc-yak"))
    );
    assert_eq!((&history["reason"], &history["handoff_id"]), (&json!("crashed twice"), &begun["handoff_id"]));
    for missing in ["--failed", "--to", "--reason"] {
        let mut order = Scene::order("replace", &[]);
        let place = order.iter().position(|word| *word == missing).unwrap();
        order.drain(place..place + 2);
        scene.world.bb(order).fails("INVALID_ARGS", 64);
    }
    scene.world.bb(["replace", "--resume", "no-such-handoff"]).fails("HANDOFF_NOT_FOUND", 66);
}

/// C38, C39: the log in YAML has a replacement as its audit entry, also once it is archived.
#[test]
fn the_log_in_yaml_has_the_audit_entries() {
    let scene = Scene::new();
    replaced(&scene);
    let audit: Value = serde_norway::from_str(&scene.world.bb(["export", "--audit"]).ok().stdout).unwrap();
    let entries = |flags: &[&str]| {
        let log = ["log", "--format", "yaml", "--limit", "500"];
        let text = scene.world.bb(log.iter().chain(flags)).ok().stdout;
        let log: Value = serde_norway::from_str(&text).unwrap();
        let of_replacements = |it: &&Value| it["event"] == "agent_replacement";
        log.as_array().unwrap().iter().filter(of_replacements).cloned().collect::<Vec<_>>()
    };
    assert_eq!(json!(entries(&[])), audit);
    scene.world.bb(["archive", "--older-than", "0"]).ok();
    assert_eq!(json!(entries(&["--archived"])), audit);
}

/// C38, C39, ⚠13
#[test]
fn the_audit_log_is_a_yaml_list_with_every_key() {
    let scene = Scene::new();
    let done = replaced(&scene);
    let printed = scene.world.bb(["export", "--audit"]).ok().stdout;
    let log: Value = serde_norway::from_str(&printed).unwrap();
    assert_eq!(log.as_array().unwrap().len(), 1);
    assert_eq!(
        log[0],
        json!({
            "timestamp": "2026-03-04T00:12:52Z", "event": "agent_replacement", "orchestrator": LEAD,
            "ecos_notification":
                {"received_at": "2026-03-04T00:11:22Z", "notification_id": null, "urgency": "immediate"},
            "failed_agent": {"id": FAILED, "session": "session-of-implementer-1", "reason": "context_loss",
                "tasks_assigned": [scene.task("GH-42")["task_uuid"]], "last_known_progress": 50},
            "replacement_agent": {"id": NEW, "session": "session-of-implementer-2"},
            "handoff": {"id": done["handoff_id"], "url": done["url"], "generated_at": "2026-03-04T00:11:22Z",
                "size_bytes": done["document"]["size_bytes"]},
            "github": {"issues_updated": [], "labels_changed": [], "comments_added": []},
            "ack": {"received_at": "2026-03-04T00:12:22Z", "status": "ready_to_proceed",
                "understanding_verified": true},
            "ecos_confirmation": {"sent_at": "2026-03-04T00:12:52Z", "status": "success"},
            "total_duration": "1 minute 30 seconds", "outcome": "success",
        })
    );
    assert_eq!(log[0], done["audit"]);
    assert_eq!(scene.events("agent_replacement"), 1);
}

/// C43, ⚠14
#[test]
fn the_report_counts_and_lists() {
    let scene = Scene::new();
    let empty = scene.world.json(["report"]);
    assert_eq!((&empty["total"], &empty["recent"]), (&json!(0), &json!([])));
    replaced(&scene);
    let report = scene.world.bb(["report"]).ok().stdout;
    assert_eq!(
        report,
        "# Agent Replacement Audit Report\nGenerated: 2026-03-04T00:12:52Z\n\n## Summary\n\
         - Total replacements: 1\n- Successful: 1\n- Partial: 0\n- Failed: 0\n\n## Recent Replacements\n\
         - 2026-03-04T00:12:52Z: implementer-1 -> implementer-2 (success)\n"
    );
}

/// C44, H34, H35: each item is looked for, and what is missing is said.
#[test]
fn a_replacement_is_done_only_when_every_item_holds() {
    let scene = Scene::new();
    let handoff = scene.hand_over(&[]);
    let id = text(&handoff["handoff_id"]);
    let before = scene.world.json(["replace", "--status", &id]);
    assert_eq!(before["done"], false);
    assert_eq!(missing(&before), [0, 6, 6, 9, 0, 4, 3], "only the delivery is complete: {before}");
    let people = scene.world.bb(["replace", "--status", &id]).ok().stdout;
    assert_eq!((people.matches("[x]").count(), people.matches("[ ]").count()), (11, 28), "{people}");
    assert!(people.contains("[ ] status is ready_to_proceed (not verified: bb agent verify-ack"), "{people}");
    scene.ready(&handoff).ok();
    scene.verify(&handoff, &["--accept-understanding"]).ok();
    let verified = scene.world.json(["replace", "--status", &id]);
    assert_eq!(missing(&verified), [0, 2, 0, 9, 0, 4, 3], "{verified}");
    scene.resume(&handoff, &["--accept-understanding"]).ok();
    let status = scene.world.json(["replace", "--status", &id]);
    let sizes: Vec<_> = groups(&status).iter().map(|(_, items)| items.len()).collect();
    assert_eq!(sizes, [7, 6, 6, 9, 4, 4, 3]);
    let names: Vec<_> = groups(&status).into_iter().map(|(name, _)| name).collect();
    assert_eq!(
        names,
        [
            "Delivery",
            "After the acknowledgment",
            "ACK verification",
            "State",
            "GitHub",
            "Controller",
            "Audit"
        ]
    );
    assert_eq!(status["done"], true, "{status}");
    let people = scene.world.bb(["replace", "--status", &id]).ok().stdout;
    assert_eq!(people.matches("[x]").count(), 39, "{people}");
    scene.world.bb(["state", FAILED, "running"]).ok();
    let changed = scene.world.json(["replace", "--status", &id]);
    assert_eq!(missing(&changed), [0, 0, 0, 1, 0, 0, 0], "what is so in the store counts: {changed}");
}

fn groups(status: &Value) -> Vec<(String, Vec<bool>)> {
    let all = status["checklists"].as_array().unwrap().iter();
    let done =
        |group: &Value| group["items"].as_array().unwrap().iter().map(|it| it["done"] == true).collect();
    all.map(|group| (text(&group["group"]), done(group))).collect()
}

/// How many items of each group are missing.
fn missing(status: &Value) -> Vec<usize> {
    groups(status).iter().map(|(_, items)| items.iter().filter(|done| !**done).count()).collect()
}
