//! Changing a task.

use serde_json::json;

use super::TaskReport;
use super::performing::perform;
use super::reacting::stop_the_wrong_one;
use crate::commands::correspondence::{keep_answer, mark_acked, stored};
use crate::commands::{Context, WhichTask};
use crate::domain::Timestamp;
use crate::domain::ack_text::AckText;
use crate::domain::agent::AgentId;
use crate::domain::event::NewEvent;
use crate::domain::message::{Message, MessageId, Response};
use crate::domain::reply::Verdict;
use crate::domain::task::{Ack, Task, TaskInput, TaskOutput};
use crate::failure::{Code, Failure};
use crate::store::Transaction;

/// How a change came about.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cause<'a> {
    pub by: &'a AgentId,
    /// The agent presented its token.
    pub verified: bool,
    /// The mail that said it, so that no other message has to.
    pub carrier: Option<&'a Message>,
    /// The handshake in which it happened.
    pub operation_id: Option<&'a str>,
    /// Whoever waits for the agent's answer goes on waiting, for its successor's.
    pub carries_waits: bool,
}

impl<'a> Cause<'a> {
    /// Somebody's own command.
    pub(crate) const fn command(by: &'a AgentId, verified: bool) -> Self {
        Self { by, verified, carrier: None, operation_id: None, carries_waits: false }
    }
}

/// A task after a change.
#[derive(Debug)]
pub(crate) struct Changed {
    pub task: Task,
    /// The messages that went out.
    pub sent: Vec<Message>,
    /// It had been said before, and nothing was done.
    pub duplicate: bool,
}

/// Why an agent may not cause this, if it may not. One that had the task before is told to stop, and
/// the right one that it is alone: the caller commits that, although it fails.
pub(crate) fn refusal(
    context: &Context,
    transaction: &Transaction,
    task: &Task,
    by: &AgentId,
    input: &TaskInput,
    now: Timestamp,
) -> Result<Option<Failure>, Failure> {
    if task.permits(by, input) {
        return Ok(None);
    }
    if task.former_agents.contains(by) {
        stop_the_wrong_one(context, transaction, task.clone(), by, now)?;
    }
    Ok(Some(forbidden(task, by)))
}

fn forbidden(task: &Task, by: &AgentId) -> Failure {
    let Task { task_id, agent, delegated_by, .. } = task;
    let what = format!("task `{task_id}` is with `{agent}`, delegated by `{delegated_by}`; you are `{by}`");
    let hint = if task.former_agents.contains(by) {
        format!("it was taken from you: stop working on it, and see `bb inbox --agent {by} --pending`")
    } else {
        "only its agent acknowledges, reports and completes it; only its delegator decides about it"
            .to_owned()
    };
    Failure::new(Code::AckForbidden, what).hint(hint)
}

/// Delegates a new task.
pub(crate) fn begin(
    context: &Context,
    transaction: &Transaction,
    mut task: Task,
    cause: &Cause,
    now: Timestamp,
) -> Result<Changed, Failure> {
    transaction.add_task(&task)?;
    let outputs = [TaskOutput::SendAssignment { to: task.agent.clone() }];
    let sent = perform(context, transaction, &mut task, &outputs, None, cause, now)?;
    let data = json!({"task_uuid": task.task_uuid, "to": task.agent, "status": task.status,
        "message_id": task.message_id, "critical": task.critical});
    let event = NewEvent::new("task.assigned", cause.by, task.task_id.as_str());
    transaction.record(&event.data(data), now)?;
    Ok(Changed { task, sent, duplicate: false })
}

/// Applies what happened, and does what follows from it.
pub(crate) fn change(
    context: &Context,
    transaction: &Transaction,
    mut task: Task,
    input: TaskInput,
    cause: &Cause,
    now: Timestamp,
) -> Result<Changed, Failure> {
    let before = task.clone();
    let outputs = task.apply(input.clone(), now)?;
    if task == before {
        return Ok(Changed { task, sent: Vec::new(), duplicate: true });
    }
    transaction.save_task(&task)?;
    let said = match &input {
        TaskInput::Ack(ack) => Some(ack),
        _ => None,
    };
    record(transaction, &before, &task, &input, &outputs, cause, now)?;
    let sent = perform(context, transaction, &mut task, &outputs, said, cause, now)?;
    if let Some(answer) = answer(&task, &input, cause, &sent, now) {
        settle(context, transaction, &task, &answer, cause, now)?;
        // Whoever waits for the answer may have done something about it.
        if let Some(newest) = transaction.task(&task.task_uuid)? {
            task = newest;
        }
    }
    Ok(Changed { task, sent, duplicate: false })
}

/// What an input answers to whoever asked the agent.
fn answer(
    task: &Task,
    input: &TaskInput,
    cause: &Cause,
    sent: &[Message],
    now: Timestamp,
) -> Option<Response> {
    let (verdict, words, notes) = match input {
        TaskInput::Ack(ack) => {
            (ack.verdict(), AckText::of(task.task_id.clone(), ack).print(), ack.note.clone())
        }
        TaskInput::Fail(error) => (Verdict::Error, format!("{}: {}", error.code, error.message), None),
        _ => return None,
    };
    let carrier: Option<&MessageId> =
        cause.carrier.or_else(|| sent.first()).map(|message| &message.message_id);
    Some(Response { verdict, message: words, notes, message_id: carrier.cloned(), at: now })
}

/// Ties the answer to what asked for it: the newest request. Unless the agent waits for an answer
/// itself, nothing that was sent about the task before needs an ack any more.
fn settle(
    context: &Context,
    transaction: &Transaction,
    task: &Task,
    answer: &Response,
    cause: &Cause,
    now: Timestamp,
) -> Result<(), Failure> {
    for id in transaction.unacked_about(&task.agent, &task.task_uuid)? {
        match answer.verdict {
            Verdict::NeedsClarification => {}
            verdict if verdict.acknowledges() => {
                mark_acked(transaction, &stored(transaction, &id)?, now)?;
            }
            _ => transaction.close_message(&id, now)?,
        }
    }
    if let Some(asked) = &task.asked_in {
        let asked = stored(transaction, asked)?;
        keep_answer(context, transaction, &asked, answer, cause.verified, now)?;
    }
    Ok(())
}

fn record(
    transaction: &Transaction,
    before: &Task,
    after: &Task,
    input: &TaskInput,
    outputs: &[TaskOutput],
    cause: &Cause,
    now: Timestamp,
) -> Result<(), Failure> {
    let mut data = json!({
        "task_uuid": after.task_uuid, "to": after.agent, "status_before": before.status, "status": after.status,
    });
    let more = match input {
        TaskInput::Ack(ack) => ack_fields(ack),
        TaskInput::Fail(error) => json!({"error_code": error.code, "next_action": error.code.next_action()}),
        TaskInput::Checkpoint { number, summary, .. } => json!({"checkpoint": number, "summary": summary}),
        TaskInput::Reassign { to } => json!({
            "former_agent": before.agent,
            "lines": [format!("Task {} given to {to}", after.task_id)],
        }),
        TaskInput::RetryAt { at } => json!({
            "retry_at": at,
            "lines": [format!("Task {} is offered to {} again at {at}", after.task_id, after.agent)],
        }),
        TaskInput::Cancel { reason } => json!({"reason": reason}),
        _ => json!({}),
    };
    if let (Some(fields), Some(more)) = (data.as_object_mut(), more.as_object()) {
        fields.extend(more.clone());
        if outputs.contains(&TaskOutput::Begin) {
            fields.insert("begins".to_owned(), true.into());
        }
    }
    let event = NewEvent::new(input.event(), cause.by, after.task_id.as_str());
    Ok(transaction.record(&event.operation(cause.operation_id).data(data), now)?)
}

fn ack_fields(ack: &Ack) -> serde_json::Value {
    json!({"answer": ack.effective_status(), "understanding": ack.understanding, "questions": ack.questions})
}

/// Applies what an agent says of a task by a command of its own.
pub(crate) fn by_party(
    context: &Context,
    agent: Option<&AgentId>,
    which: &WhichTask,
    input: TaskInput,
    done: &'static str,
) -> Result<TaskReport, Failure> {
    let me = context.identity(agent, "--agent")?.id;
    let (changed, now) = context.write(|transaction, now| {
        let actor = context.acting(transaction, &me, Code::AgentNotFound)?;
        let task = which.task(transaction)?;
        transaction.agent_seen(&me, now)?;
        if let Some(refused) = refusal(context, transaction, &task, &me, &input, now)? {
            return Ok(Err(refused));
        }
        let cause = Cause::command(&me, actor.verified);
        Ok(Ok((change(context, transaction, task, input, &cause, now)?, now)))
    })??;
    Ok(TaskReport::of(changed, done, now))
}
