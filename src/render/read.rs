//! `read` for people.

use super::Draw;
use super::message::{answer, state};
use super::page::{Page, Tone};
use super::words::ago;
use crate::commands::read::{Answers, Awaited, Reading};
use crate::domain::message::{Priority, default_thread};
use crate::domain::task::notice::Lesson;

impl Draw for Reading {
    fn draw(&self, page: &mut Page) {
        self.head(page);
        page.end();
        page.put_foreign(Tone::Dim, &format!("{} wrote:", self.message.from_agent)).end();
        page.quote(&self.message.body).end();
        if let Some(lesson) = &self.task {
            self.teach(lesson, page);
        } else if let Some(handshake) = &self.handshake {
            self.ask(handshake, page);
        } else if let Some(line) = &self.acknowledge {
            page.put(Tone::Warning, "acknowledge it: ").put_foreign(Tone::Plain, line).end();
        }
    }
}

impl Reading {
    /// Only what its reader does not know: `show` and `--json` have all of it.
    fn head(&self, page: &mut Page) {
        let message = &self.message;
        page.put_foreign(Tone::Strong, &message.subject).end();
        page.field("id", message.message_id.as_str());
        page.field("from", &format!("{}, {}", message.from_agent, ago(message.created_at, self.now())));
        let priority = match message.priority {
            Priority::Normal => String::new(),
            priority => format!(", {priority} priority"),
        };
        let required = if message.requires_ack { ", requires an ack" } else { "" };
        page.field("category", &format!("{}{priority}{required}", message.category));
        let thread = &message.thread_id;
        page.field(
            "thread",
            &format!("{thread}, message {} of {}", self.thread_position, self.thread_length),
        );
        if let Some(bead) = message.bead_id.as_ref().filter(|bead| *thread != default_thread(bead)) {
            page.field("bead", bead);
        }
        if let Some(parent) = &message.reply_to {
            page.field("reply to", parent.as_str());
        }
        if message.read_at != Some(self.now()) {
            page.field("state", &state(message, self.now()));
        }
        answer(message, page);
    }

    fn ask(&self, handshake: &Awaited, page: &mut Page) {
        let left = format!(
            "{} waits for your answer, {} s left:",
            self.message.from_agent, handshake.remaining_seconds
        );
        page.put_foreign(Tone::Warning, &left).end();
        let Answers { ok, ask, wait, cancel } = &handshake.answers;
        // The lines that answer a handoff have little in common.
        let or_flag = |line, flag| if ask.is_some() { line } else { flag };
        choice(page, "ready", ok);
        if let Some(ask) = ask {
            choice(page, "to ask", ask);
        }
        if let Some(wait) = wait {
            choice(page, "more time", or_flag(wait.as_str(), "the same with --wait"));
        }
        choice(page, "cancel", or_flag(cancel, "the same with --cancel"));
    }

    fn teach(&self, lesson: &Lesson, page: &mut Page) {
        let left = match &self.handshake {
            Some(handshake) => format!(", {} s left", handshake.remaining_seconds),
            None => String::new(),
        };
        let head = format!("acknowledge {} before you begin{left}:", lesson.task_id);
        page.put_foreign(Tone::Warning, &head).end();
        choice(page, "with bb", &lesson.command);
        let text: Vec<_> = lesson.text_form.lines().collect();
        choice(page, "as text", text.first().unwrap_or(&""));
        text.iter().skip(1).for_each(|line| choice(page, "", line));
        choice(page, "to ask", &lesson.question);
        if let Some(wait) = self.handshake.as_ref().and_then(|handshake| handshake.answers.wait.as_ref()) {
            choice(page, "more time", wait);
        }
    }
}

fn choice(page: &mut Page, name: &str, line: &str) {
    page.put_foreign(Tone::Plain, &format!("  {name:<10} {line}")).end();
}
