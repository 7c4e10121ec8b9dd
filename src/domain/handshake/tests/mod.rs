//! Handshakes played on a clock that jumps.

mod answers;
mod opening;
mod profiles;
mod properties;
mod quorum;
mod several;
mod time;
mod timelines;

use super::*;
use crate::domain::Timestamp;
use crate::domain::agent::{AgentId, AgentState};
use crate::domain::reply::{Verdict, classify};
use crate::domain::schedule::{Overrides, Plan, Profile, StepKind};

const START: i64 = 1_772_582_400_000;
const OTTER: &str = "amber-otter";

fn at(seconds: f64) -> Timestamp {
    Timestamp::from_millis(START + (seconds * 1000.0).round() as i64)
}

fn agent(name: &str) -> AgentId {
    name.parse().unwrap()
}

fn plan(profile: Profile) -> Plan {
    Plan::new(profile, &Overrides::default()).unwrap()
}

fn opening(plan: Plan, names: &[&str]) -> Opening {
    Opening {
        id: "op_1".to_owned(),
        requester: agent("lead-one"),
        operation: Operation { kind: "skill-install".to_owned(), ..Operation::default() },
        plan,
        require_verified: false,
        recipients: names.iter().map(|name| (agent(name), format!("msg_{name}").parse().unwrap())).collect(),
    }
}

fn reply_of(from: &str, text: &str, number: usize) -> Reply {
    Reply {
        from: agent(from),
        on_behalf_of: None,
        verdict: classify(text),
        text: text.to_owned(),
        notes: None,
        message_id: Some(format!("reply_{number}").parse().unwrap()),
        verified: false,
    }
}

/// A handshake with a waiter that wakes exactly when it must, and a transcript of what came out.
struct Scene {
    handshake: Handshake,
    transcript: Vec<String>,
    replies: usize,
}

impl Scene {
    fn new(plan: Plan, names: &[&str]) -> Self {
        let handshake = Handshake::open(opening(plan, names), at(0.0)).unwrap();
        Self { handshake, transcript: Vec::new(), replies: 0 }
    }

    fn operation() -> Self {
        Self::new(plan(Profile::Operation), &[OTTER])
    }

    /// Wakes for everything that is due up to and including `seconds`.
    fn until(&mut self, seconds: f64) -> &mut Self {
        while let Some((when, _)) = self.handshake.poll_timeout().filter(|(when, _)| *when <= at(seconds)) {
            self.handshake.handle_timeout(when);
            self.note(when);
        }
        self
    }

    /// Wakes once, as a waiter that was away.
    fn wake(&mut self, seconds: f64) -> &mut Self {
        self.handshake.handle_timeout(at(seconds));
        self.note(at(seconds));
        self
    }

    /// Hears a reply that arrives at `seconds`, awake until then; what is due then comes after it.
    fn says(&mut self, seconds: f64, from: &str, text: &str) -> &mut Self {
        self.until(seconds - 0.001);
        self.hears(seconds, from, text);
        self.wake(seconds)
    }

    /// Hears a reply without having been awake before.
    fn hears(&mut self, seconds: f64, from: &str, text: &str) -> &mut Self {
        self.replies += 1;
        let reply = reply_of(from, text, self.replies);
        self.takes(seconds, Input::Reply(reply))
    }

    fn takes(&mut self, seconds: f64, input: Input) -> &mut Self {
        self.handshake.handle(input, at(seconds));
        self.note(at(seconds));
        self
    }

    fn loses(&mut self, seconds: f64, name: &str) -> &mut Self {
        self.until(seconds);
        self.takes(seconds, Input::Gone { agent: agent(name), state: AgentState::Dead })
    }

    /// Kills the waiter; another one loads what was stored.
    fn kill(&mut self) -> &mut Self {
        let stored = serde_json::to_string(self.handshake.state()).unwrap();
        self.handshake = Handshake::resume(serde_json::from_str(&stored).unwrap());
        self
    }

    fn note(&mut self, when: Timestamp) {
        let seconds = (when.millis() - START) as f64 / 1000.0;
        while let Some(output) = self.handshake.poll_output() {
            self.transcript.push(format!("{seconds} {}", line(&output)));
        }
    }

    fn end(&self) -> &End {
        self.handshake.state().end.as_ref().unwrap()
    }

    fn of(&self, name: &str) -> &Recipient {
        self.handshake.state().recipient(&agent(name)).unwrap()
    }

    #[track_caller]
    fn expect(&mut self, transcript: &[&str]) -> &mut Self {
        assert_eq!(self.transcript, transcript);
        self
    }
}

fn line(output: &Output) -> String {
    let left = |it: &std::time::Duration| format!("{} s left", it.as_secs_f64());
    let missed = |it: &Vec<usize>| if it.is_empty() { String::new() } else { format!(", skipped {it:?}") };
    match output {
        Output::Remind(it) => {
            let what = match it.step {
                StepKind::Reminder { tone } => tone.as_str(),
                StepKind::AckRequest => "ack-request",
                StepKind::Resend { .. } => "resend",
            };
            let Reminder { to, number, total, remaining, skipped, .. } = it;
            format!("{what} {number}/{total} to {to}, {}{}", left(remaining), missed(skipped))
        }
        Output::Resend { to, attempt, of, remaining, skipped } => {
            format!("attempt {attempt}/{of} to {to}, {}{}", left(remaining), missed(skipped))
        }
        Output::ExtensionGranted { to, remaining, deadline } => {
            format!("extension for {to}, {}, until {deadline}", left(remaining))
        }
        Output::ExtensionRefused { to, remaining, .. } => {
            format!("no extension for {to}, {}", left(remaining))
        }
        Output::Answered { agent, verdict, after_reminders } => {
            format!("{agent} answers {verdict} after {after_reminders}")
        }
        Output::Said { agent, text } => format!("{agent} says {text}"),
        Output::Gone { agent, state } => format!("{agent} is {state}"),
        Output::Succeeded { agent, by } => format!("{agent} is succeeded by {by}"),
        Output::TimedOut { agent, waited } => format!("{agent} silent for {} s", waited.as_secs_f64()),
        Output::Late { agent, verdict } => format!("{agent} late with {verdict}"),
        Output::NotCounted { agent, verdict, why } => format!("{agent} not counted with {verdict}: {why:?}"),
        Output::Cancelled { by, told } => {
            let told: Vec<_> = told.iter().map(AgentId::as_str).collect();
            format!("cancelled by {by}, tell {}", told.join(" "))
        }
        Output::CalledOff { outcome, told } => {
            let told: Vec<_> = told.iter().map(AgentId::as_str).collect();
            format!("called off: {outcome}, tell {}", told.join(" "))
        }
        Output::MarkUnresponsive { agent } => format!("{agent} unresponsive"),
        Output::Escalate { agents } => {
            let agents: Vec<_> = agents.iter().map(AgentId::as_str).collect();
            format!("escalate {}", agents.join(" "))
        }
        Output::Ended(end) => {
            format!("end {} {}", end.outcome, if end.proceed { "proceed" } else { "stop" })
        }
    }
}

/// The reminders of the default profile up to a second, when all of them are sent.
const REMINDERS: [&str; 3] = [
    "30 gentle 1/3 to amber-otter, 90 s left",
    "60 firm 2/3 to amber-otter, 60 s left",
    "90 final 3/3 to amber-otter, 30 s left",
];

fn after_reminders<'a>(count: usize, rest: &[&'a str]) -> Vec<&'a str> {
    REMINDERS.into_iter().take(count).chain(rest.iter().copied()).collect()
}
