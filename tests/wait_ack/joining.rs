//! Several waiters of one handshake: one result, one set of reminders.

use crate::common::Run;
use crate::wait_ack_scene::{OTTER, Scene};

#[test]
fn a_second_waiter_joins_and_both_report_the_same() {
    let scene = Scene::new();
    let id = scene.world.send("lead-one", OTTER, "BLOCKED", "Need a key");
    let first = scene.open(&id);
    let run = scene.run(&format!("wait-ack --message {id} --timeout 5s --json"));
    assert_eq!(run.code, 3, "{run}");
    let notice = format!("joined the open handshake {}; its own schedule holds\n", first.operation);
    assert!(run.stderr.starts_with(&notice), "{run}");
    assert_eq!(run.data()["elapsed_seconds"], 120);
    scene.world.pass(120);
    assert_eq!(scene.finish(&first).data(), run.data());
    assert_eq!(scene.received(OTTER, "reminder").len(), 3);
    assert_eq!(scene.events(&first, "handshake.started").len(), 1);
    assert_eq!(scene.events(&first, "handshake.ended").len(), 1);
}

#[test]
fn a_handshake_is_named_by_operation_id_or_by_resume() {
    let scene = Scene::new();
    let asked = scene.ask();
    scene.answer(&asked, OTTER, "ok");
    let by = |flag: &str| scene.run(&format!("wait-ack {flag} {} --json", asked.operation)).ok().data();
    assert_eq!(by("--operation-id"), by("--resume"));
}

#[test]
fn a_part_of_the_id_will_do() {
    let scene = Scene::new();
    let asked = scene.ask();
    let tail = asked.operation.rsplit('_').next().unwrap();
    for part in [tail, &asked.operation[..20]] {
        assert_eq!(scene.run(&format!("wait-ack --resume {part} --no-wait")).code, 75, "{part}");
    }
    scene.ask();
    scene.run("wait-ack --resume op_2026 --no-wait").fails("AMBIGUOUS_ID", 65);
}

#[test]
fn only_the_one_who_asked_goes_on() {
    let scene = Scene::with(&[OTTER, "zinc-yak"]);
    let asked = scene.ask();
    let id = scene.world.send("lead-one", OTTER, "BLOCKED", "Need a key");
    for subject in [format!("--resume {}", asked.operation), id] {
        let line = format!("wait-ack {subject} --no-wait");
        scene.run(&format!("{line} --from zinc-yak -- touch ran")).fails("READ_FORBIDDEN", 77);
        for variable in ["BB_AGENT", "BD_ACTOR"] {
            let run = Run::of(scene.command(&line).env(variable, "zinc-yak").output().unwrap());
            run.fails("READ_FORBIDDEN", 77);
            let run = Run::of(scene.command(&line).env(variable, "lead-one").output().unwrap());
            assert_eq!(run.code, 75, "{run}");
        }
        assert_eq!(scene.run(&format!("{line} --from lead-one")).code, 75);
    }
    assert!(!scene.world.work().join("ran").exists());
}

#[test]
fn a_protected_requester_proves_itself_unless_only_the_result_is_looked_at() {
    let scene = Scene::new();
    let registered = scene.data("register --name safe-lead --role lead --protect");
    let token = registered["token"].as_str().unwrap();
    let with_token = |line: &str| Run::of(scene.command(line).env("BB_TOKEN", token).output().unwrap());
    let opened = with_token("wait-ack --from safe-lead --to amber-otter --operation x --no-wait --json");
    let operation = opened.data()["operation_id"].as_str().unwrap().to_owned();
    let resume = format!("wait-ack --resume {operation}");
    scene.run(&resume).fails("TOKEN_REQUIRED", 77);
    scene.run(&format!("{resume} -- touch ran")).fails("TOKEN_REQUIRED", 77);
    assert_eq!(with_token(&resume).code, 3);
    assert_eq!(scene.run(&resume).code, 3, "it is over, and looking at it does nothing");
    scene.run(&format!("{resume} -- touch ran")).fails("TOKEN_REQUIRED", 77);
    assert!(!scene.world.work().join("ran").exists());
    with_token(&format!("{resume} -- touch ran")).ok();
}

#[test]
fn after_a_question_the_same_request_is_waited_for_again() {
    let scene = Scene::new();
    let asked = scene.ask();
    scene.answer(&asked, OTTER, "needs clarification");
    let ended = scene.finish(&asked);
    assert_eq!(ended.code, 7, "{ended}");
    let line = format!("bb wait-ack {}", asked.request());
    assert_eq!(ended.data()["agents"][0]["next"], line);
    assert!(scene.run(&format!("inbox --agent {OTTER} --needs-ack")).ok().stdout.contains("no messages"));
    let again = scene.open(asked.request());
    assert_eq!(scene.data("waits")[0]["operation"], "skill-install");
    for flag in ["--needs-ack", "--pending"] {
        let listed = scene.data(&format!("inbox --agent {OTTER} {flag}"));
        assert_eq!(listed[0]["message_id"], asked.request(), "{flag}");
    }
    scene.run(&format!("ack --agent {OTTER} --message {}", asked.request())).ok();
    assert_eq!(scene.finish(&again).code, 0);
}

#[test]
fn every_no_says_how_to_go_on() {
    for (words, code) in [("cancel", 2), ("rejected", 6), ("needs clarification", 7)] {
        let scene = Scene::new();
        let asked = scene.ask_with(OTTER, "--on-timeout abort");
        scene.answer(&asked, OTTER, words);
        let run = scene.run(&format!("wait-ack --resume {}", asked.operation));
        assert_eq!(run.code, code, "{run}");
        let line = format!("  next: bb wait-ack {} --on-timeout abort\n", asked.request());
        assert!(run.stdout.contains(&line), "{run}");
    }
}

/// Whoever agreed was told that it is off, and is asked anew.
#[test]
fn after_a_no_among_several_everyone_is_asked_anew() {
    let scene = Scene::with(&[OTTER, "zinc-yak"]);
    let asked = scene.ask_with("amber-otter,zinc-yak", "");
    scene.answer(&asked, OTTER, "ok");
    scene.answer(&asked, "zinc-yak", "rejected");
    let data = scene.finish(&asked).data();
    let line = "bb wait-ack --from lead-one --to amber-otter,zinc-yak --operation skill-install";
    assert_eq!(data["agents"][1]["next"], line);
}

#[test]
fn flags_of_the_schedule_change_nothing_in_an_open_handshake() {
    let scene = Scene::new();
    let asked = scene.ask();
    let line = format!("wait-ack --resume {} --timeout 5s --no-wait --json", asked.operation);
    let run = scene.run(&line);
    assert_eq!(run.data()["agents"][0]["deadline"], "2026-03-04T00:13:22.000Z");
    let notice = format!("{} was opened before; its own schedule holds\n", asked.operation);
    assert!(run.stderr.starts_with(&notice), "{run}");
}

#[test]
fn an_end_is_the_same_however_late_one_looks() {
    let scene = Scene::new();
    let asked = scene.ask();
    scene.world.pass(10);
    scene.answer(&asked, OTTER, "ok");
    scene.world.pass(100_000);
    let data = scene.finish(&asked).ok().data();
    assert_eq!(data["outcome"], "acknowledged", "an ack in time wins however late the waiter looks");
    assert_eq!(data["elapsed_seconds"], 10);
}

#[test]
fn the_same_key_again_is_the_same_request() {
    let scene = Scene::with(&[OTTER, "zinc-yak"]);
    let line =
        "wait-ack --from lead-one --to amber-otter,zinc-yak --operation restart --key r1 --no-wait --json";
    let first = scene.run(line);
    let again = scene.run(line);
    assert_eq!((first.code, again.code), (75, 75), "{again}");
    let operation = first.data()["operation_id"].clone();
    assert_eq!(again.data()["operation_id"], operation);
    assert!(again.stderr.starts_with("asked before with this key: op_"), "{again}");
    for agent in [OTTER, "zinc-yak"] {
        assert_eq!(scene.kinds(agent), ["pre-operation"]);
    }
    let mail = "send --from lead-one --to amber-otter --bead b --category INFO -s x -m y --key mail";
    scene.run(mail).ok();
    scene.run(&line.replace("r1", "mail")).fails("INVALID_ARGS", 64);
}

/// A yes to one question never runs the command of another.
#[test]
fn a_key_that_asked_something_else_is_refused() {
    let scene = Scene::with(&[OTTER, "zinc-yak"]);
    let asked = scene.open("--from lead-one --to amber-otter --operation restart --key r1");
    scene.answer(&asked, OTTER, "ok");
    for words in [
        "--to zinc-yak --operation restart",
        "--to amber-otter,zinc-yak --operation restart",
        "--to amber-otter --operation dropdb",
        "--to amber-otter --operation restart --describe other",
    ] {
        let line = format!("wait-ack --from lead-one {words} --key r1 -- touch ran");
        let run = scene.run(&line).fails("INVALID_ARGS", 64);
        assert!(run.stderr.contains("the key `r1` asked amber-otter about restart"), "{run}");
        assert!(run.stderr.contains("hint: choose a new --key"), "{run}");
    }
    assert!(!scene.world.work().join("ran").exists());
    assert_eq!(scene.kinds("zinc-yak").len(), 0);
    scene.run("wait-ack --from lead-one --to role:backend --operation restart --key r1 -- true").ok();
}

#[test]
fn a_key_of_mail_that_was_waited_for_is_not_that_of_a_request() {
    let scene = Scene::new();
    let mail = "send --from lead-one --to amber-otter --bead b --category BLOCKED -s x -m y --key mail";
    let sent = scene.data(mail)["message_id"].as_str().unwrap().to_owned();
    scene.open(&sent);
    let line =
        "wait-ack --from lead-one --to amber-otter --operation blocked --describe x --key mail --no-wait";
    let run = scene.run(line).fails("INVALID_ARGS", 64);
    assert!(run.stderr.contains("which asks about no operation"), "{run}");
}

/// An agent that agreed and was told that it is off has gone back to its work.
#[test]
fn an_ack_does_not_outlive_what_was_called_off() {
    let scene = Scene::with(&[OTTER, "zinc-yak"]);
    let asked = scene.ask_with("amber-otter,zinc-yak", "--on-timeout abort");
    scene.answer(&asked, OTTER, "ok");
    assert_eq!(scene.finish(&asked).code, 4);
    scene.world.pass(200);
    let ack = |agent: &str| {
        drop(scene.run(&format!("ack --agent {agent} --message {}", asked.request_to(agent))).ok())
    };
    ack("zinc-yak");
    let requests = format!("{} {}", asked.request_to(OTTER), asked.request_to("zinc-yak"));
    let again = scene.open(&format!("{requests} --on-timeout abort"));
    let waiting = scene.data("waits")[0]["agents"].clone();
    assert_eq!((&waiting[0]["status"], &waiting[1]["status"]), (&"waiting".into(), &"ready".into()));
    ack(OTTER);
    assert_eq!(scene.finish(&again).code, 0);
}
