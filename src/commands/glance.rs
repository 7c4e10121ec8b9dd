//! What `bb` alone shows to somebody it knows: what needs them, who waits for whom, and the next command.

use std::cmp::Reverse;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Context, Pair, Report, pairs};
use crate::domain::agent::{Agent, AgentId, AgentState, Liveness};
use crate::domain::hook::Waiting;
use crate::domain::message::{Category, MessageId, Priority};
use crate::domain::{Timestamp, age};
use crate::failure::{Code, Failure};

/// How many messages and handshakes are shown.
const SHOWN: usize = 5;

/// Look at what needs you
#[derive(Debug, Clone, Default, clap::Args, Deserialize, JsonSchema)]
pub struct Args {}

/// How one agent stands.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Glance {
    pub agent_id: AgentId,
    /// Absent for an agent that is not registered.
    pub agent: Option<Standing>,
    pub unread: usize,
    pub pending: Counts,
    /// The most pressing messages.
    pub messages: Vec<Pressing>,
    /// Handshakes in which somebody is waited for, those of the agent first.
    pub waits: Vec<Pair>,
    /// How many more of them there are.
    pub more_waits: usize,
    /// The next command.
    pub next: Option<String>,
    #[serde(skip)]
    #[schemars(skip)]
    looked: Option<Agent>,
}

/// What an agent does, and whether it does anything.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Standing {
    pub state: AgentState,
    pub liveness: Liveness,
}

/// How many messages still need the agent.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Counts {
    pub total: usize,
    pub overdue: usize,
    pub urgent: usize,
    pub high: usize,
    pub normal: usize,
    pub low: usize,
}

/// A message that still needs the agent.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Pressing {
    pub message_id: MessageId,
    pub from_agent: AgentId,
    pub category: Category,
    pub priority: Priority,
    pub subject: String,
    pub unread: bool,
    pub needs_ack: bool,
    pub overdue: bool,
    pub age: String,
}

impl Report for Glance {
    fn settle(&self, context: &Context) -> Result<(), Failure> {
        if let Some(agent) = &self.looked {
            context.note_activity(agent);
        }
        Ok(())
    }
}

/// Looks; creates nothing.
pub fn run(context: &Context, _: &Args) -> Result<Glance, Failure> {
    let me = context.identity(None, "--agent")?.id;
    if !context.location()?.file().exists() {
        return Ok(stranger(me));
    }
    let now = context.now();
    context.read(|view| {
        if view.agent(&me)?.is_none() {
            return Ok(stranger(me));
        }
        let agent = context.acting(view, &me, Code::AgentNotFound)?.agent;
        let mut waiting = view.waiting_for(&me, "")?;
        waiting.sort_by_key(|it| (!it.is_overdue(now), Reverse(it.priority), !it.needs_ack, it.created_at));
        let mut waits = pairs::open(context, view, Some(&me))?;
        let more_waits = waits.len().saturating_sub(SHOWN);
        let next = next(&me, &waiting, &waits);
        waits.truncate(SHOWN);
        Ok(Glance {
            agent: Some(Standing { state: agent.state, liveness: context.liveness(&agent)? }),
            unread: waiting.iter().filter(|it| it.unread).count(),
            pending: Counts::of(&waiting, now),
            messages: waiting.into_iter().take(SHOWN).map(|it| Pressing::of(it, now)).collect(),
            waits,
            more_waits,
            next,
            looked: Some(agent),
            ..stranger(me)
        })
    })
}

/// Somebody who is not registered here.
fn stranger(me: AgentId) -> Glance {
    Glance {
        next: Some(format!("bb register --name {me} --role ROLE")),
        agent_id: me,
        agent: None,
        unread: 0,
        pending: Counts::default(),
        messages: Vec::new(),
        waits: Vec::new(),
        more_waits: 0,
        looked: None,
    }
}

impl Counts {
    fn of(waiting: &[Waiting], now: Timestamp) -> Self {
        let of = |priority| waiting.iter().filter(|it| it.priority == priority).count();
        Self {
            total: waiting.len(),
            overdue: waiting.iter().filter(|it| it.is_overdue(now)).count(),
            urgent: of(Priority::Urgent),
            high: of(Priority::High),
            normal: of(Priority::Normal),
            low: of(Priority::Low),
        }
    }
}

impl Pressing {
    fn of(waiting: Waiting, now: Timestamp) -> Self {
        Self {
            overdue: waiting.is_overdue(now),
            message_id: waiting.message_id,
            from_agent: waiting.from_agent,
            category: waiting.category,
            priority: waiting.priority,
            subject: waiting.subject,
            unread: waiting.unread,
            needs_ack: waiting.needs_ack,
            age: age::short(now.since(waiting.created_at)),
        }
    }
}

/// First whoever waits for me, then my mail, then whoever I wait for.
fn next(me: &AgentId, waiting: &[Waiting], waits: &[Pair]) -> Option<String> {
    if let Some(Pair { message_id, .. }) = waits.iter().find(|it| it.waits_for == *me) {
        let is_unread = waiting.iter().any(|it| it.message_id == *message_id && it.unread);
        let verb = if is_unread { format!("read {message_id}") } else { format!("reply {message_id} --ok") };
        return Some(format!("bb {verb}"));
    }
    match waiting.first() {
        Some(message) if message.unread => Some(format!("bb read {}", message.message_id)),
        Some(message) => Some(format!("bb ack {}", message.message_id)),
        None => waits
            .iter()
            .find(|it| it.requester == *me)
            .map(|pair| format!("bb wait-ack --resume {}", pair.operation_id)),
    }
}
