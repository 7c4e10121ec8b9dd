//! Writing down what was granted, and telling those whose time it ends.

use serde_json::json;

use super::{Granted, Reserved, TakenOver, Wish};
use crate::commands::Context;
use crate::commands::correspondence::post;
use crate::commands::identity::Actor;
use crate::domain::Timestamp;
use crate::domain::agent::AgentId;
use crate::domain::event::NewEvent;
use crate::domain::message::{Category, Draft, Kind, MessageId, Priority, default_thread};
use crate::domain::reservation::{Reservation, State};
use crate::domain::scope::{Overlap, Scope, overlap};
use crate::failure::{Code, Failure};
use crate::store::Transaction;
use crate::store::changes::Topic;

/// The longest scope that a subject names.
const SHORT: usize = 100;

/// What is granted: what to reserve anew, what to refresh, and what ends by it.
pub(super) struct Plan<'a> {
    pub(super) create: Vec<&'a Scope>,
    pub(super) refresh: Vec<&'a Reservation>,
    pub(super) take_over: Vec<&'a Reservation>,
}

/// Performs what was decided.
pub(super) fn perform(
    context: &Context,
    transaction: &Transaction,
    wish: &Wish,
    actor: &Actor,
    plan: &Plan<'_>,
    now: Timestamp,
) -> Result<Reserved, Failure> {
    let taken_over = take_over(context, transaction, wish, actor, plan, now)?;
    let mut granted = Vec::new();
    for old in &plan.refresh {
        granted.push(refresh(transaction, wish, old, now)?);
    }
    for scope in &plan.create {
        granted.push(create(context, transaction, wish, scope, now)?);
    }
    let wanted =
        |one: &Reservation| wish.scopes.iter().position(|scope| overlap(scope, &one.scope) == Overlap::Exact);
    granted.sort_by_key(wanted);
    transaction.agent_seen(&wish.agent, now)?;
    transaction.concerns(Topic::Reservations(wish.project.clone()));
    Ok(Reserved { granted: one_or_several(granted, wish.is_single)?, taken_over, now })
}

fn one_or_several(reservations: Vec<Reservation>, is_single: bool) -> Result<Granted, Failure> {
    if !is_single {
        return Ok(Granted::Several { reservations });
    }
    let only = reservations.into_iter().next();
    let only = only.ok_or_else(|| Failure::new(Code::InternalError, "nothing was reserved"))?;
    Ok(Granted::One(Box::new(only)))
}

fn create(
    context: &Context,
    transaction: &Transaction,
    wish: &Wish,
    scope: &Scope,
    now: Timestamp,
) -> Result<Reservation, Failure> {
    let new = Reservation {
        reservation_id: new_id(context, transaction, now)?,
        scope: scope.clone(),
        agent_id: wish.agent.clone(),
        bead_id: Some(wish.bead.clone()),
        state: State::Active,
        created_at: now,
        expires_at: now + wish.ttl.get(),
        released_at: None,
        fence: transaction.next_fence()?,
        reason: wish.reason.clone(),
        shared: wish.shared,
    };
    transaction.add_reservation(&wish.project, &new)?;
    record(transaction, "reservation.granted", &wish.agent, &wish.project, &new, now)?;
    Ok(new)
}

fn refresh(
    transaction: &Transaction,
    wish: &Wish,
    old: &Reservation,
    now: Timestamp,
) -> Result<Reservation, Failure> {
    let same = |wanted: &&Scope| overlap(wanted, &old.scope) == Overlap::Exact;
    let of_files = wish.scopes.iter().find(same).is_some_and(Scope::is_of_files);
    let refreshed = Reservation {
        scope: old.scope.clone().of_files(of_files),
        bead_id: Some(wish.bead.clone()),
        expires_at: now + wish.ttl.get(),
        fence: transaction.next_fence()?,
        reason: wish.reason.clone().or_else(|| old.reason.clone()),
        shared: wish.shared,
        ..old.clone()
    };
    transaction.refresh_reservation(&refreshed)?;
    record(transaction, "reservation.refreshed", &wish.agent, &wish.project, &refreshed, now)?;
    Ok(refreshed)
}

/// An id that no reservation has.
fn new_id(context: &Context, transaction: &Transaction, now: Timestamp) -> Result<String, Failure> {
    loop {
        let id = context.ids.id("res", now)?;
        if transaction.reservation(&id)?.is_none() {
            return Ok(id);
        }
    }
}

/// Ends others' reservations and tells each owner once.
fn take_over(
    context: &Context,
    transaction: &Transaction,
    wish: &Wish,
    actor: &Actor,
    plan: &Plan<'_>,
    now: Timestamp,
) -> Result<Vec<TakenOver>, Failure> {
    let end = |old: &&Reservation| Reservation {
        state: State::TakenOver,
        released_at: Some(now),
        ..(*old).clone()
    };
    let ended: Vec<_> = plan.take_over.iter().map(end).collect();
    for old in &ended {
        transaction.end_reservation(&old.reservation_id, State::TakenOver, now)?;
        record(transaction, "reservation.taken-over", &wish.agent, &wish.project, old, now)?;
    }
    let mut owners: Vec<_> = ended.iter().map(|old| &old.agent_id).collect();
    owners.sort();
    owners.dedup();
    let mut taken_over = Vec::new();
    for owner in owners {
        let theirs: Vec<_> = ended.iter().filter(|old| old.agent_id == *owner).collect();
        let message_id = tell(context, transaction, wish, actor, &theirs, now)?;
        taken_over.extend(
            theirs
                .into_iter()
                .map(|old| TakenOver { reservation: old.clone(), message_id: message_id.clone() }),
        );
    }
    Ok(taken_over)
}

/// Tells an owner what it lost.
fn tell(
    context: &Context,
    transaction: &Transaction,
    wish: &Wish,
    actor: &Actor,
    lost: &[&Reservation],
    now: Timestamp,
) -> Result<Option<MessageId>, Failure> {
    let Some(first) = lost.first() else { return Ok(None) };
    let told = post(context, transaction, &notice(wish, actor, first, lost), now)?;
    Ok(Some(told.message_id))
}

fn notice(wish: &Wish, actor: &Actor, first: &Reservation, lost: &[&Reservation]) -> Draft {
    let bead = first.bead_id.clone().unwrap_or_else(|| wish.bead.clone());
    let scopes: Vec<_> = lost.iter().map(|one| &one.scope).collect();
    let list: Vec<_> = scopes.iter().map(|scope| format!("- {scope}")).collect();
    let subject = match scopes.as_slice() {
        [only] if only.as_str().len() <= SHORT => format!("Reservation taken over: {only}"),
        _ => format!("Reservations taken over: {}", scopes.len()),
    };
    let body = format!(
        "{} has taken over what you had reserved, for bead {}:\n{}\n\
         It had expired, or you had been quiet for too long. Agree with {} before you change any of it.",
        wish.agent,
        wish.bead,
        list.join("\n"),
        wish.agent,
    );
    let ids: Vec<_> = lost.iter().map(|one| &one.reservation_id).collect();
    let content = json!({
        "type": "reservation-taken-over", "scopes": scopes, "reservation_ids": ids,
        "taken_over_by": wish.agent, "for_bead": wish.bead,
    });
    Draft {
        from: wish.agent.clone(),
        to: first.agent_id.clone(),
        thread_id: default_thread(&bead),
        bead_id: Some(bead),
        category: Category::Info,
        kind: Kind::Message,
        priority: Priority::High,
        subject,
        body,
        content: Some(content),
        requires_ack: false,
        ack_due_at: None,
        reply_to: None,
        broadcast_id: None,
        operation_id: None,
        key: None,
        verified: actor.verified,
    }
}

/// Records a change of a reservation.
pub(in crate::commands) fn record(
    transaction: &Transaction,
    event: &str,
    by: &AgentId,
    project: &str,
    reservation: &Reservation,
    now: Timestamp,
) -> Result<(), Failure> {
    let data = json!({
        "project": project, "scope": reservation.scope, "owner": reservation.agent_id,
        "bead": reservation.bead_id, "state": reservation.state, "expires_at": reservation.expires_at,
        "fence": reservation.fence, "shared": reservation.shared,
    });
    Ok(transaction.record(&NewEvent::new(event, by, &reservation.reservation_id).data(data), now)?)
}
