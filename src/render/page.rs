//! Text for people in the making.

use anstyle::{AnsiColor, Style};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::{Appearance, sanitize};

/// What a piece of text is, which decides how it looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    Plain,
    Strong,
    Dim,
    Good,
    Warning,
    Bad,
}

impl Tone {
    pub(super) fn style(self) -> Style {
        let color = |color: AnsiColor| Style::new().fg_color(Some(color.into()));
        match self {
            Self::Plain => Style::new(),
            Self::Strong => Style::new().bold(),
            Self::Dim => Style::new().dimmed(),
            Self::Good => color(AnsiColor::Green),
            Self::Warning => color(AnsiColor::Yellow),
            Self::Bad => color(AnsiColor::Red),
        }
    }
}

/// A page of text. Whatever an agent wrote is added through methods that clean it.
#[derive(Debug)]
pub struct Page {
    text: String,
    pub appearance: Appearance,
    /// How far the line that is being written has come.
    column: usize,
}

impl Page {
    /// An empty page.
    pub fn new(appearance: Appearance) -> Self {
        Self { text: String::new(), appearance, column: 0 }
    }

    /// Adds words of our own or cleaned ones.
    pub fn put(&mut self, tone: Tone, text: &str) -> &mut Self {
        self.column = match text.rsplit_once('\n') {
            Some((_, last)) => last.width(),
            None => self.column + text.width(),
        };
        if self.appearance.color && tone != Tone::Plain {
            let style = tone.style();
            self.text.push_str(&format!("{style}{text}{style:#}"));
        } else {
            self.text.push_str(text);
        }
        self
    }

    /// Adds foreign text on one line.
    pub fn put_foreign(&mut self, tone: Tone, text: &str) -> &mut Self {
        self.put(tone, &sanitize::line(text))
    }

    /// Adds foreign text that goes on in further lines, indented, where it is wider than the terminal. Words
    /// stay whole, so that what is longer than a line can still be copied.
    pub fn put_wrapped(&mut self, tone: Tone, text: &str, indent: usize) -> &mut Self {
        let text = sanitize::line(text);
        let Some(width) = self.appearance.width else { return self.put(tone, &text) };
        let lines = wrap(&text, width.saturating_sub(self.column), width.saturating_sub(indent));
        for (number, line) in lines.iter().enumerate() {
            if number > 0 {
                self.end().put(Tone::Plain, &" ".repeat(indent));
            }
            self.put(tone, line);
        }
        self
    }

    /// Adds foreign words behind a space, or on another line, indented, where they are wider than the terminal.
    pub(super) fn flow(&mut self, tone: Tone, text: &str, indent: usize) -> &mut Self {
        for word in sanitize::line(text).split(' ') {
            if self.has_room_for(&format!(" {word}")) || self.column <= indent {
                self.put(Tone::Plain, if self.column > 0 { " " } else { "" });
            } else {
                self.end().put(Tone::Plain, &" ".repeat(indent));
            }
            self.put(tone, word);
        }
        self
    }

    /// Whether something of that width still fits on the line.
    pub(super) fn has_room_for(&self, text: &str) -> bool {
        self.appearance.width.is_none_or(|width| self.column + text.width() <= width)
    }

    /// Ends the line.
    pub fn end(&mut self) -> &mut Self {
        self.text.push('\n');
        self.column = 0;
        self
    }

    /// Adds a line of our own or cleaned words.
    pub fn line(&mut self, text: &str) -> &mut Self {
        self.put(Tone::Plain, text).end()
    }

    /// Adds a line that names a value.
    pub fn field(&mut self, name: &str, value: &str) -> &mut Self {
        self.put(Tone::Dim, &format!("{name:<10} ")).put_wrapped(Tone::Plain, value, 11).end()
    }

    /// Adds foreign text of several lines, each behind a mark that shows it is quoted.
    pub fn quote(&mut self, text: &str) -> &mut Self {
        let room = self.appearance.width.map_or(usize::MAX, |width| width.saturating_sub(2));
        for line in sanitize::lines(text).lines() {
            for piece in wrap(line, room, room) {
                self.put(Tone::Dim, "│ ").put(Tone::Plain, &piece).end();
            }
        }
        self
    }

    /// The whole text.
    pub fn finish(self) -> String {
        self.text
    }
}

/// Breaks a cleaned line between words: the first piece fits into `first` columns, the others into `rest`.
/// A word that is wider than that stands alone. What fits is left exactly as it is.
pub(super) fn wrap(text: &str, first: usize, rest: usize) -> Vec<String> {
    if text.width() <= first {
        return vec![text.to_owned()];
    }
    let words = text.trim_start_matches(' ');
    let mut line = " ".repeat(text.len() - words.len());
    let (mut lines, mut room) = (Vec::new(), first);
    for word in words.split(' ') {
        let is_blank = line.trim().is_empty();
        let gap = usize::from(!is_blank);
        // Nothing is gained by giving a word that is too wide another line of the same width.
        if line.width() + gap + word.width() > room && !(is_blank && room >= rest) {
            lines.push(std::mem::take(&mut line));
            room = rest;
        } else if !is_blank {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
    lines
}

/// Cuts a cleaned line to a width, marking the cut.
pub(super) fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut room = width.saturating_sub(1);
    let mut kept = String::new();
    for character in text.chars() {
        let wide = character.width().unwrap_or(0);
        if wide > room {
            break;
        }
        room -= wide;
        kept.push(character);
    }
    kept.push('…');
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn cutting_counts_columns_and_marks_the_cut() {
        assert_eq!(cut("short", 5), "short");
        assert_eq!(cut("longer", 5), "long…");
        assert_eq!(cut("日本語", 5), "日本…");
    }

    #[test]
    fn wrapping_breaks_between_words_and_keeps_long_ones_whole() {
        assert_eq!(wrap("as it  is", 20, 5), ["as it  is"]);
        assert_eq!(wrap("one two three", 8, 5), ["one two", "three"]);
        assert_eq!(
            wrap("one https://example.org/long two", 5, 8),
            ["one", "https://example.org/long", "two"]
        );
        assert_eq!(wrap("toolong", 3, 20), ["", "toolong"]);
        assert_eq!(wrap("toolong word", 3, 3), ["toolong", "word"]);
        assert_eq!(wrap("    let x = y", 9, 9), ["    let x", "= y"]);
    }

    proptest! {
        #[test]
        fn wrapping_loses_no_word(text in "[a-zé日 ]{0,60}", first in 0..30_usize, rest in 1..30_usize) {
            let lines = wrap(&text, first, rest);
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            prop_assert_eq!(words(&lines.join(" ")), words(&text));
            for (number, line) in lines.iter().enumerate() {
                let room = if number == 0 { first } else { rest };
                prop_assert!(line.width() <= room || !line.trim().contains(' '), "{:?}", lines);
            }
        }
    }

    #[test]
    fn what_is_wrapped_is_indented() {
        let mut page = Page::new(Appearance { color: false, width: Some(20) });
        page.field("name", "one two three four").quote("a body that is rather long\n\nend");
        assert_eq!(
            page.finish(),
            "name       one two\n           three\n           four\n│ a body that is\n│ rather long\n│ \n│ end\n"
        );
    }

    #[test]
    fn colour_appears_only_where_wanted() {
        let draw = |color| {
            let mut page = Page::new(Appearance { color, width: None });
            page.put(Tone::Bad, "x").put_foreign(Tone::Plain, "\u{1b}[31my");
            page.finish()
        };
        assert_eq!(draw(false), "xy");
        assert!(draw(true).starts_with("\u{1b}["));
    }
}
