//! The orchestrator's state, gathered from what is stored.

use super::state::{
    Assignment, AssignmentProgress, HistoryEntry, InstructionVerification, OrchestratorState,
    PENDING_VERIFICATION, RegisteredAgent,
};
use super::transfer::agent_type;
use crate::domain::agent::{Agent, AgentState};
use crate::domain::handoff::{Handoff, Moved, Progress, Transfer};
use crate::domain::task::Task;

impl OrchestratorState {
    /// The state of everything: open tasks by id, agents by name, replacements by time.
    pub fn of(tasks: &[Task], agents: &[Agent], handoffs: &[Handoff]) -> Self {
        let mut replacements: Vec<_> =
            handoffs.iter().filter_map(|it| it.transfer.as_ref().map(|transfer| (it, transfer))).collect();
        replacements.sort_by(|(a, first), (b, second)| {
            first.at.cmp(&second.at).then_with(|| a.handoff_id.cmp(&b.handoff_id))
        });
        let mut open: Vec<_> = tasks.iter().filter(|task| !task.status.is_closed()).collect();
        open.sort_by(|a, b| a.task_id.cmp(&b.task_id));
        let mut known: Vec<_> = agents.iter().collect();
        known.sort_by(|a, b| a.id.cmp(&b.id));
        Self {
            active_assignments: open.iter().map(|task| assignment(task, agents, &replacements)).collect(),
            registered_agents: known.iter().map(|agent| registered(agent, &replacements)).collect(),
            replacement_history: replacements
                .iter()
                .map(|(handoff, transfer)| HistoryEntry::of(handoff, transfer))
                .collect(),
        }
    }
}

type Replacement<'a> = (&'a Handoff, &'a Transfer);

fn assignment(task: &Task, agents: &[Agent], replacements: &[Replacement<'_>]) -> Assignment {
    let holder = agents.iter().find(|agent| agent.id == task.agent);
    let inherited = replacements.iter().rev().find_map(|(handoff, transfer)| {
        let moved = transfer.moved.iter().find(|moved| moved.task_uuid == task.task_uuid)?;
        (handoff.replacement.id == task.agent).then_some((*handoff, *transfer, moved))
    });
    let mut record = match inherited {
        Some((handoff, transfer, moved)) => Assignment {
            progress: progress_since(task, handoff, transfer, moved),
            ..Assignment::transferred(handoff, moved, transfer.at)
        },
        None => Assignment {
            agent: task.agent.clone(),
            agent_type: holder.map_or("ai", agent_type).to_owned(),
            session: None,
            module: task.title.clone(),
            github_issue: task.task_id.github_issue(),
            task_uuid: task.task_uuid.clone(),
            status: String::new(),
            replacement_info: None,
            instruction_verification: InstructionVerification::RESET,
            progress: AssignmentProgress::own(&Progress::of(task)),
        },
    };
    record.session = holder.and_then(|agent| agent.session.clone()).or(record.session);
    record.instruction_verification = InstructionVerification::of(task);
    record.status = if task.status.awaits_first_ack() {
        PENDING_VERIFICATION.to_owned()
    } else {
        task.status.as_str().to_owned()
    };
    record
}

/// What was inherited, until the agent reports progress of its own.
fn progress_since(task: &Task, handoff: &Handoff, transfer: &Transfer, moved: &Moved) -> AssignmentProgress {
    if task.checkpoints.iter().any(|done| done.at > transfer.at) {
        AssignmentProgress::own(&Progress::of(task))
    } else {
        AssignmentProgress::inherited(&moved.progress, &handoff.failed.id)
    }
}

fn registered(agent: &Agent, replacements: &[Replacement<'_>]) -> RegisteredAgent {
    let newest = |fits: &dyn Fn(&Handoff) -> bool| replacements.iter().rev().find(|(it, _)| fits(it));
    let replaced = newest(&|handoff| {
        agent.state == AgentState::Inactive
            && handoff.failed.id == agent.id
            && agent.replaced_by.as_ref() == Some(&handoff.replacement.id)
    });
    let assigned = newest(&|handoff| handoff.replacement.id == agent.id);
    let status = match agent.state {
        state if state.is_gone() || state == AgentState::Unresponsive => state.as_str(),
        _ => "active",
    };
    RegisteredAgent {
        id: agent.id.clone(),
        agent_type: agent_type(agent).to_owned(),
        session: agent.session.clone(),
        status: status.to_owned(),
        inactive_reason: replaced.map(|_| "replaced".to_owned()),
        replaced_at: replaced.map(|(_, transfer)| transfer.at.into()),
        replaced_by: agent.replaced_by.clone(),
        registered: replaced.is_none().then(|| agent.created_at.into()),
        assigned_from: assigned.map(|(handoff, _)| handoff.failed.id.clone()),
    }
}
