//! What somebody who is still typing may mean: names that stand in the store.
//!
//! A shell may execute what it is offered, so only names of the strict patterns are: whatever
//! else stands in the store is not mentioned. Without a store there is nothing to offer, and
//! asking creates none.

use super::Context;
use crate::domain::agent::is_hyphenated;
use crate::domain::message::MessageId;
use crate::failure::Failure;
use crate::store::Transaction;

/// How far back messages are looked at.
const NEWEST: u32 = 1_000;

/// A kind of name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Names {
    Agents,
    /// Agents, the roles they have, and everyone.
    Addresses,
    Messages,
    Threads,
}

/// The names of a kind, likeliest first; none where they cannot be read.
pub fn names(context: &Context, kind: Names) -> Vec<String> {
    let Ok(Some(store)) = context.existing_store() else { return Vec::new() };
    store.read(|view| found(view, kind)).unwrap_or_default()
}

fn found(view: &Transaction, kind: Names) -> Result<Vec<String>, Failure> {
    Ok(match kind {
        Names::Agents => view.agents()?.into_iter().map(|agent| agent.id.to_string()).collect(),
        Names::Addresses => addresses(view)?,
        Names::Messages => view.newest_message_ids(NEWEST)?.into_iter().map(String::from).collect(),
        // A thread may have any name; the pattern of message ids is as strict as it must be.
        Names::Threads => view
            .newest_threads(NEWEST)?
            .into_iter()
            .filter(|thread| thread.parse::<MessageId>().is_ok())
            .collect(),
    })
}

fn addresses(view: &Transaction) -> Result<Vec<String>, Failure> {
    let agents = view.agents()?;
    let mut roles: Vec<_> = agents
        .iter()
        .map(|agent| agent.role.to_ascii_lowercase())
        .filter(|role| is_hyphenated(role))
        .map(|role| format!("role:{role}"))
        .collect();
    roles.sort();
    roles.dedup();
    let everyone = (!agents.is_empty()).then(|| "broadcast".to_owned());
    Ok(agents.into_iter().map(|agent| agent.id.to_string()).chain(roles).chain(everyone).collect())
}
