//! `waits`: who waits for whom.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::wait_ack::{Waited, describe};
use super::{Context, Report};
use crate::domain::agent::AgentId;
use crate::failure::{Code, Failure};

/// Show open handshakes
#[derive(Debug, Clone, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Args {
    /// Only those this agent asked or is asked in
    #[arg(long, value_name = "AGENT")]
    pub agent: Option<AgentId>,
}

/// The open handshakes: those that wait for the agent that was named first, then the least time left.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct Waits {
    pub handshakes: Vec<Wait>,
}

/// One open handshake: who is expected, who answered, and when the next step is due.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Wait {
    #[serde(flatten)]
    pub wait: Waited,
    pub requester: AgentId,
    pub expected: Vec<AgentId>,
    pub received: Vec<AgentId>,
    #[schemars(with = "String")]
    pub started_at: crate::domain::Timestamp,
    /// Seconds until the last deadline.
    pub remaining_seconds: u64,
    /// Seconds after the start at which those still silent are reminded.
    pub reminders_at: Vec<u64>,
    #[schemars(with = "Option<String>")]
    pub next_step_at: Option<crate::domain::Timestamp>,
}

impl Report for Waits {}

/// Lists them; changes nothing.
pub fn run(context: &Context, args: &Args) -> Result<Waits, Failure> {
    let mut handshakes: Vec<_> = context.read(|view| {
        if let Some(agent) = &args.agent {
            context.known(view, agent, Code::AgentNotFound)?;
        }
        let open = view.open_handshakes()?;
        open.iter()
            .filter(|stored| {
                let state = &stored.snapshot;
                args.agent.as_ref().is_none_or(|it| state.requester == *it || state.answered_by(it).is_some())
            })
            .map(|stored| wait(context, view, stored))
            .collect::<Result<_, Failure>>()
    })?;
    sort(&mut handshakes, args.agent.as_ref());
    Ok(Waits { handshakes })
}

/// Those that wait for an agent first, then the least time left.
pub(super) fn sort(handshakes: &mut [Wait], agent: Option<&AgentId>) {
    handshakes.sort_by_key(|it| {
        let awaited = || it.wait.agents.iter().filter(|asked| asked.status.is_waiting());
        let left = awaited().map(|asked| asked.deadline.since(it.wait.now)).min();
        (!awaited().any(|asked| agent == Some(&asked.agent)), left.unwrap_or(Duration::MAX))
    });
}

/// One open handshake as callers see it.
pub(super) fn wait(
    context: &Context,
    view: &crate::store::Transaction,
    stored: &crate::store::sqlite::StoredHandshake,
) -> Result<Wait, Failure> {
    let state = &stored.snapshot;
    let at = super::handshake::time_of(stored, context.clock);
    let last = state.recipients.iter().filter(|it| it.status.is_waiting()).map(|it| it.deadline).max();
    let next = crate::domain::handshake::Handshake::resume(state.clone()).poll_timeout();
    Ok(Wait {
        wait: describe(context, view, state)?,
        requester: state.requester.clone(),
        expected: state.expected().cloned().collect(),
        received: state.received().cloned().collect(),
        started_at: state.started_at,
        remaining_seconds: crate::domain::notice::whole_seconds(last.unwrap_or(at).since(at)),
        reminders_at: state.plan.steps.iter().map(|it| it.after.as_secs()).collect(),
        next_step_at: next.map(|(when, _)| when),
    })
}
