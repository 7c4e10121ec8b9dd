//! A handoff after a command.

use schemars::JsonSchema;
use serde::Serialize;

use super::Prepared;
use crate::commands::Report;
use crate::domain::handoff::{Handoff, HandoffView, Superseded};

/// A handoff as it stands after a command.
#[derive(Debug, Serialize, JsonSchema)]
pub struct HandoffReport {
    #[serde(flatten)]
    pub handoff: HandoffView,
    /// The line that waits for the acknowledgment.
    pub wait: String,
    /// What its orchestrator should know.
    pub warnings: Vec<String>,
    /// What was done, in a word.
    #[serde(skip)]
    pub done: &'static str,
}

impl Report for HandoffReport {}

impl HandoffReport {
    /// What callers see of a handoff that has just begun; `handoff` is how it stands since.
    pub(crate) fn begun(handoff: &Handoff, done: &'static str, prepared: Prepared) -> Self {
        let mut report = Self::of(handoff, done, &prepared.superseded);
        report.warnings.extend(prepared.silence);
        report
    }

    /// What callers see of a handoff.
    pub(crate) fn of(handoff: &Handoff, done: &'static str, superseded: &[Superseded]) -> Self {
        let closed = superseded.iter().map(|it| {
            let left: Vec<_> = it.left_over.iter().map(|task| task.task_id.as_str()).collect();
            let left =
                if left.is_empty() { String::new() } else { format!("; left over: {}", left.join(", ")) };
            format!("handoff {} is superseded{left}", it.handoff_id)
        });
        Self {
            warnings: handoff.github_troubles().into_iter().chain(closed).collect(),
            wait: format!("bb agent wait-ack --handoff {}", handoff.handoff_id),
            handoff: handoff.view(),
            done,
        }
    }
}
