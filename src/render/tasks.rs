//! Tasks for people.

use super::Draw;
use super::page::{Page, Tone, cut};
use super::table::{Table, piece};
use super::words::{ago, count};
use crate::commands::TaskReport;
use crate::commands::assign::Assigned;
use crate::commands::tasks::Tasks;
use crate::domain::task::{Task, TaskStatus, TaskView};
use crate::domain::{Timestamp, age};

/// How wide a title is in a list on a terminal.
const TITLE: usize = 32;

pub(super) const fn status_tone(status: TaskStatus) -> Tone {
    match status {
        TaskStatus::Received | TaskStatus::Confirmed | TaskStatus::Working => Tone::Good,
        TaskStatus::Assigned
        | TaskStatus::Reassigned
        | TaskStatus::Queued
        | TaskStatus::NeedsClarification => Tone::Warning,
        TaskStatus::Rejected | TaskStatus::Error | TaskStatus::Unresponsive => Tone::Bad,
        TaskStatus::Complete | TaskStatus::Cancelled => Tone::Dim,
    }
}

/// The status of a task, and whether it may begin.
pub(super) fn standing(task: &TaskView, page: &mut Page) {
    page.put(status_tone(task.status), task.status.as_str());
    match &task.reason {
        _ if task.status.is_closed() => page,
        None if task.status == TaskStatus::Working => page.put(Tone::Plain, ", may go on"),
        None => page.put(Tone::Plain, ", may begin"),
        Some(reason) => page.put_foreign(Tone::Plain, &format!(", {reason}")),
    }
    .end();
}

/// The same behind its name, for verbs that touch a task by the way.
pub(super) fn named_standing(task: &TaskView, page: &mut Page) {
    page.put_foreign(Tone::Plain, &format!("{}: ", task.task_id));
    standing(task, page);
}

impl Draw for TaskReport {
    fn draw(&self, page: &mut Page) {
        if self.duplicate {
            page.put(Tone::Warning, &format!("{} before", self.done));
        } else {
            page.put(Tone::Good, self.done);
        }
        page.put_foreign(Tone::Plain, &format!(" {}: ", self.task.task_id));
        standing(&self.task, page);
        for sent in &self.sent {
            let line = format!("  {} {} to {}", sent.kind, sent.message_id, sent.to_agent);
            page.put_foreign(Tone::Plain, &line).end();
        }
    }
}

impl Draw for Assigned {
    fn draw(&self, page: &mut Page) {
        self.report.draw(page);
        page.put(Tone::Plain, "wait for the answer with: ").put_foreign(Tone::Strong, &self.wait).end();
    }
}

impl Draw for Tasks {
    fn draw(&self, page: &mut Page) {
        if let Some(task) = &self.seen.one {
            return whole(task, self.seen.now, page);
        }
        if self.tasks.is_empty() {
            page.line("no tasks");
            return;
        }
        let mut table = Table::new(&["TASK", "STATUS", "AGENT", "FROM", "TITLE", "AGE", "MAY BEGIN"], 6)
            .optional(&[3, 5]);
        for task in &self.tasks {
            let (tone, begin) = match &task.reason {
                _ if task.status.is_closed() => (Tone::Dim, "-".to_owned()),
                None => (Tone::Good, "yes".to_owned()),
                Some(reason) => (Tone::Plain, format!("no: {reason}")),
            };
            let title =
                if page.appearance.width.is_some() { cut(&task.title, TITLE) } else { task.title.clone() };
            table.row(vec![
                piece(Tone::Strong, task.task_id.as_str()),
                piece(status_tone(task.status), task.status.as_str()),
                piece(Tone::Plain, task.agent.as_str()),
                piece(Tone::Plain, task.delegated_by.as_str()),
                piece(Tone::Plain, title),
                piece(Tone::Dim, age::short(self.seen.now.since(task.assigned_at))),
                piece(tone, begin),
            ]);
        }
        table.draw(page);
        let more =
            if self.seen.more { ", there may be more: narrow it with --agent or --status" } else { "" };
        page.put(Tone::Dim, &format!("{}{more}", count(self.tasks.len(), "task"))).end();
    }
}

/// Everything that is known about one task.
fn whole(task: &Task, now: Timestamp, page: &mut Page) {
    page.put_foreign(Tone::Strong, task.task_id.as_str()).put(Tone::Plain, "  ");
    standing(&task.view(now), page);
    page.field("title", &task.title);
    page.field("agent", &format!("{}, delegated by {}", task.agent, task.delegated_by));
    if !task.former_agents.is_empty() {
        let names: Vec<_> = task.former_agents.iter().map(|agent| agent.as_str()).collect();
        page.field("before", &names.join(", "));
    }
    page.field("uuid", &task.task_uuid);
    page.field("assigned", &format!("{} ({})", task.assigned_at, ago(task.assigned_at, now)));
    for (name, text) in [
        ("understood", &task.understanding),
        ("note", &task.note),
        ("rejected", &task.rejection),
        ("summary", &task.summary),
    ] {
        if let Some(text) = text {
            page.field(name, text);
        }
    }
    if let Some(error) = &task.error {
        page.field("error", &format!("{}: {}", error.code, error.message));
        page.field("next", &error.advice());
    }
    for (number, question) in (1..).zip(&task.questions) {
        page.field("question", &format!("{number}. {question}"));
        if let Some(answer) = task.answers.get(number - 1) {
            page.field("answer", answer);
        }
    }
    for view in task.view(now).checkpoints {
        let done = match (&view.summary, view.completed_at) {
            (Some(summary), Some(at)) => format!("done {}: {summary}", ago(at, now)),
            _ => format!("planned: {}", view.planned.as_deref().unwrap_or_default()),
        };
        page.field("checkpoint", &format!("{} {done}", view.checkpoint));
    }
    for item in task.checklist() {
        let mark = if item.done { "[x]" } else { "[ ]" };
        page.put_foreign(Tone::Plain, &format!("{mark} {}", item.item)).end();
    }
}
