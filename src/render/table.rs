//! Tables that stay on one line a row.

use comfy_table::{Attribute, Cell, CellAlignment, Color, ContentArrangement, presets};
use unicode_width::UnicodeWidthStr;

use super::page::{Page, Tone, cut};
use super::sanitize;

/// A piece of a row.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    text: String,
    tone: Tone,
}

/// A piece of cleaned text with a tone.
pub(super) fn piece(tone: Tone, text: impl AsRef<str>) -> Piece {
    Piece { text: sanitize::line(text.as_ref()), tone }
}

/// A table in the making; one of its columns takes what room is left.
#[derive(Debug)]
pub(super) struct Table {
    header: Vec<&'static str>,
    flexible: usize,
    rows: Vec<Vec<Piece>>,
}

/// The narrowest a flexible column gets.
const NARROWEST: usize = 12;

impl Table {
    pub(super) fn new(header: &[&'static str], flexible: usize) -> Self {
        Self { header: header.to_vec(), flexible, rows: Vec::new() }
    }

    pub(super) fn row(&mut self, pieces: Vec<Piece>) {
        self.rows.push(pieces);
    }

    fn widths(&self) -> Vec<usize> {
        let widest = |index: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(index)).map(|piece| piece.text.width());
            cells.chain(self.header.get(index).map(|title| title.width())).max().unwrap_or(0)
        };
        (0..self.header.len()).map(widest).collect()
    }

    /// The room of the flexible column on a terminal of that width.
    fn room(&self, width: usize) -> usize {
        let widths = self.widths();
        let gaps = 2 * widths.len().saturating_sub(1);
        let others: usize = widths
            .iter()
            .enumerate()
            .filter(|(index, _)| *index != self.flexible)
            .map(|(_, width)| width)
            .sum();
        width.saturating_sub(others + gaps).max(NARROWEST)
    }

    /// Writes the table onto the page.
    pub(super) fn draw(mut self, page: &mut Page) {
        if let Some(width) = page.appearance.width {
            let room = self.room(width);
            for row in &mut self.rows {
                if let Some(piece) = row.get_mut(self.flexible) {
                    piece.text = cut(&piece.text, room);
                }
            }
        }
        let mut table = comfy_table::Table::new();
        table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
        if page.appearance.color {
            table.enforce_styling();
        } else {
            table.force_no_tty();
        }
        table.set_header(self.header.iter().map(|title| Cell::new(title).add_attribute(Attribute::Dim)));
        for row in &self.rows {
            table.add_row(row.iter().map(styled));
        }
        for column in table.column_iter_mut() {
            column.set_padding((0, 2)).set_cell_alignment(CellAlignment::Left);
        }
        for line in table.lines() {
            page.line(line.trim_end());
        }
    }
}

fn styled(piece: &Piece) -> Cell {
    let cell = Cell::new(&piece.text);
    match piece.tone {
        Tone::Plain => cell,
        Tone::Strong => cell.add_attribute(Attribute::Bold),
        Tone::Dim => cell.add_attribute(Attribute::Dim),
        Tone::Good => cell.fg(Color::Green),
        Tone::Warning => cell.fg(Color::Yellow),
        Tone::Bad => cell.fg(Color::Red),
    }
}
