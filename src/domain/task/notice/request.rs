//! What is said when an acknowledgment, or the work after it, does not come as it should.

use std::time::Duration;

use serde_json::json;

use super::{about, one_line, teaching};
use crate::domain::agent::AgentId;
use crate::domain::message::{Kind, MessageId, Priority};
use crate::domain::notice::{Notice, duration_in_words};
use crate::domain::task::{
    AckStatus, EscalationReason, MAX_CORRECTIONS, QUEUE_CHECK_AFTER, Revision, Task, TaskId,
};

/// Asks for the acknowledgment of the task in `request` that did not come; `remaining` is left for it.
pub fn ack_request(task_id: &TaskId, agent: &AgentId, request: &MessageId, remaining: Duration) -> Notice {
    let options = teaching::STATUS_OPTIONS.map(AckStatus::in_text);
    let body = format!(
        "I sent you task {task_id} but have not received acknowledgment.\n\
         Please confirm receipt with: [ACK] {task_id} - {{status}}\n\
         \n\
         Status options: {}\n\
         \n\
         With bb: {}\n\
         Without an answer within {} you count as unresponsive.",
        options.join(", "),
        teaching::command(task_id, agent, AckStatus::Received),
        duration_in_words(remaining)
    );
    let content = json!({
        "type": Kind::AckRequest,
        "task_id": task_id,
        "assignment_message_id": request,
        "time_remaining": duration_in_words(remaining),
        "status_options": options,
        "acknowledgment": teaching::content(task_id, agent),
    });
    let subject = format!("ACK REQUIRED: {task_id}");
    Notice::with_content(Kind::AckRequest, Priority::High, subject, body, content)
}

/// Tells `to` not to work on the task, because it was taken back or belongs to another agent.
pub fn stop(task: &Task, to: &AgentId) -> Notice {
    let id = &task.task_id;
    let holder = Some(&task.agent).filter(|agent| *agent != to);
    let why = match (holder, &task.summary) {
        (Some(agent), _) => format!("it is with {agent}"),
        (None, Some(reason)) => format!("it was cancelled: {}", one_line(reason, usize::MAX)),
        (None, None) => "it was cancelled".to_owned(),
    };
    let body = format!(
        "CANCEL task {id}: {why}.\n\n\
         Stop working on it, change nothing more for it, and acknowledge this message. \
         Report what you have already changed."
    );
    about(task, Kind::CancellationNotice, &format!("CANCEL: {id}"), body)
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
    about(task, Kind::TaskClarification, &subject, body)
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
        teaching::command(&task.task_id, &task.agent, AckStatus::Received),
        teaching::minutes_text(QUEUE_CHECK_AFTER)
    );
    about(task, Kind::AckRequest, &format!("Queued, not begun: {id}"), body)
        .priority(Priority::High)
        .with("queued_since", json!(task.queued_since))
        .with("check", json!(task.queue_checks))
        .with("next_check_minutes", json!(teaching::minutes(QUEUE_CHECK_AFTER)))
}

/// Hands the task's trouble to whoever is above its delegator.
pub fn escalation(task: &Task, reason: EscalationReason) -> Notice {
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
    about(task, Kind::Escalation, &subject, body)
        .priority(Priority::Urgent)
        .with("reason", json!(word))
        .with("agent", json!(task.agent))
        .with("delegated_by", json!(task.delegated_by))
        .with("corrections", json!(task.corrections))
        .with("understanding", json!(task.understanding))
        .with("correct_understanding", json!(correct))
        .with("action_required", json!("reassign_task"))
}
