//! Whose files they are, and where two hold the same.

use super::{Held, Reservation, State};
use crate::domain::Timestamp;
use crate::domain::agent::AgentId;
use crate::domain::scope::{Overlap, overlap};

/// The reservations that keep `agent` from changing the file at `path`.
///
/// Those are others' that cover it, except where it is shared and the agent is one of the sharers.
/// Whoever has no name shares nothing.
pub fn keepers<'a>(path: &str, agent: Option<&AgentId>, held: &'a [Held]) -> Vec<&'a Held> {
    let (own, others): (Vec<_>, Vec<_>) = super::in_order(held)
        .into_iter()
        .filter(|held| held.reservation.scope.contains(path))
        .partition(|held| Some(&held.reservation.agent_id) == agent);
    others.into_iter().filter(|held| own.is_empty() || !held.reservation.shared).collect()
}

/// Two reservations of one project that should not both be in force.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Incursion<'a> {
    pub first: &'a Reservation,
    pub second: &'a Reservation,
    pub overlap: Overlap,
}

/// Finds the reservations in force of different agents that overlap although they are not shared.
///
/// Reserving never leads to one; taking over another tool's records can.
pub fn incursions<'a>(
    reservations: impl IntoIterator<Item = &'a Reservation>,
    now: Timestamp,
) -> Vec<Incursion<'a>> {
    let in_force: Vec<_> =
        reservations.into_iter().filter(|one| one.state_at(now) == State::Active).collect();
    let mut found = Vec::new();
    for (place, &first) in in_force.iter().enumerate() {
        for &second in in_force.iter().skip(place + 1) {
            if first.agent_id == second.agent_id || (first.shared && second.shared) {
                continue;
            }
            let overlap = overlap(&first.scope, &second.scope);
            if overlap.is_shared() {
                found.push(Incursion { first, second, overlap });
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::tests::{NOW, agent, expired, held, shared};
    use super::*;

    fn kept(path: &str, name: Option<&str>, held: &[Held]) -> Vec<String> {
        let agent = name.map(agent);
        keepers(path, agent.as_ref(), held).iter().map(|it| it.reservation.reservation_id.clone()).collect()
    }

    #[test]
    fn files_that_others_reserved_are_kept_from_everyone_else() {
        let all = [held("res-1", "zinc-yak", "src/**/*.rs"), held("res-2", "teal-wren", "docs")];
        assert_eq!(kept("src/cli/main.rs", Some("amber-otter"), &all), ["res-1"]);
        assert_eq!(kept("docs/a/b.md", None, &all), ["res-2"]);
        assert!(kept("src/cli/main.rs", Some("zinc-yak"), &all).is_empty());
        assert!(kept("src/readme.md", Some("amber-otter"), &all).is_empty());
    }

    #[test]
    fn what_is_shared_is_kept_from_those_who_do_not_share_it() {
        let all = [shared(held("res-1", "zinc-yak", "src")), shared(held("res-2", "teal-wren", "src/cli"))];
        assert_eq!(kept("src/main.rs", Some("amber-otter"), &all), ["res-1"]);
        assert_eq!(kept("src/main.rs", None, &all), ["res-1"]);
        assert!(kept("src/cli/main.rs", Some("teal-wren"), &all).is_empty());
        assert_eq!(kept("src/main.rs", Some("teal-wren"), &all), ["res-1"]);
    }

    #[test]
    fn two_holders_of_one_path_are_an_incursion_unless_both_share_it() {
        let reservations: Vec<_> = [
            held("res-1", "zinc-yak", "src"),
            held("res-2", "teal-wren", "src/cli"),
            held("res-3", "zinc-yak", "src/cli/main.rs"),
            shared(held("res-4", "teal-wren", "docs")),
            shared(held("res-5", "zinc-yak", "docs")),
            expired(held("res-6", "amber-otter", "src")),
        ]
        .into_iter()
        .map(|held| held.reservation)
        .collect();
        let found: Vec<_> = incursions(&reservations, NOW)
            .iter()
            .map(|it| (it.first.reservation_id.clone(), it.second.reservation_id.clone(), it.overlap))
            .collect();
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned(), Overlap::Partial);
        assert_eq!(found, [pair("res-1", "res-2"), pair("res-2", "res-3")]);
    }
}
