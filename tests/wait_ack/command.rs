//! The command after `--`: exactly once, or not at all.

use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::common::Run;
use crate::wait_ack_scene::{Asked, LEAD, OTTER, Scene};

/// Waits until the end and runs a shell script then.
fn finish_with(scene: &Scene, asked: &Asked, flags: &[&str], script: &str) -> Run {
    let mut line = vec!["wait-ack", "--resume", &asked.operation];
    line.extend(flags.iter().chain(&["--", "sh", "-c", script]));
    scene.world.bb(line)
}

fn runs(scene: &Scene) -> usize {
    std::fs::read_to_string(scene.world.work().join("runs")).map_or(0, |text| text.lines().count())
}

const COUNT: &str = "echo run >> runs";

#[test]
fn its_exit_status_is_the_exit_code() {
    for status in [0, 1, 3, 42, 255] {
        let scene = Scene::new();
        let asked = scene.ask();
        scene.answer(&asked, OTTER, "ok");
        let run = finish_with(&scene, &asked, &["--json"], &format!("{COUNT}; exit {status}"));
        assert_eq!(run.code, status, "{run}");
        assert_eq!((&run.data()["command_exit"], runs(&scene)), (&json!(status), 1));
    }
}

#[test]
fn it_runs_after_a_timeout_that_lets_it_proceed() {
    let scene = Scene::new();
    let asked = scene.ask();
    let run = finish_with(&scene, &asked, &[], COUNT);
    assert_eq!((run.code, runs(&scene)), (0, 1), "{run}");
}

#[test]
fn it_runs_when_a_quorum_is_met() {
    let scene = Scene::with(&[OTTER, "zinc-yak"]);
    let asked = scene.ask_with("amber-otter,zinc-yak", "--quorum 1");
    scene.answer(&asked, OTTER, "ok");
    let run = finish_with(&scene, &asked, &["--json"], COUNT).ok();
    assert_eq!((&run.data()["outcome"], runs(&scene)), (&json!("quorum"), 1));
}

#[test]
fn it_does_not_run_unless_the_verdict_is_to_proceed() {
    for (words, code) in [("cancel", 2), ("rejected", 6), ("needs clarification", 7)] {
        let scene = Scene::new();
        let asked = scene.ask();
        scene.answer(&asked, OTTER, words);
        let run = finish_with(&scene, &asked, &[], COUNT);
        assert_eq!((run.code, runs(&scene)), (code, 0), "{run}");
    }
    let scene = Scene::new();
    let asked = scene.ask_with(OTTER, "--on-timeout abort");
    assert_eq!((finish_with(&scene, &asked, &[], COUNT).code, runs(&scene)), (4, 0));
    let asked = scene.ask();
    scene.run("state amber-otter dead").ok();
    assert_eq!((finish_with(&scene, &asked, &[], COUNT).code, runs(&scene)), (5, 0));
    assert_eq!(scene.received(OTTER, "post-operation").len(), 0);
}

#[test]
fn it_does_not_run_while_the_answer_is_out_and_the_resume_line_brings_it_along() {
    let scene = Scene::new();
    let asked = scene.ask();
    let script = "echo \"it's done\" >> runs";
    let run = finish_with(&scene, &asked, &["--block-for", "20s", "--json"], script);
    assert_eq!((run.code, runs(&scene)), (75, 0), "{run}");
    let data = run.data();
    let line = data["resume"].as_str().unwrap();
    let rest = r#"--block-for 20s -- sh -c 'echo "it'\''s done" >> runs'"#;
    assert_eq!(line, format!("bb agent wait-ack --resume {} {rest}", asked.operation));
    scene.answer(&asked, OTTER, "ok");
    let resumed = shell(&scene, &line.replacen("bb", env!("CARGO_BIN_EXE_bb"), 1));
    assert!(resumed.success());
    assert_eq!(std::fs::read_to_string(scene.world.work().join("runs")).unwrap(), "it's done\n");
}

/// Runs a line in a shell, with the environment of the scene.
fn shell(scene: &Scene, line: &str) -> ExitStatus {
    let model = scene.command("");
    let environment = model.get_envs().filter_map(|(name, value)| Some((name, value?)));
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(line).env_clear().envs(environment).current_dir(scene.world.work());
    shell.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap()
}

#[test]
fn resuming_after_it_ran_gives_its_exit_code_again() {
    let scene = Scene::new();
    let asked = scene.ask();
    scene.answer(&asked, OTTER, "ok");
    let first = finish_with(&scene, &asked, &[], &format!("{COUNT}; exit 9"));
    assert_eq!(first.code, 9);
    assert!(first.stdout.ends_with("\nthe command exited with 9\n"), "{first}");
    let again = finish_with(&scene, &asked, &["--json"], COUNT);
    assert_eq!((again.code, &again.data()["command_exit"], runs(&scene)), (9, &json!(9), 1), "{again}");
    assert!(again.stderr.contains("it ran before: exited with"), "{again}");
}

/// A waiter in real time that runs a shell script.
fn waiter(scene: &Scene, asked: &Asked, script: &str) -> Child {
    let mut command =
        scene.world.command(["wait-ack", "--resume", &asked.operation, "--", "sh", "-c", script]);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits until the command has written this many lines.
fn until_runs(scene: &Scene, lines: usize) {
    let end = Instant::now() + Duration::from_secs(20);
    while runs(scene) < lines {
        assert!(Instant::now() < end, "the command does not run");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn two_waiters_run_it_once_and_both_exit_with_its_status() {
    let scene = Scene::in_real_time(&[OTTER]);
    let asked = scene.ask_with(OTTER, "--timeout 60s");
    let waiters = [(); 2].map(|()| waiter(&scene, &asked, "echo run >> runs; sleep 0.3; exit 5"));
    scene.answer(&asked, OTTER, "ok");
    let codes = waiters.map(|waiter| waiter.wait_with_output().unwrap().status.code().unwrap());
    assert_eq!((codes, runs(&scene)), ([5, 5], 1));
    assert_eq!(scene.received(OTTER, "post-operation").len(), 1);
}

#[test]
fn a_waiter_without_patience_leaves_while_the_command_of_another_runs() {
    let scene = Scene::in_real_time(&[OTTER]);
    let asked = scene.ask_with(OTTER, "--timeout 60s");
    scene.answer(&asked, OTTER, "ok");
    let fifo = Command::new("mkfifo").arg(scene.world.work().join("go")).status().unwrap();
    assert!(fifo.success());
    let first = waiter(&scene, &asked, "echo run >> runs; read line < go; exit 4");
    until_runs(&scene, 1);
    let run = finish_with(&scene, &asked, &["--block-for", "50ms", "--json"], COUNT);
    let data = run.data();
    assert_eq!((run.code, &data["command_pending"], &data["proceed"]), (75, &json!(true), &json!(true)));
    assert!(data["resume"].as_str().unwrap().contains("--block-for 50ms -- sh -c"), "{run}");
    std::fs::write(scene.world.work().join("go"), "\n").unwrap();
    assert_eq!(first.wait_with_output().unwrap().status.code(), Some(4));
    assert_eq!((finish_with(&scene, &asked, &[], COUNT).code, runs(&scene)), (4, 1));
}

#[test]
fn a_command_whose_waiter_was_killed_is_not_run_again_and_not_taken_for_done() {
    let scene = Scene::in_real_time(&[OTTER]);
    let asked = scene.ask_with(OTTER, "--timeout 60s");
    scene.answer(&asked, OTTER, "ok");
    let mut first = waiter(&scene, &asked, "echo run >> runs; exec sleep 1");
    until_runs(&scene, 1);
    first.kill().unwrap();
    first.wait().unwrap();
    let again = finish_with(&scene, &asked, &["--json"], COUNT).fails("COMMAND_INTERRUPTED", 70);
    assert!(again.stdout.contains(&format!("see `bb explain {}`", asked.operation)), "{again}");
    assert_eq!(runs(&scene), 1);
    assert_eq!(scene.received(OTTER, "post-operation").len(), 0);
    let story = scene.run(&format!("explain {}", asked.operation)).ok().stdout;
    assert!(story.contains("and no end of it is known: look at what it did"), "{story}");
    let next =
        format!("next, for {LEAD}: bb wait-ack --from {LEAD} --to {OTTER} --operation skill-install\n");
    assert!(story.ends_with(&next), "{story}");
}

#[test]
fn a_signal_is_passed_on_to_the_command_and_its_end_awaited() {
    let scene = Scene::in_real_time(&[OTTER]);
    let asked = scene.ask_with(OTTER, "--timeout 60s");
    scene.answer(&asked, OTTER, "ok");
    let script = "trap 'echo tidied >> runs; exit 3' TERM; echo run >> runs; while :; do sleep 0.05; done";
    let first = waiter(&scene, &asked, script);
    until_runs(&scene, 1);
    let sent = Command::new("kill").args(["-TERM", &first.id().to_string()]).status().unwrap();
    assert!(sent.success());
    assert_eq!((first.wait_with_output().unwrap().status.code(), runs(&scene)), (Some(3), 2));
    assert_eq!(scene.received(OTTER, "post-operation")[0]["content"]["exit_status"], 3);
}

#[test]
fn it_runs_with_the_callers_umask() {
    let scene = Scene::new();
    let asked = scene.ask();
    scene.answer(&asked, OTTER, "ok");
    let program = env!("CARGO_BIN_EXE_bb");
    let line =
        format!("umask 027; exec {program} wait-ack --resume {} -- sh -c 'umask > mask'", asked.operation);
    assert!(shell(&scene, &line).success());
    assert_eq!(std::fs::read_to_string(scene.world.work().join("mask")).unwrap().trim(), "0027");
}

#[test]
fn everyone_is_told_how_it_went() {
    let scene = Scene::with(&[OTTER, "zinc-yak"]);
    let asked = scene.ask_with("amber-otter,zinc-yak", "");
    scene.answer(&asked, OTTER, "ok");
    finish_with(&scene, &asked, &[], "exit 0");
    let report = scene.received(OTTER, "post-operation").remove(0);
    assert_eq!(report["subject"], "Skill Installation Complete");
    assert_eq!((&report["priority"], &report["category"]), (&json!("normal"), &json!("INFO")));
    let content = &report["content"];
    assert_eq!(content["message"], "The skill installation is complete.");
    assert_eq!(
        (&content["acknowledgment_received"], &content["timeout_occurred"]),
        (&json!(true), &json!(false))
    );
    let content = scene.received("zinc-yak", "post-operation").remove(0)["content"].clone();
    assert_eq!(
        (&content["acknowledgment_received"], &content["timeout_occurred"]),
        (&json!(false), &json!(true))
    );
    assert_eq!(scene.events(&asked, "operation.finished")[0]["data"]["exit_status"], 0);
}

#[test]
fn a_failure_is_told_as_a_failure() {
    for (script, code, message) in [
        ("exit 7", 7, "The skill installation failed with exit status 7."),
        ("kill -9 $$", 137, "The skill installation was ended by a signal."),
    ] {
        let scene = Scene::new();
        let asked = scene.ask();
        scene.answer(&asked, OTTER, "ok");
        let run = finish_with(&scene, &asked, &["--json"], script);
        assert_eq!((run.code, &run.data()["command_exit"]), (code, &json!(code)), "{run}");
        let report = scene.received(OTTER, "post-operation").remove(0);
        assert_eq!(report["subject"], "Skill Installation Failed");
        assert_eq!((&report["priority"], &report["content"]["success"]), (&json!("high"), &json!(false)));
        assert_eq!(report["content"]["message"], message);
    }
}

#[test]
fn a_command_that_cannot_be_started_is_127() {
    let scene = Scene::new();
    let asked = scene.ask();
    scene.answer(&asked, OTTER, "ok");
    let run = scene.run(&format!("wait-ack --resume {} -- ./nothing-here", asked.operation));
    assert_eq!(run.code, 127, "{run}");
    assert!(run.stderr.contains("cannot run `./nothing-here`"), "{run}");
    assert_eq!(scene.received(OTTER, "post-operation")[0]["content"]["exit_status"], 127);
}

#[test]
fn with_json_stdout_holds_only_the_document() {
    let scene = Scene::new();
    let asked = scene.ask();
    scene.answer(&asked, OTTER, "ok");
    let run = finish_with(&scene, &asked, &["--json"], "echo out; echo err >&2");
    assert_eq!(run.document()["ok"], true);
    assert!(run.stderr.contains("out\n") && run.stderr.contains("err\n"), "{run}");

    let asked = scene.ask();
    scene.answer(&asked, OTTER, "ok");
    let run = finish_with(&scene, &asked, &[], "echo out");
    assert!(run.stdout.starts_with("out\n"), "{run}");
}

#[test]
fn a_request_and_its_command_stand_on_one_line() {
    let scene = Scene::new();
    let line =
        format!("wait-ack --from {LEAD} --to {OTTER} --operation restart --timeout 5s -- touch done-it");
    scene.run(&line).ok();
    assert!(scene.world.work().join("done-it").exists());
    assert_eq!(scene.kinds(OTTER), ["pre-operation", "timeout-notice", "post-operation"]);
}
