//! `send` for people.

use super::Draw;
use super::ack::too_late;
use super::page::{Page, Tone};
use super::tasks::named_standing;
use super::words::count;
use crate::commands::send::Sent;

impl Draw for Sent {
    fn draw(&self, page: &mut Page) {
        self.deliveries(page);
        if let Some(late) = &self.late {
            too_late(late, page);
        }
        self.tasks.iter().for_each(|task| named_standing(task, page));
    }
}

impl Sent {
    fn deliveries(&self, page: &mut Page) {
        let done = if self.duplicate { "sent before" } else { "sent" };
        let tone = if self.duplicate { Tone::Warning } else { Tone::Good };
        let required = if self.message.requires_ack { ", ack required" } else { "" };
        let about = format!("{}, {}{required}", self.message.category, count(self.body_bytes, "byte"));
        match &self.broadcast {
            None => {
                let text = format!(" {} to {} ({about})", self.message.message_id, self.message.to_agent);
                page.put(tone, done).put_foreign(Tone::Plain, &text).end();
            }
            Some(broadcast) => {
                let text =
                    format!(" {} as {} ({about})", count(broadcast.messages.len(), "message"), broadcast.id);
                page.put(tone, done).put_foreign(Tone::Plain, &text).end();
                for delivery in &broadcast.messages {
                    page.put_foreign(
                        Tone::Plain,
                        &format!("  {} to {}", delivery.message_id, delivery.to_agent),
                    )
                    .end();
                }
            }
        }
    }
}
