//! The story of a delegated task.

use super::past::Wanted;
use super::{Next, Question, Story, fact};
use crate::domain::story::tell;
use crate::domain::task::{Task, TaskId, TaskStatus, notice};
use crate::failure::Failure;

pub(super) fn story(question: &Question) -> Result<Option<Story>, Failure> {
    let (view, now) = (question.view, question.context.now());
    let named = match question.part.parse::<TaskId>() {
        Ok(id) => view.task_named(&id)?,
        Err(_) => None,
    };
    let Some(task) = named.or(view.task(question.part)?) else { return Ok(None) };
    // It may have been given to somebody else since it began.
    let mut wanted = Wanted::default();
    wanted.about(&task.task_id);
    if let Some(id) = &task.message_id {
        wanted.about(id);
        for handshake in view.handshakes_about(id)? {
            wanted.operation(&handshake.snapshot.id);
        }
    }
    let mut past = question.past(&wanted)?;
    // A name may have been used before; a story is about one life of it.
    past.events.retain(|event| {
        event.about.as_deref() != Some(task.task_id.as_str())
            || event.data.get("task_uuid").is_none_or(|uuid| *uuid == task.task_uuid.as_str())
    });
    let standing = match task.obstacle(now) {
        _ if task.status.is_closed() => task.status.to_string(),
        Some(why) => format!("{}: {why}", task.status),
        None => format!("{}: it may begin", task.status),
    };
    let mut facts =
        vec![fact("task", &task.task_id), fact("with", &task.agent), fact("from", &task.delegated_by)];
    facts.extend(task.understanding.as_ref().map(|text| fact("understood", text)));
    facts.extend(task.questions.iter().map(|text| fact("question", text)));
    facts.extend(
        task.checkpoints.iter().map(|it| fact("checkpoint", format!("{}: {}", it.number, it.summary))),
    );
    facts.extend(past.gap);
    Ok(Some(Story {
        id: task.task_uuid.clone(),
        kind: "task",
        title: task.title.clone(),
        standing,
        facts,
        steps: tell(past.events, task.task_id.as_str()),
        next: next(&task),
    }))
}

/// The agent acknowledges and works; the delegator answers, or gives the task to somebody else.
fn next(task: &Task) -> Option<Next> {
    let id = task.task_id.in_shell();
    let Task { agent, delegated_by: delegator, .. } = task;
    let (agent, command) = match task.status {
        TaskStatus::Assigned | TaskStatus::Reassigned | TaskStatus::Queued => {
            (agent, notice::lesson(task).command)
        }
        TaskStatus::Received | TaskStatus::Confirmed | TaskStatus::Working => {
            (agent, format!("bb agent complete --task {id} --agent {agent}"))
        }
        TaskStatus::NeedsClarification => {
            (delegator, format!("bb agent clarify --task {id} --answer \"your answer\" --agent {delegator}"))
        }
        TaskStatus::Rejected | TaskStatus::Error | TaskStatus::Unresponsive => {
            (delegator, format!("bb agent assign --task {id} --to AGENT --reassign --from {delegator}"))
        }
        TaskStatus::Complete | TaskStatus::Cancelled => return None,
    };
    Some(Next { agent: agent.clone(), command })
}
