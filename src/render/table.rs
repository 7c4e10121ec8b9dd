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

/// A table in the making. Where it is wider than the terminal, columns that can be done without go first,
/// then one column takes what room is left, and at last the widest ones are cut.
#[derive(Debug, Clone)]
pub(super) struct Table {
    header: Vec<String>,
    flexible: usize,
    optional: Vec<usize>,
    gap: usize,
    rows: Vec<Vec<Piece>>,
}

/// Rows that fit into a width, for whoever draws them.
pub(super) struct Fitted {
    pub(super) widths: Vec<usize>,
    /// The column that takes what room is left.
    pub(super) flexible: Option<usize>,
    pub(super) rows: Vec<Vec<(Tone, String)>>,
}

/// The width from which a flexible column can be read.
const COMFORTABLE: usize = 20;

/// The width from which any other column can be read.
const TELLING: usize = 24;

/// How narrow columns get at first, then, and where there is no other way.
const FLOORS: [usize; 3] = [TELLING, 12, 4];

/// What stands between two columns.
const GAP: usize = 2;

/// A column that people type from is never cut.
const TYPED: &str = "ID";

/// A column that is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Column {
    index: usize,
    width: usize,
}

impl Table {
    pub(super) fn new(header: &[&'static str], flexible: usize) -> Self {
        let header = header.iter().map(ToString::to_string).collect();
        Self { header, flexible, optional: Vec::new(), gap: GAP, rows: Vec::new() }
    }

    /// A table without titles, whose columns stand close.
    pub(super) fn untitled(columns: usize, flexible: usize) -> Self {
        Self {
            header: vec![String::new(); columns],
            flexible,
            optional: Vec::new(),
            gap: 1,
            rows: Vec::new(),
        }
    }

    /// Names the columns that can be done without, the least needed first.
    pub(super) fn optional(mut self, columns: &[usize]) -> Self {
        self.optional = columns.to_vec();
        self
    }

    pub(super) fn row(&mut self, pieces: Vec<Piece>) {
        self.rows.push(pieces);
    }

    /// By how much columns are wider than the terminal.
    fn excess(&self, columns: &[Column], width: usize) -> usize {
        let gaps = self.gap * columns.len().saturating_sub(1);
        (columns.iter().map(|column| column.width).sum::<usize>() + gaps).saturating_sub(width)
    }

    fn column(&self, index: usize) -> Column {
        let cells = self.rows.iter().filter_map(|row| row.get(index)).map(|piece| piece.text.width());
        let title = self.header.get(index).map_or(0, |title| title.width());
        Column { index, width: cells.max().unwrap_or(0).max(title) }
    }

    fn is_empty(&self, column: usize) -> bool {
        self.rows.iter().filter_map(|row| row.get(column)).all(|piece| piece.text.is_empty())
    }

    /// The columns that are shown, as wide as the terminal allows.
    fn fit(&self, width: usize) -> Vec<Column> {
        let is_there = |column: &Column| column.width > 0 || column.index == self.flexible;
        let mut columns: Vec<_> =
            (0..self.header.len()).map(|index| self.column(index)).filter(is_there).collect();
        for index in (0..self.header.len()).filter(|index| self.is_empty(*index)) {
            if self.excess(&columns, width) > 0 && columns.len() > 1 {
                columns.retain(|column| column.index != index);
            }
        }
        for index in self.optional.iter().copied() {
            if self.excess(&self.readable(&columns), width) > 0 {
                columns.retain(|column| column.index != index);
            }
        }
        for floor in FLOORS {
            while self.excess(&columns, width) > 0 && self.narrow_the_widest(&mut columns, floor) {}
        }
        columns
    }

    /// The columns as narrow as they can be read.
    fn readable(&self, columns: &[Column]) -> Vec<Column> {
        let narrow = |column: &Column| {
            let enough = if column.index == self.flexible { COMFORTABLE } else { TELLING };
            let width = if self.is_typed(*column) { column.width } else { column.width.min(enough) };
            Column { width, ..*column }
        };
        columns.iter().map(narrow).collect()
    }

    fn is_typed(&self, column: Column) -> bool {
        self.header.get(column.index).is_some_and(|title| title == TYPED)
    }

    /// Makes the widest column that may be cut a little narrower; says whether there was one. The flexible
    /// column keeps twice as much as the others.
    fn narrow_the_widest(&self, columns: &mut [Column], floor: usize) -> bool {
        let is_flexible = |column: &Column| column.index == self.flexible;
        let may_be_cut = |column: &&mut Column| {
            let floor = if is_flexible(column) { floor.min(COMFORTABLE) } else { floor };
            column.width > floor && !self.is_typed(**column)
        };
        let weight = |column: &&mut Column| if is_flexible(column) { column.width / 2 } else { column.width };
        match columns.iter_mut().filter(may_be_cut).max_by_key(weight) {
            Some(column) => {
                column.width -= 1;
                true
            }
            None => false,
        }
    }

    /// Cuts everything to the columns that are shown.
    fn cut_to(&mut self, columns: &[Column]) {
        let header = columns.iter().map(|column| {
            let title = self.header.get(column.index).map_or("", String::as_str);
            cut(title, column.width)
        });
        self.header = header.collect();
        for row in &mut self.rows {
            let cells = columns.iter().filter_map(|column| {
                let piece = row.get(column.index)?;
                Some(Piece { text: cut(&piece.text, column.width), tone: piece.tone })
            });
            *row = cells.collect();
        }
    }

    /// Everything cut to a width.
    pub(super) fn fitted(mut self, width: usize) -> Fitted {
        let columns = self.fit(width);
        self.cut_to(&columns);
        let rows = self.rows.into_iter();
        Fitted {
            widths: columns.iter().map(|column| column.width).collect(),
            flexible: columns.iter().position(|column| column.index == self.flexible),
            rows: rows.map(|row| row.into_iter().map(|piece| (piece.tone, piece.text)).collect()).collect(),
        }
    }

    /// Writes the table onto the page.
    pub(super) fn draw(mut self, page: &mut Page) {
        if let Some(width) = page.appearance.width {
            let columns = self.fit(width);
            self.cut_to(&columns);
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
        let last = self.header.len().saturating_sub(1);
        for (index, column) in table.column_iter_mut().enumerate() {
            // What stands behind the last column is coloured with it, cannot be trimmed, and would wrap.
            let gap = if index == last { 0 } else { 2 };
            column.set_padding((0, gap)).set_cell_alignment(CellAlignment::Left);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::Appearance;
    use proptest::prelude::*;

    fn drawn(table: Table, width: Option<usize>) -> String {
        let mut page = Page::new(Appearance { color: false, width });
        table.draw(&mut page);
        page.finish()
    }

    fn sample(rows: &[[&str; 4]]) -> Table {
        let mut table = Table::new(&["ID", "FROM", "SUBJECT", "AGE"], 2).optional(&[3]);
        for row in rows {
            table.row(row.iter().map(|text| piece(Tone::Plain, text)).collect());
        }
        table
    }

    #[test]
    fn without_a_width_nothing_is_cut() {
        let long = "a subject that goes on and on".repeat(10);
        assert!(drawn(sample(&[["0123456789", "amber-otter", &long, "3m"]]), None).contains(&long));
    }

    #[test]
    fn what_can_be_done_without_goes_before_anything_is_cut_too_far() {
        let row = ["0123456789", "amber-otter", "a subject that goes on and on", "3m"];
        let wide = drawn(sample(&[row]), Some(60));
        assert!(wide.contains("AGE") && wide.contains("a subject that goes on and on"), "{wide}");
        assert_eq!(
            drawn(sample(&[row]), Some(46)),
            "ID          FROM         SUBJECT\n0123456789  amber-otter  a subject that goes …\n"
        );
    }

    #[test]
    fn ids_are_never_cut() {
        let row = ["0123456789", "a-name-as-long-as-names-can-be", "a subject that goes on and on", "3m"];
        let narrow = drawn(sample(&[row]), Some(30));
        assert!(narrow.contains("0123456789"), "{narrow}");
        assert!(narrow.lines().all(|line| line.width() <= 30), "{narrow}");
    }

    #[test]
    fn columns_without_anything_in_them_go_first() {
        let row = ["0123456789", "", "a subject that goes on and on", "3m"];
        let narrow = drawn(sample(&[row]), Some(40));
        assert!(!narrow.contains("FROM") && narrow.contains("AGE"), "{narrow}");
    }

    proptest! {
        #[test]
        fn no_line_is_wider_than_the_terminal(
            rows in prop::collection::vec(("[a-z0-9]{10}", "[a-z-]{3,48}", ".{0,80}", "[0-9]{1,3}[smhd]"), 0..8),
            width in 30..220_usize,
        ) {
            let mut table = Table::new(&["ID", "FROM", "SUBJECT", "AGE"], 2).optional(&[3]);
            for (id, from, subject, age) in &rows {
                table.row([id, from, subject, age].map(|text| piece(Tone::Dim, text)).to_vec());
            }
            for color in [false, true] {
                let mut page = Page::new(Appearance { color, width: Some(width) });
                table.clone().draw(&mut page);
                let text = anstream::adapter::strip_str(&page.finish()).to_string();
                prop_assert!(text.lines().all(|line| line.width() <= width), "{}", text);
                prop_assert_eq!(text.lines().count(), rows.len() + 1);
            }
        }
    }
}
