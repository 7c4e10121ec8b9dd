//! The grammar: every verb behind every door.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use super::help;
use super::verbs::{VERBS, Verb};
use crate::render::Color;

/// The doors in front of the verbs, with what they are for.
pub(super) const DOORS: &[(&str, &str)] =
    &[("agent", "The form agents and scripts use"), ("mail", "What `bd mail` delegates to")];

/// The grammar of a call; what a verb takes is added when the verb is chosen.
pub fn grammar() -> Command {
    let doors = DOORS.iter().map(|(name, about)| door(name, about).defer(behind_the_door));
    root().subcommands(doors).subcommands(VERBS.iter().map(Verb::command))
}

/// As much of the grammar as a line can use: the doors and verbs whose names stand on it. To build the
/// others would take longer than to parse.
pub(super) fn grammar_of(line: &[OsString]) -> Command {
    let stands_on_it = |name: &str| line.iter().any(|word| word == name);
    let is_named = |verb: &&Verb| verb.names().any(stands_on_it);
    let verbs = || VERBS.iter().filter(is_named).map(Verb::command);
    let doors = DOORS.iter().filter(|(name, _)| stands_on_it(name));
    root().subcommands(doors.map(|(name, about)| door(name, about).subcommands(verbs()))).subcommands(verbs())
}

/// The grammar with everything in it at once, for those who describe it; `describe` gives each verb.
pub fn whole_grammar(describe: impl Fn(&'static Verb) -> Command) -> Command {
    let doors = DOORS.iter().map(|(name, about)| door(name, about).subcommands(VERBS.iter().map(&describe)));
    root().subcommands(doors).subcommands(VERBS.iter().map(&describe))
}

/// The program without its verbs.
pub(super) fn root() -> Command {
    Command::new("bb")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Mail with acknowledgments for AI agents on one machine")
        .disable_help_subcommand(true)
        .args_override_self(false)
        .args(everywhere())
}

fn door(name: &'static str, about: &'static str) -> Command {
    Command::new(name).about(about).disable_help_subcommand(true)
}

fn behind_the_door(door: Command) -> Command {
    door.subcommands(VERBS.iter().map(Verb::command))
}

/// Flags that every verb takes.
fn everywhere() -> [Arg; 4] {
    [
        Arg::new("json")
            .long("json")
            .global(true)
            .action(ArgAction::SetTrue)
            .help("Print one JSON document")
            .help_heading("Everywhere"),
        Arg::new("fields")
            .long("fields")
            .global(true)
            .value_name("A,B")
            .help("Print JSON with only these fields of its data; a.b leads into a field")
            .help_heading("Everywhere"),
        Arg::new("store")
            .long("store")
            .global(true)
            .value_name("FILE")
            .value_parser(value_parser!(PathBuf))
            .help("The store to use (else BB_STORE, else the user's data folder)")
            .help_heading("Everywhere"),
        Arg::new("color")
            .long("color")
            .global(true)
            .value_name("WHEN")
            .value_parser(value_parser!(Color))
            .help("Use colour: auto, always or never")
            .hide_possible_values(true)
            .help_heading("Everywhere"),
    ]
}

/// The verb that was chosen behind whichever door, or the help for those who chose none.
pub(super) fn chosen(matches: &ArgMatches) -> Result<(&'static Verb, &ArgMatches), help::Shown> {
    let at_root = help::Shown::Welcome;
    let (name, inner) = matches.subcommand().ok_or(at_root)?;
    let (name, inner) = match DOORS.iter().any(|(door, _)| *door == name) {
        true => inner.subcommand().ok_or(help::Shown::NoVerb)?,
        false => (name, inner),
    };
    VERBS.iter().find(|verb| verb.name == name).map(|verb| (verb, inner)).ok_or(help::Shown::NoVerb)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(words: &[&str]) -> Vec<OsString> {
        std::iter::once("bb").chain(words.iter().copied()).map(OsString::from).collect()
    }

    #[test]
    fn what_stands_on_a_line_is_enough_to_parse_it() {
        let names = VERBS.iter().flat_map(Verb::names);
        for name in names {
            for words in [vec![name], vec!["agent", name], vec!["--json", "mail", name]] {
                let line = line(&words);
                let kinds = [grammar_of(&line), grammar()].map(|grammar| {
                    grammar.try_get_matches_from(&line).map(|_| ()).map_err(|error| error.kind())
                });
                assert_eq!(kinds[0], kinds[1], "{words:?}");
            }
        }
    }

    #[test]
    fn a_line_that_names_no_verb_needs_no_verb() {
        assert_eq!(grammar_of(&line(&["sned", "--json"])).get_subcommands().count(), 0);
        assert_eq!(grammar_of(&line(&["agent", "send"])).get_subcommands().count(), 2);
    }
}
