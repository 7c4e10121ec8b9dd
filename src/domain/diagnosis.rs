//! Why an agent did not acknowledge, as far as the facts tell, and what the requester can try next.

use std::time::Duration;

use super::age;
use super::agent::{AgentId, AgentState, Liveness};
use super::handshake::Status;
use super::{Timestamp, reply};

/// What is known of an agent whose acknowledgment is missing.
#[derive(Debug, Clone)]
pub struct Facts<'a> {
    pub agent: &'a AgentId,
    pub status: Status,
    /// What was asked about goes ahead all the same.
    pub proceeds: bool,
    pub state: AgentState,
    pub liveness: Liveness,
    pub last_seen: Timestamp,
    pub read_at: Option<Timestamp>,
    /// It did answer, but so that it does not count.
    pub answer: Option<Uncounted>,
    /// The newest words it sent that are no answer, and to whom.
    pub said: Option<Said<'a>>,
    pub successor: Option<&'a AgentId>,
    /// The line that asks again.
    pub again: &'a str,
}

/// An answer that did not count, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Uncounted {
    /// It came this long after the wait was over.
    Late(Duration),
    /// It came without the token that was asked for.
    NotVerified,
    /// It asked for more time, and that passed too.
    NeedsTime,
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

/// What probably happened and the next command of the one who asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnosis {
    pub why: String,
    pub next: String,
}

/// Judges the facts; the most telling one wins.
pub fn diagnose(facts: &Facts, now: Timestamp) -> Diagnosis {
    Diagnosis { why: why(facts, now), next: next(facts) }
}

fn why(facts: &Facts, now: Timestamp) -> String {
    let ago = |at: Timestamp| age::short(now.since(at));
    match (facts.status, facts.answer, &facts.said) {
        (Status::Cancelled, ..) => "it asked to cancel: settle that with it, then ask again".to_owned(),
        (Status::Refused, ..) => "it refused: settle that with it, then ask again".to_owned(),
        (Status::NeedsClarification, ..) => "it has a question: answer it, then ask again".to_owned(),
        _ if is_gone(facts) => match facts.successor {
            Some(successor) => format!("it is {} and was replaced by {successor}", facts.state),
            None => format!("it is {}", facts.state),
        },
        (_, Some(Uncounted::Late(by)), _) => {
            format!("its answer came {} after the wait was over", age::short(by))
        }
        (_, Some(Uncounted::NotVerified), _) => {
            "it answered without its token, and only verified answers count".to_owned()
        }
        (_, Some(Uncounted::NeedsTime), _) => {
            format!(
                "it asked for more time and did not come back; it was last seen {} ago",
                ago(facts.last_seen)
            )
        }
        (_, None, Some(said)) => misdirected(said),
        (_, None, None) => match (facts.read_at, facts.liveness) {
            (Some(read), _) => format!("it read the request {} ago and gave no answer", ago(read)),
            (None, Liveness::Active) => {
                format!(
                    "it was last seen {} ago, and the request lies unread in its inbox",
                    ago(facts.last_seen)
                )
            }
            (None, _) => format!(
                "it was last seen {} ago and has not read the request; it may have to be restarted",
                ago(facts.last_seen)
            ),
        },
    }
}

const fn is_gone(facts: &Facts) -> bool {
    facts.state.is_gone() || matches!(facts.status, Status::Gone)
}

/// The agent said something, but not so that it counts.
fn misdirected(said: &Said) -> String {
    let is_answer = reply::classify(said.text) != reply::Verdict::Other;
    let text: String = said.text.chars().take(60).collect();
    match (is_answer, said.to_requester, said.bound) {
        (true, false, _) => format!("it sent `{text}` to {} instead", said.to),
        (true, true, false) => format!("it sent `{text}` without saying what it answers"),
        _ => format!("it sent `{text}`, which is none of ok, wait and cancel"),
    }
}

/// Where waiting on makes sense, the line that asks again; nobody is told to answer for another.
fn next(facts: &Facts) -> String {
    let agent = facts.agent;
    match facts.successor.filter(|_| is_gone(facts)) {
        Some(successor) => format!("bb show {successor}"),
        None if is_gone(facts) || facts.proceeds => format!("bb show {agent}"),
        None if facts.read_at.is_none() && facts.liveness != Liveness::Active => format!("bb show {agent}"),
        None => facts.again.to_owned(),
    }
}

#[cfg(test)]
mod tests;
