//! Waiting for what others hold: first come, first served.
//!
//! Whoever waits stands in a row of the store, and takes what it waits for in a transaction of its
//! own when its turn has come. A process that dies therefore takes nothing with it.

use std::time::Duration;

use serde_json::json;

use super::facts::Facts;
use super::refusal::{Refusal, deadlock};
use super::{Reserved, Wish, attempt};
use crate::commands::Context;
use crate::commands::waiting::{self, Look, Patience};
use crate::domain::Timestamp;
use crate::domain::event::NewEvent;
use crate::domain::reservation::Waiter;
use crate::failure::{Code, Failure};
use crate::store::Transaction;
use crate::store::changes::Topic;

/// The longest between two looks: owners go quiet without a word, and whoever waits is alive.
const AT_LEAST_EVERY: Duration = Duration::from_secs(60);

/// Where a request stands.
enum Standing {
    Ended(Result<Reserved, Failure>),
    /// In this place of the queue; time alone may help by then.
    Waiting(i64, Option<Timestamp>),
}

/// Reserves as soon as nothing is in the way any more, or gives up after `limit`.
pub(super) fn wait(context: &Context, wish: &Wish, limit: Duration) -> Result<Reserved, Failure> {
    let until = context.now() + limit;
    let mut place = None;
    let topic = Topic::Reservations(wish.project.clone());
    let found = waiting::until_or_later(context, &topic, Patience::until(until), || {
        let standing = match place {
            Some(mine) => glance(context, wish, mine)?,
            None => None,
        };
        match standing.map_or_else(|| step(context, wish, place, until), Ok)? {
            Standing::Ended(end) => Ok(Look::Found(end)),
            Standing::Waiting(mine, at) => {
                place = Some(mine);
                let latest = context.now() + AT_LEAST_EVERY;
                Ok(Look::NothingBefore(at.map_or(latest, |at| at.min(latest))))
            }
        }
    })?;
    found.unwrap_or_else(|| give_up(context, wish, place))
}

/// Looks without writing; nothing when the time to act has come.
fn glance(context: &Context, wish: &Wish, place: i64) -> Result<Option<Standing>, Failure> {
    let (standing, agent) = context.read(|view| {
        let agent = context.known(view, &wish.agent, Code::AgentNotFound)?;
        let facts = Facts::load(context, view, &wish.project)?;
        let standing = match facts.decide(wish, Some(place)) {
            Err(Refusal::Blocked { until, .. }) if facts.has_place(place) => {
                Some(Standing::Waiting(place, until))
            }
            _ => None,
        };
        Ok((standing, agent))
    })?;
    context.note_activity(&agent);
    Ok(standing)
}

/// Takes what is free, leaves the queue where waiting would not help, or stands in it.
fn step(context: &Context, wish: &Wish, place: Option<i64>, until: Timestamp) -> Result<Standing, Failure> {
    context.write(|transaction, now| {
        let actor = context.acting(transaction, &wish.agent, Code::AgentNotFound)?;
        let facts = Facts::load(context, transaction, &wish.project)?;
        let end = match attempt(context, transaction, wish, &actor, (&facts, place), now)? {
            Ok(reserved) => Ok(reserved),
            Err(Refusal::Stale(why)) => Err(why),
            Err(Refusal::Deadlock { cycle, .. }) => Err(deadlock(&cycle)),
            Err(Refusal::Blocked { until: at, .. }) => {
                let place = match place.filter(|place| facts.has_place(*place)) {
                    Some(place) => place,
                    None => enter(transaction, wish, until, now)?,
                };
                return Ok(Standing::Waiting(place, at));
            }
        };
        leave(transaction, wish, place)?;
        Ok(Standing::Ended(end))
    })
}

/// Tries a last time and leaves the queue.
fn give_up(context: &Context, wish: &Wish, place: Option<i64>) -> Result<Reserved, Failure> {
    context.write(|transaction, now| {
        let actor = context.acting(transaction, &wish.agent, Code::AgentNotFound)?;
        let facts = Facts::load(context, transaction, &wish.project)?;
        let end = attempt(context, transaction, wish, &actor, (&facts, place), now)?;
        leave(transaction, wish, place)?;
        let why = match end {
            Ok(reserved) => return Ok(Ok(reserved)),
            Err(refusal) => refusal.why(),
        };
        let data = json!({"scopes": wish.scopes, "why": why.message});
        let event = NewEvent::new("reservation.given-up", &wish.agent, &wish.project);
        transaction.record(&event.data(data), now)?;
        transaction.agent_seen(&wish.agent, now)?;
        Ok(Err(Failure { message: format!("waited in vain: {}", why.message), ..why }))
    })?
}

fn enter(transaction: &Transaction, wish: &Wish, until: Timestamp, now: Timestamp) -> Result<i64, Failure> {
    let waiter = Waiter {
        place: 0,
        agent: wish.agent.clone(),
        scopes: wish.scopes.clone(),
        shared: wish.shared,
        takeover_stale: wish.takeover_stale,
        since: now,
        until,
    };
    let place = transaction.add_waiter(&wish.project, &waiter)?;
    let data = json!({"scopes": wish.scopes, "until": until, "place": place});
    transaction.record(&NewEvent::new("reservation.waiting", &wish.agent, &wish.project).data(data), now)?;
    transaction.agent_seen(&wish.agent, now)?;
    Ok(place)
}

/// Leaves the queue; those behind move up.
fn leave(transaction: &Transaction, wish: &Wish, place: Option<i64>) -> Result<(), Failure> {
    if let Some(place) = place {
        transaction.remove_waiter(place)?;
        transaction.concerns(Topic::Reservations(wish.project.clone()));
    }
    Ok(())
}
