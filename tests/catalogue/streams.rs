//! Closed and full streams: a quiet end, and what was committed stays.

use std::fs::OpenOptions;
use std::process::{Command, Stdio};

use super::{one_line_of_every_verb, world_with_mail};
use crate::common::{Run, World, letter};

/// A standard output that nobody reads.
fn nobody() -> Stdio {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    Stdio::from(writer)
}

/// A standard output on a disk that is full.
fn full() -> Stdio {
    Stdio::from(OpenOptions::new().write(true).open("/dev/full").unwrap())
}

fn run(world: &World, line: &[&str], json: bool, stdout: Stdio) -> Run {
    let mut command = world.command(line);
    if json {
        command.arg("--json");
    }
    let child = command.stdin(Stdio::null()).stdout(stdout).stderr(Stdio::piped()).spawn().unwrap();
    Run::of(child.wait_with_output().unwrap())
}

#[test]
fn a_closed_pipe_is_a_quiet_end_of_every_verb() {
    for json in [false, true] {
        let (world, id) = world_with_mail();
        for line in one_line_of_every_verb(&id) {
            let run = run(&world, &line, json, nobody()).ok();
            assert_eq!(run.stderr, "", "{line:?}");
        }
        assert_eq!(world.json(["show", &id])["state"], "acked", "what was committed stays");
        assert_eq!(world.json(["show", "zinc-yak"])["role"], "backend");
    }
}

#[test]
fn a_long_inbox_may_be_cut_short_by_its_reader() {
    let world = World::with_two_agents();
    let body = "x".repeat(50_000);
    for _ in 0..5 {
        world.bb(letter(&[("--body", &body)])).ok();
    }
    let script = "\"$@\" 2>stderr | head -c 10; echo; cat stderr";
    let bb = world.command(["inbox", "--agent", "lead-one", "--json"]);
    let mut shell = Command::new("sh");
    shell.args(["-c", script, "sh"]).arg(bb.get_program()).args(bb.get_args()).current_dir(world.work());
    shell.env_clear().envs(bb.get_envs().filter_map(|(name, value)| Some((name, value?))));
    assert_eq!(Run::of(shell.output().unwrap()).ok().stdout, "{\"ok\":true\n");
}

#[test]
fn whoever_is_cut_off_finds_the_message_unread_again() {
    for json in [false, true] {
        for stdout in [nobody, full] {
            let (world, id) = world_with_mail();
            run(&world, &["read", "--agent", "lead-one", &id], json, stdout());
            let shown = world.json(["show", &id]);
            assert_eq!((&shown["state"], &shown["read_at"]), (&"unread".into(), &serde_json::Value::Null));
        }
    }
}

#[test]
fn a_full_standard_output_is_named_and_what_was_committed_stays() {
    for json in [false, true] {
        let (world, id) = world_with_mail();
        for line in one_line_of_every_verb(&id) {
            let run = run(&world, &line, json, full()).fails("IO_WRITE_FAILED", 74);
            assert!(run.stderr.contains("standard output"), "{line:?}: {run}");
        }
        assert_eq!(world.json(["show", &id])["state"], "acked");
        assert_eq!(world.json(["inbox", "--agent", "lead-one"]).as_array().unwrap().len(), 2);
    }
}

#[test]
fn a_standard_output_that_is_not_open_is_no_error() {
    let (world, id) = world_with_mail();
    for line in one_line_of_every_verb(&id) {
        let bb = world.command(&line);
        let mut shell = Command::new("sh");
        shell.args(["-c", "exec \"$@\" >&-", "sh"]).arg(bb.get_program()).args(bb.get_args());
        shell.env_clear().envs(bb.get_envs().filter_map(|(name, value)| Some((name, value?))));
        let run = Run::of(shell.current_dir(world.work()).output().unwrap()).ok();
        assert_eq!(run.stderr, "", "{line:?}");
    }
}

#[test]
fn a_standard_error_that_takes_nothing_changes_no_exit_code() {
    let world = World::new();
    for stderr in [nobody, full] {
        for (line, code) in [(&["nonsense"][..], 64), (&["inbox"], 64), (&["show", "nobody-here"], 67)] {
            let mut command = world.command(line);
            let output =
                command.stderr(stderr()).stdout(Stdio::piped()).spawn().unwrap().wait_with_output().unwrap();
            assert_eq!(output.status.code(), Some(code), "{line:?}");
        }
    }
}

#[test]
fn help_and_version_take_a_closed_pipe_too() {
    let world = World::new();
    for line in [&["--help"][..], &["--version"], &["send", "--help"], &[]] {
        assert_eq!(run(&world, line, false, nobody()).ok().stderr, "", "{line:?}");
    }
}
