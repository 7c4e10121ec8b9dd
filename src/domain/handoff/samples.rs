//! A handoff and its people, for tests.

use super::{
    Accounts, Criteria, Document, FailureCode, Handoff, HandoffAck, HandoffInput, HandoffStatus, Member,
    NewHandoff, Publication, Requested, TaskRef, Urgency, Verification, verify,
};
use crate::domain::Timestamp;
use crate::domain::agent::AgentId;
use crate::domain::message::MessageId;
use crate::domain::task::{Checkpoint, NewTask, Task, TaskStatus};

pub(in crate::domain) const CHECKPOINT: &str = "Checkpoint 3: token refresh";
pub(in crate::domain) const UNDERSTANDING: &str = "Finish the JWT login of auth-core";
pub(in crate::domain) const URL: &str = "https://github.com/owner/repo/issues/42#issuecomment-123456";

pub(in crate::domain) fn agent(name: &str) -> AgentId {
    name.parse().unwrap()
}

pub(in crate::domain) fn message(name: &str) -> MessageId {
    name.parse().unwrap()
}

/// Minutes after 2026-01-31T14:30:00Z.
pub(in crate::domain) fn at(minutes: i64) -> Timestamp {
    Timestamp::from_millis(1_769_869_800_000 + minutes * 60_000)
}

/// A task of `implementer-1` that is 60 percent done.
pub(in crate::domain) fn task(task_id: &str, task_uuid: &str) -> Task {
    let new = NewTask {
        task_id: task_id.parse().unwrap(),
        task_uuid: task_uuid.to_owned(),
        title: "auth-core".to_owned(),
        description: "Log in and out.".to_owned(),
        criteria: Vec::new(),
        critical: false,
        agent: agent("implementer-1"),
        delegated_by: agent("orchestrator-master"),
        bead: None,
        priority: None,
        key: None,
    };
    let mut task = Task::assign(new, at(-120)).unwrap();
    task.status = TaskStatus::Working;
    task.acknowledged_at = Some(at(-115));
    task.estimated_checkpoints = ["a", "b", "c", "d", "e"].map(str::to_owned).to_vec();
    task.checkpoints = [(1, -90), (2, -60), (3, -30)]
        .map(|(number, minutes)| Checkpoint {
            number,
            summary: format!("part {number}"),
            next: Some(number + 1),
            at: at(minutes),
        })
        .to_vec();
    task.updated_at = at(-20);
    task
}

pub(in crate::domain) fn tasks() -> Vec<Task> {
    vec![task("GH-42", "task-uuid-12345")]
}

pub(in crate::domain) fn member(id: &str, session: &str) -> Member {
    Member { id: agent(id), session: Some(session.to_owned()) }
}

pub(in crate::domain) fn new_handoff() -> NewHandoff {
    NewHandoff {
        handoff_id: "handoff-uuid-123".parse().unwrap(),
        orchestrator: agent("orchestrator-master"),
        failed: member("implementer-1", "helper-agent-generic"),
        replacement: member("implementer-2", "helper-agent-2"),
        reason: "context_loss".to_owned(),
        urgency: Urgency::Immediate,
        requested: Some(Requested {
            notification_id: message("ecos-notif-uuid"),
            received_at: at(-5),
            urgency: Some(Urgency::Immediate),
        }),
        tasks: tasks().iter().map(TaskRef::of).collect(),
        starting_from: Some(CHECKPOINT.to_owned()),
        publication: Publication::Issue(42),
        pull_request: None,
        accounts: Accounts::default(),
        folder: None,
    }
}

pub(in crate::domain) fn document() -> Document {
    Document {
        path: "/store/handoffs/replacement-handoff-implementer-1-to-implementer-2-20260131T142800Z.md"
            .to_owned(),
        size_bytes: 15_234,
        generated_at: at(-2),
    }
}

/// Applies what must be accepted.
#[track_caller]
pub(in crate::domain) fn then(handoff: &mut Handoff, input: HandoffInput, minutes: i64) {
    handoff.apply(input, at(minutes)).unwrap();
}

pub(in crate::domain) fn prepared() -> Handoff {
    Handoff::prepare(new_handoff(), at(-3)).unwrap()
}

pub(in crate::domain) fn copied() -> Handoff {
    let mut handoff = prepared();
    then(&mut handoff, HandoffInput::Copied(document()), -2);
    handoff
}

/// Published as a comment of the issue, and sent at 14:30.
pub(in crate::domain) fn sent() -> Handoff {
    let mut handoff = copied();
    let attempt = handoff.next_publishing().unwrap();
    then(&mut handoff, HandoffInput::Tried { attempt, url: Some(URL.to_owned()), error: None }, -1);
    let operation_id = Some("op_1".to_owned());
    then(&mut handoff, HandoffInput::Sent { message_id: message("msg_handoff"), operation_id }, 0);
    handoff
}

/// A complete acknowledgment.
pub(in crate::domain) fn ready() -> HandoffAck {
    HandoffAck {
        understanding: Some(UNDERSTANDING.to_owned()),
        starting_from: Some(CHECKPOINT.to_owned()),
        questions: Some(Vec::new()),
        ..HandoffAck::new("handoff-uuid-123", HandoffStatus::ReadyToProceed)
    }
}

pub(in crate::domain) fn asks(question: &str) -> HandoffAck {
    HandoffAck { questions: Some(vec![question.to_owned()]), ..ready() }
}

pub(in crate::domain) fn says(handoff: &mut Handoff, ack: HandoffAck, minutes: i64) {
    let message_id = Some(message(&format!("msg_ack_{}", handoff.acks.len() + 1)));
    then(handoff, HandoffInput::Acked { from: agent("implementer-2"), ack, message_id }, minutes);
}

/// Sent, and acknowledged five minutes later.
pub(in crate::domain) fn acked_with(ack: HandoffAck) -> Handoff {
    let mut handoff = sent();
    says(&mut handoff, ack, 5);
    handoff
}

pub(in crate::domain) fn accepting() -> Criteria<'static> {
    Criteria { accept_understanding: true, ..Criteria::default() }
}

/// Looks at the newest acknowledgment.
pub(in crate::domain) fn look(handoff: &Handoff, criteria: &Criteria<'_>) -> Verification {
    verify(handoff, handoff.newest_ack(), criteria, at(5))
}

pub(in crate::domain) fn verified() -> Handoff {
    let mut handoff = acked_with(ready());
    let verification = look(&handoff, &accepting());
    then(&mut handoff, HandoffInput::Verified(verification), 5);
    handoff
}

pub(in crate::domain) fn escalated() -> Handoff {
    let mut handoff = sent();
    then(&mut handoff, HandoffInput::Escalated, 10);
    handoff
}

/// Failed because nobody answered the notice and two reminders.
pub(in crate::domain) fn unanswered() -> Handoff {
    let mut handoff = escalated();
    let failure = super::HandoffFailure::no_ack(2, at(8));
    assert_eq!(failure.code, FailureCode::NoAckReceived);
    then(&mut handoff, HandoffInput::Failed(failure), 10);
    handoff
}
