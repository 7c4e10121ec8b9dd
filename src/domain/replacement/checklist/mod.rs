//! What must hold before a delivery, an acknowledgment or a replacement counts as complete.

mod closing;
mod delivery;

use schemars::JsonSchema;
use serde::Serialize;

use super::AuditEntry;
use crate::domain::agent::Agent;
use crate::domain::handoff::{CheckName, Handoff};
use crate::domain::message::Message;
use crate::domain::task::Task;

/// What is found in the store and on the disk, to be compared with what the handoff says.
#[derive(Debug, Clone, Copy, Default)]
pub struct Standing<'a> {
    /// The copy of the document is where the handoff says.
    pub copy_exists: bool,
    /// The handshake that waits for the acknowledgment exists.
    pub timer_started: bool,
    /// The newest notice to the replacement.
    pub notice: Option<&'a Message>,
    /// The tasks of the handoff as they are now.
    pub tasks: &'a [Task],
    pub failed: Option<&'a Agent>,
    pub replacement: Option<&'a Agent>,
    /// What the controller was told.
    pub confirmation: Option<&'a Message>,
    pub audit: Option<&'a AuditEntry>,
}

/// Things that belong together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Group {
    pub group: String,
    pub items: Vec<Item>,
}

/// One thing that must hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Item {
    pub item: String,
    pub done: bool,
    /// What is missing; or, if nothing is, why it does not apply.
    pub detail: Option<String>,
}

/// All checklists of a handoff: delivery, after the acknowledgment, and the five of the confirmation.
pub fn checklist(handoff: &Handoff, standing: &Standing<'_>) -> Vec<Group> {
    vec![
        delivery::before_completion(handoff, standing),
        delivery::after_ack(handoff, standing),
        closing::ack(handoff),
        closing::state(handoff, standing),
        closing::github(handoff),
        closing::controller(handoff, standing),
        closing::audit(handoff, standing),
    ]
}

/// Whether everything holds.
pub fn is_done(groups: &[Group]) -> bool {
    groups.iter().flat_map(|group| &group.items).all(|item| item.done)
}

impl Group {
    fn new(group: &str, items: Vec<Item>) -> Self {
        Self { group: group.to_owned(), items }
    }
}

impl Item {
    /// Something that holds, or else lacks what `missing` says.
    fn of(item: &str, done: bool, missing: impl Into<String>) -> Self {
        Self { item: item.to_owned(), done, detail: (!done).then(|| missing.into()) }
    }

    /// Something that does not apply.
    fn moot(item: &str, why: &str) -> Self {
        Self { item: item.to_owned(), done: true, detail: Some(why.to_owned()) }
    }
}

/// A check of the newest verification; an override stands for all of them.
fn verified(handoff: &Handoff, item: &str, name: CheckName) -> Item {
    if let Some(delay) = handoff.rests_on_delay() {
        return Item::moot(item, &format!("acknowledged with delay: {}", delay.reason));
    }
    let check = handoff.verification.as_ref().and_then(|it| it.checks.iter().find(|it| it.check == name));
    match check {
        Some(check) => {
            match instead_of_documented(handoff).filter(|_| check.passed && name == CheckName::StartingFrom) {
                Some(why) => Item::moot(item, &why),
                None => Item::of(item, check.passed, check.detail.clone()),
            }
        }
        None => {
            let look = format!("not verified: bb agent verify-ack --handoff {}", handoff.handoff_id);
            Item::of(item, false, look)
        }
    }
}

/// What the orchestrator expected instead of the documented checkpoint.
fn instead_of_documented(handoff: &Handoff) -> Option<String> {
    let expected = handoff.verification.as_ref()?.expected_starting_from.as_deref()?;
    let documented = handoff.starting_from.as_deref().filter(|it| *it != expected)?;
    Some(format!("'{expected}' was expected instead of the documented '{documented}'"))
}

/// What went wrong, each thing once; or what is said where nothing did.
fn joined<'a>(errors: impl Iterator<Item = &'a str>, otherwise: &str) -> String {
    let mut all: Vec<&str> = Vec::new();
    for error in errors {
        if !all.contains(&error) {
            all.push(error);
        }
    }
    if all.is_empty() { otherwise.to_owned() } else { all.join("; ") }
}

/// Whether a message says something, in its body or in its fields.
fn mentions(message: Option<&Message>, text: &str) -> bool {
    message.is_some_and(|message| {
        message.body.contains(text) || message.content.as_ref().is_some_and(|content| says(content, text))
    })
}

fn says(value: &serde_json::Value, text: &str) -> bool {
    match value {
        serde_json::Value::String(said) => said == text,
        serde_json::Value::Array(items) => items.iter().any(|item| says(item, text)),
        serde_json::Value::Object(fields) => fields.values().any(|field| says(field, text)),
        _ => false,
    }
}

/// Those of `all` that a message does not mention.
fn unmentioned(message: Option<&Message>, all: &[String]) -> Vec<String> {
    all.iter().filter(|text| !mentions(message, text)).cloned().collect()
}
