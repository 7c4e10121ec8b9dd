//! How a task changes.

use super::ack::clean;
use super::{Ack, AckStatus, Checkpoint, Party, Task, TaskError, TaskInput, TaskOutput, TaskStatus};
use crate::domain::agent::AgentId;
use crate::domain::{Invalid, Rule, Timestamp};

impl Task {
    /// Whether `by` may cause `input`: the assignee answers and works, the delegator decides.
    pub fn permits(&self, by: &AgentId, input: &TaskInput) -> bool {
        match input.party() {
            Party::Assignee => *by == self.agent,
            Party::Delegator => *by == self.delegated_by,
            Party::Protocol => true,
        }
    }

    /// Applies what happened and says what has to be done about it.
    ///
    /// A refused input changes nothing. An input that changes nothing, such as a repeated
    /// acknowledgment, is accepted and has no outputs, so every command can be run again.
    pub fn apply(&mut self, input: TaskInput, now: Timestamp) -> Result<Vec<TaskOutput>, Invalid> {
        let now = now.max(self.updated_at);
        let mut next = self.clone();
        let mut outputs = next.transition(input, now)?;
        if next == *self {
            return Ok(Vec::new());
        }
        if next.status == TaskStatus::Queued {
            next.queued_since.get_or_insert(now);
        } else {
            next.queued_since = None;
            next.queue_checks = 0;
            next.queue_checked_at = None;
        }
        if next.may_begin().0 && !self.may_begin().0 {
            outputs.push(TaskOutput::Begin);
        }
        next.updated_at = now;
        *self = next;
        Ok(outputs)
    }

    fn transition(&mut self, input: TaskInput, now: Timestamp) -> Result<Vec<TaskOutput>, Invalid> {
        match input {
            TaskInput::Ack(ack) => self.acknowledge(ack.cleaned(), now),
            TaskInput::Fail(error) => self.fail(error),
            TaskInput::Clarify { answers } => self.clarify(&answers),
            TaskInput::AskWhich => self.ask_which(),
            TaskInput::Correct { text } => self.correct(&text),
            TaskInput::Supplement { items } => self.supplement(&items),
            TaskInput::Checkpoint { number, summary, next } => self.checkpoint(number, &summary, next, now),
            TaskInput::Complete { summary } => self.complete(summary.as_deref().and_then(clean)),
            TaskInput::CheckQueue => Ok(self.check_queue(now)),
            TaskInput::Unresponsive => self.unresponsive(),
            TaskInput::Reassign { to } => self.reassign(to, now),
            TaskInput::Cancel { reason } => self.cancel(reason.as_deref().and_then(clean)),
            TaskInput::RetryAt { at } => self.retry_at(at),
        }
    }

    /// A refusal in the words of this task.
    pub(super) fn refusal(&self, what: &str, hint: impl Into<String>) -> Invalid {
        Invalid::new(Rule::Task, format!("task `{}` {what}", self.task_id)).hint(hint)
    }

    pub(super) fn require_open(&self) -> Result<(), Invalid> {
        if !self.status.is_closed() {
            return Ok(());
        }
        Err(self.refusal(
            &format!("is {}", self.status),
            "nothing more can happen to it; delegate a new task with `bb agent assign`",
        ))
    }

    fn require_not_given_up(&self) -> Result<(), Invalid> {
        self.require_open()?;
        if self.status == TaskStatus::Rejected {
            let hint = format!("ask `{}` to assign it again", self.delegated_by);
            return Err(self.refusal("was rejected by you", hint));
        }
        if self.escalated {
            let hint = format!("wait for `{}` to cancel or reassign it", self.delegated_by);
            return Err(self.refusal("was escalated", hint));
        }
        Ok(())
    }

    fn acknowledge(&mut self, ack: Ack, now: Timestamp) -> Result<Vec<TaskOutput>, Invalid> {
        let status = ack.effective_status();
        if status == AckStatus::Rejected {
            self.require_open()?;
        } else {
            self.require_not_given_up()?;
        }
        match status {
            AckStatus::Rejected => self.accept_rejection(ack.reason),
            AckStatus::NeedsClarification => self.accept_questions(ack.questions),
            AckStatus::Received | AckStatus::Confirmed | AckStatus::Queued => {
                self.settle_revision(ack.understanding.as_deref())?;
                self.questions.clear();
                self.answers.clear();
                self.status = self.status_after(status);
            }
        }
        self.understanding = ack.understanding.or(self.understanding.take());
        self.note = ack.note.or(self.note.take());
        if !ack.estimated_checkpoints.is_empty() {
            self.estimated_checkpoints = ack.estimated_checkpoints;
        }
        self.vague = false;
        self.error = None;
        self.retry_at = None;
        self.retries = 0;
        self.acknowledged_at.get_or_insert(now);
        Ok(vec![TaskOutput::SendAcknowledgment])
    }

    fn accept_rejection(&mut self, reason: Option<String>) {
        self.status = TaskStatus::Rejected;
        self.rejection = reason.or(self.rejection.take());
        self.revision = None;
        self.questions.clear();
        self.answers.clear();
    }

    fn accept_questions(&mut self, questions: Vec<String>) {
        self.status = TaskStatus::NeedsClarification;
        if self.questions != questions {
            self.questions = questions;
            self.answers.clear();
        }
    }

    /// An agent that is further than it says stays there.
    fn status_after(&self, ack: AckStatus) -> TaskStatus {
        match ack {
            AckStatus::Queued => TaskStatus::Queued,
            _ if matches!(self.status, TaskStatus::Working | TaskStatus::Confirmed) => self.status,
            AckStatus::Confirmed => TaskStatus::Confirmed,
            _ => TaskStatus::Received,
        }
    }

    fn fail(&mut self, error: TaskError) -> Result<Vec<TaskOutput>, Invalid> {
        self.require_not_given_up()?;
        self.status = TaskStatus::Error;
        self.error = Some(error);
        self.retry_at = None;
        Ok(vec![TaskOutput::SendError])
    }

    fn checkpoint(
        &mut self,
        number: u32,
        summary: &str,
        next: Option<u32>,
        now: Timestamp,
    ) -> Result<Vec<TaskOutput>, Invalid> {
        self.require_open()?;
        let Some(summary) = clean(summary) else {
            return Err(self.refusal("needs a summary for a checkpoint", "say what is done: --summary TEXT"));
        };
        if number == 0 || next.is_some_and(|next| next <= number) {
            return Err(self.refusal(
                "counts its checkpoints from 1 upwards",
                "use --number 1 for the first, and a higher one for the next",
            ));
        }
        let at = self.checkpoints.partition_point(|done| done.number < number);
        if let Some(done) = self.checkpoints.get(at).filter(|done| done.number == number) {
            if done.summary == summary {
                return Ok(Vec::new());
            }
            let what = format!("already has checkpoint {number}: {}", done.summary);
            return Err(self.refusal(&what, "report the next one with a higher --number"));
        }
        self.require_begun()?;
        let next = next.or_else(|| self.checkpoint_after(number));
        self.checkpoints.insert(at, Checkpoint { number, summary, next, at: now });
        self.status = TaskStatus::Working;
        Ok(vec![TaskOutput::SendCheckpoint { number }])
    }

    /// The next checkpoint: the following number, unless the plan ends here.
    fn checkpoint_after(&self, number: u32) -> Option<u32> {
        let planned = u32::try_from(self.estimated_checkpoints.len()).unwrap_or(u32::MAX);
        (planned == 0 || number < planned).then(|| number.saturating_add(1))
    }

    fn complete(&mut self, summary: Option<String>) -> Result<Vec<TaskOutput>, Invalid> {
        if self.status == TaskStatus::Complete && summary == self.summary {
            return Ok(Vec::new());
        }
        self.require_open()?;
        self.require_begun()?;
        self.status = TaskStatus::Complete;
        self.summary = summary;
        Ok(vec![TaskOutput::SendCompletion])
    }

    fn require_begun(&self) -> Result<(), Invalid> {
        match self.may_begin() {
            (true, _) => Ok(()),
            (false, reason) => {
                Err(self.refusal(&format!("may not be worked on: {reason}"), self.way_to_begin()))
            }
        }
    }
}
