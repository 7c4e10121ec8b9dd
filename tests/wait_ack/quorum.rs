//! Several agents, of whom enough must agree.

use serde_json::json;

use crate::common::Run;
use crate::wait_ack_scene::{Asked, OTTER, Scene, told};

const THREE: [&str; 3] = [OTTER, "teal-newt", "zinc-yak"];

fn scene(flags: &str) -> (Scene, Asked) {
    let scene = Scene::with(&THREE);
    let asked = scene.ask_with(&THREE.join(","), flags);
    (scene, asked)
}

fn ended(run: &Run) -> (i32, String, u64) {
    let data = run.data();
    (run.code, data["outcome"].as_str().unwrap().to_owned(), data["elapsed_seconds"].as_u64().unwrap())
}

#[test]
fn a_quorum_that_is_met_still_waits_for_the_others_and_names_the_missing() {
    let (scene, asked) = scene("--quorum 2");
    scene.answer(&asked, OTTER, "ok");
    scene.answer(&asked, "zinc-yak", "ok");
    let run = scene.finish(&asked);
    assert_eq!(ended(&run), (0, "quorum".to_owned(), 120), "{run}");
    let data = run.data();
    assert_eq!(data["missing"], json!(["teal-newt"]));
    assert_eq!(data["quorum"], json!({"rule": "2", "needed": 2, "agreed": 2}));
    assert_eq!(
        told(&run).last().unwrap(),
        &"Proceeding with operation - 2 of 3 agents acknowledged, no answer from teal-newt"
    );
    let notice = scene.received("teal-newt", "timeout-notice").remove(0);
    assert_eq!(notice["subject"], "Proceeding Without Acknowledgment");
}

#[test]
fn it_ends_early_when_all_have_answered() {
    let (scene, asked) = scene("--quorum majority");
    scene.world.pass(7);
    scene.answer(&asked, OTTER, "ok");
    scene.answer(&asked, "teal-newt", "cancel");
    assert_eq!(scene.data("waits")[0]["outcome"], "waiting", "a cancel is only a no");
    scene.answer(&asked, "zinc-yak", "ok");
    assert_eq!(ended(&scene.finish(&asked)), (0, "quorum".to_owned(), 7));
    assert_eq!(scene.received(OTTER, "cancellation-notice").len(), 0);
}

#[test]
fn everyone_agreeing_is_acknowledged() {
    let (scene, asked) = scene("--quorum all");
    for agent in THREE {
        scene.answer(&asked, agent, "ok");
    }
    assert_eq!(ended(&scene.finish(&asked)), (0, "acknowledged".to_owned(), 0));
}

#[test]
fn a_quorum_that_is_missed_is_4_at_the_deadline() {
    let (scene, asked) = scene("--quorum majority");
    scene.answer(&asked, OTTER, "ok");
    let run = scene.finish(&asked);
    assert_eq!(ended(&run), (4, "timed_out".to_owned(), 120), "{run}");
    assert_eq!(run.data()["quorum"], json!({"rule": "majority", "needed": 2, "agreed": 1}));
    assert_eq!(run.data()["proceed"], false);
}

#[test]
fn a_quorum_out_of_reach_ends_it_at_once() {
    let (scene, asked) = scene("--quorum 2");
    scene.world.pass(10);
    scene.answer(&asked, OTTER, "cancel");
    scene.run("state zinc-yak dead").ok();
    assert_eq!(ended(&scene.finish(&asked)), (4, "timed_out".to_owned(), 10));
    assert_eq!(scene.received("teal-newt", "reminder").len(), 0);
}

#[test]
fn the_gone_and_the_refusing_are_noes() {
    let (scene, asked) = scene("--quorum 1");
    scene.run("state zinc-yak stopped").ok();
    scene.answer(&asked, "teal-newt", "rejected");
    scene.answer(&asked, OTTER, "ok");
    let run = scene.finish(&asked);
    assert_eq!(ended(&run), (0, "quorum".to_owned(), 0), "{run}");
}

#[test]
fn without_a_quorum_one_cancel_ends_it_and_everyone_is_told() {
    let (scene, asked) = scene("");
    scene.answer(&asked, OTTER, "ok");
    scene.answer(&asked, "zinc-yak", "cancel");
    let run = scene.finish(&asked);
    assert_eq!(run.code, 2, "{run}");
    for agent in THREE {
        let notice = scene.received(agent, "cancellation-notice").remove(0);
        assert_eq!(notice["content"]["cancelled_by"], "zinc-yak");
        assert_eq!((&notice["category"], &notice["priority"]), (&json!("INFO"), &json!("high")));
    }
    assert!(told(&run).contains(&"Operation cancelled by zinc-yak - told amber-otter, teal-newt, zinc-yak"));
}

#[test]
fn an_ok_can_be_taken_back_until_it_is_decided() {
    let (scene, asked) = scene("");
    scene.answer(&asked, OTTER, "ok");
    scene.answer(&asked, OTTER, "cancel");
    assert_eq!(scene.finish(&asked).code, 2);
}

#[test]
fn a_quorum_nobody_could_reach_is_refused() {
    let scene = Scene::with(&THREE);
    for quorum in ["4", "0", "most"] {
        let line = format!(
            "wait-ack --from lead-one --to {} --operation restart --quorum {quorum}",
            THREE.join(",")
        );
        scene.run(&line).fails("INVALID_ARGS", 64);
    }
    assert_eq!(scene.kinds(OTTER), [""; 0], "nobody was asked");
}

#[test]
fn messages_of_one_sender_can_be_waited_for_together() {
    let scene = Scene::with(&[OTTER, "zinc-yak"]);
    let ids = [OTTER, "zinc-yak"].map(|agent| scene.world.send("lead-one", agent, "BLOCKED", "Key"));
    let asked = scene.open(&format!("--message {} {} --quorum majority", ids[0], ids[1]));
    assert_eq!(scene.data("waits")[0]["profile"], "multi-agent");
    for (agent, id) in [OTTER, "zinc-yak"].iter().zip(&ids) {
        scene.run(&format!("ack --agent {agent} --message {id}")).ok();
    }
    assert_eq!(scene.finish(&asked).code, 0);
}

/// Nothing more is asked of one that voted, and a change of mind is not passed over in silence.
#[test]
fn a_vote_against_stands() {
    let (scene, asked) = scene("--quorum 2");
    let id = asked.request_to("teal-newt");
    let vote = scene.run(&format!("reply --agent teal-newt --message {id} --cancel")).ok();
    assert!(!vote.stdout.contains("still needs your ack"), "{vote}");
    assert_eq!(scene.data("inbox --agent teal-newt --needs-ack"), json!([]));
    let words = "not counted: your answer \"cancel\" stands";
    let later = scene.run(&format!("reply --agent teal-newt --message {id} --ok")).ok();
    assert_eq!(later.stderr, format!("warning: {words}\n"), "{later}");
    let ack = scene.run(&format!("ack --agent teal-newt --message {id}")).ok();
    assert!(ack.stdout.contains(words), "{ack}");
    let ack = scene.data(&format!("ack --agent teal-newt --message {id}"));
    assert_eq!(ack["warning"], words);
    scene.answer(&asked, OTTER, "ok");
    let again = scene.run(&format!("ack --agent {OTTER} --message {}", asked.request_to(OTTER))).ok();
    assert!(!again.stdout.contains("not counted"), "{again}");
}

#[test]
fn those_who_agreed_are_told_when_the_quorum_is_out_of_reach() {
    let (scene, asked) = scene("--quorum 2");
    scene.answer(&asked, OTTER, "ok");
    scene.answer(&asked, "teal-newt", "cancel");
    scene.answer(&asked, "zinc-yak", "rejected");
    assert_eq!(scene.finish(&asked).code, 4);
    let notice = scene.received(OTTER, "cancellation-notice").remove(0);
    assert_eq!(notice["subject"], "Operation Cancelled");
    assert_eq!(notice["body"], "Too few agreed. The skill installation will not be performed.");
    assert_eq!(notice["content"]["reason"], "timed_out");
    assert_eq!(scene.received("teal-newt", "cancellation-notice").len(), 0);
}
