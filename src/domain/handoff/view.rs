//! How a handoff is shown to a caller.

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    Attempted, Document, Handoff, HandoffAck, HandoffId, HandoffStatus, Member, NextAction, Outcome, Step,
    StepTaken, TaskRef, Urgency,
};
use crate::domain::Timestamp;
use crate::domain::agent::AgentId;
use crate::domain::message::{MessageId, Priority};

/// A handoff as a caller sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct HandoffView {
    pub handoff_id: HandoffId,
    /// The notice that the replacement acknowledges.
    pub message_id: Option<MessageId>,
    pub operation_id: Option<String>,
    pub document: Option<Document>,
    /// Where the document is: published, or the path on this machine.
    pub url: Option<String>,
    pub published: bool,
    /// Why publishing did not succeed, where it was tried.
    pub publishing_errors: Vec<String>,
    pub orchestrator: AgentId,
    pub failed_agent: Member,
    pub replacement_agent: Member,
    pub reason: String,
    pub urgency: Urgency,
    pub priority: Priority,
    pub ack_required_within: String,
    pub tasks: Vec<TaskRef>,
    pub starting_from: Option<String>,
    pub step: Step,
    pub replacement_status: String,
    /// Why the tasks moved without an acknowledgment in time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub acknowledged_with_delay: Option<String>,
    pub outcome: Option<Outcome>,
    /// What the acknowledgment that counts says.
    pub ack_status: Option<String>,
    /// What that asks of the orchestrator.
    pub next_action: Option<NextAction>,
    pub superseded_by: Option<HandoffId>,
    #[schemars(with = "Option<String>")]
    pub sent_at: Option<Timestamp>,
    pub steps: Vec<StepTaken>,
}

impl Handoff {
    /// The handoff as a caller sees it.
    pub fn view(&self) -> HandoffView {
        let published = |it: &&Attempted| it.attempt.publishes() && it.revision == self.revision;
        let errors = self.attempts.iter().filter(published);
        let newest = self.newest_ack().map(|received| &received.ack);
        HandoffView {
            handoff_id: self.handoff_id.clone(),
            message_id: self.message_id().cloned(),
            operation_id: self.delivery().and_then(|delivery| delivery.operation_id.clone()),
            document: self.document.clone(),
            url: self.location().map(str::to_owned),
            published: self.url.is_some(),
            publishing_errors: errors.filter_map(|it| it.error.clone()).collect(),
            orchestrator: self.orchestrator.clone(),
            failed_agent: self.failed.clone(),
            replacement_agent: self.replacement.clone(),
            reason: self.reason.clone(),
            urgency: self.urgency,
            priority: self.urgency.priority(),
            ack_required_within: self.urgency.ack_required_within(),
            tasks: self.tasks.clone(),
            starting_from: self.starting_from.clone(),
            step: self.step(),
            replacement_status: self.replacement_status().to_owned(),
            acknowledged_with_delay: self.rests_on_delay().map(|delay| delay.reason.clone()),
            outcome: self.outcome(),
            ack_status: newest.and_then(|ack| ack.status.as_ref()).map(|said| said.as_str().to_owned()),
            next_action: newest.and_then(HandoffAck::known_status).map(HandoffStatus::next_action),
            superseded_by: self.superseded_by.clone(),
            sent_at: self.sent_at(),
            steps: self.steps.clone(),
        }
    }
}
