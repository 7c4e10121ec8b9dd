//! `import` for people.

use super::Draw;
use super::page::{Page, Tone};
use crate::commands::import::{Imported, Skipped};

/// How many skipped things of a kind are shown; JSON has them all.
const SHOWN: usize = 10;

impl Draw for Imported {
    fn draw(&self, page: &mut Page) {
        let done = if self.dry_run { "would import" } else { "imported" };
        page.put(Tone::Good, done).put_foreign(Tone::Plain, &format!(" from {}", self.source)).end();
        let (agents, messages) = (&self.agents, &self.messages);
        let derived = match agents.derived {
            0 => String::new(),
            derived => format!(" ({derived} named only by messages and reservations)"),
        };
        page.field(
            "agents",
            &format!("{} new{derived}, {} already there", agents.imported, agents.already_there),
        );
        skipped(&agents.skipped, page);
        page.field(
            "messages",
            &format!(
                "{} new, {} moved on, {} already there",
                messages.imported, messages.advanced, messages.already_there
            ),
        );
        skipped(&messages.skipped, page);
        page.field(
            "reserved",
            &format!("{} new, {} already there", self.reservations.imported, self.reservations.already_there),
        );
        skipped(&self.reservations.skipped, page);
    }
}

fn skipped(skipped: &[Skipped], page: &mut Page) {
    for it in skipped.iter().take(SHOWN) {
        let line = it.line.map(|line| format!(":{line}")).unwrap_or_default();
        page.put(Tone::Warning, "  skipped ");
        page.put_foreign(Tone::Plain, &format!("{}{line}: {}", it.file, it.reason)).end();
    }
    if skipped.len() > SHOWN {
        page.put(Tone::Dim, &format!("  and {} more; --json lists them all", skipped.len() - SHOWN)).end();
    }
}
