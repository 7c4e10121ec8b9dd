//! How a replacement is confirmed, one requirement a test.

mod closing;
mod state;
mod verification;

use serde_json::{Value, json};

use crate::replacement_scene::{CHECKPOINT, FAILED, LEAD, NEW, Scene, UNDERSTANDING, text};

/// A replacement of `GH-42` that went well, and what the last command answered.
fn replaced(scene: &Scene) -> Value {
    let handoff = scene.hand_over(&[]);
    scene.world.pass(60);
    scene.ready(&handoff).ok();
    scene.world.pass(30);
    scene.resume(&handoff, &["--accept-understanding"]).ok().data()
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

/// Every requirement from C1 to C44 is named by a test.
#[test]
fn every_requirement_has_its_test() {
    let sources = [
        include_str!("conformance_c.rs"),
        include_str!("conformance_c/closing.rs"),
        include_str!("conformance_c/state.rs"),
        include_str!("conformance_c/verification.rs"),
        include_str!("archive/moving.rs"),
    ];
    let wanted = (1..=44).map(|number| format!("C{number}"));
    assert_eq!(unnamed(&sources, wanted), Vec::<String>::new(), "without a test");
}

/// The requirements that no comment above a test names.
pub(crate) fn unnamed(sources: &[&str], wanted: impl Iterator<Item = String>) -> Vec<String> {
    let docs: Vec<_> = sources.iter().flat_map(|source| above_tests(source)).collect();
    let named: Vec<_> =
        docs.iter().flat_map(|line| line.split(|c: char| !c.is_ascii_alphanumeric())).collect();
    wanted.filter(|id| !named.contains(&id.as_str())).collect()
}

/// The comments that stand right above a test.
fn above_tests(source: &str) -> Vec<&str> {
    let (mut found, mut above) = (Vec::new(), Vec::new());
    for line in source.lines().map(str::trim_start) {
        match line {
            _ if line.starts_with("///") => above.push(line),
            "#[test]" => found.append(&mut above),
            _ => above.clear(),
        }
    }
    found
}

/// A comment that belongs to no test proves nothing.
#[test]
fn a_requirement_is_named_only_above_a_test() {
    let source = "/// C1\n#[test]\nfn a() {}\n\n/// C2\nfn helper() {}\n/// C3\n\n#[test]\nfn b() {}\n";
    let wanted = (1..=3).map(|number| format!("C{number}"));
    assert_eq!(unnamed(&[source], wanted), ["C2", "C3"]);
}
