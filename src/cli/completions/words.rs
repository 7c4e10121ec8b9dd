//! Which words may stand for the values of flags and arguments.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::{Arg, Command, ValueHint};
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate};

use super::Shell;
use crate::cli::verbs::Verb;
use crate::clock::Clock;
use crate::commands::Context;
use crate::commands::candidates::{Names, names};
use crate::domain::agent::AgentState;
use crate::domain::hook::{Harness, Moment};
use crate::domain::message::{Category, Priority, State};
use crate::ids::Ids;
use crate::settings::{KEYS, Settings};

/// The most words that are offered at once.
const MOST: usize = 100;

/// A verb that knows which words its values may have.
pub(super) fn known(verb: &'static Verb, shell: Shell, line: &[OsString]) -> Command {
    let store = store_on(line);
    flags_aside(verb.whole_command(), line).mut_args(|argument| match source(verb.name, &argument, line) {
        Some(source) => {
            let store = store.clone();
            argument.add(ArgValueCompleter::new(move |typed: &OsStr| fitting(&source, typed, store.as_ref())))
        }
        None => left_to_readline(argument, shell),
    })
}

/// Readline completes files better than a list of words can: it knows quotes and `~`.
pub(super) fn left_to_readline(argument: Arg, shell: Shell) -> Arg {
    if shell == Shell::Bash && argument.get_value_hint() == ValueHint::AnyPath {
        argument.add(ArgValueCompleter::new(|_: &OsStr| Vec::new()))
    } else {
        argument
    }
}

/// Flags would stand between the words that are asked for; they come when they are begun, or alone.
pub(super) fn flags_aside(command: Command, line: &[OsString]) -> Command {
    if line.last().is_some_and(|word| word.to_string_lossy().starts_with('-')) {
        return command;
    }
    let aside = |argument: Arg| if argument.is_positional() { argument } else { argument.hide(true) };
    command.disable_help_flag(true).mut_args(aside)
}

/// Where the words for a value come from.
#[derive(Debug, Clone)]
enum Source {
    Fixed(Vec<&'static str>),
    Stored(Vec<Names>),
}

/// The source that fits a value, by what the help calls it.
fn source(verb: &str, argument: &Arg, line: &[OsString]) -> Option<Source> {
    let value = argument.get_value_names()?.first()?.as_str();
    Some(match (verb, argument.get_id().as_str(), value) {
        ("register", _, "AGENT") => return None,
        (_, "to", "AGENT") => Source::Stored(vec![Names::Addresses]),
        (_, _, "AGENT") => Source::Stored(vec![Names::Agents]),
        (_, _, "AGENT|ID") => Source::Stored(vec![Names::Agents, Names::Messages]),
        ("thread", "id", "ID") => Source::Stored(vec![Names::Threads, Names::Messages]),
        (_, _, "ID") => Source::Stored(vec![Names::Messages]),
        (_, _, "THREAD") => Source::Stored(vec![Names::Threads]),
        (_, _, "CATEGORY") => Source::Fixed(Category::ALL.iter().map(|it| it.as_str()).collect()),
        (_, _, "PRIORITY") => Source::Fixed(Priority::ALL.iter().map(|it| it.as_str()).collect()),
        ("inbox", _, "STATE") => Source::Fixed(State::ALL.iter().map(|it| it.as_str()).collect()),
        ("list" | "state", _, "STATE") => {
            Source::Fixed(AgentState::ALL.iter().map(|it| it.as_str()).collect())
        }
        ("hook", "first", _) => {
            let actions = ["install", "uninstall", "status"];
            Source::Fixed(Harness::ALL.iter().map(|it| it.as_str()).chain(actions).collect())
        }
        ("hook", "second", _) if line.iter().any(|word| is_harness(word)) => {
            Source::Fixed(Moment::ALL.iter().map(|it| it.as_str()).collect())
        }
        ("hook", "second", _) => Source::Fixed(vec![Harness::ClaudeCode.as_str(), Harness::Codex.as_str()]),
        ("config", _, "KEY") => Source::Fixed(KEYS.iter().map(|key| key.name).collect()),
        _ => return None,
    })
}

/// Whether a word names a harness; what follows it is an event, and what follows an action is a harness.
fn is_harness(word: &OsStr) -> bool {
    word.to_str().is_some_and(|word| word.parse::<Harness>().is_ok())
}

/// The words that go on from what was typed; of a list, from its last part.
fn fitting(source: &Source, typed: &OsStr, store: Option<&PathBuf>) -> Vec<CompletionCandidate> {
    let Some(typed) = typed.to_str() else { return Vec::new() };
    let begun = typed.rfind(',').and_then(|comma| typed.split_at_checked(comma + 1));
    let (before, last) = begun.unwrap_or(("", typed));
    let words = match source {
        Source::Fixed(words) => words.iter().map(|word| (*word).to_owned()).collect(),
        Source::Stored(kinds) => stored(kinds, store.cloned()),
    };
    let is_listed = |word: &str| before.split(',').any(|listed| listed == word);
    let mut found = Vec::new();
    for word in &words {
        if let Some(word) = going_on(word, last).filter(|word| !is_listed(word) && !found.contains(word)) {
            found.push(word);
        }
    }
    found.into_iter().take(MOST).map(|word| CompletionCandidate::new(format!("{before}{word}"))).collect()
}

/// The word if it begins with what was typed, in any case; of an id, its tail too, which names it as well.
fn going_on<'a>(word: &'a str, typed: &str) -> Option<&'a str> {
    let begins = |word: &str| word.get(..typed.len()).is_some_and(|start| start.eq_ignore_ascii_case(typed));
    let tail = word.rsplit('_').next().filter(|tail| tail.len() >= 4 && tail.len() < word.len());
    if begins(word) { Some(word) } else { tail.filter(|tail| begins(tail)) }
}

/// Reads the names from the store that the line names, as the command itself would.
fn stored(kinds: &[Names], store: Option<PathBuf>) -> Vec<String> {
    let settings = Settings::of_process();
    let (clock, ids) = (Clock::new(None), Ids::new(None));
    let context = Context::new(&settings, &clock, &ids, store);
    kinds.iter().flat_map(|kind| names(&context, *kind)).collect()
}

/// The store that the line names with a flag.
fn store_on(line: &[OsString]) -> Option<PathBuf> {
    let mut words = line.iter();
    while let Some(word) = words.next() {
        if word == "--store" {
            return words.next().map(PathBuf::from);
        }
        if let Some(path) = word.to_str().and_then(|word| word.strip_prefix("--store=")) {
            return Some(PathBuf::from(path));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_goes_on_from_its_beginning_or_its_tail() {
        let id = "msg_20260304_001122_k3v9x2m7qp";
        assert_eq!(going_on(id, "msg_2026"), Some(id));
        assert_eq!(going_on(id, "k3v"), Some("k3v9x2m7qp"));
        assert_eq!(going_on(id, ""), Some(id));
        assert_eq!(going_on(id, "x"), None);
        assert_eq!(going_on("HANDOFF", "ha"), Some("HANDOFF"));
        assert_eq!(going_on("ä", "x"), None);
    }

    #[test]
    fn a_list_goes_on_from_its_last_part() {
        let source = Source::Fixed(vec!["amber-otter", "lead-one", "lead-two"]);
        let values = |typed: &str| -> Vec<_> {
            let found = fitting(&source, OsStr::new(typed), None);
            found.iter().map(|it| it.get_value().to_str().unwrap().to_owned()).collect()
        };
        assert_eq!(values("le"), ["lead-one", "lead-two"]);
        assert_eq!(values("lead-one,le"), ["lead-one,lead-two"]);
        assert_eq!(values("zz"), Vec::<String>::new());
    }

    #[test]
    fn the_store_is_taken_from_the_line() {
        let line = |words: &[&str]| store_on(&words.iter().map(OsString::from).collect::<Vec<_>>());
        assert_eq!(line(&["bb", "--store", "/a/b.db", "read"]), Some(PathBuf::from("/a/b.db")));
        assert_eq!(line(&["bb", "read", "--store=/a/b.db"]), Some(PathBuf::from("/a/b.db")));
        assert_eq!(line(&["bb", "read"]), None);
    }
}
