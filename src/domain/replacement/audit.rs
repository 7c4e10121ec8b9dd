//! The record of a replacement for those who look back.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Second;
use crate::domain::agent::AgentId;
use crate::domain::handoff::{
    ACKNOWLEDGED_WITH_DELAY, Handoff, HandoffId, Member, Outcome, SaidStatus, Step, Urgency,
};
use crate::domain::message::MessageId;
use crate::domain::notice::duration_in_words;
use crate::domain::{Invalid, Rule, Timestamp};

/// One replacement in the audit log, key for key in its order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AuditEntry {
    pub timestamp: Second,
    pub event: String,
    pub orchestrator: AgentId,
    pub ecos_notification: AuditNotification,
    pub failed_agent: AuditFailedAgent,
    pub replacement_agent: Member,
    pub handoff: AuditHandoff,
    pub github: AuditGithub,
    pub ack: AuditAck,
    pub ecos_confirmation: AuditConfirmation,
    pub total_duration: String,
    pub outcome: Outcome,
}

/// How the replacement was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AuditNotification {
    pub received_at: Second,
    /// None when the orchestrator noticed by itself.
    pub notification_id: Option<MessageId>,
    pub urgency: Urgency,
}

/// The agent that was replaced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AuditFailedAgent {
    pub id: AgentId,
    pub session: Option<String>,
    pub reason: String,
    pub tasks_assigned: Vec<String>,
    /// The mean over the tasks, in percent.
    pub last_known_progress: Option<u8>,
}

/// The handoff's document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AuditHandoff {
    pub id: HandoffId,
    pub url: Option<String>,
    pub generated_at: Option<Second>,
    pub size_bytes: Option<u64>,
}

/// What was changed on GitHub.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AuditGithub {
    pub issues_updated: Vec<String>,
    pub labels_changed: Vec<String>,
    pub comments_added: Vec<String>,
}

/// What the replacement answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AuditAck {
    pub received_at: Option<Second>,
    pub status: Option<String>,
    pub understanding_verified: bool,
    /// Why an incomplete acknowledgment was accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accepted_partial: Option<String>,
    /// Why the tasks moved without an acknowledgment in time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acknowledged_with_delay: Option<String>,
}

/// What the controller was told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AuditConfirmation {
    pub sent_at: Second,
    pub status: Outcome,
}

impl AuditEntry {
    /// What such an entry is called, in the audit log and among the events.
    pub const EVENT: &'static str = "agent_replacement";

    /// What the same entry is called among the events when it had to be written once more.
    pub const CORRECTION: &'static str = "agent_replacement.corrected";

    /// The entry of a replacement that was confirmed to the controller.
    pub fn of(handoff: &Handoff) -> Result<Self, Invalid> {
        let decided = [Step::Transferred, Step::Partial, Step::Failed];
        let decided_at = decided.into_iter().find_map(|step| handoff.taken_at(step));
        let parts = (decided_at, &handoff.confirmation, handoff.total_duration());
        let (Some(timestamp), Some(confirmation), Some(duration)) = parts else {
            let what =
                format!("handoff `{}` is {} and cannot be audited", handoff.handoff_id, handoff.step());
            return Err(Invalid::new(Rule::Handoff, what).hint("tell the controller how it went first"));
        };
        Ok(Self {
            timestamp: timestamp.into(),
            event: Self::EVENT.to_owned(),
            orchestrator: handoff.orchestrator.clone(),
            ecos_notification: AuditNotification::of(handoff),
            failed_agent: AuditFailedAgent {
                id: handoff.failed.id.clone(),
                session: handoff.failed.session.clone(),
                reason: handoff.reason.clone(),
                tasks_assigned: handoff.task_uuids(),
                last_known_progress: handoff.last_known_progress(),
            },
            replacement_agent: handoff.replacement.clone(),
            handoff: AuditHandoff::of(handoff),
            github: AuditGithub {
                issues_updated: handoff.issues_updated(),
                labels_changed: handoff.labels_changed(),
                comments_added: handoff.comments_added(),
            },
            ack: AuditAck::of(handoff),
            ecos_confirmation: AuditConfirmation {
                sent_at: confirmation.at.into(),
                status: confirmation.status,
            },
            total_duration: duration_in_words(duration),
            outcome: confirmation.status,
        })
    }
}

impl AuditNotification {
    fn of(handoff: &Handoff) -> Self {
        let requested = handoff.requested.as_ref();
        Self {
            received_at: handoff.first_notice_at().into(),
            notification_id: requested.map(|it| it.notification_id.clone()),
            urgency: requested.and_then(|it| it.urgency).unwrap_or(handoff.urgency),
        }
    }
}

impl AuditHandoff {
    fn of(handoff: &Handoff) -> Self {
        let document = handoff.document.as_ref();
        Self {
            id: handoff.handoff_id.clone(),
            url: handoff.location().map(str::to_owned),
            generated_at: document.map(|it| it.generated_at.into()),
            size_bytes: document.map(|it| it.size_bytes),
        }
    }
}

impl AuditAck {
    fn of(handoff: &Handoff) -> Self {
        let newest = handoff.newest_ack();
        let delayed = handoff.rests_on_delay();
        let said = newest.and_then(|it| it.ack.status.as_ref()).map(SaidStatus::as_str);
        let status = delayed.map(|_| ACKNOWLEDGED_WITH_DELAY).or(said);
        Self {
            received_at: newest.map(|it| it.at).map(|at: Timestamp| at.into()),
            status: status.map(str::to_owned),
            understanding_verified: newest.is_some_and(|it| it.accepted),
            accepted_partial: handoff.verification.as_ref().and_then(|it| it.accepted_partial.clone()),
            acknowledged_with_delay: delayed.map(|delay| delay.reason.clone()),
        }
    }
}
