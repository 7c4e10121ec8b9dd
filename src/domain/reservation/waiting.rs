//! Who waits for whom, and when that would never end.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::domain::agent::AgentId;

/// Finds the deadlock that would arise if an agent began to wait for all of `holders`.
///
/// `waits` are the pairs of waiter and holder there are already. The cycle begins with the new
/// waiter; each waits for the next and the last for the first. It is the shortest, and of
/// several such the first by name.
pub fn find_cycle(
    waits: &[(AgentId, AgentId)],
    (waiter, holders): (&AgentId, &[AgentId]),
) -> Option<Vec<AgentId>> {
    let mut waits_for: BTreeMap<&AgentId, BTreeSet<&AgentId>> = BTreeMap::new();
    waits_for.entry(waiter).or_default().extend(holders);
    for (earlier, holder) in waits {
        waits_for.entry(earlier).or_default().insert(holder);
    }
    let mut reached_from: BTreeMap<&AgentId, &AgentId> = BTreeMap::new();
    let mut to_visit = VecDeque::from([waiter]);
    while let Some(agent) = to_visit.pop_front() {
        for &next in waits_for.get(agent).into_iter().flatten() {
            if next == waiter {
                return Some(way_to(agent, &reached_from));
            }
            if !reached_from.contains_key(next) {
                reached_from.insert(next, agent);
                to_visit.push_back(next);
            }
        }
    }
    None
}

fn way_to(last: &AgentId, reached_from: &BTreeMap<&AgentId, &AgentId>) -> Vec<AgentId> {
    let mut way: Vec<_> =
        std::iter::successors(Some(last), |agent| reached_from.get(agent).copied()).cloned().collect();
    way.reverse();
    way
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn agent(name: &str) -> AgentId {
        name.parse().unwrap()
    }

    fn strings(names: &[&str]) -> Vec<String> {
        names.iter().map(ToString::to_string).collect()
    }

    fn cycle(waits: &[(&str, &str)], waiter: &str, holders: &[&str]) -> Option<Vec<String>> {
        let waits: Vec<_> = waits.iter().map(|(waiter, holder)| (agent(waiter), agent(holder))).collect();
        let holders: Vec<_> = holders.iter().map(|name| agent(name)).collect();
        find_cycle(&waits, (&agent(waiter), &holders))
            .map(|cycle| cycle.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn names_the_cycle_a_new_wait_would_close() {
        assert_eq!(cycle(&[], "aaa", &["bbb"]), None);
        assert_eq!(cycle(&[("bbb", "ccc")], "aaa", &["bbb", "ccc"]), None);
        assert_eq!(cycle(&[("bbb", "aaa")], "aaa", &["bbb"]), Some(strings(&["aaa", "bbb"])));
        let chain = [("bbb", "ccc"), ("ccc", "ddd"), ("ddd", "aaa")];
        assert_eq!(cycle(&chain, "aaa", &["bbb"]), Some(strings(&["aaa", "bbb", "ccc", "ddd"])));
        assert_eq!(cycle(&chain, "aaa", &["bbb", "ddd"]), Some(strings(&["aaa", "ddd"])));
        assert_eq!(cycle(&[], "aaa", &["aaa"]), Some(strings(&["aaa"])));
    }

    #[test]
    fn a_cycle_that_others_already_form_is_not_the_new_waiters() {
        assert_eq!(cycle(&[("bbb", "ccc"), ("ccc", "bbb")], "aaa", &["bbb"]), None);
    }

    /// Whether `from` waits for `to`, directly or through others, found by following every wait until
    /// nothing new appears.
    fn leads_to(waits: &[(usize, usize)], from: &[usize], to: usize) -> bool {
        let mut reached: Vec<usize> = from.to_vec();
        for _ in 0..10 {
            reached.extend(
                waits.iter().filter(|wait| reached.contains(&wait.0)).map(|wait| wait.1).collect::<Vec<_>>(),
            );
            reached.sort_unstable();
            reached.dedup();
        }
        reached.contains(&to)
    }

    proptest! {
        #[test]
        fn finds_a_cycle_if_and_only_if_there_is_one(
            waits in prop::collection::vec((0..6_usize, 0..6_usize), 0..10),
            holders in prop::collection::vec(1..6_usize, 1..3),
            turn in 0..10_usize,
        ) {
            let names = ["aaa", "bbb", "ccc", "ddd", "eee", "fff"].map(agent);
            let named: Vec<_> = waits.iter().map(|&(a, b)| (names[a].clone(), names[b].clone())).collect();
            let wanted: Vec<_> = holders.iter().map(|&it| names[it].clone()).collect();
            let found = find_cycle(&named, (&names[0], &wanted));
            let mut starts = holders.clone();
            starts.extend(waits.iter().filter(|wait| wait.0 == 0).map(|wait| wait.1));
            prop_assert_eq!(found.is_some(), leads_to(&waits, &starts, 0));

            let mut turned = named.clone();
            turned.rotate_left(turn.min(named.len()));
            prop_assert_eq!(&find_cycle(&turned, (&names[0], &wanted)), &found);

            if let Some(cycle) = found {
                prop_assert_eq!(&cycle[0], &names[0]);
                let next = cycle.iter().cycle().skip(1);
                for (waiter, holder) in cycle.iter().zip(next) {
                    let is_new = waiter == &names[0] && wanted.contains(holder);
                    prop_assert!(is_new || named.contains(&(waiter.clone(), holder.clone())));
                }
            }
        }
    }
}
