//! `log` and `tick` for people, and the log for programs that read lines or YAML.

use serde::Serialize;
use serde_json::Value;

use super::message::short_ids;
use super::page::{Page, Tone};
use super::table::{Table, piece};
use super::tasks::named_standing;
use super::words::count;
use super::{Draw, json};
use crate::commands::log::{Format, Log};
use crate::commands::tick::Ticked;
use crate::domain::event::Event;
use crate::domain::replacement::AuditEntry;
use crate::domain::story::tell;
use crate::domain::yaml;

impl Draw for Log {
    fn draw(&self, page: &mut Page) {
        match (self.events.as_slice(), self.format) {
            ([], Format::Text) => {
                page.line("nothing happened");
            }
            ([], Format::Yaml) => {
                page.line("[]");
            }
            // What is cut to a terminal is for looking; into a file goes all of it, a line at a time.
            (events, Format::Text) if page.appearance.width.is_some() => table(events, page),
            (events, format) => written(events, format, page),
        }
    }
}

/// What happened in sentences, with the ends of ids: the whole of it is in the other formats.
fn table(events: &[Event], page: &mut Page) {
    let mut table = Table::new(&["WHEN (UTC)", "AGENT", "EVENT", "WHAT"], 3).optional(&[2]);
    for event in events {
        let mut row = |tone, what: &str| {
            table.row(vec![
                piece(Tone::Dim, event.at.format("%m-%d %H:%M:%S")),
                piece(Tone::Plain, event.agent.as_ref().map_or("-", |agent| agent.as_str())),
                piece(Tone::Dim, &event.event),
                piece(tone, short_ids(what)),
            ]);
        };
        if let Some(audit) = audit(event) {
            row(Tone::Warning, audit);
        }
        match tell(vec![event.clone()], "").as_slice() {
            [] => row(Tone::Dim, &details(&event.data)),
            steps => steps.iter().for_each(|step| row(Tone::Plain, &step.what)),
        }
    }
    table.draw(page);
}

/// Events in a format, each of which can go on with more events.
pub(super) fn written(events: &[Event], format: Format, page: &mut Page) {
    match format {
        Format::Text => events.iter().for_each(|event| entry(event, page)),
        Format::Jsonl => {
            for event in events {
                page.put(Tone::Plain, &json::text(event).unwrap_or_else(|failure| failure.message)).end();
            }
        }
        Format::Yaml => {
            let items: Vec<_> = events.iter().map(Item::of).collect();
            let text = yaml::text(&items).unwrap_or_else(|error| format!("# {error}\n"));
            page.put(Tone::Plain, &text);
        }
    }
}

/// An event in the list. A replacement stands there as its audit entry, with the keys in their order.
#[derive(Serialize)]
#[serde(untagged)]
enum Item<'a> {
    Replacement(Box<AuditEntry>),
    Event(&'a Event),
}

impl<'a> Item<'a> {
    fn of(event: &'a Event) -> Self {
        match serde_json::from_value(event.data.clone()) {
            Ok(entry) if event.event == AuditEntry::EVENT => Self::Replacement(entry),
            _ => Self::Event(event),
        }
    }
}

/// How far an event that needs several lines is indented.
const INDENT: usize = 2;

/// One event; what it recorded for people, else its fields.
fn entry(event: &Event, page: &mut Page) {
    if let Some(audit) = audit(event) {
        page.put_foreign(Tone::Warning, audit).end();
    }
    let lines = lines(event);
    if lines.is_empty() {
        head(event, page);
        let details = details(&event.data);
        if !details.is_empty() {
            page.flow(Tone::Dim, &details, INDENT);
        }
        page.end();
    }
    for line in lines {
        head(event, page);
        page.flow(Tone::Plain, line, INDENT).end();
    }
}

/// The line that an audit is looked through for.
fn audit(event: &Event) -> Option<&str> {
    event.data.get("audit").and_then(Value::as_str)
}

/// What an event recorded for people.
fn lines(event: &Event) -> Vec<&str> {
    match event.data.get("lines").and_then(Value::as_array) {
        Some(lines) => lines.iter().filter_map(Value::as_str).collect(),
        None => event.data.get("line").and_then(Value::as_str).into_iter().collect(),
    }
}

/// The fields of a record, as words.
fn details(data: &Value) -> String {
    let word = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    match data {
        Value::Null => String::new(),
        Value::Object(fields) => {
            fields.iter().map(|(name, value)| format!("{name}={}", word(value))).collect::<Vec<_>>().join(" ")
        }
        other => word(other),
    }
}

fn head(event: &Event, page: &mut Page) {
    page.put(Tone::Dim, &format!("[{}]", event.at)).flow(Tone::Strong, &event.event, INDENT);
    let agent = event.agent.as_ref().map_or("-", |agent| agent.as_str());
    page.flow(Tone::Plain, agent, INDENT);
    if let Some(about) = event.about.as_deref().filter(|about| *about != agent) {
        page.flow(Tone::Plain, about, INDENT);
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
