//! E19 to E24: an agent that cannot take a task, and what is done about it.

use serde_json::json;

use crate::task_scene::{HERON, LEAD, OTTER, Scene, YAK};

/// The agent reports an error, and the lead looks at once.
fn failed(code: &str, more: &[&str], wait: &[&str]) -> (Scene, crate::common::Run) {
    let scene = Scene::assigned();
    scene.ack(&[&["--error", code], more].concat()).ok();
    let waited = scene.wait(wait);
    (scene, waited)
}

/// E19: the fields of an error.
#[test]
fn an_error_has_its_fields() {
    let scene = Scene::assigned();
    scene.world.pass(60);
    let more = ["--reason", "current load at 95%", "--retry-after", "15m", "--alternative", HERON, YAK];
    scene.ack(&[&["--error", "RESOURCE_UNAVAILABLE"], &more[..]].concat()).ok();
    let content = scene.newest(LEAD, "task-acknowledgment-error")["content"].clone();
    assert_eq!(content["type"], "task-acknowledgment-error");
    assert_eq!(content["task_id"], "GH-42");
    assert_eq!(content["error_code"], "RESOURCE_UNAVAILABLE");
    assert_eq!(content["error_message"], "current load at 95%");
    assert_eq!(content["timestamp"], "2026-03-04T00:12:22.000Z");
    assert_eq!(content["retry_after_minutes"], 15);
    assert_eq!(content["alternative_agents"], json!([HERON, YAK]));
    assert_eq!(scene.status(), ("error".to_owned(), false));
    // Who cannot take it owes nothing more.
    assert_eq!(scene.json(&["inbox", "--agent", OTTER, "--needs-ack"]).data(), json!([]));
}

/// E20: no capacity: wait, or reassign.
#[test]
fn resource_unavailable_waits_or_reassigns() {
    let (_, waited) = failed("RESOURCE_UNAVAILABLE", &["--retry-after", "15m", "--alternative", HERON], &[]);
    assert_eq!(waited.code, 6, "{waited}");
    let waited = waited.data();
    let advice = waited["advice"].as_str().unwrap();
    assert_eq!(waited["next_action"], "wait-or-reassign");
    assert!(advice.contains("it asks for 15 min") && advice.contains("it suggests blue-heron"), "{advice}");

    let (scene, waited) = failed(
        "RESOURCE_UNAVAILABLE",
        &["--retry-after", "15m", "--alternative", HERON],
        &["--auto", "--block-for", "5"],
    );
    assert_eq!(waited.code, 75, "{waited}");
    assert_eq!(scene.task()["agent"], HERON);
    assert_eq!(scene.got(OTTER, "cancellation-notice").len(), 0, "who refused need not stop");
}

/// E20: without a live alternative the same agent is asked again after the time it gave.
#[test]
fn resource_unavailable_is_retried_after_its_time() {
    let (scene, waited) =
        failed("RESOURCE_UNAVAILABLE", &["--retry-after", "15m"], &["--auto", "--block-for", "10"]);
    assert_eq!(waited.code, 75, "{waited}");
    let waited = waited.data();
    assert_eq!(
        (&waited["outcome"], &waited["retry_at"]),
        (&json!("waiting"), &json!("2026-03-04T00:26:22.000Z"))
    );
    assert_eq!(waited["resume"], "bb agent wait-ack --task GH-42 --auto --block-for 10s");
    scene.world.pass(899);
    assert_eq!(scene.got(OTTER, "task-assignment").len(), 1);
    scene.run(&["tick"]).ok();
    assert_eq!(scene.got(OTTER, "task-assignment").len(), 1);
    scene.world.pass(1);
    scene.run(&["tick"]).ok();
    assert_eq!(scene.got(OTTER, "task-assignment").len(), 2);
    assert_eq!(scene.status(), ("assigned".to_owned(), false));
    scene.ack(&["--understanding", "JWT"]).ok();
    assert_eq!(scene.wait(&["--auto"]).ok().data()["outcome"], "acknowledged");
}

/// E21: the wrong agent: reassign now.
#[test]
fn capability_mismatch_is_reassigned_now() {
    let (_, waited) = failed("CAPABILITY_MISMATCH", &[], &[]);
    assert_eq!((waited.code, waited.data()["next_action"].as_str()), (6, Some("reassign-now")));
    let (scene, waited) =
        failed("CAPABILITY_MISMATCH", &[], &["--auto", "--reassign-to", YAK, "--block-for", "5"]);
    assert_eq!(waited.code, 75, "{waited}");
    assert_eq!((&scene.task()["agent"], scene.got(YAK, "task-assignment").len()), (&json!(YAK), 1));
    let (_, nobody) = failed("CAPABILITY_MISMATCH", &[], &["--auto"]);
    assert_eq!(nobody.code, 6);
}

/// E22, E18: the network: retry with backoff.
#[test]
fn network_error_is_retried_with_backoff() {
    let (_, waited) = failed("NETWORK_ERROR", &[], &[]);
    assert_eq!((waited.code, waited.data()["next_action"].as_str()), (6, Some("retry-with-backoff")));
    let (scene, waited) = failed("NETWORK_ERROR", &[], &["--auto", "--block-for", "1"]);
    assert_eq!(waited.data()["retry_at"], "2026-03-04T00:11:52.000Z");
    scene.world.pass(30);
    scene.run(&["tick"]).ok();
    scene.ack(&["--error", "NETWORK_ERROR"]).ok();
    let second = scene.wait(&["--auto", "--block-for", "1"]).data();
    assert_eq!(second["retry_at"], "2026-03-04T00:12:52.000Z");
    scene.world.pass(60);
    scene.run(&["tick"]).ok();
    scene.ack(&["--error", "NETWORK_ERROR"]).ok();
    assert_eq!(scene.wait(&["--auto"]).code, 6, "three attempts are enough");
}

/// E22: the foreground waiter sees it through by itself.
#[test]
fn a_waiter_retries_by_itself() {
    let (scene, waited) = failed("NETWORK_ERROR", &[], &["--auto"]);
    assert_eq!(waited.code, 4, "asked again after 30 s, and silent since: {waited}");
    assert_eq!(scene.got(OTTER, "task-assignment").len(), 2);
    assert_eq!(scene.status().0, "unresponsive");
}

/// E23: what was not understood is corrected and sent again.
#[test]
fn invalid_task_format_is_fixed_and_resent() {
    let (scene, waited) = failed("INVALID_TASK_FORMAT", &["--alternative", HERON], &["--auto"]);
    assert_eq!((waited.code, waited.data()["next_action"].as_str()), (6, Some("fix-and-resend")));
    assert_eq!(scene.task()["agent"], OTTER);
    let uuid = scene.task()["task_uuid"].clone();
    let line = ["assign", "--from", LEAD, "--to", OTTER, "--task", "GH-42", "--title", "Log in"];
    scene.json(&[&line[..], &["--body", "Clearer words"]].concat()).ok();
    assert_eq!(scene.status(), ("assigned".to_owned(), false));
    assert_eq!((&scene.task()["title"], &scene.task()["task_uuid"]), (&json!("Log in"), &uuid));
    scene.ack(&["--understanding", "JWT"]).ok();
}

/// E24: an agent that goes away: reassign now.
#[test]
fn agent_shutting_down_is_reassigned_now() {
    let (_, waited) = failed("AGENT_SHUTTING_DOWN", &[], &[]);
    assert_eq!((waited.code, waited.data()["next_action"].as_str()), (6, Some("reassign-now")));
    let (scene, _) = failed("AGENT_SHUTTING_DOWN", &["--alternative", YAK, HERON], &["--auto", "--no-wait"]);
    assert_eq!(scene.task()["agent"], YAK);
}

/// E24, E15: an agent that is gone while it is waited for gives its task away too.
#[test]
fn an_agent_that_goes_while_waited_for_is_followed_by_the_next() {
    let scene = Scene::assigned();
    scene.wait(&["--reassign-to", HERON, "--no-wait"]);
    scene.run(&["state", OTTER, "dead"]).ok();
    assert_eq!(
        (&scene.task()["agent"], scene.task()["status"].as_str()),
        (&json!(HERON), Some("reassigned"))
    );
}
