//! What the replacement says, and what the orchestrator makes of it.

use super::{
    Answer, Clarification, Correction, Delay, Handoff, HandoffAck, HandoffStatus, ReceivedAck, Step,
    Verification,
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
        let repeats = |it: &ReceivedAck| ack.is_plain() && it.ack.status == ack.status;
        known || newest.is_some_and(|it| repeats(it) && self.unconfirmed_by(it).is_none())
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
        self.check_answers(&asked, &given)?;
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

    /// Refuses answers that do not go with the questions.
    fn check_answers(&self, asked: &[String], given: &[String]) -> Result<(), Invalid> {
        let blank = (1..).zip(given).find(|(_, answer): &(u32, _)| answer.is_empty());
        let wrong = match blank {
            _ if given.len() != asked.len() => {
                let questions = counted(asked.len(), "question");
                format!("has {questions}, and {} given", are(given.len(), "answer"))
            }
            Some((number, _)) => format!("has an answer that says nothing: number {number}"),
            None => return Ok(()),
        };
        let list: Vec<_> = (1..).zip(asked).map(|(n, it): (u32, _)| format!("{n}. {it}")).collect();
        Err(self.refusal(&wrong, format!("give one --answer for each, in order: {}", list.join(" "))))
    }

    /// Keeps that the newest acknowledgment does not stand.
    pub(super) fn corrected(&mut self, now: Timestamp) -> Result<(), Invalid> {
        let Some(to_ack) = self.newest_ack().map(|it| it.number).filter(|_| self.step().is_delivered())
        else {
            return Err(self.out_of_order("corrected"));
        };
        if self.unconfirmed().is_none() {
            self.corrections.push(Correction { to_ack, at: now });
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

    pub(super) fn delayed(&mut self, reason: &str, in_vain: bool, now: Timestamp) -> Result<(), Invalid> {
        let reason = reason.trim();
        if reason.is_empty() {
            return Err(
                self.refusal("needs a reason to go on without an acknowledgment", "say why: --reason TEXT")
            );
        }
        if self.standing_delay().is_some_and(|delay| delay.reason == reason) {
            return Ok(());
        }
        if self.is_rejected() {
            let end = format!("close it: bb agent replace --resume {}", self.handoff_id);
            return Err(self.refusal(&format!("was rejected by `{}`", self.replacement.id), end));
        }
        if self.is_answered() && !in_vain {
            let look = format!("look at the answer: bb agent verify-ack --handoff {}", self.handoff_id);
            return Err(self.refusal("was answered", look));
        }
        if !self.step().is_delivered() || self.standing_delay().is_some() {
            return Err(self.out_of_order("acknowledged with delay"));
        }
        let due = self.ack_due_at().filter(|due| now < *due && !in_vain);
        if let Some(due) = due {
            let wait = format!("wait for it: bb agent wait-ack --handoff {}", self.handoff_id);
            return Err(self.refusal(&format!("is to be acknowledged by {due}, which is not over yet"), wait));
        }
        let after_ack = self.newest_ack().map_or(0, |it| it.number);
        self.delay = Some(Delay { reason: reason.to_owned(), after_ack, at: now });
        if self.step().leads_to(Step::Acknowledged) { self.move_to(Step::Acknowledged, now) } else { Ok(()) }
    }
}

/// A number of things.
fn counted(count: usize, thing: &str) -> String {
    if count == 1 { format!("1 {thing}") } else { format!("{count} {thing}s") }
}

/// The same with its verb.
fn are(count: usize, thing: &str) -> String {
    let verb = if count == 1 { "was" } else { "were" };
    format!("{} {verb}", counted(count, thing))
}
