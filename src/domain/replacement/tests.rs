//! Replacements, requirement by requirement.

mod auditing;
mod checking;
mod confirming;
mod exporting;
mod reporting;
mod transferring;

use super::{Change, Facts, transfer};
use crate::domain::agent::{Agent, AgentState};
use crate::domain::handoff::samples::*;
use crate::domain::handoff::{Handoff, HandoffInput, TaskRef};
use crate::domain::task::Task;

fn registered(id: &str, session: Option<&str>, minutes: i64) -> Agent {
    Agent {
        id: agent(id),
        display: id.to_owned(),
        role: "implementer".to_owned(),
        session: session.map(str::to_owned),
        state: AgentState::Working,
        token_hash: None,
        replaced_by: None,
        created_at: at(minutes),
        last_seen_at: at(minutes),
    }
}

fn failed_agent() -> Agent {
    registered("implementer-1", Some("helper-agent-generic"), -600)
}

fn new_agent() -> Agent {
    registered("implementer-2", None, 0)
}

/// A task that did not move, because it is complete.
fn second_task() -> Task {
    let mut task = task("GH-43", "task-uuid-67890");
    task.status = crate::domain::task::TaskStatus::Complete;
    task
}

fn moving(handoff: &Handoff, tasks: &[Task]) -> Change {
    let facts = Facts { tasks, failed: &failed_agent(), replacement: &new_agent() };
    transfer(handoff, &facts, at(5)).unwrap()
}

/// A replacement up to its transfer.
fn transferred() -> (Handoff, Change) {
    let mut handoff = verified();
    let change = moving(&handoff, &tasks());
    then(&mut handoff, HandoffInput::Transferred(change.transfer.clone()), 5);
    (handoff, change)
}

/// A replacement of which one task could not move.
fn partly_transferred() -> Handoff {
    let mut handoff = verified();
    handoff.tasks.push(TaskRef::of(&second_task()));
    let change = moving(&handoff, &[tasks(), vec![second_task()]].concat());
    then(&mut handoff, HandoffInput::Transferred(change.transfer), 5);
    handoff
}

fn labelled(handoff: &mut Handoff) {
    let attempt = handoff.next_labelling().unwrap();
    then(handoff, HandoffInput::Tried { attempt, url: None, error: None }, 5);
}

fn confirmed(mut handoff: Handoff) -> Handoff {
    then(&mut handoff, HandoffInput::Confirmed { message_id: message("msg_confirmed") }, 6);
    handoff
}

/// The whole of a good replacement.
fn successful() -> Handoff {
    let (mut handoff, _) = transferred();
    labelled(&mut handoff);
    confirmed(handoff)
}
