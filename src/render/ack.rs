//! `ack` for people.

use super::Draw;
use super::page::{Page, Tone};
use super::tasks::named_standing;
use crate::commands::ack::{Acked, AckedMessage};
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
    if let Some(hint) = &acked.hint {
        page.put(Tone::Strong, "hint").put(Tone::Plain, ": ").put_foreign(Tone::Plain, hint).end();
    }
}
