//! What a replacement says to its handoff, and what becomes of it: nothing leads nowhere.

use std::fs;

use serde_json::{Value, json};

use crate::replacement_scene::{CHECKPOINT, CONTROLLER, FAILED, LEAD, NEW, Scene, UNDERSTANDING, text};

const GOOD: [&str; 4] = ["--understanding", UNDERSTANDING, "--starting-from", CHECKPOINT];

fn say(scene: &Scene, handoff: &Value, word: &str) {
    scene.world.bb(["reply", "--agent", NEW, &text(&handoff["message_id"]), "-m", word]).ok();
}

fn status(scene: &Scene, handoff: &Value) -> Value {
    scene.world.json(["replace", "--status", &text(&handoff["handoff_id"])])
}

/// Nobody waits for the handoff, nobody has to acknowledge it, and time changes nothing.
fn is_quiet(scene: &Scene) {
    assert_eq!(scene.world.json(["waits"]), json!([]));
    let kinds = |agent: &str| {
        let mail = scene.mail(agent);
        mail.iter().map(|it| text(&it["kind"])).collect::<Vec<_>>()
    };
    let before = (kinds(NEW), kinds(CONTROLLER));
    for seconds in [300, 150, 150] {
        scene.world.pass(seconds);
        scene.world.bb(["tick"]).ok();
    }
    assert_eq!((kinds(NEW), kinds(CONTROLLER)), before, "nobody is reminded, and nothing is escalated");
    let owed = scene.world.json(["inbox", "--agent", NEW, "--needs-ack", "--category", "HANDOFF"]);
    assert!(!owed.to_string().contains("replacement_handoff"), "{owed}");
}

/// H27: answered, corrected or given a new document, the replacement confirms before anything moves; and when
/// all is done nobody is reminded of it.
#[test]
fn nothing_moves_before_what_was_said_last_is_confirmed() {
    for way in ["answer", "document", "correct"] {
        let scene = Scene::new();
        let handoff = scene.hand_over(&[]);
        let id = text(&handoff["handoff_id"]);
        let asks: Vec<_> = GOOD.into_iter().chain(["--question", "Which library?"]).collect();
        fs::write(scene.world.work().join("newer.md"), "# Use PyJWT\n").unwrap();
        if way == "correct" {
            scene.ready(&handoff).ok();
            assert_eq!(scene.verify(&handoff, &["--correct"]).code, 4);
            assert_eq!(scene.verify(&handoff, &["--correct"]).code, 1);
            assert_eq!(scene.mail_of(NEW, "handoff_clarification").len(), 1, "it is said once");
        } else {
            scene.ack(&handoff, &asks).ok();
            let more = if way == "document" { &["--document", "newer.md"][..] } else { &[] };
            scene.world.bb(["clarify", "--handoff", &id, "--answer", "one"].iter().chain(more)).ok();
        }
        let waits = scene.resume(&handoff, &["--accept-understanding", "--no-wait"]);
        assert_eq!(waits.code, 75, "{way}: {waits}");
        assert_eq!(waits.data()["replacement_status"], "awaiting_confirmation");
        assert_eq!(scene.task("GH-42")["agent"], FAILED, "{way}");
        assert_eq!(status(&scene, &handoff)["next_for"], NEW, "it is the replacement's turn");
        scene.ack(&status(&scene, &handoff), &GOOD).ok();
        scene.resume(&handoff, &["--accept-understanding"]).ok();
        assert_eq!(scene.task("GH-42")["agent"], NEW, "{way}");
        is_quiet(&scene);
    }
}

/// H27, ⚠17: whoever knows otherwise that it was understood goes on for a reason, and is not reminded either.
#[test]
fn without_the_confirmation_it_goes_on_only_for_a_reason() {
    let scene = Scene::new();
    let handoff = scene.hand_over(&[]);
    let asks: Vec<_> = GOOD.into_iter().chain(["--question", "Which library?"]).collect();
    scene.ack(&handoff, &asks).ok();
    scene.world.bb(["clarify", "--handoff", &text(&handoff["handoff_id"]), "--answer", "one"]).ok();
    let verified =
        scene.verify(&handoff, &["--accept-understanding", "--accept-partial", "--reason", "by phone"]);
    assert_eq!(verified.code, 0, "{verified}");
    let done = scene.resume(&handoff, &[]).ok().data();
    assert_eq!(done["audit"]["ack"]["accepted_partial"], "by phone");
    is_quiet(&scene);
}

/// A word of refusal is a refusal, before the escalation and after it.
#[test]
fn whoever_cancels_has_rejected() {
    for (word, late) in
        [("cancel", false), ("abort", false), ("rejected", false), ("cancel", true), ("rejected", true)]
    {
        let scene = Scene::new();
        let handoff = scene.hand_over(&[]);
        if late {
            scene.world.pass(600);
            scene.world.bb(["tick"]).ok();
        }
        say(&scene, &handoff, word);
        scene.world.pass(600);
        let refused = scene.resume(&handoff, &["--acknowledge-with-delay", "--reason", "I insist"]);
        refused.fails("INVALID_HANDOFF", 65);
        assert_eq!(scene.task("GH-42")["agent"], FAILED, "{word}");
        let failed = scene.resume(&handoff, &[]);
        assert_eq!(failed.code, 6, "{word}: {failed}");
        let told = &scene.mail_of(CONTROLLER, "replacement_confirmation")[0];
        assert_eq!(told["content"]["error"]["code"], "HANDOFF_REJECTED", "{word}");
    }
}

/// Whoever is not ready yet has answered and not acknowledged: the wait goes on, and at last it is given up.
#[test]
fn whoever_puts_it_off_is_waited_for() {
    for word in ["queued", "error"] {
        let scene = Scene::new();
        let handoff = scene.hand_over(&[]);
        let id = text(&handoff["handoff_id"]);
        say(&scene, &handoff, word);
        let waits = scene.world.bb(["wait-ack", "--handoff", &id, "--no-wait"]);
        assert_eq!(waits.code, 75, "{word}: {waits}");
        assert_eq!(status(&scene, &handoff)["ack_status"], word);
        assert_ne!(scene.world.json(["show", &text(&handoff["message_id"])])["state"], "acked");
        assert_eq!(scene.verify(&handoff, &[]).code, 1, "it is no acknowledgment");
        let stopped = scene.world.bb(["replace", "--resume", &id, "--json"]);
        assert_eq!(stopped.code, 4, "it is escalated: {stopped}");
        let failed = scene.resume(&handoff, &[]);
        assert_eq!(failed.code, 6, "{failed}");
        let told = &scene.mail_of(CONTROLLER, "replacement_confirmation")[0];
        assert_eq!(told["content"]["error"]["code"], "ACK_NOT_VERIFIED");
        assert_eq!(scene.mail_of(NEW, "cancellation-notice").len(), 1, "it is told that it is over");
    }
    let scene = Scene::new();
    let handoff = scene.hand_over(&[]);
    say(&scene, &handoff, "queued");
    scene.ready(&handoff).ok();
    assert_eq!(scene.resume(&handoff, &["--accept-understanding"]).ok().data()["outcome"], "success");
}

/// H30: an answer after the escalation is an answer, whatever it says.
#[test]
fn an_answer_after_the_escalation_is_no_silence() {
    let late = || {
        let scene = Scene::new();
        let handoff = scene.hand_over(&[]);
        for seconds in [300, 150, 150] {
            scene.world.pass(seconds);
            scene.world.bb(["tick"]).ok();
        }
        assert_eq!(status(&scene, &handoff)["step"], "escalated");
        (scene, handoff)
    };
    let (scene, handoff) = late();
    let id = text(&handoff["handoff_id"]);
    scene.ack(&handoff, &["--status", "needs_clarification", "--question", "Which library?"]).ok();
    assert_eq!(scene.resume(&handoff, &["--no-wait"]).code, 2, "it is asked, not given up");
    scene.world.bb(["clarify", "--handoff", &id, "--answer", "PyJWT"]).ok();
    assert_eq!(scene.resume(&handoff, &["--no-wait"]).code, 75, "it is waited for");
    scene.ready(&handoff).ok();
    assert_eq!(scene.resume(&handoff, &["--accept-understanding"]).ok().data()["outcome"], "success");
    let (scene, handoff) = late();
    scene.ack(&handoff, &["--status", "environment_issue", "--reason", "no compiler"]).ok();
    let stopped = scene.resume(&handoff, &[]);
    assert_eq!((stopped.code, &stopped.data()["next_action"]), (2, &json!("help_resolve")), "{stopped}");
    // The line it gives begins a wait of its own; when that is over as well it is given up, for its own reason.
    let line = text(&stopped.data()["next"]);
    assert_eq!(scene.world.bb(line.split(' ').skip(1)).code, 4, "{line}");
    assert_eq!(scene.resume(&handoff, &[]).code, 6);
    let told = &scene.mail_of(CONTROLLER, "replacement_confirmation")[0];
    assert_eq!(told["content"]["error"]["code"], "ENVIRONMENT_ISSUE");
    assert_eq!(told["content"]["error"]["reminders_sent"], 2);
}

/// A task that was completed meanwhile needs nobody, and whoever was ready for it is told.
#[test]
fn what_was_completed_meanwhile_needs_no_other_agent() {
    let scene = Scene::new();
    let handoff = scene.hand_over(&[]);
    scene.ready(&handoff).ok();
    scene.world.bb(["complete", "--agent", FAILED, "--task", "GH-42", "--summary", "done"]).ok();
    let failed = scene.resume(&handoff, &["--accept-understanding"]);
    assert_eq!(failed.code, 6, "{failed}");
    let told = &scene.mail_of(CONTROLLER, "replacement_confirmation")[0]["content"];
    assert_eq!(
        (&told["error"]["code"], &told["action_required"]),
        (&json!("TRANSFER_FAILED"), &json!("review_tasks"))
    );
    let line = text(&failed.data()["next"]);
    scene.world.bb(line.split(' ').skip(1)).ok();
    let told = &scene.mail_of(NEW, "cancellation-notice")[0];
    assert!(text(&told["body"]).contains("You do not replace implementer-1"), "{told}");
    is_quiet(&scene);
}

/// What the failed agent keeps is said, with the line that hands it over; a later handoff takes nothing back.
#[test]
fn what_is_left_behind_is_named_and_may_go_to_a_third() {
    let scene = Scene::new();
    let handoff = scene.hand_over(&[]);
    scene.ready(&handoff).ok();
    let done = scene.resume(&handoff, &["--accept-understanding"]).ok().data();
    let left = text(&done["warnings"][0]);
    assert!(left.starts_with("not handed over, and with `implementer-1` still: GH-43;"), "{left}");
    assert!(left.ends_with("--document FILE --task GH-43"), "{left}");
    assert_eq!(status(&scene, &handoff)["warnings"][0], left.as_str());
    scene.world.bb(["register", "--name", "zinc-yak", "--role", "backend"]).ok();
    let words = ["handoff", "--from", LEAD, "--failed", FAILED, "--to", "zinc-yak", "--reason", "crash"];
    let rest = scene.world.json(words.into_iter().chain(["--document", "handoff.md", "--task", "GH-43"]));
    let id = text(&rest["handoff_id"]);
    let ack = ["ack", "--agent", "zinc-yak", "--handoff", &id, "--status", "ready_to_proceed"];
    scene.world.bb(ack.iter().chain(&GOOD)).ok();
    scene.resume(&rest, &["--accept-understanding"]).ok();
    let first = status(&scene, &handoff);
    assert_eq!((&first["done"], &first["warnings"]), (&json!(true), &json!([])), "{first}");
}

/// What the orchestrator decided is on record: what it accepted, and which checkpoint it expected.
#[test]
fn what_was_accepted_is_on_record() {
    let scene = Scene::new();
    let handoff = scene.hand_over(&[]);
    scene.ack(&handoff, &["--understanding", UNDERSTANDING, "--starting-from", "elsewhere"]).ok();
    let id = text(&handoff["handoff_id"]);
    scene.world.bb(["verify-ack", &id, "elsewhere", "--accept-understanding"]).ok();
    let log = scene.world.json(["log", "--limit", "500"]);
    let verified = log.as_array().unwrap().iter().rfind(|it| it["event"] == "handoff.verified").unwrap();
    assert_eq!(verified["data"]["understanding_accepted"], true);
    assert_eq!(verified["data"]["expected_starting_from"], "elsewhere");
    let list = status(&scene, &handoff)["checklists"].to_string();
    let why = format!("'elsewhere' was expected instead of the documented '{CHECKPOINT}'");
    assert_eq!(list.matches(&why).count(), 2, "{list}");
}

/// Every replacement can be found, whatever step it is at: those that are not over first.
#[test]
fn all_replacements_are_listed() {
    let scene = Scene::new();
    assert_eq!(scene.world.json(["replace", "--status"]), json!([]));
    let first = scene.hand_over(&[]);
    scene.world.pass(60);
    let second = scene.hand_over(&[]);
    let third = scene.hand_over(&["--task", "GH-43"]);
    let list = scene.world.json(["replace", "--status"]);
    let ids: Vec<_> = list.as_array().unwrap().iter().map(|it| it["handoff_id"].clone()).collect();
    assert_eq!(ids, [&third, &second, &first].map(|it| it["handoff_id"].clone()));
    assert_eq!((&list[2]["step"], &list[1]["tasks"]), (&json!("superseded"), &json!(["GH-42"])));
    let people = scene.world.bb(["replace", "--status"]).ok().stdout;
    assert!(people.contains("REPLACEMENT") && people.ends_with("3 replacements\n"), "{people}");
    let unknown = scene.world.bb(["replace", "--resume", "nothing-such"]).fails("HANDOFF_NOT_FOUND", 66);
    assert!(unknown.stderr.contains(&text(&third["handoff_id"])), "{unknown}");
}

/// C44: the entry is looked for in the log, also where it has left the store.
#[test]
fn the_audit_entry_is_looked_for_in_the_log() {
    let scene = Scene::new();
    let handoff = scene.hand_over(&[]);
    scene.ready(&handoff).ok();
    scene.resume(&handoff, &["--accept-understanding"]).ok();
    scene.world.bb(["archive", "--older-than", "0"]).ok();
    assert_eq!(status(&scene, &handoff)["done"], true);
    fs::remove_dir_all(scene.world.path("store/archive")).unwrap();
    let lost = scene.world.bb(["replace", "--status", &text(&handoff["handoff_id"]), "--json"]);
    assert!(lost.code != 0 || lost.data()["done"] == false, "{lost}");
}

/// Whoever is silent after it was answered is given up as well, unless what it said before is enough.
#[test]
fn silence_after_the_answers_may_be_accepted_for_a_reason() {
    let silent = || {
        let scene = Scene::new();
        let handoff = scene.hand_over(&[]);
        let asks: Vec<_> = GOOD.into_iter().chain(["--question", "Which library?"]).collect();
        scene.ack(&handoff, &asks).ok();
        scene.world.bb(["clarify", "--handoff", &text(&handoff["handoff_id"]), "--answer", "one"]).ok();
        let stopped = scene.resume(&handoff, &[]);
        assert_eq!(stopped.code, 4, "{stopped}");
        (scene, handoff)
    };
    let (scene, handoff) = silent();
    assert_eq!(
        scene.resume(&handoff, &["--accept-understanding"]).code,
        1,
        "it builds on what does not stand"
    );
    let words = ["--accept-understanding", "--accept-partial", "--reason", "by phone"];
    assert_eq!(scene.resume(&handoff, &words).ok().data()["outcome"], "success");
    let (scene, handoff) = silent();
    assert_eq!(scene.resume(&handoff, &[]).code, 6);
    let told = &scene.mail_of(CONTROLLER, "replacement_confirmation")[0];
    assert_eq!(told["content"]["error"]["code"], "ACK_NOT_VERIFIED");
    assert_eq!(scene.task("GH-42")["agent"], FAILED);
}

/// The log of the failed agent has its replacement.
#[test]
fn the_log_of_an_agent_has_its_replacement() {
    let scene = Scene::new();
    scene.world.send(LEAD, FAILED, "BLOCKED", "An open question");
    let handoff = scene.hand_over(&[]);
    scene.ready(&handoff).ok();
    scene.resume(&handoff, &["--accept-understanding"]).ok();
    for agent in [FAILED, NEW] {
        let log = scene.world.json(["log", "--agent", agent, "--limit", "500"]);
        let names: Vec<_> = log.as_array().unwrap().iter().map(|it| text(&it["event"])).collect();
        let wanted = ["handoff.prepared", "handoff.sent", "handoff.transferred", "handoff.closed"];
        for event in wanted.into_iter().chain(["task.reassigned", "message.passed_on", "agent_replacement"]) {
            assert!(names.iter().any(|it| it == event), "{agent}: {event} in {names:?}");
        }
    }
    let passed = scene.mail(NEW).into_iter().find(|it| it["subject"] == "An open question").unwrap();
    let story = scene.world.bb(["explain", &text(&passed["message_id"])]).ok().stdout;
    assert!(story.contains("passed it on from implementer-1 to implementer-2"), "{story}");
}

/// Whoever was replaced and works again speaks for itself; what it held and let expire passes to nobody.
#[test]
fn an_agent_that_works_again_is_nobody_elses() {
    let scene = Scene::new();
    let world = &scene.world;
    world.bb(["reserve", "--agent", FAILED, "--scope", "src", "--bead", "bb-1", "--ttl", "5"]).ok();
    let handoff = scene.hand_over(&["--urgency", "prepare"]);
    world.pass(301);
    scene.ready(&handoff).ok();
    scene.resume(&handoff, &["--accept-understanding"]).ok();
    assert_eq!(scene.events("reservation.passed_on"), 0);
    assert_eq!(world.json(["show", FAILED])["replaced_by"], NEW);
    world.bb(["state", FAILED, "working"]).ok();
    assert_eq!(world.json(["show", FAILED])["replaced_by"], json!(null));
}

/// A replacement that is gone is not left a notice; whoever has its place is named, however often it changed.
#[test]
fn a_replacement_that_is_gone_leads_to_its_successor() {
    let scene = Scene::new();
    let world = &scene.world;
    let to = |name| {
        let words = ["handoff", "--from", LEAD, "--failed", FAILED, "--reason", "crash", "--task", "GH-43"];
        world.bb(words.into_iter().chain(["--document", "handoff.md", "--to", name]))
    };
    world.bb(["register", "--name", "zinc-yak", "--role", "backend"]).ok();
    world.bb(["state", "zinc-yak", "stopped"]).ok();
    let refused = to("zinc-yak").fails("RECIPIENT_GONE", 67);
    assert!(refused.stderr.contains("name another agent: --to AGENT"), "{refused}");
    world.bb(["state", "zinc-yak", "idle"]).ok();
    let handoff = scene.hand_over(&[]);
    scene.ready(&handoff).ok();
    scene.resume(&handoff, &["--accept-understanding"]).ok();
    let words = ["handoff", "--from", LEAD, "--failed", NEW, "--to", "zinc-yak", "--reason", "crash"];
    let next = world.json(words.into_iter().chain(["--document", "handoff.md", "--task", "GH-42"]));
    let id = text(&next["handoff_id"]);
    let ack = ["ack", "--agent", "zinc-yak", "--handoff", &id, "--status", "ready_to_proceed"];
    world.bb(ack.iter().chain(&GOOD)).ok();
    scene.resume(&next, &["--accept-understanding"]).ok();
    let refused = to(NEW).fails("RECIPIENT_GONE", 67);
    assert!(refused.stderr.contains("it was replaced by `zinc-yak`: --to zinc-yak"), "{refused}");
}

/// The notice says the same time wherever it is read, and the controller is told who is meant, in its thread.
#[test]
fn the_time_to_acknowledge_and_the_escalation_are_told_as_they_are() {
    let scene = Scene::new();
    let handoff = scene.hand_over(&[]);
    let id = text(&handoff["handoff_id"]);
    let notice = text(&handoff["message_id"]);
    let read = scene.world.bb(["read", "--agent", NEW, &notice]).ok().stdout;
    assert!(read.contains("within 5 minutes") && read.contains("300 s left"), "{read}");
    for seconds in [300, 150] {
        scene.world.pass(seconds);
        scene.world.bb(["tick"]).ok();
    }
    let read = scene.world.bb(["read", "--agent", NEW, &notice]).ok().stdout;
    assert!(read.contains("150 s left"), "what is left of the grace: {read}");
    scene.world.pass(150);
    scene.world.bb(["tick"]).ok();
    let told = &scene.mail_of(CONTROLLER, "escalation")[0];
    let body = format!(
        "implementer-2 has not acknowledged handoff {id} (replacing implementer-1) after 2 reminders."
    );
    assert_eq!(text(&told["body"]), format!("{body}\nTasks: GH-42\nName another agent."));
    assert_eq!(told["thread_id"], format!("handoff:{id}"));
}
