//! What is said when an acknowledgment, or the work after it, does not come as it should.

use std::time::Duration;

use serde_json::json;

use super::{Notice, teaching};
use crate::domain::agent::AgentId;
use crate::domain::message::{Kind, Priority};
use crate::domain::task::{AckStatus, EscalationReason, MAX_CORRECTIONS, QUEUE_CHECK_AFTER, Revision, Task};

/// Asks for the acknowledgment that did not come, and gives it `ack_timeout` more.
pub fn ack_request(task: &Task, ack_timeout: Duration) -> Notice {
    let id = &task.task_id;
    let options = teaching::STATUS_OPTIONS.map(AckStatus::in_text);
    let body = format!(
        "I sent you task {id} but have not received acknowledgment.\n\
         Please confirm receipt with: [ACK] {id} - {{status}}\n\
         \n\
         Status options: {}\n\
         \n\
         With bb: {}\n\
         Without an answer within {} you count as unresponsive.",
        options.join(", "),
        teaching::command(task, AckStatus::Received),
        teaching::minutes_text(ack_timeout)
    );
    Notice::to_agent(task, Kind::AckRequest, &format!("ACK REQUIRED: {id}"), body)
        .priority(if task.critical { Priority::Urgent } else { Priority::High })
        .with("assignment_message_id", json!(task.message_id))
        .with("assigned_at", json!(task.assigned_at))
        .with("ack_timeout_minutes", json!(teaching::minutes(ack_timeout)))
        .with("status_options", json!(options))
}

/// Tells `to` not to work on the task, because it was taken back or belongs to another agent.
pub fn stop(task: &Task, to: &AgentId) -> Notice {
    let id = &task.task_id;
    let holder = Some(&task.agent).filter(|agent| *agent != to);
    let why = holder.map_or_else(|| "it was cancelled".to_owned(), |agent| format!("it is with {agent}"));
    let body = format!(
        "CANCEL task {id}: {why}.\n\n\
         Stop working on it, change nothing more for it, and acknowledge this message. \
         Report what you have already changed."
    );
    let ends = [&task.delegated_by, to];
    Notice::between(task, ends, Kind::CancellationNotice, &format!("CANCEL: {id}"), body)
        .priority(Priority::Urgent)
        .requiring_ack()
        .with("reason", json!(why))
        .with("assigned_to", json!(holder))
}

/// Tells the assignee that nobody else works on the task, and asks it to confirm.
pub fn sole_assignee(task: &Task) -> Notice {
    let body = format!(
        "You are the sole assignee of task {}. Another agent that had acknowledged it was told to stop.\n\n\
         Confirm by acknowledging this message.",
        task.task_id
    );
    let subject = format!("Sole assignee: {}", task.task_id);
    Notice::to_agent(task, Kind::TaskClarification, &subject, body)
        .priority(Priority::High)
        .requiring_ack()
        .with("sole_assignee", json!(task.agent))
}

/// Asks an agent that queued the task how its earlier work stands, and to begin if it is done.
pub fn queued_check(task: &Task) -> Notice {
    let id = &task.task_id;
    let note = task.note.as_deref().map(|note| format!(" You said: {note}")).unwrap_or_default();
    let body = format!(
        "You queued task {id} and have not begun it.{note}\n\n\
         Is your earlier work complete? Then begin now, and say so: {}\n\
         Is it blocked? Then say by what, so that it can be unblocked.\n\n\
         The next look is in {}; after that the task is escalated.",
        teaching::command(task, AckStatus::Received),
        teaching::minutes_text(QUEUE_CHECK_AFTER)
    );
    Notice::to_agent(task, Kind::AckRequest, &format!("Queued, not begun: {id}"), body)
        .priority(Priority::High)
        .with("queued_since", json!(task.queued_since))
        .with("check", json!(task.queue_checks))
        .with("next_check_minutes", json!(teaching::minutes(QUEUE_CHECK_AFTER)))
}

/// Hands the task's trouble to whoever is above its delegator.
pub fn escalation(task: &Task, to: &AgentId, reason: EscalationReason) -> Notice {
    let (word, what) = match reason {
        EscalationReason::Misunderstood => {
            ("misunderstood", format!("is still misunderstood after {MAX_CORRECTIONS} corrections"))
        }
        EscalationReason::NeverStarted => ("never_started", "was queued and never begun".to_owned()),
        EscalationReason::Unresponsive => ("unresponsive", "was never acknowledged".to_owned()),
    };
    let id = &task.task_id;
    let correct = match &task.revision {
        Some(Revision::Correction { correct, .. }) => Some(correct),
        _ => None,
    };
    let mut body = format!("Task {id}, delegated by {} to {}, {what}.\n", task.delegated_by, task.agent);
    if let Some(understanding) = &task.understanding {
        body.push_str(&format!("\nIts understanding: {understanding}"));
    }
    if let Some(correct) = correct {
        body.push_str(&format!(
            "\nCorrect understanding: {correct}\n\nThe agent may lack what the task needs."
        ));
    }
    body.push_str("\nGive the task to a different agent, or cancel it.");
    let subject = format!("ESCALATION: task {id} {what}");
    Notice::between(task, [&task.delegated_by, to], Kind::Escalation, &subject, body)
        .priority(Priority::Urgent)
        .with("reason", json!(word))
        .with("agent", json!(task.agent))
        .with("delegated_by", json!(task.delegated_by))
        .with("corrections", json!(task.corrections))
        .with("understanding", json!(task.understanding))
        .with("correct_understanding", json!(correct))
        .with("action_required", json!("reassign_task"))
}
