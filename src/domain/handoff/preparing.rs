//! What a handoff begins with.

use super::{
    Accounts, Handoff, HandoffId, Member, Publication, Requested, Step, StepTaken, TaskRef, Urgency,
};
use crate::domain::agent::AgentId;
use crate::domain::message::check_label;
use crate::domain::task::Task;
use crate::domain::{Invalid, Rule, Timestamp};

/// A handoff that is about to be prepared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewHandoff {
    pub handoff_id: HandoffId,
    pub orchestrator: AgentId,
    pub failed: Member,
    pub replacement: Member,
    pub reason: String,
    pub urgency: Urgency,
    pub requested: Option<Requested>,
    pub tasks: Vec<TaskRef>,
    pub starting_from: Option<String>,
    pub publication: Publication,
    /// The pull request whose label and assignee change with the issue's.
    pub pull_request: Option<u64>,
    pub accounts: Accounts,
    /// Where the GitHub command line runs, because there it finds the repository.
    pub folder: Option<String>,
}

impl NewHandoff {
    /// Checks what cannot be handed over: nothing, for no reason, or to oneself.
    pub fn check(&self) -> Result<(), Invalid> {
        let refuse = |what: String, hint: &str| Err(Invalid::new(Rule::Handoff, what).hint(hint));
        let to = &self.replacement.id;
        if *to == self.failed.id {
            return refuse(format!("`{to}` cannot replace itself"), "name another agent: --to AGENT");
        }
        if *to == self.orchestrator {
            return refuse(format!("`{to}` cannot hand over to itself"), "name another agent: --to AGENT");
        }
        if self.tasks.is_empty() {
            return refuse("a handoff needs a task".to_owned(), "name each task: --task TASK");
        }
        for (place, task) in self.tasks.iter().enumerate() {
            if self.tasks.iter().take(place).any(|earlier| earlier.task_uuid == task.task_uuid) {
                return refuse(format!("task `{}` is named twice", task.task_id), "name each task once");
            }
        }
        let label = |thing, text: &str| {
            check_label(thing, text).map_err(|invalid| Invalid { rule: Rule::Handoff, ..invalid })
        };
        label("reason", &self.reason)?;
        self.starting_from.as_deref().map_or(Ok(()), |checkpoint| label("checkpoint", checkpoint))
    }
}

/// Refuses tasks that the failed agent does not have, or that need nobody any more.
pub fn check_tasks(failed: &AgentId, tasks: &[Task]) -> Result<(), Invalid> {
    match tasks.iter().find_map(|task| obstacle(failed, task).map(|why| (task, why))) {
        None => Ok(()),
        Some((task, why)) => Err(Invalid::new(Rule::Handoff, format!("task `{}` {why}", task.task_id))
            .hint(format!("see what `{failed}` has with `bb agent tasks --agent {failed}`"))),
    }
}

/// Why a task cannot be taken from the failed agent.
pub fn obstacle(failed: &AgentId, task: &Task) -> Option<String> {
    if task.agent != *failed {
        return Some(format!("is with `{}`, not with `{failed}`", task.agent));
    }
    task.status.is_closed().then(|| format!("is {}", task.status))
}

impl Handoff {
    /// The record of a handoff that is prepared now.
    pub fn prepare(new: NewHandoff, now: Timestamp) -> Result<Self, Invalid> {
        new.check()?;
        Ok(Self {
            handoff_id: new.handoff_id,
            orchestrator: new.orchestrator,
            failed: new.failed,
            replacement: new.replacement,
            reason: new.reason.trim().to_owned(),
            urgency: new.urgency,
            requested: new.requested,
            tasks: new.tasks,
            starting_from: new.starting_from.map(|it| it.trim().to_owned()),
            publication: new.publication,
            pull_request: new.pull_request,
            accounts: new.accounts,
            folder: new.folder,
            document: None,
            revision: 0,
            url: None,
            begun: None,
            attempts: Vec::new(),
            deliveries: Vec::new(),
            acks: Vec::new(),
            clarifications: Vec::new(),
            corrections: Vec::new(),
            verification: None,
            delay: None,
            transfer: None,
            failure: None,
            confirmation: None,
            superseded_by: None,
            steps: vec![StepTaken { step: Step::Prepared, at: now }],
        })
    }
}
