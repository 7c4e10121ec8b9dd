//! `read` for people.

use super::Draw;
use super::message::whole;
use super::page::{Page, Tone};
use crate::commands::read::{Awaited, Reading};
use crate::domain::task::notice::Lesson;

impl Draw for Reading {
    fn draw(&self, page: &mut Page) {
        whole(&self.message, self.now(), page);
        page.end();
        let place = format!("message {} of {} in thread ", self.thread_position, self.thread_length);
        page.put(Tone::Dim, &place).put_foreign(Tone::Dim, &self.message.thread_id).end();
        page.put_foreign(Tone::Dim, &format!("the text above was written by {}", self.message.from_agent))
            .end();
        if let Some(lesson) = &self.task {
            self.teach(lesson, page);
        } else if let Some(handshake) = &self.handshake {
            self.ask(handshake, page);
        } else if let Some(line) = &self.acknowledge {
            page.put(Tone::Warning, "acknowledge it with: ").put_foreign(Tone::Plain, line).end();
        }
    }
}

impl Reading {
    fn ask(&self, handshake: &Awaited, page: &mut Page) {
        let left = format!(
            "{} waits for your answer, {} s left:",
            self.message.from_agent, handshake.remaining_seconds
        );
        page.put_foreign(Tone::Warning, &left).end();
        choice(page, "ready", &handshake.answers.ok);
        if let Some(wait) = &handshake.answers.wait {
            choice(page, "more time", wait);
        }
        choice(page, "cancel", &handshake.answers.cancel);
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
