//! From what was typed or sent to the task that is meant.

use crate::domain::message::Message;
use crate::domain::task::{Addressed, Task, TaskId, addressed};
use crate::failure::{Code, Failure};
use crate::store::Transaction;
use crate::store::sqlite::TaskFilter;

/// Enough to find the one open task whose name differs only in its case.
const LOOKED_THROUGH: u32 = 10_000;

/// The task of that name: the open one, else the newest. Only its case may differ, while one task fits.
pub(crate) fn named(view: &Transaction, id: &TaskId) -> Result<Task, Failure> {
    if let Some(task) = view.task_named(id)? {
        return Ok(task);
    }
    let open = view.tasks(&TaskFilter { open: true, ..TaskFilter::default() }, LOOKED_THROUGH)?;
    if let Addressed::Task(task) = addressed(id, &open) {
        return Ok(task.clone());
    }
    Err(Failure::new(Code::TaskNotFound, format!("there is no task `{id}`"))
        .hint("list the open ones with `bb tasks --open`"))
}

/// The task a message of its delegator is about, while it is with the one who got the message.
pub(crate) fn of_message(view: &Transaction, message: &Message) -> Result<Option<Task>, Failure> {
    let field = |name: &str| message.content.as_ref()?.get(name)?.as_str();
    let found = if let Some(uuid) = field("task_uuid") {
        view.task(uuid)?
    } else if let Some(id) = field("task_id").and_then(|text| text.parse().ok()) {
        view.task_named(&id)?
    } else if let Some(operation) = &message.operation_id {
        let about = view.handshake(operation)?.and_then(|stored| stored.snapshot.operation.task_id);
        about.map(|id| view.task_named(&id)).transpose()?.flatten()
    } else {
        None
    };
    Ok(found.filter(|task| task.delegated_by == message.from_agent && task.agent == message.to_agent))
}

/// The task whose acknowledgment a message asks its recipient for.
pub(crate) fn asked_by(view: &Transaction, message: &Message) -> Result<Option<Task>, Failure> {
    let asks =
        |task: &Task| message.kind.asks_for_ack() || task.asked_in.as_ref() == Some(&message.message_id);
    Ok(of_message(view, message)?.filter(asks))
}

/// The task that a mail of its agent is about by its thread or content, while its acknowledgment is awaited.
pub(crate) fn owed_in_thread(view: &Transaction, mail: &Message) -> Result<Option<Task>, Failure> {
    let named = mail.content.as_ref().and_then(|content| content.get("task_id")?.as_str()?.parse().ok());
    let Some(id) = named.or_else(|| Task::of_thread(&mail.thread_id)) else { return Ok(None) };
    let open = view.open_tasks_between(&mail.from_agent, &mail.to_agent)?;
    Ok(match addressed(&id, &open) {
        Addressed::Task(task) if task.awaits_ack() => Some(task.clone()),
        _ => None,
    })
}
