//! `inbox --wait` and `inbox --follow`: another process's mail arrives without asking for it.

use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::common::{Run, World, letter};

fn world() -> World {
    let world = World::in_real_time();
    world.register("amber-otter", "backend");
    world.register("lead-one", "lead");
    world
}

/// Starts a command whose standard output can be read while it runs.
fn start(command: &mut Command) -> (Child, BufReader<ChildStdout>) {
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let stdout = BufReader::new(child.stdout.take().unwrap());
    (child, stdout)
}

/// Waits until a process waits for mail: its bell hangs beside the store. Where the path is too long for
/// bells there are none to be seen, and the process looks often instead.
fn until_it_listens(world: &World) {
    let bells = world.path("store/bb.db-bells");
    let started = Instant::now();
    while !std::fs::read_dir(&bells).is_ok_and(|mut folders| folders.next().is_some()) {
        if started.elapsed() > Duration::from_secs(5) {
            return;
        }
        std::thread::yield_now();
    }
}

/// Sends a signal to a process that is ready for it.
fn signal(child: &Child, name: &str, number: u32) {
    let catches = || {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:\t")).unwrap_or("0");
        u64::from_str_radix(caught, 16).unwrap() >> (number - 1) & 1 == 1
    };
    let started = Instant::now();
    while !catches() && started.elapsed() < Duration::from_secs(5) {
        std::thread::yield_now();
    }
    let sent = Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

fn line(stdout: &mut BufReader<ChildStdout>) -> String {
    let mut line = String::new();
    stdout.read_line(&mut line).unwrap();
    line
}

#[test]
fn waiting_wakes_when_another_process_sends() {
    let world = world();
    let mut waiting = world.command(["inbox", "--agent", "lead-one", "--wait", "1h", "--json"]);
    let (child, mut stdout) = start(&mut waiting);
    until_it_listens(&world);
    let sent = world.send("amber-otter", "lead-one", "BLOCKED", "wake up");
    let document: Value = serde_json::from_str(&line(&mut stdout)).unwrap();
    assert_eq!(document["data"][0]["message_id"], sent.as_str());
    assert_eq!(Run::of(child.wait_with_output().unwrap()).ok().stderr, "");
    let bells = std::fs::read_dir(world.path("store/bb.db-bells")).unwrap().count();
    assert_eq!(bells, 0, "it took its bell down");
}

#[test]
fn waiting_sleeps_on_when_the_mail_is_for_somebody_else_or_does_not_pass_the_filter() {
    let world = world();
    let mut waiting =
        world.command(["inbox", "--agent", "lead-one", "--wait", "1h", "--category", "BLOCKED", "--json"]);
    let (child, mut stdout) = start(&mut waiting);
    until_it_listens(&world);
    world.send("lead-one", "amber-otter", "BLOCKED", "for somebody else");
    world.send("amber-otter", "lead-one", "INFO", "of another category");
    let sent = world.send("amber-otter", "lead-one", "BLOCKED", "the one");
    let document: Value = serde_json::from_str(&line(&mut stdout)).unwrap();
    assert_eq!(document["data"].as_array().unwrap().len(), 1);
    assert_eq!(document["data"][0]["message_id"], sent.as_str());
    Run::of(child.wait_with_output().unwrap()).ok();
}

#[test]
fn a_signal_ends_a_wait_and_the_loop_around_it() {
    for (name, number) in [("-INT", 2), ("-TERM", 15), ("-HUP", 1)] {
        let world = world();
        let mut waiting = world.command(["inbox", "--agent", "lead-one", "--wait", "1h", "--json"]);
        let (mut child, mut stdout) = start(&mut waiting);
        until_it_listens(&world);
        let sent = Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        // A shell asks whether the signal ended it: whoever catches it and goes on keeps the loop alive.
        assert_eq!(child.wait().unwrap().signal(), Some(number), "{name}");
        assert_eq!(line(&mut stdout), "", "{name}");
    }
}

#[test]
fn following_prints_one_json_line_for_each_new_message_until_it_is_ended() {
    let world = world();
    world.send("amber-otter", "lead-one", "INFO", "old");
    let mut following = world.command(["inbox", "--agent", "lead-one", "--follow", "--json"]);
    let (child, mut stdout) = start(&mut following);
    until_it_listens(&world);
    for subject in ["first", "second", "third"] {
        let sent = world.send("amber-otter", "lead-one", "INFO", subject);
        let message: Value = serde_json::from_str(&line(&mut stdout)).unwrap();
        assert_eq!(
            (message["message_id"].as_str(), message["subject"].as_str()),
            (Some(sent.as_str()), Some(subject))
        );
        assert_eq!(message["state"], "unread");
    }
    signal(&child, "-TERM", 15);
    Run::of(child.wait_with_output().unwrap()).ok();
    assert_eq!(line(&mut stdout), "", "nothing is said at the end");
    let unread = world.json(["inbox", "--agent", "lead-one", "--state", "unread"]);
    assert_eq!(unread.as_array().unwrap().len(), 4, "following marks nothing read");
}

#[test]
fn following_from_a_cursor_begins_with_what_came_before() {
    let world = world();
    world.send("amber-otter", "lead-one", "INFO", "old");
    let mut following = world.command(["inbox", "--agent", "lead-one", "--follow", "--after", "0"]);
    let (child, mut stdout) = start(&mut following);
    let old = line(&mut stdout);
    assert!(old.ends_with("  amber-otter  INFO  old\n"), "{old}");
    until_it_listens(&world);
    world.send("amber-otter", "lead-one", "INFO", "new");
    assert!(line(&mut stdout).ends_with("  new\n"));
    signal(&child, "-INT", 2);
    Run::of(child.wait_with_output().unwrap()).ok();
}

#[test]
fn following_ends_quietly_when_nobody_listens_any_more() {
    let world = world();
    let mut following = world.command(["inbox", "--agent", "lead-one", "--follow"]);
    let (child, stdout) = start(&mut following);
    until_it_listens(&world);
    drop(stdout);
    world.bb(letter(&[])).ok();
    let run = Run::of(child.wait_with_output().unwrap()).ok();
    assert_eq!(run.stderr, "");
}

#[test]
fn following_for_a_time_ends_by_itself() {
    let world = World::with_two_agents();
    world.send("amber-otter", "lead-one", "INFO", "old");
    let run = world.bb(["inbox", "--agent", "lead-one", "--follow", "--after", "0", "--wait", "60"]).ok();
    assert_eq!(run.stdout.lines().count(), 1, "{run}");
}
