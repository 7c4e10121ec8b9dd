//! Messages and lines of whole handshakes.

mod asking;
mod closing;
mod lines;
mod protocols;

use std::time::Duration;

use serde_json::json;

use super::*;
use crate::domain::agent::AgentState;
use crate::domain::handshake::{Handshake, Input, Opening, Operation, Reply};
use crate::domain::reply::classify;
use crate::domain::schedule::{Overrides, Plan, Profile};

const START: i64 = 1_772_582_400_000;
const OTTER: &str = "amber-otter";

fn at(seconds: u64) -> Timestamp {
    Timestamp::from_millis(START) + Duration::from_secs(seconds)
}

fn agent(name: &str) -> AgentId {
    name.parse().unwrap()
}

fn skill() -> Operation {
    Operation {
        kind: "skill-install".to_owned(),
        description: Some("install the security-audit skill".to_owned()),
        ..Operation::default()
    }
}

/// How the first recipient is told to answer.
fn instructions_with(need_time: bool) -> Value {
    let line = "bb agent reply --agent amber-otter --message msg_amber-otter";
    let mut commands = json!({ "ready": format!("{line} --ok"), "cancel": format!("{line} --cancel") });
    let mut words = json!({
        "ready": "Reply with 'ok' to proceed",
        "need_time": "No more time can be granted",
        "cancel": "Reply with 'cancel' to abort the operation",
    });
    if need_time {
        commands["need_time"] = json!(format!("{line} --wait"));
        words["need_time"] = json!("Reply with 'wait' for more time (up to 1 additional minute)");
    }
    words["commands"] = commands;
    words
}

/// A handshake whose outputs are turned into messages and lines as they come.
struct Scene {
    handshake: Handshake,
    sent: Vec<(u64, AgentId, Notice)>,
    lines: Vec<String>,
    replies: usize,
}

impl Scene {
    fn with(profile: Profile, overrides: &Overrides, operation: Operation, names: &[&str]) -> Self {
        let opening = Opening {
            id: "op_1".to_owned(),
            requester: agent("lead-one"),
            operation,
            plan: Plan::new(profile, overrides).unwrap(),
            require_verified: false,
            recipients: names
                .iter()
                .map(|name| (agent(name), format!("msg_{name}").parse().unwrap()))
                .collect(),
        };
        let handshake = Handshake::open(opening, at(0)).unwrap();
        Self { handshake, sent: Vec::new(), lines: Vec::new(), replies: 0 }
    }

    fn new(profile: Profile, operation: Operation) -> Self {
        Self::with(profile, &Overrides::default(), operation, &[OTTER])
    }

    fn skill() -> Self {
        Self::new(Profile::Operation, skill())
    }

    fn until(&mut self, seconds: u64) -> &mut Self {
        while let Some((when, _)) = self.handshake.poll_timeout().filter(|(when, _)| *when <= at(seconds)) {
            self.handshake.handle_timeout(when);
            self.note(when.since(at(0)).as_secs());
        }
        self
    }

    fn says(&mut self, seconds: u64, from: &str, text: &str) -> &mut Self {
        self.until(seconds - 1);
        self.replies += 1;
        let reply = Reply {
            from: agent(from),
            on_behalf_of: None,
            verdict: classify(text),
            text: text.to_owned(),
            notes: None,
            message_id: Some(format!("reply_{}", self.replies).parse().unwrap()),
            verified: false,
        };
        self.takes(seconds, Input::Reply(reply))
    }

    fn takes(&mut self, seconds: u64, input: Input) -> &mut Self {
        self.handshake.handle(input, at(seconds));
        self.note(seconds);
        self
    }

    fn note(&mut self, seconds: u64) {
        while let Some(output) = self.handshake.poll_output() {
            let state = self.handshake.state();
            let sent = messages(state, &output, at(seconds));
            self.sent.extend(sent.into_iter().map(|(to, notice)| (seconds, to, notice)));
            let date = seconds.to_string();
            self.lines.extend(log::lines(state, &output).iter().map(|line| log::dated(&date, line)));
        }
    }

    fn request(&self) -> Notice {
        let state = self.handshake.state();
        request(state, &state.recipients[0])
    }

    /// When each message was sent, and its kind.
    fn kinds(&self) -> Vec<(u64, &str)> {
        self.sent.iter().map(|(seconds, _, notice)| (*seconds, notice.kind.as_str())).collect()
    }

    fn last(&self) -> &Notice {
        &self.sent.last().unwrap().2
    }
}
