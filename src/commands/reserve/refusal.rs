//! Why a request is refused, and what to do about it.

use crate::domain::Timestamp;
use crate::domain::agent::{AgentId, Liveness};
use crate::domain::reservation::{Holder, Reservation, Waiter};
use crate::domain::scope::Overlap;
use crate::failure::{Code, Failure};

/// As many as are named one by one.
const NAMED: usize = 5;

/// Why a request is not granted.
#[derive(Debug)]
pub(super) enum Refusal {
    /// Others are in the way, the first of them until then.
    Blocked { why: Failure, until: Option<Timestamp> },
    /// Others are in the way, and they wait for whoever asks: each for the next, the last for the first.
    Deadlock { why: Failure, cycle: Vec<AgentId> },
    /// Only stale reservations are in the way; time makes them no staler.
    Stale(Failure),
}

impl Refusal {
    /// Reservations in force are in the way.
    pub(super) fn conflict(holders: &[Holder<'_>], agent: &AgentId, cycle: Option<&[AgentId]>) -> Self {
        let holder = holders.first().map(|holder| holder.held.reservation.agent_id.to_string());
        let hint = format!(
            "agree with its holder (bb send --from {agent} --to {} …), queue up with --wait SECS, \
             or reserve something else",
            holder.unwrap_or_default()
        );
        let what = listed(holders, |holder| named(holder, ""));
        let until = holders.iter().map(|holder| holder.held.reservation.expires_at).min();
        Self::in_the_way(Failure::new(Code::ReservationConflict, what).hint(hint), until, cycle)
    }

    /// Nothing is in the way but those who asked before.
    pub(super) fn queued(ahead: &[&Waiter], cycle: Option<&[AgentId]>) -> Self {
        let described = |waiter: &&Waiter| {
            let scopes: Vec<_> = waiter.scopes.iter().take(NAMED).map(|scope| format!("`{scope}`")).collect();
            format!("`{}` has waited for {} since {}", waiter.agent, scopes.join(", "), waiter.since)
        };
        let what = format!("it is free, but others asked before: {}", listed(ahead, described));
        let why = Failure::new(Code::ReservationConflict, what).hint("queue up with --wait SECS");
        Self::in_the_way(why, ahead.iter().map(|waiter| waiter.until).min(), cycle)
    }

    fn in_the_way(why: Failure, until: Option<Timestamp>, cycle: Option<&[AgentId]>) -> Self {
        match cycle {
            None => Self::Blocked { why, until },
            Some(cycle) => Self::Deadlock { why, cycle: cycle.to_vec() },
        }
    }

    /// Only stale reservations are in the way.
    pub(super) fn stale(holders: &[Holder<'_>]) -> Self {
        let described = |holder: &Holder<'_>| {
            let why = match holder.held.owner {
                Liveness::Active => ", and that time is over",
                Liveness::Stale => ", and its owner is stale",
                Liveness::Evicted => ", and its owner is evicted",
            };
            named(holder, why)
        };
        let why = Failure::new(Code::ReservationStaleFound, listed(holders, described))
            .hint("agree with its holder if you can; then repeat the command with --takeover-stale");
        Self::Stale(why)
    }

    /// What to tell those who do not wait.
    pub(super) fn why(self) -> Failure {
        match self {
            Self::Blocked { why, .. } | Self::Deadlock { why, .. } | Self::Stale(why) => why,
        }
    }
}

/// What to tell those who would wait for themselves.
pub(super) fn deadlock(cycle: &[AgentId]) -> Failure {
    let names: Vec<_> = cycle.iter().chain(cycle.first()).map(|agent| format!("`{agent}`")).collect();
    let what = format!("waiting would never end: {}", names.join(" waits for "));
    Failure::new(Code::ReservationDeadlock, what)
        .hint("release what they wait for first (bb release --scope SCOPE), or agree by mail who goes first")
}

fn named(holder: &Holder<'_>, why: &str) -> String {
    let asked = match holder.overlap {
        Overlap::Exact => String::new(),
        overlap => format!(" ({overlap} overlap with `{}`)", holder.wanted),
    };
    format!("{}{why}{asked}", reserved(&holder.held.reservation))
}

/// Who holds what, for which bead, and until when.
pub(in crate::commands) fn reserved(reservation: &Reservation) -> String {
    let sharing = if reservation.shared { "shared by" } else { "reserved by" };
    let bead = reservation.bead_id.as_ref().map(|bead| format!(" for bead `{bead}`")).unwrap_or_default();
    let reason = reservation.reason.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default();
    let Reservation { scope, agent_id, expires_at, .. } = reservation;
    format!("`{scope}` is {sharing} `{agent_id}`{bead}{reason} until {expires_at}")
}

/// Names the first few of many.
pub(in crate::commands) fn listed<T>(items: &[T], name: impl FnMut(&T) -> String) -> String {
    let mut parts: Vec<_> = items.iter().take(NAMED).map(name).collect();
    if items.len() > NAMED {
        parts.push(format!("and {} more", items.len() - NAMED));
    }
    parts.join("; ")
}
