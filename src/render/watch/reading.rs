//! A message on the board, as a page.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::{Block, Paragraph};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::Paint;
use crate::commands::watch::{Board, Open};
use crate::domain::Timestamp;
use crate::domain::message::Message;
use crate::render::message::needs;
use crate::render::page::{Tone, cut, wrap};
use crate::render::sanitize;
use crate::render::words::ago;

/// Draws the message with its head, and says how far it can be scrolled.
pub(super) fn draw(frame: &mut Frame, area: Rect, open: &Open, board: &Board, paint: Paint) -> u16 {
    let message = &open.message;
    let title = cut(&sanitize::line(&message.subject), usize::from(area.width.saturating_sub(4)));
    let block = Block::bordered()
        .border_style(paint.style(Tone::Strong))
        .title(paint.span(Tone::Strong, format!(" {title} ")))
        .title_bottom(paint.span(Tone::Dim, format!(" written by {} ", message.from_agent)));
    let inner = block.inner(area);
    let width = usize::from(inner.width);
    let mut lines = head(message, board.now, width, paint);
    if title.ends_with('…') {
        let whole = broken(&sanitize::line(&message.subject), width);
        lines.splice(0..0, whole.into_iter().map(|line| Line::from(paint.span(Tone::Strong, line))));
    }
    for line in sanitize::lines(&message.body).lines() {
        lines.extend(broken(line, width).into_iter().map(Line::from));
    }
    let farthest = u16::try_from(lines.len()).unwrap_or(u16::MAX).saturating_sub(inner.height);
    let page = Paragraph::new(lines).block(block).scroll((open.scrolled.min(farthest), 0));
    frame.render_widget(page, area);
    farthest
}

fn head(message: &Message, now: Timestamp, width: usize, paint: Paint) -> Vec<Line<'static>> {
    let field = |name: &str, value: String| {
        Line::from(vec![
            paint.span(Tone::Dim, format!("{name:<10} ")),
            paint.span(Tone::Plain, cut(&sanitize::line(&value), width.saturating_sub(11))),
        ])
    };
    let (tone, needs) = needs(message, now);
    let mut state = field("state", format!("{}, needs: ", message.state));
    state.push_span(paint.span(tone, needs));
    let mut lines = vec![
        field("id", message.message_id.to_string()),
        field("from", format!("{}, {}", message.from_agent, ago(message.created_at, now))),
        field("to", message.to_agent.to_string()),
        field("category", format!("{}, {} priority", message.category, message.priority)),
        field("thread", message.thread_id.clone()),
        state,
    ];
    if let Some(response) = &message.response {
        lines.push(field("answer", format!("{}: {}", response.verdict, response.message)));
    }
    lines.push(Line::default());
    lines
}

/// A cleaned line broken between words, and within those that are wider than the page.
fn broken(line: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for line in wrap(line, width, width) {
        let mut rest = line.as_str();
        while rest.width() > width.max(1) {
            let mut room = width.max(1);
            let end = rest.char_indices().find(|(_, letter)| {
                let wide = letter.width().unwrap_or(0);
                let is_over = wide > room;
                room = room.saturating_sub(wide);
                is_over
            });
            // A letter that is wider than the page stands alone.
            let first = rest.chars().next().map_or(0, char::len_utf8);
            let (piece, more) = rest.split_at(end.map_or(rest.len(), |(at, _)| at).max(first));
            lines.push(piece.to_owned());
            rest = more;
        }
        lines.push(rest.to_owned());
    }
    lines
}
