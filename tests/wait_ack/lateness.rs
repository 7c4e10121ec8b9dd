//! Whoever answers when nobody waits any more is told so.

use serde_json::{Value, json};

use crate::wait_ack_scene::{OTTER, Scene};

#[test]
fn an_ack_after_the_end_says_what_had_become_of_the_operation() {
    for (flags, words, proceed) in
        [("", "timed out, proceeded", true), ("--on-timeout abort", "timed out, did not proceed", false)]
    {
        let scene = Scene::new();
        let asked = scene.ask_with(OTTER, flags);
        scene.world.pass(200);
        scene.run("tick").ok();
        let ack = format!("ack --agent {OTTER} --message {}", asked.request());
        let text = scene.run(&ack).ok().stdout;
        assert!(text.ends_with(&format!("\nlate by 1m: the wait was over ({words})\n")), "{text}");
        let late = json!({
            "operation_id": asked.operation, "outcome": "timed_out", "proceed": proceed,
            "over_at": "2026-03-04T00:13:22.000Z", "late_seconds": 80,
        });
        scene.world.pass(60);
        assert_eq!(scene.data(&ack)["late"], late, "again gives the same answer");
    }
}

/// Nobody had looked since the time was up: the answer itself finds that it is late.
#[test]
fn an_answer_that_ends_the_wait_by_coming_too_late_is_late() {
    let scene = Scene::new();
    let asked = scene.ask();
    scene.world.pass(121);
    let reply = scene.run(&format!("reply --agent {OTTER} --message {} --ok", asked.request())).ok();
    assert!(reply.stdout.contains("late by 1s: the wait was over (timed out, proceeded)"), "{reply}");
    let again = scene.data(&format!("reply --agent {OTTER} --message {} --cancel", asked.request()));
    assert_eq!(again["late"]["late_seconds"], 1, "{again}");
}

#[test]
fn one_whose_own_time_was_up_is_late_while_others_are_waited_for() {
    let scene = Scene::with(&[OTTER, "blue-heron"]);
    let asked = scene.ask_with("amber-otter,blue-heron", "--quorum 1");
    let wait = format!("reply --agent blue-heron --message {} --wait", asked.request_to("blue-heron"));
    scene.run(&wait).ok();
    scene.world.pass(130);
    scene.run("tick").ok();
    let run = scene.run(&format!("ack --agent {OTTER} --message {}", asked.request_to(OTTER))).ok();
    assert!(run.stdout.contains("late by 10s: your time was up; others are still waited for"), "{run}");
}

#[test]
fn an_answer_in_time_says_nothing_of_being_late() {
    let scene = Scene::new();
    let asked = scene.ask();
    scene.world.pass(119);
    let run = scene.run(&format!("ack --agent {OTTER} --message {}", asked.request())).ok();
    assert!(!run.stdout.contains("late"), "{run}");
    scene.world.pass(60);
    let again = scene.data(&format!("ack --agent {OTTER} --message {}", asked.request()));
    assert_eq!(again.get("late"), None::<&Value>);
    let more = scene.run(&format!("reply --agent {OTTER} --message {} --body later", asked.request())).ok();
    assert!(!more.stdout.contains("late by"), "it had answered in time: {more}");
}

#[test]
fn a_plain_message_that_answers_too_late_is_told_so() {
    let scene = Scene::new();
    let asked = scene.ask();
    scene.world.pass(130);
    let send = format!(
        "send --from {OTTER} --to lead-one --bead bb-1 --category INFO -s x -m ok --reply-to {}",
        asked.request()
    );
    let run = scene.run(&send).ok();
    assert!(run.stdout.ends_with("\nlate by 10s: the wait was over (timed out, proceeded)\n"), "{run}");
    assert_eq!(scene.data(&send)["late"]["operation_id"], json!(asked.operation));
}
