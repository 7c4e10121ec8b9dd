//! Writing a plan, in the transaction it was made in.

use serde_json::json;

use super::plan::{Advance, Plan};
use super::records::MessageRecord;
use crate::domain::Timestamp;
use crate::domain::agent::Agent;
use crate::domain::event::NewEvent;
use crate::domain::message::{Draft, Kind, Priority, State};
use crate::failure::Failure;
use crate::store::Transaction;
use crate::store::changes::Topic;

/// Writes all of it.
pub(super) fn apply(transaction: &Transaction, plan: &Plan, now: Timestamp) -> Result<(), Failure> {
    for agent in &plan.new_agents {
        add_agent(transaction, agent, now)?;
    }
    for (id, at) in &plan.seen {
        transaction.agent_seen(id, *at)?;
    }
    for record in &plan.new_messages {
        add_message(transaction, record, now)?;
    }
    for advance in &plan.advances {
        move_on(transaction, advance, now)?;
    }
    Ok(())
}

fn add_agent(transaction: &Transaction, agent: &Agent, now: Timestamp) -> Result<(), Failure> {
    transaction.add_agent(agent)?;
    let data = json!({
        "display": agent.display, "role": agent.role, "state": agent.state, "created_at": agent.created_at,
        "last_seen_at": agent.last_seen_at,
    });
    Ok(transaction.record(&NewEvent::new("agent.imported", &agent.id, agent.id.as_str()).data(data), now)?)
}

fn add_message(transaction: &Transaction, record: &MessageRecord, now: Timestamp) -> Result<(), Failure> {
    transaction.add_message(&record.id, &draft(record), record.created_at)?;
    if record.state != State::Unread {
        transaction.set_progress(&record.id, record.state, record.read_at, record.acked_at)?;
    }
    let data = json!({
        "to": record.to, "category": record.category, "requires_ack": record.requires_ack,
        "state": record.state, "created_at": record.created_at, "read_at": record.read_at,
        "acked_at": record.acked_at,
    });
    Ok(transaction
        .record(&NewEvent::new("message.imported", &record.from, record.id.as_str()).data(data), now)?)
}

/// BeadBoard knows no priority and no deadline for an ack, so none is made up.
fn draft(record: &MessageRecord) -> Draft {
    Draft {
        from: record.from.clone(),
        to: record.to.clone(),
        bead_id: record.bead_id.clone(),
        thread_id: record.thread_id.clone(),
        category: record.category,
        kind: Kind::Message,
        priority: Priority::Normal,
        subject: record.subject.clone(),
        body: record.body.clone(),
        content: None,
        requires_ack: record.requires_ack,
        ack_due_at: None,
        reply_to: None,
        broadcast_id: None,
        operation_id: None,
        key: None,
        verified: false,
    }
}

fn move_on(transaction: &Transaction, advance: &Advance, now: Timestamp) -> Result<(), Failure> {
    transaction.set_progress(&advance.id, advance.state, advance.read_at, advance.acked_at)?;
    let data = json!({
        "state": advance.state, "previous_state": advance.previous,
        "read_at": advance.read_at, "acked_at": advance.acked_at,
    });
    transaction
        .record(&NewEvent::new("message.imported", &advance.to, advance.id.as_str()).data(data), now)?;
    transaction.concerns(Topic::Mailbox(advance.from.clone()));
    Ok(())
}
