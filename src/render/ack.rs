//! `ack` for people.

use super::Draw;
use super::page::{Page, Tone};
use crate::commands::ack::Acked;
use crate::domain::message::Message;

impl Draw for Acked {
    fn draw(&self, page: &mut Page) {
        match self {
            Self::One(message) => line(message, page),
            Self::Several(messages) => messages.iter().for_each(|message| line(message, page)),
        }
    }
}

fn line(message: &Message, page: &mut Page) {
    page.put(Tone::Good, "acked");
    page.put_foreign(
        Tone::Plain,
        &format!(" {} from {}: {}", message.message_id, message.from_agent, message.subject),
    );
    page.end();
}
