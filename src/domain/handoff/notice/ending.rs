//! What those concerned hear of a handoff that came to nothing.

use serde_json::json;

use super::compose;
use crate::domain::agent::AgentId;
use crate::domain::handoff::{Handoff, TaskRef};
use crate::domain::message::{Kind, Priority};
use crate::domain::notice::Notice;

/// Tells the replacement, or an orchestrator that did not do it itself, that a newer handoff has the tasks.
pub fn superseded(closed: &Handoff, newer: &Handoff, to: &AgentId) -> Notice {
    let Handoff { handoff_id: old, failed, .. } = closed;
    let (new, successor) = (&newer.handoff_id, &newer.replacement.id);
    let message = format!("Handoff {old} is superseded by handoff {new} to {successor}");
    let advice = if to == successor {
        format!("You are still asked to replace {}: read the new document and acknowledge {new}.", failed.id)
    } else if *to == closed.replacement.id {
        format!("You do not replace {} any more: do not begin with its tasks, or stop.", failed.id)
    } else {
        format!("{} will not acknowledge it; {} has decided so.", closed.replacement.id, newer.orchestrator)
    };
    let left = |task: &&TaskRef| newer.tasks.iter().all(|it| it.task_uuid != task.task_uuid);
    let left_over: Vec<_> = closed.tasks.iter().filter(left).map(|task| &task.task_id).collect();
    let mut body = format!("{message}.\n\n{advice}");
    if !left_over.is_empty() {
        let names: Vec<_> = left_over.iter().map(|id| id.as_str()).collect();
        body.push_str(&format!(
            "\nNot in the new one, and with {} as before: {}",
            failed.id,
            names.join(", ")
        ));
    }
    let fields = json!({
        "message": message,
        "handoff_id": old,
        "superseded_by": new,
        "replacement_agent": successor,
        "tasks": closed.task_uuids(),
        "left_over": left_over,
    });
    let subject = format!("[CANCELLED] Handoff {old} is superseded");
    compose(Kind::CancellationNotice, Priority::High, subject, body, fields)
}

/// Tells a replacement that answered why it does not get the tasks; none while the handoff has not failed.
pub fn given_up(handoff: &Handoff) -> Option<Notice> {
    let failure = handoff.failure.as_ref()?;
    let Handoff { handoff_id: id, failed, .. } = handoff;
    let message = format!("Handoff {id} has failed: {}", failure.message);
    let body =
        format!("{message}.\n\nYou do not replace {}: do not begin with its tasks, or stop.", failed.id);
    let fields = json!({
        "message": message,
        "handoff_id": id,
        "error": failure,
        "tasks": handoff.task_uuids(),
    });
    let subject = format!("[CANCELLED] Handoff {id} has failed");
    Some(compose(Kind::CancellationNotice, Priority::High, subject, body, fields))
}
