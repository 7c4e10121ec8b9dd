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
}

impl Page {
    /// An empty page.
    pub fn new(appearance: Appearance) -> Self {
        Self { text: String::new(), appearance }
    }

    /// Adds words of our own or cleaned ones.
    pub fn put(&mut self, tone: Tone, text: &str) -> &mut Self {
        if self.appearance.color && tone != Tone::Plain {
            let style = tone.style();
            self.text.push_str(&format!("{style}{text}{style:#}"));
        } else {
            self.text.push_str(text);
        }
        self
    }

    /// Adds foreign text on one line, cut to what is left of the terminal's width.
    pub fn put_foreign(&mut self, tone: Tone, text: &str) -> &mut Self {
        self.put(tone, &sanitize::line(text))
    }

    /// Ends the line.
    pub fn end(&mut self) -> &mut Self {
        self.text.push('\n');
        self
    }

    /// Adds a line of our own or cleaned words.
    pub fn line(&mut self, text: &str) -> &mut Self {
        self.put(Tone::Plain, text).end()
    }

    /// Adds a line that names a value.
    pub fn field(&mut self, name: &str, value: &str) -> &mut Self {
        self.put(Tone::Dim, &format!("{name:<10} ")).put_foreign(Tone::Plain, value).end()
    }

    /// Adds foreign text of several lines, each behind a mark that shows it is quoted.
    pub fn quote(&mut self, text: &str) -> &mut Self {
        for line in sanitize::lines(text).lines() {
            self.put(Tone::Dim, "│ ").put(Tone::Plain, line).end();
        }
        self
    }

    /// The whole text.
    pub fn finish(self) -> String {
        self.text
    }
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

    #[test]
    fn cutting_counts_columns_and_marks_the_cut() {
        assert_eq!(cut("short", 5), "short");
        assert_eq!(cut("longer", 5), "long…");
        assert_eq!(cut("日本語", 5), "日本…");
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
