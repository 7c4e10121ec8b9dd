//! The scripts at work, each in its own shell.

use std::fs;
use std::process::Command;

use super::in_world;
use crate::common::{Pane, Run, World, letter, not_run};
use crate::docs::{lines_behind, paste};

/// A world with mail, and with names that a shell could act on.
fn scene() -> (World, String) {
    let world = World::with_two_agents();
    let id = world.send("amber-otter", "lead-one", "HANDOFF", "take it");
    let hostile = "$(touch pwned)";
    world.bb(["register", "--name", "zinc-yak", "--role", hostile, "--display", hostile]).ok();
    world.bb(letter(&[("--to", "amber-otter"), ("--from", "zinc-yak"), ("--thread", hostile)])).ok();
    (world, id)
}

/// As much of an id as tells it from others.
fn begun(id: &str) -> &str {
    &id[..id.len() - 8]
}

fn is_here(shell: &str) -> bool {
    let here = Command::new(shell).arg("--version").output().is_ok();
    if !here {
        not_run(&format!("{shell} is not installed"));
    }
    here
}

fn nothing_was_executed(world: &World) {
    for folder in [world.work(), world.path("home")] {
        assert!(!folder.join("pwned").exists());
    }
}

#[test]
fn fish_offers_verbs_agents_and_messages() {
    if !is_here("fish") {
        return;
    }
    let (world, id) = scene();
    fs::create_dir_all(world.path("home/.config/fish/completions")).unwrap();
    let script = world.bb(["completions", "fish"]).ok().stdout;
    fs::write(world.path("home/.config/fish/completions/bb.fish"), script).unwrap();
    let offered = |line: &str| {
        let output = in_world(&world, "fish").args(["-c", "complete -C $argv[1]", line]).output().unwrap();
        let words = Run::of(output).ok().stdout;
        words.lines().map(|line| line.split('\t').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(offered("bb age"), ["agent"]);
    for door in ["bb", "bb agent", "bb mail"] {
        assert_eq!(offered(&format!("{door} thr")), ["thread"]);
        assert_eq!(offered(&format!("{door} inbox --agent am")), ["amber-otter"]);
        assert_eq!(offered(&format!("{door} read {}", begun(&id))), [id.as_str()]);
        assert_eq!(offered(&format!("{door} thread bead:")), ["bead:bb-1"]);
    }
    assert_eq!(
        offered("bb state "),
        ["amber-otter", "lead-one", "zinc-yak"],
        "flags come when they are begun"
    );
    assert_eq!(offered("bb doctor --fi"), ["--fix", "--fields"]);
    nothing_was_executed(&world);
}

/// Types lines up to where TAB is pressed, and waits for what each becomes.
fn typed(world: &World, shell: &str, start: &str, setup: &str, lines: &[(&str, &str)]) {
    if !is_here(shell) {
        return;
    }
    let folder = std::path::Path::new(env!("CARGO_BIN_EXE_bb")).parent().unwrap();
    let home = world.path("home").display().to_string();
    let Some(pane) = Pane::open(world, 120, 24, &[("HOME", &home)]) else { return };
    pane.line(&format!("PATH={}:$PATH {start}", folder.display()));
    pane.line(setup);
    // The shell has read its setup once it answers.
    pane.line("echo are you'' there");
    pane.wait_until("answer", |screen| screen.lines().any(|line| line.trim() == "are you there"));
    for (line, becomes) in lines {
        pane.keys(&["-l", line]);
        pane.wait_for(line);
        pane.keys(&["Tab"]);
        pane.wait_for(becomes);
        pane.keys(&["C-u"]);
        pane.wait_until("empty line", |screen| !screen.contains(becomes));
    }
}

#[test]
fn zsh_offers_verbs_agents_and_messages() {
    let (world, id) = scene();
    let setup = "autoload -U compinit && compinit -u -D && source <(bb completions zsh)";
    let lines = [
        ("bb age", "bb agent"),
        ("bb mail thr", "bb mail thread"),
        ("bb inbox --agent am", "bb inbox --agent amber-otter"),
        (&format!("bb read {}", begun(&id)), &format!("bb read {id}")),
        ("bb thread be", "bb thread bead:bb-1"),
    ];
    typed(&world, "zsh", "PS1='zsh> ' zsh -f -i", setup, &lines);
    nothing_was_executed(&world);
}

/// The file itself, where zsh looks for such files.
#[test]
fn zsh_loads_the_script_from_its_folder_at_the_first_completion() {
    let (world, _) = scene();
    let folder = world.path("home/functions");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("_bb"), world.bb(["completions", "zsh"]).ok().stdout).unwrap();
    let setup = "fpath=(~/functions $fpath) && autoload -U compinit && compinit -u -D";
    typed(&world, "zsh", "PS1='zsh> ' zsh -f -i", setup, &[("bb show am", "bb show amber-otter")]);
}

#[test]
fn elvish_offers_verbs_agents_and_messages() {
    let (world, id) = scene();
    let lines = [
        ("bb age", "bb agent"),
        ("bb mail thr", "bb mail thread"),
        ("bb inbox --agent am", "bb inbox --agent amber-otter"),
        (&format!("bb read {}", begun(&id)), &format!("bb read {id}")),
    ];
    typed(&world, "elvish", "elvish -norc", "eval (bb completions elvish | slurp)", &lines);
    nothing_was_executed(&world);
}

/// Whoever has no bb on the PATH of these shells has pasted the first line of the README.
#[test]
fn the_lines_of_the_readme_teach_bash_zsh_and_fish() {
    let lines = lines_behind("## Install");
    for shell in ["bash", "zsh", "fish"] {
        let (world, _) = scene();
        let said = format!("bb completions {shell}");
        let line: Vec<_> = lines.iter().filter(|line| line.contains(&said)).copied().collect();
        assert_eq!(line.len(), 1, "{shell} is taught by one line");
        paste(&world, &line).ok();
        typed(&world, shell, shell, "true", &[("bb show amb", "bb show amber-otter")]);
    }
}

/// man looks beside the folders of the PATH.
#[test]
fn the_line_of_the_readme_installs_the_manual() {
    let lines = lines_behind("## Install");
    let line: Vec<_> = lines.iter().filter(|line| line.starts_with("bb man")).copied().collect();
    assert_eq!(line.len(), 1);
    let world = World::new();
    paste(&world, &line).ok();
    if is_here("man") {
        fs::create_dir_all(world.path("home/.cargo/bin")).unwrap();
        let look = "PATH=$HOME/.cargo/bin:$PATH man -P cat bb-wait-ack";
        let run = paste(&world, &[look]).ok();
        assert!(run.stdout.contains("--block-for"), "{run}");
    }
}

#[test]
fn powershell_offers_verbs_agents_and_messages() {
    if !is_here("pwsh") {
        return;
    }
    let (world, id) = scene();
    let script = "bb completions powershell | Out-String | Invoke-Expression; \
                  (TabExpansion2 $args[0] $args[0].Length).CompletionMatches.CompletionText";
    let offered = |line: &str| {
        let command = ["-NoProfile", "-Command", &format!("& {{ {script} }} '{line}'")].map(str::to_owned);
        let run = Run::of(in_world(&world, "pwsh").args(command).output().unwrap()).ok();
        run.stdout.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(offered("bb age"), ["agent"]);
    assert_eq!(offered("bb inbox --agent am"), ["amber-otter"]);
    assert_eq!(offered(&format!("bb read {}", begun(&id))), [id.as_str()]);
    nothing_was_executed(&world);
}
