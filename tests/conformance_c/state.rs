//! C18 to C34: the state after a replacement.

use std::fs;

use serde_json::{Value, json};

use super::replaced;
use crate::replacement_scene::{CONTROLLER, FAILED, NEW, Scene};

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
