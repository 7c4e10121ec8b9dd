//! What must hold whatever happens, looked after from the events and from what is held.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

use bb_agent::commands::Context;
use bb_agent::domain::Timestamp;
use bb_agent::domain::agent::{AgentId, Liveness};
use bb_agent::domain::event::Event;
use bb_agent::domain::handshake::Snapshot;
use bb_agent::domain::message::MessageId;
use bb_agent::domain::scope::overlap;
use bb_agent::store::Transaction;
use serde_json::Value;

use super::counts::Counts;

/// How many of the newest messages agents still care for.
const NEWEST: usize = 200;

/// A handshake, and what came out of it so far.
struct Watched {
    began_as: Snapshot,
    /// The latest time that a clock showed since it began.
    latest: Timestamp,
    steps: BTreeSet<(String, u64)>,
    extended: BTreeSet<String>,
    settled: BTreeSet<String>,
    outcome: Option<String>,
}

#[derive(Default)]
pub(super) struct Promises {
    last_event: i64,
    fence: i64,
    now: Timestamp,
    /// The newest messages: id, sender, recipient, and whether it requires an ack.
    letters: VecDeque<(MessageId, AgentId, AgentId, bool)>,
    recipients: BTreeMap<String, AgentId>,
    open: BTreeMap<String, Watched>,
    ended: BTreeMap<String, Watched>,
    reminded: usize,
    reminders: usize,
}

impl Promises {
    pub(super) fn clock_is(&mut self, now: Timestamp) {
        self.now = now;
        for watched in self.open.values_mut() {
            watched.latest = watched.latest.max(now);
        }
    }

    pub(super) fn letters(&self) -> Vec<(MessageId, AgentId)> {
        self.letters.iter().map(|(id, _, to, _)| (id.clone(), to.clone())).collect()
    }

    /// Messages that require an ack, with their senders.
    pub(super) fn letters_to_wait_for(&self) -> Vec<(MessageId, AgentId)> {
        let asking = self.letters.iter().filter(|(_, _, _, requires_ack)| *requires_ack);
        asking.map(|(id, from, ..)| (id.clone(), from.clone())).collect()
    }

    pub(super) fn operations(&self) -> Vec<String> {
        self.open.keys().cloned().collect()
    }

    /// The requests of open handshakes, with those they went to.
    pub(super) fn asked(&self) -> Vec<(MessageId, AgentId)> {
        let recipients = self.open.values().flat_map(|it| &it.began_as.recipients);
        recipients.map(|it| (it.message_id.clone(), it.agent.clone())).collect()
    }

    /// Those who hold something.
    pub(super) fn holders(&self, context: &Context) -> Vec<AgentId> {
        let held = context.read(|view| Ok(view.holdings(|_, _| Liveness::Active)?)).unwrap();
        held.into_iter().map(|it| it.held.reservation.agent_id).collect()
    }

    /// Looks at everything that happened since it last looked.
    pub(super) fn look(&mut self, context: &Context, counts: &mut Counts) {
        context
            .read(|view| {
                for event in view.events_after(self.last_event, u32::MAX)? {
                    assert!(event.event_id > self.last_event, "{event:?}");
                    self.last_event = event.event_id;
                    self.hear(view, &event, counts);
                }
                Ok(())
            })
            .unwrap();
    }

    fn hear(&mut self, view: &Transaction, event: &Event, counts: &mut Counts) {
        match event.event.as_str() {
            "message.sent" => self.sent(event),
            "message.read" | "message.acked" | "message.answered" => {
                let about = event.about.as_deref().unwrap();
                assert_eq!(event.agent.as_ref(), self.recipients.get(about), "not the recipient: {event:?}");
            }
            "reservation.granted" | "reservation.refreshed" => {
                let fence = event.data["fence"].as_i64().unwrap();
                assert!(fence > self.fence, "fence {fence} after {}", self.fence);
                self.fence = fence;
                one_holder_each(view);
            }
            "handshake.started" => self.begun(view, event),
            name if name.starts_with("handshake.") => self.came_out(event, counts),
            _ => {}
        }
    }

    fn sent(&mut self, event: &Event) {
        let id: MessageId = event.about.as_ref().unwrap().parse().unwrap();
        let to: AgentId = text(&event.data["to"]).parse().unwrap();
        let twice = self.recipients.insert(id.to_string(), to.clone());
        assert_eq!(twice, None, "an id was given twice: {event:?}");
        self.reminders +=
            usize::from(["reminder", "ack-request"].contains(&text(&event.data["kind"]).as_str()));
        let requires_ack = event.data["requires_ack"].as_bool().unwrap() && event.data["kind"] == "message";
        self.letters.push_back((id, event.agent.clone().unwrap(), to, requires_ack));
        if self.letters.len() > NEWEST {
            self.letters.pop_front();
        }
    }

    fn begun(&mut self, view: &Transaction, event: &Event) {
        let operation = event.operation_id.clone().unwrap();
        let snapshot = view.handshake(&operation).unwrap().unwrap().snapshot;
        let watched = Watched {
            latest: snapshot.started_at.max(self.now),
            began_as: snapshot,
            steps: BTreeSet::new(),
            extended: BTreeSet::new(),
            settled: BTreeSet::new(),
            outcome: None,
        };
        assert!(self.open.insert(operation, watched).is_none(), "begun twice: {event:?}");
    }

    fn came_out(&mut self, event: &Event, counts: &mut Counts) {
        let operation = event.operation_id.clone().unwrap();
        let name = event.event.trim_start_matches("handshake.");
        if ["late", "not-counted"].contains(&name) {
            return counts.note("late or not counted");
        }
        let watched = self.open.get_mut(&operation).unwrap_or_else(|| panic!("after the end: {event:?}"));
        match name {
            "remind" | "resend" => {
                watched.stepped(event);
                self.reminded += usize::from(name == "remind");
                counts.note("reminders");
            }
            "extension-granted" => {
                watched.silent(&event.data["to"], event);
                assert!(watched.extended.insert(text(&event.data["to"])), "extended twice: {event:?}");
                counts.note("extensions");
            }
            "answered" | "gone" => {
                let new = watched.settled.insert(text(&event.data["agent"]));
                assert!(new || event.data["verdict"] == "cancel", "settled twice: {event:?}");
            }
            "timed-out" => {
                watched.silent(&event.data["agent"], event);
                let waited = Duration::from_millis(event.data["waited_ms"].as_u64().unwrap());
                assert!(watched.began_as.started_at + waited <= watched.latest, "timed out early: {event:?}");
                watched.settled.insert(text(&event.data["agent"]));
            }
            "ended" => {
                counts.note(&format!("ended {}", text(&event.data["outcome"])));
                let mut watched = self.open.remove(&operation).unwrap();
                watched.outcome = Some(text(&event.data["outcome"]));
                self.ended.insert(operation, watched);
            }
            _ => {}
        }
    }

    /// At the end: every handshake ended as was told, or is open; every reminder is one message.
    pub(super) fn look_back(&self, context: &Context) {
        assert_eq!(self.reminders, self.reminded, "reminders that were sent and recorded");
        for (operation, watched) in self.open.iter().chain(&self.ended) {
            let stored = context.read(|view| Ok(view.handshake(operation)?)).unwrap().unwrap().snapshot;
            let outcome = stored.end.as_ref().map(|end| end.outcome.as_str().to_owned());
            assert_eq!(outcome, watched.outcome, "{operation}");
            for recipient in &stored.recipients {
                let told = watched.steps.iter().filter(|(to, _)| to == recipient.agent.as_str()).count();
                assert!(told <= recipient.steps_done, "{operation}: {recipient:?}");
                assert_eq!(recipient.extended, watched.extended.contains(recipient.agent.as_str()));
            }
        }
    }
}

impl Watched {
    /// A reminder: never early, never twice, never to those who have answered.
    fn stepped(&mut self, event: &Event) {
        let number =
            event.data["number"].as_u64().or(event.data["attempt"].as_u64().map(|it| it - 1)).unwrap();
        let after = self.began_as.plan.steps[usize::try_from(number).unwrap() - 1].after;
        assert!(self.began_as.started_at + after <= self.latest, "early: {event:?}");
        self.silent(&event.data["to"], event);
        let to = text(&event.data["to"]);
        let skipped = event.data["skipped"].as_array().unwrap().iter().filter_map(Value::as_u64);
        for number in skipped.chain([number]) {
            assert!(self.steps.insert((to.clone(), number)), "step {number} twice: {event:?}");
        }
    }

    fn silent(&self, agent: &Value, event: &Event) {
        assert!(!self.settled.contains(&text(agent)), "after the answer: {event:?}");
    }
}

/// No two agents hold the same path, unless both share it.
fn one_holder_each(view: &Transaction) {
    let held = view.holdings(|_, _| Liveness::Active).unwrap();
    for (place, one) in held.iter().map(|it| &it.held.reservation).enumerate() {
        for other in held[..place].iter().map(|it| &it.held.reservation) {
            let apart = one.agent_id == other.agent_id || (one.shared && other.shared);
            assert!(apart || !overlap(&one.scope, &other.scope).is_shared(), "{one:?} and {other:?}");
        }
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
