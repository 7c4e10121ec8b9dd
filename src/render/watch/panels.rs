//! The panels of the board.

use ratatui::Frame;
use ratatui::layout::{Constraint, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::Span;
use ratatui::widgets::{Block, Borders, Row, Table as Rows, TableState};

use super::Paint;
use crate::commands::watch::{Board, Panel, View};
use crate::domain::age;
use crate::render::identity::{liveness_tone, state_tone};
use crate::render::message::{needs, priority_tone, short_ids};
use crate::render::page::Tone;
use crate::render::table::{Table, piece};
use crate::render::words::{left, seconds_left};

/// Draws one panel with its selected row.
pub(super) fn draw(frame: &mut Frame, area: Rect, panel: Panel, board: &Board, view: &View, paint: Paint) {
    let is_here = view.panel == panel;
    let border = if is_here { Tone::Strong } else { Tone::Dim };
    let block = Block::bordered().border_style(paint.style(border)).title(title(panel, board, border, paint));
    let table = match panel {
        Panel::Mail => mail(board),
        Panel::Waits => waits(board),
        Panel::Agents => agents(board),
        Panel::Reservations => reservations(board),
        Panel::Events => events(board),
    };
    let fitted = table.fitted(usize::from(block.inner(area).width));
    let width = |(column, width): (usize, usize)| match fitted.flexible == Some(column) {
        true => Constraint::Fill(1),
        false => Constraint::Length(u16::try_from(width).unwrap_or(0)),
    };
    let widths: Vec<_> = fitted.widths.into_iter().enumerate().map(width).collect();
    let cell = |(tone, text): (Tone, String)| Span::styled(text, paint.style(tone));
    let rows = fitted.rows.into_iter().map(|row| Row::new(row.into_iter().map(cell)));
    let marked = if is_here { Modifier::REVERSED } else { Modifier::empty() };
    let rows = Rows::new(rows, widths)
        .block(block)
        .column_spacing(1)
        .row_highlight_style(Style::new().add_modifier(marked));
    let mut state = TableState::new().with_selected(view.row(panel));
    frame.render_stateful_widget(rows, area, &mut state);
}

/// Draws the title of a panel for which there is no room.
pub(super) fn draw_title(frame: &mut Frame, area: Rect, panel: Panel, board: &Board, paint: Paint) {
    let line = Block::new().borders(Borders::TOP).border_style(paint.style(Tone::Dim));
    frame.render_widget(line.title(title(panel, board, Tone::Dim, paint)), area);
}

/// The name of a panel and how much there is of what it shows.
fn title(panel: Panel, board: &Board, tone: Tone, paint: Paint) -> Span<'static> {
    let of = |shown: usize, total: usize| match shown < total {
        true => format!(" {shown} of {total}"),
        false => format!(" {shown}"),
    };
    let total = usize::try_from(board.mail_total).unwrap_or(usize::MAX);
    let (name, number) = match panel {
        Panel::Mail => ("mail", of(board.mail.len(), total)),
        Panel::Waits => ("handshakes", format!(" {}{}", board.handshakes(), overdue(board))),
        Panel::Agents => ("agents", format!(" {}", board.agents.len())),
        Panel::Reservations => ("reservations", format!(" {}", board.reservations.len())),
        // The latest ones, however many there have been.
        Panel::Events => ("events", String::new()),
    };
    paint.span(tone, format!(" {name}{number} "))
}

/// How many answers are overdue, where any is.
fn overdue(board: &Board) -> String {
    match board.waits.iter().filter(|pair| pair.remaining_seconds == 0).count() {
        0 => String::new(),
        number => format!(", {number} overdue"),
    }
}

fn mail(board: &Board) -> Table {
    let whose = board.mail_of.as_ref();
    let mut table = Table::untitled(7, 5).optional(&[1, 2, 6]);
    for message in &board.mail {
        let (tone, needs) = needs(message, board.now);
        let needs = if needs == "ack, overdue" { "overdue" } else { needs };
        table.row(vec![
            piece(tone, needs),
            piece(priority_tone(message.priority), message.priority.as_str()),
            piece(Tone::Plain, message.category.as_str()),
            piece(Tone::Plain, message.from_agent.as_str()),
            piece(Tone::Plain, if whose.is_some() { "" } else { message.to_agent.as_str() }),
            piece(Tone::Strong, &message.subject),
            piece(Tone::Dim, age::short(board.now.since(message.created_at))),
        ]);
    }
    table
}

fn waits(board: &Board) -> Table {
    let mut table = Table::untitled(6, 5).optional(&[1]);
    for pair in &board.waits {
        let tone = if pair.remaining_seconds <= 30 { Tone::Bad } else { Tone::Warning };
        table.row(vec![
            piece(tone, format!("{:>7}", seconds_left(pair.remaining_seconds))),
            piece(Tone::Dim, bar(pair.remaining_seconds, pair.whole_seconds)),
            piece(Tone::Plain, pair.requester.as_str()),
            piece(Tone::Dim, "for"),
            piece(Tone::Strong, pair.waits_for.as_str()),
            piece(Tone::Plain, &pair.operation),
        ]);
    }
    table
}

/// How much of the time is left, in eight steps.
fn bar(left: u64, whole: u64) -> String {
    let filled = usize::try_from((left * 8).div_ceil(whole.max(1))).unwrap_or(8).min(8);
    format!("{}{}", "=".repeat(filled), "-".repeat(8 - filled))
}

fn agents(board: &Board) -> Table {
    let mut table = Table::untitled(4, 3);
    for row in &board.agents {
        let agent = &row.agent;
        let mail = match (row.unread, row.needs_ack) {
            (0, 0) => String::new(),
            (unread, 0) => format!("{unread} unread"),
            (unread, owed) => format!("{unread} unread, {owed} to ack"),
        };
        table.row(vec![
            piece(Tone::Strong, agent.agent_id.as_str()),
            piece(state_tone(agent.state), agent.state.as_str()),
            piece(liveness_tone(agent.liveness), age::short(board.now.since(agent.last_seen_at))),
            piece(Tone::Plain, mail),
        ]);
    }
    table
}

fn reservations(board: &Board) -> Table {
    let mut table = Table::untitled(3, 0);
    for held in &board.reservations {
        table.row(vec![
            piece(Tone::Strong, &held.scope),
            piece(Tone::Plain, held.agent_id.as_str()),
            match held.expires_at > board.now {
                true => piece(Tone::Dim, format!("{} left", left(held.expires_at.since(board.now)))),
                false => piece(Tone::Warning, "expired"),
            },
        ]);
    }
    table
}

fn events(board: &Board) -> Table {
    let mut table = Table::untitled(3, 2);
    for step in &board.events {
        let agent = step.agent.as_ref().map_or("-", |agent| agent.as_str());
        table.row(vec![
            piece(Tone::Dim, step.at.format("%H:%M:%S")),
            piece(Tone::Plain, agent),
            piece(Tone::Plain, short_ids(&step.what)),
        ]);
    }
    table
}
