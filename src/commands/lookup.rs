//! From what was typed to the message that is meant.

use schemars::JsonSchema;
use serde::Deserialize;

use super::tasking;
use crate::domain::message::{Message, MessageId};
use crate::domain::task::{Task, TaskId};
use crate::failure::{Code, Failure};
use crate::store::Transaction;
use crate::store::sqlite::Found;

/// One message, named by flag or by place.
#[derive(Debug, Clone, Default, clap::Args, Deserialize, JsonSchema)]
pub struct Which {
    /// The message: its id, or a unique beginning or end of it
    #[arg(value_name = "ID", required_unless_present = "message")]
    pub id: Option<MessageId>,
    /// The same as ID
    #[arg(long, value_name = "ID", conflicts_with = "id")]
    pub message: Option<MessageId>,
}

impl Which {
    /// The part of an id that was typed.
    pub(super) fn part(&self) -> Result<&MessageId, Failure> {
        self.id.as_ref().or(self.message.as_ref()).ok_or_else(missing_id)
    }
}

/// Several messages, named by flag or by place.
#[derive(Debug, Clone, Default, clap::Args, Deserialize, JsonSchema)]
pub struct WhichOnes {
    /// The messages: their ids, or unique beginnings or ends of them
    #[arg(value_name = "ID", required_unless_present_any = ["message", "task", "handoff"])]
    pub ids: Vec<MessageId>,
    /// The same as ID
    #[arg(long, value_name = "ID", num_args = 1..)]
    pub message: Vec<MessageId>,
}

impl WhichOnes {
    /// The parts of ids that were typed.
    pub(super) fn parts(&self) -> Result<Vec<&MessageId>, Failure> {
        let parts: Vec<_> = self.ids.iter().chain(&self.message).collect();
        if parts.is_empty() { Err(missing_id()) } else { Ok(parts) }
    }
}

fn missing_id() -> Failure {
    Failure::new(Code::InvalidArgs, "no message is named").hint("pass the id: bb read ID")
}

/// One task, named by flag or by place.
#[derive(Debug, Clone, Default, clap::Args, Deserialize, JsonSchema)]
pub struct WhichTask {
    /// The task
    #[arg(value_name = "TASK", required_unless_present = "task")]
    pub id: Option<TaskId>,
    /// The same as TASK
    #[arg(long, value_name = "TASK", conflicts_with = "id")]
    pub task: Option<TaskId>,
}

impl WhichTask {
    /// The task that was named.
    pub(super) fn task(&self, view: &Transaction) -> Result<Task, Failure> {
        let missing = || Failure::new(Code::InvalidArgs, "no task is named").hint("pass --task ID");
        tasking::named(view, self.id.as_ref().or(self.task.as_ref()).ok_or_else(missing)?)
    }
}

/// The message a part of an id stands for.
pub(super) fn message(view: &Transaction, part: &MessageId) -> Result<Message, Failure> {
    let id = match view.find_message(part)? {
        Found::One(id) => id,
        Found::None => return Err(not_found(part)),
        Found::Many(candidates) => {
            let listed: Vec<_> = candidates.iter().take(5).map(|id| format!("`{id}`")).collect();
            let more = if candidates.len() > 5 { ", …" } else { "" };
            return Err(Failure::new(Code::AmbiguousId, format!("`{part}` fits several messages"))
                .hint(format!("type more of it: {}{more}", listed.join(", "))));
        }
    };
    view.message(&id)?.ok_or_else(|| not_found(part))
}

/// The operation a part of an id stands for, if any does.
pub(super) fn operation(view: &Transaction, part: &str) -> Result<Option<String>, Failure> {
    // What is shorter fits too much by chance.
    if !part.starts_with("op_") && part.len() < 4 {
        return Ok(None);
    }
    let found = view.operations_named(part)?;
    match found.as_slice() {
        [] => Ok(None),
        [one] => Ok(Some(one.clone())),
        [exact, ..] if exact == part => Ok(Some(exact.clone())),
        several => {
            let listed: Vec<_> = several.iter().take(5).map(|id| format!("`{id}`")).collect();
            Err(Failure::new(Code::AmbiguousId, format!("`{part}` fits several operations"))
                .hint(format!("type more of it: {}", listed.join(", "))))
        }
    }
}

fn not_found(part: &MessageId) -> Failure {
    Failure::new(Code::MessageNotFound, format!("there is no message `{part}`"))
        .hint("list yours with `bb inbox`")
}
