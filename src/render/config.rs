//! `config` for people.

use super::Draw;
use super::page::{Page, Tone};
use super::table::{Table, piece};
use crate::commands::config::Configuration;
use crate::settings::Source;

impl Draw for Configuration {
    fn draw(&self, page: &mut Page) {
        let mut table = Table::new(&["KEY", "VALUE", "FROM", "MEANING"], 3);
        for line in &self.settings {
            let tone = if line.source == Source::Default { Tone::Dim } else { Tone::Strong };
            table.row(vec![
                piece(Tone::Plain, line.key),
                piece(tone, line.value.to_string()),
                piece(tone, line.source.to_string()),
                piece(Tone::Dim, line.meaning),
            ]);
        }
        table.draw(page);
        match (&self.file, self.file_exists) {
            (Some(file), true) => page.put_foreign(Tone::Dim, &format!("file: {file}")).end(),
            (Some(file), false) => page.put_foreign(Tone::Dim, &format!("file: {file} (not there)")).end(),
            (None, _) => page.put(Tone::Dim, "file: none, because HOME is not set").end(),
        };
    }
}
