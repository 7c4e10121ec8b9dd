//! `archive` for people.

use super::Draw;
use super::page::{Page, Tone};
use super::words::count;
use crate::commands::archive::{Archived, Written};

impl Draw for Archived {
    fn draw(&self, page: &mut Page) {
        let moved = match (self.events, self.dry_run) {
            (0, _) => format!("nothing is closed and older than {}", self.before),
            (events, true) => format!("would move {} from before {}", number(events), self.before),
            (events, false) => format!("moved {} from before {}", number(events), self.before),
        };
        page.line(&moved);
        for Written { path, file } in &self.files {
            let what = format!("{path}: {}, {} bytes", number(file.events), file.bytes);
            page.put_foreign(Tone::Plain, &what).end();
        }
        let stay = if self.dry_run { "would stay" } else { "stay" };
        page.put(Tone::Dim, &format!("{} {stay} in the store", number(self.left))).end();
    }
}

fn number(events: u64) -> String {
    count(usize::try_from(events).unwrap_or(usize::MAX), "event")
}
