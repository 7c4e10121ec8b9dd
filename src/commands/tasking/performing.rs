//! Doing what a task calls for: messages, states, incidents, escalations.

use serde_json::json;

use super::Cause;
use crate::commands::Context;
use crate::commands::correspondence::post;
use crate::commands::handshake;
use crate::domain::Timestamp;
use crate::domain::agent::AgentId;
use crate::domain::event::NewEvent;
use crate::domain::message::{Draft, Kind, Message};
use crate::domain::task::notice::{self, Letter};
use crate::domain::task::{ACK_TIMEOUT, Ack, EscalationReason, Task, TaskOutput};
use crate::failure::Failure;
use crate::store::Transaction;

/// Performs the outputs in the transaction that decided them, and stores what the task learns from it.
pub(super) fn perform(
    context: &Context,
    transaction: &Transaction,
    task: &mut Task,
    outputs: &[TaskOutput],
    said: Option<&Ack>,
    cause: &Cause,
    now: Timestamp,
) -> Result<Vec<Message>, Failure> {
    let mut sent = Vec::new();
    for output in outputs {
        match output {
            TaskOutput::Escalate { reason } => {
                sent.push(escalate(context, transaction, task, *reason, now)?);
            }
            TaskOutput::MarkUnresponsive { agent } => {
                handshake::mark_unresponsive(
                    transaction,
                    &task.delegated_by,
                    agent,
                    cause.operation_id,
                    now,
                )?;
            }
            TaskOutput::LogIncident { what } => incident(transaction, task, what, cause, now)?,
            TaskOutput::SendStop { to } => release(context, transaction, task, to, cause, now)?,
            _ => {}
        }
        let Some(letter) = notice::letter(task, output, said, now) else { continue };
        // What the agent's own mail said is not said again.
        if cause.carrier.is_some_and(|mail| mail.from_agent == letter.from) {
            continue;
        }
        let message = send(context, transaction, task, letter, cause, now)?;
        if output.asks() {
            task.asked_in = Some(message.message_id.clone());
        }
        if let TaskOutput::SendAssignment { .. } = output {
            task.message_id = Some(message.message_id.clone());
        }
        sent.push(message);
    }
    transaction.save_task(task)?;
    Ok(sent)
}

/// Sends a message about a task in its thread.
pub(super) fn send(
    context: &Context,
    transaction: &Transaction,
    task: &Task,
    letter: Letter,
    cause: &Cause,
    now: Timestamp,
) -> Result<Message, Failure> {
    let Letter { from, to, notice } = letter;
    let draft = Draft {
        verified: cause.verified && from == *cause.by,
        reply_to: if from == task.agent { task.asked_in.clone() } else { task.message_id.clone() },
        from,
        to,
        bead_id: task.bead.clone(),
        thread_id: task.thread_id(),
        category: notice.category,
        kind: notice.kind,
        priority: notice.priority,
        subject: notice.subject,
        body: notice.body,
        content: Some(notice.content),
        requires_ack: notice.requires_ack,
        ack_due_at: notice.requires_ack.then_some(now + ACK_TIMEOUT),
        broadcast_id: None,
        operation_id: None,
        key: None,
    };
    post(context, transaction, &draft, now)
}

/// Tells whoever is above the delegator.
pub(super) fn escalate(
    context: &Context,
    transaction: &Transaction,
    task: &Task,
    reason: EscalationReason,
    now: Timestamp,
) -> Result<Message, Failure> {
    let controller = handshake::controller(context, transaction, now)?;
    let notice = notice::escalation(task, reason);
    let data = json!({"task_uuid": task.task_uuid, "agent": task.agent, "to": controller,
        "reason": notice.content.get("reason")});
    let event = NewEvent::new("task.escalated", &task.delegated_by, task.task_id.as_str());
    transaction.record(&event.data(data), now)?;
    let letter = Letter { from: task.delegated_by.clone(), to: controller, notice };
    send(context, transaction, task, letter, &Cause::command(&task.delegated_by, false), now)
}

fn incident(
    transaction: &Transaction,
    task: &Task,
    what: &str,
    cause: &Cause,
    now: Timestamp,
) -> Result<(), Failure> {
    let data =
        json!({"agent": task.agent, "task_id": task.task_id, "task_uuid": task.task_uuid, "line": what});
    let event = NewEvent::new("incident", &task.delegated_by, task.agent.as_str());
    Ok(transaction.record(&event.operation(cause.operation_id).data(data), now)?)
}

/// Whoever is told to stop owes nothing about the task any more, and nobody waits for it, unless the wait
/// goes on elsewhere.
fn release(
    context: &Context,
    transaction: &Transaction,
    task: &Task,
    agent: &AgentId,
    cause: &Cause,
    now: Timestamp,
) -> Result<(), Failure> {
    for id in transaction.unacked_about(agent, &task.task_uuid)? {
        let is_stop = transaction.message(&id)?.is_some_and(|it| it.kind == Kind::CancellationNotice);
        if !is_stop {
            transaction.close_message(&id, now)?;
        }
    }
    if cause.carries_waits {
        return Ok(());
    }
    handshake::withdraw(context, transaction, &task.task_id, agent, now)
}
