//! A reply is bound to its request, and counts nowhere else.

use serde_json::json;

use crate::wait_ack_scene::{LEAD, OTTER, Scene};

const SEND: &str = "send --from amber-otter --to lead-one --bead bb-1 --category INFO -s ok -m ok";

/// ⚠21
#[test]
fn an_old_ok_does_not_satisfy_a_new_request() {
    let scene = Scene::new();
    scene.run(SEND).ok();
    let first = scene.ask();
    scene.answer(&first, OTTER, "ok");
    scene.world.pass(1);
    let second = scene.ask();
    scene.run(SEND).ok();
    scene.run(&format!("{SEND} --thread operation:{}", first.operation)).ok();
    assert_eq!(scene.data("waits")[0]["received"], json!([]));
    assert_eq!(scene.finish(&second).code, 3);
}

#[test]
fn two_open_requests_to_one_agent_are_answered_one_by_one() {
    let scene = Scene::new();
    let (first, second) = (scene.ask(), scene.ask());
    scene.answer(&second, OTTER, "ok");
    assert_eq!(scene.finish(&second).code, 0);
    scene.answer(&first, OTTER, "cancel");
    assert_eq!(scene.finish(&first).code, 2);
    assert_eq!(scene.finish(&second).code, 0);
}

#[test]
fn an_answer_to_somebody_else_does_not_count() {
    let scene = Scene::with(&[OTTER, "zinc-yak"]);
    let asked = scene.ask();
    let to_yak = SEND.replace(LEAD, "zinc-yak");
    scene.run(&format!("{to_yak} --reply-to {}", asked.request())).ok();
    scene.run(&format!("{to_yak} --thread operation:{}", asked.operation)).ok();
    assert_eq!(scene.data("waits")[0]["received"], json!([]));
}

#[test]
fn a_message_is_waited_for_again_after_its_time_was_up() {
    let scene = Scene::new();
    let first = scene.ask();
    assert_eq!(scene.finish(&first).code, 3);
    scene.world.pass(120);
    let second = scene.open(first.request());
    scene.world.pass(5);
    scene.run(&format!("{SEND} --thread operation:{}", first.operation)).ok();
    assert_eq!(scene.finish(&second).code, 0);
    assert_eq!(scene.finish(&first).code, 3, "what was decided stays decided");
}

#[test]
fn a_cancel_that_was_heard_does_not_cancel_the_next_wait() {
    let scene = Scene::new();
    let first = scene.ask();
    scene.answer(&first, OTTER, "cancel");
    assert_eq!(scene.finish(&first).code, 2);
    let second = scene.open(first.request());
    assert_eq!(scene.data("waits")[0]["agents"][0]["status"], "waiting");
    scene.answer(&second, OTTER, "ok");
    assert_eq!(scene.finish(&second).code, 0);
}
