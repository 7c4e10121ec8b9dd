//! Everything the board shows, seen at one moment.

use std::cmp::Reverse;

use schemars::JsonSchema;
use serde::Serialize;

use crate::commands::identity::Profile;
use crate::commands::{Context, Pair, holding, pairs};
use crate::domain::Timestamp;
use crate::domain::agent::AgentId;
use crate::domain::mailbox::is_overdue;
use crate::domain::message::Message;
use crate::domain::reservation::{Reservation, State as ReservationState};
use crate::domain::story::{Step, tell};
use crate::failure::Failure;
use crate::store::Transaction;
use crate::store::sqlite::EventFilter;

/// The most messages and events that are shown.
const MESSAGES: u32 = 200;
const EVENTS: u32 = 50;

/// The state of everything.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Board {
    #[schemars(with = "String")]
    pub now: Timestamp,
    pub me: Option<AgentId>,
    pub agents: Vec<AgentRow>,
    /// Whose mail it is; nobody stands for everybody.
    pub mail_of: Option<AgentId>,
    /// How much of it there is, shown or not.
    pub mail_total: u32,
    pub mail_overdue: u32,
    /// Mail that still needs somebody, the most pressing first, as much of it as is shown.
    pub mail: Vec<Message>,
    /// Everyone whose answer is awaited in an open handshake.
    pub waits: Vec<Pair>,
    pub reservations: Vec<ReservationRow>,
    /// The latest events, newest first.
    pub events: Vec<Step>,
    /// When everything on it was looked at.
    #[serde(skip)]
    #[schemars(skip)]
    pub(super) looked_at: Timestamp,
}

impl Board {
    /// Moves on to now, as if nothing else had happened.
    pub(super) fn let_time_pass(&mut self, context: &Context, view: &Transaction) -> Result<(), Failure> {
        self.now = context.now();
        self.waits = pairs::open(context, view, self.me.as_ref())?;
        Ok(())
    }

    /// How many handshakes are open; several may be awaited in one.
    pub fn handshakes(&self) -> usize {
        pairs::handshakes(&self.waits)
    }
}

/// An agent and how much mail needs it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AgentRow {
    #[serde(flatten)]
    pub agent: Profile,
    pub unread: u32,
    pub needs_ack: u32,
}

/// A scope that somebody holds.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ReservationRow {
    pub reservation_id: String,
    pub scope: String,
    pub agent_id: AgentId,
    pub bead_id: Option<String>,
    #[schemars(with = "String")]
    pub expires_at: Timestamp,
}

/// Whose mail is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Whose {
    Mine,
    Everybodys,
}

/// Looks at everything in one consistent view.
pub(super) fn look(
    context: &Context,
    view: &Transaction,
    me: Option<&AgentId>,
    whose: Whose,
) -> Result<Board, Failure> {
    let now = context.now();
    let mail_of = me.filter(|_| whose == Whose::Mine);
    let mut mail = view.most_pressing_mail(mail_of, now, MESSAGES)?;
    mail.sort_by_key(|it| (!is_overdue(it, now), Reverse(it.priority), it.cursor));
    let pressing = view.pressing_mail(mail_of, now)?;
    let mut events = tell(view.newest_events(&EventFilter::default(), EVENTS)?, "");
    events.reverse();
    Ok(Board {
        now,
        me: me.cloned(),
        agents: agents(context, view)?,
        mail_of: mail_of.cloned(),
        mail_total: pressing.total,
        mail_overdue: pressing.overdue,
        mail,
        waits: pairs::open(context, view, me)?,
        reservations: reservations(context, view)?,
        events,
        looked_at: now,
    })
}

fn agents(context: &Context, view: &Transaction) -> Result<Vec<AgentRow>, Failure> {
    let counts = view.open_mail_counts()?;
    let row = |agent: crate::domain::agent::Agent| {
        let open = counts.get(&agent.id).copied().unwrap_or_default();
        Ok(AgentRow { agent: Profile::of(agent, context)?, unread: open.unread, needs_ack: open.needs_ack })
    };
    view.agents()?.into_iter().map(row).collect()
}

/// The scopes that are held, the one that expires next first.
fn reservations(context: &Context, view: &Transaction) -> Result<Vec<ReservationRow>, Failure> {
    let now = context.now();
    let held = holding::holdings(context, view)?.into_iter().map(|holding| holding.held.reservation);
    let row = |held: Reservation| ReservationRow {
        reservation_id: held.reservation_id,
        scope: held.scope.to_string(),
        agent_id: held.agent_id,
        bead_id: held.bead_id,
        expires_at: held.expires_at,
    };
    let mut rows: Vec<_> = held.filter(|it| it.state_at(now) == ReservationState::Active).map(row).collect();
    rows.sort_by_key(|row| row.expires_at);
    Ok(rows)
}
