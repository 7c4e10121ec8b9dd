//! `wait-ack` and `waits` for people.

use super::Draw;
use super::page::{Page, Tone};
use super::table::{Table, piece};
use super::tasks::named_standing;
use super::words::{ago, count, seconds_left};
use crate::commands::wait_ack::{AgentLine, Waited};
use crate::commands::waits::{Wait, Waits};
use crate::domain::Timestamp;
use crate::domain::handshake::{Outcome, Status};

const fn outcome_tone(outcome: Outcome, proceed: bool) -> Tone {
    match (outcome, proceed) {
        (Outcome::Acknowledged | Outcome::Quorum, _) => Tone::Good,
        (Outcome::Waiting, _) | (_, true) => Tone::Warning,
        (_, false) => Tone::Bad,
    }
}

const fn status_tone(status: Status) -> Tone {
    match status {
        Status::Ready | Status::Queued => Tone::Good,
        Status::Waiting | Status::NeedsTime => Tone::Warning,
        _ => Tone::Bad,
    }
}

impl Draw for Waited {
    fn draw(&self, page: &mut Page) {
        page.put(outcome_tone(self.outcome, self.proceed), self.outcome.as_str());
        let verdict = match (self.outcome, self.proceed) {
            (Outcome::Waiting, _) => "still waiting",
            (_, true) => "proceed",
            (_, false) => "do not proceed",
        };
        page.put_foreign(
            Tone::Plain,
            &format!(": {verdict} with {} after {} s", self.operation, self.elapsed_seconds),
        );
        page.put(Tone::Dim, &format!(", {} ", count(self.reminders_sent, "reminder")));
        page.put_foreign(Tone::Dim, &self.operation_id).end();
        if let Some(quorum) = &self.quorum {
            page.line(&format!("quorum: {} agreed, {} needed", quorum.agreed, quorum.needed));
        }
        self.agents.iter().for_each(|agent| answer(agent, self.now, page));
        if let Some(task) = &self.task {
            named_standing(task, page);
            for (number, question) in (1..).zip(&task.questions) {
                page.put_foreign(Tone::Plain, &format!("  {number}. {question}")).end();
            }
        }
        if let Some(advice) = &self.advice {
            page.put(Tone::Plain, "next: ").put_foreign(Tone::Strong, advice).end();
        }
        if let Some(at) = self.retry_at {
            page.line(&format!("asked again at {at}"));
        }
        match self.command_exit {
            Some(code @ 1..) => page.line(&format!("the command exited with {code}")),
            None if self.command_pending => page.line("the command has not ended yet"),
            _ => page,
        };
        if let Some(resume) = &self.resume {
            page.put(Tone::Plain, "go on with: ").put_foreign(Tone::Strong, resume).end();
        }
    }
}

/// What one agent answered, or why it probably did not.
fn answer(agent: &AgentLine, now: Timestamp, page: &mut Page) {
    page.put_foreign(Tone::Strong, agent.agent.as_str()).put(Tone::Plain, "  ");
    page.put(status_tone(agent.status), agent.status.as_str());
    if let Some(response) = &agent.response {
        page.put_foreign(Tone::Plain, &format!("  {}", response.message));
        if let Some(notes) = &response.notes {
            page.put_foreign(Tone::Dim, &format!(" ({notes})"));
        }
    }
    if let Some(successor) = &agent.succeeded_by {
        let done = if agent.status.is_yes() { "acked by" } else { "passed on to" };
        page.put_foreign(Tone::Plain, &format!("  {done} successor {successor}"));
    }
    page.put(Tone::Dim, &format!("  last seen {}", ago(agent.last_seen, now))).end();
    if let Some(why) = &agent.diagnosis {
        page.put(Tone::Plain, "  ").put_wrapped(Tone::Plain, why, 2).end();
    }
    if let Some(next) = &agent.next {
        page.put_foreign(Tone::Dim, &format!("  next: {next}")).end();
    }
}

impl Draw for Waits {
    fn draw(&self, page: &mut Page) {
        if self.handshakes.is_empty() {
            page.line("nobody waits for anybody");
            return;
        }
        table(&self.handshakes).draw(page);
        page.put(Tone::Dim, &count(self.handshakes.len(), "open handshake"));
        if self.handshakes.iter().any(|wait| wait.remaining_seconds == 0) {
            page.put(Tone::Dim, "; what is overdue is done by: ").put(Tone::Strong, "bb tick");
        }
        page.end();
    }
}

/// Who waits for whom, one line for each agent that was asked.
pub(super) fn table(handshakes: &[Wait]) -> Table {
    let mut table =
        Table::new(&["REQUESTER", "WAITS FOR", "STATUS", "LEFT", "OPERATION", "ID"], 4).optional(&[2]);
    for handshake in handshakes {
        for agent in &handshake.wait.agents {
            let left = agent.deadline.since(handshake.wait.now).as_secs();
            let (tone, left) = match (agent.status.is_waiting(), left) {
                (true, 0) => (Tone::Bad, seconds_left(0)),
                (true, left) => (Tone::Plain, seconds_left(left)),
                (false, _) => (Tone::Plain, "-".to_owned()),
            };
            let successor = agent.succeeded_by.as_ref().map(|it| format!(", now {it}"));
            let whom = format!("{}{}", agent.agent, successor.unwrap_or_default());
            table.row(vec![
                piece(Tone::Plain, handshake.requester.as_str()),
                piece(Tone::Strong, &whom),
                piece(status_tone(agent.status), agent.status.as_str()),
                piece(tone, left),
                piece(Tone::Plain, &handshake.wait.operation),
                piece(Tone::Dim, &handshake.wait.operation_id),
            ]);
        }
    }
    table
}
