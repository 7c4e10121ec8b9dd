//! The state machine.

use std::collections::VecDeque;

use super::granting::{extend, response};
use super::snapshot::{Reception, steps_due};
use super::{
    End, Input, NotCounted, Operation, Outcome, Output, Recipient, Reminder, Reply, Snapshot, Status, Why,
    ending,
};
use crate::domain::agent::{AgentId, AgentState};
use crate::domain::message::{MessageId, check_label};
use crate::domain::schedule::{Plan, Policy, StepKind};
use crate::domain::{Invalid, Rule, Timestamp};

/// A handshake in motion: what is stored, and what is still to be sent.
#[derive(Debug, Clone)]
pub struct Handshake {
    state: Snapshot,
    outputs: VecDeque<Output>,
}

/// What a handshake begins with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    pub id: String,
    pub requester: AgentId,
    pub operation: Operation,
    pub plan: Plan,
    pub require_verified: bool,
    /// Who is asked, and with which message.
    pub recipients: Vec<(AgentId, MessageId)>,
}

impl Handshake {
    /// Begins a handshake whose requests are sent at `at`.
    pub fn open(opening: Opening, at: Timestamp) -> Result<Self, Invalid> {
        check_label("operation", &opening.operation.kind)?;
        let deadline = at + opening.plan.wait;
        let mut recipients: Vec<_> = opening
            .recipients
            .into_iter()
            .map(|(agent, message)| Recipient::new(agent, message, deadline))
            .collect();
        recipients.sort_by(|a, b| a.agent.cmp(&b.agent));
        check_recipients(&recipients)?;
        opening.plan.quorum.map_or(Ok(()), |quorum| quorum.check(recipients.len()))?;
        Ok(Self::resume(Snapshot {
            id: opening.id,
            requester: opening.requester,
            operation: opening.operation,
            plan: opening.plan,
            require_verified: opening.require_verified,
            started_at: at,
            latest_at: at,
            recipients,
            end: None,
        }))
    }

    /// Goes on from what was stored.
    pub const fn resume(state: Snapshot) -> Self {
        Self { state, outputs: VecDeque::new() }
    }

    /// What is to be stored. Outputs are not part of it: drain them in the same transaction.
    pub const fn state(&self) -> &Snapshot {
        &self.state
    }

    /// Takes in what happened at `at`.
    ///
    /// Deadlines that passed by then are honoured first, so that a reply at the deadline is late.
    /// No reminder is sent: those due before the reply can only be stale by now.
    pub fn handle(&mut self, input: Input, at: Timestamp) {
        let at = self.advance(at);
        self.expire(at);
        match input {
            Input::Reply(reply) => self.receive(reply, at),
            Input::Gone { agent, state } => self.lose(agent, state, at),
            Input::Succeeded { agent, by } => self.succeed(&agent, &by),
            Input::HandedOn { agent, by, message_id } => self.hand_on(&agent, &by, &message_id, at),
            Input::Withdrawn => self.withdraw(at),
        }
    }

    /// Does what is due at `now`. Calling it more often than needed changes nothing.
    pub fn handle_timeout(&mut self, now: Timestamp) {
        let now = self.advance(now);
        self.expire(now);
        if self.state.end.is_none() {
            self.remind(now);
        }
    }

    /// The next thing to send or record.
    pub fn poll_output(&mut self) -> Option<Output> {
        self.outputs.pop_front()
    }

    /// When [`Self::handle_timeout`] has something to do, and what; `None` once it is over.
    pub fn poll_timeout(&self) -> Option<(Timestamp, Why)> {
        if self.state.end.is_some() {
            return None;
        }
        let waiting = self.state.recipients.iter().filter(|it| it.status.is_waiting());
        waiting.map(|recipient| self.next_of(recipient)).min_by_key(|(when, _)| *when)
    }

    fn next_of(&self, recipient: &Recipient) -> (Timestamp, Why) {
        let agent = recipient.agent.clone();
        match self.state.plan.steps.get(recipient.steps_done) {
            Some(step) => {
                let when = self.state.started_at + step.after;
                (when, Why::Step { agent, number: recipient.steps_done + 1 })
            }
            None => (recipient.deadline, Why::Deadline { agent }),
        }
    }

    fn advance(&mut self, at: Timestamp) -> Timestamp {
        self.state.latest_at = self.state.latest_at.max(at);
        self.state.latest_at
    }

    /// Ends the wait for those whose deadline has passed, one deadline after the other: the
    /// first may already decide the end.
    fn expire(&mut self, at: Timestamp) {
        while self.state.end.is_none() {
            let waiting = self.state.recipients.iter().filter(|it| it.status.is_waiting());
            let Some(deadline) = waiting.map(|it| it.deadline).min().filter(|it| *it <= at) else { return };
            let Snapshot { recipients, plan, started_at, .. } = &mut self.state;
            for recipient in
                recipients.iter_mut().filter(|it| it.status.is_waiting() && it.deadline == deadline)
            {
                recipient.skip_before(plan.steps.len() + 1);
                recipient.status = Status::Silent;
                let waited = deadline.since(*started_at);
                self.outputs.push_back(Output::TimedOut { agent: recipient.agent.clone(), waited });
            }
            self.settle(at);
        }
    }

    /// Sends each silent recipient the newest step that is due.
    fn remind(&mut self, now: Timestamp) {
        let Snapshot { recipients, plan, started_at, .. } = &mut self.state;
        let due = steps_due(plan, *started_at, now);
        let Some(newest) = plan.steps.iter().take(due).next_back() else { return };
        for recipient in recipients.iter_mut().filter(|it| it.status.is_waiting()) {
            if due <= recipient.steps_done {
                continue;
            }
            let skipped = recipient.skip_before(due);
            recipient.steps_done = due;
            recipient.reminders_sent += 1;
            let to = recipient.agent.clone();
            let total = plan.steps.len();
            let remaining = recipient.deadline.since(now);
            self.outputs.push_back(match newest.kind {
                StepKind::Resend { attempt } => {
                    Output::Resend { to, attempt, of: total + 1, remaining, skipped }
                }
                step => Output::Remind(Reminder { to, number: due, total, remaining, step, skipped }),
            });
        }
    }

    fn receive(&mut self, reply: Reply, at: Timestamp) {
        let agent = reply.recipient().clone();
        let verdict = reply.verdict;
        let Some(recipient) = self.state.recipients.iter_mut().find(|it| it.agent == agent) else {
            self.outputs.push_back(Output::NotCounted { agent, verdict, why: NotCounted::NotAsked });
            return;
        };
        if *recipient.answerer() != reply.from && reply.on_behalf_of.is_none() {
            self.outputs.push_back(Output::NotCounted { agent, verdict, why: NotCounted::NotAsked });
            return;
        }
        let reception = recipient.receive(&reply, self.state.end.is_some(), self.state.require_verified);
        if !matches!(reception, Reception::Repeated) {
            recipient.heard.extend(reply.message_id.clone());
        }
        match reception {
            Reception::Repeated => {}
            Reception::NotCounted(why) => {
                self.outputs.push_back(Output::NotCounted { agent, verdict, why });
            }
            Reception::Late => {
                recipient.late = Some(response(reply, at));
                self.outputs.push_back(Output::Late { agent, verdict });
            }
            Reception::Counts => self.count(reply, at),
        }
    }

    /// Gives a reply its effect.
    fn count(&mut self, reply: Reply, at: Timestamp) {
        let Snapshot { recipients, plan, started_at, operation, .. } = &mut self.state;
        let Some(recipient) = recipients.iter_mut().find(|it| it.agent == *reply.recipient()) else { return };
        if recipient.status.is_waiting() {
            recipient.skip_due(plan, *started_at, at);
        }
        let verdict = reply.verdict;
        let answer = response(reply, at);
        let agent = recipient.agent.clone();
        match Status::after(verdict, operation) {
            None => self.outputs.push_back(Output::Said { agent, text: answer.message.clone() }),
            Some(Status::NeedsTime) => self.outputs.push_back(extend(recipient, plan, at)),
            Some(status) => {
                recipient.status = status;
                recipient.responded_at = Some(at);
                let after_reminders = recipient.reminders_sent;
                self.outputs.push_back(Output::Answered { agent, verdict, after_reminders });
            }
        }
        recipient.response = Some(answer);
        self.settle(at);
    }

    fn lose(&mut self, agent: AgentId, state: AgentState, at: Timestamp) {
        if self.state.end.is_some() {
            return;
        }
        let Snapshot { recipients, plan, started_at, .. } = &mut self.state;
        let Some(recipient) = recipients.iter_mut().find(|it| it.agent == agent && it.status.is_waiting())
        else {
            return;
        };
        recipient.skip_due(plan, *started_at, at);
        recipient.status = Status::Gone;
        self.outputs.push_back(Output::Gone { agent, state });
        self.settle(at);
    }

    /// Waits for another agent's answer in the place of one that has not answered.
    fn succeed(&mut self, agent: &AgentId, by: &AgentId) {
        if self.state.end.is_some() {
            return;
        }
        let waiting = self.state.recipients.iter_mut().filter(|it| it.status.is_waiting());
        for recipient in waiting.filter(|it| it.answerer() == agent) {
            recipient.succeeded_by = Some(by.clone());
            self.outputs.push_back(Output::Succeeded { agent: recipient.agent.clone(), by: by.clone() });
        }
    }

    /// Waits for another agent's answer to a request of its own, for which it has the whole time.
    fn hand_on(&mut self, agent: &AgentId, by: &AgentId, message_id: &MessageId, at: Timestamp) {
        if self.state.end.is_some() {
            return;
        }
        let deadline = at + self.state.plan.wait;
        let waiting = self.state.recipients.iter_mut().filter(|it| it.status.is_waiting());
        for recipient in waiting.filter(|it| it.answerer() == agent) {
            recipient.message_id = message_id.clone();
            recipient.deadline = recipient.deadline.max(deadline);
        }
        self.succeed(agent, by);
    }

    /// Ends the wait for everyone who has not answered; nobody is told, because nobody asked for it.
    fn withdraw(&mut self, at: Timestamp) {
        if self.state.end.is_some() {
            return;
        }
        let Snapshot { recipients, plan, started_at, .. } = &mut self.state;
        for recipient in recipients.iter_mut().filter(|it| it.status.is_waiting()) {
            recipient.skip_due(plan, *started_at, at);
        }
        self.finish(End::new(&self.state, Outcome::Cancelled, false, at));
    }

    /// Ends the handshake if nothing more can change how it ends.
    fn settle(&mut self, at: Timestamp) {
        let Some((outcome, proceed)) = ending::decide(&self.state) else { return };
        let end = End::new(&self.state, outcome, proceed, at);
        self.outputs.extend(self.calling_off(outcome, proceed));
        match self.state.plan.on_silence {
            Policy::Unresponsive => {
                let silent = self.state.silent().map(|it| it.agent.clone());
                self.outputs.extend(silent.map(|agent| Output::MarkUnresponsive { agent }));
            }
            // Timed out: a quorum was missed.
            Policy::Escalate if matches!(outcome, Outcome::Escalated | Outcome::TimedOut) => {
                self.outputs.push_back(Output::Escalate { agents: end.missing.clone() });
            }
            _ => {}
        }
        self.finish(end);
    }

    /// Who is told that it does not take place. A question calls nothing off: it is answered, and asked again.
    fn calling_off(&self, outcome: Outcome, proceed: bool) -> Option<Output> {
        let recipients = self.state.recipients.iter();
        match outcome {
            Outcome::NeedsClarification => None,
            _ if proceed => None,
            Outcome::Cancelled => {
                let by = recipients.clone().find(|it| it.status == Status::Cancelled)?.agent.clone();
                Some(Output::Cancelled { by, told: self.state.expected().cloned().collect() })
            }
            _ => {
                let counts_on_it = recipients.filter(|it| it.status.is_yes() || it.status.is_waiting());
                let told: Vec<_> = counts_on_it.map(|it| it.agent.clone()).collect();
                (!told.is_empty()).then_some(Output::CalledOff { outcome, told })
            }
        }
    }

    fn finish(&mut self, end: End) {
        self.state.end = Some(end.clone());
        self.outputs.push_back(Output::Ended(end));
    }
}

fn check_recipients(sorted: &[Recipient]) -> Result<(), Invalid> {
    if sorted.is_empty() {
        return Err(Invalid::new(Rule::Message, "nobody is asked").hint("name at least one recipient"));
    }
    let mut pairs = sorted.iter().zip(sorted.iter().skip(1));
    match pairs.find(|(one, next)| one.agent == next.agent) {
        Some((twice, _)) => Err(Invalid::new(Rule::Message, format!("`{}` is asked twice", twice.agent))
            .hint("wait for one message of each agent, or for each message by itself")),
        None => Ok(()),
    }
}
