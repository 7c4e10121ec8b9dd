//! Agents for people: `register`, `list`, `whoami`, `state`, `activity-lease`.

use super::Draw;
use super::page::{Page, Tone};
use super::table::{Table, piece};
use super::words::{ago, count};
use crate::commands::activity_lease::Seen;
use crate::commands::list::Agents;
use crate::commands::register::Registered;
use crate::commands::state::StateSet;
use crate::commands::whoami::WhoAmI;
use crate::domain::agent::{AgentState, Liveness};

/// How a state stands out.
pub(super) const fn state_tone(state: AgentState) -> Tone {
    match state {
        AgentState::Stuck | AgentState::Unresponsive => Tone::Bad,
        AgentState::Dead | AgentState::Stopped | AgentState::Inactive | AgentState::Done => Tone::Dim,
        AgentState::Running | AgentState::Working => Tone::Good,
        AgentState::Idle | AgentState::Spawning => Tone::Plain,
    }
}

/// How liveness stands out.
pub(super) const fn liveness_tone(liveness: Liveness) -> Tone {
    match liveness {
        Liveness::Active => Tone::Good,
        Liveness::Stale => Tone::Warning,
        Liveness::Evicted => Tone::Dim,
    }
}

impl Draw for Registered {
    fn draw(&self, page: &mut Page) {
        let agent = &self.agent;
        let done = if self.updated { "updated" } else { "registered" };
        page.put(Tone::Good, done)
            .put_foreign(Tone::Plain, &format!(" {} ({})", agent.agent_id, agent.role))
            .end();
        if let Some(token) = &self.token {
            page.field("token", token);
            page.line("keep it: it is shown this once, and whoever acts as this agent needs it in BB_TOKEN");
        }
        if let Some(file) = &self.token_file {
            page.field("token file", &file.display().to_string());
            page.line("whoever acts as this agent names that file in BB_TOKEN_FILE");
        }
    }
}

impl Draw for Agents {
    fn draw(&self, page: &mut Page) {
        if self.agents.is_empty() {
            page.line("no agents yet: bb register --name NAME --role ROLE");
            return;
        }
        let mut table =
            Table::new(&["AGENT", "ROLE", "STATE", "LIVENESS", "LAST SEEN", "NAME"], 5).optional(&[5]);
        for agent in &self.agents {
            table.row(vec![
                piece(Tone::Strong, agent.agent_id.as_str()),
                piece(Tone::Plain, &agent.role),
                piece(state_tone(agent.state), agent.state.as_str()),
                piece(liveness_tone(agent.liveness), agent.liveness.as_str()),
                piece(Tone::Dim, ago(agent.last_seen_at, self.now)),
                piece(
                    Tone::Plain,
                    if agent.display_name == agent.agent_id.as_str() { "" } else { &agent.display_name },
                ),
            ]);
        }
        table.draw(page);
        page.put(Tone::Dim, &count(self.agents.len(), "agent")).end();
    }
}

impl Draw for WhoAmI {
    fn draw(&self, page: &mut Page) {
        page.put_foreign(Tone::Strong, self.agent_id.as_str());
        page.put(Tone::Plain, &format!(" (from {})", self.source)).end();
        let registered = match (self.registered, self.protected, self.token_valid) {
            (false, ..) => "no",
            (true, false, _) => "yes",
            (true, true, Some(true)) => "yes, protected, and the token at hand is valid",
            (true, true, _) => "yes, protected, and no valid token is at hand",
        };
        page.field("registered", registered);
        page.field("store", &self.store);
    }
}

impl Draw for StateSet {
    fn draw(&self, page: &mut Page) {
        page.put_foreign(Tone::Strong, self.agent.agent_id.as_str()).put(Tone::Plain, " is now ");
        page.put(state_tone(self.agent.state), self.agent.state.as_str());
        page.put(Tone::Dim, &format!(" (was {})", self.previous_state)).end();
    }
}

impl Draw for Seen {
    fn draw(&self, page: &mut Page) {
        page.put_foreign(Tone::Strong, self.agent.agent_id.as_str()).put(Tone::Plain, " is ");
        page.put(liveness_tone(self.agent.liveness), self.agent.liveness.as_str()).end();
    }
}
