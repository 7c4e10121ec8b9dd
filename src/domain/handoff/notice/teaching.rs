//! How a replacement learns to acknowledge: the exact lines, and the same as JSON.

use serde_json::{Value, json};

use crate::domain::agent::AgentId;
use crate::domain::handoff::{Handoff, HandoffStatus};
use crate::domain::message::{Kind, MessageId};

const UNDERSTANDING: &str = "what you will do";
const STARTING_FROM: &str = "the checkpoint you go on from";
const QUESTION: &str = "your question";
const OBSTACLE: &str = "what is in the way";

/// What stands in a template until it is filled in; sent back as it is, it says nothing.
pub(in crate::domain::handoff) const PLACEHOLDERS: [&str; 4] =
    [UNDERSTANDING, STARTING_FROM, QUESTION, OBSTACLE];

/// The line with which `agent` acknowledges the notice `message_id`.
pub(in crate::domain::handoff) fn command(
    agent: &AgentId,
    message_id: &MessageId,
    status: HandoffStatus,
) -> String {
    let fields = match status {
        HandoffStatus::ReadyToProceed => {
            format!("--understanding \"{UNDERSTANDING}\" --starting-from \"{STARTING_FROM}\"")
        }
        HandoffStatus::NeedsClarification => format!("--question \"{QUESTION}\""),
        HandoffStatus::EnvironmentIssue | HandoffStatus::Rejected => format!("--reason \"{OBSTACLE}\""),
    };
    format!("bb agent ack --agent {agent} --message {message_id} --status {status} {fields}")
}

/// All ways to answer, for people.
pub(super) fn text(handoff: &Handoff, message_id: &MessageId) -> String {
    let line = |status| command(&handoff.replacement.id, message_id, status);
    format!(
        "Read the document, then acknowledge before you begin:\n{}\n\n\
         If you have questions (one --question for each):\n{}\n\n\
         If you cannot set up the environment:\n{}\n\n\
         If you cannot take the tasks:\n{}",
        line(HandoffStatus::ReadyToProceed),
        line(HandoffStatus::NeedsClarification),
        line(HandoffStatus::EnvironmentIssue),
        line(HandoffStatus::Rejected),
    )
}

/// All ways to answer, for programs.
pub(super) fn content(handoff: &Handoff, message_id: &MessageId) -> Value {
    let line = |status| command(&handoff.replacement.id, message_id, status);
    let commands: serde_json::Map<String, Value> =
        HandoffStatus::ALL.iter().map(|status| (status.to_string(), line(*status).into())).collect();
    json!({
        "commands": commands,
        "required": ["handoff_id", "understanding", "starting_from", "questions", "status"],
        "content": {
            "type": Kind::HandoffAck.as_str(),
            "handoff_id": handoff.handoff_id,
            "understanding": UNDERSTANDING,
            "starting_from": STARTING_FROM,
            "questions": [],
            "status": HandoffStatus::ReadyToProceed,
        },
    })
}
