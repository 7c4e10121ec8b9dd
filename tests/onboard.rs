//! `onboard`: what an agent is told is true, short, and kept without touching anything else.

use std::fs;
use std::path::Path;

use bb_agent::cli::{VERBS, whole_grammar};

use crate::common::{World, words};

fn instructions() -> String {
    World::new().bb(["onboard"]).ok().stdout
}

/// Every `bb COMMAND --flags` in the text, as words.
fn lines(text: &str) -> Vec<Vec<String>> {
    let pieces = text.split('`').flat_map(str::lines).filter(|piece| piece.starts_with("bb "));
    let words = |piece: &str| {
        let line = piece.split(" #").next().unwrap().trim().to_owned();
        line.split_whitespace().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    pieces.map(words).collect()
}

#[test]
fn names_only_commands_and_flags_that_exist() {
    let grammar = whole_grammar(bb_agent::cli::Verb::whole_command);
    let lines = lines(&instructions());
    assert!(lines.len() > 20, "{lines:?}");
    for line in lines {
        let verb = line[0].as_str();
        assert!(VERBS.iter().any(|known| known.name == verb), "bb {verb} does not exist");
        let command = grammar.find_subcommand(verb).unwrap();
        for flag in line.iter().filter(|word| word.starts_with('-')) {
            let known = command.get_arguments().any(|argument| {
                argument.get_long().is_some_and(|long| flag == &format!("--{long}"))
                    || argument.get_short().is_some_and(|short| flag == &format!("-{short}"))
            });
            assert!(known, "bb {verb} takes no {flag}");
        }
    }
}

/// B10 B11 B12 B13 B14 B15 B16
#[test]
fn says_what_to_send_in_which_situation() {
    let text = instructions();
    let row = |part: &str| {
        text.lines()
            .find(|line| line.starts_with("| ") && line.contains(part))
            .unwrap_or_else(|| panic!("{part}"))
    };
    assert!(row("next step is somebody else's").contains("HANDOFF"));
    assert!(
        row("nothing can go on").contains("BLOCKED")
            && row("nothing can go on").contains("bb state $BB_AGENT stuck")
    );
    assert!(row("a choice is needed").contains("DECISION"));
    assert!(row("others should know").contains("INFO"));
    let taken = row("you take it on");
    assert!(taken.find("bb read ID").unwrap() < taken.find("bb ack ID").unwrap());
    assert!(row("before you claim a bead").contains("settle the mail, then claim"));
    let stuck = row("still stuck");
    for part in ["bb inbox", "BLOCKED", "stay `stuck`"] {
        assert!(stuck.contains(part), "{part}");
    }
}

/// B17 B18 B19 B20 B21
#[test]
fn says_when_to_look_into_the_inbox() {
    let text = instructions().replace('\n', " ");
    for when in [
        "when a session starts",
        "before you claim a bead",
        "before you close one",
        "whenever you are stuck",
        "every 60 to 120 seconds",
    ] {
        assert!(text.contains(when), "{when}");
    }
    assert!(text.contains("bb inbox --state unread --limit 25"));
}

#[test]
fn fits_into_60_lines() {
    assert!(instructions().lines().count() < 60);
}

#[test]
fn every_category_and_answer_is_taught_and_text_is_framed_as_foreign() {
    let text = instructions();
    for part in [
        "--ok",
        "--wait",
        "--cancel",
        "bb wait-ack",
        "bb reserve",
        "bb release",
        "bb handoff",
        "--body-file",
        "Exit 75",
        "written by another",
        "--status received",
        "--status confirmed",
        "--status needs-clarification --question",
    ] {
        assert!(text.contains(part), "{part}");
    }
}

fn write(world: &World) -> bool {
    world.json(["onboard", "--write", "AGENTS.md"])["changed"].as_bool().unwrap()
}

fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap()
}

#[test]
fn keeps_its_part_of_a_file_and_leaves_the_rest() {
    let world = World::new();
    let file = world.work().join("AGENTS.md");
    fs::write(&file, "# Ours\r\n\r\nBe kind.").unwrap();
    assert!(write(&world));
    let first = read(&file);
    assert!(first.starts_with("# Ours\r\n\r\nBe kind.\n\n<!-- bb onboard: begin -->\n## "), "{first}");
    assert!(!write(&world), "a second time changes nothing");
    assert_eq!(read(&file), first);
    let edited = first.replace("## Working", "## Outdated") + "\n## More of ours\n";
    fs::write(&file, &edited).unwrap();
    assert!(write(&world));
    assert_eq!(read(&file), first.clone() + "\n## More of ours\n");
}

#[test]
fn creates_the_file_where_there_is_none() {
    let world = World::new();
    assert!(write(&world));
    let text = read(&world.work().join("AGENTS.md"));
    assert_eq!(text.lines().next(), Some("<!-- bb onboard: begin -->"));
    assert_eq!(text.lines().last(), Some("<!-- bb onboard: end -->"));
    assert!(text.contains(&instructions()));
}

#[test]
fn a_file_with_torn_marks_is_left_as_it_is() {
    let world = World::new();
    let file = world.work().join("AGENTS.md");
    fs::write(&file, "<!-- bb onboard: begin -->\nmine").unwrap();
    world.bb(["onboard", "--write", "AGENTS.md"]).fails("CONFIG_INVALID", 78);
    assert_eq!(read(&file), "<!-- bb onboard: begin -->\nmine");
}

#[test]
fn a_file_that_is_no_text_is_named_and_left_as_it_is() {
    let world = World::new();
    let file = world.work().join("AGENTS.md");
    fs::write(&file, b"\xff\xfe").unwrap();
    let run = world.bb(["onboard", "--write", "AGENTS.md"]).fails("IO_READ_FAILED", 74);
    assert!(run.stderr.contains("AGENTS.md` is not valid UTF-8\nhint: nothing was changed"), "{run}");
    assert_eq!(fs::read(&file).unwrap(), b"\xff\xfe");
}

#[test]
fn the_answers_to_a_task_that_are_taught_are_the_right_ones() {
    let world = World::with_two_agents();
    let text = world.bb(["onboard"]).ok().stdout;
    let taught: Vec<String> = text
        .split('`')
        .filter(|part| part.starts_with("bb ack --task ID"))
        .map(|line| line.replace("\"...\"", "it").replace("ID", "GH-1").replace('\n', " "))
        .collect();
    let [received, unclear, confirmed] = taught.as_slice() else { panic!("{taught:?}") };
    let assign = "assign --from lead-one --to amber-otter --task GH-1 --title T --body B";
    let run = |line: &str| {
        let line = line.strip_prefix("bb ").unwrap_or(line);
        let run = world.bb_with(&[("BB_AGENT", "amber-otter")], words(line)).ok();
        assert!(!run.stdout.contains("hint:") && !run.stderr.contains("hint:"), "{line}: {run}");
        run
    };
    world.bb(words(assign)).ok();
    assert!(run(received).stdout.contains("may begin"));
    world.bb(words("complete --agent amber-otter --task GH-1")).ok();
    world.bb(words(&assign.replace("GH-1", "GH-2"))).ok();
    run(&unclear.replace("GH-1", "GH-2"));
    world.bb(words("clarify --agent lead-one --task GH-2 --answer A")).ok();
    assert!(run(&confirmed.replace("GH-1", "GH-2")).stdout.contains("may begin"));
}
