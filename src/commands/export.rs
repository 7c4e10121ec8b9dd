//! `export`: the orchestrator's state, the audit log, or a copy of the whole store.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Context, Report, handing};
use crate::domain::message::words;
use crate::domain::replacement::{AuditEntry, OrchestratorState, backup_name};
use crate::domain::{Invalid, Rule, Timestamp};
use crate::failure::{Code, Failure};
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
        let bytes = back_up(context, file)?;
        return Ok(Exported::Backup { backup: file.display().to_string(), bytes });
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
        Format::Yaml => serde_norway::to_string(record).map_err(|error| unwritable(error.into()))?,
        Format::Json => {
            let text = serde_json::to_string_pretty(record).map_err(|error| unwritable(error.into()))?;
            format!("{text}\n")
        }
    };
    let Some(file) = &args.output else { return Ok(Written { file: None, kept: None, text }) };
    let kept = put(file, &text, context.now()).map_err(|error| unwritten(file, &error))?;
    let name = |path: &Path| path.display().to_string();
    Ok(Written { file: Some(name(file)), kept: kept.as_deref().map(name), text })
}

/// Writes a file as a whole; the one before is kept under another name.
fn put(file: &Path, text: &str, now: Timestamp) -> io::Result<Option<PathBuf>> {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let beside = |name: String| file.with_file_name(name);
    let kept = file.exists().then(|| beside(backup_name(&name, now)));
    if let Some(kept) = &kept {
        fs::copy(file, kept)?;
    }
    let part = beside(format!("{name}.part.{}", std::process::id()));
    let mut new = private(OpenOptions::new().write(true).create(true).truncate(true), &part)?;
    new.write_all(text.as_bytes())?;
    new.sync_all()?;
    fs::rename(&part, file)?;
    Ok(kept)
}

fn private(options: &mut OpenOptions, file: &Path) -> io::Result<File> {
    options.mode(0o600).open(file)
}

/// Copies the store into a file that is not there yet.
fn back_up(context: &Context, file: &Path) -> Result<u64, Failure> {
    let store = context.store()?;
    private(OpenOptions::new().write(true).create_new(true), file)
        .map_err(|error| unwritten(file, &error))?;
    let copied = store.copy_into(file).map_err(Failure::from);
    if copied.is_err() {
        let _ = fs::remove_file(file);
    }
    copied?;
    Ok(fs::metadata(file).map_or(0, |found| found.len()))
}

fn unwritten(file: &Path, error: &io::Error) -> Failure {
    Failure::new(Code::IoWriteFailed, format!("cannot write `{}`: {error}", file.display()))
        .hint("choose another file, in a folder you can write to")
}
