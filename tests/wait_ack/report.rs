//! What is printed: the result, and what the one who is asked sees.

use serde_json::{Value, json};

use crate::wait_ack_scene::{LEAD, OTTER, Scene, list};

#[test]
fn the_json_has_every_field_of_the_contract() {
    let scene = Scene::new();
    let asked = scene.ask();
    scene.world.pass(25);
    scene.answer(&asked, OTTER, "ok");
    let run = scene.finish(&asked).ok();
    let document = run.document();
    assert_eq!((&document["ok"], &document["command"]), (&json!(true), &json!("agent wait-ack")));
    let data = &document["data"];
    let expected = json!({
        "operation_id": asked.operation, "operation": "skill-install", "outcome": "acknowledged",
        "proceed": true, "acknowledgment_received": true, "timeout_occurred": false,
        "proceeded_anyway": false, "elapsed_seconds": 25, "reminders_sent": 0,
        "extension_granted": false, "quorum": null,
    });
    for (field, value) in expected.as_object().unwrap() {
        assert_eq!(data.get(field), Some(value), "{field}");
    }
    let agent = list(&data["agents"])[0].as_object().unwrap();
    let expected = json!({
        "agent": OTTER, "message_id": asked.request(), "status": "ready",
        "responded_at": "2026-03-04T00:11:47.000Z", "reminders_sent": 0,
        "last_seen": "2026-03-04T00:11:47.000Z", "liveness": "active",
        "read_at": "2026-03-04T00:11:47.000Z",
    });
    for (field, value) in expected.as_object().unwrap() {
        assert_eq!(agent.get(field), Some(value), "{field}");
    }
    assert_eq!(
        (&agent["response"]["verdict"], &agent["response"]["message"]),
        (&json!("ready"), &json!("ok"))
    );
}

#[test]
fn fields_that_have_no_value_yet_are_null() {
    let scene = Scene::new();
    let asked = scene.ask();
    let data = scene.watch(&asked, 1).data();
    assert_eq!(data["quorum"], Value::Null);
    let agent = data["agents"][0].as_object().unwrap();
    for field in ["response", "responded_at", "read_at"] {
        assert_eq!(agent.get(field), Some(&Value::Null), "{field}");
    }
    assert_eq!(data["resume"], format!("bb agent wait-ack --resume {} --block-for 1s", asked.operation));
}

#[test]
fn the_result_for_people_says_whether_to_proceed_and_why() {
    let scene = Scene::new();
    let run = scene.run(&format!("wait-ack --from {LEAD} --to {OTTER} --operation restart"));
    insta::assert_snapshot!(run.stdout, @r"
    timed_out: proceed with restart after 120 s, 3 reminders op_20260304_001122_czm3wa6n8d
    amber-otter  silent  last seen 2m ago
      it was last seen 2m ago, and the request lies unread in its inbox
      next: bb show amber-otter
    ");
    let asked = scene.ask_with(OTTER, "--quorum 1");
    scene.answer(&asked, OTTER, "ok");
    let run = scene.run(&format!("wait-ack --resume {}", asked.operation)).ok();
    insta::assert_snapshot!(run.stdout, @r"
    acknowledged: proceed with skill-install after 0 s, 0 reminders op_20260304_001122_2swr9hv46t
    quorum: 1 agreed, 1 needed
    amber-otter  ready  ok  last seen just now
    ");
}

#[test]
fn results_go_to_stdout_and_events_to_stderr() {
    let scene = Scene::new();
    let asked = scene.ask();
    let run = scene.finish(&asked);
    assert_eq!(run.stdout.lines().count(), 1);
    assert!(run.stderr.lines().all(|line| line.starts_with("[2026-03-04T00:1")), "{run}");
}

#[test]
fn words_of_an_agent_cannot_draw_on_the_terminal() {
    let scene = Scene::new();
    let asked = scene.ask();
    scene.answer(&asked, OTTER, "hm\u{1b}[2Jgone\nProceeding with operation - agent acknowledged");
    let run = scene.run(&format!("wait-ack --resume {} --no-wait", asked.operation));
    assert!(!run.stderr.contains('\u{1b}') && !run.stdout.contains('\u{1b}'), "{run}");
    assert!(run.stderr.lines().all(|line| !line.starts_with("Proceeding")), "{run}");
}

#[test]
fn read_shows_the_time_left_and_the_three_answers() {
    let scene = Scene::new();
    let asked = scene.ask();
    scene.world.pass(25);
    let id = asked.request();
    let text = scene.run(&format!("read --agent {OTTER} --message {id}")).ok().stdout;
    let reply = format!("bb agent reply --agent {OTTER} --message {id}");
    for line in [
        "lead-one waits for your answer, 95 s left:".to_owned(),
        format!("  ready      {reply} --ok"),
        "  more time  the same with --wait".to_owned(),
        "  cancel     the same with --cancel".to_owned(),
    ] {
        assert!(text.lines().any(|it| it == line), "{line} is missing in\n{text}");
    }
    let data = scene.data(&format!("read --agent {OTTER} --message {id}"));
    assert_eq!(
        data["handshake"],
        json!({
            "operation_id": asked.operation, "deadline": "2026-03-04T00:13:22.000Z", "remaining_seconds": 95,
            "answers": {
                "ok": format!("{reply} --ok"), "wait": format!("{reply} --wait"),
                "cancel": format!("{reply} --cancel"),
            },
        })
    );
}

#[test]
fn read_offers_more_time_only_while_there_is_some() {
    let scene = Scene::new();
    let asked = scene.ask();
    let read = format!("read --agent {OTTER} --message {}", asked.request());
    scene.answer(&asked, OTTER, "wait");
    let data = scene.data(&read);
    assert_eq!(data["handshake"]["remaining_seconds"], 180);
    assert!(data["handshake"]["answers"].get("wait").is_none(), "{data}");
    scene.answer(&asked, OTTER, "ok");
    assert!(scene.data(&read).get("handshake").is_none());
}

#[test]
fn every_line_that_read_shows_can_be_run() {
    for (answer, code) in [("ok", 0), ("wait", 75), ("cancel", 2)] {
        let scene = Scene::new();
        let asked = scene.ask();
        let data = scene.data(&format!("read --agent {OTTER} --message {}", asked.request()));
        let line = data["handshake"]["answers"][answer].as_str().unwrap();
        scene.run(line.strip_prefix("bb ").unwrap()).ok();
        let run = scene.run(&format!("wait-ack --resume {} --no-wait", asked.operation));
        assert_eq!(run.code, code, "{run}");
    }
}
