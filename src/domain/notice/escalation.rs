//! Silence that somebody else has to deal with.

use serde_json::json;

use super::Notice;
use super::wording::{counted, named, titled};
use crate::domain::agent::AgentId;
use crate::domain::handshake::Snapshot;
use crate::domain::message::{Kind, Priority};

/// Reports the agents that gave no answer to whoever handles escalations.
pub fn escalation(state: &Snapshot, agents: &[AgentId]) -> Notice {
    let names: Vec<_> = agents.iter().map(AgentId::as_str).collect();
    let reminders_sent = reminders_sent(state, agents);
    let message = format!(
        "No acknowledgment of the {} from {} after {}",
        named(&state.operation),
        names.join(", "),
        counted(reminders_sent, "reminder")
    );
    let fields = json!({
        "operation": state.operation.kind,
        "agents": names,
        "reminders_sent": reminders_sent,
        "action_required": "decide_how_to_proceed",
    });
    let subject = format!("[ESCALATE] {} - Agent Not Responding", titled(&state.operation));
    Notice::new(Kind::Escalation, Priority::Urgent, subject, message, fields).about(state)
}

/// Whose handoff nobody acknowledged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HandoffEscalation<'a> {
    pub handoff_id: &'a str,
    pub failed_agent: &'a AgentId,
    pub replacement_agent: &'a AgentId,
    /// The `task_uuid`s that wait for somebody.
    pub tasks_affected: &'a [String],
    /// Their names.
    pub task_names: &'a [String],
}

/// Reports a replacement that does not answer.
pub fn handoff_escalation(state: &Snapshot, handoff: &HandoffEscalation<'_>) -> Notice {
    let reminders_sent = reminders_sent(state, std::slice::from_ref(handoff.replacement_agent));
    let message = format!(
        "Replacement agent has not acknowledged handoff after {}",
        counted(reminders_sent, "reminder")
    );
    let fields = json!({
        "failed_agent": handoff.failed_agent,
        "replacement_agent": handoff.replacement_agent,
        "handoff_id": handoff.handoff_id,
        "reminders_sent": reminders_sent,
        "tasks_affected": handoff.tasks_affected,
        "action_required": "provide_alternative_agent",
    });
    let subject = "[EOA-ESCALATE] Replacement Agent Not Responding".to_owned();
    let body = format!(
        "{} has not acknowledged handoff {} (replacing {}) after {}.\nTasks: {}\nName another agent.",
        handoff.replacement_agent,
        handoff.handoff_id,
        handoff.failed_agent,
        counted(reminders_sent, "reminder"),
        handoff.task_names.join(", ")
    );
    let notice = Notice::new(Kind::Escalation, Priority::Urgent, subject, message, fields).about(state);
    Notice { body, ..notice }
}

fn reminders_sent(state: &Snapshot, agents: &[AgentId]) -> u64 {
    let most = agents.iter().filter_map(|it| state.recipient(it)).map(|it| it.reminders_sent).max();
    most.and_then(|it| u64::try_from(it).ok()).unwrap_or(0)
}
