//! `handoff`: what is refused, and that nothing is half done.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::replacement_scene::{CHECKPOINT, FAILED, LEAD, NEW, Scene, UNDERSTANDING, text};

fn nothing_happened(scene: &Scene) {
    assert!(scene.mail_of(NEW, "replacement_handoff").is_empty());
    assert_eq!(scene.events("handoff.prepared"), 0);
    let kept = fs::read_dir(scene.world.path("store/handoffs")).map_or(0, Iterator::count);
    assert_eq!(kept, 0, "a document was left behind");
}

#[test]
fn answers_with_everything_that_the_next_command_needs() {
    let scene = Scene::new();
    let handoff = scene.hand_over(&["--urgency", "prepare"]);
    assert_eq!(handoff["urgency"], "prepare");
    assert_eq!(handoff["tasks"][0]["task_id"], "GH-42");
    assert_eq!(handoff["step"], "sent");
    assert_eq!(handoff["url"], handoff["document"]["path"]);
    assert_eq!(handoff["published"], false);
    assert_eq!(handoff["wait"], format!("bb agent wait-ack --handoff {}", text(&handoff["handoff_id"])));
}

#[test]
fn a_missing_document_is_no_input() {
    let scene = Scene::new();
    fs::remove_file(scene.world.work().join("handoff.md")).unwrap();
    scene.world.bb(Scene::order("handoff", &[])).fails("FILE_NOT_FOUND", 66);
    nothing_happened(&scene);
}

/// Produces INVALID_HANDOFF and HANDOFF_NOT_FOUND.
#[test]
fn what_cannot_be_handed_over_is_refused_and_nothing_happens() {
    let scene = Scene::new();
    let document = scene.world.work().join("handoff.md");
    let with = |from: &str, failed: &str, to: &str, task: &str| {
        let words = ["handoff", "--from", from, "--failed", failed, "--to", to, "--reason", "context_loss"];
        scene.world.bb(words.iter().chain(&["--document", "handoff.md", "--task", task]))
    };
    with("nobody-here", FAILED, NEW, "GH-42").fails("UNKNOWN_SENDER", 67);
    with(LEAD, "nobody-here", NEW, "GH-42").fails("AGENT_NOT_FOUND", 67);
    with(LEAD, FAILED, "nobody-here", "GH-42").fails("UNKNOWN_RECIPIENT", 67);
    with(LEAD, FAILED, FAILED, "GH-42").fails("INVALID_HANDOFF", 65);
    with(LEAD, FAILED, LEAD, "GH-42").fails("INVALID_HANDOFF", 65);
    with(LEAD, FAILED, NEW, "GH-99").fails("TASK_NOT_FOUND", 66);
    with(LEAD, NEW, FAILED, "GH-42").fails("INVALID_HANDOFF", 65);
    scene.world.bb(Scene::order("handoff", &["--task", "GH-42", "GH-42"])).fails("INVALID_HANDOFF", 65);
    scene.world.bb(Scene::order("handoff", &["--issue", "none"])).fails("INVALID_HANDOFF", 65);
    scene.world.bb(["handoff", "--from", LEAD, "--failed", FAILED]).fails("INVALID_ARGS", 64);
    let folder = scene.world.work().display().to_string();
    let order = |document| {
        let words = ["handoff", "--from", LEAD, "--failed", FAILED, "--to", NEW, "--reason", "context_loss"];
        scene.world.bb(words.iter().chain(&["--task", "GH-42", "--document", document]))
    };
    let refused = order(&folder).fails("IO_READ_FAILED", 74);
    assert!(refused.stderr.contains("hint: name a text file that you can read"), "{refused}");
    fs::write(&document, [0xff, 0xfe]).unwrap();
    order("handoff.md").fails("INVALID_HANDOFF", 65);
    fs::write(&document, " \n").unwrap();
    scene.world.bb(Scene::order("handoff", &[])).fails("INVALID_HANDOFF", 65);
    fs::write(&document, "x".repeat(10 * 1024 * 1024 + 1)).unwrap();
    scene.world.bb(Scene::order("handoff", &[])).fails("INVALID_HANDOFF", 65);
    fs::write(&document, "fine").unwrap();
    scene.world.bb(["state", NEW, "dead"]).ok();
    scene.world.bb(Scene::order("handoff", &[])).fails("RECIPIENT_GONE", 67);
    nothing_happened(&scene);
    let unknown = scene.world.bb(["verify-ack", "--handoff", "nothing"]).fails("HANDOFF_NOT_FOUND", 66);
    assert!(unknown.stderr.contains("hint: no handoff is open"), "{unknown}");
    scene.world.bb(["verify-ack", "--handoff", "no such"]).fails("INVALID_HANDOFF", 65);
}

#[test]
fn a_document_of_the_full_size_is_taken() {
    let scene = Scene::new();
    fs::write(scene.world.work().join("handoff.md"), "x".repeat(10 * 1024 * 1024)).unwrap();
    assert_eq!(scene.hand_over(&[])["document"]["size_bytes"], 10 * 1024 * 1024);
}

#[test]
fn a_failed_agent_that_is_dead_can_be_replaced() {
    let scene = Scene::new();
    scene.world.bb(["state", FAILED, "dead"]).ok();
    assert_eq!(scene.hand_over(&[])["step"], "sent");
}

#[test]
fn a_newer_handoff_of_a_task_closes_the_earlier_one() {
    let scene = Scene::new();
    let first = scene.hand_over(&["--task", "GH-42", "GH-43"]);
    let second = scene.hand_over(&[]);
    let warning = second["warnings"][0].as_str().unwrap();
    assert!(warning.contains(&text(&first["handoff_id"])) && warning.contains("GH-43"), "{warning}");
    let closed = scene.world.json(["replace", "--status", &text(&first["handoff_id"])]);
    assert_eq!((&closed["step"], &closed["superseded_by"]), (&json!("superseded"), &second["handoff_id"]));
    assert_ne!(first["document"]["path"], second["document"]["path"], "both in the same second");
    scene.resume(&first, &[]).data();
    assert_eq!(scene.resume(&first, &[]).code, 6);
    let open = scene.world.json(["waits"]);
    assert_eq!(open.to_string().matches("\"operation_id\"").count(), 1, "{open}");
}

/// Whoever was asked to take the tasks hears once that it is not asked any more, and by whom they are taken.
#[test]
fn the_earlier_replacement_is_told_that_its_handoff_is_superseded() {
    let scene = Scene::new();
    let first = scene.hand_over(&["--task", "GH-42", "GH-43"]);
    scene.world.bb(["register", "--name", "implementer-3", "--role", "backend"]).ok();
    let words = ["handoff", "--from", LEAD, "--failed", FAILED, "--to", "implementer-3", "--reason", "crash"];
    let second =
        scene.world.json(words.iter().chain(&["--document", "handoff.md", "--task", "GH-42"]).copied());
    let told = scene.mail_of(NEW, "cancellation-notice");
    assert_eq!(told.len(), 1);
    let (old, new) = (text(&first["handoff_id"]), text(&second["handoff_id"]));
    assert_eq!((&told[0]["category"], &told[0]["requires_ack"]), (&json!("INFO"), &json!(false)));
    assert_eq!(told[0]["subject"], format!("[CANCELLED] Handoff {old} is superseded"));
    assert_eq!(told[0]["thread_id"], format!("handoff:{old}"));
    let content = &told[0]["content"];
    assert_eq!((&content["handoff_id"], &content["superseded_by"]), (&json!(old), &json!(new)));
    assert_eq!(
        (&content["replacement_agent"], &content["left_over"]),
        (&json!("implementer-3"), &json!(["GH-43"]))
    );
    let body = text(&told[0]["body"]);
    assert!(body.contains(&new) && body.contains("You do not replace implementer-1 any more"), "{body}");
    assert!(scene.mail_of("implementer-3", "cancellation-notice").is_empty());
    assert!(scene.mail_of(LEAD, "cancellation-notice").is_empty(), "it did so itself");
    assert!(scene.world.json(["inbox", "--agent", NEW, "--needs-ack"]).as_array().unwrap().is_empty());
    let late = scene.ready(&first).ok().data();
    let hint = format!("it came too late and counts for nothing: the tasks went into handoff {new}");
    assert_eq!(late["hint"], hint.as_str());
}

/// Whoever waits for a handoff that somebody else supersedes is told as well.
#[test]
fn another_orchestrator_is_told_that_its_handoff_is_superseded() {
    let scene = Scene::new();
    let first = scene.hand_over(&[]);
    scene.world.bb(["register", "--name", "lead-two", "--role", "lead"]).ok();
    let words = ["handoff", "--from", "lead-two", "--failed", FAILED, "--to", NEW, "--reason", "crash"];
    let second =
        scene.world.json(words.iter().chain(&["--document", "handoff.md", "--task", "GH-42"]).copied());
    let told = &scene.mail_of(LEAD, "cancellation-notice")[0]["content"];
    assert_eq!(told["superseded_by"], second["handoff_id"]);
    let still = text(&scene.mail_of(NEW, "cancellation-notice")[0]["body"]);
    assert!(still.contains("You are still asked to replace implementer-1"), "{still}");
    assert_eq!(scene.world.bb(["wait-ack", "--handoff", &text(&first["handoff_id"])]).code, 2);
}

#[test]
fn whoever_says_that_there_is_no_question_has_none() {
    let scene = Scene::new();
    let handoff = scene.hand_over(&[]);
    let said = ["--understanding", UNDERSTANDING, "--starting-from", CHECKPOINT, "--question", "None."];
    scene.ack(&handoff, &said).ok();
    scene.verify(&handoff, &["--accept-understanding"]).ok();
}

/// A beginning or an end of an id will do, as for messages.
#[test]
fn a_part_of_its_id_stands_for_a_handoff() {
    let scene = Scene::new();
    let id = text(&scene.hand_over(&[])["handoff_id"]);
    for part in [&id[..8], &id[28..]] {
        assert_eq!(scene.world.json(["replace", "--status", part])["handoff_id"], id.as_str());
    }
    let short = scene.world.bb(["replace", "--status", &id[..3]]).fails("HANDOFF_NOT_FOUND", 66);
    let open = format!("hint: open, the latest first: `{id}` (implementer-1 to implementer-2)");
    assert!(short.stderr.contains(&open), "{short}");
    // Ids are drawn until two begin alike, which is soon: there are sixteen digits.
    let (mut ids, mut twice) = (vec![id], None);
    while twice.is_none() {
        let new = text(&scene.hand_over(&[])["handoff_id"]);
        twice = ids.iter().any(|it| it[..1] == new[..1]).then(|| new[..1].to_owned());
        ids.push(new);
    }
    let part = twice.unwrap();
    let refused = scene.world.bb(["replace", "--status", &part]).fails("AMBIGUOUS_ID", 65);
    for id in ids.iter().filter(|id| id.starts_with(&part)) {
        assert!(refused.stderr.contains(id), "{refused}");
    }
}

/// The reference of fields names exactly what there is.
#[test]
fn the_documented_fields_are_those_there_are() {
    let scene = Scene::new();
    let handoff = scene.hand_over(&[]);
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/json.md")).unwrap();
    let (_, section) = page.split_once("## A handoff").unwrap();
    let lists: Vec<Vec<_>> =
        section.split('`').skip(1).step_by(2).map(|list| list.split_whitespace().collect()).collect();
    let list = |first: &str| lists.iter().find(|list| list.len() > 1 && list[0] == first).unwrap().clone();
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let agree = |value: &Value, documented: Vec<&str>| {
        let (mut there, mut said) = (keys(value), documented);
        there.sort();
        said.sort_unstable();
        assert_eq!(there, said);
    };
    let common = lists.iter().find(|list| list.contains(&"publishing_errors")).unwrap().clone();
    agree(&handoff, [common.clone(), vec!["wait"]].concat());
    let status = scene.world.json(["replace", "--status", &text(&handoff["handoff_id"])]);
    agree(&status, [common, list("verification")].concat());
    scene.ready(&handoff).ok();
    let verified = lists.iter().find(|list| list.contains(&"template")).unwrap().clone();
    agree(&scene.verify(&handoff, &[]).data(), verified);
}
