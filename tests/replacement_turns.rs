//! Whose turn it is in a handoff, and what each turn can be: no line that is printed leads astray.

use serde_json::json;

use crate::replacement_scene::{FAILED, LEAD, NEW, Scene, text};

/// A word less than a decision does not hand the decision over to a bare ack.
#[test]
fn whoever_could_not_go_on_says_in_full_that_it_can() {
    let hindered = ["--status", "environment_issue", "--reason", "disk"];
    let asking = ["--status", "needs_clarification", "--question", "Which library?"];
    for said in [&hindered, &asking] {
        let scene = Scene::new();
        let handoff = scene.hand_over(&[]);
        let (id, notice) = (text(&handoff["handoff_id"]), text(&handoff["message_id"]));
        scene.ack(&handoff, said).ok();
        assert_eq!(scene.verify(&handoff, &[]).code, 2);
        let waits = scene.world.bb(["wait-ack", "--handoff", &id, "--no-wait"]).code;
        let bare = scene.world.bb(["ack", "--agent", NEW, &notice]).fails("INVALID_HANDOFF", 65);
        assert!(bare.stderr.contains("--status ready_to_proceed --understanding"), "{bare}");
        let read = scene.world.bb(["read", "--agent", NEW, &notice]).ok().stdout;
        assert!(read.contains("--status ready_to_proceed --understanding"), "{read}");
        let still = scene.world.bb(["wait-ack", "--handoff", &id, "--no-wait"]).code;
        assert_eq!(still, waits, "a refused ack ends no wait");
        scene.ready(&handoff).ok();
        scene.resume(&handoff, &["--accept-understanding"]).ok();
    }
}

/// Whoever was replaced cannot end the wait for its successor by answering for what it has no more.
#[test]
fn an_agent_that_was_replaced_ends_nobodys_wait() {
    let scene = Scene::new();
    let opened = scene.world.bb(["wait-ack", "--task", "GH-43", "--from", LEAD, "--no-wait", "--json"]);
    let operation = text(&opened.data()["operation_id"]);
    let wait = || scene.world.bb(["wait-ack", "--operation-id", &operation, "--no-wait"]);
    let handoff = scene.hand_over(&["--task", "GH-43"]);
    scene.ready(&handoff).ok();
    scene.resume(&handoff, &["--accept-understanding"]).ok();
    let words = ["ack", "--task", "GH-43", "--status", "confirmed", "--understanding", "mine", "--agent"];
    assert_eq!(scene.world.bb(words.iter().chain(&[FAILED])).code, 77);
    assert_eq!(wait().code, 75, "{}", wait());
    scene.world.bb(words.iter().chain(&[NEW])).ok();
    wait().ok();
}

/// Whatever was said before the time passed, it is told alike that nobody answered, what closes the handoff, and
/// what goes on all the same; and that line does.
#[test]
fn what_is_said_to_go_on_all_the_same_does() {
    let asking = ["--status", "needs_clarification", "--question", "Which library?"];
    let hindered = ["--status", "environment_issue", "--reason", "disk"];
    let ready = ["--understanding", "u", "--starting-from", "elsewhere"];
    for said in [&[][..], &asking, &hindered, &ready] {
        let scene = Scene::new();
        let handoff = scene.hand_over(&[]);
        let id = text(&handoff["handoff_id"]);
        if !said.is_empty() {
            scene.ack(&handoff, said).ok();
        }
        match said {
            [_, "needs_clarification", ..] => {
                drop(scene.world.bb(["clarify", "--handoff", &id, "--answer", "one"]).ok())
            }
            [_, "environment_issue", ..] => {
                assert_eq!(scene.verify(&handoff, &[]).code, 2);
                assert_eq!(scene.world.bb(["wait-ack", "--handoff", &id, "--no-wait"]).code, 75);
            }
            [] => {}
            _ => assert_eq!(scene.verify(&handoff, &["--correct"]).code, 3),
        }
        for seconds in [300, 150, 250] {
            scene.world.pass(seconds);
            scene.world.bb(["tick"]).ok();
        }
        let stopped = scene.world.json(["replace", "--status", &id]);
        let closing = format!("bb agent replace --resume {id}");
        assert_eq!(stopped["replacement_status"], "escalated", "{said:?}");
        assert_eq!((&stopped["next"], &stopped["next_for"]), (&json!(closing), &json!(LEAD)), "{said:?}");
        assert_eq!(scene.world.json(["replace", "--status"])[0]["replacement_status"], "escalated");
        let warning = text(stopped["warnings"].as_array().unwrap().last().unwrap());
        assert!(warning.contains(&format!("`{closing}` closes it as failed")), "{warning}");
        let story = scene.world.json(["explain", &id]);
        assert_eq!((&story["next"]["agent"], &story["next"]["command"]), (&json!(LEAD), &json!(closing)));
        assert!(story["facts"].to_string().contains(&warning), "{story}");
        let line = warning.rsplit_once(": ").unwrap().1;
        let done = scene.world.bb(line.split(' ').skip(1).chain(["--json"])).ok().data();
        assert_eq!(done["outcome"], "success", "{said:?}");
        assert_eq!(done["audit"]["ack"]["acknowledged_with_delay"], "TEXT", "{said:?}");
        assert_eq!(scene.task("GH-42")["agent"], NEW, "{said:?}");
        assert_eq!(scene.world.json(["replace", "--status", &id])["done"], true, "{said:?}");
        let late = text(&scene.ready(&handoff).ok().data()["hint"]);
        let line = late.strip_prefix("the handoff is over, and the tasks are with you already: ").unwrap();
        assert_eq!(line, format!("bb agent ack --agent {NEW} --task GH-42"));
        scene.world.bb(line.split(' ').skip(1)).ok();
    }
}

/// A handoff is waited for as a handoff, however it is named, and each hint keeps to it.
#[test]
fn a_wait_for_the_notice_is_a_wait_for_the_handoff() {
    let scene = Scene::new();
    let handoff = scene.hand_over(&[]);
    let (id, notice) = (text(&handoff["handoff_id"]), text(&handoff["message_id"]));
    let wait = |words: [&str; 2]| scene.world.bb(["wait-ack"].iter().chain(&words).chain(&["--json"]));
    scene.world.pass(200);
    scene.world.bb(["activity-lease", "--agent", NEW]).ok();
    for seconds in [100, 150, 150] {
        scene.world.pass(seconds);
        scene.world.bb(["tick"]).ok();
    }
    let by_id = wait(["--handoff", &id]);
    assert_eq!(by_id.code, 4, "{by_id}");
    let next = text(&by_id.data()["agents"][0]["next"]);
    assert_eq!(next, format!("bb agent replace --status {id}"));
    scene.world.bb(next.split(' ').skip(1)).ok();
    let by_message = wait(["--message", &notice]);
    assert_eq!((by_message.code, by_message.data()), (4, by_id.data()), "{by_message}");
    let newer = scene.hand_over(&[]);
    assert_ne!(newer["handoff_id"], handoff["handoff_id"]);
    for words in [["--handoff", id.as_str()], ["--message", &notice]] {
        let over = wait(words).data();
        assert_eq!(
            (&over["profile"], &over["agents"][0]["next"]),
            (&json!("handoff"), &json!(null)),
            "{over}"
        );
    }
    assert_eq!(scene.world.json(["waits"]).as_array().unwrap().len(), 1, "only the newer one is waited for");
}

/// Whoever refused owes nothing: neither the notice nor its reminders are asked of it again.
#[test]
fn whoever_rejected_is_left_alone() {
    let scene = Scene::new();
    let handoff = scene.hand_over(&[]);
    scene.world.pass(310);
    scene.world.bb(["tick"]).ok();
    scene.ack(&handoff, &["--status", "rejected", "--reason", "busy"]).ok();
    let pending = || scene.world.json(["inbox", "--agent", NEW, "--needs-ack"]);
    assert_eq!(pending(), json!([]));
    scene.ready(&handoff).ok();
    assert_eq!(scene.resume(&handoff, &["--accept-understanding"]).ok().data()["outcome"], "success");
    let scene = Scene::new();
    let handoff = scene.hand_over(&[]);
    scene.ack(&handoff, &["--status", "rejected", "--reason", "busy"]).ok();
    assert_eq!(scene.resume(&handoff, &[]).code, 6);
    let late = text(&scene.ready(&handoff).ok().data()["hint"]);
    assert!(late.ends_with("counts for nothing: the replacement is over (failed)"), "{late}");
}
