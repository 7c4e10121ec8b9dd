//! `report`: the replacements, counted, for people.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Context, Report, handing};
use crate::domain::replacement;
use crate::failure::Failure;

/// Report on the replacements
#[derive(Debug, Clone, Default, clap::Args, Deserialize, JsonSchema)]
pub struct Args {}

/// The report.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct Reported {
    pub report: replacement::Report,
}

impl Report for Reported {}

/// Counts what the audit log holds.
pub fn run(context: &Context, _args: &Args) -> Result<Reported, Failure> {
    let entries = context.read(handing::audit_log)?;
    Ok(Reported { report: replacement::Report::of(&entries, context.now()) })
}
