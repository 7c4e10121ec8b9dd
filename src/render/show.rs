//! `show` for people.

use super::Draw;
use super::identity::{liveness_tone, state_tone};
use super::message::whole;
use super::page::{Page, Tone};
use super::words::{ago, count};
use crate::commands::show::{Shown, ShownAgent};

impl Draw for Shown {
    fn draw(&self, page: &mut Page) {
        match self {
            Self::Agent(shown) => agent(shown, page),
            Self::Message(shown) => whole(&shown.message, shown.now, page),
        }
    }
}

fn agent(shown: &ShownAgent, page: &mut Page) {
    let agent = &shown.agent;
    page.put_foreign(Tone::Strong, agent.agent_id.as_str()).put(Tone::Plain, "  ");
    page.put(state_tone(agent.state), agent.state.as_str()).put(Tone::Plain, ", ");
    page.put(liveness_tone(agent.liveness), agent.liveness.as_str()).end();
    page.field("name", &agent.display_name);
    page.field("role", &agent.role);
    if let Some(session) = &agent.session {
        page.field("session", session);
    }
    if let Some(successor) = &agent.replaced_by {
        page.field("replaced", &format!("by {successor}"));
    }
    page.field("last seen", &ago(agent.last_seen_at, shown.now));
    page.field("registered", &ago(agent.created_at, shown.now));
    page.field("protected", if agent.protected { "yes, by a token" } else { "no" });
    let acks = usize::try_from(shown.needs_ack).unwrap_or(0);
    page.field("mail", &format!("{} unread, {} waiting for its ack", shown.unread, count(acks, "message")));
}
