//! Why an agent did not acknowledge, as far as the facts tell, and what to try next.

use super::age;
use super::agent::{AgentId, AgentState, Liveness};
use super::handshake::Status;
use super::message::MessageId;
use super::{Timestamp, reply};

/// What is known of an agent whose acknowledgment is missing.
#[derive(Debug, Clone)]
pub struct Facts<'a> {
    pub agent: &'a AgentId,
    pub message_id: &'a MessageId,
    pub status: Status,
    pub state: AgentState,
    pub liveness: Liveness,
    pub last_seen: Timestamp,
    pub read_at: Option<Timestamp>,
    /// The newest words it sent that are no answer, and to whom.
    pub said: Option<Said<'a>>,
    pub successor: Option<&'a AgentId>,
}

/// Words of an agent since it was asked.
#[derive(Debug, Clone)]
pub struct Said<'a> {
    pub to: &'a AgentId,
    pub text: &'a str,
    /// It went to the one who asked.
    pub to_requester: bool,
    /// It was tied to the request.
    pub bound: bool,
}

/// What probably happened and the next command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnosis {
    pub why: String,
    pub next: String,
}

impl Diagnosis {
    fn new(why: impl Into<String>, next: impl Into<String>) -> Self {
        Self { why: why.into(), next: next.into() }
    }
}

/// Judges the facts; the most telling one wins.
pub fn diagnose(facts: &Facts, now: Timestamp) -> Diagnosis {
    let seen = age::short(now.since(facts.last_seen));
    let Facts { agent, message_id, .. } = facts;
    if facts.state.is_gone() || facts.status == Status::Gone {
        return match facts.successor {
            Some(successor) => Diagnosis::new(
                format!("it is {} and was replaced by {successor}", facts.state),
                format!("bb show {successor}"),
            ),
            None => Diagnosis::new(format!("it is {}", facts.state), format!("bb show {agent}")),
        };
    }
    if let Some(said) = &facts.said {
        return misdirected(facts, said);
    }
    match (facts.read_at, facts.liveness) {
        (Some(read), _) => Diagnosis::new(
            format!("it read the request {} ago and gave no answer", age::short(now.since(read))),
            format!("bb wait-ack {message_id} --timeout 300"),
        ),
        (None, Liveness::Active) => Diagnosis::new(
            format!("it was last seen {seen} ago, and the request lies unread in its inbox"),
            format!("bb inbox --agent {agent} --pending"),
        ),
        (None, _) => Diagnosis::new(
            format!("it was last seen {seen} ago and has not read the request; it may have to be restarted"),
            format!("bb show {agent}"),
        ),
    }
}

/// The agent said something, but not so that it counts.
fn misdirected(facts: &Facts, said: &Said) -> Diagnosis {
    let Facts { agent, message_id, .. } = facts;
    let is_answer = reply::classify(said.text) != reply::Verdict::Other;
    let text: String = said.text.chars().take(60).collect();
    let why = match (is_answer, said.to_requester, said.bound) {
        (true, false, _) => format!("it sent `{text}` to {} instead", said.to),
        (true, true, false) => format!("it sent `{text}` without saying what it answers"),
        _ => format!("it sent `{text}`, which is none of ok, wait and cancel"),
    };
    Diagnosis::new(why, format!("bb reply --agent {agent} --message {message_id} --ok"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn agent(name: &str) -> AgentId {
        name.parse().unwrap()
    }

    const NOW: Timestamp = Timestamp::from_millis(10_000_000);

    /// An agent that is idle, was seen 40 seconds ago, and has not read the request.
    fn facts<'a>(agent: &'a AgentId, message_id: &'a MessageId) -> Facts<'a> {
        Facts {
            agent,
            message_id,
            status: Status::Silent,
            state: AgentState::Idle,
            liveness: Liveness::Active,
            last_seen: NOW - Duration::from_secs(40),
            read_at: None,
            said: None,
            successor: None,
        }
    }

    fn message() -> MessageId {
        "msg_1".parse().unwrap()
    }

    /// A63
    #[test]
    fn tells_silence_of_the_absent_from_silence_of_the_busy() {
        let (otter, request) = (agent("amber-otter"), message());
        let known = facts(&otter, &request);
        let unread = diagnose(&known, NOW);
        assert_eq!(unread.why, "it was last seen 40s ago, and the request lies unread in its inbox");
        assert_eq!(unread.next, "bb inbox --agent amber-otter --pending");
        let stale = diagnose(&Facts { liveness: Liveness::Evicted, ..known.clone() }, NOW);
        assert!(stale.why.contains("may have to be restarted"), "{}", stale.why);
        let read = diagnose(&Facts { read_at: Some(Timestamp::from_millis(9_990_000)), ..known }, NOW);
        assert_eq!(read.why, "it read the request 10s ago and gave no answer");
    }

    /// A64
    #[test]
    fn tells_an_answer_that_was_not_recognised() {
        let (otter, lead, request) = (agent("amber-otter"), agent("lead-one"), message());
        let why = |text, to_requester, bound| {
            let said = Some(Said { to: &lead, text, to_requester, bound });
            diagnose(&Facts { said, ..facts(&otter, &request) }, NOW).why
        };
        assert_eq!(why("ok", false, false), "it sent `ok` to lead-one instead");
        assert_eq!(why("ok", true, false), "it sent `ok` without saying what it answers");
        assert_eq!(why("oky", true, true), "it sent `oky`, which is none of ok, wait and cancel");
    }

    #[test]
    fn names_the_successor_of_the_gone() {
        let (otter, heir, request) = (agent("amber-otter"), agent("zinc-yak"), message());
        let state = AgentState::Inactive;
        let gone = diagnose(&Facts { state, successor: Some(&heir), ..facts(&otter, &request) }, NOW);
        assert_eq!(gone.why, "it is inactive and was replaced by zinc-yak");
    }
}
