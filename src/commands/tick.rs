//! `tick`: every step of handshakes and tasks that is due, once, for cron or a supervisor.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::handshake::{advance, is_due, time_of};
use super::{Context, Report, tasking};
use crate::domain::Timestamp;
use crate::domain::handshake::{End, Handshake, Outcome, Snapshot};
use crate::domain::task::{Task, TaskView};
use crate::failure::Failure;
use crate::store::sqlite::StoredHandshake;

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
    /// Tasks about which something was due.
    pub tasks: Vec<TaskView>,
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

/// Does what is due, each handshake in a transaction of its own; the others are not touched. One that cannot go on
/// does not keep the others from it: the first failure is told when everything else is done.
pub fn run(context: &Context, _: &Args) -> Result<Ticked, Failure> {
    let open = context.read(|view| {
        let looked_at = |stored| Ok((is_due(context, view, &stored)?, stored));
        view.open_handshakes()?.into_iter().map(looked_at).collect::<Result<Vec<_>, Failure>>()
    })?;
    let mut ticked = Ticked {
        looked_at: open.len(),
        advanced: Vec::new(),
        ended: Vec::new(),
        tasks: Vec::new(),
        next_due_at: None,
    };
    let mut failed = None;
    for (due, stored) in open {
        let stepped = if due { step(context, &stored.snapshot.id, &mut ticked) } else { Ok(Some(stored)) };
        let stored = stepped.unwrap_or_else(|failure| {
            failed.get_or_insert(failure);
            None
        });
        let next = stored.and_then(|stored| next_step(context, stored));
        ticked.next_due_at = [ticked.next_due_at, next].into_iter().flatten().min();
    }
    for task in context.read(|view| Ok(view.tasks_with_a_step()?))? {
        if let Err(failure) = look_after(context, &task, &mut ticked) {
            failed.get_or_insert(failure);
        }
    }
    failed.map_or(Ok(ticked), Err)
}

/// Does what is due in one handshake, unless somebody else has done it meanwhile.
fn step(context: &Context, operation: &str, ticked: &mut Ticked) -> Result<Option<StoredHandshake>, Failure> {
    context.write(|transaction, now| {
        let Some(before) = transaction.handshake(operation)?.filter(|it| it.snapshot.end.is_none()) else {
            return Ok(None);
        };
        let after = advance(context, transaction, before.clone(), now)?;
        if after != (Snapshot { latest_at: after.latest_at, ..before.snapshot.clone() }) {
            ticked.advanced.push(operation.to_owned());
        }
        if let Some(End { outcome, proceed, .. }) = after.end {
            ticked.ended.push(EndedBy { operation_id: operation.to_owned(), outcome, proceed });
        }
        Ok(Some(StoredHandshake { snapshot: after, ..before }))
    })
}

fn next_step(context: &Context, stored: StoredHandshake) -> Option<Timestamp> {
    let at = time_of(&stored, context.clock);
    let (when, _) = Handshake::resume(stored.snapshot).poll_timeout()?;
    Some(context.now() + when.since(at))
}

/// Asks again who could not take a task, or after one who queued it and never began.
fn look_after(context: &Context, task: &Task, ticked: &mut Ticked) -> Result<(), Failure> {
    let mut next = task.due_at();
    if next.is_some_and(|due| due <= context.now()) {
        let after = context.write(|transaction, now| {
            let is_due = |task: &Task| task.due_at().is_some_and(|due| due <= now);
            if let Some(due) = transaction.task(&task.task_uuid)?.filter(is_due) {
                tasking::take_step(context, transaction, due, now)?;
            }
            Ok(transaction.task(&task.task_uuid)?)
        })?;
        next = after.as_ref().and_then(Task::due_at);
        ticked.tasks.extend(after.map(|task| task.view(context.now())));
    }
    ticked.next_due_at = [ticked.next_due_at, next].into_iter().flatten().min();
    Ok(())
}
