//! A message on the board, as a page.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::{Block, Paragraph, Wrap};

use super::Paint;
use crate::commands::watch::{Board, Open};
use crate::render::message::needs;
use crate::render::page::Tone;
use crate::render::sanitize;
use crate::render::words::ago;

/// Draws the message with its head; the body wraps and can be scrolled.
pub(super) fn draw(frame: &mut Frame, area: Rect, open: &Open, board: &Board, paint: Paint) {
    let message = &open.message;
    let (tone, needs) = needs(message, board.now);
    let field = |name: &str, value: String| {
        Line::from(vec![paint.span(Tone::Dim, format!("{name:<10} ")), paint.span(Tone::Plain, value)])
    };
    let mut lines = vec![
        field("id", message.message_id.to_string()),
        field("from", format!("{}, {}", message.from_agent, ago(message.created_at, board.now))),
        field("to", message.to_agent.to_string()),
        field("category", format!("{}, {} priority", message.category, message.priority)),
        field("thread", message.thread_id.clone()),
        Line::from(vec![
            paint.span(Tone::Dim, format!("{:<10} ", "state")),
            paint.span(Tone::Plain, format!("{}, needs: ", message.state)),
            paint.span(tone, needs),
        ]),
        Line::default(),
    ];
    lines.extend(sanitize::lines(&message.body).lines().map(|line| Line::from(line.to_owned())));
    let block = Block::bordered()
        .border_style(paint.style(Tone::Strong))
        .title(paint.span(Tone::Strong, format!(" {} ", message.subject)))
        .title_bottom(paint.span(Tone::Dim, format!(" written by {} ", message.from_agent)));
    let page = Paragraph::new(lines).block(block).wrap(Wrap { trim: false }).scroll((open.scrolled, 0));
    frame.render_widget(page, area);
}
