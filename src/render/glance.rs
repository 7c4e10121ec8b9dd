//! `bb` alone, for people.

use super::Draw;
use super::identity::{liveness_tone, state_tone};
use super::message::{priority_tone, short_id};
use super::page::{Page, Tone};
use super::table::{Table, piece};
use super::words::{count, time_left};
use crate::commands::Pair;
use crate::commands::glance::{Counts, Glance, Pressing};
use crate::domain::agent::AgentId;

impl Draw for Glance {
    fn draw(&self, page: &mut Page) {
        page.put(Tone::Strong, self.agent_id.as_str());
        match &self.agent {
            None => page.put(Tone::Warning, " is not registered").end(),
            Some(agent) => {
                page.put(Tone::Plain, " is ").put(state_tone(agent.state), agent.state.as_str());
                page.put(Tone::Plain, " and ").put(liveness_tone(agent.liveness), agent.liveness.as_str());
                page.put(Tone::Dim, &format!(", {} unread", self.unread)).end()
            }
        };
        if self.agent.is_some() {
            pending(&self.pending, page);
            messages(&self.messages, page);
            for pair in &self.waits {
                wait(pair, &self.agent_id, page);
            }
            if self.more_waits > 0 {
                page.put(Tone::Dim, &format!("{} more: bb waits", self.more_waits)).end();
            }
        }
        if let Some(next) = &self.next {
            page.put(Tone::Plain, "next: ").put_foreign(Tone::Strong, next).end();
        }
    }
}

/// How much there is to do, by priority.
fn pending(counts: &Counts, page: &mut Page) {
    if counts.total == 0 {
        page.put(Tone::Good, "nothing needs you").end();
        return;
    }
    let parts =
        [(counts.urgent, "urgent"), (counts.high, "high"), (counts.normal, "normal"), (counts.low, "low")];
    let parts: Vec<_> = parts
        .into_iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, word)| format!("{number} {word}"))
        .collect();
    let needs = if counts.total == 1 { "needs" } else { "need" };
    page.put(Tone::Plain, &format!("{} {needs} you", count(counts.total, "message")));
    if counts.overdue > 0 {
        page.put(Tone::Bad, &format!(" ({} overdue)", counts.overdue));
    }
    page.put(Tone::Plain, &format!(": {}", parts.join(", "))).end();
}

fn messages(messages: &[Pressing], page: &mut Page) {
    if messages.is_empty() {
        return;
    }
    let header = ["ID", "FROM", "CATEGORY", "PRIORITY", "SUBJECT", "AGE", "NEEDS"];
    let mut table = Table::new(&header, 4).optional(&[5, 3]);
    for message in messages {
        let (tone, needs) = match (message.overdue, message.unread, message.needs_ack) {
            (true, ..) => (Tone::Bad, "ack, overdue"),
            (_, true, true) => (Tone::Warning, "read, ack"),
            (_, false, _) => (Tone::Warning, "ack"),
            (_, true, false) => (Tone::Plain, "read"),
        };
        table.row(vec![
            piece(Tone::Plain, short_id(message.message_id.as_str())),
            piece(Tone::Plain, message.from_agent.as_str()),
            piece(Tone::Plain, message.category.as_str()),
            piece(priority_tone(message.priority), message.priority.as_str()),
            piece(Tone::Strong, &message.subject),
            piece(Tone::Dim, &message.age),
            piece(tone, needs),
        ]);
    }
    table.draw(page);
}

fn wait(pair: &Pair, me: &AgentId, page: &mut Page) {
    let name = |agent: &AgentId| if agent == me { "you".to_owned() } else { agent.to_string() };
    let tone = if pair.waits_for == *me { Tone::Warning } else { Tone::Plain };
    let verb = if pair.requester == *me { "wait" } else { "waits" };
    let who = format!("{} {verb} for {}", name(&pair.requester), name(&pair.waits_for));
    page.put_wrapped(tone, &who, 2);
    let what = format!(": {}, {}", pair.operation, time_left(pair.remaining_seconds));
    page.put_wrapped(Tone::Plain, &what, 2).end();
}
