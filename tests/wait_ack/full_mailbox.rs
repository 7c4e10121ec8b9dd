//! A mailbox that takes no more mail still hears of the handshakes it is in.

use crate::common::Run;
use crate::wait_ack_scene::{LEAD, OTTER, Scene};

/// Runs a line where a mailbox takes no more than one unread message.
fn bounded(scene: &Scene, line: &str) -> Run {
    Run::of(scene.command(line).env("BB_MAX_UNREAD", "1").output().unwrap())
}

/// A65: a full mailbox keeps no reminder and no notice away, and nobody from the end.
#[test]
fn reminders_and_notices_get_through() {
    let scene = Scene::new();
    let asked = scene.ask();
    bounded(&scene, &format!("wait-ack --resume {} -- touch begun", asked.operation)).ok();
    assert!(scene.world.work().join("begun").exists());
    assert_eq!(
        scene.kinds(OTTER),
        ["pre-operation", "reminder", "reminder", "reminder", "timeout-notice", "post-operation"]
    );
}

#[test]
fn a_tick_reaches_every_handshake() {
    let scene = Scene::with(&[OTTER, "zinc-yak"]);
    scene.ask_with(OTTER, "");
    scene.ask_with("zinc-yak", "");
    scene.world.pass(500);
    bounded(&scene, "tick").ok();
    assert_eq!(scene.data("waits"), serde_json::json!([]));
}

#[test]
fn the_answer_of_one_does_not_fail_for_the_mailbox_of_another() {
    let scene = Scene::with(&[OTTER, "zinc-yak"]);
    let asked = scene.ask_with("amber-otter,zinc-yak", "");
    let cancel = format!("reply --agent {OTTER} --message {} --cancel", asked.request_to(OTTER));
    bounded(&scene, &cancel).ok();
    assert_eq!(scene.finish(&asked).code, 2);
    assert_eq!(scene.received("zinc-yak", "cancellation-notice").len(), 1);
}

#[test]
fn a_request_is_mail_like_any_other_and_opens_nothing_where_there_is_no_room() {
    let scene = Scene::with(&[OTTER, "zinc-yak"]);
    scene.world.send(LEAD, OTTER, "INFO", "One");
    let line = format!("wait-ack --from {LEAD} --to zinc-yak,{OTTER} --operation restart");
    bounded(&scene, &line).fails("MAILBOX_FULL", 75);
    assert_eq!(scene.data("waits"), serde_json::json!([]));
    assert!(scene.inbox("zinc-yak").is_empty());
}
