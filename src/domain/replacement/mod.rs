//! Confirming a replacement: the tasks move, the controller is told, and it is put on record.

mod audit;
mod checklist;
mod confirmation;
mod export;
mod files;
mod report;
mod second;
mod state;
mod transfer;

pub use audit::{
    AuditAck, AuditConfirmation, AuditEntry, AuditFailedAgent, AuditGithub, AuditHandoff, AuditNotification,
};
pub use checklist::{Group, Item, Standing, checklist, is_done};
pub use confirmation::confirmation;
pub use files::backup_ending;
pub use report::{RECENT, Report};
pub use second::Second;
pub use state::{
    Assignment, AssignmentProgress, HistoryEntry, InstructionStatus, InstructionVerification,
    OrchestratorState, PENDING_VERIFICATION, RegisteredAgent, ReplacementInfo,
};
pub use transfer::{Change, Facts, transfer};

#[cfg(test)]
mod tests;
