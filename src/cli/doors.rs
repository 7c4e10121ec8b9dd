//! The grammar: every verb behind every door.

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
