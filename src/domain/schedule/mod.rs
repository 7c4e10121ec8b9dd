//! When a handshake reminds, how long it waits, and what silence means.
//!
//! A [`Profile`] is a named set of habits; with [`Overrides`] it resolves to a [`Plan`],
//! which is stored with the handshake and never looked up again.

pub(crate) mod millis;
mod plan;
mod profile;
#[cfg(test)]
mod tests;

pub use plan::{MAX_REMINDERS, MAX_WAIT, Overrides, Plan, Step, StepKind, backoff};
pub use profile::{Manner, Policy, Profile, Quorum, Tone};
