//! `thread` for people.

use super::Draw;
use super::message::{needs, short_id};
use super::page::{Page, Tone};
use super::words::{ago, count};
use crate::commands::thread::Thread;

impl Draw for Thread {
    fn draw(&self, page: &mut Page) {
        page.put_foreign(Tone::Strong, &self.thread_id);
        page.put(Tone::Dim, &format!(", {}", count(self.messages.len(), "message"))).end();
        for message in &self.messages {
            page.end();
            let (tone, needs) = needs(message, self.now);
            page.put(Tone::Strong, message.from_agent.as_str());
            page.flow(Tone::Strong, &format!("→ {}", message.to_agent), 2);
            if page.has_room_for(&format!("  {}", message.subject)) {
                page.put(Tone::Plain, "  ");
            } else {
                page.end();
            }
            page.put_wrapped(Tone::Plain, &message.subject, 0).end();
            let details = format!(
                "{}  {}  {}  {}  needs: ",
                short_id(message.message_id.as_str()),
                message.category,
                message.state,
                ago(message.created_at, self.now)
            );
            page.put_foreign(Tone::Dim, &details).put(tone, needs).end();
            if let Some(response) = message.response.as_ref().filter(|response| response.message_id.is_none())
            {
                let notes = response.notes.as_deref().unwrap_or("");
                page.put_foreign(Tone::Dim, &format!("answer: {} {notes}", response.message)).end();
            }
            page.quote(&message.body);
        }
    }
}
