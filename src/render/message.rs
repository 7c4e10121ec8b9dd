//! Parts of messages that several verbs draw.

use super::page::{Page, Tone};
use super::words::ago;
use crate::domain::Timestamp;
use crate::domain::mailbox::{is_overdue, needs_ack};
use crate::domain::message::{Message, Priority, State};

pub(super) use crate::domain::message::short_id;

/// A sentence with the ends of ids instead of ids.
pub(super) fn short_ids(sentence: &str) -> String {
    let is_id = |word: &str| ["msg_", "op_", "bc_", "res_"].iter().any(|kind| word.starts_with(kind));
    let short = |word: &str| if is_id(word) { short_id(word).to_owned() } else { word.to_owned() };
    sentence.split(' ').map(short).collect::<Vec<_>>().join(" ")
}

/// What a message still needs from its recipient.
pub(super) fn needs(message: &Message, now: Timestamp) -> (Tone, &'static str) {
    match (message.state == State::Unread, needs_ack(message), is_overdue(message, now)) {
        (_, _, true) => (Tone::Bad, "ack, overdue"),
        (true, true, _) => (Tone::Warning, "read, ack"),
        (false, true, _) => (Tone::Warning, "ack"),
        (true, false, _) => (Tone::Plain, "read"),
        (false, false, _) => (Tone::Dim, "-"),
    }
}

/// How a priority stands out.
pub(super) const fn priority_tone(priority: Priority) -> Tone {
    match priority {
        Priority::Urgent => Tone::Bad,
        Priority::High => Tone::Warning,
        Priority::Normal => Tone::Plain,
        Priority::Low => Tone::Dim,
    }
}

/// The head of a message and its quoted body.
pub(super) fn whole(message: &Message, now: Timestamp, page: &mut Page) {
    page.put_foreign(Tone::Strong, &message.subject).end();
    page.field("id", message.message_id.as_str());
    page.field("from", message.from_agent.as_str());
    page.field("to", message.to_agent.as_str());
    let required = if message.requires_ack { ", requires an ack" } else { "" };
    page.field("category", &format!("{}, {} priority{required}", message.category, message.priority));
    if let Some(bead) = &message.bead_id {
        page.field("bead", bead);
    }
    if let Some(parent) = &message.reply_to {
        page.field("reply to", parent.as_str());
    }
    page.field("sent", &format!("{} ({})", message.created_at, ago(message.created_at, now)));
    page.field("state", &state(message, now));
    answer(message, page);
    page.end();
    page.quote(&message.body);
}

/// What the recipient answered.
pub(super) fn answer(message: &Message, page: &mut Page) {
    if let Some(response) = &message.response {
        let notes = response.notes.as_ref().map(|notes| format!(" ({notes})")).unwrap_or_default();
        page.field("answer", &format!("{}: {}{notes}", response.verdict, response.message));
    }
}

/// How far it has come, and since when.
pub(super) fn state(message: &Message, now: Timestamp) -> String {
    match (message.acked_at, message.read_at) {
        (Some(at), _) | (None, Some(at)) => format!("{}, {}", message.state, ago(at, now)),
        (None, None) => message.state.to_string(),
    }
}
