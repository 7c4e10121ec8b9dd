//! A34 to A45: what an answer is, and what it does.

use serde_json::json;

use crate::wait_ack_scene::{Asked, LEAD, OTTER, Scene, told};

/// The exit code and the outcome after one answer; still waiting is 75.
fn after(words: &str) -> (i32, String) {
    let scene = Scene::new();
    let asked = scene.ask();
    scene.answer(&asked, OTTER, words);
    let run = scene.run(&format!("wait-ack --resume {} --no-wait --json", asked.operation));
    (run.code, run.data()["outcome"].as_str().unwrap().to_owned())
}

fn is_still_waiting(scene: &Scene, asked: &Asked) -> bool {
    scene.run(&format!("wait-ack --resume {} --no-wait", asked.operation)).code == 75
}

/// A34: only the agent that was asked can answer.
#[test]
fn the_ok_of_somebody_else_does_not_count() {
    let scene = Scene::with(&[OTTER, "zinc-yak"]);
    let asked = scene.ask();
    let send = "send --from zinc-yak --to lead-one --bead bb-1 --category INFO -s ok -m ok";
    scene.run(&format!("{send} --reply-to {}", asked.request())).ok();
    scene.run(&format!("{send} --thread operation:{}", asked.operation)).ok();
    scene.run(&format!("ack --agent zinc-yak --message {}", asked.request())).fails("ACK_FORBIDDEN", 77);
    assert!(is_still_waiting(&scene, &asked));
    assert_eq!(scene.data("waits")[0]["received"], json!([]));
}

/// A34, ⚠21: an "ok" that answers nothing, or another request, answers nothing here.
#[test]
fn an_ok_counts_only_for_what_it_answers() {
    let scene = Scene::new();
    let old = scene.ask();
    scene.answer(&old, OTTER, "ok");
    scene.run("send --from amber-otter --to lead-one --bead bb-1 --category INFO -s ok -m ok").ok();
    let new = scene.ask();
    assert!(is_still_waiting(&scene, &new), "an old ok was taken for a new one");
    scene.answer(&old, OTTER, "ok");
    assert!(is_still_waiting(&scene, &new), "an answer to another request counted");
    scene.answer(&new, OTTER, "ok");
    assert_eq!(scene.finish(&new).code, 0);
}

/// A35, A36, A37: ok and ready proceed, in any case.
#[test]
fn ok_and_ready_proceed_in_any_case() {
    for words in ["ok", "OK", "Ok.", "\"ok\"", "okay", "ready", "READY!"] {
        assert_eq!(after(words), (0, "acknowledged".to_owned()), "{words}");
    }
}

/// A37, ⚠1: what merely holds the letters of an answer is none.
#[test]
fn a_word_inside_other_words_is_no_answer() {
    for words in ["broken", "not ok", "looking into it", "token expired, cancel", "ok but wait", "already"] {
        assert_eq!(after(words), (75, "waiting".to_owned()), "{words}");
    }
}

/// A38, A39: wait and not ready give sixty seconds more, once.
#[test]
fn wait_and_not_ready_give_a_minute_more() {
    for words in ["wait", "not ready", "Not ready.", "busy"] {
        let scene = Scene::new();
        let asked = scene.ask();
        scene.answer(&asked, OTTER, words);
        let agent = &scene.data("waits")[0]["agents"][0];
        assert_eq!(agent["deadline"], "2026-03-04T00:14:22.000Z", "{words}");
        scene.answer(&asked, OTTER, words);
        let agent = &scene.data("waits")[0]["agents"][0];
        assert_eq!(
            (&agent["deadline"], &agent["status"]),
            (&json!("2026-03-04T00:14:22.000Z"), &json!("needs-time"))
        );
        assert_eq!(scene.finish(&asked).data()["elapsed_seconds"], 180, "{words}");
    }
}

/// A40, A41: cancel and abort end it, and the agent is told.
#[test]
fn cancel_and_abort_end_it_and_the_agent_is_told() {
    for words in ["cancel", "abort", "CANCEL"] {
        let scene = Scene::new();
        let asked = scene.ask();
        scene.answer(&asked, OTTER, words);
        assert_eq!(scene.finish(&asked).code, 2, "{words}");
        let notices = scene.received(OTTER, "cancellation-notice");
        assert_eq!(notices.len(), 1, "{words}");
        assert_eq!(notices[0]["content"]["cancelled_by"], OTTER);
    }
}

/// A42: anything else is logged and shown, and the wait goes on.
#[test]
fn anything_else_is_logged_and_the_wait_goes_on() {
    let scene = Scene::new();
    let asked = scene.ask();
    scene.answer(&asked, OTTER, "which skill is it?");
    let run = scene.watch(&asked, 10);
    assert!(told(&run).contains(&"Agent amber-otter sent: which skill is it?"), "{run}");
    assert_eq!(scene.events(&asked, "handshake.said")[0]["data"]["text"], "which skill is it?");
    assert_eq!(run.data()["agents"][0]["response"]["message"], "which skill is it?");
    scene.answer(&asked, OTTER, "ok");
    assert_eq!(scene.finish(&asked).code, 0);
}

/// A43, ⚠3: proceed is 0, cancel is 2 and never proceeds, and waiting on is neither.
#[test]
fn proceed_cancel_and_waiting_have_codes_of_their_own() {
    assert_eq!(after("ok"), (0, "acknowledged".to_owned()));
    assert_eq!(after("cancel"), (2, "cancelled".to_owned()));
    assert_eq!(after("hm"), (75, "waiting".to_owned()));
    let scene = Scene::new();
    let asked = scene.ask();
    scene.answer(&asked, OTTER, "cancel");
    let run = scene.run(&format!("wait-ack --resume {} -- touch begun", asked.operation));
    assert_eq!(run.code, 2, "{run}");
    assert!(!scene.world.work().join("begun").exists());
}

/// A44: each kind of answer has its line.
#[test]
fn each_kind_of_answer_has_its_line() {
    for (words, line) in [
        ("ok", "Agent amber-otter acknowledged - ready to proceed"),
        ("wait", "Agent amber-otter requested more time - extension granted, 180 seconds remaining"),
        ("cancel", "Agent amber-otter requested cancellation"),
        ("one moment", "Agent amber-otter sent: one moment"),
    ] {
        let scene = Scene::new();
        let asked = scene.ask();
        scene.answer(&asked, OTTER, words);
        let run = scene.run(&format!("wait-ack --resume {} --no-wait", asked.operation));
        assert_eq!(told(&run)[1], line);
    }
}

/// A45: the answer as the requester receives it.
#[test]
fn the_answer_has_the_shape_of_an_acknowledgment() {
    let scene = Scene::new();
    let asked = scene.ask();
    let note = "saved my work";
    scene.world.bb(["reply", "--agent", OTTER, "--message", asked.request(), "--ok", "--note", note]).ok();
    let answer = scene.inbox(LEAD).remove(0);
    assert_eq!((&answer["from_agent"], &answer["to_agent"]), (&json!(OTTER), &json!(LEAD)));
    assert_eq!(answer["subject"], "RE: Skill Installation Pending - Acknowledgment Required");
    assert_eq!(answer["kind"], "acknowledgment");
    assert_eq!(
        answer["content"],
        json!({"type": "acknowledgment", "message": "ok", "ready": true, "notes": note})
    );
    assert_eq!(scene.finish(&asked).data()["agents"][0]["response"]["notes"], note);
}
