//! A1 to A5: what the handshake is for, and which operations need one.

use crate::wait_ack_scene::{LEAD, OTTER, Scene, told};

/// A1: the operation waits for the agent, the agent has its time, all of it is on record.
#[test]
fn the_operation_begins_only_after_the_agent_is_ready() {
    let scene = Scene::new();
    let asked = scene.ask();
    let resume = format!("wait-ack --resume {}", asked.operation);
    let waiting = scene.run(&format!("{resume} --block-for 25s -- touch begun"));
    assert_eq!(waiting.code, 75, "{waiting}");
    assert!(!scene.world.work().join("begun").exists(), "the agent was surprised");
    scene.world.pass(25);
    scene.answer(&asked, OTTER, "ok");
    scene.run(&format!("{resume} -- touch begun")).ok();
    assert!(scene.world.work().join("begun").exists());
    let record = &scene.events(&asked, "operation.record")[0];
    assert_eq!(record["data"]["agent"], OTTER);
    assert_eq!(record["data"]["acknowledgment_received"], true);
}

/// A1: nobody waits for ever.
#[test]
fn silence_ends_by_itself() {
    let scene = Scene::new();
    let asked = scene.ask();
    assert_eq!(scene.finish(&asked).code, 3);
    assert_eq!(scene.data("waits"), serde_json::json!([]));
}

/// A2: request, wait, reminders at 30, 60 and 90 seconds, "ok", and only then the operation.
#[test]
fn the_order_of_the_protocol() {
    let scene = Scene::new();
    let asked = scene.ask();
    scene.watch(&asked, 95);
    scene.answer(&asked, OTTER, "ok");
    scene.run(&format!("wait-ack --resume {} -- true", asked.operation)).ok();
    let thread = scene.data(&format!("thread operation:{}", asked.operation));
    let told: Vec<_> = thread["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (it["kind"].as_str().unwrap(), it["created_at"].as_str().unwrap()))
        .collect();
    assert_eq!(
        told,
        [
            ("pre-operation", "2026-03-04T00:11:22.000Z"),
            ("reminder", "2026-03-04T00:11:52.000Z"),
            ("reminder", "2026-03-04T00:12:22.000Z"),
            ("reminder", "2026-03-04T00:12:52.000Z"),
            ("acknowledgment", "2026-03-04T00:12:57.000Z"),
            ("post-operation", "2026-03-04T00:12:57.000Z"),
        ]
    );
}

/// A3: disruptive operations require an ack, wait 120 seconds and then proceed with a warning.
#[test]
fn disruptive_operations_proceed_with_a_warning() {
    for operation in ["skill-install", "plugin-install", "restart", "maintenance"] {
        let scene = Scene::new();
        let line = format!("wait-ack --from {LEAD} --to {OTTER} --operation {operation} --json");
        let run = scene.run(&line);
        assert_eq!(run.code, 3, "{run}");
        let data = run.data();
        assert_eq!((&data["elapsed_seconds"], &data["proceed"]), (&120.into(), &true.into()));
        assert_eq!(scene.received(OTTER, "pre-operation")[0]["requires_ack"], true);
        let warning = format!("WARNING: Timeout - no acknowledgment from {OTTER} after 120 seconds");
        assert!(told(&run).contains(&warning.as_str()), "{run}");
    }
}

/// A4: operations that change an agent's state wait as long and proceed with a notification.
#[test]
fn state_changes_proceed_with_a_notification() {
    for operation in ["configuration", "permission", "skill-activation", "context-change"] {
        let scene = Scene::new();
        let line = format!(
            "wait-ack --from {LEAD} --to {OTTER} --operation {operation} --profile state-change --json"
        );
        let run = scene.run(&line);
        assert_eq!(run.code, 3, "{run}");
        assert_eq!(run.data()["elapsed_seconds"], 120);
        assert!(!run.stderr.contains("WARNING"), "{run}");
        let notice = format!("NOTICE: Timeout - no acknowledgment from {OTTER} after 120 seconds");
        assert!(told(&run).contains(&notice.as_str()), "{run}");
        assert_eq!(scene.received(OTTER, "timeout-notice").len(), 1);
    }
}

/// A5, ⚠10: several agents are all needed, and one that is missing aborts.
#[test]
fn several_agents_must_all_agree() {
    let scene = Scene::with(&[OTTER, "zinc-yak"]);
    let asked = scene.ask_with("amber-otter,zinc-yak", "--profile multi-agent");
    scene.answer(&asked, OTTER, "ok");
    let run = scene.finish(&asked);
    assert_eq!(run.code, 4, "{run}");
    let data = run.data();
    assert_eq!(data["proceed"], false);
    assert_eq!(data["quorum"], serde_json::json!({"rule": "all", "needed": 2, "agreed": 1}));
    assert_eq!(data["missing"], serde_json::json!(["zinc-yak"]));
}

/// A5: each agent has its own 120 seconds; more time for one is no time for the others.
#[test]
fn each_agent_has_its_own_time() {
    let scene = Scene::with(&[OTTER, "zinc-yak"]);
    let asked = scene.ask_with("amber-otter,zinc-yak", "--profile multi-agent --quorum 1");
    scene.watch(&asked, 45);
    scene.answer(&asked, OTTER, "wait");
    let deadlines: Vec<_> = scene.data("waits")[0]["agents"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["deadline"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(deadlines, ["2026-03-04T00:14:22.000Z", "2026-03-04T00:13:22.000Z"]);
    scene.watch(&asked, 80);
    assert_eq!(scene.data("waits")[0]["agents"][1]["status"], "silent");
    scene.answer(&asked, OTTER, "ok");
    let run = scene.finish(&asked);
    assert_eq!((run.code, run.data()["outcome"].as_str()), (0, Some("quorum")), "{run}");
}
