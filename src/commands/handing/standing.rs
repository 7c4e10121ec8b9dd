//! How a replacement stands: what is found, compared with what must hold.

use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;

use super::wait_of;
use crate::commands::Context;
use crate::domain::Timestamp;
use crate::domain::agent::{AgentId, AgentState, Liveness};
use crate::domain::diagnosis::{Facts, diagnose};
use crate::domain::event::Event;
use crate::domain::handoff::{Handoff, Step, TaskRef};
use crate::domain::handshake::Status;
use crate::domain::message::{Message, MessageId, State};
use crate::domain::replacement::{AuditEntry, Group, Standing, checklist};
use crate::failure::{Code, Failure};
use crate::store::Transaction;
use crate::store::archive::Archive;
use crate::store::sqlite::{EventFilter, TaskFilter};

/// Whether the notice of a handoff can reach its replacement, and has.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Reach {
    pub agent: AgentId,
    /// Where it runs, as far as it said so.
    pub session: Option<String>,
    pub state: AgentState,
    pub liveness: Liveness,
    #[schemars(with = "String")]
    pub last_seen: Timestamp,
    /// How far the newest notice has come; none when none was sent.
    pub notice: Option<State>,
    /// Why it probably did not acknowledge.
    pub diagnosis: Option<String>,
    /// What to try.
    pub next: Option<String>,
    #[serde(skip)]
    pub now: Timestamp,
}

/// How the replacement is reached, and why it is silent.
pub(crate) fn reach(context: &Context, view: &Transaction, handoff: &Handoff) -> Result<Reach, Failure> {
    let agent = context.known(view, &handoff.replacement.id, Code::AgentNotFound)?;
    let liveness = context.liveness(&agent)?;
    let notice = handoff.message_id().map(|id| view.message(id)).transpose()?.flatten();
    let silent = handoff.step().is_delivered() && handoff.newest_ack().is_none();
    let found = notice.as_ref().filter(|_| silent).map(|notice| {
        let facts = Facts {
            agent: &agent.id,
            status: Status::Waiting,
            proceeds: false,
            state: agent.state,
            liveness,
            last_seen: agent.last_seen_at,
            read_at: notice.read_at,
            answer: None,
            said: None,
            successor: agent.replaced_by.as_ref(),
            again: &format!("bb agent wait-ack --handoff {}", handoff.handoff_id),
        };
        diagnose(&facts, context.now())
    });
    let (diagnosis, next) = found.map(|it| (it.why, it.next)).unzip();
    Ok(Reach {
        liveness,
        state: agent.state,
        last_seen: agent.last_seen_at,
        session: agent.session,
        agent: agent.id,
        notice: notice.map(|notice| notice.state),
        diagnosis,
        next,
        now: context.now(),
    })
}

/// The checklists of a handoff, item by item.
pub(crate) fn checklists(
    context: &Context,
    view: &Transaction,
    handoff: &Handoff,
) -> Result<Vec<Group>, Failure> {
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
    let audit = audit_entry(context, view, handoff)?;
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

/// The entry of a handoff in the audit log, also where it has left the store.
fn audit_entry(
    context: &Context,
    view: &Transaction,
    handoff: &Handoff,
) -> Result<Option<AuditEntry>, Failure> {
    let Some(since) = handoff.taken_at(Step::Audited) else { return Ok(None) };
    let is_entry = |it: &Event| {
        [AuditEntry::EVENT, AuditEntry::CORRECTION].contains(&it.event.as_str())
            && it.about.as_deref() == Some(handoff.handoff_id.as_str())
    };
    let mut entries = view.events_about(handoff.handoff_id.as_str())?;
    entries.retain(is_entry);
    if entries.is_empty() {
        let filter = EventFilter { since: Some(since), ..EventFilter::default() };
        let files = view.archive_files()?;
        let archive = Archive::of(context.store()?.location());
        archive.read_all(files.iter().filter(|it| filter.may_be_in(it)), &mut |event| {
            if is_entry(&event) {
                entries.push(event);
            }
        })?;
    }
    Ok(entries.into_iter().rev().find_map(|it| serde_json::from_value(it.data).ok()))
}

/// The open tasks of the failed agent that this handoff does not move.
pub(crate) fn left_behind(view: &Transaction, handoff: &Handoff) -> Result<Vec<TaskRef>, Failure> {
    let filter = TaskFilter { agent: Some(handoff.failed.id.clone()), open: true, ..TaskFilter::default() };
    let moves = |uuid: &str| handoff.step().is_open() && handoff.tasks.iter().any(|it| it.task_uuid == uuid);
    let mut left = view.tasks(&filter, u32::MAX)?;
    left.retain(|task| task.agent == handoff.failed.id && !moves(&task.task_uuid));
    left.sort_by(|a, b| a.task_id.cmp(&b.task_id));
    Ok(left.iter().map(TaskRef::of).collect())
}
