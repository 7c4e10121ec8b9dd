//! Every profile's numbers, as they pass when nobody answers.

use serde_json::json;

use crate::wait_ack_scene::{LEAD, OTTER, Scene, list, told};

/// What silence comes to: exit code, outcome, seconds, when something was sent, and whether more
/// time could have been had.
fn silence(profile: &str) -> (i32, String, u64, Vec<u64>, bool) {
    let scene = Scene::new();
    let run = scene
        .run(&format!("wait-ack --from {LEAD} --to {OTTER} --operation restart --profile {profile} --json"));
    let data = run.data();
    assert_eq!(data["profile"], profile);
    let beginning = scene.world.now();
    let sent = scene
        .inbox(OTTER)
        .iter()
        .filter(|it| ["reminder", "ack-request", "pre-operation"].contains(&it["kind"].as_str().unwrap()))
        .map(|it| it["created_at"].as_str().unwrap().parse().unwrap())
        .map(|at: bb_agent::domain::Timestamp| at.since(beginning).as_secs())
        .collect();
    let request = &scene.received(OTTER, "pre-operation")[0];
    let more = request["content"]["acknowledgment_instructions"]["commands"]["need_time"].is_string();
    let outcome = data["outcome"].as_str().unwrap().to_owned();
    (run.code, outcome, data["elapsed_seconds"].as_u64().unwrap(), sent, more)
}

#[test]
fn operation_state_change_and_multi_agent_wait_two_minutes() {
    let minutes = |code, proceeds: bool| {
        (code, "timed_out".to_owned(), 120, vec![0, 30, 60, 90], proceeds || code == 4)
    };
    assert_eq!(silence("operation"), minutes(3, true));
    assert_eq!(silence("state-change"), minutes(3, true));
    assert_eq!(silence("multi-agent"), minutes(4, true));
}

#[test]
fn approval_emergency_and_health() {
    assert_eq!(silence("approval"), (4, "timed_out".to_owned(), 120, vec![0, 60, 90], true));
    assert_eq!(silence("emergency"), (3, "timed_out".to_owned(), 30, vec![0, 10, 20], false));
    assert_eq!(silence("health"), (4, "unresponsive".to_owned(), 30, vec![0], false));
}

#[test]
fn task_waits_five_minutes_asks_outright_and_waits_two_more() {
    assert_eq!(silence("task"), (4, "unresponsive".to_owned(), 420, vec![0, 300], true));
}

#[test]
fn critical_is_attempted_three_times_in_nine_and_a_half_minutes() {
    assert_eq!(silence("critical"), (4, "unresponsive".to_owned(), 570, vec![0, 330, 510], true));
}

#[test]
fn handoff_reminds_at_its_time_and_half_of_it_later_and_escalates_at_twice() {
    assert_eq!(silence("handoff"), (4, "escalated".to_owned(), 600, vec![0, 300, 450], true));
}

#[test]
fn an_unresponsive_agent_is_marked_and_the_incident_logged() {
    for profile in ["health", "task", "critical"] {
        let scene = Scene::new();
        let asked = scene.ask_with(OTTER, &format!("--profile {profile}"));
        scene.finish(&asked);
        assert_eq!(scene.data(&format!("show {OTTER}"))["state"], "unresponsive");
        let incident = &scene.events(&asked, "incident")[0];
        assert_eq!(incident["about"], OTTER);
        assert_eq!(incident["data"]["line"], "amber-otter gave no acknowledgment of skill-install");
    }
}

/// ⚠22: whoever `escalate_to` names is told; it comes into being when it is first needed.
#[test]
fn silence_is_escalated_to_the_controller() {
    let scene = Scene::new();
    let asked = scene.ask_with(OTTER, "--on-timeout escalate");
    let run = scene.finish(&asked);
    assert!(told(&run).contains(&"Escalated: no acknowledgment from amber-otter"), "{run}");
    let escalation = scene.inbox("ecos-controller").remove(0);
    assert_eq!((&escalation["kind"], &escalation["category"]), (&json!("escalation"), &json!("BLOCKED")));
    assert_eq!((&escalation["priority"], &escalation["requires_ack"]), (&json!("urgent"), &json!(true)));
    assert_eq!(escalation["content"]["agents"], json!([OTTER]));
    assert_eq!(escalation["content"]["reminders_sent"], 3);

    let asked = scene.ask_with(OTTER, "--on-timeout escalate");
    let line = format!("wait-ack --resume {}", asked.operation);
    scene.command(&line).env("BB_ESCALATE_TO", "night-watch").output().unwrap();
    assert_eq!(scene.inbox("night-watch").len(), 1);
}

#[test]
fn the_attempts_of_a_critical_request_are_the_request_itself() {
    let scene = Scene::new();
    let asked = scene.ask_with(OTTER, "--profile critical");
    scene.watch(&asked, 340);
    let attempts = scene.received(OTTER, "pre-operation");
    assert_eq!(attempts.len(), 2);
    assert_eq!(attempts[0]["body"], attempts[1]["body"]);
    assert_eq!(attempts[1]["reply_to"], asked.request());
    let second = attempts[1]["message_id"].as_str().unwrap();
    scene.run(&format!("ack --agent {OTTER} --message {second}")).ok();
    assert_eq!(scene.finish(&asked).code, 0);
}

#[test]
fn no_profile_but_the_ordinary_ones_follows_the_configured_times() {
    for (profile, seconds) in [("operation", 50), ("approval", 120), ("health", 30), ("task", 420)] {
        let scene = Scene::new();
        let line = format!(
            "wait-ack --from {LEAD} --to {OTTER} --operation restart --profile {profile} --no-wait --json"
        );
        scene.command(&line).env("BB_ACKNOWLEDGMENT_TIMEOUT", "50").output().unwrap();
        assert_eq!(list(&scene.data("waits"))[0]["remaining_seconds"], seconds, "{profile}");
    }
}
