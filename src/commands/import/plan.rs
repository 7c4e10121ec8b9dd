//! What an import would change, decided from what is there and what is here. Pure.

use std::collections::{BTreeMap, BTreeSet};

use super::records::{AgentRecord, MessageRecord};
use super::source::Skipped;
use crate::domain::Timestamp;
use crate::domain::agent::{Agent, AgentId, AgentState};
use crate::domain::message::{Message, MessageId, State};
use crate::failure::Failure;
use crate::store::Transaction;

/// The role of an agent that only messages and reservations tell of.
const UNKNOWN_ROLE: &str = "unknown";

/// What is here already.
#[derive(Debug, Default)]
pub(super) struct Known {
    pub agents: BTreeSet<AgentId>,
    pub messages: BTreeMap<MessageId, Message>,
}

impl Known {
    /// Looks for everything the records name.
    pub(super) fn look(view: &Transaction, records: &[MessageRecord]) -> Result<Self, Failure> {
        let agents = view.agents()?.into_iter().map(|agent| agent.id).collect();
        let mut messages = BTreeMap::new();
        for record in records {
            if let Some(message) = view.message(&record.id)? {
                messages.insert(record.id.clone(), message);
            }
        }
        Ok(Self { agents, messages })
    }
}

/// A message that is here and has come further there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Advance {
    pub id: MessageId,
    pub from: AgentId,
    pub to: AgentId,
    pub previous: State,
    pub state: State,
    pub read_at: Option<Timestamp>,
    pub acked_at: Option<Timestamp>,
}

/// Everything an import changes, and what it leaves.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub new_agents: Vec<Agent>,
    /// How many of the new agents had no file of their own.
    pub derived: usize,
    pub known_agents: usize,
    /// When agents that are here already were last active there.
    pub seen: Vec<(AgentId, Timestamp)>,
    pub new_messages: Vec<MessageRecord>,
    pub advances: Vec<Advance>,
    pub known_messages: usize,
    /// Messages whose id is here already for another message.
    pub conflicts: Vec<Skipped>,
}

/// Compares what was read with what is known here.
pub(super) fn of(
    known: &Known,
    agents: &[AgentRecord],
    messages: &[MessageRecord],
    holders: &[(&AgentId, Timestamp)],
    now: Timestamp,
) -> Plan {
    let mut plan = Plan::default();
    for record in messages {
        match known.messages.get(&record.id) {
            None => plan.new_messages.push(record.clone()),
            Some(here) if !is_same(here, record) => {
                let reason = format!("another message has the id `{}` here", record.id);
                plan.conflicts.push(Skipped::new(&record.place, reason));
            }
            Some(here) => match advance(here, record) {
                Some(advance) => plan.advances.push(advance),
                None => plan.known_messages += 1,
            },
        }
    }
    let on_file: BTreeSet<_> = agents.iter().map(|record| &record.id).collect();
    for (id, agent) in everyone(agents, messages, holders, now) {
        if known.agents.contains(&id) {
            plan.known_agents += 1;
            plan.seen.push((id, agent.last_seen_at));
        } else {
            plan.derived += usize::from(!on_file.contains(&id));
            plan.new_agents.push(agent);
        }
    }
    plan
}

fn is_same(here: &Message, there: &MessageRecord) -> bool {
    (&here.from_agent, &here.to_agent, here.created_at) == (&there.from, &there.to, there.created_at)
}

/// The step forward that a message made there; it never goes back, and times that are set stay.
fn advance(here: &Message, there: &MessageRecord) -> Option<Advance> {
    (there.state > here.state).then(|| Advance {
        id: there.id.clone(),
        from: there.from.clone(),
        to: there.to.clone(),
        previous: here.state,
        state: there.state,
        read_at: here.read_at.or(there.read_at),
        acked_at: here.acked_at.or(there.acked_at),
    })
}

/// Every agent that the source names: those with a file, and those that only took part in something.
fn everyone(
    agents: &[AgentRecord],
    messages: &[MessageRecord],
    holders: &[(&AgentId, Timestamp)],
    now: Timestamp,
) -> BTreeMap<AgentId, Agent> {
    let mut all = BTreeMap::new();
    for record in agents {
        let mut agent = new_agent(&record.id, record.created_at);
        agent.display.clone_from(&record.display);
        agent.role.clone_from(&record.role);
        agent.state = record.state;
        agent.last_seen_at = record.last_seen_at;
        all.insert(record.id.clone(), agent);
    }
    for record in messages {
        took_part(&mut all, &record.from, record.created_at, Some(record.created_at));
        took_part(&mut all, &record.to, record.created_at, record.acked_at.or(record.read_at));
    }
    for (id, at) in holders {
        took_part(&mut all, id, *at, Some(*at));
    }
    for agent in all.values_mut() {
        // A time in the future would keep an agent active for ever.
        agent.last_seen_at = agent.last_seen_at.min(now);
    }
    all
}

/// Notes that somebody was there at a time, and when they did something.
fn took_part(all: &mut BTreeMap<AgentId, Agent>, id: &AgentId, at: Timestamp, acted: Option<Timestamp>) {
    let agent = all.entry(id.clone()).or_insert_with(|| new_agent(id, at));
    if let Some(acted) = acted {
        agent.last_seen_at = agent.last_seen_at.max(acted);
    }
}

fn new_agent(id: &AgentId, at: Timestamp) -> Agent {
    Agent {
        id: id.clone(),
        display: id.to_string(),
        role: UNKNOWN_ROLE.to_owned(),
        session: None,
        state: AgentState::Idle,
        token_hash: None,
        replaced_by: None,
        created_at: at,
        last_seen_at: at,
    }
}
