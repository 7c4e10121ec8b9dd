//! What the replacement says, and what the orchestrator makes of it.

use super::{
    Answer, Clarification, Delay, Handoff, HandoffAck, HandoffStatus, ReceivedAck, Step, Verification,
};
use crate::domain::agent::AgentId;
use crate::domain::message::MessageId;
use crate::domain::{Invalid, Timestamp};

impl Handoff {
    /// Keeps an acknowledgment. One that comes after the end is kept too, and changes nothing else.
    pub(super) fn acked(
        &mut self,
        from: &AgentId,
        ack: HandoffAck,
        message_id: Option<MessageId>,
        now: Timestamp,
    ) -> Result<(), Invalid> {
        if *from != self.replacement.id {
            let hint = format!("only `{}` acknowledges it", self.replacement.id);
            return Err(self.refusal(&format!("was not given to `{from}`"), hint));
        }
        if self.deliveries.is_empty() {
            return Err(self.out_of_order("acknowledged"));
        }
        let ack = ack.cleaned();
        if self.has_heard(&ack, message_id.as_ref()) {
            return Ok(());
        }
        let names_it = !self.names_another(&ack);
        let ready = ack.known_status() == Some(HandoffStatus::ReadyToProceed);
        let number = self.acks.last().map_or(1, |it| it.number.saturating_add(1));
        let late = !self.step().is_open();
        self.acks.push(ReceivedAck { number, ack, message_id, at: now, late, accepted: false });
        if !late {
            self.verification = None;
        }
        if names_it && ready && matches!(self.step(), Step::Sent | Step::Escalated) {
            self.move_to(Step::Acknowledged, now)?;
        }
        Ok(())
    }

    /// Whether an acknowledgment is known, or only repeats the status of the newest one.
    fn has_heard(&self, ack: &HandoffAck, message_id: Option<&MessageId>) -> bool {
        let newest = self.newest_ack();
        let known = match message_id {
            Some(_) => self.acks.iter().any(|it| it.message_id.as_ref() == message_id),
            None => {
                let mut latest = [newest, self.acks.last()].into_iter().flatten();
                latest.any(|it| it.message_id.is_none() && it.ack == *ack)
            }
        };
        known || newest.is_some_and(|it| ack.is_plain() && it.ack.status == ack.status)
    }

    pub(super) fn clarified(
        &mut self,
        answers: &[String],
        updated_handoff_url: Option<String>,
        now: Timestamp,
    ) -> Result<(), Invalid> {
        if !self.step().is_delivered() {
            return Err(self.out_of_order("clarified"));
        }
        let newest = self.newest_ack().filter(|it| !it.ack.questions().is_empty());
        let Some((to_ack, asked)) = newest.map(|it| (it.number, it.ack.questions().to_vec())) else {
            return Err(self.refusal("has no open question", "wait for an acknowledgment that asks one"));
        };
        let given: Vec<_> = answers.iter().map(|it| it.trim().to_owned()).collect();
        if given.len() != asked.len() || given.iter().any(String::is_empty) {
            let list: Vec<_> = (1..).zip(&asked).map(|(n, it): (u32, _)| format!("{n}. {it}")).collect();
            return Err(self.refusal(
                &format!("has {} questions, and {} answers were given", asked.len(), given.len()),
                format!("give one --answer for each, in order: {}", list.join(" ")),
            ));
        }
        let pair = |(question, answer)| Answer { question, answer };
        let answers: Vec<_> = asked.into_iter().zip(given).map(pair).collect();
        let said = self.clarifications.last().is_some_and(|it| {
            it.to_ack == to_ack && it.answers == answers && it.updated_handoff_url == updated_handoff_url
        });
        if !said {
            self.clarifications.push(Clarification { to_ack, answers, updated_handoff_url, at: now });
            self.verification = None;
        }
        Ok(())
    }

    pub(super) fn verified(&mut self, verification: Verification, now: Timestamp) -> Result<(), Invalid> {
        if !self.step().is_delivered() {
            return Err(self.out_of_order("verified"));
        }
        let newest = self.newest_ack().map(|it| it.number);
        if verification.handoff_id != self.handoff_id || verification.ack_number != newest {
            return Err(self.refusal(
                "has another acknowledgment than the one that was verified",
                format!("look again: bb agent verify-ack --handoff {}", self.handoff_id),
            ));
        }
        if let Some(received) = self.acks.iter_mut().find(|it| Some(it.number) == newest) {
            received.accepted |= verification.understanding_accepted;
        }
        if verification.valid {
            if matches!(self.step(), Step::Sent | Step::Escalated) {
                self.move_to(Step::Acknowledged, now)?;
            }
            self.move_to(Step::Verified, now)?;
        }
        self.verification = Some(verification);
        Ok(())
    }

    pub(super) fn delayed(&mut self, reason: &str, now: Timestamp) -> Result<(), Invalid> {
        let reason = reason.trim();
        if reason.is_empty() {
            return Err(
                self.refusal("needs a reason to go on without an acknowledgment", "say why: --reason TEXT")
            );
        }
        if self.delay.as_ref().is_some_and(|delay| delay.reason == reason) {
            return Ok(());
        }
        if self.is_answered() {
            return Err(self.refusal(
                "was answered",
                format!("look at the answer: bb agent verify-ack --handoff {}", self.handoff_id),
            ));
        }
        if !self.step().is_delivered() || self.delay.is_some() {
            return Err(self.out_of_order("acknowledged with delay"));
        }
        self.delay = Some(Delay { reason: reason.to_owned(), at: now });
        self.move_to(Step::Acknowledged, now)
    }
}
