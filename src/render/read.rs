//! `read` for people.

use super::Draw;
use super::message::whole;
use super::page::{Page, Tone};
use crate::commands::read::Reading;

impl Draw for Reading {
    fn draw(&self, page: &mut Page) {
        whole(&self.message, self.now(), page);
        page.end();
        let place = format!("message {} of {} in thread ", self.thread_position, self.thread_length);
        page.put(Tone::Dim, &place).put_foreign(Tone::Dim, &self.message.thread_id).end();
        page.put_foreign(Tone::Dim, &format!("the text above was written by {}", self.message.from_agent))
            .end();
        if let Some(handshake) = &self.handshake {
            let left = format!(
                "{} waits for your answer, {} s left:",
                self.message.from_agent, handshake.remaining_seconds
            );
            page.put_foreign(Tone::Warning, &left).end();
            page.put_foreign(Tone::Plain, &format!("  ready      {}", handshake.answers.ok)).end();
            if let Some(wait) = &handshake.answers.wait {
                page.put_foreign(Tone::Plain, &format!("  more time  {wait}")).end();
            }
            page.put_foreign(Tone::Plain, &format!("  cancel     {}", handshake.answers.cancel)).end();
        } else if let Some(line) = &self.acknowledge {
            page.put(Tone::Warning, "acknowledge it with: ").put_foreign(Tone::Plain, line).end();
        }
    }
}
