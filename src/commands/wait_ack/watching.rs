//! Seeing a handshake through.

use std::time::Duration;

use serde_json::Value;

use crate::commands::handshake::{advance, is_due, time_of};
use crate::commands::{Context, Listener};
use crate::domain::Timestamp;
use crate::domain::agent::AgentId;
use crate::domain::event::Event;
use crate::domain::handshake::{Handshake, Snapshot, Status};
use crate::failure::{Code, Failure};
use crate::interrupt::Interrupt;
use crate::store::Transaction;
use crate::store::changes::Topic;
use crate::store::sqlite::StoredHandshake;

/// How one agent stands, and how much time it has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Countdown {
    pub agent: AgentId,
    pub status: Status,
    pub remaining: Duration,
    pub whole: Duration,
    pub reminders_sent: usize,
}

/// Waits until the handshake is over, the patience ends or a signal comes.
///
/// Answers are taken in by whoever gives them, in their own transaction; this process only does what
/// is due and sleeps. The bell hangs before the first look, so nothing is missed.
pub(super) fn watch(
    context: &Context,
    patience: Option<Timestamp>,
    operation_id: &str,
    listener: &mut dyn Listener,
) -> Result<Snapshot, Failure> {
    let store = context.store()?;
    let bell = store.bell(&Topic::Operation(operation_id.to_owned()));
    let interrupt = Interrupt::listen(bell.cord());
    let mut seen = 0;
    loop {
        let version = store.version()?;
        let look = context.read(|view| look(context, view, operation_id, seen))?;
        for event in &look.events {
            seen = event.event_id;
            tell(event, listener)?;
        }
        let at = time_of(&look.stored, context.clock);
        listener.countdown(&countdown(&look.stored.snapshot, at));
        if look.stored.snapshot.end.is_some() {
            return Ok(look.stored.snapshot);
        }
        if look.is_due {
            take_steps(context, operation_id)?;
            continue;
        }
        if interrupt.asked() || patience.is_some_and(|until| until <= context.now()) {
            return Ok(look.stored.snapshot);
        }
        let due = Handshake::resume(look.stored.snapshot.clone()).poll_timeout().map_or(at, |(when, _)| when);
        let wake = context.now() + due.since(at);
        sleep(context, &bell, &interrupt, patience.map_or(wake, |until| until.min(wake)), version, || {
            let at = time_of(&look.stored, context.clock);
            listener.countdown(&countdown(&look.stored.snapshot, at));
        })?;
    }
}

/// Sleeps until something changed or the time has come; between glances the countdown moves on.
fn sleep(
    context: &Context,
    bell: &crate::store::changes::Bell,
    interrupt: &Interrupt,
    until: Timestamp,
    version: i64,
    mut glance: impl FnMut(),
) -> Result<(), Failure> {
    let store = context.store()?;
    while context.now() < until && !interrupt.asked() {
        context.clock.wait_until(until, bell);
        if store.version()? != version {
            return Ok(());
        }
        glance();
    }
    Ok(())
}

/// What a look at the store shows.
struct Look {
    stored: StoredHandshake,
    events: Vec<Event>,
    is_due: bool,
}

fn look(context: &Context, view: &Transaction, operation_id: &str, seen: i64) -> Result<Look, Failure> {
    let vanished =
        || Failure::new(Code::OperationNotFound, format!("there is no operation `{operation_id}`"));
    let stored = view.handshake(operation_id)?.ok_or_else(vanished)?;
    let is_due = is_due(context, view, &stored)?;
    Ok(Look { events: view.operation_events(operation_id, seen)?, stored, is_due })
}

/// Does what is due, having looked again inside the transaction.
fn take_steps(context: &Context, operation_id: &str) -> Result<(), Failure> {
    context.write(|transaction, now| {
        if let Some(stored) = transaction.handshake(operation_id)?.filter(|it| it.snapshot.end.is_none()) {
            advance(context, transaction, stored, now)?;
        }
        Ok(())
    })
}

/// Passes on the lines that were recorded with an event.
fn tell(event: &Event, listener: &mut dyn Listener) -> Result<(), Failure> {
    let lines = event.data.get("lines").and_then(Value::as_array);
    for line in lines.into_iter().flatten().filter_map(Value::as_str) {
        listener.event(event.at, line)?;
    }
    Ok(())
}

fn countdown(state: &Snapshot, at: Timestamp) -> Vec<Countdown> {
    state
        .recipients
        .iter()
        .map(|it| Countdown {
            agent: it.agent.clone(),
            status: it.status,
            remaining: it.deadline.since(at),
            whole: state.wait_for(it),
            reminders_sent: it.reminders_sent,
        })
        .collect()
}
