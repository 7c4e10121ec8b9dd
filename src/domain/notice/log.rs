//! What a handshake logs while it goes on.
//!
//! Texts of agents are quoted as they are; whoever prints a line cleans it.

use std::time::Duration;

use super::wording::{counted, seconds};
use crate::domain::Timestamp;
use crate::domain::agent::AgentId;
use crate::domain::handshake::{End, NotCounted, Outcome, Output, Reminder, Snapshot};
use crate::domain::reply::Verdict;
use crate::domain::schedule::{Manner, StepKind};

/// The line that opens the wait for an agent.
pub fn started(agent: &AgentId) -> String {
    format!("Started waiting for acknowledgment from {agent}")
}

/// The audit line of a timeout.
pub fn audit_timeout(at: Timestamp, agent: &AgentId, waited: Duration) -> String {
    format!("[{at}] TIMEOUT: No acknowledgment from {agent} after {}", seconds(waited))
}

/// A line as it stands in a log, beginning with the date.
pub fn dated(date: &str, line: &str) -> String {
    format!("[{date}] {line}")
}

/// The lines for an output.
pub fn lines(state: &Snapshot, output: &Output) -> Vec<String> {
    let mut texts = vec![text(state, output)];
    if let Output::Answered { agent, verdict, after_reminders } = output
        && verdict.acknowledges()
    {
        texts.push(format!("{}{}", received(agent, *after_reminders), by_successor(state, agent)));
    }
    texts
}

fn text(state: &Snapshot, output: &Output) -> String {
    match output {
        Output::Remind(due) => reminded(due),
        Output::Resend { to, attempt, of, skipped, .. } => {
            format!("Request sent again to {to} - attempt {attempt} of {of}{}", missed(skipped))
        }
        Output::ExtensionGranted { to, remaining, .. } => {
            format!("Agent {to} requested more time - extension granted, {} remaining", seconds(*remaining))
        }
        Output::ExtensionRefused { to, remaining, .. } => {
            format!(
                "Agent {to} requested more time - no extension allowed, {} remaining",
                seconds(*remaining)
            )
        }
        Output::Answered { agent, verdict, .. } => {
            format!("Agent {agent} {}{}", answer(*verdict), by_successor(state, agent))
        }
        Output::Said { agent, text } => format!("Agent {agent} sent: {text}"),
        Output::Gone { agent, state } => format!("Agent {agent} is {state}"),
        Output::Succeeded { agent, by } => {
            format!("Agent {agent} was replaced by {by}, which answers for it")
        }
        Output::TimedOut { agent, waited } => {
            let level = level(state.plan.manner);
            format!("{level}: Timeout - no acknowledgment from {agent} after {}", seconds(*waited))
        }
        Output::Late { agent, verdict } => format!("Agent {agent} answered too late: {verdict}"),
        Output::NotCounted { agent, verdict, why } => {
            format!("Reply of {agent} not counted ({verdict}): {}", why_not(*why))
        }
        Output::Cancelled { by, told } => format!("Operation cancelled by {by} - told {}", names(told)),
        Output::CalledOff { told, .. } => format!("Operation called off - told {}", names(told)),
        Output::MarkUnresponsive { agent } => format!("Agent {agent} marked unresponsive"),
        Output::Escalate { agents } => format!("Escalated: no acknowledgment from {}", names(agents)),
        Output::Ended(end) => ended(state, end),
    }
}

fn reminded(due: &Reminder) -> String {
    let what = match due.step {
        StepKind::AckRequest => "ACK request",
        StepKind::Reminder { .. } | StepKind::Resend { .. } => "Reminder",
    };
    let Reminder { to, number, total, remaining, skipped, .. } = due;
    format!("{what} {number} of {total} sent to {to} - {} remaining{}", seconds(*remaining), missed(skipped))
}

fn missed(skipped: &[usize]) -> String {
    if skipped.is_empty() {
        return String::new();
    }
    let numbers: Vec<_> = skipped.iter().map(ToString::to_string).collect();
    format!(" (skipped {})", numbers.join(", "))
}

fn answer(verdict: Verdict) -> String {
    match verdict {
        Verdict::Cancel => "requested cancellation".to_owned(),
        Verdict::NeedsClarification => "needs clarification".to_owned(),
        Verdict::Queued => "acknowledged - queued behind earlier work".to_owned(),
        verdict if verdict.proceeds() => "acknowledged - ready to proceed".to_owned(),
        refusal => format!("refused: {refusal}"),
    }
}

/// Who answered, where it was not the one who was asked.
fn by_successor(state: &Snapshot, agent: &AgentId) -> String {
    let successor = state.recipient(agent).and_then(|it| it.succeeded_by.as_ref());
    successor.map_or_else(String::new, |it| format!(" (acked by successor {it})"))
}

fn received(agent: &AgentId, after_reminders: usize) -> String {
    let after = match u64::try_from(after_reminders) {
        Ok(count @ 1..) => format!(" after {}", counted(count, "reminder")),
        _ => String::new(),
    };
    format!("Acknowledgment received from {agent}{after}")
}

const fn level(manner: Manner) -> &'static str {
    match manner {
        Manner::Warning => "WARNING",
        Manner::Notification => "NOTICE",
    }
}

const fn why_not(why: NotCounted) -> &'static str {
    match why {
        NotCounted::NotAsked => "it was not asked",
        NotCounted::NotVerified => "it was sent without a token",
        NotCounted::AlreadySettled => "its part is settled",
    }
}

fn ended(state: &Snapshot, end: &End) -> String {
    let asked = state.recipients.len();
    let agreed = state.recipients.iter().filter(|it| it.status.is_yes()).count();
    match end.outcome {
        Outcome::Acknowledged if asked == 1 => "Proceeding with operation - agent acknowledged".to_owned(),
        Outcome::Acknowledged => format!("Proceeding with operation - all {asked} agents acknowledged"),
        Outcome::Quorum => {
            format!("Proceeding with operation - {agreed} of {asked} agents acknowledged{}", without(end))
        }
        Outcome::TimedOut if end.proceed => {
            format!("Proceeding with operation - no acknowledgment from {}", names(&end.missing))
        }
        outcome => format!("Not proceeding with operation - {}{}", reason(outcome), without(end)),
    }
}

fn reason(outcome: Outcome) -> String {
    match outcome {
        Outcome::TimedOut => "too few acknowledged".to_owned(),
        Outcome::Gone => "an agent is gone".to_owned(),
        other => other.as_str().replace('_', " "),
    }
}

fn without(end: &End) -> String {
    if end.missing.is_empty() { String::new() } else { format!(", no answer from {}", names(&end.missing)) }
}

fn names(agents: &[AgentId]) -> String {
    agents.iter().map(AgentId::as_str).collect::<Vec<_>>().join(", ")
}
