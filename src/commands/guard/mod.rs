//! `guard`: a git hook that keeps commits out of what others have reserved.

mod check;
mod hook;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Context, Me, Report};
use crate::domain::agent::{Agent, AgentId};
use crate::domain::reservation::Reservation;
use crate::failure::Failure;

/// What to do with the hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// Write the pre-commit hook; one that is there is kept and still runs
    Install,
    /// Refuse staged files that others have reserved
    Check,
    /// Take the hook away and bring back the one before it
    Uninstall,
}

/// Guard commits against what others have reserved
#[derive(Debug, Clone, clap::Args, Deserialize, JsonSchema)]
pub struct Args {
    #[arg(value_name = "ACTION")]
    pub action: Action,
    #[command(flatten)]
    #[serde(flatten)]
    pub me: Me,
    /// Warn, and let the commit happen
    #[arg(long)]
    #[serde(default)]
    pub warn_only: bool,
}

/// What was done.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Guarded {
    Hook(Hook),
    Checked(Checked),
}

/// The hook as it is now.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Hook {
    pub hook: String,
    pub installed: bool,
    /// Whether anything was done.
    pub changed: bool,
    /// The hook that was there before: it runs after this one, or has been brought back.
    pub previous: Option<String>,
}

/// The staged files.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Checked {
    /// Who commits, as far as anything says so.
    pub agent_id: Option<AgentId>,
    pub files: usize,
    /// Files that others have reserved; none unless only warnings were asked for.
    pub conflicts: Vec<Kept>,
    /// Files of reservations that have expired and whose owners have gone quiet.
    pub lapsed: Vec<Kept>,
    #[serde(skip)]
    #[schemars(skip)]
    committer: Option<Agent>,
}

/// A file, and the reservation that covers it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Kept {
    pub file: String,
    #[serde(flatten)]
    pub reservation: Reservation,
}

impl Report for Guarded {
    fn settle(&self, context: &Context) -> Result<(), Failure> {
        if let Self::Checked(Checked { committer: Some(agent), .. }) = self {
            context.note_activity(agent);
        }
        Ok(())
    }
}

/// Installs, checks or uninstalls.
pub fn run(context: &Context, args: &Args) -> Result<Guarded, Failure> {
    match args.action {
        Action::Install => hook::install(context, args.warn_only).map(Guarded::Hook),
        Action::Uninstall => hook::uninstall(context).map(Guarded::Hook),
        Action::Check => check::run(context, args).map(Guarded::Checked),
    }
}
