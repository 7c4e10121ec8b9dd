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
        if let Some(line) = &self.acknowledge {
            page.put(Tone::Warning, "acknowledge it with: ").put_foreign(Tone::Plain, line).end();
        }
    }
}
