//! `status` for people: one screen.

use std::collections::BTreeMap;

use super::Draw;
use super::identity::{liveness_tone, state_tone};
use super::message::{needs, short_id};
use super::page::{Page, Tone};
use super::table::{Piece, Table, piece};
use super::words::{ago, count, left};
use crate::commands::status::{Board, Standing, Status};
use crate::commands::waits::Wait;
use crate::domain::mailbox::is_overdue;
use crate::domain::reservation::State;
use crate::domain::{Timestamp, age};

/// Rows that a part of the board shows; `--json` has them all.
const ROWS: usize = 10;

impl Draw for Status {
    fn draw(&self, page: &mut Page) {
        match self {
            Self::Once(board) => board.draw(page),
            Self::Followed(watched) => watched.draw(page),
        }
    }
}

impl Draw for Board {
    fn draw(&self, page: &mut Page) {
        let held: Vec<_> = self.reservations.iter().chain(&self.expired_reservations).collect();
        reservations(&held, self.now, page);
        self.draw_waiting(page);
        self.draw_incursions(page);
        self.draw_messages(page);
        self.draw_handshakes(page);
        self.draw_agents(page);
        self.draw_summary(page);
    }
}

fn title(text: &str, page: &mut Page) {
    page.put(Tone::Strong, text).end();
}

fn more(total: usize, page: &mut Page) {
    rest(total.saturating_sub(ROWS), page);
}

fn rest(number: usize, page: &mut Page) {
    if number > 0 {
        page.put(Tone::Dim, &format!("… and {number} more: --json lists them all")).end();
    }
    page.end();
}

fn reservations(held: &[&Standing], now: Timestamp, page: &mut Page) {
    let Some(first) = held.first() else { return };
    title("Reservations", page);
    let several = held.iter().any(|standing| standing.project != first.project);
    let mut header = vec!["SCOPE", "AGENT", "BEAD", "LEFT", "LIVENESS", "REASON"];
    header.extend(several.then_some("PROJECT"));
    let mut table = Table::new(&header, 5);
    for standing in held.iter().take(ROWS) {
        let mut row = row(standing, now);
        row.extend(several.then(|| piece(Tone::Dim, &standing.project)));
        table.row(row);
    }
    table.draw(page);
    more(held.len(), page);
}

fn row(standing: &Standing, now: Timestamp) -> Vec<Piece> {
    let reservation = &standing.reservation;
    let time = match reservation.state {
        State::Active => piece(Tone::Plain, left(reservation.expires_at.since(now))),
        _ => piece(Tone::Warning, "expired"),
    };
    let shared = if reservation.shared { "shared" } else { "" };
    let reason = [Some(shared), reservation.reason.as_deref()];
    let reason: Vec<_> = reason.into_iter().flatten().filter(|text| !text.is_empty()).collect();
    vec![
        piece(Tone::Strong, reservation.scope.as_str()),
        piece(Tone::Plain, reservation.agent_id.as_str()),
        piece(Tone::Plain, reservation.bead_id.as_deref().unwrap_or("-")),
        time,
        piece(liveness_tone(standing.owner_liveness), standing.owner_liveness.as_str()),
        piece(Tone::Dim, reason.join(", ")),
    ]
}

impl Board {
    fn draw_handshakes(&self, page: &mut Page) {
        if self.handshakes.is_empty() {
            return;
        }
        title("Open handshakes", page);
        // Each agent that is waited for has a row.
        let mut rows = 0;
        let fits = |handshake: &&Wait| {
            rows += handshake.wait.agents.len();
            rows <= ROWS
        };
        let number = self.handshakes.iter().take_while(fits).count().max(1);
        let shown = self.handshakes.get(..number).unwrap_or(&self.handshakes);
        super::wait_ack::table(shown).draw(page);
        rest(self.handshakes.len() - shown.len(), page);
    }

    fn draw_waiting(&self, page: &mut Page) {
        if self.waiting.is_empty() {
            return;
        }
        title("Waiting for a scope", page);
        let mut table = Table::new(&["AGENT", "SCOPES", "SINCE", "GIVES UP"], 1);
        for waiting in self.waiting.iter().take(ROWS) {
            let scopes: Vec<_> = waiting.scopes.iter().map(ToString::to_string).collect();
            table.row(vec![
                piece(Tone::Plain, waiting.agent_id.as_str()),
                piece(Tone::Strong, scopes.join(" ")),
                piece(Tone::Dim, ago(waiting.since, self.now)),
                piece(Tone::Dim, ago(waiting.until, self.now)),
            ]);
        }
        table.draw(page);
        more(self.waiting.len(), page);
    }

    fn draw_incursions(&self, page: &mut Page) {
        if self.incursions.is_empty() {
            return;
        }
        title("Incursions: two hold the same", page);
        let mut table = Table::new(&["AGENT", "SCOPE", "AND AGENT", "SCOPE", "OVERLAP"], 3);
        for clash in self.incursions.iter().take(ROWS) {
            let [first, second] = &clash.reservations;
            table.row(vec![
                piece(Tone::Bad, first.agent_id.as_str()),
                piece(Tone::Plain, first.scope.as_str()),
                piece(Tone::Bad, second.agent_id.as_str()),
                piece(Tone::Plain, second.scope.as_str()),
                piece(Tone::Dim, clash.overlap.as_str()),
            ]);
        }
        table.draw(page);
        more(self.incursions.len(), page);
    }

    fn draw_messages(&self, page: &mut Page) {
        if self.unacked_required_messages.is_empty() {
            return;
        }
        title("Waiting for an ack", page);
        let mut table =
            Table::new(&["CATEGORY", "ID", "FROM", "TO", "SUBJECT", "AGE", "NEEDS"], 4).optional(&[5]);
        for message in self.unacked_required_messages.iter().take(ROWS) {
            let (tone, needs) = needs(message, self.now);
            table.row(vec![
                piece(Tone::Plain, message.category.as_str()),
                piece(Tone::Plain, short_id(message.message_id.as_str())),
                piece(Tone::Plain, message.from_agent.as_str()),
                piece(Tone::Plain, message.to_agent.as_str()),
                piece(Tone::Strong, &message.subject),
                piece(Tone::Dim, age::short(self.now.since(message.created_at))),
                piece(tone, needs),
            ]);
        }
        table.draw(page);
        more(self.unacked_required_messages.len(), page);
    }

    fn draw_agents(&self, page: &mut Page) {
        if self.agents.is_empty() {
            return;
        }
        title("Agents to look after", page);
        let mut table = Table::new(&["AGENT", "STATE", "LIVENESS", "LAST SEEN"], 0);
        for concern in self.agents.iter().take(ROWS) {
            let agent = &concern.agent;
            table.row(vec![
                piece(Tone::Strong, agent.agent_id.as_str()),
                piece(state_tone(agent.state), agent.state.as_str()),
                piece(liveness_tone(agent.liveness), agent.liveness.as_str()),
                piece(Tone::Dim, ago(agent.last_seen_at, self.now)),
            ]);
        }
        table.draw(page);
        more(self.agents.len(), page);
    }

    fn draw_summary(&self, page: &mut Page) {
        let summary = &self.summary;
        let among = |number: usize, what: &str| {
            if number > 0 { format!(" ({number} {what})") } else { String::new() }
        };
        let overdue = self.unacked_required_messages.iter().filter(|it| is_overdue(it, self.now)).count();
        let held = summary.active + summary.expired;
        let mut parts = vec![
            format!("{} waiting for an ack{}", summary.unacked_required_messages, among(overdue, "overdue")),
            count(summary.handshakes, "handshake"),
            format!("{}{}", count(held, "reservation"), among(summary.expired, "expired")),
        ];
        let mut concerns = BTreeMap::<&str, usize>::new();
        self.agents.iter().for_each(|it| *concerns.entry(it.concern).or_default() += 1);
        parts.extend(
            concerns.iter().map(|(concern, number)| format!("{} {concern}", count(*number, "agent"))),
        );
        page.put(Tone::Dim, &parts.join(", ")).end();
    }
}
