//! `man`: manual pages of the grammar.

use std::path::{Path, PathBuf};
use std::{fs, io, iter};

use clap::Command;
use clap::builder::{PossibleValuesParser, Resettable};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use schemars::JsonSchema;
use serde::Serialize;

use super::doors::{self, DOORS};
use super::verbs::{VERBS, Verb};
use crate::commands::Report;
use crate::exit::Exit;
use crate::failure::{Code, Failure};
use crate::render::{Draw, Page, Tone};
use crate::settings::KEYS;

/// Variables that are no settings, with what they say.
const VARIABLES: &[(&str, &str)] = &[
    ("BB_AGENT, BD_ACTOR", "who you are, where no flag says so"),
    ("BB_BEAD", "the bead that messages are about, where no flag says so"),
    ("BB_STORE", "the absolute path of the store's file"),
    ("BB_CONFIG", "the configuration file"),
    ("BB_TOKEN, BB_TOKEN_FILE", "the token of a protected agent, or a file that holds it"),
    ("NO_COLOR", "no colour, if set to anything"),
    ("COLUMNS", "the width of tables"),
];

/// Print a manual page, or write all of them
///
/// One line installs them: bb man --write ~/.cargo/share/man/man1
#[derive(Debug, Clone, clap::Args)]
pub struct Args {
    /// The command it is about; without one, the page of bb itself
    #[arg(value_name = "COMMAND", value_parser = names(), hide_possible_values = true)]
    pub command: Option<String>,
    /// Write the pages of all commands into this folder, which is created if need be
    #[arg(long, value_name = "FOLDER", conflicts_with = "command")]
    pub write: Option<PathBuf>,
}

fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(VERBS.iter().map(|verb| verb.name))
}

/// One page, or where all of them were written.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Manuals {
    One(Manual),
    All(Written),
}

/// The pages that were written.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Written {
    pub folder: String,
    pub files: Vec<String>,
}

/// A manual page.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Manual {
    /// The name of its file, for example `bb-send.1`.
    pub file: String,
    pub page: String,
}

impl Report for Manuals {}

impl Draw for Manuals {
    fn draw(&self, page: &mut Page) {
        match self {
            Self::One(manual) => page.put(Tone::Plain, &manual.page),
            Self::All(written) => {
                let text = format!("{} manual pages in {}", written.files.len(), written.folder);
                page.put(Tone::Good, "wrote ").put_foreign(Tone::Plain, &text).end()
            }
        };
    }
}

/// Gives the page of one command or of the program, or writes all pages.
pub fn run(args: &Args) -> Result<Manuals, Failure> {
    if let Some(folder) = &args.write {
        return write_all(folder).map(Manuals::All).map_err(|error| {
            Failure::new(Code::IoWriteFailed, format!("cannot write to `{}`: {error}", folder.display()))
                .hint("name a folder that you may write to")
        });
    }
    let wanted = args.command.as_deref();
    let verb = VERBS.iter().find(|verb| Some(verb.name) == wanted);
    page(verb).map(Manuals::One).map_err(|error| {
        Failure::new(Code::InternalError, "the manual page cannot be written").caused_by(error)
    })
}

fn write_all(folder: &Path) -> io::Result<Written> {
    fs::create_dir_all(folder)?;
    let mut files = Vec::new();
    for verb in iter::once(None).chain(VERBS.iter().map(Some)) {
        let Manual { file, page } = page(verb)?;
        fs::write(folder.join(&file), page)?;
        files.push(file);
    }
    Ok(Written { folder: folder.display().to_string(), files })
}

/// The page of one verb, or of the program.
pub fn page(verb: Option<&'static Verb>) -> std::io::Result<Manual> {
    let command = verb.map_or_else(program, described);
    let man = Man::new(command).manual("bb").source(concat!("bb ", env!("CARGO_PKG_VERSION")));
    let mut page = Vec::new();
    man.render(&mut page)?;
    let more = verb.map_or_else(about_the_program, example);
    page.extend(more.to_roff().bytes());
    Ok(Manual { file: man.get_filename(), page: String::from_utf8_lossy(&page).into_owned() })
}

/// The program itself; its verbs have a section of their own.
fn program() -> Command {
    let mut program = doors::root().override_usage("bb [agent|mail] <command> [flags]");
    program.build();
    program
}

/// A verb with its flags and those that are taken everywhere; its example has a section of its own.
fn described(verb: &'static Verb) -> Command {
    let mut grammar = doors::root().subcommand(verb.whole_command().after_help(Resettable::Reset));
    grammar.build();
    grammar.find_subcommand(verb.name).cloned().unwrap_or(grammar)
}

fn example(verb: &'static Verb) -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", ["EXAMPLE"]).control("nf", []).text([roman(verb.example)]).control("fi", []);
    roff.control("SH", ["SEE ALSO"]).text([bold("bb"), roman("(1)")]);
    roff
}

/// What the page of the program says beyond its flags: doors, commands, variables, exit codes.
fn about_the_program() -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", ["DOORS"]);
    roff.text([roman("Every command can be typed in three ways that do the same: "), bold("bb"), roman(" ")]);
    roff.text([roman("followed by the command, and the same behind a door:")]);
    entries(&mut roff, DOORS.iter().map(|(name, about)| (format!("bb {name}"), (*about).to_owned())));
    roff.control("SH", ["COMMANDS"]);
    entries(&mut roff, VERBS.iter().map(|verb| (format!("bb-{}(1)", verb.name), verb.about.to_owned())));
    roff.control("SH", ["ENVIRONMENT"]);
    entries(&mut roff, VARIABLES.iter().map(|(name, meaning)| ((*name).to_owned(), (*meaning).to_owned())));
    entries(&mut roff, KEYS.iter().map(|key| (key.variable.to_owned(), key.meaning.to_owned())));
    roff.control("SH", ["EXIT STATUS"]);
    entries(&mut roff, Exit::ALL.iter().map(|exit| (exit.code().to_string(), exit.meaning().to_owned())));
    roff
}

fn entries(roff: &mut Roff, entries: impl Iterator<Item = (String, String)>) {
    for (term, meaning) in entries {
        roff.control("TP", []).text([bold(term)]).text([roman(meaning)]);
    }
}
