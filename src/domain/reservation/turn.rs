//! Whose turn it is.
//!
//! Requests are served in the order they came. One that comes later stands behind every earlier
//! one that wants some of the same, also where nothing is held at the moment; otherwise whoever
//! wants much would wait for ever for the few who want little. Nobody stands behind somebody who
//! waits for them.

use super::{Decision, Held, Request, decide, find_cycle};
use crate::domain::Timestamp;
use crate::domain::agent::AgentId;
use crate::domain::scope::{Scope, overlap};

/// A request that waits for its turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiter {
    /// Lower ones came first.
    pub place: i64,
    pub agent: AgentId,
    pub scopes: Vec<Scope>,
    pub shared: bool,
    pub takeover_stale: bool,
    pub since: Timestamp,
    /// When it gives up.
    pub until: Timestamp,
}

impl Waiter {
    fn request(&self) -> Request<'_> {
        Request {
            agent: &self.agent,
            scopes: &self.scopes,
            shared: self.shared,
            takeover_stale: self.takeover_stale,
        }
    }
}

/// The answer to a request among others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer<'a> {
    /// What is decided against the reservations there are.
    pub decision: Decision<'a>,
    /// Those who came before and have their turn first; a request is granted only when there are none.
    pub ahead: Vec<&'a Waiter>,
    /// The deadlock that would arise if the request waited: each waits for the next, the last for the first.
    pub cycle: Option<Vec<AgentId>>,
}

/// Decides a request against the reservations and the queue of the project.
///
/// `place` is the request's own place in the queue if it has one.
pub fn decide_in_turn<'a>(
    request: &Request<'a>,
    place: Option<i64>,
    held: &'a [Held],
    queue: &'a [Waiter],
    now: Timestamp,
) -> Answer<'a> {
    let decision = decide(request, held, now);
    let mut others: Vec<_> = queue.iter().filter(|waiter| Some(waiter.place) != place).collect();
    others.sort_by_key(|waiter| waiter.place);
    let waits = waits(&others, held, now);
    let before: Vec<_> =
        others.into_iter().filter(|waiter| place.is_none_or(|place| waiter.place < place)).collect();
    let ahead = ahead(request, &before, &waits);
    let mut blockers = holders(&decision);
    blockers.extend(ahead.iter().map(|waiter| waiter.agent.clone()));
    let cycle = find_cycle(&waits, (request.agent, &blockers)).filter(|_| !blockers.is_empty());
    Answer { decision, ahead, cycle }
}

/// The earlier requests that want some of the same and do not themselves wait for this one.
fn ahead<'a>(request: &Request<'_>, earlier: &[&'a Waiter], waits: &[(AgentId, AgentId)]) -> Vec<&'a Waiter> {
    earlier
        .iter()
        .copied()
        .filter(|waiter| waiter.agent != *request.agent && wants_the_same(request, waiter))
        .filter(|waiter| find_cycle(waits, (request.agent, std::slice::from_ref(&waiter.agent))).is_none())
        .collect()
}

fn wants_the_same(request: &Request<'_>, waiter: &Waiter) -> bool {
    let alike = |wanted: &Scope| waiter.scopes.iter().any(|theirs| overlap(wanted, theirs).is_shared());
    !(request.shared && waiter.shared) && request.scopes.iter().any(alike)
}

/// Who waits for whom: for those who hold what they want, and for those before them in the queue.
fn waits(queue: &[&Waiter], held: &[Held], now: Timestamp) -> Vec<(AgentId, AgentId)> {
    let mut waits = Vec::new();
    for waiter in queue {
        let holders = holders(&decide(&waiter.request(), held, now));
        waits.extend(holders.into_iter().map(|holder| (waiter.agent.clone(), holder)));
    }
    for (place, waiter) in queue.iter().enumerate() {
        let earlier = queue.get(..place).unwrap_or_default();
        let ahead = ahead(&waiter.request(), earlier, &waits);
        waits.extend(ahead.into_iter().map(|before| (waiter.agent.clone(), before.agent.clone())));
    }
    waits
}

fn holders(decision: &Decision<'_>) -> Vec<AgentId> {
    match decision {
        Decision::Grant { .. } => Vec::new(),
        Decision::Conflict(holders) | Decision::Stale(holders) => {
            holders.iter().map(|holder| holder.held.reservation.agent_id.clone()).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{NOW, agent, held, scopes};
    use super::*;

    fn waiter(place: i64, name: &str, wanted: &[&str]) -> Waiter {
        Waiter {
            place,
            agent: agent(name),
            scopes: scopes(wanted),
            shared: false,
            takeover_stale: false,
            since: NOW,
            until: NOW,
        }
    }

    /// Whom `name` stands behind, and the deadlock its waiting would be.
    fn ask(
        name: &str,
        wanted: &[&str],
        place: Option<i64>,
        held: &[Held],
        queue: &[Waiter],
    ) -> (bool, Vec<String>, Option<Vec<String>>) {
        let (agent, scopes) = (agent(name), scopes(wanted));
        let request = Request { agent: &agent, scopes: &scopes, shared: false, takeover_stale: false };
        let answer = decide_in_turn(&request, place, held, queue, NOW);
        let names = |agents: &[AgentId]| agents.iter().map(ToString::to_string).collect::<Vec<_>>();
        let ahead: Vec<_> = answer.ahead.iter().map(|waiter| waiter.agent.to_string()).collect();
        let is_free = matches!(answer.decision, Decision::Grant { .. });
        (is_free, ahead, answer.cycle.map(|cycle| names(&cycle)))
    }

    fn strings(texts: &[&str]) -> Vec<String> {
        texts.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_free_scope_goes_to_whoever_asked_first() {
        let queue = [waiter(2, "second", &["src/*.rs"]), waiter(1, "first", &["src"])];
        assert_eq!(ask("newcomer", &["src/a"], None, &[], &queue), (true, strings(&["first"]), None));
        assert_eq!(ask("second", &["src/*.rs"], Some(2), &[], &queue), (true, strings(&["first"]), None));
        assert_eq!(ask("first", &["src"], Some(1), &[], &queue), (true, vec![], None));
        assert_eq!(ask("newcomer", &["docs"], None, &[], &queue), (true, vec![], None));
    }

    #[test]
    fn a_free_part_of_what_an_earlier_one_waits_for_is_not_given_away() {
        let held = [held("res-1", "holder", "src/a")];
        let queue = [waiter(1, "first", &["src"])];
        assert_eq!(ask("newcomer", &["src/b"], None, &held, &queue), (true, strings(&["first"]), None));
    }

    #[test]
    fn nobody_stands_behind_those_who_wait_for_them() {
        let held = [held("res-1", "holder", "src/a"), held("res-2", "other", "docs")];
        let queue = [waiter(1, "first", &["src"]), waiter(2, "holder", &["docs"])];
        assert_eq!(ask("holder", &["src/b"], None, &held, &queue), (true, vec![], None));
        // `first` waits for `holder`, which waits for `other`.
        assert_eq!(ask("other", &["src/b"], None, &held, &queue), (true, vec![], None));
    }

    #[test]
    fn ones_own_other_requests_are_not_ahead() {
        let queue = [waiter(1, "first", &["src"])];
        assert_eq!(ask("first", &["src/a"], None, &[], &queue), (true, vec![], None));
    }

    #[test]
    fn sharers_do_not_queue_behind_one_another() {
        let mut first = waiter(1, "first", &["src"]);
        first.shared = true;
        let (agent, scopes) = (agent("newcomer"), scopes(&["src"]));
        let request = Request { agent: &agent, scopes: &scopes, shared: true, takeover_stale: false };
        let queue = [first];
        assert!(decide_in_turn(&request, None, &[], &queue, NOW).ahead.is_empty());
        assert_eq!(ask("newcomer", &["src"], None, &[], &queue).1, strings(&["first"]));
    }

    #[test]
    fn names_the_deadlock_that_waiting_would_be() {
        let held = [held("res-1", "aaa", "one"), held("res-2", "bbb", "two"), held("res-3", "ccc", "three")];
        let queue = [waiter(1, "aaa", &["two"]), waiter(2, "bbb", &["three"])];
        let cycle = Some(strings(&["ccc", "aaa", "bbb"]));
        assert_eq!(ask("ccc", &["one"], None, &held, &queue), (false, vec![], cycle));
        assert_eq!(ask("ddd", &["one"], None, &held, &queue), (false, vec![], None));
        assert_eq!(ask("ccc", &["four"], None, &held, &queue), (true, vec![], None));
    }
}
