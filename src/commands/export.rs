//! `export`: the orchestrator's state, the audit log, or a copy of the whole store.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::replacing::{Before, beside, replace};
use super::{Context, Report, handing};
use crate::domain::hidden::escaped_json;
use crate::domain::message::words;
use crate::domain::replacement::{AuditEntry, OrchestratorState, backup_ending};
use crate::domain::{Invalid, Rule, Timestamp, yaml};
use crate::failure::{Code, Failure};
use crate::store::Archive;
use crate::store::sqlite::TaskFilter;

words! {
    /// How a record is written.
    Format, Rule::Format, "format" {
        Yaml => "yaml",
        Json => "json",
    }
}

/// Export the state, the audit log or the store
#[derive(Debug, Clone, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Args {
    /// yaml or json [default: yaml]
    #[arg(long, conflicts_with = "backup")]
    pub format: Option<Format>,
    /// The audit log of the replacements instead of the state
    #[arg(long, conflicts_with = "backup")]
    pub audit: bool,
    /// Write it into this file; what was there is kept as FILE.bak.SECONDS
    #[arg(long, value_name = "FILE", conflicts_with = "backup")]
    pub output: Option<PathBuf>,
    /// Copy the whole store into this new file while others work with it
    #[arg(long, value_name = "FILE")]
    pub backup: Option<PathBuf>,
}

/// What was exported.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Exported {
    State {
        state: Box<OrchestratorState>,
        #[serde(flatten)]
        written: Written,
    },
    Audit {
        audit: Vec<AuditEntry>,
        #[serde(flatten)]
        written: Written,
    },
    Backup {
        backup: String,
        bytes: u64,
        /// The folder of what was archived, which the copy counts on and does not hold.
        archive: Option<String>,
        /// The folder of the handoffs' documents, which it does not hold either.
        handoffs: Option<String>,
    },
}

/// Where it was written, if it was, and its text.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Written {
    pub file: Option<String>,
    /// What the file was before.
    pub kept: Option<String>,
    #[serde(skip)]
    pub text: String,
}

impl Report for Exported {}

/// Gathers what was asked for, and writes it where it was asked for.
pub fn run(context: &Context, args: &Args) -> Result<Exported, Failure> {
    if let Some(file) = &args.backup {
        return back_up(context, file);
    }
    if args.audit {
        let audit = context.read(handing::audit_log)?;
        return Ok(Exported::Audit { written: written(context, args, &audit)?, audit });
    }
    let state = context.read(|view| {
        let filter = TaskFilter { open: true, ..TaskFilter::default() };
        Ok(OrchestratorState::of(&view.tasks(&filter, u32::MAX)?, &view.agents()?, &view.handoffs()?))
    })?;
    Ok(Exported::State { written: written(context, args, &state)?, state: Box::new(state) })
}

fn written(context: &Context, args: &Args, record: &impl Serialize) -> Result<Written, Failure> {
    let unwritable = |error: anyhow::Error| {
        Failure::new(Code::InternalError, "a record cannot be written out").caused_by(error)
    };
    let text = match args.format.unwrap_or(Format::Yaml) {
        Format::Yaml => yaml::text(record).map_err(|error| unwritable(error.into()))?,
        Format::Json => {
            let text = serde_json::to_string_pretty(record).map_err(|error| unwritable(error.into()))?;
            format!("{}\n", escaped_json(&text))
        }
    };
    let Some(file) = &args.output else { return Ok(Written { file: None, kept: None, text }) };
    let ending = free_ending(file, context.now());
    let kept = replace(file, &text, 0o600, Before::Kept(&ending))?;
    let name = |path: &Path| path.display().to_string();
    Ok(Written { file: Some(name(file)), kept: kept.as_deref().map(name), text })
}

/// An ending under which nothing is kept yet: another export of this second must not be overwritten.
fn free_ending(file: &Path, now: Timestamp) -> String {
    let target = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    let first = backup_ending(now);
    let mut endings =
        std::iter::once(first.clone()).chain((2_u32..).map(|number| format!("{first}-{number}")));
    endings.find(|ending| !beside(&target, ending).exists()).unwrap_or(first)
}

/// Copies the store into a file that is not there yet.
fn back_up(context: &Context, file: &Path) -> Result<Exported, Failure> {
    let store = context.store()?;
    let unwritten = |error: io::Error| {
        Failure::new(Code::IoWriteFailed, format!("cannot write `{}`: {error}", file.display()))
            .hint("choose another file, in a folder you can write to")
    };
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(file).map_err(unwritten)?;
    let copied = || -> Result<u64, Failure> {
        let copy = file.canonicalize().map_err(unwritten)?;
        store.copy_into(&copy)?;
        copy.parent().map_or(Ok(()), |folder| File::open(folder)?.sync_all()).map_err(unwritten)?;
        Ok(fs::metadata(&copy).map_err(unwritten)?.len())
    };
    let bytes = copied().inspect_err(|_| {
        let _ = fs::remove_file(file);
    })?;
    let archived = !context.read(|view| Ok(view.archive_files()?))?.is_empty();
    let archive = archived.then(|| Archive::of(store.location()).path("").display().to_string());
    let documents = store.location().folder().join("handoffs");
    let handoffs = documents.is_dir().then(|| format!("{}/", documents.display()));
    Ok(Exported::Backup { backup: file.display().to_string(), bytes, archive, handoffs })
}
