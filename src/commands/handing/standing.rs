//! How a replacement stands: what is found, compared with what must hold.

use std::path::Path;

use super::wait_of;
use crate::domain::handoff::{Handoff, Step};
use crate::domain::message::{Message, MessageId};
use crate::domain::replacement::{AuditEntry, Group, Standing, checklist};
use crate::failure::Failure;
use crate::store::Transaction;

/// The checklists of a handoff, item by item.
pub(crate) fn checklists(view: &Transaction, handoff: &Handoff) -> Result<Vec<Group>, Failure> {
    let message = |id: Option<&MessageId>| -> Result<Option<Message>, Failure> {
        Ok(id.map(|id| view.message(id)).transpose()?.flatten())
    };
    let notice = message(handoff.message_id())?;
    let confirmation = message(handoff.confirmation.as_ref().map(|it| &it.message_id))?;
    let mut tasks = Vec::new();
    for wanted in &handoff.tasks {
        tasks.extend(view.task(&wanted.task_uuid)?);
    }
    let (failed, replacement) = (view.agent(&handoff.failed.id)?, view.agent(&handoff.replacement.id)?);
    let audit = match handoff.step() {
        Step::Audited => Some(AuditEntry::of(handoff)?),
        _ => None,
    };
    let standing = Standing {
        copy_exists: handoff.document.as_ref().is_some_and(|document| Path::new(&document.path).is_file()),
        timer_started: wait_of(view, handoff)?.is_some(),
        notice: notice.as_ref(),
        tasks: &tasks,
        failed: failed.as_ref(),
        replacement: replacement.as_ref(),
        confirmation: confirmation.as_ref(),
        audit: audit.as_ref(),
    };
    Ok(checklist(handoff, &standing))
}
