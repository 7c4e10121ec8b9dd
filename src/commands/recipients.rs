//! From addresses to agents.

use super::Context;
use crate::domain::address::{Address, expand};
use crate::domain::agent::{Agent, AgentId};
use crate::failure::{Code, Failure};
use crate::store::Transaction;

/// The agents that addresses stand for.
#[derive(Debug, Clone)]
pub(super) struct Addressees {
    /// Each once, without the sender.
    pub agents: Vec<AgentId>,
    /// More than one address, or one that can stand for several.
    pub is_fan_out: bool,
}

/// Everyone the addresses stand for. One who is gone is an error, and a group leaves those out, unless it is to
/// be queued.
pub(super) fn resolve(
    context: &Context,
    view: &Transaction,
    to: &[String],
    sender: &AgentId,
    queue: bool,
) -> Result<Addressees, Failure> {
    let lists = to.iter().map(|list| Address::parse_list(list)).collect::<Result<Vec<_>, _>>()?;
    let addresses: Vec<Address> = lists.into_iter().flatten().collect();
    let mut agents: Vec<AgentId> = Vec::new();
    let mut left_out = Vec::new();
    for address in &addresses {
        let fitting: Vec<AgentId> = if let Address::Agent(id) = address {
            let agent = context.known(view, id, Code::UnknownRecipient)?;
            if agent.state.is_gone() && !queue {
                return Err(gone(view, &agent));
            }
            vec![agent.id]
        } else {
            let known = view.agents()?;
            let (away, here): (Vec<&Agent>, Vec<&Agent>) = expand(address, &known, sender)
                .into_iter()
                .partition(|agent| agent.state.is_gone() && !queue);
            left_out.extend(away.into_iter().map(|agent| format!("`{}` is {}", agent.id, agent.state)));
            here.into_iter().map(|agent| agent.id.clone()).collect()
        };
        for id in fitting {
            if id != *sender && !agents.contains(&id) {
                agents.push(id);
            }
        }
    }
    if agents.is_empty() {
        return Err(nobody(&to.join(","), &left_out));
    }
    Ok(Addressees { agents, is_fan_out: addresses.len() > 1 || addresses.iter().any(Address::is_group) })
}

fn nobody(to: &str, left_out: &[String]) -> Failure {
    let (why, hint) = match left_out {
        [] => (format!("`{to}` reaches no agent but the sender"), "see who is here with `bb list`"),
        away => {
            (away.join(", "), "choose another recipient; `send --queue` leaves mail for those who are gone")
        }
    };
    Failure::new(Code::UnknownRecipient, format!("nobody is left to receive it: {why}")).hint(hint)
}

/// Whoever has the place of an agent by now: its successor, or the successor of that one.
pub(super) fn successor(view: &Transaction, id: &AgentId) -> Option<AgentId> {
    let mut passed = vec![id.clone()];
    while let Some(agent) = passed.last().and_then(|id| view.agent(id).ok().flatten()) {
        let next = agent.replaced_by.filter(|next| agent.state.is_gone() && !passed.contains(next));
        let Some(next) = next else { return (!agent.state.is_gone() && agent.id != *id).then_some(agent.id) };
        passed.push(next);
    }
    None
}

fn gone(view: &Transaction, agent: &Agent) -> Failure {
    let failure = Failure::new(Code::RecipientGone, format!("recipient `{}` is {}", agent.id, agent.state));
    match successor(view, &agent.id) {
        Some(successor) => failure.hint(format!("it was replaced: send to `{successor}`")),
        None => failure.hint("choose another recipient"),
    }
}
