//! `onboard`: the instructions an agent needs, printed or kept in a file.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::replacing::{Before, replace};
use super::words::from_file;
use super::{Context, Report};
use crate::domain::onboard::{INSTRUCTIONS, insert};
use crate::failure::{Code, Failure};

/// The largest file that is changed.
const LIMIT: usize = 4 * 1024 * 1024;

/// Print the instructions an agent needs
///
/// With --write they are kept in a file such as AGENTS.md, between two marks. Running it again brings them up
/// to date and leaves everything around the marks as it is.
#[derive(Debug, Clone, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Args {
    /// Keep them in this file, between marks; everything else in it stays
    #[arg(long, value_name = "FILE")]
    pub write: Option<PathBuf>,
}

/// The instructions, or what became of the file.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Onboarding {
    /// The instructions, when they were not written to a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instructions: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    pub changed: bool,
}

impl Report for Onboarding {}

/// Prints the instructions, or brings a file up to date.
pub fn run(context: &Context, args: &Args) -> Result<Onboarding, Failure> {
    let Some(file) = &args.write else {
        return Ok(Onboarding { instructions: Some(INSTRUCTIONS), file: None, changed: false });
    };
    let file = context.settings.current_folder()?.join(file);
    let before = match from_file(&file, LIMIT) {
        Err(failure) if failure.code == Code::FileNotFound => None,
        other => Some(other.map_err(not_text)?),
    };
    let after = insert(before.as_deref().unwrap_or_default())
        .map_err(|invalid| Failure { code: Code::ConfigInvalid, ..Failure::from(invalid) })?;
    let changed = before.as_deref() != Some(after.as_str());
    if changed {
        replace(&file, &after, 0o644, Before::Gone)?;
    }
    Ok(Onboarding { instructions: None, file: Some(file.display().to_string()), changed })
}

/// What is no text, or too much of it, is a file that cannot be read here, and no message.
fn not_text(failure: Failure) -> Failure {
    match failure.code {
        Code::InvalidMessage => Failure { code: Code::IoReadFailed, ..failure }
            .hint("nothing was changed; name a text file such as AGENTS.md"),
        _ => failure,
    }
}
