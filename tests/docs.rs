//! The examples in the documentation, run as they stand.
//!
//! Each page with blocks fenced as `console` has a world of its own, in which its lines run one after
//! the other, in one shell:
//!
//! - `$ ` begins a line to run, and `> ` directly below it continues it;
//! - `? 75` below that is its exit status, which is 0 where nothing is said;
//! - what follows is what it prints, standard error included, with `[..]` for any characters and a
//!   line `...` for any lines;
//! - the time stands still; `<!-- 25 seconds pass -->` outside of a block moves it.

use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use snapbox::IntoData;
use snapbox::report::Palette;

use crate::common::{Run, World};

/// Something a page does.
#[derive(Debug, PartialEq)]
enum Act {
    Run(Example),
    Pass(Duration),
}

/// A command line and what it is said to do.
#[derive(Debug, Default, PartialEq)]
struct Example {
    /// Where it stands in its page.
    number: usize,
    script: String,
    status: i32,
    output: String,
}

/// What a page does, in order.
fn acts(page: &str) -> Vec<Act> {
    let mut acts = Vec::new();
    let mut inside = false;
    for (index, line) in page.lines().enumerate() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if inside {
            read_example(index + 1, line, &mut acts);
        } else if let Some(seconds) = passing(line) {
            acts.push(Act::Pass(Duration::from_secs(seconds)));
        }
    }
    acts
}

/// How many seconds a line outside of a block lets pass.
fn passing(line: &str) -> Option<u64> {
    let inner = line.strip_prefix("<!-- ")?.strip_suffix(" -->")?;
    inner.strip_suffix(" seconds pass")?.parse().ok()
}

fn read_example(number: usize, line: &str, acts: &mut Vec<Act>) {
    if let Some(script) = line.strip_prefix("$ ") {
        acts.push(Act::Run(Example { number, script: script.to_owned(), ..Example::default() }));
        return;
    }
    let Some(Act::Run(example)) = acts.last_mut() else { panic!("line {number} answers no command: {line}") };
    let nothing_printed = example.output.is_empty();
    if let Some(more) = line.strip_prefix('>').filter(|_| nothing_printed && example.status == 0) {
        let more = more.strip_prefix(' ').unwrap_or(more);
        write!(example.script, "\n{more}").unwrap();
    } else if let Some(status) = line.strip_prefix("? ").filter(|_| nothing_printed) {
        example.status = status.parse().unwrap();
    } else {
        writeln!(example.output, "{line}").unwrap();
    }
}

/// What each example of a page really does: its exit status and its output.
fn perform(acts: &[Act]) -> Vec<(i32, String)> {
    const MARK: char = '\u{1e}';
    let world = World::new();
    let shell = shell(&world);
    let mut script = String::from("exec 2>&1\n");
    let mut now = world.now();
    for act in acts {
        match act {
            Act::Run(example) => writeln!(script, "{}\nprintf '\\036%s\\n' $?", example.script).unwrap(),
            Act::Pass(time) => {
                now = now + *time;
                writeln!(script, "echo {now} > {}/now", shell.display()).unwrap();
            }
        }
    }
    fs::write(shell.join("script"), script).unwrap();
    let path = format!("{}:{}", shell.display(), std::env::var("PATH").unwrap());
    let output = Command::new("sh")
        .arg(shell.join("script"))
        .env_clear()
        .envs([("PATH", path.into()), ("HOME", world.path("home")), ("BB_STORE", world.store())])
        .current_dir(world.work())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let mut pieces = text.split(MARK);
    let mut done = Vec::new();
    let mut printed = pieces.next().unwrap_or_default();
    for piece in pieces {
        let (status, rest) = piece.split_once('\n').unwrap();
        done.push((status.parse().unwrap(), printed.to_owned()));
        printed = rest;
    }
    done
}

/// A folder with a `bb` that knows the time of the page and never gives an id twice.
fn shell(world: &World) -> PathBuf {
    let folder = world.path("shell");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("now"), format!("{}\n", world.now())).unwrap();
    fs::write(folder.join("seed"), "0\n").unwrap();
    let here = folder.display();
    let program = env!("CARGO_BIN_EXE_bb");
    let wrapper = format!(
        "#!/bin/sh\n\
         read -r now < {here}/now\n\
         read -r seed < {here}/seed\n\
         echo $((seed + 1)) > {here}/seed\n\
         BB_NOW=$now BB_SEED=$((seed + 1)) exec {program} \"$@\"\n"
    );
    fs::write(folder.join("bb"), wrapper).unwrap();
    fs::set_permissions(folder.join("bb"), fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

/// Where a page does not do what it says.
fn differences(name: &str, page: &str) -> Vec<String> {
    let acts = acts(page);
    let done = perform(&acts);
    let examples = acts.iter().filter_map(|act| match act {
        Act::Run(example) => Some(example),
        Act::Pass(_) => None,
    });
    let mut differences = Vec::new();
    let mut count = 0;
    for (example, (status, output)) in examples.zip(&done) {
        count += 1;
        let place = format!("{name}:{}: {}", example.number, example.script);
        if *status != example.status {
            differences.push(format!("{place}\nexit status {status}, not {}\n{output}", example.status));
        }
        let said = example.output.trim_end().to_owned();
        let compared = snapbox::Assert::new().palette(Palette::plain()).normalize_paths(false).try_eq(
            Some(&place),
            output.trim_end().into_data(),
            said.into_data(),
        );
        differences.extend(compared.err().map(|error| error.to_string()));
    }
    let said = acts.iter().filter(|act| matches!(act, Act::Run(_))).count();
    if count != said {
        differences.push(format!("{name}: the shell ended after {count} of {said} lines"));
    }
    differences
}

/// The pages of the documentation, each with its name and its text.
fn pages() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let docs = fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = docs.chain([root.join("README.md")]).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "md"));
    files.sort();
    files
        .into_iter()
        .map(|file| {
            let name = file.strip_prefix(root).unwrap().display().to_string();
            (name, fs::read_to_string(&file).unwrap())
        })
        .collect()
}

#[test]
fn every_example_does_what_its_page_says() {
    let differences: Vec<_> = pages().iter().flat_map(|(name, page)| differences(name, page)).collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// The first block of shell lines behind some words of the README.
pub(crate) fn lines_behind(words: &str) -> Vec<&'static str> {
    let readme = include_str!("../README.md");
    let (_, rest) = readme.split_once(words).unwrap();
    let (block, _) = rest.split_once("```sh\n").unwrap().1.split_once("```").unwrap();
    block.lines().collect()
}

/// Runs lines as if they were pasted into a new shell; bb is installed, and nothing is set.
pub(crate) fn paste(world: &World, lines: &[&str]) -> Run {
    let folder = Path::new(env!("CARGO_BIN_EXE_bb")).parent().unwrap();
    let mut shell = Command::new("bash");
    shell.env_clear().env("HOME", world.path("home")).env("TMPDIR", world.path("work"));
    shell.env("PATH", format!("{}:/usr/bin:/bin", folder.display())).current_dir(world.work());
    Run::of(shell.args(["--norc", "-c", &lines.join("\n")]).output().unwrap())
}

#[test]
fn the_five_lines_of_the_readme_work_when_pasted_and_again() {
    let lines = lines_behind("these five lines");
    assert_eq!(lines.len(), 5);
    let world = World::new();
    for _ in 0..2 {
        let run = paste(&world, &[&["set -e"], lines.as_slice()].concat()).ok();
        assert!(run.stdout.contains("1 message, 1 unread, 1 waiting for your ack"), "{run}");
        assert!(run.stdout.contains("acked msg_"), "{run}");
    }
    assert_eq!(fs::read_dir(world.path("home")).unwrap().count(), 0, "nothing stays behind");
}

#[test]
fn the_handshake_has_its_examples() {
    let (_, page) = pages().into_iter().find(|(name, _)| name == "docs/handshake.md").unwrap();
    assert!(acts(&page).len() >= 15, "its examples are gone");
}

/// The replacement has the picture of its flow, and the state in YAML as it really is.
#[test]
fn the_replacement_has_its_picture_and_its_state() {
    let (_, page) = pages().into_iter().find(|(name, _)| name == "docs/replacement.md").unwrap();
    let picture = "pictures/replacement.svg";
    assert!(page.contains(&format!("]({picture})")), "its picture is gone");
    let drawn = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(picture)).unwrap();
    for part in
        ["[HANDOFF]", "[REMINDER]", "[EOA-ESCALATE]", "[ACK]", "[CLARIFICATION]", "six checks", "[EOA]"]
    {
        assert!(drawn.contains(part), "{part} is not in the picture");
    }
    let state = acts(&page).into_iter().find_map(|act| match act {
        Act::Run(example) if example.script == "bb export --format yaml" => Some(example.output),
        _ => None,
    });
    let state: serde_json::Value = serde_norway::from_str(&state.unwrap().replace("[..]", "any")).unwrap();
    for key in ["active_assignments", "registered_agents", "replacement_history"] {
        assert!(state[key].is_array(), "{key}");
    }
    assert_eq!(state["active_assignments"][0]["status"], "pending_verification");
}

#[test]
fn a_page_that_says_what_is_not_so_is_found_out() {
    let page = "```console\n$ echo one\none\n$ echo two\nthree\n$ false\n$ exit 0\n$ echo lost\nlost\n```\n";
    let found = differences("page.md", page);
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(found[0].contains("page.md:4"), "{}", found[0]);
    assert!(found[1].starts_with("page.md:6: false\nexit status 1, not 0"), "{}", found[1]);
    assert!(found[2].contains("the shell ended after 3 of 5 lines"), "{}", found[2]);
}

#[test]
fn lines_are_continued_time_passes_and_wildcards_fit() {
    let page = "```console\n\
                $ printf '%s\n\
                > ' one\n\
                one\n\
                $ bb register --name amber-otter --role backend\n\
                registered [..] (backend)\n\
                $ bb show nobody-here\n\
                ? 67\n\
                error[AGENT_NOT_FOUND]: [..]\n\
                ...\n\
                ```\n\
                ```text\n$ not run\n```\n\
                <!-- 90 seconds pass -->\n\
                ```console\n\
                $ bb log --since 90s --json | grep -c agent.registered\n\
                1\n\
                $ bb log --since 89s\n\
                nothing happened\n\
                ```\n";
    assert_eq!(differences("page.md", page), Vec::<String>::new());
    assert_eq!(acts(page).len(), 6);
}
