//! `tick`: every step that is due, once, for cron or a supervisor.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::handshake::{advance, time_of};
use super::{Context, Report};
use crate::domain::Timestamp;
use crate::domain::handshake::{Handshake, Outcome};
use crate::failure::Failure;

/// Do every step that is due, once
#[derive(Debug, Clone, Default, clap::Args, Deserialize, JsonSchema)]
pub struct Args {}

/// What was done.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Ticked {
    /// Open handshakes that were looked at.
    pub looked_at: usize,
    /// Operations in which something was due.
    pub advanced: Vec<String>,
    /// Operations that ended by it.
    pub ended: Vec<EndedBy>,
    /// When the next step of any is due.
    #[schemars(with = "Option<String>")]
    pub next_due_at: Option<Timestamp>,
}

/// An operation and how it ended.
#[derive(Debug, Serialize, JsonSchema)]
pub struct EndedBy {
    pub operation_id: String,
    pub outcome: Outcome,
    pub proceed: bool,
}

impl Report for Ticked {}

/// Does what is due, each handshake in a transaction of its own.
pub fn run(context: &Context, _: &Args) -> Result<Ticked, Failure> {
    let open = context.read(|view| Ok(view.open_handshakes()?))?;
    let mut ticked =
        Ticked { looked_at: open.len(), advanced: Vec::new(), ended: Vec::new(), next_due_at: None };
    for operation in open.into_iter().map(|stored| stored.snapshot.id) {
        context.write(|transaction, now| {
            let Some(stored) = transaction.handshake(&operation)?.filter(|it| it.snapshot.end.is_none())
            else {
                return Ok(());
            };
            let before = stored.snapshot.clone();
            let at = time_of(&stored, context.clock);
            let after = advance(context, transaction, stored, now)?;
            let untouched = crate::domain::handshake::Snapshot { latest_at: after.latest_at, ..before };
            if after != untouched {
                ticked.advanced.push(operation.clone());
            }
            if let Some(end) = &after.end {
                let outcome = end.outcome;
                ticked.ended.push(EndedBy { operation_id: operation.clone(), outcome, proceed: end.proceed });
            }
            let due = Handshake::resume(after).poll_timeout().map(|(when, _)| now + when.since(at));
            ticked.next_due_at = [ticked.next_due_at, due].into_iter().flatten().min();
            Ok(())
        })?;
    }
    Ok(ticked)
}
