//! Every outcome has its exit code.

use serde_json::json;

use crate::common::World;
use crate::wait_ack_scene::{OTTER, Scene};

/// How it ends for a script when the agent says this.
fn after(words: &str) -> (i32, String) {
    let scene = Scene::new();
    let asked = scene.ask();
    scene.answer(&asked, OTTER, words);
    let run = scene.finish(&asked);
    (run.code, run.data()["outcome"].as_str().unwrap().to_owned())
}

#[test]
fn acknowledged_is_0() {
    assert_eq!(after("ok"), (0, "acknowledged".to_owned()));
    assert_eq!(after("received"), (0, "acknowledged".to_owned()));
    assert_eq!(after("queued"), (3, "timed_out".to_owned()), "whoever has other work is not ready");
}

#[test]
fn cancelled_is_2() {
    assert_eq!(after("cancel"), (2, "cancelled".to_owned()));
}

#[test]
fn silence_that_lets_it_proceed_is_3() {
    assert_eq!(after("hm"), (3, "timed_out".to_owned()));
}

#[test]
fn silence_that_does_not_is_4() {
    for (flag, outcome) in
        [("abort", "timed_out"), ("unresponsive", "unresponsive"), ("escalate", "escalated")]
    {
        let scene = Scene::new();
        let asked = scene.ask_with(OTTER, &format!("--on-timeout {flag}"));
        let run = scene.finish(&asked);
        assert_eq!((run.code, run.data()["outcome"].as_str().unwrap()), (4, outcome), "{run}");
        assert_eq!(run.data()["proceed"], false);
        let notice = scene.received(OTTER, "timeout-notice").remove(0);
        assert_eq!(notice["subject"], "Not Proceeding Without Acknowledgment");
    }
}

#[test]
fn a_recipient_that_is_gone_is_5() {
    for state in ["dead", "stopped", "inactive"] {
        let scene = Scene::new();
        let asked = scene.ask();
        scene.world.pass(20);
        scene.run(&format!("state {OTTER} {state}")).ok();
        let run = scene.finish(&asked);
        assert_eq!((run.code, run.data()["outcome"].as_str().unwrap()), (5, "gone"), "{run}");
        assert_eq!(run.data()["elapsed_seconds"], 20, "the wait ends at once");
        assert_eq!(run.data()["agents"][0]["diagnosis"], format!("it is {state}"));
        assert_eq!(scene.received(OTTER, "reminder").len(), 0);
    }
}

#[test]
fn a_request_to_one_who_was_gone_already_is_5() {
    let scene = Scene::new();
    scene.run(&format!("state {OTTER} dead")).ok();
    let sent = scene.data(
        "send --from lead-one --to amber-otter --bead bb-1 --category BLOCKED -s Key -m please --queue",
    );
    let run = scene.run(&format!("wait-ack {} --json", sent["message_id"].as_str().unwrap()));
    assert_eq!((run.code, run.data()["elapsed_seconds"].clone()), (5, json!(0)), "{run}");
}

#[test]
fn refused_is_6() {
    for words in ["rejected", "environment issue", "error"] {
        assert_eq!(after(words), (6, "refused".to_owned()), "{words}");
    }
}

#[test]
fn a_question_is_7_and_can_be_waited_for_again() {
    assert_eq!(after("needs clarification"), (7, "needs_clarification".to_owned()));
    let scene = Scene::new();
    let asked = scene.ask();
    scene.answer(&asked, OTTER, "needs-clarification");
    assert_eq!(scene.finish(&asked).code, 7);
    let again = scene.open(asked.request());
    assert_ne!(again.operation, asked.operation);
    scene.answer(&again, OTTER, "ok");
    assert_eq!(scene.finish(&again).code, 0);
}

#[test]
fn still_waiting_is_75() {
    let scene = Scene::new();
    let asked = scene.ask();
    let run = scene.watch(&asked, 100);
    assert_eq!(run.data()["outcome"], "waiting");
}

#[test]
fn the_code_says_the_same_when_nobody_reads_the_answer() {
    let world = World::with_two_agents();
    let mut waiting = world
        .command(["wait-ack", "--from", "lead-one", "--to", "amber-otter", "--operation", "restart"])
        .args(["--on-timeout", "abort", "--json"])
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    drop(waiting.stdout.take());
    assert_eq!(waiting.wait().unwrap().code(), Some(4));
}
