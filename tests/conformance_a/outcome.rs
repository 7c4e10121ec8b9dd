//! A46 to A56: how it ends, and the numbers in force.

use serde_json::{Value, json};

use crate::wait_ack_scene::{LEAD, OTTER, Scene, list, told};

/// A46, ⚠4: the operation is announced and runs once, however many look at the end.
#[test]
fn an_acknowledged_operation_runs_once() {
    let scene = Scene::new();
    let asked = scene.ask();
    scene.answer(&asked, OTTER, "ok");
    let line = ["wait-ack", "--resume", &asked.operation, "--", "sh", "-c", "echo begun >> runs"];
    let first = scene.world.bb(line).ok();
    assert!(told(&first).contains(&"Proceeding with operation - agent acknowledged"), "{first}");
    scene.world.bb(line).ok();
    scene.world.pass(500);
    scene.world.bb(line).ok();
    assert_eq!(std::fs::read_to_string(scene.world.work().join("runs")).unwrap(), "begun\n");
    assert_eq!(scene.received(OTTER, "post-operation").len(), 1);
    assert_eq!(scene.events(&asked, "operation.claimed").len(), 1);
    assert_eq!(scene.events(&asked, "handshake.ended").len(), 1);
}

/// A47: the timeout is told as a warning.
#[test]
fn a_timeout_is_told_as_a_warning() {
    let scene = Scene::new();
    let asked = scene.ask();
    let run = scene.finish(&asked);
    let line = "[2026-03-04T00:13:22.000Z] WARNING: Timeout - no acknowledgment from amber-otter after 120 seconds\n";
    assert!(run.stderr.contains(line), "{run}");
}

/// A48: the audit line of a timeout stands in the log.
#[test]
fn the_log_has_the_audit_line_of_a_timeout() {
    let scene = Scene::new();
    let asked = scene.ask();
    scene.finish(&asked);
    let line = "[2026-03-04T00:13:22.000Z] TIMEOUT: No acknowledgment from amber-otter after 120 seconds";
    assert_eq!(scene.events(&asked, "handshake.timed-out")[0]["data"]["audit"], line);
    let text = scene.run(&format!("log --operation-id {}", asked.operation)).ok().stdout;
    assert!(text.lines().any(|it| it == line), "{text}");
}

/// A49: the notice to those who stayed silent.
#[test]
fn the_silent_are_told_that_it_goes_on_without_them() {
    let scene = Scene::new();
    let asked = scene.ask();
    scene.finish(&asked);
    let notice = scene.received(OTTER, "timeout-notice").remove(0);
    assert_eq!(notice["subject"], "Proceeding Without Acknowledgment");
    assert_eq!((&notice["priority"], &notice["category"]), (&json!("high"), &json!("INFO")));
    assert_eq!(notice["created_at"], "2026-03-04T00:13:22.000Z");
    let content = &notice["content"];
    assert_eq!(content["type"], "timeout-notice");
    assert_eq!(content["message"], "No response received after 2 minutes. Proceeding with operation now.");
    assert_eq!(content["operation"], "skill-install");
    assert_eq!(content["timeout_occurred"], true);
}

/// A50: after a timeout the operation is performed all the same, and the agent hears how it went.
#[test]
fn after_a_timeout_the_operation_is_performed_and_reported() {
    let scene = Scene::new();
    let asked = scene.ask();
    let run = scene.run(&format!("wait-ack --resume {} --json -- touch begun", asked.operation)).ok();
    assert_eq!(run.data()["proceeded_anyway"], true);
    assert!(scene.world.work().join("begun").exists());
    let report = scene.received(OTTER, "post-operation").remove(0);
    assert_eq!(report["subject"], "Skill Installation Complete");
    assert_eq!((&report["content"]["success"], &report["content"]["exit_status"]), (&json!(true), &json!(0)));
    assert_eq!(report["content"]["timeout_occurred"], true);
    assert_eq!(scene.kinds(OTTER).last().unwrap(), "post-operation");
}

/// A51: the operation's record.
#[test]
fn the_record_of_the_operation_tells_of_the_timeout() {
    let scene = Scene::new();
    let asked = scene.ask();
    scene.finish(&asked);
    let records = scene.events(&asked, "operation.record");
    assert_eq!(records.len(), 1);
    assert_eq!(
        records[0]["data"],
        json!({
            "operation_id": asked.operation, "operation": "skill-install", "agent": OTTER,
            "acknowledgment_received": false, "timeout_occurred": true, "proceeded_anyway": true,
        })
    );
}

fn setting(scene: &Scene, name: &str) -> Value {
    let config = scene.data("config");
    list(&config["settings"]).iter().find(|it| it["key"] == name).unwrap()["value"].clone()
}

/// A52, A53, A54, A55, A56: the defaults, as they are printed and as they act.
#[test]
fn the_defaults() {
    let scene = Scene::new();
    assert_eq!(setting(&scene, "acknowledgment_timeout"), 120);
    assert_eq!(setting(&scene, "reminder_intervals"), json!([30, 60, 90]));
    assert_eq!(setting(&scene, "extension_allowed"), true);
    assert_eq!(setting(&scene, "max_extension"), 60);
    assert_eq!(setting(&scene, "proceed_on_timeout"), true);
    let asked = scene.ask();
    scene.answer(&asked, OTTER, "wait");
    let data = scene.finish(&asked).data();
    assert_eq!((&data["elapsed_seconds"], &data["reminders_sent"]), (&json!(180), &json!(3)));
    assert_eq!((&data["extension_granted"], &data["proceed"]), (&json!(true), &json!(true)));
}

/// A52, A53, A54, A55, A56: each of them can be set.
#[test]
fn each_default_can_be_set() {
    let scene = Scene::new();
    let config = scene.world.path("config.toml");
    std::fs::write(
        &config,
        "acknowledgment_timeout = 50\nreminder_intervals = [5, 15]\nmax_extension = 20\nproceed_on_timeout = false\n",
    )
    .unwrap();
    let line = format!("wait-ack --from {LEAD} --to {OTTER} --operation restart --no-wait --json");
    let opened = scene.command(&line).env("BB_CONFIG", &config).output().unwrap();
    assert_eq!(opened.status.code(), Some(75));
    let wait = &scene.data("waits")[0];
    assert_eq!((&wait["remaining_seconds"], &wait["reminders_at"]), (&json!(50), &json!([5, 15])));
    let id = wait["agents"][0]["message_id"].as_str().unwrap();
    scene.run(&format!("reply --agent {OTTER} --message {id} --wait")).ok();
    assert_eq!(scene.data("waits")[0]["remaining_seconds"], 70);
    let end = scene.run(&format!("wait-ack --resume {}", wait["operation_id"].as_str().unwrap()));
    assert_eq!(end.code, 4, "{end}");

    std::fs::write(&config, "extension_allowed = false\n").unwrap();
    scene.command(&line).env("BB_CONFIG", &config).output().unwrap();
    let wait = &scene.data("waits")[0];
    let id = wait["agents"][0]["message_id"].as_str().unwrap();
    scene.run(&format!("reply --agent {OTTER} --message {id} --wait")).ok();
    assert_eq!(scene.data("waits")[0]["extension_granted"], false);
    assert_eq!(scene.received(OTTER, "extension-granted").len(), 1);
}
