//! A63 to A67: what to look at when it did not work.

use serde_json::{Value, json};

use crate::wait_ack_scene::{Asked, LEAD, OTTER, Scene, list};

fn silent_agent(scene: &Scene, before_the_end: impl FnOnce(&Scene, &Asked)) -> Value {
    let asked = scene.ask();
    scene.world.pass(10);
    before_the_end(scene, &asked);
    scene.world.pass(200);
    scene.finish(&asked).data()["agents"][0].clone()
}

/// A63: never responds: whether it is there, whether it got and read the request, and what to do.
#[test]
fn says_why_an_agent_never_answered() {
    let unread = silent_agent(&Scene::new(), |_, _| {});
    assert_eq!((&unread["liveness"], &unread["read_at"]), (&json!("active"), &Value::Null));
    assert_eq!(unread["last_seen"], "2026-03-04T00:11:22.000Z");
    assert_eq!(unread["diagnosis"], "it was last seen 3m ago, and the request lies unread in its inbox");
    assert_eq!(unread["next"], "bb show amber-otter");

    let read = silent_agent(&Scene::new(), |scene, asked| {
        scene.run(&format!("read --agent {OTTER} --message {}", asked.request())).ok();
    });
    assert_eq!(read["read_at"], "2026-03-04T00:11:32.000Z");
    assert_eq!(read["diagnosis"], "it read the request 3m ago and gave no answer");

    let away = Scene::new();
    away.world.pass(3600);
    let away = silent_agent(&away, |_, _| {});
    assert_eq!(away["liveness"], "evicted");
    assert!(away["diagnosis"].as_str().unwrap().ends_with("it may have to be restarted"), "{away}");

    let blocked = silent_agent(&Scene::new(), |scene, _| {
        scene.run(&format!("state {OTTER} stuck")).ok();
    });
    assert_eq!(blocked["state"], "stuck");
}

/// A64: not recognised: the words, whom they went to, and what they were not tied to.
#[test]
fn says_why_an_answer_was_not_recognised() {
    let why = |send: &dyn Fn(&Scene, &Asked)| {
        let agent = silent_agent(&Scene::with(&[OTTER, "zinc-yak"]), send);
        agent["diagnosis"].as_str().unwrap().to_owned()
    };
    assert_eq!(
        why(&|scene, asked| drop(scene.answer(asked, OTTER, "oky"))),
        "it sent `oky`, which is none of ok, wait and cancel"
    );
    let send = |to: &str| format!("send --from {OTTER} --to {to} --bead bb-1 --category INFO -s x -m ok");
    assert_eq!(
        why(&|scene, _| drop(scene.run(&send(LEAD)).ok())),
        "it sent `ok` without saying what it answers"
    );
    assert_eq!(why(&|scene, _| drop(scene.run(&send("zinc-yak")).ok())), "it sent `ok` to zinc-yak instead");
}

/// A64: an answer that there is and that did not count is told from words that are none, and nobody is
/// told to answer for another.
#[test]
fn says_why_an_answer_did_not_count() {
    let scene = Scene::new();
    let asked = scene.ask_with(OTTER, "--on-timeout abort");
    let found = |scene: &Scene, asked: &Asked| {
        let agent = scene.finish(asked).data()["agents"][0].clone();
        assert!(!agent["next"].as_str().unwrap().contains("--agent"), "{agent}");
        agent["diagnosis"].as_str().unwrap().to_owned()
    };
    scene.world.pass(129);
    for answer in ["reply --ok", "ack"] {
        scene.run(&format!("{answer} --agent {OTTER} --message {}", asked.request())).ok();
        assert_eq!(found(&scene, &asked), "its answer came 9s after the wait was over");
    }
    let asked = scene.ask_with(OTTER, "--on-timeout abort");
    scene.answer(&asked, OTTER, "wait");
    assert_eq!(
        found(&scene, &asked),
        "it asked for more time and did not come back; it was last seen 3m ago"
    );
    for answer in ["reply --ok", "ack"] {
        let asked = scene.ask_with(OTTER, "--on-timeout abort --require-verified");
        scene.run(&format!("{answer} --agent {OTTER} --message {}", asked.request())).ok();
        assert_eq!(found(&scene, &asked), "it answered without its token, and only verified answers count");
    }
}

/// A64: an answer to something else tells nothing about this request.
#[test]
fn an_answer_to_another_request_is_not_taken_for_a_mistake() {
    let scene = Scene::new();
    let other = scene.ask();
    let agent = silent_agent(&scene, |scene, _| drop(scene.answer(&other, OTTER, "ok")));
    let why = agent["diagnosis"].as_str().unwrap();
    assert!(why.ends_with("the request lies unread in its inbox"), "{why}");
}

/// A64: the order of times: an answer that came too late is on record as late.
#[test]
fn a_late_answer_is_on_record() {
    let scene = Scene::new();
    let asked = scene.ask();
    scene.finish(&asked);
    scene.world.pass(130);
    scene.answer(&asked, OTTER, "ok");
    let late = scene.events(&asked, "handshake.late");
    assert_eq!(late[0]["at"], "2026-03-04T00:13:32.000Z");
    assert_eq!(late[0]["data"]["lines"], json!(["Agent amber-otter answered too late: ready"]));
}

/// A65: reminders not sent: the state of the timer, the intervals, the next step and an early end.
#[test]
fn shows_the_timer_and_why_no_reminder_was_sent() {
    let scene = Scene::new();
    let asked = scene.ask();
    scene.watch(&asked, 40);
    let wait = &scene.data("waits")[0];
    assert_eq!((&wait["elapsed_seconds"], &wait["remaining_seconds"]), (&json!(40), &json!(80)));
    assert_eq!((&wait["reminders_at"], &wait["reminders_sent"]), (&json!([30, 60, 90]), &json!(1)));
    assert_eq!(wait["next_step_at"], "2026-03-04T00:12:22.000Z");
    scene.answer(&asked, OTTER, "cancel");
    let ended = &scene.events(&asked, "handshake.ended")[0];
    assert_eq!(
        (&ended["at"], &ended["data"]["outcome"]),
        (&json!("2026-03-04T00:12:02.000Z"), &json!("cancelled"))
    );
}

/// A66: too short: another timeout for each operation, more time on request, a notice beforehand.
#[test]
fn a_timeout_that_is_too_short_can_be_changed() {
    let scene = Scene::new();
    let asked = scene.ask_with(OTTER, "--timeout 10m");
    let request = scene.received(OTTER, "pre-operation").remove(0);
    assert_eq!(request["content"]["acknowledgment_timeout"], 600);
    scene.answer(&asked, OTTER, "wait");
    assert_eq!(scene.finish(&asked).data()["elapsed_seconds"], 660);
    scene.world.send(LEAD, OTTER, "INFO", "A skill will be installed within the hour");
    assert_eq!(scene.kinds(OTTER).last().unwrap(), "message");
}

/// A67: several agents: one broadcast and one operation on every message, and who has answered.
#[test]
fn several_agents_are_tracked_by_name() {
    let scene = Scene::with(&[OTTER, "teal-newt", "zinc-yak"]);
    let asked = scene.ask_with("amber-otter,teal-newt,zinc-yak", "--quorum majority");
    let broadcasts: Vec<_> = [OTTER, "teal-newt", "zinc-yak"]
        .iter()
        .map(|agent| {
            let request = scene.received(agent, "pre-operation").remove(0);
            assert_eq!(request["operation_id"], asked.operation);
            assert_eq!(request["broadcast_id"], request["content"]["broadcast_id"]);
            request["broadcast_id"].as_str().unwrap().to_owned()
        })
        .collect();
    assert!(broadcasts.iter().all(|id| *id == broadcasts[0]), "{broadcasts:?}");
    scene.answer(&asked, "zinc-yak", "ok");
    let wait = &scene.data("waits")[0];
    assert_eq!(wait["expected"], json!([OTTER, "teal-newt", "zinc-yak"]));
    assert_eq!(wait["received"], json!(["zinc-yak"]));
    assert_eq!(wait["missing"], json!([OTTER, "teal-newt"]));
    let answered = scene.events(&asked, "handshake.answered");
    assert_eq!(list(&answered[0]["data"]["lines"])[1], "Acknowledgment received from zinc-yak");
    let answer = scene.inbox(LEAD).remove(0);
    assert_eq!(answer["operation_id"], asked.operation);
}
