//! `status`: who holds what, who waits for whom, and what is stuck. Looking changes nothing.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::identity::Profile;
use super::waits::{self, Wait};
use super::watch::{self, Watched};
use super::{Context, Listener, Me, Report, holding};
use crate::domain::Timestamp;
use crate::domain::agent::{AgentId, AgentState, Liveness};
use crate::domain::handshake::Snapshot;
use crate::domain::message::{Category, Message};
use crate::domain::reservation::{Reservation, State, incursions};
use crate::domain::scope::{Overlap, Scope};
use crate::failure::{Code, Failure};
use crate::store::Transaction;
use crate::store::sqlite::Holding;

/// Show reservations, unacked messages and stuck agents
#[derive(Debug, Clone, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Args {
    /// Only what concerns this agent
    #[arg(long, value_name = "AGENT")]
    pub agent: Option<AgentId>,
    /// Only what is about this bead
    #[arg(long, value_name = "BEAD")]
    pub bead: Option<String>,
    /// Go on looking: the live board, as `bb watch`, with the mail of --agent if one is named
    #[arg(long, conflicts_with = "bead")]
    pub follow: bool,
}

/// How things stood once, or were watched.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Status {
    Once(Box<Board>),
    Followed(Box<Watched>),
}

impl Report for Status {
    fn is_silent(&self) -> bool {
        match self {
            Self::Once(_) => false,
            Self::Followed(watched) => watched.is_silent(),
        }
    }
}

/// How things stand.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Board {
    /// Those in force, by project.
    pub reservations: Vec<Standing>,
    /// Those whose time is over and that nobody released or took over.
    pub expired_reservations: Vec<Standing>,
    /// BLOCKED first, then HANDOFF, then others; oldest first.
    pub unacked_required_messages: Vec<Message>,
    pub handshakes: Vec<Wait>,
    /// Those that are stuck, unresponsive or stale, or hold something and are evicted.
    pub agents: Vec<Concern>,
    /// Two that hold the same although neither shares it.
    pub incursions: Vec<Clash>,
    /// Who waits for a scope, first come first.
    pub waiting: Vec<Waiting>,
    pub summary: Summary,
    #[serde(skip)]
    #[schemars(skip)]
    pub now: Timestamp,
}

/// A reservation, where it is, and how its owner is doing.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Standing {
    #[serde(flatten)]
    pub reservation: Reservation,
    pub project: String,
    pub owner_liveness: Liveness,
}

/// An agent, and why it is on the board.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Concern {
    #[serde(flatten)]
    pub agent: Profile,
    pub concern: &'static str,
}

/// Two reservations that should not both be in force.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Clash {
    pub project: String,
    pub overlap: Overlap,
    pub reservations: [Reservation; 2],
}

/// An agent that waits for a scope.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Waiting {
    pub agent_id: AgentId,
    pub project: String,
    pub scopes: Vec<Scope>,
    #[schemars(with = "String")]
    pub since: Timestamp,
    #[schemars(with = "String")]
    pub until: Timestamp,
}

/// How many there are of each.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Summary {
    pub active: usize,
    pub released: i64,
    pub expired: usize,
    pub taken_over: i64,
    pub unacked_required_messages: usize,
    pub handshakes: usize,
    pub agents: usize,
    pub incursions: usize,
    pub waiting: usize,
}

/// Gathers how things stand in one consistent view, or goes on looking.
pub fn run(context: &Context, args: &Args, listener: &mut dyn Listener) -> Result<Status, Failure> {
    if args.follow {
        let watch = watch::Args { me: Me { agent: args.agent.clone() }, once: false };
        return Ok(Status::Followed(Box::new(watch::run(context, &watch, listener)?)));
    }
    let board = context.read(|view| {
        if let Some(agent) = &args.agent {
            context.known(view, agent, Code::AgentNotFound)?;
        }
        board(context, view, args)
    })?;
    Ok(Status::Once(Box::new(board)))
}

fn board(context: &Context, view: &Transaction, args: &Args) -> Result<Board, Failure> {
    let now = context.now();
    let mut holdings = holding::holdings(context, view)?;
    holdings.sort_by(|a, b| a.project.cmp(&b.project));
    let (reservations, expired): (Vec<_>, Vec<_>) = holdings
        .iter()
        .filter(|holding| concerns(args, &holding.held.reservation))
        .map(|holding| standing(holding, now))
        .partition(|standing| standing.reservation.state == State::Active);
    let unacked = unacked(view, args)?;
    let handshakes = open_handshakes(context, view, args)?;
    let agents = troubled(context, view, args, &holdings)?;
    let incursions = clashes(&holdings, args, now);
    let waiting = waiting(view, args, now)?;
    let ended = view.ended_reservations(args.agent.as_ref(), args.bead.as_deref())?;
    let summary = Summary {
        active: reservations.len(),
        released: ended.released,
        expired: expired.len(),
        taken_over: ended.taken_over,
        unacked_required_messages: unacked.len(),
        handshakes: handshakes.len(),
        agents: agents.len(),
        incursions: incursions.len(),
        waiting: waiting.len(),
    };
    Ok(Board {
        reservations,
        expired_reservations: expired,
        unacked_required_messages: unacked,
        handshakes,
        agents,
        incursions,
        waiting,
        summary,
        now,
    })
}

fn concerns(args: &Args, reservation: &Reservation) -> bool {
    args.agent.as_ref().is_none_or(|agent| reservation.agent_id == *agent)
        && args.bead.as_ref().is_none_or(|bead| reservation.bead_id.as_ref() == Some(bead))
}

fn standing(holding: &Holding, now: Timestamp) -> Standing {
    let reservation = &holding.held.reservation;
    Standing {
        reservation: Reservation { state: reservation.state_at(now), ..reservation.clone() },
        project: holding.project.clone(),
        owner_liveness: holding.held.owner,
    }
}

fn unacked(view: &Transaction, args: &Args) -> Result<Vec<Message>, Failure> {
    let mut messages = view.waiting_for_ack(args.agent.as_ref(), args.bead.as_deref())?;
    // Stable: within a category they stay oldest first.
    messages.sort_by_key(|message| match message.category {
        Category::Blocked => 0,
        Category::Handoff => 1,
        Category::Decision | Category::Info => 2,
    });
    Ok(messages)
}

/// The handshakes that have not ended, of one agent or of one bead where that was asked for.
fn open_handshakes(context: &Context, view: &Transaction, args: &Args) -> Result<Vec<Wait>, Failure> {
    let mut open = Vec::new();
    for stored in view.open_handshakes()? {
        let state = &stored.snapshot;
        let of_agent =
            args.agent.as_ref().is_none_or(|it| state.requester == *it || state.answered_by(it).is_some());
        if of_agent && is_about(view, state, args.bead.as_deref())? {
            open.push(waits::wait(context, view, &stored)?);
        }
    }
    waits::sort(&mut open, args.agent.as_ref());
    Ok(open)
}

fn is_about(view: &Transaction, state: &Snapshot, bead: Option<&str>) -> Result<bool, Failure> {
    let Some(bead) = bead else { return Ok(true) };
    let Some(first) = state.recipients.first() else { return Ok(false) };
    Ok(view.message(&first.message_id)?.is_some_and(|request| request.bead_id.as_deref() == Some(bead)))
}

fn troubled(
    context: &Context,
    view: &Transaction,
    args: &Args,
    holdings: &[Holding],
) -> Result<Vec<Concern>, Failure> {
    let mut found = Vec::new();
    for agent in view.agents()? {
        if args.agent.as_ref().is_some_and(|wanted| *wanted != agent.id) {
            continue;
        }
        let holds = holdings.iter().any(|holding| holding.held.reservation.agent_id == agent.id);
        let agent = Profile::of(agent, context)?;
        if let Some(concern) = concern(agent.state, agent.liveness, holds) {
            found.push(Concern { agent, concern });
        }
    }
    Ok(found)
}

/// Why an agent needs somebody to look after it. One that has left is missed only by what it holds.
fn concern(state: AgentState, liveness: Liveness, holds: bool) -> Option<&'static str> {
    match (state, liveness) {
        (AgentState::Stuck | AgentState::Unresponsive, _) => Some(state.as_str()),
        _ if state.is_gone() => holds.then_some(state.as_str()),
        (_, Liveness::Evicted) => holds.then_some(liveness.as_str()),
        (AgentState::Done, Liveness::Stale) => holds.then_some(liveness.as_str()),
        (_, Liveness::Stale) => Some(liveness.as_str()),
        (_, Liveness::Active) => None,
    }
}

fn clashes(holdings: &[Holding], args: &Args, now: Timestamp) -> Vec<Clash> {
    let mut projects: Vec<&str> = holdings.iter().map(|holding| holding.project.as_str()).collect();
    projects.sort_unstable();
    projects.dedup();
    let mut clashes = Vec::new();
    for project in projects {
        let here = holdings.iter().filter(|holding| holding.project == project);
        for found in incursions(here.map(|holding| &holding.held.reservation), now) {
            if concerns(args, found.first) || concerns(args, found.second) {
                clashes.push(Clash {
                    project: project.to_owned(),
                    overlap: found.overlap,
                    reservations: [found.first.clone(), found.second.clone()],
                });
            }
        }
    }
    clashes
}

fn waiting(view: &Transaction, args: &Args, now: Timestamp) -> Result<Vec<Waiting>, Failure> {
    let mut waiting = Vec::new();
    for project in view.projects_with_waiters()? {
        let queue = holding::queue(view, &project, now)?.waiting.into_iter();
        let wanted = queue.filter(|waiter| args.agent.as_ref().is_none_or(|agent| waiter.agent == *agent));
        waiting.extend(wanted.map(|waiter| Waiting {
            agent_id: waiter.agent,
            project: project.clone(),
            scopes: waiter.scopes,
            since: waiter.since,
            until: waiter.until,
        }));
    }
    Ok(waiting)
}
