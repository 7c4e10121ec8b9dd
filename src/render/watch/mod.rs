//! `watch`: the board on a screen, and as text where there is none.

mod panels;
mod reading;
mod screen;
mod text;

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};

use super::page::Tone;
use super::sanitize;
use crate::commands::watch::{Board, Panel, View};
use crate::domain::mailbox::is_overdue;

pub(super) use screen::TerminalScreen;

/// The width from which panels stand side by side.
const WIDE: u16 = 100;

/// How things look: with colours, or with bold and reversed letters alone.
#[derive(Debug, Clone, Copy)]
pub(super) struct Paint {
    pub color: bool,
}

impl Paint {
    fn style(self, tone: Tone) -> Style {
        let colored = |color: Color| if self.color { Style::new().fg(color) } else { Style::new() };
        match tone {
            Tone::Plain => Style::new(),
            Tone::Strong => Style::new().add_modifier(Modifier::BOLD),
            Tone::Dim => Style::new().add_modifier(Modifier::DIM),
            Tone::Good => colored(Color::Green),
            Tone::Warning => colored(Color::Yellow),
            Tone::Bad => colored(Color::Red).add_modifier(Modifier::BOLD),
        }
    }

    /// A piece of text; whatever an agent wrote in it is cleaned.
    fn span(self, tone: Tone, text: impl AsRef<str>) -> Span<'static> {
        Span::styled(sanitize::line(text.as_ref()), self.style(tone))
    }
}

/// Paints the whole board.
pub(super) fn paint(frame: &mut Frame, board: &Board, view: &View, paint: Paint) {
    let [head, main, foot] =
        Layout::vertical([Constraint::Length(1), Constraint::Fill(1), Constraint::Length(1)])
            .areas(frame.area());
    frame.render_widget(title(board, view, paint), head);
    match &view.open {
        Some(open) => reading::draw(frame, main, open, board, paint),
        None => {
            for (panel, area) in places(main, board) {
                panels::draw(frame, area, panel, board, view, paint);
            }
        }
    }
    frame.render_widget(hints(view, paint), foot);
}

fn title(board: &Board, view: &View, paint: Paint) -> Line<'static> {
    let overdue = board.mail.iter().filter(|message| is_overdue(message, board.now)).count();
    let whose = match (&board.me, view.mine) {
        (Some(me), true) => format!("mail of {me}"),
        (Some(me), false) => format!("everybody's mail, you are {me}"),
        (None, _) => "everybody's mail".to_owned(),
    };
    let late = if overdue > 0 { format!("  {overdue} overdue") } else { String::new() };
    Line::from(vec![
        paint.span(Tone::Strong, "bb watch "),
        paint.span(Tone::Dim, format!("{}  ", board.now.format("%H:%M:%SZ"))),
        paint.span(Tone::Plain, whose),
        paint.span(Tone::Bad, late),
    ])
}

/// Where each panel stands.
fn places(area: Rect, board: &Board) -> Vec<(Panel, Rect)> {
    let columns: Vec<(Rect, Vec<(Panel, u16)>)> = if area.width >= WIDE {
        let [left, right] = Layout::horizontal([Constraint::Percentage(55), Constraint::Fill(1)]).areas(area);
        let right_side = vec![(Panel::Waits, 2), (Panel::Agents, 3), (Panel::Reservations, 2)];
        vec![(left, vec![(Panel::Mail, 3), (Panel::Events, 2)]), (right, right_side)]
    } else {
        let all = vec![
            (Panel::Mail, 3),
            (Panel::Waits, 2),
            (Panel::Agents, 2),
            (Panel::Reservations, 2),
            (Panel::Events, 2),
        ];
        vec![(area, all)]
    };
    let mut places = Vec::new();
    for (area, panels) in columns {
        let shown: Vec<_> = panels.into_iter().filter(|(panel, _)| panel.is_shown(board)).collect();
        let heights: Vec<_> = shown.iter().map(|(_, share)| Constraint::Fill(*share)).collect();
        let areas = Layout::vertical(heights).split(area);
        places.extend(shown.iter().map(|(panel, _)| *panel).zip(areas.iter().copied()));
    }
    places
}

/// What can be done now, or what was done.
fn hints(view: &View, paint: Paint) -> Line<'static> {
    if let Some((_, text)) = &view.reply {
        return Line::from(vec![
            paint.span(Tone::Strong, "answer: "),
            paint.span(Tone::Plain, text),
            paint.span(Tone::Plain, "█"),
            paint.span(Tone::Dim, "  Enter sends, Esc drops it"),
        ]);
    }
    if let Some(notice) = &view.notice {
        return Line::from(paint.span(Tone::Strong, notice));
    }
    let keys = match &view.open {
        Some(_) => "j k scroll  a ack  r reply  Esc back",
        None => "Tab panel  j k row  Enter open  a ack  r reply  x release  m mine/all  q quit",
    };
    Line::from(paint.span(Tone::Dim, keys))
}

#[cfg(test)]
mod tests;
