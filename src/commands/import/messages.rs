//! Messages: a line in the recipient's inbox when it was sent, and a file that follows its progress.
//!
//! The file wins, because the line is never changed. A file that cannot be used leaves the line
//! in force; a file without a line is a message all the same.

use std::collections::BTreeMap;

use super::records::{self, MessageRecord};
use super::source::{Place, Read, Skipped, Source, whole};
use crate::domain::message::MessageId;

/// Reads every message, each once, in the order they were sent.
pub(super) fn read(source: &Source, max_body: usize) -> Read<MessageRecord> {
    let mut skipped = Vec::new();
    let mut found = lines(source, max_body, &mut skipped);
    for (place, indexed) in index(source, max_body, &mut skipped) {
        match indexed {
            Ok(record) => {
                found.insert(record.id.clone(), record);
            }
            Err(reason) if is_in_an_inbox(&found, &place) => {
                skipped.push(Skipped::new(&place, format!("{reason}; the line in the inbox counts")));
            }
            Err(reason) => skipped.push(Skipped::new(&place, reason)),
        }
    }
    let mut records: Vec<_> = found.into_values().collect();
    records.sort_by(|a, b| (a.created_at, &a.id).cmp(&(b.created_at, &b.id)));
    Read { records, skipped }
}

/// Whether the message that a file is named after was found without it.
fn is_in_an_inbox(found: &BTreeMap<MessageId, MessageRecord>, place: &Place) -> bool {
    let name = place.file.strip_prefix("messages/index/").and_then(|name| name.strip_suffix(".json"));
    name.and_then(|name| name.parse().ok()).is_some_and(|id: MessageId| found.contains_key(&id))
}

/// The messages of all inboxes, as they were sent.
fn lines(source: &Source, max_body: usize, skipped: &mut Vec<Skipped>) -> BTreeMap<MessageId, MessageRecord> {
    let mut found: BTreeMap<MessageId, MessageRecord> = BTreeMap::new();
    for file in source.files("messages", ".jsonl", skipped) {
        for (place, text) in source.lines(&file, skipped) {
            let record = match records::message(&text, max_body, place.clone()) {
                Ok(record) => record,
                Err(reason) => {
                    skipped.push(Skipped::new(&place, reason));
                    continue;
                }
            };
            let before = found.get(&record.id);
            if before.is_none() {
                found.insert(record.id.clone(), record);
            } else if before.is_some_and(|before| !is_same(before, &record)) {
                let reason = format!("another message has the id `{}` already", record.id);
                skipped.push(Skipped::new(&place, reason));
            }
        }
    }
    found
}

fn is_same(one: &MessageRecord, other: &MessageRecord) -> bool {
    *one == MessageRecord { place: one.place.clone(), ..other.clone() }
}

/// The files that follow each message, with what can be used of them.
fn index(
    source: &Source,
    max_body: usize,
    skipped: &mut Vec<Skipped>,
) -> Vec<(Place, Result<MessageRecord, String>)> {
    let files = source.files("messages/index", ".json", skipped);
    let read = |file: &String| {
        let record = source.text(file).and_then(|text| records::message(&text, max_body, whole(file)))?;
        // BeadBoard finds a message by the name of its file.
        let named = format!("messages/index/{}.json", record.id);
        if named.eq_ignore_ascii_case(file) {
            Ok(record)
        } else {
            Err(format!("holds the message `{}`, which its name does not say", record.id))
        }
    };
    files.iter().map(|file| (whole(file), read(file))).collect()
}
