//! The replacements of the audit log in few lines.

use schemars::JsonSchema;
use serde::Serialize;

use super::{AuditEntry, Second};
use crate::domain::Timestamp;
use crate::domain::handoff::Outcome;

/// How many replacements are listed.
pub const RECENT: usize = 10;

/// The replacements, counted, and the newest of them one line each.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Report {
    pub generated: Second,
    pub total: usize,
    pub successful: usize,
    pub partial: usize,
    pub failed: usize,
    /// Oldest first.
    pub recent: Vec<String>,
}

impl Report {
    /// The report on these entries, which stand in the order of the log.
    pub fn of(entries: &[AuditEntry], now: Timestamp) -> Self {
        let count = |outcome| entries.iter().filter(|entry| entry.outcome == outcome).count();
        let line = |entry: &AuditEntry| {
            let (failed, new) = (&entry.failed_agent.id, &entry.replacement_agent.id);
            format!("{}: {failed} -> {new} ({})", entry.timestamp, entry.outcome)
        };
        Self {
            generated: now.into(),
            total: entries.len(),
            successful: count(Outcome::Success),
            partial: count(Outcome::Partial),
            failed: count(Outcome::Failed),
            recent: entries.iter().skip(entries.len().saturating_sub(RECENT)).map(line).collect(),
        }
    }

    /// The report as Markdown.
    pub fn markdown(&self) -> String {
        let recent: String = self.recent.iter().map(|line| format!("- {line}\n")).collect();
        format!(
            "# Agent Replacement Audit Report\n\
             Generated: {}\n\
             \n\
             ## Summary\n\
             - Total replacements: {}\n\
             - Successful: {}\n\
             - Partial: {}\n\
             - Failed: {}\n\
             \n\
             ## Recent Replacements\n\
             {recent}",
            self.generated, self.total, self.successful, self.partial, self.failed
        )
    }
}
