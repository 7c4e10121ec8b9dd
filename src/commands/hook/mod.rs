//! `hook`: what the harness of an agent injects, and the settings that make it do so.

mod settings_file;
mod standard_input;
mod telling;
mod trust;

use std::path::{Path, PathBuf};
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Context, Listener, Me, Report};
use crate::domain::hook::{Harness, Moment};
use crate::failure::{Code, Failure};

pub use settings_file::{Entry, Settings};
pub use telling::{Told, ToldOf};
pub use trust::Obstacle;

/// How long a hook waits for its turn to write, and then again for the store's own lock. Both, with the wait for
/// standard input, must end well before the harness ends the hook.
const PATIENCE: Duration = Duration::from_secs(1);

/// Tell an agent's harness of its mail
///
/// `bb hook HARNESS EVENT` is what a harness runs; it reads the harness's JSON on standard input and prints
/// what is to be injected, or nothing. It always exits with 0, marks nothing read and never creates a store.
///
/// `bb hook install|uninstall|status HARNESS` adds these commands to the harness's settings, takes them out,
/// or looks for them. Everything else in the settings stays as it is, and a copy is kept of what is changed.
#[derive(Debug, Clone, clap::Args, Deserialize, JsonSchema)]
pub struct Args {
    /// claude-code, codex or plain; or install, uninstall or status
    #[arg(value_name = "HARNESS|ACTION", value_parser = called)]
    #[schemars(with = "String")]
    pub first: Called,
    /// session-start, prompt, tool or stop; or the harness
    #[arg(value_name = "EVENT|HARNESS")]
    pub second: String,
    #[command(flatten)]
    #[serde(flatten)]
    pub me: Me,
    /// The session, when standard input names none
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,
    /// The settings to edit (else the user's own)
    #[arg(long, value_name = "FILE")]
    pub settings: Option<PathBuf>,
}

/// What the first word asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub enum Called {
    By(Harness),
    For(Action),
}

/// What is done about the settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    Install,
    Uninstall,
    Status,
}

fn called(text: &str) -> Result<Called, String> {
    let action = match text {
        "install" => Some(Action::Install),
        "uninstall" => Some(Action::Uninstall),
        "status" => Some(Action::Status),
        _ => None,
    };
    match (action, text.parse()) {
        (Some(action), _) => Ok(Called::For(action)),
        (None, Ok(harness)) => Ok(Called::By(harness)),
        (None, Err(_)) => {
            Err("it is none of claude-code, codex, plain, install, uninstall and status".to_owned())
        }
    }
}

impl TryFrom<String> for Called {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        called(&text)
    }
}

/// What was told, or how the settings stand.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Hook {
    Told(Box<Told>),
    Settings(Box<Settings>),
}

impl Report for Hook {
    fn retract(&self, context: &Context) {
        if let Self::Told(told) = self {
            told.give_back(context);
        }
    }

    fn settle(&self, context: &Context) -> Result<(), Failure> {
        if let Self::Told(told) = self {
            told.note_activity(context);
        }
        Ok(())
    }
}

/// Answers a harness, or looks after its settings.
pub fn run(context: &Context, args: &Args, listener: &mut dyn Listener) -> Result<Hook, Failure> {
    match args.first {
        Called::By(harness) => {
            context.hurry(PATIENCE);
            Ok(Hook::Told(Box::new(answer(context, args, harness, listener))))
        }
        Called::For(action) => {
            let harness = harness_named(&args.second)?;
            let file = settings_file::locate(context, harness, args.settings.as_deref())?;
            Ok(Hook::Settings(Box::new(settings_file::tend(context, harness, action, &file)?)))
        }
    }
}

/// How the hooks stand in all settings of a harness that count here; changes nothing.
pub(super) fn everywhere(context: &Context, harness: Harness) -> Vec<Result<Settings, Failure>> {
    match settings_file::all(context, harness) {
        Ok(files) => {
            files.iter().map(|file| settings_file::tend(context, harness, Action::Status, file)).collect()
        }
        Err(failure) => vec![Err(failure)],
    }
}

/// Adds the hooks that settings lack and agents cannot do without.
pub(super) fn complete(context: &Context, settings: &Settings) -> Result<Settings, Failure> {
    settings_file::complete(context, settings.harness, Path::new(&settings.file))
}

/// Whatever goes wrong is said beside the answer, which is then empty.
fn answer(context: &Context, args: &Args, harness: Harness, listener: &mut dyn Listener) -> Told {
    let told = match args.second.parse::<Moment>() {
        Ok(moment) => telling::tell(context, args, harness, moment, listener),
        Err(invalid) => Err(Failure { code: Code::InvalidArgs, ..invalid.into() }),
    };
    told.unwrap_or_else(|failure| {
        say(listener, &failure);
        Told::nothing(harness)
    })
}

/// Says what went wrong where harnesses keep it for their debug log.
fn say(listener: &mut dyn Listener, failure: &Failure) {
    let _ = listener.notice(&format!("bb hook: {}: {}", failure.code, failure.message));
}

fn harness_named(text: &str) -> Result<Harness, Failure> {
    match text.parse() {
        Ok(Harness::Plain) => Err(Failure::new(Code::InvalidArgs, "`plain` has no settings to edit")
            .hint("call `bb hook plain prompt` from whatever runs the agent, and pass on what it prints")),
        Ok(harness) => Ok(harness),
        Err(_) => Err(Failure::new(Code::InvalidArgs, format!("`{text}` is not a harness with settings"))
            .hint("use claude-code or codex")),
    }
}
