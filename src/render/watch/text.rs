//! The board where there is no terminal.

use crate::commands::Pair;
use crate::commands::watch::{Board, Watched};
use crate::domain::age;
use crate::render::Draw;
use crate::render::identity::{liveness_tone, state_tone};
use crate::render::message::{needs, priority_tone, short_id};
use crate::render::page::{Page, Tone};
use crate::render::table::{Table, piece};
use crate::render::words::{ago, count, time_left};

/// How many events are printed.
const EVENTS: usize = 5;

impl Draw for Watched {
    fn draw(&self, page: &mut Page) {
        self.board.draw(page);
    }
}

impl Draw for Board {
    fn draw(&self, page: &mut Page) {
        page.put(Tone::Strong, &self.now.to_string());
        let mail = count(usize::try_from(self.mail_total).unwrap_or(usize::MAX), "message");
        let whose = self.mail_of.as_ref().map(|agent| format!(" for {agent}")).unwrap_or_default();
        let late =
            if self.mail_overdue > 0 { format!(" ({} overdue)", self.mail_overdue) } else { String::new() };
        let (agents, waits) = (count(self.agents.len(), "agent"), count(self.handshakes(), "handshake"));
        page.put(Tone::Dim, &format!("  {agents}, {mail} open{whose}{late}, {waits}")).end();
        agents_of(self, page);
        mail_of(self, page);
        self.waits.iter().for_each(|pair| wait(pair, page));
        for held in &self.reservations {
            let text = format!("{} is held by {} until {}", held.scope, held.agent_id, held.expires_at);
            page.put_foreign(Tone::Plain, &text).end();
        }
        for step in self.events.iter().take(EVENTS) {
            let agent = step.agent.as_ref().map_or("-", |agent| agent.as_str());
            page.put(Tone::Dim, &format!("{}  ", step.at.format("%H:%M:%S")));
            page.put_foreign(Tone::Plain, &format!("{agent}  {}", step.what)).end();
        }
        page.end();
    }
}

fn agents_of(board: &Board, page: &mut Page) {
    let mut table = Table::new(&["AGENT", "STATE", "LIVENESS", "LAST SEEN", "UNREAD", "TO ACK"], 0);
    for row in &board.agents {
        table.row(vec![
            piece(Tone::Strong, row.agent.agent_id.as_str()),
            piece(state_tone(row.agent.state), row.agent.state.as_str()),
            piece(liveness_tone(row.agent.liveness), row.agent.liveness.as_str()),
            piece(Tone::Dim, ago(row.agent.last_seen_at, board.now)),
            piece(Tone::Plain, row.unread.to_string()),
            piece(Tone::Plain, row.needs_ack.to_string()),
        ]);
    }
    if !board.agents.is_empty() {
        table.draw(page);
    }
}

fn mail_of(board: &Board, page: &mut Page) {
    let header = ["ID", "FROM", "TO", "CATEGORY", "PRIORITY", "SUBJECT", "AGE", "NEEDS"];
    let mut table = Table::new(&header, 5).optional(&[6, 4]);
    for message in &board.mail {
        let (tone, needs) = needs(message, board.now);
        table.row(vec![
            piece(Tone::Plain, short_id(message.message_id.as_str())),
            piece(Tone::Plain, message.from_agent.as_str()),
            piece(Tone::Plain, message.to_agent.as_str()),
            piece(Tone::Plain, message.category.as_str()),
            piece(priority_tone(message.priority), message.priority.as_str()),
            piece(Tone::Strong, &message.subject),
            piece(Tone::Dim, age::short(board.now.since(message.created_at))),
            piece(tone, needs),
        ]);
    }
    if !board.mail.is_empty() {
        table.draw(page);
    }
    let hidden = usize::try_from(board.mail_total).unwrap_or(0).saturating_sub(board.mail.len());
    if hidden > 0 {
        page.put(Tone::Dim, &format!("… and {}", count(hidden, "more message"))).end();
    }
}

fn wait(pair: &Pair, page: &mut Page) {
    page.put_foreign(
        Tone::Plain,
        &format!("{} waits for {}: {}", pair.requester, pair.waits_for, pair.operation),
    );
    page.put(Tone::Dim, &format!(", {}", time_left(pair.remaining_seconds))).end();
}
