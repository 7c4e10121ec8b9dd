//! `replace`: from the handoff to the audit entry, cut off wherever it may be.

use std::fs;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

use serde_json::{Value, json};

use crate::common::World;
use crate::replacement_scene::{CHECKPOINT, CONTROLLER, FAILED, LEAD, NEW, Scene, UNDERSTANDING, text};

/// Begins a replacement that stops where it has to wait.
fn begin(scene: &Scene, more: &[&str]) -> Value {
    let words: Vec<_> = more.iter().copied().chain(["--no-wait", "--json"]).collect();
    let run = scene.world.bb(Scene::order("replace", &words));
    assert_eq!(run.code, 75, "{run}");
    run.data()
}

/// Everything happened once.
fn happened_once(scene: &Scene) {
    assert_eq!(scene.mail_of(NEW, "replacement_handoff").len(), 1);
    assert_eq!(scene.mail_of(NEW, "task-assignment").len(), 1);
    assert_eq!(scene.mail_of(CONTROLLER, "replacement_confirmation").len(), 1);
    for event in ["agent_replacement", "handoff.transferred", "handoff.confirmed", "handoff.sent"] {
        assert_eq!(scene.events(event), 1, "{event}");
    }
    assert_eq!(scene.task("GH-42")["agent"], NEW);
}

#[test]
fn goes_from_the_handoff_to_the_audit_entry() {
    let scene = Scene::new();
    let begun = begin(&scene, &[]);
    assert_eq!(begun["step"], "sent");
    assert_eq!(begun["next"], format!("bb agent replace --resume {}", text(&begun["handoff_id"])));
    scene.ready(&begun).ok();
    let stopped = scene.resume(&begun, &[]);
    assert_eq!(stopped.code, 4, "the understanding is for the orchestrator to judge: {stopped}");
    assert_eq!(scene.task("GH-42")["agent"], FAILED);
    let done = scene.resume(&begun, &["--accept-understanding"]).ok().data();
    let steps: Vec<_> = done["steps"].as_array().unwrap().iter().map(|it| text(&it["step"])).collect();
    let wanted =
        ["prepared", "copied", "sent", "acknowledged", "verified", "transferred", "confirmed", "audited"];
    assert_eq!(steps, wanted);
    happened_once(&scene);
    assert_eq!(scene.resume(&begun, &["--accept-understanding"]).ok().data()["steps"], done["steps"]);
    happened_once(&scene);
}

#[test]
fn open_mail_and_reservations_pass_to_the_successor() {
    let scene = Scene::new();
    let world = &scene.world;
    let open = world.send(LEAD, FAILED, "BLOCKED", "An open question");
    let closed = world.send(LEAD, FAILED, "INFO", "Read before");
    world.bb(["read", "--agent", FAILED, &closed]).ok();
    let own = world.send(NEW, FAILED, "BLOCKED", "From the successor");
    world.bb(["reserve", "--agent", FAILED, "--scope", "src", "--bead", "bb-1"]).ok();
    let begun = begin(&scene, &[]);
    scene.ready(&begun).ok();
    assert_eq!(world.json(["show", &open])["to_agent"], FAILED);
    scene.resume(&begun, &["--accept-understanding"]).ok();
    for (id, holder) in [(&open, NEW), (&closed, FAILED), (&own, FAILED)] {
        assert_eq!(world.json(["show", id])["to_agent"], holder, "{id}");
    }
    let owed = world.json(["inbox", "--agent", FAILED, "--needs-ack", "--category", "INFO"]);
    assert_eq!(owed, json!([]), "nobody waits for the failed agent to confirm that it stops");
    world.bb(["ack", "--agent", NEW, &open]).ok();
    world.bb(["release", "--agent", NEW, "--scope", "src"]).ok();
    assert_eq!(scene.events("message.passed_on"), 1);
    assert_eq!(scene.events("reservation.passed_on"), 1);
}

/// Waiters on the failed agent go on waiting, for its successor: reminders go there, and its ack is theirs.
#[test]
fn whoever_waits_for_the_failed_agent_sees_the_ack_of_its_successor() {
    let scene = Scene::new();
    let world = &scene.world;
    let begun = begin(&scene, &[]);
    let message = world.send(LEAD, FAILED, "BLOCKED", "An open question");
    let wait = world.bb(["wait-ack", "--message", &message, "--no-wait", "--json"]);
    let plain = text(&wait.data()["operation_id"]);
    let words =
        ["wait-ack", "--from", LEAD, "--to", FAILED, "--operation", "restart", "--describe", "restart"];
    let wait = world.bb(words.iter().chain(&["--no-wait", "--json"]));
    let operation = text(&wait.data()["operation_id"]);
    let wait = world.bb(["wait-ack", "--task", "GH-42", "--no-wait", "--json"]);
    assert_eq!(wait.code, 0, "it was acknowledged by the failed agent: {wait}");
    scene.ready(&begun).ok();
    scene.resume(&begun, &["--accept-understanding"]).ok();
    for id in [&plain, &operation] {
        let open = world.bb(["wait-ack", "--resume", id, "--no-wait", "--json"]);
        assert_eq!(open.code, 75, "it goes on: {open}");
        assert_eq!(open.data()["agents"][0]["succeeded_by"], NEW);
    }
    let waits = world.bb(["waits", "--agent", NEW]).ok().stdout;
    assert_eq!(waits.matches("implementer-1, now implementer-2").count(), 2, "{waits}");
    world.pass(30);
    world.bb(["tick"]).ok();
    let reminded = scene.mail_of(NEW, "reminder");
    assert_eq!(reminded.len(), 2, "{reminded:?}");
    assert!(scene.mail_of(FAILED, "reminder").is_empty());
    world.bb(["ack", "--agent", NEW, &message]).ok();
    let of_operation = reminded.iter().find(|it| it["operation_id"] == operation.as_str()).unwrap();
    world.bb(["reply", "--agent", NEW, &text(&of_operation["message_id"]), "--ok"]).ok();
    for id in [&plain, &operation] {
        let done = world.json(["wait-ack", "--resume", id]);
        assert_eq!(done["outcome"], "acknowledged");
        let line = &done["agents"][0];
        assert_eq!(
            (&line["agent"], &line["succeeded_by"], &line["status"]),
            (&json!(FAILED), &json!(NEW), &json!("ready"))
        );
        let people = world.bb(["wait-ack", "--resume", id]).ok().stdout;
        assert!(people.contains("acked by successor implementer-2"), "{people}");
        let log = world.bb(["log", "--operation-id", id]).ok().stdout;
        assert!(log.contains("(acked by successor implementer-2)"), "{log}");
    }
}

/// The same for a task: its successor is asked in an assignment of its own, and has the whole time for it.
#[test]
fn whoever_waits_for_a_task_of_the_failed_agent_sees_the_ack_of_its_successor() {
    let scene = Scene::new();
    let world = &scene.world;
    world
        .bb(["assign", "--from", LEAD, "--to", FAILED, "--task", "GH-50", "--title", "New", "-m", "do"])
        .ok();
    let wait = world.bb(["wait-ack", "--task", "GH-50", "--no-wait", "--json"]);
    assert_eq!(wait.code, 75, "{wait}");
    let operation = text(&wait.data()["operation_id"]);
    let begun = begin(&scene, &["--task", "GH-42", "GH-50"]);
    world.pass(290);
    scene.ready(&begun).ok();
    scene.resume(&begun, &["--accept-understanding"]).ok();
    let open = world.bb(["wait-ack", "--resume", &operation, "--no-wait", "--json"]);
    assert_eq!((open.code, &open.data()["agents"][0]["succeeded_by"]), (75, &json!(NEW)), "{open}");
    world.pass(200);
    let open = world.bb(["wait-ack", "--resume", &operation, "--no-wait", "--json"]);
    assert_eq!(open.code, 75, "the successor has its own time: {open}");
    world.bb(["ack", "--agent", NEW, "--task", "GH-50", "--understanding", "I do it"]).ok();
    let done = world.bb(["wait-ack", "--resume", &operation]).ok();
    assert!(done.stdout.contains("acked by successor implementer-2"), "{done}");
}

/// Whoever waits for what does not pass on learns at once that the failed agent is gone.
#[test]
fn whoever_waits_for_what_does_not_pass_on_waits_in_vain() {
    let scene = Scene::new();
    let begun = begin(&scene, &[]);
    let own = scene.world.send(NEW, FAILED, "BLOCKED", "From the successor");
    scene.world.bb(["wait-ack", "--message", &own, "--no-wait"]);
    scene.ready(&begun).ok();
    scene.resume(&begun, &["--accept-understanding"]).ok();
    let waited = scene.world.bb(["wait-ack", "--message", &own, "--json"]);
    assert_eq!(waited.code, 5, "{waited}");
    assert!(waited.stdout.contains("was replaced by implementer-2"), "{waited}");
}

#[test]
fn a_refusal_ends_it_and_the_tasks_stay() {
    let scene = Scene::new();
    let begun = begin(&scene, &[]);
    scene.ack(&begun, &["--status", "rejected", "--reason", "no access"]).ok();
    let failed = scene.resume(&begun, &[]);
    assert_eq!(failed.code, 6, "{failed}");
    assert_eq!(failed.data()["audit"]["outcome"], "failed");
    let told = &scene.mail_of(CONTROLLER, "replacement_confirmation")[0];
    assert_eq!(told["content"]["error"]["code"], "HANDOFF_REJECTED");
    assert_eq!(scene.task("GH-42")["agent"], FAILED);
    assert_ne!(scene.world.json(["show", FAILED])["state"], "inactive");
}

#[test]
fn a_replacement_that_dies_ends_it() {
    let scene = Scene::new();
    let begun = begin(&scene, &[]);
    scene.world.bb(["state", NEW, "dead"]).ok();
    let failed = scene.resume(&begun, &[]);
    assert_eq!(failed.code, 6, "{failed}");
    let told = &scene.mail_of(CONTROLLER, "replacement_confirmation")[0];
    assert_eq!(told["content"]["error"]["code"], "AGENT_GONE");
}

#[test]
fn only_its_orchestrator_goes_on_with_it() {
    let scene = Scene::new();
    let begun = begin(&scene, &[]);
    let id = text(&begun["handoff_id"]);
    scene.world.bb(["replace", "--resume", &id, "--from", NEW]).fails("ACK_FORBIDDEN", 77);
    scene.ready(&begun).ok();
    for name in ["BB_AGENT", "BD_ACTOR"] {
        let as_new = |words: &[&str]| {
            let refused = scene.world.bb_with(&[(name, NEW)], words).fails("ACK_FORBIDDEN", 77);
            assert!(refused.stderr.contains(&format!("you are `{NEW}` ({name})")), "{refused}");
        };
        as_new(&["replace", "--resume", &id, "--accept-understanding"]);
        as_new(&["verify-ack", "--handoff", &id, "--accept-understanding"]);
        as_new(&["clarify", "--handoff", &id, "--answer", "x"]);
        as_new(&["wait-ack", "--handoff", &id]);
        let as_lead = ["verify-ack", "--handoff", &id];
        assert_eq!(scene.world.bb_with(&[(name, LEAD)], as_lead).code, 4, "not accepted by anybody");
    }
    scene.world.bb(["verify-ack", "--handoff", &id, "--from", NEW]).fails("ACK_FORBIDDEN", 77);
    scene.world.bb(["clarify", "--handoff", &id, "--agent", NEW, "--answer", "x"]).fails("ACK_FORBIDDEN", 77);
    scene
        .world
        .bb(["ack", "--agent", LEAD, "--handoff", &id, "--status", "rejected"])
        .fails("ACK_FORBIDDEN", 77);
    scene.world.bb(["replace", "--resume", "nothing"]).fails("HANDOFF_NOT_FOUND", 66);
    scene.world.bb(["replace", "--resume", &id, "--acknowledge-with-delay"]).fails("INVALID_ARGS", 64);
}

/// Labels and comments against a recorded `gh`.
#[test]
fn the_issue_is_commented_and_labelled() {
    let scene = Scene::new();
    let (path, calls) = scene.fake_gh("echo https://github.com/o/r/issues/42#issuecomment-7");
    let words = Scene::order("replace", &["--issue", "42", "--no-wait", "--json"]);
    let begun = scene.world.bb_with(&[("PATH", &path)], words).data();
    scene.ready(&begun).ok();
    let id = text(&begun["handoff_id"]);
    let words = ["replace", "--resume", &id, "--accept-understanding", "--json"];
    let done = scene.world.bb_with(&[("PATH", &path)], words).ok().data();
    assert_eq!(
        done["audit"]["github"],
        json!({"issues_updated": ["#42"], "comments_added": ["#42 issuecomment-7"],
            "labels_changed": ["assigned:implementer-1 -> assigned:implementer-2"]})
    );
    let called = fs::read_to_string(calls).unwrap();
    assert_eq!(called.lines().count(), 2, "{called}");
    assert!(called.contains("issue edit 42 --remove-label assigned:implementer-1"), "{called}");
}

/// A recorded `gh` kills the process that called it: once before the notice, once after the tasks moved.
#[test]
fn killed_between_two_steps_it_goes_on_and_does_nothing_twice() {
    let scene = Scene::of(World::in_real_time());
    let (deadly, _) = scene.fake_gh("kill -9 $PPID; sleep 1; exit 1");
    let words = Scene::order("replace", &["--issue", "42", "--no-wait"]);
    assert_eq!(scene.world.bb_with(&[("PATH", &deadly)], words).code, -1, "it was killed");
    assert!(scene.mail_of(NEW, "replacement_handoff").is_empty());
    let log = scene.world.json(["log", "--limit", "500"]);
    let prepared = log.as_array().unwrap().iter().find(|it| it["event"] == "handoff.prepared").unwrap();
    let id = text(&prepared["about"]);
    let (gentle, _) = scene.fake_gh("echo https://github.com/o/r/issues/42#issuecomment-7");
    let resume = ["replace", "--resume", &id, "--no-wait", "--json"];
    let sent = scene.world.bb_with(&[("PATH", &gentle)], resume);
    assert_eq!(sent.code, 75, "{sent}");
    scene.ready(&sent.data()).ok();
    let (deadly, _) = scene.fake_gh("kill -9 $PPID; sleep 1; exit 1");
    let words = ["replace", "--resume", &id, "--accept-understanding"];
    assert_eq!(scene.world.bb_with(&[("PATH", &deadly)], words).code, -1, "it was killed");
    assert_eq!(scene.task("GH-42")["agent"], NEW, "the tasks had moved");
    assert_eq!(scene.events("handoff.confirmed"), 0, "the controller was not told yet");
    scene.fake_gh("echo https://github.com/o/r/issues/42");
    scene.world.bb_with(&[("PATH", &gentle)], ["replace", "--resume", &id]).ok();
    happened_once(&scene);
}

/// Killed at any moment, it goes on; several that run at once agree.
#[test]
fn killed_at_any_moment_it_goes_on_and_does_nothing_twice() {
    for round in 0..4_u64 {
        let scene = Scene::of(World::in_real_time());
        let begun = begin(&scene, &[]);
        scene.ready(&begun).ok();
        let id = text(&begun["handoff_id"]);
        let start = || {
            let mut command = scene.world.command(["replace", "--resume", &id, "--accept-understanding"]);
            command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
        };
        for attempt in 0..4 {
            let mut child = start();
            sleep(Duration::from_millis(round * 5 + attempt * 8));
            let _ = child.kill();
            child.wait().unwrap();
        }
        let (mut one, mut other) = (start(), start());
        assert!(one.wait().unwrap().success() && other.wait().unwrap().success());
        happened_once(&scene);
    }
}

/// The whole command in one piece: it waits while the replacement answers.
#[test]
fn waits_for_the_answer_and_says_what_is_to_be_judged() {
    let scene = Scene::of(World::in_real_time());
    let mut command = scene.world.command(Scene::order("replace", &["--json"]));
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let notice = loop {
        if let Some(notice) = scene.mail_of(NEW, "replacement_handoff").pop() {
            break notice;
        }
        sleep(Duration::from_millis(10));
    };
    scene.ack(&notice, &["--understanding", UNDERSTANDING, "--starting-from", CHECKPOINT]).ok();
    let run = crate::common::Run::of(child.wait_with_output().unwrap());
    assert_eq!(run.code, 4, "{run}");
    assert_eq!(run.data()["verification"]["checks"][4]["check"], "understanding");
}

#[test]
fn a_copy_of_the_store_is_a_store() {
    let scene = Scene::new();
    let copy = scene.world.path("copy.db").display().to_string();
    scene.world.bb(["export", "--backup", &copy]).ok();
    let agents = scene.world.json(["list"]);
    assert_eq!(scene.world.json(["list", "--store", &copy]), agents);
    scene.world.bb(["export", "--backup", &copy]).fails("IO_WRITE_FAILED", 74);
    assert_eq!(scene.world.json(["list", "--store", &copy]), agents, "it was not touched");
}
