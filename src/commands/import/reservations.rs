//! Reservations: those that are held, and the history of those that ended.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::records::{self, ReservationRecord};
use super::source::{Place, Read, Skipped, Source, whole};

const HELD: &str = "reservations/active.json";
const ENDED: &str = "reservations/history.jsonl";

/// What became of the reservations.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Reservations {
    pub found: usize,
    pub skipped: Vec<Skipped>,
}

/// Counts the reservations that were found; they stay with whoever holds them there.
pub(super) fn take_over_reservations(read: Read<ReservationRecord>) -> Reservations {
    Reservations { found: read.records.len(), skipped: read.skipped }
}

/// Reads every reservation, each once, in the order they were made. One that ended counts as ended, also
/// where it is still listed as held.
pub(super) fn read(source: &Source) -> Read<ReservationRecord> {
    let mut skipped = Vec::new();
    let mut found: BTreeMap<String, ReservationRecord> = BTreeMap::new();
    let mut texts = held(source, &mut skipped);
    if source.has(ENDED) {
        texts.extend(source.lines(ENDED, &mut skipped));
    }
    for (place, text) in texts {
        match records::reservation(&text, place.clone()) {
            Ok(record) => {
                found.insert(record.reservation_id.clone(), record);
            }
            Err(reason) => skipped.push(Skipped::new(&place, reason)),
        }
    }
    let mut records: Vec<_> = found.into_values().collect();
    records.sort_by(|a, b| (a.created_at, &a.reservation_id).cmp(&(b.created_at, &b.reservation_id)));
    Read { records, skipped }
}

/// The entries of the list of held reservations: an object that holds it, or the bare list.
fn held(source: &Source, skipped: &mut Vec<Skipped>) -> Vec<(Place, String)> {
    if !source.has(HELD) {
        return Vec::new();
    }
    let listed = source.text(HELD).and_then(|text| {
        serde_json::from_str::<Value>(&text).map_err(|error| format!("is not what BeadBoard writes: {error}"))
    });
    let list = match listed {
        Ok(Value::Array(list)) => list,
        Ok(Value::Object(mut object)) => match object.remove("reservations") {
            Some(Value::Array(list)) => list,
            _ => Vec::new(),
        },
        Ok(_) => Vec::new(),
        Err(reason) => {
            skipped.push(Skipped::new(&whole(HELD), reason));
            return Vec::new();
        }
    };
    list.into_iter().map(|entry| (whole(HELD), entry.to_string())).collect()
}
