//! Handshakes between the store and the state machine: the same few steps for whoever drives.
//!
//! Each step happens in the caller's transaction: load the snapshot, feed the machine, send and
//! record what comes out of it, store the snapshot. An ack, a waiter and `tick` therefore agree,
//! and nothing is sent twice.

mod driving;
mod opening;
mod performing;

pub(super) use driving::{
    advance, deadline, handed_on, hear, is_awaited, is_due, lateness, lost, succeeded, uncounted,
    wants_token, withdraw, withdraw_handoff,
};
pub(super) use opening::{Ask, open, open_again, open_request};
pub(super) use performing::{controller, draft, mark_unresponsive};

use crate::clock::Clock;
use crate::domain::Timestamp;
use crate::store::sqlite::StoredHandshake;

/// The time as a handshake sees it: its start plus what has passed since on a clock that nobody
/// sets. After a reboot, and where there is no such clock, it is the wall time.
pub(super) fn time_of(stored: &StoredHandshake, clock: &Clock) -> Timestamp {
    let Some((boot, began)) = &stored.began else { return clock.now() };
    match clock.uptime() {
        Some(uptime) if uptime.boot == *boot => {
            let began = std::time::Duration::from_millis(u64::try_from(*began).unwrap_or(0));
            stored.snapshot.started_at + uptime.since_boot.saturating_sub(began)
        }
        _ => clock.now(),
    }
}
