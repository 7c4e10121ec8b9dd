//! `release`: an agent is done with what it reserved.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::reserve::grant::record;
use super::reserve::refusal::{listed, reserved};
use super::{Context, Me, Report, holding};
use crate::domain::Timestamp;
use crate::domain::agent::AgentId;
use crate::domain::reservation::{Held, Release, Reservation, State, decide_release};
use crate::domain::scope::Scope;
use crate::failure::{Code, Failure};
use crate::store::Transaction;
use crate::store::changes::Topic;

/// Release what you have reserved
#[derive(Debug, Clone, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Args {
    #[command(flatten)]
    #[serde(flatten)]
    pub me: Me,
    /// A scope as it was reserved; several are released together or not at all
    #[arg(long, value_name = "SCOPE", num_args = 1.., required_unless_present = "all")]
    pub scope: Vec<String>,
    /// Everything you hold, in every project
    #[arg(long, conflicts_with = "scope")]
    pub all: bool,
}

/// What was released: one reservation, or those of several scopes.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Released {
    One(Box<Reservation>),
    Several { reservations: Vec<Reservation> },
}

impl Report for Released {}

/// Releases everything that is named, or nothing.
pub fn run(context: &Context, args: &Args) -> Result<Released, Failure> {
    let me = context.identity(args.me.agent.as_ref(), "--agent")?.id;
    let project = holding::project(context)?;
    let typed = args
        .scope
        .iter()
        .map(|typed| Ok(project.readings(typed)?))
        .collect::<Result<Vec<Vec<Scope>>, Failure>>()?;
    let mut released = context.write(|transaction, now| {
        context.acting(transaction, &me, Code::AgentNotFound)?;
        let released = if args.all {
            everything(context, transaction, &me, now)?
        } else {
            named(context, transaction, &me, &project.name(), &typed, now)?
        };
        transaction.agent_seen(&me, now)?;
        Ok(released)
    })?;
    Ok(match released.pop() {
        Some(only) if released.is_empty() && !args.all => Released::One(Box::new(only)),
        last => Released::Several { reservations: released.into_iter().chain(last).collect() },
    })
}

/// Releases the reservation with this id, in whichever project it is.
pub(super) fn with_id(context: &Context, me: &Me, id: &str) -> Result<Reservation, Failure> {
    let me = context.identity(me.agent.as_ref(), "--agent")?.id;
    context.write(|transaction, now| {
        context.acting(transaction, &me, Code::AgentNotFound)?;
        transaction.agent_seen(&me, now)?;
        let own = holding::held_by(context, transaction, &me)?;
        match own.into_iter().find(|holding| holding.held.reservation.reservation_id == id) {
            Some(holding) => end(transaction, &me, &holding.project, holding.held.reservation, now),
            None => Err(match transaction.reservation(id)?.filter(|one| one.agent_id != me) {
                Some(other) => Failure::new(Code::ReleaseForbidden, reserved(&other)),
                None => Failure::new(Code::ReservationNotFound, "it is not held any more"),
            }),
        }
    })
}

fn everything(
    context: &Context,
    transaction: &Transaction,
    me: &AgentId,
    now: Timestamp,
) -> Result<Vec<Reservation>, Failure> {
    let holdings = holding::held_by(context, transaction, me)?;
    if holdings.is_empty() {
        return Err(Failure::new(Code::ReservationNotFound, format!("`{me}` holds no reservation")));
    }
    holdings
        .into_iter()
        .map(|holding| end(transaction, me, &holding.project, holding.held.reservation, now))
        .collect()
}

fn named(
    context: &Context,
    transaction: &Transaction,
    me: &AgentId,
    project: &str,
    typed: &[Vec<Scope>],
    now: Timestamp,
) -> Result<Vec<Reservation>, Failure> {
    let held = holding::held(context, transaction, project)?;
    let mut ids: Vec<&str> = Vec::new();
    for readings in typed {
        ids.extend(found(me, readings, &held)?);
    }
    let meant = held.iter().map(|held| &held.reservation);
    let meant: Vec<_> = meant.filter(|one| ids.contains(&one.reservation_id.as_str())).cloned().collect();
    meant.into_iter().map(|reservation| end(transaction, me, project, reservation, now)).collect()
}

/// The agent's reservations of one scope, in the first reading in which there are any.
fn found<'a>(me: &AgentId, readings: &[Scope], held: &'a [Held]) -> Result<Vec<&'a str>, Failure> {
    let mut forbidden = None;
    for scope in readings {
        match decide_release(me, scope, held) {
            Release::Granted(ids) => return Ok(ids),
            Release::Forbidden(others) => {
                forbidden.get_or_insert_with(|| {
                    let what = listed(&others, |held| reserved(&held.reservation));
                    Failure::new(Code::ReleaseForbidden, what).hint("only its owner can release it")
                });
            }
            Release::NotFound => {}
        }
    }
    Err(forbidden.unwrap_or_else(|| not_found(me, readings, held)))
}

fn not_found(me: &AgentId, readings: &[Scope], held: &[Held]) -> Failure {
    let scope = readings.first().map(ToString::to_string).unwrap_or_default();
    let own: Vec<_> = held.iter().map(|held| &held.reservation).filter(|one| one.agent_id == *me).collect();
    let hint = if own.is_empty() {
        format!("`{me}` holds nothing in this project; see `bb status`")
    } else {
        let scopes = listed(&own, |one| format!("`{}`", one.scope));
        format!("name it as it was reserved; `{me}` holds {scopes}")
    };
    Failure::new(Code::ReservationNotFound, format!("there is no reservation of `{scope}`")).hint(hint)
}

fn end(
    transaction: &Transaction,
    me: &AgentId,
    project: &str,
    reservation: Reservation,
    now: Timestamp,
) -> Result<Reservation, Failure> {
    let ended = Reservation { state: State::Released, released_at: Some(now), ..reservation };
    transaction.end_reservation(&ended.reservation_id, State::Released, now)?;
    record(transaction, "reservation.released", me, project, &ended, now)?;
    transaction.concerns(Topic::Reservations(project.to_owned()));
    Ok(ended)
}
