//! What happened to a handoff, in sentences.

use serde_json::Value;

use super::{quoted, spaced, text};
use crate::domain::event::Event;
use crate::domain::handoff::Attempt;

/// What an event of a handoff says.
pub(super) fn sentence(event: &Event, what: &str, about: &str) -> String {
    let text = |name: &str| text(event, name);
    match what {
        "prepared" => format!(
            "prepared {about} from {} to {}: \"{}\", {}",
            text("failed"),
            text("to"),
            quoted(text("reason")),
            text("urgency")
        ),
        "copied" => {
            let path = event.data.get("document").and_then(|it| it.get("path")?.as_str());
            format!("kept the document of {about} as {}", path.unwrap_or("-"))
        }
        "trying" => format!("began on GitHub: {}", attempt(event)),
        "tried" => tried(event),
        "sent" => format!("sent the notice of {about}, {}", text("message_id")),
        "answered" => format!(
            "answered {about}: {}",
            Some(text("status")).filter(|it| !it.is_empty()).unwrap_or("no status")
        ),
        "clarified" => format!("answered {} about {about}", counted(event, "answers", "question")),
        "verified" => match text("accepted_partial") {
            "" => format!("looked at the acknowledgment: {}", quoted(text("message"))),
            why => format!("accepted the acknowledgment without all its fields: \"{}\"", quoted(why)),
        },
        "corrected" => format!("said what is wrong with the acknowledgment of {about}"),
        "acknowledged_with_delay" => {
            format!("went on without an acknowledgment in time: \"{}\"", quoted(text("reason")))
        }
        "escalated" => format!("told the controller that nobody answers {about}"),
        "transferred" => match counted(event, "failed", "task").as_str() {
            "0 tasks" => format!("moved {}", counted(event, "moved", "task")),
            stuck => format!("moved {}, and could not move {stuck}", counted(event, "moved", "task")),
        },
        "failed" => {
            let why = event.data.get("error").and_then(|it| it.get("message")?.as_str());
            format!("gave {about} up: \"{}\"", quoted(why.unwrap_or_default()))
        }
        "confirmed" => format!("told the controller how it went, {}", text("message_id")),
        "closed" => format!("closed {about}"),
        "superseded" => format!("superseded {about} by {}", text("superseded_by")),
        other => format!("{} {about}", spaced(other)),
    }
}

fn tried(event: &Event) -> String {
    let what = attempt(event);
    match (text(event, "error"), text(event, "url")) {
        ("", "") => format!("did on GitHub: {what}"),
        ("", url) => format!("did on GitHub: {what}, {url}"),
        (error, _) => format!("could not do on GitHub: {what}: {}", quoted(error)),
    }
}

/// What was tried on GitHub.
fn attempt(event: &Event) -> String {
    let tried = event.data.get("attempt").cloned().unwrap_or_default();
    let known = serde_json::from_value::<Attempt>(tried).ok();
    known.map_or_else(|| spaced(text(event, "attempt")), |it| it.to_string())
}

fn counted(event: &Event, list: &str, noun: &str) -> String {
    match event.data.get(list).and_then(Value::as_array).map_or(0, Vec::len) {
        1 => format!("1 {noun}"),
        count => format!("{count} {noun}s"),
    }
}
