//! What was typed wrongly.

use std::error::Error;
use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::doors::DOORS;
use super::help;
use super::verbs::VERBS;
use crate::domain::Invalid;
use crate::domain::hook::{Harness, Moment};
use crate::exit::Exit;
use crate::failure::{Code, Failure};
use crate::render::Out;

/// Whether `--json` or `--fields` stands on the line, also on one that cannot be parsed.
pub(super) fn wants_json(arguments: &[OsString]) -> bool {
    let asks = |argument: &OsString| {
        argument == "--json" || argument == "--fields" || argument.to_string_lossy().starts_with("--fields=")
    };
    arguments.iter().skip(1).take_while(|argument| *argument != "--").any(asks)
}

/// The command as the JSON document names it, as far as it can be seen before parsing.
pub(super) fn command_name(arguments: &[OsString]) -> String {
    let mut words = arguments.iter().skip(1).filter_map(|argument| argument.to_str());
    let verb = loop {
        match words.next() {
            Some("--store" | "--color" | "--fields") => drop(words.next()),
            Some(word) if word.starts_with('-') || DOORS.iter().any(|(door, _)| *door == word) => {}
            verb => break verb,
        }
    };
    let known = |word: &str| VERBS.iter().find(|verb| verb.names().any(|name| name == word));
    verb.and_then(known).map_or_else(|| "agent".to_owned(), |verb| format!("agent {}", verb.name))
}

/// `help` and `help VERB` as the flag that means the same, behind every door.
pub(super) fn with_the_flag_for_help(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let is_door = |word: &&str| DOORS.iter().any(|(door, _)| door == word);
    let asks = words(&arguments).find(|word| !is_door(word)) == Some("help");
    if let Some(place) = arguments.iter().position(|word| word == "help").filter(|_| asks) {
        arguments.remove(place);
        arguments.push("--help".into());
    }
    arguments
}

/// Whether a harness runs this line. Nothing that goes wrong in a hook may stop an agent, so such a line
/// never fails; what was wrong with it is said beside the answer.
///
/// It is recognised by its words alone, wherever flags stand: it may be wrong in any way.
pub(super) fn is_called_by_a_harness(arguments: &[OsString]) -> bool {
    let is_door = |word: &&str| DOORS.iter().any(|(door, _)| door == word);
    let mut words = words(arguments).skip_while(is_door);
    if words.next() != Some("hook") {
        return false;
    }
    let Some(first) = words.next() else { return false };
    let is_settings = ["install", "uninstall", "status"].contains(&first);
    let is_event = |word: &str| word.parse::<Moment>().is_ok();
    !is_settings && (first.parse::<Harness>().is_ok() || is_event(first) || words.any(is_event))
}

/// The words of a line that are neither flags nor the values of flags that every command or a hook takes.
fn words(arguments: &[OsString]) -> impl Iterator<Item = &str> {
    const WITH_VALUE: [&str; 6] = ["--store", "--fields", "--color", "--agent", "--session", "--settings"];
    let mut is_value = false;
    arguments.iter().skip(1).filter_map(|argument| argument.to_str()).filter(move |word| {
        let is_word = !is_value && !word.starts_with('-');
        is_value = !is_value && WITH_VALUE.contains(word);
        is_word
    })
}

/// Answers what could not be parsed: help and version are no errors.
pub(super) fn answer(error: &clap::Error, out: &Out) -> u8 {
    match error.kind() {
        // The help for all verbs is ours; it is composed only when somebody asks for it.
        ErrorKind::DisplayHelp if out.command == "agent" => {
            let _ = out.text(&help::root());
            Exit::Done.code()
        }
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            let _ = out.text(&error.render().to_string());
            Exit::Done.code()
        }
        _ => {
            let failure = failure(error, &shortest(&out.command));
            out.failure(&failure);
            failure.code.exit().code()
        }
    }
}

/// A command as it can be typed behind every door; the program alone where none is named.
fn shortest(command: &str) -> String {
    let verb = command.strip_prefix("agent ").unwrap_or_default();
    format!("bb {verb}").trim_end().to_owned()
}

/// A value that broke a rule keeps the rule's own code; everything else is a usage error.
fn failure(error: &clap::Error, command: &str) -> Failure {
    if let Some(invalid) = error.source().and_then(|source| source.downcast_ref::<Invalid>()) {
        return invalid.clone().into();
    }
    let rendered = error.render().to_string();
    let mut lines = rendered.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or("wrong arguments").trim_start_matches("error: ").to_owned();
    let what = match error.kind() {
        ErrorKind::MissingRequiredArgument => format!("missing: {}", required(error).join(", ")),
        ErrorKind::InvalidSubcommand => return no_such_command(error),
        ErrorKind::UnknownArgument => return no_such_argument(error, command),
        ErrorKind::InvalidValue if !named(error, ContextKind::ValidValue).is_empty() => {
            return no_such_value(error);
        }
        _ => first,
    };
    let tip = lines.find_map(|line| line.strip_prefix("tip: ")).map(str::to_owned);
    Failure::new(Code::InvalidArgs, what).hint(tip.unwrap_or_else(|| format!("see `{command} --help`")))
}

fn no_such_command(error: &clap::Error) -> Failure {
    let typed = named(error, ContextKind::InvalidSubcommand).join(" ");
    let near = named(error, ContextKind::SuggestedSubcommand);
    let hint = match near.first() {
        Some(near) => format!("did you mean `bb {near}`? `bb --help` lists all of them"),
        None => "`bb --help` lists all of them".to_owned(),
    };
    Failure::new(Code::InvalidArgs, format!("there is no command `{typed}`")).hint(hint)
}

fn no_such_argument(error: &clap::Error, command: &str) -> Failure {
    let typed = named(error, ContextKind::InvalidArg).join(" ");
    let what = match (typed.parse::<f64>().is_ok(), typed.starts_with('-')) {
        (true, true) => format!("`{typed}` is negative, and nothing in `{command}` can be"),
        (_, true) => format!("`{command}` has no flag `{typed}`"),
        (_, false) => format!("`{command}` has no use for `{typed}`"),
    };
    let near = named(error, ContextKind::SuggestedArg);
    let hint = match near.first() {
        Some(near) => format!("did you mean `{near}`? see `{command} --help`"),
        None => format!("see `{command} --help`"),
    };
    Failure::new(Code::InvalidArgs, what).hint(hint)
}

fn no_such_value(error: &clap::Error) -> Failure {
    let (typed, flag) = (named(error, ContextKind::InvalidValue), named(error, ContextKind::InvalidArg));
    let what = format!("`{}` is no value for `{}`", typed.join(" "), flag.join(" "));
    let words = named(error, ContextKind::ValidValue).join(", ");
    Failure::new(Code::InvalidArgs, what).hint(format!("use one of {words}"))
}

fn required(error: &clap::Error) -> Vec<String> {
    let names = named(error, ContextKind::InvalidArg);
    if names.is_empty() { vec!["an argument".to_owned()] } else { names }
}

/// The words that an error tells of.
fn named(error: &clap::Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::Strings(names)) => names.clone(),
        Some(ContextValue::String(name)) => vec![name.clone()],
        _ => Vec::new(),
    }
}
