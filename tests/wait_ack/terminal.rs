//! The countdown on a terminal.

use std::path::PathBuf;
use std::process::{Command, Output};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::not_run;
use crate::wait_ack_scene::{Asked, OTTER, Scene};

/// A terminal that nobody sees.
struct Terminal {
    socket: PathBuf,
}

impl Terminal {
    fn tmux(&self, arguments: &[&str]) -> Output {
        Command::new("tmux").arg("-f/dev/null").arg("-S").arg(&self.socket).args(arguments).output().unwrap()
    }

    /// Opens a terminal in which a shell script of the scene runs.
    fn running(scene: &Scene, script: &str) -> Self {
        let terminal = Self { socket: scene.world.path("tmux") };
        let environment = scene.command("");
        let mut words =
            vec!["new-session".to_owned(), "-d".into(), "-x".into(), "110".into(), "-y".into(), "30".into()];
        for (name, value) in environment.get_envs() {
            words.push("-e".into());
            words.push(format!("{}={}", name.display(), value.unwrap().display()));
        }
        words.push("-c".into());
        words.push(scene.world.work().display().to_string());
        words.push(format!("{script}; echo \"exit $?\"; cat"));
        let words: Vec<_> = words.iter().map(String::as_str).collect();
        let opened = terminal.tmux(&words);
        assert!(opened.status.success(), "{}", String::from_utf8_lossy(&opened.stderr));
        terminal
    }

    /// What the terminal shows once it shows what is awaited.
    fn shows(&self, awaited: &[&str]) -> String {
        let began = Instant::now();
        loop {
            let shown = String::from_utf8(self.tmux(&["capture-pane", "-p"]).stdout).unwrap();
            if awaited.iter().all(|text| shown.contains(text)) {
                return shown.trim_end().to_owned();
            }
            assert!(began.elapsed() < Duration::from_secs(60), "no {awaited:?} in:\n{shown}");
            sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}

fn has_tmux() -> bool {
    let found = Command::new("tmux").arg("-V").output().is_ok_and(|output| output.status.success());
    if !found {
        not_run("tmux is missing");
    }
    found
}

fn resume(asked: &Asked) -> String {
    format!("{} wait-ack --resume {}", env!("CARGO_BIN_EXE_bb"), asked.operation)
}

#[test]
fn one_live_line_for_each_agent_and_nothing_of_it_at_the_end() {
    if !has_tmux() {
        return;
    }
    let scene = Scene::in_real_time(&[OTTER, "zinc-yak"]);
    let asked = scene.ask_with("amber-otter,zinc-yak", "--timeout 300s --remind-at 1s");
    let terminal = Terminal::running(&scene, &resume(&asked));
    let shown = terminal.shows(&["amber-otter  [", "zinc-yak     ["]);
    for agent in [OTTER, "zinc-yak"] {
        let lines: Vec<_> = shown.lines().filter(|line| line.starts_with(agent)).collect();
        assert_eq!(lines.len(), 1, "{shown}");
        assert!(lines[0].contains("waiting, "), "{shown}");
    }
    let shown = terminal.shows(&["Reminder 1 of 1 sent to zinc-yak", " s left, 1 reminder sent"]);
    let dated = |line: &&str| line.starts_with('[');
    assert_eq!(shown.lines().filter(dated).count(), 4, "lines above the countdown are lost:\n{shown}");
    assert_eq!(shown.lines().filter(|line| line.contains(" s left, ")).count(), 2, "{shown}");
    scene.answer(&asked, OTTER, "ok");
    let shown = terminal.shows(&["Acknowledgment received from amber-otter", "]  ready"]);
    assert_eq!(shown.lines().filter(|line| line.contains(" s left, ")).count(), 1, "{shown}");
    scene.answer(&asked, "zinc-yak", "ok");
    let shown = terminal.shows(&["exit 0"]);
    assert!(!shown.contains("s left") && !shown.contains("  ["), "the countdown is still there:\n{shown}");
    assert!(shown.contains("acknowledged: proceed with skill-install after"), "{shown}");
}

#[test]
fn the_countdown_moves() {
    if !has_tmux() {
        return;
    }
    let scene = Scene::in_real_time(&[OTTER]);
    let asked = scene.ask_with(OTTER, "--timeout 300s");
    let terminal = Terminal::running(&scene, &resume(&asked));
    let left = |shown: &str| -> u64 {
        let (before, _) = shown.split_once(" s left").unwrap();
        before.rsplit(' ').next().unwrap().parse().unwrap()
    };
    let first = left(&terminal.shows(&[" s left"]));
    terminal.shows(&[&format!("{} s left", first - 2)]);
}

#[test]
fn an_interrupted_countdown_leaves_the_line_that_goes_on() {
    if !has_tmux() {
        return;
    }
    let scene = Scene::in_real_time(&[OTTER]);
    let asked = scene.ask_with(OTTER, "--timeout 300s");
    let terminal = Terminal::running(&scene, &resume(&asked));
    terminal.shows(&[" s left"]);
    terminal.tmux(&["send-keys", "C-c"]);
    let shown = terminal.shows(&["go on with: bb agent wait-ack --resume"]);
    assert!(!shown.contains("s left"), "{shown}");
    scene.answer(&asked, OTTER, "ok");
    scene.finish(&asked).ok();
}

/// Only what is typed reaches everything in the foreground by itself.
#[test]
fn a_signal_sent_in_the_foreground_is_passed_on_to_the_command() {
    if !has_tmux() {
        return;
    }
    let scene = Scene::in_real_time(&[OTTER]);
    let asked = scene.ask_with(OTTER, "--timeout 60s");
    scene.answer(&asked, OTTER, "ok");
    let script = "trap \"echo tidied; exit 3\" TERM; echo running; kill -TERM $PPID; \
                  for i in $(seq 200); do sleep 0.05; done";
    let terminal = Terminal::running(&scene, &format!("{} -- sh -c '{script}'", resume(&asked)));
    let shown = terminal.shows(&["running", "exit "]);
    assert!(shown.contains("tidied") && shown.contains("exit 3"), "{shown}");
}

#[test]
fn the_countdown_is_gone_when_the_command_begins() {
    if !has_tmux() {
        return;
    }
    let scene = Scene::in_real_time(&[OTTER]);
    let asked = scene.ask_with(OTTER, "--timeout 60s");
    let command = "-- sh -c 'printf hello; sleep 1; echo; exit 0'";
    let terminal = Terminal::running(&scene, &format!("{} {command}", resume(&asked)));
    terminal.shows(&["amber-otter  ["]);
    scene.answer(&asked, OTTER, "ok");
    let shown = terminal.shows(&["exit 0"]);
    assert!(shown.lines().any(|line| line == "hello"), "{shown}");
    assert!(!shown.contains("  ["), "{shown}");
}
