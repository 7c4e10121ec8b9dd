//! How a handoff changes.

use super::{Confirmation, Handoff, HandoffFailure, HandoffId, HandoffInput, Step, StepTaken, Transfer};
use crate::domain::message::MessageId;
use crate::domain::{Invalid, Rule, Timestamp};

impl Handoff {
    /// Applies what happened, and says whether anything changed.
    ///
    /// A refused input changes nothing. An input that was applied before is accepted and changes
    /// nothing, so every command can be run again. Time that goes back stands still here.
    pub fn apply(&mut self, input: HandoffInput, now: Timestamp) -> Result<bool, Invalid> {
        let now = self.steps.last().map_or(now, |taken| taken.at.max(now));
        let mut next = self.clone();
        next.transition(input, now)?;
        let changed = next != *self;
        *self = next;
        Ok(changed)
    }

    fn transition(&mut self, input: HandoffInput, now: Timestamp) -> Result<(), Invalid> {
        match input {
            HandoffInput::Copied(document) => self.copied(document, now),
            HandoffInput::Trying(attempt) => self.trying_on_github(attempt),
            HandoffInput::Tried { attempt, url, error } => self.tried_on_github(attempt, url, error, now),
            HandoffInput::Sent { message_id, operation_id } => self.sent(message_id, operation_id, now),
            HandoffInput::Acked { from, ack, message_id } => self.acked(&from, ack, message_id, now),
            HandoffInput::Clarified { answers, updated_handoff_url } => {
                self.clarified(&answers, updated_handoff_url, now)
            }
            HandoffInput::Corrected => self.corrected(now),
            HandoffInput::Verified(verification) => self.verified(verification, now),
            HandoffInput::Delayed { reason, in_vain } => self.delayed(&reason, in_vain, now),
            HandoffInput::Escalated => self.move_to(Step::Escalated, now),
            HandoffInput::Transferred(transfer) => self.transferred(transfer, now),
            HandoffInput::Failed(failure) => self.failed(failure, now),
            HandoffInput::Confirmed { message_id } => self.confirmed(message_id, now),
            HandoffInput::Audited => self.move_to(Step::Audited, now),
            HandoffInput::Superseded { by } => self.superseded(by, now),
        }
    }

    pub(super) fn refusal(&self, what: &str, hint: impl Into<String>) -> Invalid {
        Invalid::new(Rule::Handoff, format!("handoff `{}` {what}", self.handoff_id)).hint(hint)
    }

    /// What to do with a handoff that is at the wrong step for what was wanted.
    pub(super) fn out_of_order(&self, wanted: &str) -> Invalid {
        let hint = match &self.superseded_by {
            Some(newer) => format!("its tasks went into handoff `{newer}`"),
            None => format!("see where it stands with `bb agent explain {}`", self.handoff_id),
        };
        self.refusal(&format!("is {} and cannot be {wanted}", self.step()), hint)
    }

    /// Takes a step forward. Being there already is no error.
    pub(super) fn move_to(&mut self, step: Step, now: Timestamp) -> Result<(), Invalid> {
        if self.step() == step {
            return Ok(());
        }
        if !self.step().leads_to(step) {
            return Err(self.out_of_order(step.as_str()));
        }
        self.steps.push(StepTaken { step, at: now });
        Ok(())
    }

    fn transferred(&mut self, transfer: Transfer, now: Timestamp) -> Result<(), Invalid> {
        if self.transfer.as_ref() == Some(&transfer) {
            return Ok(());
        }
        let step = if transfer.failed.is_empty() { Step::Transferred } else { Step::Partial };
        if self.transfer.is_some() || !self.step().leads_to(step) {
            return Err(self.out_of_order(step.as_str()));
        }
        if !self.is_cleared() {
            return Err(self.refusal(
                "has no valid acknowledgment",
                format!("verify it first: bb agent verify-ack --handoff {}", self.handoff_id),
            ));
        }
        if transfer.moved.is_empty() {
            return Err(self.refusal("moved no task", "it failed: tell the controller so"));
        }
        self.transfer = Some(transfer);
        self.move_to(step, now)
    }

    fn failed(&mut self, failure: HandoffFailure, now: Timestamp) -> Result<(), Invalid> {
        if self.failure.as_ref() == Some(&failure) {
            return Ok(());
        }
        if self.failure.is_some() {
            return Err(self.out_of_order(Step::Failed.as_str()));
        }
        self.move_to(Step::Failed, now)?;
        self.failure = Some(failure);
        Ok(())
    }

    fn confirmed(&mut self, message_id: MessageId, now: Timestamp) -> Result<(), Invalid> {
        if self.confirmation.as_ref().is_some_and(|it| it.message_id == message_id) {
            return Ok(());
        }
        match self.outcome().filter(|_| self.confirmation.is_none()) {
            Some(status) => self.confirmation = Some(Confirmation { message_id, status, at: now }),
            None => return Err(self.out_of_order(Step::Confirmed.as_str())),
        }
        self.move_to(Step::Confirmed, now)
    }

    fn superseded(&mut self, by: HandoffId, now: Timestamp) -> Result<(), Invalid> {
        if self.superseded_by.as_ref() == Some(&by) {
            return Ok(());
        }
        if by == self.handoff_id || self.superseded_by.is_some() {
            return Err(self.out_of_order(Step::Superseded.as_str()));
        }
        self.move_to(Step::Superseded, now)?;
        self.superseded_by = Some(by);
        Ok(())
    }
}
