//! What the delegator and the clock decide about a task.

use super::ack::clean_all;
use super::readiness::same_words;
use super::{EscalationReason, Revision, Task, TaskOutput, TaskStatus};
use crate::domain::agent::AgentId;
use crate::domain::{Invalid, Timestamp};

/// How often a wrong understanding is corrected before it is escalated.
pub const MAX_CORRECTIONS: u32 = 2;

impl Task {
    /// Takes a new understanding as the answer to what was to be acknowledged anew.
    pub(super) fn settle_revision(&mut self, understanding: Option<&str>) -> Result<(), Invalid> {
        let (before, asked) = match &self.revision {
            None => return Ok(()),
            Some(Revision::Correction { understood, .. }) => (Some(understood.as_str()), "corrected"),
            Some(Revision::Supplement { understood, .. }) => (understood.as_deref(), "supplemented"),
        };
        let new = understanding.filter(|new| before.is_none_or(|before| !same_words(before, new)));
        if new.is_none() {
            return Err(self.refusal(
                &format!("was {asked}: the acknowledgment must say how it is understood now"),
                "say it in new words: --understanding TEXT",
            ));
        }
        self.revision = None;
        Ok(())
    }

    pub(super) fn clarify(&mut self, answers: &[String]) -> Result<Vec<TaskOutput>, Invalid> {
        self.require_open()?;
        let asked = self.status == TaskStatus::NeedsClarification;
        if !asked || (self.questions.is_empty() && self.revision.is_some()) || self.escalated {
            return Err(self.refusal(
                "has no open question",
                "to change what was understood use `bb agent clarify --correct TEXT`",
            ));
        }
        let given = clean_all(answers);
        let aligned = self.questions.is_empty() || given.len() == self.questions.len();
        if !aligned || given.is_empty() || given.len() != answers.len() {
            let questions: Vec<_> =
                (1..).zip(&self.questions).map(|(number, it)| format!("{number}. {it}")).collect();
            return Err(self.refusal(
                &format!("has {} questions, and {} answers were given", questions.len(), given.len()),
                format!("give one --answer for each, in order: {}", questions.join(" ")),
            ));
        }
        self.answers = given;
        self.vague = false;
        Ok(vec![TaskOutput::SendClarification])
    }

    pub(super) fn ask_which(&mut self) -> Result<Vec<TaskOutput>, Invalid> {
        self.require_open()?;
        let asked = self.status == TaskStatus::NeedsClarification && !self.escalated;
        if !asked || self.revision.is_some() || !self.answers.is_empty() {
            return Err(self.refusal("has no open question", "see what it waits for with `bb agent tasks`"));
        }
        self.vague = true;
        Ok(vec![TaskOutput::SendWhichCriterion])
    }

    pub(super) fn correct(&mut self, text: &str) -> Result<Vec<TaskOutput>, Invalid> {
        self.require_acknowledged("corrected")?;
        let Some(understood) = self.understanding.clone() else {
            return Err(
                self.refusal("has no understanding to correct", "wait for an acknowledgment that says one")
            );
        };
        let correct = text.trim().to_owned();
        if correct.is_empty() || same_words(&correct, &understood) {
            return Err(self.refusal(
                "needs a correction that differs from what was understood",
                "say what is right: --correct TEXT",
            ));
        }
        if self.escalated {
            return Ok(Vec::new());
        }
        self.status = TaskStatus::NeedsClarification;
        // Wrong understandings are counted, not messages: saying the same correction again,
        // or saying it better, does not bring the task nearer to its escalation.
        let judged_before = matches!(&self.revision,
            Some(Revision::Correction { understood: before, .. }) if *before == understood);
        self.vague = false;
        self.revision = Some(Revision::Correction { understood, correct });
        if !judged_before {
            if self.corrections >= MAX_CORRECTIONS {
                self.escalated = true;
                return Ok(vec![TaskOutput::Escalate { reason: EscalationReason::Misunderstood }]);
            }
            self.corrections += 1;
        }
        Ok(vec![TaskOutput::SendCorrection { number: self.corrections }])
    }

    pub(super) fn supplement(&mut self, items: &[String]) -> Result<Vec<TaskOutput>, Invalid> {
        self.require_acknowledged("supplemented")?;
        let items = clean_all(items);
        if items.is_empty() {
            return Err(self.refusal("needs what is missing", "name every missing item"));
        }
        if self.escalated || matches!(self.revision, Some(Revision::Correction { .. })) {
            return Err(self.refusal("waits for a correction to be acknowledged", "supplement it after that"));
        }
        self.status = TaskStatus::NeedsClarification;
        self.vague = false;
        self.revision = Some(Revision::Supplement { understood: self.understanding.clone(), items });
        Ok(vec![TaskOutput::SendSupplement])
    }

    fn require_acknowledged(&self, doing: &str) -> Result<(), Invalid> {
        self.require_open()?;
        if self.status.awaits_first_ack() || self.status.is_failed() {
            return Err(self.refusal(
                &format!("is {} and cannot be {doing}", self.status),
                "only an acknowledged task can be; assign it again with `bb agent assign`",
            ));
        }
        Ok(())
    }

    pub(super) fn check_queue(&mut self, now: Timestamp) -> Vec<TaskOutput> {
        if self.queue_check_due_at().is_none_or(|due| due > now) {
            return Vec::new();
        }
        self.queue_checks += 1;
        self.queue_checked_at = Some(now);
        if self.queue_checks == 1 {
            return vec![TaskOutput::SendQueuedCheck];
        }
        vec![TaskOutput::Escalate { reason: EscalationReason::NeverStarted }]
    }

    pub(super) fn unresponsive(&mut self) -> Result<Vec<TaskOutput>, Invalid> {
        self.require_open()?;
        if self.status == TaskStatus::Unresponsive {
            return Ok(Vec::new());
        }
        if !self.owes_an_answer() {
            return Err(self.refusal(
                &format!("is {}: its agent does not owe an acknowledgment", self.status),
                "see `bb agent tasks` for what it waits for",
            ));
        }
        self.status = TaskStatus::Unresponsive;
        self.vague = false;
        let what = format!("`{}` did not acknowledge task `{}`", self.agent, self.task_id);
        Ok(vec![TaskOutput::MarkUnresponsive { agent: self.agent.clone() }, TaskOutput::LogIncident { what }])
    }

    pub(super) fn reassign(&mut self, to: AgentId, now: Timestamp) -> Result<Vec<TaskOutput>, Invalid> {
        self.require_open()?;
        let same = to == self.agent;
        if same && self.status.awaits_first_ack() {
            return Ok(Vec::new());
        }
        if same && !self.status.is_failed() {
            return Err(
                self.refusal(&format!("is already with `{to}`"), "name a different agent: --to AGENT")
            );
        }
        if to == self.delegated_by {
            return Err(self.refusal("cannot go to its delegator", "name a different agent: --to AGENT"));
        }
        let mut outputs = Vec::new();
        if !same && !matches!(self.status, TaskStatus::Rejected | TaskStatus::Error) {
            outputs.push(TaskOutput::SendStop { to: self.agent.clone() });
        }
        self.forget_answers();
        self.status = if same { TaskStatus::Assigned } else { TaskStatus::Reassigned };
        self.former_agents.retain(|former| *former != to);
        let former = std::mem::replace(&mut self.agent, to);
        if !same {
            self.retries = 0;
            if !self.former_agents.contains(&former) {
                self.former_agents.push(former);
            }
        }
        self.assigned_at = now;
        outputs.push(TaskOutput::SendAssignment { to: self.agent.clone() });
        Ok(outputs)
    }

    /// Drops what the agent said; what it finished stays with the task.
    fn forget_answers(&mut self) {
        self.understanding = None;
        self.questions.clear();
        self.answers.clear();
        self.note = None;
        self.rejection = None;
        self.error = None;
        self.vague = false;
        self.revision = None;
        self.corrections = 0;
        self.escalated = false;
        self.retry_at = None;
        self.message_id = None;
        self.asked_in = None;
        self.acknowledged_at = None;
    }

    pub(super) fn cancel(&mut self, reason: Option<String>) -> Result<Vec<TaskOutput>, Invalid> {
        if self.status == TaskStatus::Cancelled {
            return Ok(Vec::new());
        }
        self.require_open()?;
        let rejected = self.status == TaskStatus::Rejected;
        self.status = TaskStatus::Cancelled;
        self.summary = reason;
        self.retry_at = None;
        Ok(if rejected { Vec::new() } else { vec![TaskOutput::SendStop { to: self.agent.clone() }] })
    }
}
