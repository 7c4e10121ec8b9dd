//! The last lines: what can be done, what was done, or an answer in the making.

use ratatui::style::Modifier;
use ratatui::text::{Line, Span};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::Paint;
use crate::commands::watch::{Board, Draft, READ_ONLY, View};
use crate::render::page::{Tone, cut, wrap};
use crate::render::sanitize;

/// The most lines that a notice takes.
const NOTICE: usize = 2;

/// What the keys do while an answer is written.
const KEYS: &str = "  Enter sends, Esc drops it";

/// How much of a subject says what it is about.
const ABOUT: usize = 12;

/// The last lines of the screen.
pub(super) fn lines(board: &Board, view: &View, width: u16, paint: Paint) -> Vec<Line<'static>> {
    let width = usize::from(width);
    match (&view.reply, &view.notice) {
        (Some(draft), notice) => {
            vec![subject(draft, notice.as_deref(), width, paint), answer(draft, width, paint)]
        }
        (None, Some(notice)) => {
            said(notice, width).iter().map(|line| Line::from(paint.span(Tone::Strong, line))).collect()
        }
        (None, None) => vec![Line::from(paint.span(Tone::Dim, cut(&hints(board, view), width)))],
    }
}

fn hints(board: &Board, view: &View) -> String {
    let (reading, acting) = match &view.open {
        Some(_) => ("Esc back  j k scroll", "a ack  r reply"),
        None => ("q quit  Tab panel  j k row  Enter open", "a ack  r reply  x release  m mine/all"),
    };
    format!("{reading}  {}", if board.me.is_some() { acting } else { READ_ONLY })
}

/// A notice on as few lines as it needs.
fn said(notice: &str, width: usize) -> Vec<String> {
    let mut lines = wrap(&sanitize::line(notice), width, width);
    if lines.len() > NOTICE {
        let rest = lines.split_off(NOTICE - 1).join(" ");
        lines.push(rest);
    }
    lines.iter().map(|line| cut(line, width)).collect()
}

/// To whom the answer goes and what it is about, or why it was not sent.
fn subject(draft: &Draft, notice: Option<&str>, width: usize, paint: Paint) -> Line<'static> {
    if let Some(notice) = notice {
        return Line::from(paint.span(Tone::Bad, cut(&sanitize::line(notice), width)));
    }
    let whom = format!("answer to {}: ", draft.to);
    let left = width.saturating_sub(whom.width());
    // What the keys do is said where it takes nothing from what the answer is about.
    let keys = if left >= KEYS.width() + ABOUT { KEYS } else { "" };
    Line::from(vec![
        paint.span(Tone::Strong, whom),
        paint.span(Tone::Plain, cut(&sanitize::line(&draft.about), left.saturating_sub(keys.width()))),
        paint.span(Tone::Dim, keys),
    ])
}

/// The part of the answer around the cursor.
fn answer(draft: &Draft, width: usize, paint: Paint) -> Line<'static> {
    let (before, after) = (sanitize::line(&draft.before_cursor), sanitize::line(&draft.after_cursor));
    let mark = "> ";
    let room = width.saturating_sub(mark.width());
    let mut under = after.chars();
    let cursor = match under.next() {
        Some(letter) => {
            Span::styled(letter.to_string(), paint.style(Tone::Plain).add_modifier(Modifier::REVERSED))
        }
        None => paint.span(Tone::Plain, "█"),
    };
    let before = end_of(&before, room.saturating_sub(cursor.width()));
    let left = room.saturating_sub(before.width() + cursor.width());
    let after = if left == 0 { String::new() } else { cut(under.as_str(), left) };
    Line::from(vec![
        paint.span(Tone::Strong, mark),
        paint.span(Tone::Plain, before),
        cursor,
        paint.span(Tone::Plain, after),
    ])
}

/// The end of a cleaned line, with a mark where its beginning is cut off.
fn end_of(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut room = width.saturating_sub(1);
    let fits = |letter: &char| {
        let wide = letter.width().unwrap_or(0);
        let fits = wide <= room;
        room = room.saturating_sub(wide);
        fits
    };
    let mut kept: Vec<_> = text.chars().rev().take_while(fits).collect();
    kept.push('…');
    kept.into_iter().rev().collect()
}
