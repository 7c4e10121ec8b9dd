//! What may be typed: three doors, one grammar.
//!
//! `bb agent send`, `bb mail send` and `bb send` are the same command. Every call is a new process and
//! pays for what it builds, so a line is first parsed with the verbs that stand on it; the whole grammar
//! is built only to say what is wrong with a line, or for help.

pub mod completions;
mod doors;
mod help;
pub mod man;
mod usage;
mod verbs;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::ArgMatches;

use crate::clock::Clock;
use crate::commands::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::ids::Ids;
use crate::render::{Appearance, Color, Out, Selection, is_dumb};
use crate::settings::Settings;

use help::Shown;

pub use doors::{grammar, whole_grammar};
pub use help::GROUPS;
pub use verbs::{VERBS, Verb};

/// Runs one command line and says with which code the process is to end.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let settings = Settings::of_process();
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    if completions::is_asked(&settings, &arguments) {
        return completions::answer(&settings, arguments);
    }
    let arguments = usage::with_the_flag_for_help(arguments);
    let json = usage::wants_json(&arguments);
    let plain = Appearance::of_stdout(Color::Auto, &settings);
    let mut out = Out::new(json, plain, usage::command_name(&arguments));
    out.is_dumb = is_dumb(&settings);
    out.never_fails = usage::is_called_by_a_harness(&arguments);
    let never_fails = out.never_fails;
    let code = answer(&arguments, &settings, out);
    if never_fails { Exit::Done.code() } else { code }
}

fn answer(arguments: &[OsString], settings: &Settings, mut out: Out) -> u8 {
    let parsed = doors::grammar_of(arguments).try_get_matches_from(arguments);
    let matches = match parsed.or_else(|_| grammar().try_get_matches_from(arguments)) {
        Ok(matches) => matches,
        Err(error) => return usage::answer(&error, &out),
    };
    let (verb, verb_matches) = match doors::chosen(&matches) {
        Ok(chosen) => chosen,
        Err(Shown::Welcome) if is_somebody(settings) => (&verbs::GLANCE, &matches),
        Err(shown) => return help::print(shown, &out),
    };
    if verb.name != verbs::GLANCE.name {
        out.command = format!("agent {}", verb.name);
    }
    out.json = verb_matches.get_flag("json") || verb_matches.contains_id("fields");
    out.appearance = Appearance::of_stdout(color(verb_matches), settings);
    let done =
        choose_fields(verb_matches, &mut out).and_then(|()| perform(verb, verb_matches, settings, &mut out));
    match done {
        Ok(code) => code,
        Err(failure) => {
            out.failure(&failure);
            failure.code.exit().code()
        }
    }
}

/// Whether the environment says who acts.
fn is_somebody(settings: &Settings) -> bool {
    ["BB_AGENT", "BD_ACTOR"].into_iter().any(|variable| settings.is_set(variable))
}

fn choose_fields(matches: &ArgMatches, out: &mut Out) -> Result<(), Failure> {
    if let Some(text) = matches.get_one::<String>("fields") {
        out.fields = Selection::parse(text)?;
    }
    Ok(())
}

fn color(matches: &ArgMatches) -> Color {
    matches.get_one::<Color>("color").copied().unwrap_or_default()
}

fn perform(verb: &Verb, matches: &ArgMatches, settings: &Settings, out: &mut Out) -> Result<u8, Failure> {
    let clock = Clock::new(settings.fixed_time()?);
    let ids = Ids::new(settings.seed()?);
    let store = matches.get_one::<PathBuf>("store").cloned();
    let context = Context::new(settings, &clock, &ids, store);
    let done = (verb.run)(matches, &context, out);
    // The process ends now, and the system takes the store's files and memory back at less cost.
    std::mem::forget(context);
    done
}
