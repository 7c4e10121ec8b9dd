//! `doctor` for people.

use super::Draw;
use super::page::{Page, Tone};
use super::words::count;
use crate::commands::doctor::{Check, Diagnosis, Status};

/// Where details begin.
const INDENT: usize = 27;

impl Draw for Diagnosis {
    fn draw(&self, page: &mut Page) {
        for mended in &self.mended {
            entry(Tone::Good, "mended", mended.check, &mended.detail, page);
        }
        for check in &self.checks {
            line(check, page);
        }
        let summary = &self.summary;
        let parts = [
            format!("{} ok", summary.ok),
            count(summary.warnings, "warning"),
            count(summary.problems, "problem"),
            format!("{} not checked", summary.not_checked),
        ];
        page.put(Tone::Dim, &parts.join(", ")).end();
    }
}

fn line(check: &Check, page: &mut Page) {
    let tone = match check.status {
        Status::Ok => Tone::Good,
        Status::Warning => Tone::Warning,
        Status::Problem => Tone::Bad,
        Status::NotChecked => Tone::Dim,
    };
    entry(tone, check.status.as_str(), check.check, &check.detail, page);
    if let Some(hint) = &check.hint {
        // Not broken: it is a line to type.
        page.put(Tone::Strong, &format!("{:<INDENT$}hint", ""));
        page.put_foreign(Tone::Plain, &format!(": {hint}")).end();
    }
}

fn entry(tone: Tone, word: &str, check: &str, detail: &str, page: &mut Page) {
    page.put(tone, &format!("{word:<12}")).put(Tone::Plain, &format!("{check:<14} "));
    page.put_wrapped(Tone::Plain, detail, INDENT).end();
}
