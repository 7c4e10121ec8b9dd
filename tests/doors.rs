//! Three doors, one grammar, and help that fits on a screen.

use bb_agent::cli::{VERBS, grammar};

use crate::common::{World, letter, words};

const DOORS: [&[&str]; 3] = [&[], &["agent"], &["mail"]];

/// Verbs that do not end by themselves, and one that tells the numbers of processes.
const NEVER_THE_SAME: &[&str] = &["watch", "log"];

/// A life of two agents in which every verb of identity and mail succeeds, and some fail.
fn life() -> Vec<Vec<String>> {
    let mut lines: Vec<Vec<String>> = [
        "register --name amber-otter --role backend --protect",
        "register --name lead-one --role lead --display 'The Lead'",
        "register --name lead-two --role lead",
        "register --name lead-one --role lead",
        "list",
        "show lead-one",
        "whoami --agent lead-one",
        "whoami",
        "state lead-one working",
        "activity-lease --agent lead-one",
        "heartbeat lead-one",
        "send --from lead-one --to lead-two --bead b-1 --category BLOCKED -s Help -m 'Please.' --key k",
        "send --from lead-one --to lead-two --bead b-1 --category BLOCKED -s Help -m 'Please.' --key k",
        "send --from lead-one --to broadcast --bead b-1 --category INFO -s Note -m 'For all.'",
        "send --from amber-otter --to lead-one --bead b-1 --category INFO -s Note -m text",
        "inbox --agent lead-two",
        "inbox --agent lead-two --pending --brief",
        "inbox --agent lead-two --after 0 --limit 1",
        "inbox --agent lead-two --wait 60 --category DECISION",
        "inbox --agent nobody-here",
        "read --agent lead-two msg_",
        "thread bead:b-1",
        "show bead:b-1",
        "config",
        "config max_unread",
        "config nonsense",
        "ack --agent lead-two nonsense",
        "ack --nonsense",
        "nonsense",
    ]
    .into_iter()
    .map(words)
    .collect();
    let usual: Vec<_> =
        letter(&[("--from", "lead-one"), ("--to", "lead-two")]).into_iter().map(String::from).collect();
    lines.push(usual);
    lines
}

/// What a life answers behind one door, with the world's own folder taken out.
fn answers(door: &[&str]) -> Vec<String> {
    let world = World::new();
    let here = world.path("").display().to_string();
    let run = |line: &[String]| {
        let line = door.iter().map(ToString::to_string).chain(line.iter().cloned());
        let run = world.bb(line.chain(["--json".to_owned()]));
        assert_eq!(run.stderr, "", "{run}");
        format!("{} {}", run.code, run.stdout.replace(&here, "WORLD/"))
    };
    let mut answers: Vec<_> = life().iter().map(|line| run(line)).collect();
    let blocked = ["inbox", "--agent", "lead-two", "--needs-ack", "--json"];
    let id = world.bb(blocked).ok().data()[0]["message_id"].as_str().unwrap().to_owned();
    for line in [
        format!("show {id}"),
        format!("read --agent lead-two {id} --peek"),
        format!("read --agent lead-two --message {id}"),
        format!("reply --agent lead-two {id} --wait"),
        format!("ack --agent lead-two {id} --note done"),
        format!("reply --agent lead-two {id} --body 'a note'"),
        format!("thread {id}"),
        format!("read --agent lead-one {id}"),
    ] {
        answers.push(run(&words(&line)));
    }
    answers
}

#[test]
fn the_three_doors_answer_the_same_byte_for_byte() {
    let [short, agent, mail] = DOORS.map(answers);
    assert!(short.iter().filter(|answer| answer.starts_with("0 ")).count() > 25, "{short:#?}");
    assert_eq!(short, agent);
    assert_eq!(short, mail);
    assert!(short.iter().all(|answer| answer.contains(r#""command":"agent"#)), "{short:#?}");
}

#[test]
fn every_verb_of_identity_and_mail_takes_part() {
    let lines = life();
    let named = |name: &str| lines.iter().any(|line| line[0] == name);
    for verb in VERBS.iter().filter(|verb| ["Identity", "Mail"].contains(&verb.group)) {
        assert!(named(verb.name) || ["ack", "reply"].contains(&verb.name), "{}", verb.name);
    }
}

#[test]
fn every_example_is_answered_the_same_behind_every_door() {
    for verb in VERBS.iter().filter(|verb| !NEVER_THE_SAME.contains(&verb.name)) {
        let answers = DOORS.map(|door| {
            let world = World::with_two_agents();
            let here = world.path("").display().to_string();
            let example = words(verb.example).into_iter().skip(1);
            let line = door.iter().map(ToString::to_string).chain(example).chain(["--json".to_owned()]);
            // What belongs to a command that is run stands behind `--`, and there is no place for a flag.
            let (flags, rest): (Vec<_>, Vec<_>) = split_at_dashes(line.collect());
            let run = world.bb(flags.into_iter().chain(rest));
            (run.code, run.stdout.replace(&here, "WORLD/"), run.stderr.replace(&here, "WORLD/"))
        });
        assert_eq!(answers[0], answers[1], "{}", verb.example);
        assert_eq!(answers[0], answers[2], "{}", verb.example);
    }
}

/// The line up to `--`, with the `--json` from its end, and what follows.
fn split_at_dashes(mut line: Vec<String>) -> (Vec<String>, Vec<String>) {
    let Some(place) = line.iter().position(|word| word == "--") else { return (line, Vec::new()) };
    let json = line.pop();
    let rest = line.split_off(place);
    line.extend(json);
    (line, rest)
}

#[test]
fn the_help_fits_on_one_screen() {
    for line in [&["--help"][..], &["agent", "--help"], &["mail", "--help"], &[], &["-h"]] {
        let help = World::new().bb(line).ok().stdout;
        assert!(help.lines().count() <= 23, "{} lines", help.lines().count());
        for line in help.lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
        for verb in VERBS {
            let group = help.lines().find(|line| line.starts_with(verb.group)).unwrap();
            assert!(group.split("  ").any(|name| name.trim() == verb.name), "{}: {help}", verb.name);
        }
    }
}

#[test]
fn every_verb_says_what_it_does_and_shows_an_example_that_parses() {
    let world = World::new();
    for verb in VERBS {
        for door in DOORS {
            let line = door.iter().copied().chain([verb.name, "--help"]);
            let help = world.bb(line).ok().stdout;
            assert!(help.starts_with(verb.about), "{}: {help}", verb.name);
            assert!(help.contains(&format!("Example:\n  {}\n", verb.example)), "{}: {help}", verb.name);
        }
        let example = words(verb.example);
        assert_eq!(example.first().map(String::as_str), Some("bb"), "{}", verb.example);
        let parsed = grammar().try_get_matches_from(&example);
        assert!(parsed.is_ok(), "{}: {}", verb.example, parsed.unwrap_err());
        assert!(example.iter().any(|word| word == verb.name), "{}", verb.example);
    }
    assert!(!world.path("store").exists(), "help opens no store");
}

#[test]
fn help_can_be_asked_for_as_a_command() {
    let world = World::new();
    let says = |line: &str| world.bb(words(line)).ok().stdout;
    for door in DOORS {
        let door = door.concat();
        assert_eq!(says(&format!("{door} help")), says(&format!("{door} --help")));
        assert_eq!(says(&format!("{door} help inbox")), says(&format!("{door} inbox --help")));
    }
    world.bb(["help", "snd"]).fails("INVALID_ARGS", 64);
}

#[test]
fn the_version_is_the_programs() {
    assert_eq!(World::new().bb(["--version"]).ok().stdout, format!("bb {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn what_is_typed_wrongly_is_named_with_the_next_step() {
    let world = World::new();
    for (line, error) in [
        ("snd", "there is no command `snd`\nhint: did you mean `bb send`? `bb --help` lists all of them"),
        ("list --foo", "`bb list` has no flag `--foo`\nhint: see `bb list --help`"),
        (
            "mail list --stat idle",
            "`bb list` has no flag `--stat`\nhint: did you mean `--state`? see `bb list --help`",
        ),
        ("list lead-one", "`bb list` has no use for `lead-one`\nhint: see `bb list --help`"),
        (
            "tasks --task -1",
            "`-1` is negative, and nothing in `bb tasks` can be\nhint: see `bb tasks --help`",
        ),
        (
            "list --color loud",
            "`loud` is no value for `--color <WHEN>`\nhint: use one of auto, always, never",
        ),
    ] {
        let run = world.bb(words(line)).fails("INVALID_ARGS", 64);
        assert_eq!(run.stderr.trim_end(), format!("error[INVALID_ARGS]: {error}"), "{line}");
    }
}

#[test]
fn a_flag_with_a_value_before_the_command_hides_nothing() {
    let world = World::new();
    let store = world.store().display().to_string();
    for before in [&["--color", "never"][..], &["--store", &store], &["agent", "--fields", "state"]] {
        let help = world.bb(before.iter().chain(&["send", "--help"])).ok();
        assert!(help.stdout.starts_with("Send a message\n"), "{before:?}: {help}");
        let wrong = world.bb(before.iter().chain(&["send", "--json"])).fails("INVALID_ARGS", 64);
        assert_eq!(wrong.document()["command"], "agent send", "{before:?}");
    }
}

#[test]
fn help_is_a_command_wherever_flags_stand() {
    let world = World::new();
    for line in [
        "help inbox",
        "agent help inbox",
        "--color never help inbox",
        "--store x help inbox",
        "--json help inbox",
    ] {
        let help = world.bb(words(line)).ok();
        assert!(help.stdout.starts_with("List what you have received"), "{line}: {help}");
    }
    assert!(world.bb(words("--color never help")).ok().stdout.starts_with("bb: "));
}
