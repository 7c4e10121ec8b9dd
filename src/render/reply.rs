//! `reply` for people.

use super::Draw;
use super::ack::too_late;
use super::page::{Page, Tone};
use super::tasks::named_standing;
use crate::commands::reply::{MoreTime, Replied};
use crate::domain::reply::Verdict;

impl Draw for Replied {
    fn draw(&self, page: &mut Page) {
        let (tone, done) =
            if self.duplicate { (Tone::Warning, "replied before") } else { (Tone::Good, "replied") };
        page.put(tone, done);
        page.put_foreign(Tone::Plain, &format!(" {} to {}", self.message.message_id, self.message.to_agent));
        if self.verdict != Verdict::Other {
            page.put(Tone::Plain, &format!(": {}", self.verdict));
        }
        page.end();
        if let Some(time) = &self.time {
            more_time(time, page);
        }
        if let Some(late) = &self.late {
            too_late(late, page);
        }
        self.tasks.iter().for_each(|task| named_standing(task, page));
        if self.answered.still_needs_ack {
            let text = format!("{} still needs your ack", self.answered.message_id);
            page.put_foreign(Tone::Warning, &text).end();
        }
    }
}

fn more_time(time: &MoreTime, page: &mut Page) {
    let MoreTime { granted_seconds, deadline, remaining_seconds } = time;
    match granted_seconds {
        0 => page.put(Tone::Warning, &format!("no more time: {remaining_seconds} s left")).end(),
        more => page.line(&format!("{more} s more, until {} UTC", deadline.format("%H:%M:%S"))),
    };
}
