//! The panels of the board.

use ratatui::Frame;
use ratatui::layout::{Constraint, Rect};
use ratatui::style::Modifier;
use ratatui::text::Span;
use ratatui::widgets::{Block, Row, Table, TableState};

use super::Paint;
use crate::commands::watch::{Board, Panel, View};
use crate::domain::age;
use crate::domain::agent::AgentId;
use crate::domain::message::Message;
use crate::render::identity::{liveness_tone, state_tone};
use crate::render::message::{needs, priority_tone, short_ids};
use crate::render::page::Tone;
use crate::render::words::{left, seconds_left};

/// The widest a name gets.
const NAME: usize = 18;

/// Rows and how wide their columns are.
struct Grid {
    title: &'static str,
    widths: Vec<Constraint>,
    rows: Vec<Vec<Span<'static>>>,
}

/// Draws one panel with its selected row.
pub(super) fn draw(frame: &mut Frame, area: Rect, panel: Panel, board: &Board, view: &View, paint: Paint) {
    let grid = match panel {
        Panel::Mail => mail(board, view, paint),
        Panel::Waits => waits(board, paint),
        Panel::Agents => agents(board, paint),
        Panel::Reservations => reservations(board, paint),
        Panel::Events => events(board, paint),
    };
    let is_here = view.panel == panel;
    let border = if is_here { Tone::Strong } else { Tone::Dim };
    let title = format!(" {} {} ", grid.title, grid.rows.len());
    let block = Block::bordered().border_style(paint.style(border)).title(paint.span(border, title));
    let marked = if is_here { Modifier::REVERSED } else { Modifier::empty() };
    let table = Table::new(grid.rows.into_iter().map(Row::new), grid.widths)
        .block(block)
        .column_spacing(1)
        .row_highlight_style(ratatui::style::Style::new().add_modifier(marked));
    let mut state = TableState::new().with_selected(view.row(panel));
    frame.render_stateful_widget(table, area, &mut state);
}

/// A column as wide as its names, within reason.
fn name_width<'a>(names: impl Iterator<Item = &'a AgentId>) -> Constraint {
    let widest = names.map(|name| name.as_str().len()).max().unwrap_or(0).min(NAME);
    Constraint::Length(u16::try_from(widest).unwrap_or(0))
}

fn mail(board: &Board, view: &View, paint: Paint) -> Grid {
    let row = |message: &Message| {
        let (tone, needs) = needs(message, board.now);
        let needs = if needs == "ack, overdue" { "overdue" } else { needs };
        let mut cells = vec![
            paint.span(tone, needs),
            paint.span(priority_tone(message.priority), message.priority.as_str()),
            paint.span(Tone::Plain, message.category.as_str()),
            paint.span(Tone::Plain, message.from_agent.as_str()),
        ];
        if !view.mine {
            cells.push(paint.span(Tone::Plain, message.to_agent.as_str()));
        }
        cells.push(paint.span(Tone::Strong, &message.subject));
        cells.push(paint.span(Tone::Dim, age::short(board.now.since(message.created_at))));
        cells
    };
    let mut widths = vec![
        Constraint::Length(9),
        Constraint::Length(6),
        Constraint::Length(8),
        name_width(board.mail.iter().map(|message| &message.from_agent)),
    ];
    if !view.mine {
        widths.push(name_width(board.mail.iter().map(|message| &message.to_agent)));
    }
    widths.extend([Constraint::Fill(1), Constraint::Length(4)]);
    Grid { title: "mail", widths, rows: board.mail.iter().map(row).collect() }
}

fn waits(board: &Board, paint: Paint) -> Grid {
    let rows = board.waits.iter().map(|pair| {
        let tone = if pair.remaining_seconds <= 30 { Tone::Bad } else { Tone::Warning };
        vec![
            paint.span(tone, format!("{:>7}", seconds_left(pair.remaining_seconds))),
            paint.span(Tone::Dim, bar(pair.remaining_seconds, pair.whole_seconds)),
            paint.span(Tone::Plain, pair.requester.as_str()),
            paint.span(Tone::Dim, "for"),
            paint.span(Tone::Strong, pair.waits_for.as_str()),
            paint.span(Tone::Plain, &pair.operation),
        ]
    });
    let widths = vec![
        Constraint::Length(7),
        Constraint::Length(8),
        name_width(board.waits.iter().map(|pair| &pair.requester)),
        Constraint::Length(3),
        name_width(board.waits.iter().map(|pair| &pair.waits_for)),
        Constraint::Fill(1),
    ];
    Grid { title: "handshakes", widths, rows: rows.collect() }
}

/// How much of the time is left, in eight steps.
fn bar(left: u64, whole: u64) -> String {
    let filled = usize::try_from((left * 8).div_ceil(whole.max(1))).unwrap_or(8).min(8);
    format!("{}{}", "=".repeat(filled), "-".repeat(8 - filled))
}

fn agents(board: &Board, paint: Paint) -> Grid {
    let rows = board.agents.iter().map(|row| {
        let agent = &row.agent;
        let mail = match (row.unread, row.needs_ack) {
            (0, 0) => String::new(),
            (unread, 0) => format!("{unread} unread"),
            (unread, owed) => format!("{unread} unread, {owed} to ack"),
        };
        vec![
            paint.span(Tone::Strong, agent.agent_id.as_str()),
            paint.span(state_tone(agent.state), agent.state.as_str()),
            paint.span(liveness_tone(agent.liveness), age::short(board.now.since(agent.last_seen_at))),
            paint.span(Tone::Plain, mail),
        ]
    });
    let states = board.agents.iter().map(|row| row.agent.state.as_str().len());
    let widths = vec![
        name_width(board.agents.iter().map(|row| &row.agent.agent_id)),
        Constraint::Length(states.max().and_then(|widest| u16::try_from(widest).ok()).unwrap_or(0)),
        Constraint::Length(4),
        Constraint::Fill(1),
    ];
    Grid { title: "agents", widths, rows: rows.collect() }
}

fn reservations(board: &Board, paint: Paint) -> Grid {
    let rows = board.reservations.iter().map(|held| {
        vec![
            paint.span(Tone::Strong, &held.scope),
            paint.span(Tone::Plain, held.agent_id.as_str()),
            match held.expires_at > board.now {
                true => paint.span(Tone::Dim, format!("{} left", left(held.expires_at.since(board.now)))),
                false => paint.span(Tone::Warning, "expired"),
            },
        ]
    });
    let widths = vec![
        Constraint::Fill(1),
        name_width(board.reservations.iter().map(|held| &held.agent_id)),
        Constraint::Length(11),
    ];
    Grid { title: "reservations", widths, rows: rows.collect() }
}

fn events(board: &Board, paint: Paint) -> Grid {
    let rows = board.events.iter().map(|step| {
        let agent = step.agent.as_ref().map_or("-", |agent| agent.as_str());
        vec![
            paint.span(Tone::Dim, step.at.format("%H:%M:%S")),
            paint.span(Tone::Plain, agent),
            paint.span(Tone::Plain, short_ids(&step.what)),
        ]
    });
    let widths = vec![
        Constraint::Length(8),
        name_width(board.events.iter().filter_map(|step| step.agent.as_ref())),
        Constraint::Fill(1),
    ];
    Grid { title: "events", widths, rows: rows.collect() }
}
