//! What a request is decided on.

use super::Wish;
use super::grant::Plan;
use super::refusal::Refusal;
use crate::commands::{Context, holding};
use crate::domain::Timestamp;
use crate::domain::reservation::{Decision, Held, Reservation, Waiter, decide_in_turn};
use crate::failure::Failure;
use crate::store::Transaction;

/// The reservations and the queue of a project.
pub(super) struct Facts {
    held: Vec<Held>,
    queue: holding::Queue,
    now: Timestamp,
}

impl Facts {
    pub(super) fn load(context: &Context, view: &Transaction, project: &str) -> Result<Self, Failure> {
        let now = context.now();
        let held = holding::held(context, view, project)?;
        Ok(Self { held, queue: holding::queue(view, project, now)?, now })
    }

    /// Decides a wish; `place` is its own place in the queue.
    pub(super) fn decide<'a>(&'a self, wish: &'a Wish, place: Option<i64>) -> Result<Plan<'a>, Refusal> {
        let answer = decide_in_turn(&wish.request(), place, &self.held, &self.queue.waiting, self.now);
        match answer.decision {
            Decision::Grant { create, refresh, take_over } if answer.ahead.is_empty() => {
                Ok(Plan { create, refresh: self.named(&refresh), take_over: self.named(&take_over) })
            }
            Decision::Grant { .. } => Err(Refusal::queued(&answer.ahead, answer.cycle.as_deref())),
            Decision::Conflict(holders) => {
                Err(Refusal::conflict(&holders, &wish.agent, answer.cycle.as_deref()))
            }
            Decision::Stale(holders) => Err(Refusal::stale(&holders)),
        }
    }

    fn named(&self, ids: &[&str]) -> Vec<&Reservation> {
        let all = self.held.iter().map(|held| &held.reservation);
        all.filter(|one| ids.contains(&one.reservation_id.as_str())).collect()
    }

    /// Whether somebody alive stands in this place of the queue.
    pub(super) fn has_place(&self, place: i64) -> bool {
        self.queue.waiting.iter().any(|waiter| waiter.place == place)
    }

    /// Those whose rows mean nothing any more.
    pub(super) fn gone(&self) -> &[Waiter] {
        &self.queue.gone
    }
}
