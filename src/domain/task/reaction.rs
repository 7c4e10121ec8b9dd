//! What can be done about a task that was not taken, without asking anybody.

use std::time::Duration;

use super::{NextAction, Task, TaskStatus};
use crate::domain::agent::AgentId;
use crate::domain::schedule::backoff;
use crate::domain::{Invalid, Timestamp};

/// How often an agent that could not take a task is asked again.
pub const MAX_RETRIES: u32 = 2;

/// What is done by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reaction {
    /// Another agent gets it.
    GiveTo(AgentId),
    /// The same agent is asked again.
    RetryAt(Timestamp),
    /// Only the delegator can decide.
    Leave,
}

impl Task {
    /// What the delegator should do about a task that was not taken.
    pub fn next_action(&self) -> Option<NextAction> {
        match self.status {
            TaskStatus::Error => self.error.as_ref().map(|error| error.code.next_action()),
            TaskStatus::Rejected | TaskStatus::Unresponsive => Some(NextAction::ReassignNow),
            _ => None,
        }
    }

    /// What its delegator does next, where the word is its own.
    pub fn advice(&self) -> Option<String> {
        let id = self.task_id.in_shell();
        match (self.status, &self.error) {
            (TaskStatus::Error, Some(error)) => Some(error.advice()),
            (TaskStatus::NeedsClarification, _) if !self.owes_an_answer() => {
                let answers = vec!["--answer TEXT"; self.questions.len().max(1)];
                Some(format!("bb agent clarify --task {id} {}", answers.join(" ")))
            }
            (status, _) if status.is_failed() => {
                Some(format!("bb agent assign --task {id} --reassign --to AGENT"))
            }
            _ => None,
        }
    }

    /// Those who could take the task instead: whom its agent suggested, then `named`; each once,
    /// and nobody who had it before.
    pub fn candidates(&self, named: &[AgentId]) -> Vec<AgentId> {
        let suggested = self.error.iter().flat_map(|error| &error.alternatives);
        let mut candidates: Vec<AgentId> = Vec::new();
        for agent in suggested.chain(named) {
            let had_it = *agent == self.agent || self.former_agents.contains(agent);
            if !had_it && *agent != self.delegated_by && !candidates.contains(agent) {
                candidates.push(agent.clone());
            }
        }
        candidates
    }

    /// What to do at `now` about a task that was not taken; `live` are the candidates that can be reached.
    pub fn reaction(&self, live: &[AgentId], now: Timestamp) -> Reaction {
        let given = || live.first().cloned().map(Reaction::GiveTo);
        let reaction = match self.next_action() {
            None | Some(NextAction::FixAndResend) => None,
            Some(NextAction::ReassignNow) => given(),
            Some(NextAction::WaitOrReassign) => given().or_else(|| self.retry(None, now)),
            Some(NextAction::RetryWithBackoff) => {
                self.retry(Some(backoff(self.retries + 1)), now).or_else(given)
            }
        };
        reaction.unwrap_or(Reaction::Leave)
    }

    /// When the agent is asked again: after the time it asked for, else after the usual pause.
    fn retry(&self, usual: Option<Duration>, now: Timestamp) -> Option<Reaction> {
        let wanted = self.error.as_ref().and_then(|error| error.retry_after_minutes);
        let pause = wanted.map(|minutes| Duration::from_secs(minutes.saturating_mul(60))).or(usual)?;
        (self.retries < MAX_RETRIES).then(|| Reaction::RetryAt(now + pause))
    }

    pub(super) fn retry_at(&mut self, at: Timestamp) -> Result<Vec<super::TaskOutput>, Invalid> {
        if self.status != TaskStatus::Error {
            return Err(self.refusal(
                &format!("is {}: its agent did not report an error", self.status),
                "see what it waits for with `bb agent tasks`",
            ));
        }
        if self.retry_at != Some(at) {
            self.retry_at = Some(at);
            self.retries += 1;
        }
        Ok(Vec::new())
    }
}
