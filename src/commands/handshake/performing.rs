//! Doing what the machine says: messages, states, records.

use serde_json::{Value, json};

use crate::commands::correspondence::{mark_acked, post, stored};
use crate::commands::{Context, handing};
use crate::domain::Timestamp;
use crate::domain::agent::{Agent, AgentId, AgentState};
use crate::domain::event::NewEvent;
use crate::domain::handoff::{Handoff, HandoffInput, Step};
use crate::domain::handshake::{Output, Recipient, Snapshot};
use crate::domain::message::{Draft, Kind, Message};
use crate::domain::notice::{self, HandoffEscalation, Notice, OperationRecord, log};
use crate::failure::{Code, Failure};
use crate::store::Transaction;

/// Performs one output in the transaction that decided it.
pub(super) fn perform(
    context: &Context,
    transaction: &Transaction,
    state: &Snapshot,
    output: &Output,
    at: Timestamp,
    now: Timestamp,
) -> Result<(), Failure> {
    for (to, notice) in notice::messages(state, output, at) {
        let request = request_to(transaction, state, &to)?;
        let reader = answerer(state, &to);
        post(context, transaction, &draft(state, reader, notice, request.as_ref()), now)?;
    }
    match output {
        Output::Resend { to, .. } => resend(context, transaction, state, to, now)?,
        Output::Answered { agent, verdict, .. } if verdict.acknowledges() => {
            acked(transaction, state, agent, now)?
        }
        // With a quorum it goes on, but nothing more is asked of this one.
        Output::Answered { agent, .. } => {
            if let Some(request) = request_to(transaction, state, agent)? {
                close_own(transaction, &request, now)?;
            }
        }
        Output::Ended(_) => end(transaction, state, now)?,
        // What silence means for a task is the task's to say.
        _ if state.operation.task_id.is_some() => {}
        Output::MarkUnresponsive { agent } => {
            let agent = answerer(state, agent);
            mark_unresponsive(transaction, &state.requester, agent, Some(&state.id), now)?;
            incident(transaction, state, agent, now)?;
        }
        Output::Escalate { agents } => escalate(context, transaction, state, agents, now)?,
        _ => {}
    }
    record(transaction, state, output, at, now)
}

/// Whoever has the request of a recipient now.
fn answerer<'a>(state: &'a Snapshot, agent: &'a AgentId) -> &'a AgentId {
    state.recipient(agent).map_or(agent, Recipient::answerer)
}

/// The request an agent got.
fn request_to(
    transaction: &Transaction,
    state: &Snapshot,
    agent: &AgentId,
) -> Result<Option<Message>, Failure> {
    match state.recipient(agent) {
        Some(recipient) => Ok(transaction.message(&recipient.message_id)?),
        None => Ok(None),
    }
}

/// A message of the requester, in the thread of the request it belongs to.
pub(crate) fn draft(state: &Snapshot, to: &AgentId, notice: Notice, request: Option<&Message>) -> Draft {
    Draft {
        from: state.requester.clone(),
        to: to.clone(),
        bead_id: request.and_then(|request| request.bead_id.clone()),
        thread_id: request.map_or_else(|| thread_of(&state.id), |request| request.thread_id.clone()),
        category: notice.category,
        kind: notice.kind,
        priority: notice.priority,
        subject: notice.subject,
        body: notice.body,
        content: Some(notice.content),
        requires_ack: notice.requires_ack,
        ack_due_at: None,
        reply_to: request.map(|request| request.message_id.clone()),
        broadcast_id: None,
        operation_id: Some(state.id.clone()),
        key: None,
        verified: false,
    }
}

/// The thread of an operation that has no other.
pub(super) fn thread_of(operation_id: &str) -> String {
    format!("operation:{operation_id}")
}

/// Sends the request itself once more; an answer to either counts.
fn resend(
    context: &Context,
    transaction: &Transaction,
    state: &Snapshot,
    to: &AgentId,
    now: Timestamp,
) -> Result<(), Failure> {
    let Some(request) = request_to(transaction, state, to)? else { return Ok(()) };
    // Whoever answers for a task answers everything that was sent about it; of other requests the first is acked.
    let requires_ack = request.requires_ack && request.kind == Kind::TaskAssignment;
    let deadline = state.recipient(to).map(|it| it.deadline);
    let again = Draft {
        from: request.from_agent,
        to: request.to_agent,
        bead_id: request.bead_id,
        thread_id: request.thread_id,
        category: request.category,
        kind: request.kind,
        priority: request.priority,
        subject: request.subject,
        body: request.body,
        content: request.content,
        requires_ack,
        ack_due_at: deadline.filter(|_| requires_ack),
        reply_to: Some(request.message_id),
        broadcast_id: None,
        operation_id: Some(state.id.clone()),
        key: None,
        verified: false,
    };
    post(context, transaction, &again, now)?;
    Ok(())
}

/// The request is acked, whichever message carried the answer.
fn acked(
    transaction: &Transaction,
    state: &Snapshot,
    agent: &AgentId,
    now: Timestamp,
) -> Result<(), Failure> {
    if let Some(request) = request_to(transaction, state, agent)? {
        mark_acked(transaction, &request, now)?;
    }
    Ok(())
}

/// Sets the state of an agent that let every deadline pass.
pub(crate) fn mark_unresponsive(
    transaction: &Transaction,
    by: &AgentId,
    agent: &AgentId,
    operation_id: Option<&str>,
    now: Timestamp,
) -> Result<(), Failure> {
    let Some(before) = transaction.agent(agent)? else { return Ok(()) };
    transaction.set_agent_state(agent, AgentState::Unresponsive)?;
    let data = json!({"from": before.state, "to": AgentState::Unresponsive, "operation_id": operation_id});
    Ok(transaction.record(&NewEvent::new("agent.state", by, agent.as_str()).data(data), now)?)
}

fn incident(
    transaction: &Transaction,
    state: &Snapshot,
    agent: &AgentId,
    now: Timestamp,
) -> Result<(), Failure> {
    let line = format!("{agent} gave no acknowledgment of {}", state.operation.kind);
    let data = json!({"agent": agent, "operation": state.operation.kind, "line": line});
    let event = NewEvent::new("incident", &state.requester, agent.as_str());
    Ok(transaction.record(&event.operation(Some(&state.id)).data(data), now)?)
}

fn escalate(
    context: &Context,
    transaction: &Transaction,
    state: &Snapshot,
    agents: &[AgentId],
    now: Timestamp,
) -> Result<(), Failure> {
    let controller = controller(context, transaction, now)?;
    let handoff = state.operation.handoff_id.as_ref().and_then(|id| id.parse().ok());
    let mut handoff = handoff.map(|id| transaction.handoff(&id)).transpose()?.flatten();
    let notice = match &handoff {
        Some(handoff) => escalation_of(state, handoff),
        None => notice::escalation(state, agents),
    };
    let draft = draft(state, &controller, notice, None);
    let thread_id = handoff.as_ref().map_or_else(|| draft.thread_id.clone(), Handoff::thread_id);
    post(context, transaction, &Draft { thread_id, ..draft }, now)?;
    if let Some(handoff) = handoff.as_mut().filter(|it| it.step().leads_to(Step::Escalated)) {
        handing::apply(transaction, handoff, HandoffInput::Escalated, &state.requester, now)?;
    }
    Ok(())
}

fn escalation_of(state: &Snapshot, handoff: &Handoff) -> Notice {
    let names: Vec<_> = handoff.tasks.iter().map(|task| task.task_id.to_string()).collect();
    let about = HandoffEscalation {
        handoff_id: handoff.handoff_id.as_str(),
        failed_agent: &handoff.failed.id,
        replacement_agent: &handoff.replacement.id,
        tasks_affected: &handoff.task_uuids(),
        task_names: &names,
    };
    notice::handoff_escalation(state, &about)
}

/// Whoever is told when nobody answers; it comes into being when it is first needed.
pub(crate) fn controller(
    context: &Context,
    transaction: &Transaction,
    now: Timestamp,
) -> Result<AgentId, Failure> {
    let id: AgentId = context.config()?.get("escalate_to").text().parse()?;
    if transaction.agent(&id)?.is_none() {
        let agent = Agent {
            id: id.clone(),
            display: id.to_string(),
            role: "controller".to_owned(),
            session: None,
            state: AgentState::Idle,
            token_hash: None,
            replaced_by: None,
            created_at: now,
            last_seen_at: now,
        };
        transaction.add_agent(&agent)?;
        let data =
            json!({"role": agent.role, "state": agent.state, "display": agent.display, "protected": false});
        transaction.record(&NewEvent::new("agent.registered", &id, id.as_str()).data(data), now)?;
    }
    Ok(id)
}

/// What ends with a handshake: requests of its own that nobody answered, and the operation's record.
fn end(transaction: &Transaction, state: &Snapshot, now: Timestamp) -> Result<(), Failure> {
    for recipient in &state.recipients {
        close_own(transaction, &stored(transaction, &recipient.message_id)?, now)?;
    }
    for entry in OperationRecord::of(state) {
        let about = entry.agent.clone();
        let data = serde_json::to_value(&entry).map_err(unwritable)?;
        let event = NewEvent::new("operation.record", &state.requester, about.as_str());
        transaction.record(&event.operation(Some(&state.id)).data(data), now)?;
    }
    Ok(())
}

/// Closes a request that was sent for a handshake alone; other mail keeps asking for its ack.
fn close_own(transaction: &Transaction, request: &Message, now: Timestamp) -> Result<(), Failure> {
    if request.kind == Kind::PreOperation {
        transaction.close_message(&request.message_id, now)?;
    }
    Ok(())
}

/// Records the output with the line that people read.
fn record(
    transaction: &Transaction,
    state: &Snapshot,
    output: &Output,
    at: Timestamp,
    now: Timestamp,
) -> Result<(), Failure> {
    let mut data = serde_json::to_value(output).map_err(unwritable)?;
    let name = data.get("output").and_then(Value::as_str).unwrap_or("step").to_owned();
    if let Some(fields) = data.as_object_mut() {
        fields.remove("output");
        fields.insert("lines".to_owned(), log::lines(state, output).into());
        if let Output::TimedOut { agent, waited } = output {
            fields.insert("audit".to_owned(), log::audit_timeout(at, agent, *waited).into());
        }
    }
    let event = format!("handshake.{name}");
    let new = NewEvent::new(&event, &state.requester, &state.id).operation(Some(&state.id)).data(data);
    Ok(transaction.record(&new, now)?)
}

fn unwritable(error: serde_json::Error) -> Failure {
    Failure::new(Code::InternalError, "a record cannot be written as JSON").caused_by(error)
}
