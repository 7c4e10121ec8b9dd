//! `guard` for people.

use super::Draw;
use super::page::{Page, Tone};
use crate::commands::guard::{Checked, Guarded, Hook, Kept};

impl Draw for Guarded {
    fn draw(&self, page: &mut Page) {
        match self {
            Self::Hook(hook) => draw_hook(hook, page),
            Self::Checked(checked) => draw_checked(checked, page),
        }
    }
}

fn draw_hook(hook: &Hook, page: &mut Page) {
    let done = match (hook.installed, hook.changed) {
        (true, true) => "installed",
        (true, false) => "installed already",
        (false, true) => "uninstalled",
        (false, false) => "not installed",
    };
    page.put(if hook.changed { Tone::Good } else { Tone::Plain }, done);
    page.put_foreign(Tone::Plain, &format!(": {}", hook.hook)).end();
    match &hook.previous {
        Some(previous) if hook.installed => {
            page.put_foreign(Tone::Plain, &format!("the hook before it still runs: {previous}")).end();
        }
        Some(_) => {
            page.line("the hook before it is back");
        }
        None => {}
    }
}

/// A commit that touches nothing of others' passes without a word.
fn draw_checked(checked: &Checked, page: &mut Page) {
    for kept in &checked.conflicts {
        warn(kept, "is reserved by", page);
    }
    for kept in &checked.lapsed {
        warn(kept, "was reserved, and never released, by", page);
    }
}

fn warn(kept: &Kept, how: &str, page: &mut Page) {
    let reservation = &kept.reservation;
    let bead = reservation.bead_id.as_ref().map(|bead| format!(" for bead {bead}")).unwrap_or_default();
    page.put(Tone::Warning, "warning: ").put_foreign(Tone::Strong, &kept.file);
    let text = format!(
        " {how} {}{bead} until {} (scope {})",
        reservation.agent_id, reservation.expires_at, reservation.scope
    );
    page.put_foreign(Tone::Plain, &text).end();
}
