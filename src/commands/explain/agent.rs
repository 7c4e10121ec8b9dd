//! The story of an agent: lately.

use super::{Next, Question, Story, fact};
use crate::domain::age;
use crate::domain::agent::AgentId;
use crate::domain::mailbox::Filter;
use crate::domain::story::tell;
use crate::failure::Failure;
use crate::store::sqlite::EventFilter;

/// How many of the newest events are told.
const NEWEST: u32 = 20;

pub(super) fn story(question: &Question) -> Result<Option<Story>, Failure> {
    let (view, now) = (question.view, question.context.now());
    let Ok(id) = question.part.parse::<AgentId>() else { return Ok(None) };
    let Some(agent) = view.agent(&id)? else { return Ok(None) };
    let unread = view.count_inbox(&id, &Filter::unread(), now)?;
    let owed = view.count_inbox(&id, &Filter::needing_ack(), now)?;
    let filter = EventFilter { agent: Some(id.clone()), ..EventFilter::default() };
    let past = question.newest(&filter, NEWEST)?;
    let mut facts = vec![
        fact("role", &agent.role),
        fact("last seen", format!("{} ago", age::short(now.since(agent.last_seen_at)))),
        fact("mail", format!("{unread} unread, {owed} waiting for its ack")),
    ];
    facts.extend(agent.session.as_ref().map(|session| fact("session", session)));
    facts.extend(agent.replaced_by.as_ref().map(|heir| fact("successor", heir)));
    facts.extend(past.gap);
    Ok(Some(Story {
        id: id.to_string(),
        kind: "agent",
        title: agent.display.clone(),
        standing: format!("{}, {}", agent.state, question.context.liveness(&agent)?),
        facts,
        steps: tell(past.events, ""),
        next: (unread + owed > 0)
            .then(|| Next { command: format!("bb agent inbox --agent {id} --pending"), agent: id }),
    }))
}
