//! Who holds what, who may have it next, and who waits for whom.
//!
//! Reaching its expiry does not end a reservation: it only becomes one that others may take
//! over, explicitly. A clock that jumps forward therefore never hands it to a rival.

mod guarding;
#[cfg(test)]
mod tests;
mod turn;
mod waiting;

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::agent::{AgentId, AgentState, Liveness};
use super::message::words;
use super::scope::{Overlap, Scope, overlap};
use super::{Invalid, Rule, Timestamp, duration};
pub use guarding::{Incursion, incursions, keepers};
pub use turn::{Answer, Waiter, decide_in_turn};
pub use waiting::find_cycle;

words! {
    /// What became of a reservation.
    ///
    /// `active`, `released` and `taken-over` are stored. `expired` is how an active one is shown
    /// once its time is over: see [`Reservation::state_at`].
    State, Rule::State, "reservation state" {
        Active => "active",
        Expired => "expired",
        Released => "released",
        TakenOver => "taken-over",
    }
}

/// An agent's claim to a scope.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Reservation {
    pub reservation_id: String,
    pub scope: Scope,
    pub agent_id: AgentId,
    pub bead_id: Option<String>,
    pub state: State,
    #[schemars(with = "String")]
    pub created_at: Timestamp,
    #[schemars(with = "String")]
    pub expires_at: Timestamp,
    /// When it was released or taken over.
    #[schemars(with = "Option<String>")]
    pub released_at: Option<Timestamp>,
    /// Higher than that of every earlier grant.
    pub fence: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether others may share it; if not, it is the agent's alone.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub shared: bool,
}

impl Reservation {
    /// The state to show at `now`.
    pub fn state_at(&self, now: Timestamp) -> State {
        match self.state {
            State::Active if self.is_over(now) => State::Expired,
            state => state,
        }
    }

    /// Whether two agents would hold the same at once.
    pub fn clashes_with(&self, other: &Self, now: Timestamp) -> bool {
        let is_held = |it: &Self| it.state_at(now) == State::Active;
        self.agent_id != other.agent_id
            && is_held(self)
            && is_held(other)
            && !(self.shared && other.shared)
            && overlap(&self.scope, &other.scope).is_shared()
    }

    /// Whether its time is over: at the stored expiry, not before.
    pub fn is_over(&self, now: Timestamp) -> bool {
        now >= self.expires_at
    }
}

/// How long a reservation lasts: 5 to 1440 minutes, 120 when not said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(try_from = "String")]
pub struct Ttl(#[schemars(with = "String")] Duration);

impl Ttl {
    pub const MIN: Self = Self::from_minutes(5);
    pub const MAX: Self = Self::from_minutes(1_440);

    const fn from_minutes(minutes: u64) -> Self {
        Self(Duration::from_secs(minutes * 60))
    }

    /// Parses minutes (`120`) or a number with a unit (`2h`).
    pub fn parse(text: &str) -> Result<Self, Invalid> {
        let hint = "use 5 to 1440 minutes: 120, 90m, 2h";
        let wanted = duration::minutes(text).map_err(|invalid| invalid.hint(hint))?;
        if (Self::MIN.0..=Self::MAX.0).contains(&wanted) {
            return Ok(Self(wanted));
        }
        let what = format!("a reservation cannot last `{}`", text.trim());
        Err(Invalid::new(Rule::Duration, what).hint(hint))
    }

    /// The duration itself.
    pub const fn get(self) -> Duration {
        self.0
    }
}

impl Default for Ttl {
    fn default() -> Self {
        Self::from_minutes(120)
    }
}

impl TryFrom<String> for Ttl {
    type Error = Invalid;

    fn try_from(text: String) -> Result<Self, Invalid> {
        Self::parse(&text)
    }
}

/// A wish to reserve some scopes, all of them or none.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    pub agent: &'a AgentId,
    pub scopes: &'a [Scope],
    pub shared: bool,
    pub takeover_stale: bool,
}

/// A reservation and how its owner is doing; an owner that is gone counts as evicted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    pub reservation: Reservation,
    pub owner: Liveness,
}

impl Held {
    /// Whether it may be taken over: its time is over, or its owner has gone quiet.
    pub fn is_stale(&self, now: Timestamp) -> bool {
        self.reservation.is_over(now) || self.owner != Liveness::Active
    }

    /// Whether nobody can count on it any more: its time is over, and its owner has gone quiet.
    pub fn has_lapsed(&self, now: Timestamp) -> bool {
        self.reservation.is_over(now) && self.owner != Liveness::Active
    }
}

/// How the owner of a reservation is doing: one that is gone will not come back for it.
pub fn owner_liveness(
    state: AgentState,
    last_seen: Timestamp,
    stale_after: Duration,
    now: Timestamp,
) -> Liveness {
    if state.is_gone() { Liveness::Evicted } else { Liveness::at(now, last_seen, stale_after) }
}

/// A reservation that is in the way of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Holder<'a> {
    pub held: &'a Held,
    /// The first requested scope it overlaps.
    pub wanted: &'a Scope,
    pub overlap: Overlap,
}

/// The answer to a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision<'a> {
    /// The request is granted as a whole.
    Grant {
        /// Scopes to reserve anew.
        create: Vec<&'a Scope>,
        /// The agent's own reservations of requested scopes; they go on with the request's time and sharing.
        refresh: Vec<&'a str>,
        /// Others' reservations that end.
        take_over: Vec<&'a str>,
    },
    /// Others work on it: at least one reservation that is in force is in the way.
    Conflict(Vec<Holder<'a>>),
    /// Only stale reservations are in the way; the request may be repeated to take them over.
    Stale(Vec<Holder<'a>>),
}

/// Decides a request against every reservation in the project that has not ended.
pub fn decide<'a>(request: &Request<'a>, held: &'a [Held], now: Timestamp) -> Decision<'a> {
    let (own, others): (Vec<_>, Vec<_>) =
        in_order(held).into_iter().partition(|held| held.reservation.agent_id == *request.agent);
    let (stale, in_force): (Vec<_>, Vec<_>) = others
        .into_iter()
        .filter_map(|held| in_the_way(request, held))
        .partition(|holder| holder.held.is_stale(now));
    if !in_force.is_empty() {
        return Decision::Conflict(in_force);
    }
    if !stale.is_empty() && !request.takeover_stale {
        return Decision::Stale(stale);
    }
    grant(request, &own, &stale)
}

fn in_the_way<'a>(request: &Request<'a>, held: &'a Held) -> Option<Holder<'a>> {
    if request.shared && held.reservation.shared {
        return None;
    }
    request.scopes.iter().find_map(|wanted| {
        let overlap = overlap(wanted, &held.reservation.scope);
        overlap.is_shared().then_some(Holder { held, wanted, overlap })
    })
}

fn grant<'a>(request: &Request<'a>, own: &[&'a Held], stale: &[Holder<'a>]) -> Decision<'a> {
    let (mut create, mut refresh) = (Vec::new(), Vec::new());
    for (place, wanted) in request.scopes.iter().enumerate() {
        if request.scopes.iter().take(place).any(|earlier| is_same(wanted, earlier)) {
            continue;
        }
        let before = refresh.len();
        refresh.extend(
            own.iter().filter(|held| is_same(wanted, &held.reservation.scope)).map(|held| id_of(held)),
        );
        if refresh.len() == before {
            create.push(wanted);
        }
    }
    Decision::Grant { create, refresh, take_over: stale.iter().map(|holder| id_of(holder.held)).collect() }
}

/// The answer to an agent's wish to release a scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Release<'a> {
    /// The agent's own reservations of the scope; they end.
    Granted(Vec<&'a str>),
    /// Others reserved it, and only they release it.
    Forbidden(Vec<&'a Held>),
    /// Nobody reserved it.
    NotFound,
}

/// Decides who releases what: only the owner, and only the scope as it was reserved.
pub fn decide_release<'a>(agent: &AgentId, scope: &Scope, held: &'a [Held]) -> Release<'a> {
    let (own, others): (Vec<_>, Vec<_>) = in_order(held)
        .into_iter()
        .filter(|held| is_same(scope, &held.reservation.scope))
        .partition(|held| held.reservation.agent_id == *agent);
    if !own.is_empty() {
        Release::Granted(own.into_iter().map(id_of).collect())
    } else if !others.is_empty() {
        Release::Forbidden(others)
    } else {
        Release::NotFound
    }
}

/// The reservations that have not ended, oldest grant first.
fn in_order(held: &[Held]) -> Vec<&Held> {
    let mut active: Vec<_> = held.iter().filter(|held| held.reservation.state == State::Active).collect();
    active.sort_by_key(|held| (held.reservation.fence, &held.reservation.reservation_id));
    active
}

fn is_same(a: &Scope, b: &Scope) -> bool {
    overlap(a, b) == Overlap::Exact
}

fn id_of(held: &Held) -> &str {
    &held.reservation.reservation_id
}
