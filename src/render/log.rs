//! `log` and `tick` for people.

use serde_json::Value;

use super::Draw;
use super::page::{Page, Tone};
use super::tasks::named_standing;
use super::words::count;
use crate::commands::log::Log;
use crate::commands::tick::Ticked;
use crate::domain::event::Event;

impl Draw for Log {
    fn draw(&self, page: &mut Page) {
        if self.events.is_empty() {
            page.line("nothing happened");
        }
        for event in &self.events {
            entry(event, page);
        }
    }
}

/// One event; what it recorded for people, else its fields.
pub(super) fn entry(event: &Event, page: &mut Page) {
    if let Some(audit) = event.data.get("audit").and_then(Value::as_str) {
        page.put_foreign(Tone::Warning, audit).end();
    }
    let lines: Vec<&str> = match event.data.get("lines").and_then(Value::as_array) {
        Some(lines) => lines.iter().filter_map(Value::as_str).collect(),
        None => event.data.get("line").and_then(Value::as_str).into_iter().collect(),
    };
    if lines.is_empty() {
        head(event, page);
        let details = if event.data.is_null() { String::new() } else { event.data.to_string() };
        page.put_foreign(Tone::Dim, &details).end();
    }
    for line in lines {
        head(event, page);
        page.put_foreign(Tone::Plain, line).end();
    }
}

fn head(event: &Event, page: &mut Page) {
    page.put(Tone::Dim, &format!("[{}] ", event.at));
    page.put_foreign(Tone::Strong, &event.event).put(Tone::Plain, " ");
    let agent = event.agent.as_ref().map_or("-", |agent| agent.as_str());
    page.put_foreign(Tone::Plain, agent).put(Tone::Plain, " ");
    if let Some(about) = event.about.as_deref().filter(|about| *about != agent) {
        page.put_foreign(Tone::Plain, about).put(Tone::Plain, " ");
    }
}

impl Draw for Ticked {
    fn draw(&self, page: &mut Page) {
        page.line(&format!(
            "{} open, {} advanced, {} ended",
            count(self.looked_at, "handshake"),
            self.advanced.len(),
            self.ended.len()
        ));
        for ended in &self.ended {
            page.put_foreign(Tone::Plain, &format!("{} ended: {}", ended.operation_id, ended.outcome)).end();
        }
        for task in &self.tasks {
            page.put(Tone::Plain, "looked after ");
            named_standing(task, page);
        }
        if let Some(due) = self.next_due_at {
            page.put(Tone::Dim, &format!("next step due at {due}")).end();
        }
    }
}
