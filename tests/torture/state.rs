//! Everything that a store holds, in words without ids, so that two of them can be compared.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use bb_agent::domain::agent::Liveness;
use bb_agent::domain::mailbox::{Filter, Limit};
use bb_agent::store::sqlite::TaskFilter;
use bb_agent::store::{StoreError, Transaction};

use crate::common::World;
use crate::common::replay;

/// What belongs to SQLite, to the queue of writers and to waiters, and is no trace of a command.
const PASSING: [&str; 4] = ["bb.db-wal", "bb.db-shm", "bb.db-lock", "bb.db-bells"];

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct State {
    pub(crate) things: Vec<String>,
    /// How often each event was recorded, and each kind of message sent.
    pub(crate) events: BTreeMap<String, usize>,
    pub(crate) files: BTreeSet<String>,
}

impl State {
    pub(crate) fn of(world: &World) -> Self {
        let mut things = replay::open(world).read(things).unwrap();
        things.sort();
        let mut counts = BTreeMap::new();
        for event in replay::events(world) {
            let kind = event.data["kind"].as_str().unwrap_or_default();
            *counts.entry(format!("{} {kind}", event.event).trim().to_owned()).or_default() += 1;
        }
        let mut files = BTreeSet::new();
        list(&world.path("store"), "", &mut files);
        Self { things, events: counts, files }
    }

    /// Without the events that may have been recorded once more.
    pub(crate) fn without(&self, events: &[&str]) -> Self {
        let mut state = self.clone();
        state.events.retain(|event, _| !events.contains(&event.as_str()));
        state
    }

    /// Whether everything here was there before or is there after. Only a handoff has steps in between.
    pub(crate) fn is_between(&self, before: &Self, after: &Self) -> bool {
        let known = |thing: &String| before.things.contains(thing) || after.things.contains(thing);
        self.things.iter().all(|thing| known(thing) || thing.starts_with("handoff "))
    }
}

fn list(folder: &Path, under: &str, files: &mut BTreeSet<String>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.map(Result::unwrap) {
        let name = format!("{under}{}", entry.file_name().to_str().unwrap());
        if entry.file_type().unwrap().is_dir() && !PASSING.contains(&name.as_str()) {
            list(&entry.path(), &format!("{name}/"), files);
        } else if !PASSING.contains(&name.as_str()) {
            files.insert(name);
        }
    }
}

fn things(view: &Transaction) -> Result<Vec<String>, StoreError> {
    let mut things = Vec::new();
    for agent in view.agents()? {
        things.push(format!("agent {} {} seen {}", agent.id, agent.state, agent.last_seen_at));
        let most = Limit::parse("500").unwrap();
        for it in view.inbox(&agent.id, &Filter::default(), most, agent.created_at)? {
            let times = (it.read_at.is_some(), it.acked_at.is_some());
            things.push(format!(
                "message {} to {} {:?} {:?} {} {times:?} answered {:?}",
                it.from_agent,
                it.to_agent,
                it.kind,
                it.subject,
                it.state,
                it.response.map(|answer| answer.verdict),
            ));
        }
    }
    for holding in view.holdings(|_, _| Liveness::Active)? {
        let it = holding.held.reservation;
        things.push(format!("reservation {} of {} until {}", it.scope, it.agent_id, it.expires_at));
    }
    for task in view.tasks(&TaskFilter::default(), 500)? {
        let view = serde_json::to_value(task.view(task.assigned_at)).unwrap();
        let fields = ["task_id", "agent", "status", "may_begin", "understanding", "checkpoints"];
        things.push(format!("task {:?}", fields.map(|field| view[field].to_string())));
    }
    for handoff in view.handoffs()? {
        things.push(format!(
            "handoff {} to {} {:?}",
            handoff.failed.id,
            handoff.replacement.id,
            handoff.step()
        ));
    }
    handshakes(view, &mut things)?;
    Ok(things)
}

fn handshakes(view: &Transaction, things: &mut Vec<String>) -> Result<(), StoreError> {
    let events = view.events_after(0, u32::MAX)?;
    let operations: BTreeSet<_> = events.into_iter().filter_map(|event| event.operation_id).collect();
    for operation in operations {
        let Some(stored) = view.handshake(&operation)? else { continue };
        let recipients: Vec<_> = stored
            .snapshot
            .recipients
            .iter()
            .map(|it| format!("{} {} {} {}", it.agent, it.status, it.steps_done, it.deadline))
            .collect();
        let state = &stored.snapshot;
        things.push(format!("handshake {} {:?} {recipients:?}", state.operation.kind, state.outcome()));
    }
    Ok(())
}
