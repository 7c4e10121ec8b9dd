//! `ack` for people.

use super::Draw;
use super::page::{Page, Tone};
use super::tasks::named_standing;
use crate::commands::ack::{Acked, AckedMessage};
use crate::domain::age;
use crate::domain::handshake::{Late, Outcome};
use crate::domain::message::State;

impl Draw for Acked {
    fn draw(&self, page: &mut Page) {
        match self {
            Self::One(acked) => line(acked, page),
            Self::Several(all) => all.iter().for_each(|acked| line(acked, page)),
        }
    }
}

fn line(acked: &AckedMessage, page: &mut Page) {
    let message = &acked.message;
    let done = if message.state == State::Acked { "acked" } else { "answered" };
    page.put(Tone::Good, done);
    page.put_foreign(
        Tone::Plain,
        &format!(" {} from {}: {}", message.message_id, message.from_agent, message.subject),
    );
    page.end();
    if let Some(task) = &acked.task {
        named_standing(task, page);
    }
    if let Some(handoff) = &acked.handoff {
        super::handoff::standing(handoff, page);
    }
    if let Some(late) = &acked.late {
        too_late(late, page);
    }
    if let Some(warning) = &acked.warning {
        page.put_foreign(Tone::Warning, warning).end();
    }
    if let Some(hint) = &acked.hint {
        page.put(Tone::Strong, "hint").put(Tone::Plain, ": ").put_foreign(Tone::Plain, hint).end();
    }
}

/// Says that nobody waited for the answer any more, and what had become of the operation.
pub(super) fn too_late(late: &Late, page: &mut Page) {
    let by = age::short(std::time::Duration::from_secs(late.late_seconds));
    let what = match late.outcome {
        Outcome::Waiting => "your time was up; others are still waited for".to_owned(),
        outcome => {
            let outcome = outcome.as_str().replace('_', " ");
            format!(
                "the wait was over ({outcome}, {})",
                if late.proceed { "proceeded" } else { "did not proceed" }
            )
        }
    };
    page.put(Tone::Warning, &format!("late by {by}: {what}")).end();
}
