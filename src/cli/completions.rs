//! `completions`: teaching a shell what may be typed.
//!
//! The script that is printed asks this program at every completion, so that it knows the
//! verbs of all doors and the names that stand in the store. It asks with [`VARIABLE`] set
//! and `--` before the words typed so far, which no ordinary call has: one that completes
//! nothing pays for one look at a variable.

mod bash;
mod words;

use std::ffi::OsString;

use clap_complete::env::{Elvish, EnvCompleter, Fish, Powershell, Zsh};
use schemars::JsonSchema;
use serde::Serialize;

use super::doors::whole_grammar;
use crate::commands::Report;
use crate::exit::Exit;
use crate::failure::{Code, Failure};
use crate::render::{Appearance, Color, Draw, Out, Page, Tone};
use crate::settings::Settings;
use bash::Bash;

/// Set to the name of a shell when it asks for completions.
const VARIABLE: &str = "BB_COMPLETE";

/// zsh runs a script from its own folders at the first completion, which is to be answered too.
const AUTOLOADED: &str = "if [[ $funcstack[1] == _bb ]]; then _clap_dynamic_completer_bb \"$@\"; fi\n";

/// Print a script that teaches a shell to complete
///
/// The script asks bb itself at every completion, so that commands, flags, agents, messages and threads
/// are completed, behind every door. Only names without any character that a shell could act on are
/// offered. For this session of bash: source <(bb completions bash)
#[derive(Debug, Clone, clap::Args)]
pub struct Args {
    /// The shell
    #[arg(value_name = "SHELL", value_enum)]
    pub shell: Shell,
}

/// A shell that can be taught.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Shell {
    Bash,
    Zsh,
    Fish,
    Elvish,
    Powershell,
}

impl Shell {
    pub const ALL: [Self; 5] = [Self::Bash, Self::Zsh, Self::Fish, Self::Elvish, Self::Powershell];

    fn completer(self) -> &'static dyn EnvCompleter {
        match self {
            Self::Bash => &Bash,
            Self::Zsh => &Zsh,
            Self::Fish => &Fish,
            Self::Elvish => &Elvish,
            Self::Powershell => &Powershell,
        }
    }

    /// The name of the script's file where the shell looks for such files.
    pub const fn file(self) -> &'static str {
        match self {
            Self::Bash => "bb.bash",
            Self::Zsh => "_bb",
            Self::Fish => "bb.fish",
            Self::Elvish => "bb.elv",
            Self::Powershell => "bb.ps1",
        }
    }
}

/// A script for a shell.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Script {
    pub shell: &'static str,
    pub script: String,
}

impl Report for Script {}

impl Draw for Script {
    fn draw(&self, page: &mut Page) {
        page.put(Tone::Plain, &self.script);
    }
}

/// Gives the script of a shell.
pub fn run(args: &Args) -> Result<Script, Failure> {
    script(args.shell)
        .map_err(|error| Failure::new(Code::InternalError, "the script cannot be written").caused_by(error))
}

/// The script that makes a shell ask this program.
pub fn script(shell: Shell) -> std::io::Result<Script> {
    let completer = shell.completer();
    let mut script = Vec::new();
    completer.write_registration(VARIABLE, "bb", "bb", "bb", &mut script)?;
    let more = if shell == Shell::Zsh { AUTOLOADED } else { "" };
    let script = format!("{}\n{more}", String::from_utf8_lossy(&script).trim());
    Ok(Script { shell: completer.name(), script })
}

/// Whether a shell asks what may be typed.
pub(super) fn is_asked(settings: &Settings, arguments: &[OsString]) -> bool {
    arguments.get(1).is_some_and(|argument| argument == "--") && settings.is_set(VARIABLE)
}

/// Answers a shell. It is silent about what goes wrong: there is a line half typed on the screen.
pub(super) fn answer(settings: &Settings, arguments: Vec<OsString>) -> u8 {
    let words: Vec<OsString> = arguments.into_iter().skip(2).collect();
    let asking = settings.text(VARIABLE).ok().flatten().unwrap_or_default();
    let shell = Shell::ALL.into_iter().find(|shell| shell.completer().is(&asking));
    let (Some(shell), false) = (shell, words.is_empty()) else { return Exit::Usage.code() };
    let grammar = whole_grammar(|verb| words::known(verb, shell, &words));
    let grammar = words::flags_aside(grammar, &words);
    let mut grammar = grammar.mut_args(|argument| words::left_to_readline(argument, shell));
    let folder = settings.current_folder().ok();
    let mut candidates = Vec::new();
    if shell
        .completer()
        .write_complete(&mut grammar, words.clone(), folder.as_deref(), &mut candidates)
        .is_err()
    {
        return Exit::Done.code();
    }
    let appearance = Appearance::of_stdout(Color::Never, settings);
    let out = Out::new(false, appearance, "agent completions".to_owned());
    let _ = out.text(&String::from_utf8_lossy(&candidates));
    Exit::Done.code()
}
