//! Generated files cannot drift: completions, manual pages and the reference of commands.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use bb_agent::cli::completions::{self, Shell};
use bb_agent::cli::{GROUPS, VERBS, Verb, man, whole_grammar};
use clap::{Arg, Command};

use crate::common::{Run, World, not_run};

/// Writes the files anew instead of comparing them.
const REFRESH: &str = "BB_REGENERATE=1 cargo test --test all generated";

/// The folders that hold nothing but generated files.
const FOLDERS: [&str; 2] = ["completions", "docs/man"];

#[test]
fn generated_files_say_what_the_program_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let wanted = wanted();
    if std::env::var_os("BB_REGENERATE").is_some() {
        refresh(root, &wanted);
    }
    let differing: Vec<_> = wanted
        .iter()
        .filter(|(file, text)| fs::read_to_string(root.join(file)).ok().as_ref() != Some(text))
        .map(|(file, _)| format!("{} differs", file.display()))
        .chain(left_over(root, &wanted).iter().map(|file| format!("{} is left over", file.display())))
        .collect();
    assert!(differing.is_empty(), "{}\nrefresh them with: {REFRESH}", differing.join("\n"));
}

#[test]
fn every_verb_is_described_once() {
    let wanted = wanted();
    let reference = &wanted[Path::new("docs/cli.md")];
    for verb in VERBS {
        assert_eq!(reference.matches(&format!("\n### bb {}\n", verb.name)).count(), 1, "{}", verb.name);
        assert!(reference.contains(&format!("\n{}\n", verb.example)), "{}", verb.name);
        let page = &wanted[&PathBuf::from(format!("docs/man/bb-{}.1", verb.name))];
        assert!(page.contains(".SH EXAMPLE"), "{}", verb.name);
    }
}

#[test]
fn manual_pages_are_printed_and_wrapped_in_json() {
    let world = World::new();
    let page = world.bb(["man", "send"]).ok().stdout;
    assert!(page.contains(".TH bb-send 1") && page.contains("\\-\\-body\\-file"), "{page}");
    assert!(world.bb(["man"]).ok().stdout.contains(".SH \"EXIT STATUS\""));
    assert_eq!(world.json(["man", "ack"])["file"], "bb-ack.1");
    world.bb(["man", "nosuch"]).fails("INVALID_ARGS", 64);
}

#[test]
fn all_manual_pages_are_written_where_man_finds_them() {
    let world = World::new();
    let folder = world.path("home/.local/share/man/man1");
    let line = ["man", "--write", folder.to_str().unwrap()];
    let said = world.bb(line).ok().stdout;
    assert_eq!(said, format!("wrote {} manual pages in {}\n", VERBS.len() + 1, folder.display()));
    for verb in std::iter::once(None).chain(VERBS.iter().map(Some)) {
        let wanted = man::page(verb).unwrap();
        assert_eq!(fs::read_to_string(folder.join(&wanted.file)).unwrap(), wanted.page);
    }
    assert_eq!(world.json(line)["files"].as_array().unwrap().len(), VERBS.len() + 1);
    world.bb(["man", "--write", "/proc/nowhere"]).fails("IO_WRITE_FAILED", 74);
    let read = |page: &str| {
        let mut man = std::process::Command::new("man");
        man.env("MANPATH", world.path("home/.local/share/man"))
            .env("MANWIDTH", "80")
            .env("LC_ALL", "C.UTF-8");
        man.args(["--warnings=w", page]).output()
    };
    let Ok(output) = read("bb-send") else { return not_run("man is not installed") };
    let run = Run::of(output);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{run}");
    assert!(run.stdout.contains("bb send") && run.stdout.contains("EXAMPLE"), "{run}");
    assert!(Run::of(read("bb").unwrap()).ok().stdout.contains("EXIT STATUS"));
}

/// Every generated file with its text.
fn wanted() -> BTreeMap<PathBuf, String> {
    let scripts = Shell::ALL.map(|shell| {
        (PathBuf::from("completions").join(shell.file()), completions::script(shell).unwrap().script)
    });
    let pages = VERBS.iter().map(Some).chain([None]).map(|verb| {
        let manual = man::page(verb).unwrap();
        (PathBuf::from("docs/man").join(manual.file), manual.page)
    });
    let reference = (PathBuf::from("docs/cli.md"), reference());
    scripts.into_iter().chain(pages).chain([reference]).collect()
}

fn refresh(root: &Path, wanted: &BTreeMap<PathBuf, String>) {
    for file in left_over(root, wanted) {
        fs::remove_file(root.join(file)).unwrap();
    }
    for (file, text) in wanted {
        let file = root.join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
}

/// Files of verbs that are no more.
fn left_over(root: &Path, wanted: &BTreeMap<PathBuf, String>) -> Vec<PathBuf> {
    let files = |folder: &'static str| {
        let entries = fs::read_dir(root.join(folder)).into_iter().flatten().flatten();
        entries.map(move |entry| Path::new(folder).join(entry.file_name()))
    };
    FOLDERS.into_iter().flat_map(files).filter(|file| !wanted.contains_key(file)).collect()
}

/// The reference of commands, in Markdown.
fn reference() -> String {
    let mut grammar = whole_grammar(Verb::whole_command);
    grammar.build();
    let mut text = format!(
        "# The commands of bb\n\n\
         <!-- Generated from the grammar. Refresh it with: {REFRESH} -->\n\n\
         `bb COMMAND`, `bb agent COMMAND` and `bb mail COMMAND` are the same command. `bb COMMAND --help` and\n\
         `bb man COMMAND` say what stands here.\n\n## Everywhere\n\n"
    );
    table(&mut text, grammar.get_arguments());
    for (group, _) in GROUPS {
        let verbs: Vec<_> = VERBS.iter().filter(|verb| verb.group == *group).collect();
        if !verbs.is_empty() {
            let _ = writeln!(text, "\n## {group}");
        }
        for verb in verbs {
            described(&mut text, verb, grammar.find_subcommand(verb.name).unwrap().clone());
        }
    }
    text
}

fn described(text: &mut String, verb: &Verb, mut command: Command) {
    let _ = writeln!(text, "\n### bb {}\n", verb.name);
    let about = command.get_long_about().or(command.get_about()).unwrap().to_string();
    let _ = writeln!(text, "{about}\n");
    if !verb.aliases.is_empty() {
        let _ = writeln!(text, "Also: `{}`\n", verb.aliases.join("`, `"));
    }
    let usage = command.render_usage().to_string();
    let _ = writeln!(text, "```text\n{}\n```\n", usage.trim_start_matches("Usage: "));
    let own: Vec<_> = command
        .get_arguments()
        .filter(|it| it.get_help_heading().is_none() && it.get_id() != "help")
        .collect();
    if !own.is_empty() {
        table(text, own.into_iter());
        text.push('\n');
    }
    let _ = writeln!(text, "Example:\n\n```sh\n{}\n```", verb.example);
}

fn table<'a>(text: &mut String, arguments: impl Iterator<Item = &'a Arg>) {
    text.push_str("| argument | meaning |\n|---|---|\n");
    for argument in arguments {
        let short = argument.get_short().map(|short| format!("-{short}, ")).unwrap_or_default();
        let mut meaning = argument.get_help().map(ToString::to_string).unwrap_or_default();
        let values: Vec<_> = match argument.is_hide_possible_values_set() {
            true => Vec::new(),
            false => argument.get_possible_values().iter().map(|it| it.get_name().to_owned()).collect(),
        };
        if argument.get_action().takes_values() && !values.is_empty() {
            let _ = write!(meaning, ": {}", values.join(", "));
        }
        let defaults: Vec<_> = argument.get_default_values().iter().map(|it| it.to_string_lossy()).collect();
        if argument.get_action().takes_values() && !defaults.is_empty() {
            let _ = write!(meaning, " (default: {})", defaults.join(","));
        }
        let cell = |text: &str| text.replace('|', "\\|");
        let _ = writeln!(text, "| `{}` | {} |", cell(&format!("{short}{argument}")), cell(&meaning));
    }
}
