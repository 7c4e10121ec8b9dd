//! `inbox` for people.

use super::message::{needs, priority_tone, short_id};
use super::page::{Page, Tone};
use super::table::{Table, piece};
use super::words::count;
use super::{Draw, sanitize};
use crate::commands::inbox::{Brief, Inbox, Listed, Paged};
use crate::domain::message::{Message, Priority, State};
use crate::domain::{Timestamp, age};

impl Draw for Inbox {
    fn draw(&self, page: &mut Page) {
        let now = self.owner.now;
        match &self.listed {
            Listed::Messages(messages) | Listed::Page(Paged { messages, .. }) if !messages.is_empty() => {
                table(messages, now, page);
                foot(messages, now, page);
            }
            Listed::Brief(briefs) | Listed::BriefPage(Paged { messages: briefs, .. })
                if !briefs.is_empty() =>
            {
                brief(briefs, page);
            }
            _ => {
                page.line(&format!("no messages for {}", self.owner.id()));
            }
        }
        if let Listed::Page(Paged { next_cursor, .. }) | Listed::BriefPage(Paged { next_cursor, .. }) =
            &self.listed
        {
            page.line(&format!("next cursor: {next_cursor}"));
        } else if self.owner.more {
            let raise = if self.owner.at_most { "" } else { "raise --limit, or " };
            page.put(Tone::Dim, &format!("there may be more: {raise}page with --after 0")).end();
        }
    }
}

fn table(messages: &[Message], now: Timestamp, page: &mut Page) {
    // What NEEDS says tells the state too, and a priority that all of them have tells nothing.
    let is_usual = messages.iter().all(|message| message.priority == Priority::Normal);
    let optional: &[usize] = if is_usual { &[4, 0, 6] } else { &[0, 6, 4] };
    let header = ["STATE", "ID", "FROM", "CATEGORY", "PRIORITY", "SUBJECT", "AGE", "NEEDS"];
    let mut table = Table::new(&header, 5).optional(optional);
    for message in messages {
        let (needs_tone, needs) = needs(message, now);
        let state_tone = if message.state == State::Unread { Tone::Strong } else { Tone::Dim };
        table.row(vec![
            piece(state_tone, message.state.as_str()),
            piece(Tone::Plain, short_id(message.message_id.as_str())),
            piece(Tone::Plain, message.from_agent.as_str()),
            piece(Tone::Plain, message.category.as_str()),
            piece(priority_tone(message.priority), message.priority.as_str()),
            piece(state_tone, &message.subject),
            piece(Tone::Dim, age::short(now.since(message.created_at))),
            piece(needs_tone, needs),
        ]);
    }
    table.draw(page);
}

fn foot(messages: &[Message], now: Timestamp, page: &mut Page) {
    let unread = messages.iter().filter(|message| message.state == State::Unread).count();
    let acks = messages.iter().filter(|message| crate::domain::mailbox::needs_ack(message)).count();
    let overdue = messages.iter().filter(|message| crate::domain::mailbox::is_overdue(message, now)).count();
    let mut parts = vec![count(messages.len(), "message"), format!("{unread} unread")];
    if acks > 0 {
        parts.push(format!("{acks} waiting for your ack"));
    }
    if overdue > 0 {
        parts.push(format!("{overdue} overdue"));
    }
    page.put(Tone::Dim, &parts.join(", ")).end();
}

fn brief(briefs: &[Brief], page: &mut Page) {
    let mut table = Table::new(&["ID", "FROM", "CATEGORY", "SUBJECT", "AGE"], 3).optional(&[4]);
    for brief in briefs {
        table.row(vec![
            piece(Tone::Plain, short_id(brief.message_id.as_str())),
            piece(Tone::Plain, brief.from_agent.as_str()),
            piece(Tone::Plain, brief.category.as_str()),
            piece(Tone::Strong, &brief.subject),
            piece(Tone::Dim, &brief.age),
        ]);
    }
    table.draw(page);
}

/// One line for a message that just arrived.
pub(super) fn arrival(message: &Message, page: &mut Page) {
    let head =
        format!("{}  {}  {}", message.created_at, short_id(message.message_id.as_str()), message.from_agent);
    page.put(Tone::Dim, &sanitize::line(&head)).put(Tone::Plain, "  ");
    page.put(priority_tone(message.priority), message.category.as_str()).put(Tone::Plain, "  ");
    page.put_foreign(Tone::Strong, &message.subject).end();
}
