//! Reservations: those that are held, and the history of those that ended.

use std::collections::BTreeMap;
use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use super::records::{self, ReservationRecord};
use super::source::{Place, Read, Skipped, Source, whole};
use crate::commands::Context;
use crate::domain::Timestamp;
use crate::domain::agent::Liveness;
use crate::domain::event::NewEvent;
use crate::domain::reservation::{Reservation, State};
use crate::domain::scope::Scope;
use crate::failure::Failure;
use crate::project::Project;
use crate::store::Transaction;

const HELD: &str = "reservations/active.json";
const ENDED: &str = "reservations/history.jsonl";

/// What became of the reservations.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct Reservations {
    pub found: usize,
    pub imported: usize,
    pub already_there: usize,
    pub skipped: Vec<Skipped>,
}

/// What is to be done about the reservations that were found.
#[derive(Debug)]
pub(super) struct Takeover {
    /// Those that can be placed in a project, in the order they were made.
    placed: Vec<Placed>,
    found: usize,
    skipped: Vec<Skipped>,
}

#[derive(Debug)]
struct Placed {
    project: String,
    reservation: Reservation,
    place: Place,
}

/// Finds the project of each scope: the one that bb is run in, if the scope lies in it; an absolute path outside
/// lies in its own.
pub(super) fn place(context: &Context, read: Read<ReservationRecord>) -> Result<Takeover, Failure> {
    let here = context.settings.current_folder()?;
    let mut takeover = Takeover { found: read.records.len(), placed: Vec::new(), skipped: read.skipped };
    let own = Project::around(&here);
    for record in read.records {
        let outside = !Path::new(&record.scope).starts_with(own.root());
        let folder = Path::new(&record.scope).ancestors().find(|it| it.is_absolute() && it.is_dir());
        let project = folder.filter(|_| outside).map_or_else(|| own.clone(), Project::around);
        match project.scope(&record.scope) {
            Ok(scope) => {
                let (project, place) = (project.name(), record.place.clone());
                takeover.placed.push(Placed { project, reservation: reservation(record, scope), place });
            }
            Err(invalid) => takeover.skipped.push(Skipped::new(&record.place, invalid.what)),
        }
    }
    Ok(takeover)
}

/// A reservation as it is kept here: one that expired there ended when its time was over.
fn reservation(record: ReservationRecord, scope: Scope) -> Reservation {
    let (state, released_at) = match record.state {
        State::Active => (State::Active, None),
        State::Expired => (State::Released, Some(record.expires_at)),
        ended => (ended, Some(record.released_at.unwrap_or(record.expires_at))),
    };
    Reservation {
        reservation_id: record.reservation_id,
        scope,
        agent_id: record.agent_id,
        bead_id: record.bead_id,
        state,
        created_at: record.created_at,
        expires_at: record.expires_at,
        released_at,
        fence: 0,
        reason: None,
        shared: false,
    }
}

impl Takeover {
    /// What would be done with a store like this; none is as good as an empty one.
    pub(super) fn foretell(
        self,
        view: Option<&Transaction>,
        now: Timestamp,
    ) -> Result<Reservations, Failure> {
        let mut report = self.report();
        let mut taken = Vec::new();
        for placed in &self.placed {
            if report.judge(view, placed, &taken, now)? {
                taken.push(placed);
            }
        }
        Ok(report)
    }

    /// Keeps those that are not here yet. Their agents must be here.
    pub(super) fn write(&self, transaction: &Transaction, now: Timestamp) -> Result<Reservations, Failure> {
        let mut report = self.report();
        for placed in &self.placed {
            if !report.judge(Some(transaction), placed, &[], now)? {
                continue;
            }
            let Placed { project, reservation, .. } = placed;
            let granted = Reservation { fence: transaction.next_fence()?, ..reservation.clone() };
            transaction.add_reservation(project, &granted)?;
            let data = json!({"scope": granted.scope, "project": project, "state": granted.state, "fence": granted.fence});
            let event = NewEvent::new("reservation.imported", &granted.agent_id, &granted.reservation_id);
            transaction.record(&event.data(data), now)?;
        }
        Ok(report)
    }

    fn report(&self) -> Reservations {
        Reservations { found: self.found, skipped: self.skipped.clone(), ..Reservations::default() }
    }
}

impl Reservations {
    /// Whether it is to be imported: it is not here yet, and nobody else holds any of it, who would then share
    /// it without a word. `taken` are those that are imported with it and are not here yet.
    fn judge(
        &mut self,
        view: Option<&Transaction>,
        placed: &Placed,
        taken: &[&Placed],
        now: Timestamp,
    ) -> Result<bool, Failure> {
        let Placed { project, reservation, place } = placed;
        if let Some(view) = view
            && view.reservation(&reservation.reservation_id)?.is_some()
        {
            self.already_there += 1;
            return Ok(false);
        }
        let held = match view {
            Some(view) => view.held(project, |_, _| Liveness::Active)?,
            None => Vec::new(),
        };
        let taken = taken.iter().filter(|other| other.project == *project).map(|other| &other.reservation);
        let clash = held
            .iter()
            .map(|held| &held.reservation)
            .chain(taken)
            .find(|other| reservation.clashes_with(other, now));
        if let Some(other) = clash {
            let reason = format!(
                "`{}` overlaps `{}`, which `{}` holds here",
                reservation.scope, other.scope, other.agent_id
            );
            self.skipped.push(Skipped::new(place, reason));
            return Ok(false);
        }
        self.imported += 1;
        Ok(true)
    }
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
