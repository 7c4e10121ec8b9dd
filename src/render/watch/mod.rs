//! `watch`: the board on a screen, and as text where there is none.

mod foot;
mod layout;
mod panels;
mod reading;
mod screen;
mod text;

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::page::{Tone, cut};
use super::sanitize;
use crate::commands::watch::{Board, View};
use layout::Place;

pub(super) use screen::TerminalScreen;

/// What the board is called.
const NAME: &str = "bb watch ";

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

/// Paints the whole board, and says how far an open message can be scrolled.
pub(super) fn paint(frame: &mut Frame, board: &Board, view: &View, paint: Paint) -> u16 {
    let last = foot::lines(board, view, frame.area().width, paint);
    let height = u16::try_from(last.len()).unwrap_or(1);
    let rows = [Constraint::Length(1), Constraint::Fill(1), Constraint::Length(height)];
    let [head, main, foot] = Layout::vertical(rows).areas(frame.area());
    frame.render_widget(title(board, head.width, paint), head);
    frame.render_widget(Paragraph::new(last), foot);
    if let Some(open) = &view.open {
        return reading::draw(frame, main, open, board, paint);
    }
    for place in layout::places(main, board, view) {
        match place {
            Place::Whole(panel, area) => panels::draw(frame, area, panel, board, view, paint),
            Place::Title(panel, area) => panels::draw_title(frame, area, panel, board, paint),
        }
    }
    0
}

fn title(board: &Board, width: u16, paint: Paint) -> Line<'static> {
    let whose = match (&board.me, &board.mail_of) {
        (_, Some(agent)) => format!("mail of {agent}"),
        (Some(me), None) => format!("everybody's mail, you are {me}"),
        (None, None) => "everybody's mail".to_owned(),
    };
    let late =
        if board.mail_overdue > 0 { format!("  {} overdue", board.mail_overdue) } else { String::new() };
    let time = format!("{}  ", board.now.format("%H:%M:%SZ"));
    let room = usize::from(width).saturating_sub(NAME.len() + time.len() + late.len());
    Line::from(vec![
        paint.span(Tone::Strong, NAME),
        paint.span(Tone::Dim, time),
        paint.span(Tone::Plain, cut(&whose, room)),
        paint.span(Tone::Bad, late),
    ])
}

#[cfg(test)]
mod tests;
