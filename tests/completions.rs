//! `completions`: shells learn what may be typed, and execute nothing they are offered.

mod shells;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use bb_agent::cli::completions::{Shell, script};

use crate::common::{Run, World};

/// What bash offers for a line, whose words are given as bash breaks them; the last one is being typed.
fn bash(world: &World, words: &[&str]) -> Vec<String> {
    let harness = r#"
        eval "$(bb completions bash)"
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=${#COMP_LINE}
        current=${COMP_WORDS[COMP_CWORD]}
        [[ $current == [:=]* ]] && current=
        _bb bb "$current" "${COMP_WORDS[COMP_CWORD-1]}"
        ((${#COMPREPLY[@]})) && printf '%s\n' "${COMPREPLY[@]}"
        true"#;
    let output = in_world(world, "bash").args(["-c", harness, "bash"]).args(words).output().unwrap();
    let run = Run::of(output).ok();
    assert_eq!(run.stderr, "", "{run}");
    run.stdout.lines().map(str::to_owned).collect()
}

/// A program that finds `bb` as a shell would.
fn in_world(world: &World, program: &str) -> Command {
    let bb = world.command([""; 0]);
    let folder = Path::new(env!("CARGO_BIN_EXE_bb")).parent().unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    let mut command = Command::new(program);
    command.env_clear().envs(bb.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.env("PATH", path).current_dir(world.work());
    command
}

/// What `bb` answers to a shell that asks it.
fn answer(world: &World, shell: &str, variables: &[(&str, &str)], words: &[&str]) -> String {
    let mut command = world.command(["--"].iter().chain(words));
    command.env("BB_COMPLETE", shell).envs(variables.iter().copied());
    Run::of(command.output().unwrap()).ok().stdout
}

#[test]
fn a_hook_offers_harnesses_and_actions_and_then_what_fits_them() {
    let world = World::new();
    let first = ["claude-code", "codex", "plain", "install", "uninstall", "status"];
    assert_eq!(sorted(bash(&world, &["bb", "hook", ""])), sorted(first.map(str::to_owned).to_vec()));
    let events = ["session-start", "prompt", "tool", "stop"];
    let offered = bash(&world, &["bb", "agent", "hook", "codex", ""]);
    assert_eq!(sorted(offered), sorted(events.map(str::to_owned).to_vec()));
    assert_eq!(bash(&world, &["bb", "hook", "install", "c"]), ["claude-code", "codex"]);
}

fn sorted(mut words: Vec<String>) -> Vec<String> {
    words.sort();
    words
}

#[test]
fn every_door_offers_every_verb() {
    let world = World::new();
    for door in [&["bb"][..], &["bb", "agent"], &["bb", "mail"]] {
        let offered = bash(&world, &[door, &[""]].concat());
        let missing: Vec<_> =
            bb_agent::cli::VERBS.iter().filter(|verb| !offered.iter().any(|it| it == verb.name)).collect();
        assert!(missing.is_empty(), "{door:?}: {missing:?}");
    }
    assert_eq!(bash(&world, &["bb", "age"]), ["agent"]);
    assert_eq!(bash(&world, &["bb", "mail", "thr"]), ["thread"]);
}

#[test]
fn flags_come_when_they_are_begun() {
    let world = World::with_two_agents();
    assert_eq!(bash(&world, &["bb", "mail", "send", "--req"]), ["--require-ack"]);
    assert_eq!(
        bash(&world, &["bb", "doctor", "--"]),
        ["--agent", "--fix", "--help", "--json", "--fields", "--store", "--color"]
    );
    assert_eq!(bash(&world, &["bb", "state", ""]), ["amber-otter", "lead-one"]);
}

#[test]
fn names_come_from_the_store() {
    let world = World::with_two_agents();
    let id = world.send("amber-otter", "lead-one", "HANDOFF", "take it");
    let tail = id.rsplit('_').next().unwrap();
    for door in [&["bb"][..], &["bb", "agent"], &["bb", "mail"]] {
        let line = |rest: &[&str]| bash(&world, &[door, rest].concat());
        assert_eq!(line(&["read", "--agent", "le"]), ["lead-one"]);
        assert_eq!(line(&["read", "--agent", "lead-one", ""]), [id.as_str()]);
        assert_eq!(line(&["ack", &tail[..3]]), [tail]);
        assert_eq!(line(&["show", "amber"]), ["amber-otter"]);
        assert_eq!(line(&["inbox", "--thread", "be"]), ["bead:bb-1"]);
        assert_eq!(line(&["send", "--category", "b"]), ["BLOCKED"]);
        assert_eq!(line(&["send", "--to", "amber-otter,l"]), ["amber-otter,lead-one"]);
        assert_eq!(line(&["send", "--to", "b"]), ["broadcast"]);
    }
}

#[test]
fn words_that_bash_breaks_are_completed_in_their_rest() {
    let world = World::with_two_agents();
    world.send("amber-otter", "lead-one", "INFO", "hello");
    assert_eq!(bash(&world, &["bb", "thread", "be"]), ["bead:bb-1"]);
    assert_eq!(bash(&world, &["bb", "thread", "bead", ":"]), ["bb-1"]);
    assert_eq!(bash(&world, &["bb", "thread", "bead", ":", "bb"]), ["bb-1"]);
    assert_eq!(bash(&world, &["bb", "read", "--agent", "=", "am"]), ["amber-otter"]);
    assert_eq!(bash(&world, &["bb", "send", "--to", "role", ":", "b"]), ["backend"]);
}

#[test]
fn the_store_on_the_line_is_asked() {
    let world = World::with_two_agents();
    let other = world.path("other.db");
    let other = other.to_str().unwrap();
    world.bb(["register", "--name", "zinc-yak", "--role", "backend", "--store", other]).ok();
    assert_eq!(bash(&world, &["bb", "--store", other, "show", ""]), ["zinc-yak"]);
}

#[test]
fn without_a_store_there_is_nothing_and_none_is_made() {
    let world = World::new();
    assert_eq!(bash(&world, &["bb", "read", "--agent", ""]), Vec::<String>::new());
    assert!(!world.path("store").exists());
}

#[test]
fn what_is_stored_is_offered_only_if_no_shell_could_act_on_it() {
    let world = World::with_two_agents();
    let hostile = "$(touch pwned)`touch pwned`;touch pwned";
    world.bb(["register", "--name", "zinc-yak", "--role", hostile, "--display", hostile]).ok();
    let letter = ["--category", "info", "--subject", hostile, "--body", hostile];
    let thread = ["--from", "zinc-yak", "--to", "lead-one", "--bead", hostile, "--thread", hostile];
    world.bb(["send"].iter().chain(&thread).chain(&letter)).ok();
    assert_eq!(bash(&world, &["bb", "show", "z"]), ["zinc-yak"]);
    let offered = [
        bash(&world, &["bb", "thread", ""]),
        bash(&world, &["bb", "inbox", "--thread", ""]),
        bash(&world, &["bb", "send", "--to", ""]),
        bash(&world, &["bb", "read", ""]),
    ]
    .concat();
    assert!(offered.iter().all(|word| !word.contains("touch")), "{offered:?}");
    assert!(offered.contains(&"zinc-yak".to_owned()));
    assert!(!world.work().join("pwned").exists());
}

#[test]
fn an_id_that_bb_would_not_have_given_is_not_offered() {
    let world = World::with_two_agents();
    world.send("amber-otter", "lead-one", "INFO", "hello");
    let store = rusqlite::Connection::open(world.store()).unwrap();
    store.execute("UPDATE messages SET message_id = '$(touch pwned)'", []).unwrap();
    store.execute("UPDATE agents SET agent_id = '$(touch pwned)' WHERE agent_id = 'lead-one'", []).unwrap();
    drop(store);
    for line in [&["bb", "read", ""][..], &["bb", "read", "--agent", ""], &["bb", "show", "$(t"]] {
        assert!(bash(&world, line).iter().all(|word| !word.contains("touch")), "{line:?}");
    }
    assert!(!world.work().join("pwned").exists());
}

#[test]
fn a_call_that_completes_nothing_is_an_ordinary_call() {
    let world = World::with_two_agents();
    let mut list = world.command(["list"]);
    let run = Run::of(list.env("BB_COMPLETE", "bash").output().unwrap()).ok();
    assert!(run.stdout.contains("amber-otter"), "{run}");
    let mut unset = world.command(["--", "bb", ""]);
    assert_eq!(Run::of(unset.output().unwrap()).code, 64);
}

#[test]
fn every_other_shell_is_answered_in_its_own_form() {
    let world = World::with_two_agents();
    world.send("amber-otter", "lead-one", "INFO", "hello");
    let last = [("_CLAP_COMPLETE_INDEX", "2"), ("_CLAP_IFS", "\n")];
    assert!(answer(&world, "zsh", &last, &["bb", "thread", "be"]).starts_with(r"bead\:bb-1"));
    assert!(answer(&world, "elvish", &last, &["bb", "show", "am"]).starts_with("amber-otter"));
    assert!(answer(&world, "fish", &[], &["bb", "doc"]).starts_with("doctor\tCheck the setup\n"));
    assert!(answer(&world, "powershell", &[], &["bb", "show", "am"]).starts_with("amber-otter"));
}

#[test]
fn scripts_are_printed_and_wrapped_in_json() {
    let world = World::new();
    for shell in Shell::ALL {
        let wanted = script(shell).unwrap();
        assert_eq!(world.bb(["completions", wanted.shell]).ok().stdout, wanted.script);
        assert_eq!(world.json(["completions", wanted.shell])["script"], wanted.script.as_str());
    }
    world.bb(["completions", "tcsh"]).fails("INVALID_ARGS", 64);
    assert!(!world.path("store").exists());
}

/// The line is typed into a bash with a terminal, so that readline itself breaks the words.
#[test]
fn a_line_typed_at_a_terminal_is_completed() {
    let world = World::with_two_agents();
    world.send("amber-otter", "lead-one", "INFO", "the completed one");
    let mut command = in_world(&world, "script");
    let shell = ["-qec", "bash --norc --noprofile -i", "/dev/null"];
    let spawned = command
        .args(shell)
        .env("TERM", "dumb")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut child) = spawned else {
        eprintln!("NOT RUN: there is no script(1) to give bash a terminal");
        return;
    };
    fs::write(world.work().join("a file.md"), "").unwrap();
    let typed =
        b"eval \"$(bb completions bash)\"\nbb thread bead:b\t > out\nbb send --body-file a\t --to\nexit\n";
    child.stdin.take().unwrap().write_all(typed).unwrap();
    let output = child.wait_with_output().unwrap();
    let screen = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(screen.contains(r"--body-file a\ file.md"), "{screen}");
    let thread = fs::read_to_string(world.work().join("out")).unwrap();
    assert!(thread.contains("the completed one"), "{thread}");
}
