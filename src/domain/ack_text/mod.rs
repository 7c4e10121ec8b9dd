//! The acknowledgment of a task as plain text, for agents that only answer with words.
//!
//! ```text
//! [ACK] GH-42 - CLARIFICATION_NEEDED
//! Understanding: Implement the directory browser
//! Questions:
//! 1. Should --format print a table too?
//! Note: GH-41 comes first
//! Reason: …
//! ```
//!
//! The first line stands at the beginning of a line, apart from what dresses text: `>` and quote
//! marks, bullets, heading signs, emphasis, code fences. In the middle of a sentence it is an
//! instruction, not an acknowledgment. Its status stands alone; only the labels below may follow
//! on the same line, for texts whose line breaks were lost. Case does not matter, `-` is `_`, and
//! any dash separates the id from the status.
//!
//! A label begins a field. The field goes on over the following lines until a blank line, a code
//! fence, a rule, another label or another acknowledgment, and becomes one line. Only `Questions:`
//! goes on over a blank line, when a numbered or bulleted line follows. A field that says `none`
//! says nothing, and the first of two equal labels counts.
//!
//! Quoted acknowledgments (`>`) count only when nothing is acknowledged outside of quotes.

mod block;
mod line;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use thiserror::Error;

use super::task::{Ack, AckStatus, TaskId};
use super::{Invalid, Rule};

/// An acknowledgment in its text form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AckText {
    pub task_id: TaskId,
    pub status: AckStatus,
    pub understanding: Option<String>,
    pub questions: Vec<String>,
    pub note: Option<String>,
    pub reason: Option<String>,
}

/// A text that has the form of an acknowledgment but cannot be taken as one.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AckProblem {
    #[error("`{said}` is not a status with which task `{task_id}` can be acknowledged")]
    UnknownStatus { task_id: TaskId, said: String },
    #[error("task `{task_id}` is acknowledged twice, as `{first}` and as `{second}`")]
    Contradiction { task_id: TaskId, first: String, second: String },
}

impl AckProblem {
    /// The task that was meant.
    pub const fn task_id(&self) -> &TaskId {
        match self {
            Self::UnknownStatus { task_id, .. } | Self::Contradiction { task_id, .. } => task_id,
        }
    }

    /// What would be right.
    pub fn hint(&self) -> String {
        format!(
            "write one line `[ACK] {} - STATUS` that ends with one of {}, and everything else on the lines below",
            self.task_id(),
            AckStatus::ALL.map(AckStatus::in_text).join(", ")
        )
    }

    /// What was said as the status, or as the first of two.
    fn said(&self) -> &str {
        match self {
            Self::UnknownStatus { said, .. } => said,
            Self::Contradiction { first, .. } => first,
        }
    }
}

impl From<AckProblem> for Invalid {
    fn from(problem: AckProblem) -> Self {
        Self::new(Rule::Task, problem.to_string()).hint(problem.hint())
    }
}

/// Finds every acknowledgment in a text, one for each task, in the order of their first lines.
pub fn parse_all(text: &str) -> Vec<Result<AckText, AckProblem>> {
    let blocks = block::blocks(text);
    let depth = blocks.iter().map(|block| block.depth).min().unwrap_or(0);
    let mut found: Vec<Result<AckText, AckProblem>> = Vec::new();
    let mut places = BTreeMap::new();
    for block in blocks.into_iter().filter(|block| block.depth == depth) {
        match places.entry(block.task_id.clone()) {
            Entry::Vacant(place) => {
                place.insert(found.len());
                found.push(block.finish());
            }
            Entry::Occupied(place) => {
                if let Some(first) = found.get_mut(*place.get()) {
                    contradict(first, block.finish());
                }
            }
        }
    }
    found
}

/// The lines that begin like an acknowledgment and end with a status, but have no dash between the id and it.
pub fn misspelled(text: &str) -> Vec<&str> {
    let meant = |line: &&str| line::header(line).is_none() && line::lacks_dash(line);
    text.lines().map(|line| line::unquote(line).1).filter(meant).collect()
}

/// Keeps the first of two acknowledgments of one task if they agree; else neither counts.
fn contradict(first: &mut Result<AckText, AckProblem>, second: Result<AckText, AckProblem>) {
    let said = |it: &Result<AckText, AckProblem>| match it {
        Ok(ack) => ack.status.in_text().to_owned(),
        Err(problem) => problem.said().to_owned(),
    };
    let (before, after) = (said(first), said(&second));
    if before != after {
        let task_id = match first {
            Ok(ack) => ack.task_id.clone(),
            Err(problem) => problem.task_id().clone(),
        };
        *first = Err(AckProblem::Contradiction { task_id, first: before, second: after });
    }
}

impl AckText {
    /// The text form of an answer; whoever asks needs clarification.
    pub fn of(task_id: TaskId, ack: &Ack) -> Self {
        Self {
            task_id,
            status: ack.effective_status(),
            understanding: ack.understanding.clone(),
            questions: ack.questions.clone(),
            note: ack.note.clone(),
            reason: ack.reason.clone(),
        }
    }

    /// The same with every field on one line, and without those that say nothing.
    pub fn normal(&self) -> Self {
        let field = |text: &Option<String>| text.as_deref().and_then(block::one_line);
        Self {
            task_id: self.task_id.clone(),
            status: self.status,
            understanding: field(&self.understanding),
            questions: self.questions.iter().filter_map(|text| block::one_line(text)).collect(),
            note: field(&self.note),
            reason: field(&self.reason),
        }
    }

    /// Writes the text form, which [`parse_all`] reads back.
    pub fn print(&self) -> String {
        let it = self.normal();
        let mut lines = vec![format!("[ACK] {} - {}", it.task_id, it.status.in_text())];
        lines.extend(it.understanding.map(|text| format!("Understanding: {text}")));
        if !it.questions.is_empty() {
            lines.push("Questions:".to_owned());
            lines
                .extend((1..).zip(&it.questions).map(|(number, text): (u32, _)| format!("{number}. {text}")));
        }
        lines.extend(it.note.map(|text| format!("Note: {text}")));
        lines.extend(it.reason.map(|text| format!("Reason: {text}")));
        lines.join("\n")
    }
}

impl From<AckText> for Ack {
    fn from(text: AckText) -> Self {
        Self {
            understanding: text.understanding,
            questions: text.questions,
            note: text.note,
            reason: text.reason,
            ..Self::new(text.status)
        }
    }
}

#[cfg(test)]
mod tests;
