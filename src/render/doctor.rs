//! `doctor` for people.

use super::Draw;
use super::page::{Page, Tone};
use super::words::count;
use crate::commands::doctor::{Check, Diagnosis, Status};

impl Draw for Diagnosis {
    fn draw(&self, page: &mut Page) {
        for mended in &self.mended {
            page.put(Tone::Good, &format!("{:<12}", "mended"));
            page.put_foreign(Tone::Plain, &format!("{:<14} {}", mended.check, mended.detail)).end();
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
    page.put(tone, &format!("{:<12}", check.status.as_str()));
    page.put_foreign(Tone::Plain, &format!("{:<14} {}", check.check, check.detail)).end();
    if let Some(hint) = &check.hint {
        page.put(Tone::Strong, &format!("{:<27}hint", ""))
            .put_foreign(Tone::Plain, &format!(": {hint}"))
            .end();
    }
}
