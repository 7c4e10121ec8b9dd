//! C1 to C17: the six checks, and what each discrepancy leads to.

use serde_json::json;

use crate::common::Run;
use crate::replacement_scene::{CHECKPOINT, FAILED, LEAD, NEW, Scene, UNDERSTANDING, text};

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
    let unconfirmed = scene.verify(&handoff, &["--accept-understanding"]);
    assert_eq!(unconfirmed.code, 1, "all are answered, and not confirmed: {unconfirmed}");
    assert!(message(&unconfirmed).starts_with("ERROR: No confirming ACK since the clarification of 2026"));
    assert_eq!(scene.resume(&handoff, &["--accept-understanding", "--no-wait"]).code, 75);
    scene.ready(&handoff).ok();
    assert_eq!(scene.verify(&handoff, &["--accept-understanding"]).code, 0, "confirmed");
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
