//! `handoff`: the tasks of a failed agent are offered to its replacement.

use schemars::JsonSchema;
use serde::Deserialize;

use super::handing::{self, HandoffReport, Order};
use super::{Context, Listener};
use crate::failure::Failure;

/// Hand the tasks of a failed agent to another one
#[derive(Debug, Clone, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default)]
#[command(group(clap::ArgGroup::new("whom").required(true).args(["failed"])))]
pub struct Args {
    #[command(flatten)]
    #[serde(flatten)]
    pub order: Order,
    /// The checkpoint from which the replacement is to go on
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub starting_from: Option<String>,
}

/// Keeps the document, publishes it if that was asked for, and sends the notice.
pub fn run(context: &Context, args: &Args, listener: &mut dyn Listener) -> Result<HandoffReport, Failure> {
    let prepared = args.order.begin(context, args.starting_from.as_deref())?;
    handing::announce(&prepared.handoff, listener)?;
    let mut tell = |line: &str| listener.notice(line);
    let handoff = handing::deliver(context, &prepared.handoff.handoff_id, &mut tell)?;
    Ok(HandoffReport::begun(&handoff, "handed over", prepared))
}
