//! Handoffs for people.

use super::Draw;
use super::page::{Page, Tone};
use super::table::{Table, piece};
use super::words::{ago, count};
use crate::commands::HandoffReport;
use crate::commands::Reach;
use crate::commands::clarify::Clarified;
use crate::commands::replace::{Replaced, Replacements, Replacing};
use crate::commands::verify_ack::Verified;
use crate::domain::age;
use crate::domain::handoff::{Check, HandoffView, Outcome, Step};
use crate::domain::message::State;
use crate::domain::replacement::Group;

fn tone(outcome: Option<Outcome>, step: Step) -> Tone {
    match (outcome, step) {
        (Some(Outcome::Success), _) => Tone::Good,
        (Some(_), _) => Tone::Bad,
        (None, Step::Superseded) => Tone::Dim,
        (None, _) => Tone::Warning,
    }
}

/// Who hands what to whom, and where it stands.
pub(super) fn standing(handoff: &HandoffView, page: &mut Page) {
    let tone = tone(handoff.outcome, handoff.step);
    let names =
        format!("{}: {} to {}: ", handoff.handoff_id, handoff.failed_agent.id, handoff.replacement_agent.id);
    page.put_foreign(Tone::Plain, &names);
    if let Some(outcome) = handoff.outcome {
        page.put(tone, outcome.as_str()).put(Tone::Plain, ", ");
    }
    page.put(tone, &handoff.replacement_status).end();
}

fn warnings(lines: &[String], page: &mut Page) {
    for line in lines {
        page.put(Tone::Warning, "warning").put(Tone::Plain, ": ").put_foreign(Tone::Plain, line).end();
    }
}

impl Draw for HandoffReport {
    fn draw(&self, page: &mut Page) {
        page.put(Tone::Good, self.done).put(Tone::Plain, " ");
        standing(&self.handoff, page);
        let tasks: Vec<_> = self.handoff.tasks.iter().map(|task| task.task_id.as_str()).collect();
        page.field("tasks", &tasks.join(", "));
        page.field("document", self.handoff.url.as_deref().unwrap_or("-"));
        if let Some(id) = &self.handoff.message_id {
            page.field("notice", &format!("{id}, answer within {}", self.handoff.ack_required_within));
        }
        warnings(&self.warnings, page);
        page.put(Tone::Plain, "wait for the answer with: ").put_foreign(Tone::Strong, &self.wait).end();
    }
}

impl Draw for Clarified {
    fn draw(&self, page: &mut Page) {
        match self {
            Self::Task(report) => report.draw(page),
            Self::Handoff(report) => report.draw(page),
        }
    }
}

fn check(check: &Check, page: &mut Page) {
    let (tone, mark) = if check.passed { (Tone::Good, "ok  ") } else { (Tone::Bad, "FAIL") };
    page.put(tone, mark).put(Tone::Plain, " ").put(Tone::Strong, &format!("{:<14}", check.check.as_str()));
    page.put_foreign(Tone::Plain, &check.detail).end();
    if let Some(advice) = &check.advice {
        page.put_foreign(Tone::Dim, &format!("     {advice}")).end();
    }
}

impl Draw for Verified {
    fn draw(&self, page: &mut Page) {
        self.verification.checks.iter().for_each(|it| check(it, page));
        if let Some(understanding) = &self.understanding {
            page.put(Tone::Plain, "It understood:").end();
            page.quote(understanding);
        }
        if let Some(id) = &self.correction {
            page.put_foreign(Tone::Plain, &format!("asked for a new acknowledgment: {id}")).end();
        }
        let tone = if self.verification.valid { Tone::Good } else { Tone::Bad };
        page.put_foreign(tone, &self.verification.message).end();
    }
}

fn group(group: &Group, page: &mut Page) {
    page.put(Tone::Strong, &group.group).end();
    for item in &group.items {
        let (tone, mark) = if item.done { (Tone::Good, "  [x] ") } else { (Tone::Warning, "  [ ] ") };
        page.put(tone, mark).put(Tone::Plain, &item.item);
        if let Some(detail) = &item.detail {
            page.put_foreign(Tone::Dim, &format!(" ({detail})"));
        }
        page.end();
    }
}

/// Where the replacement is, whether it lives, and how far its notice has come.
fn reach(reach: &Reach, page: &mut Page) {
    let session = reach
        .session
        .as_deref()
        .map_or_else(|| "no session on record".to_owned(), |session| format!("session {session}"));
    let notice = reach.notice.map_or("not sent", State::as_str);
    let seen = ago(reach.last_seen, reach.now);
    let line = format!(
        "{} ({session}), {}, {}, last seen {seen}; notice {notice}",
        reach.agent, reach.state, reach.liveness
    );
    page.field("to", &line);
    if let Some(why) = &reach.diagnosis {
        page.field("silent", why);
    }
    if let Some(next) = &reach.next {
        page.field("look at", next);
    }
}

impl Draw for Replacing {
    fn draw(&self, page: &mut Page) {
        match self {
            Self::One(replaced) => replaced.draw(page),
            Self::All(replacements) => replacements.draw(page),
        }
    }
}

impl Draw for Replacements {
    fn draw(&self, page: &mut Page) {
        if self.handoffs.is_empty() {
            page.line("no replacements");
            return;
        }
        let mut table =
            Table::new(&["ID", "FAILED", "REPLACEMENT", "STEP", "AGE", "TASKS"], 5).optional(&[4]);
        for line in &self.handoffs {
            let tasks: Vec<_> = line.tasks.iter().map(|task| task.as_str()).collect();
            let stands = match line.outcome {
                Some(outcome) => format!("{outcome}, {}", line.replacement_status),
                None => line.replacement_status.clone(),
            };
            table.row(vec![
                piece(Tone::Strong, line.handoff_id.as_str()),
                piece(Tone::Plain, line.failed_agent.as_str()),
                piece(Tone::Plain, line.replacement_agent.as_str()),
                piece(tone(line.outcome, line.step), stands),
                piece(Tone::Dim, age::short(self.now.since(line.begun_at))),
                piece(Tone::Plain, tasks.join(", ")),
            ]);
        }
        table.draw(page);
        page.put(Tone::Dim, &count(self.handoffs.len(), "replacement")).end();
    }
}

impl Draw for Replaced {
    fn draw(&self, page: &mut Page) {
        standing(&self.handoff, page);
        if self.is_status {
            reach(&self.delivery, page);
            warnings(&self.warnings, page);
            self.checklists.iter().for_each(|it| group(it, page));
            next(self, page);
            return;
        }
        warnings(&self.warnings, page);
        if let Some(verification) = self.verification.as_ref().filter(|it| !it.valid) {
            verification.checks.iter().for_each(|it| check(it, page));
        }
        next(self, page);
    }
}

fn next(replaced: &Replaced, page: &mut Page) {
    let Some(command) = &replaced.next else { return };
    match replaced.next_for.as_ref().filter(|agent| **agent != replaced.handoff.orchestrator) {
        Some(agent) => page.put_foreign(Tone::Plain, &format!("next, for {agent}: ")),
        None => page.put(Tone::Plain, "next: "),
    };
    page.put_foreign(Tone::Strong, command).end();
}
