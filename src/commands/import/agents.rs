//! Agents that have a file of their own: `agents/*.json`.

use std::collections::BTreeSet;

use super::records::{self, AgentRecord};
use super::source::{Read, Skipped, Source, whole};

/// Reads every agent, each once.
pub(super) fn read(source: &Source) -> Read<AgentRecord> {
    let mut skipped = Vec::new();
    let mut records: Vec<AgentRecord> = Vec::new();
    let mut seen = BTreeSet::new();
    for file in source.files("agents", ".json", &mut skipped) {
        match source.text(&file).and_then(|text| records::agent(&text)) {
            Ok(record) if seen.insert(record.id.clone()) => records.push(record),
            Ok(record) => {
                let reason = format!("`{}` has another file already", record.id);
                skipped.push(Skipped::new(&whole(&file), reason));
            }
            Err(reason) => skipped.push(Skipped::new(&whole(&file), reason)),
        }
    }
    Read { records, skipped }
}
