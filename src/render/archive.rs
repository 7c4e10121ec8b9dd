//! `archive` for people.

use super::Draw;
use super::page::{Page, Tone};
use super::words::count;
use crate::commands::archive::{Archived, Written};

impl Draw for Archived {
    fn draw(&self, page: &mut Page) {
        let number = usize::try_from(self.events).unwrap_or(usize::MAX);
        let events = count(number, "event");
        match (self.events, self.dry_run) {
            (0, _) => page.line(&format!("nothing is closed and older than {}", self.before)),
            (_, true) => page.line(&format!("would move {events} from before {}", self.before)),
            (_, false) => page.line(&format!("moved {events} from before {}", self.before)),
        };
        for Written { path, file } in &self.files {
            let events = count(usize::try_from(file.events).unwrap_or(usize::MAX), "event");
            page.put_foreign(Tone::Plain, &format!("{path}: {events}, {} bytes", file.bytes)).end();
        }
        let left = count(usize::try_from(self.left).unwrap_or(usize::MAX), "event");
        let stay = if self.dry_run { "would stay" } else { "stay" };
        page.put(Tone::Dim, &format!("{left} {stay} in the store")).end();
    }
}
