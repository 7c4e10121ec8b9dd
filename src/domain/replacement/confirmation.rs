//! What the controller is told about a replacement.

use serde_json::{Value, json};

use crate::domain::handoff::notice::compose;
use crate::domain::handoff::{ACKNOWLEDGED_WITH_DELAY, FailedTask, Handoff, HandoffFailure, Transfer};
use crate::domain::message::{Category, Kind, Priority};
use crate::domain::notice::{Notice, duration_in_words};

/// Tells the controller how the replacement went; none while that is undecided.
pub fn confirmation(handoff: &Handoff) -> Option<Notice> {
    match (&handoff.failure, &handoff.transfer) {
        (Some(failure), _) => Some(failed(handoff, failure)),
        (None, Some(transfer)) if transfer.failed.is_empty() => Some(success(handoff, transfer)),
        (None, Some(transfer)) => Some(partial(handoff, transfer)),
        (None, None) => None,
    }
}

fn success(handoff: &Handoff, transfer: &Transfer) -> Notice {
    let uuids: Vec<_> = transfer.moved.iter().map(|it| it.task_uuid.as_str()).collect();
    let fields = json!({
        "message": "Agent replacement completed successfully",
        "status": "success",
        "failed_agent": handoff.failed,
        "replacement_agent": handoff.replacement,
        "details": {
            "tasks_reassigned": uuids.len(),
            "tasks_uuids": uuids,
            "github_issues_updated": handoff.issues_updated(),
            "handoff_id": handoff.handoff_id,
            "handoff_url": handoff.location(),
            "ack_received_at": handoff.ack_received_at(),
            "total_time": handoff.total_time().map(duration_in_words),
        },
    });
    let lines = [format!("Tasks: {}", uuids.join(", "))];
    let subject = "[EOA] Agent Replacement Complete";
    told(handoff, Priority::Normal, subject, &lines, fields)
}

fn partial(handoff: &Handoff, transfer: &Transfer) -> Notice {
    let fields = json!({
        "message": "Agent replacement partially completed",
        "status": "partial",
        "failed_agent": {"id": handoff.failed.id},
        "replacement_agent": {"id": handoff.replacement.id},
        "details": {
            "tasks_reassigned": transfer.moved.len(),
            "tasks_failed": transfer.failed.len(),
            "failed_tasks": transfer.failed,
            "action_required": "manual_reassignment_needed",
        },
    });
    let uuids: Vec<_> = transfer.moved.iter().map(|it| it.task_uuid.as_str()).collect();
    let mut lines = vec![format!("Tasks: {}", uuids.join(", "))];
    let line = |it: &FailedTask| format!("Not reassigned: {} ({})", it.uuid, it.reason);
    lines.extend(transfer.failed.iter().map(line));
    lines.push("Reassign by hand what of that is still to be done.".to_owned());
    let subject = "[EOA] Agent Replacement Partially Complete";
    needing_action(told(handoff, Priority::High, subject, &lines, fields))
}

fn failed(handoff: &Handoff, failure: &HandoffFailure) -> Notice {
    let moot = handoff.has_nothing_to_move();
    let fields = json!({
        "message": "Agent replacement failed",
        "status": "failed",
        "failed_agent": {"id": handoff.failed.id},
        "replacement_agent": {"id": handoff.replacement.id},
        "error": failure,
        "action_required": if moot { "review_tasks" } else { "provide_alternative_agent" },
    });
    let advice = match moot {
        true => format!("Look at what {} still has; another agent would not help.", handoff.failed.id),
        false => "Name another agent for them.".to_owned(),
    };
    let lines = [
        format!("{}: {}", failure.code, failure.message),
        format!("Tasks: {}", handoff.task_uuids().join(", ")),
        advice,
    ];
    let subject = "[EOA] Agent Replacement Failed";
    needing_action(told(handoff, Priority::Urgent, subject, &lines, fields))
}

fn told(handoff: &Handoff, priority: Priority, subject: &str, lines: &[String], mut fields: Value) -> Notice {
    let mut lines = lines.to_vec();
    if let Some(delay) = handoff.rests_on_delay().filter(|_| handoff.transfer.is_some()) {
        lines.push(format!("Moved without an acknowledgment in time: {}", delay.reason));
        if let Some(map) = fields.as_object_mut() {
            map.insert("replacement_status".to_owned(), ACKNOWLEDGED_WITH_DELAY.into());
            map.insert(ACKNOWLEDGED_WITH_DELAY.to_owned(), delay.reason.as_str().into());
        }
    }
    let message = fields.get("message").and_then(Value::as_str).unwrap_or_default();
    let body = format!(
        "{message}: {} by {}.\n\nHandoff: {} ({})\n{}",
        handoff.failed.id,
        handoff.replacement.id,
        handoff.handoff_id,
        handoff.location().unwrap_or_default(),
        lines.join("\n")
    );
    compose(Kind::ReplacementConfirmation, priority, subject.to_owned(), body, fields)
}

/// The same for a controller that has to act on it.
fn needing_action(notice: Notice) -> Notice {
    let category = Category::Blocked;
    Notice { category, requires_ack: category.requires_ack(), ..notice }
}
