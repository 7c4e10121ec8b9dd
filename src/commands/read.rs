//! `read`: one message, and what to do about it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::correspondence::{mark_read, only_recipient};
use super::handshake::time_of;
use super::{Context, Me, Report, Which, handing, lookup, tasking};
use crate::domain::Timestamp;
use crate::domain::agent::Agent;
use crate::domain::handoff::{Handoff, HandoffStatus};
use crate::domain::mailbox::needs_ack;
use crate::domain::message::{Message, State};
use crate::domain::notice::whole_seconds;
use crate::domain::task::Task;
use crate::domain::task::notice::{Lesson, lesson};
use crate::failure::{Code, Failure};
use crate::store::Transaction;

/// Read a message
#[derive(Debug, Clone, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Args {
    #[command(flatten)]
    #[serde(flatten)]
    pub me: Me,
    #[command(flatten)]
    #[serde(flatten)]
    pub which: Which,
    /// Look without marking it read
    #[arg(long)]
    pub peek: bool,
}

/// A message with its place in its thread.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Reading {
    #[serde(flatten)]
    pub message: Message,
    pub thread_position: usize,
    pub thread_length: usize,
    /// The line that acknowledges it, while it needs an ack.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub acknowledge: Option<String>,
    /// How to acknowledge the task it gives, while that is due.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<Lesson>,
    /// The handshake that waits for the answer, and how to give it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub handshake: Option<Awaited>,
    #[serde(skip)]
    #[schemars(skip)]
    reader: Reader,
}

/// An open handshake, seen by the one who is asked.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Awaited {
    pub operation_id: String,
    #[schemars(with = "String")]
    pub deadline: Timestamp,
    pub remaining_seconds: u64,
    /// The lines that say ok, wait and cancel.
    pub answers: Answers,
}

/// The three words, as lines to run.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Answers {
    pub ok: String,
    /// For a handoff: the line that asks before it says ok.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ask: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wait: Option<String>,
    pub cancel: String,
}

impl Awaited {
    /// The same with the lines that a handoff has to be answered with, if it is about one.
    fn about(mut self, handoff: Option<&Handoff>, now: Timestamp) -> Self {
        if let Some(due) = handoff.and_then(Handoff::ack_due_at).filter(|due| *due > now) {
            // The first reminder is when the answer is due; what comes after is grace.
            (self.deadline, self.remaining_seconds) = (due, whole_seconds(due.since(now)));
        }
        let line = |status| handoff.and_then(|it| it.ack_line(status));
        self.answers.ask = line(HandoffStatus::NeedsClarification);
        self.answers.ok = line(HandoffStatus::ReadyToProceed).unwrap_or(self.answers.ok);
        self.answers.cancel = line(HandoffStatus::Rejected).unwrap_or(self.answers.cancel);
        self
    }
}

/// Who reads, when, and whether that is to be remembered.
#[derive(Debug)]
struct Reader {
    agent: Agent,
    now: Timestamp,
    marks: bool,
}

impl Reading {
    /// When it was read.
    pub fn now(&self) -> Timestamp {
        self.reader.now
    }
}

impl Report for Reading {
    /// Marks the message read only now that its text has been written out: whoever is cut off before
    /// finds it unread again.
    fn settle(&self, context: &Context) -> Result<(), Failure> {
        if !self.reader.marks {
            context.note_activity(&self.reader.agent);
            return Ok(());
        }
        context.write(|transaction, _| {
            mark_read(transaction, &self.message, self.reader.now)?;
            Ok(transaction.agent_seen(&self.reader.agent.id, self.reader.now)?)
        })
    }
}

/// Reads the message.
pub fn run(context: &Context, args: &Args) -> Result<Reading, Failure> {
    let me = context.identity(args.me.agent.as_ref(), "--agent")?.id;
    let part = args.which.part()?;
    let now = context.now();
    context.read(|view| {
        let actor = context.acting(view, &me, Code::AgentNotFound)?;
        let mut message = lookup::message(view, part)?;
        only_recipient(&message, &actor, Code::ReadForbidden, "read")?;
        let thread = view.thread(&message.thread_id)?;
        let place = thread.iter().position(|other| other.message_id == message.message_id);
        let handoff = handing::asked_by(view, &message)?;
        let handshake = awaited(context, view, &message)?.map(|it| it.about(handoff.as_ref(), now));
        let marks = !args.peek && message.state == State::Unread;
        let owed = tasking::asked_by(view, &message)?.filter(Task::awaits_ack);
        let task = owed.as_ref().map(lesson);
        let plainly = || format!("bb agent ack --agent {me} --message {}", message.message_id);
        let with_fields = handoff.as_ref().and_then(|it| it.ack_line(HandoffStatus::ReadyToProceed));
        let acknowledge = match &task {
            Some(lesson) => Some(lesson.command.clone()),
            None => with_fields.or_else(|| needs_ack(&message).then(plainly)),
        };
        if marks {
            message.state = State::Read;
            message.read_at = Some(now);
        }
        Ok(Reading {
            thread_position: place.map_or(1, |index| index + 1),
            thread_length: thread.len().max(1),
            acknowledge,
            task,
            handshake,
            message,
            reader: Reader { agent: actor.agent, now, marks },
        })
    })
}

/// The open handshake that waits for the reader's answer to this message.
fn awaited(context: &Context, view: &Transaction, message: &Message) -> Result<Option<Awaited>, Failure> {
    let mut concerned = view.handshakes_about(&message.message_id)?;
    if let Some(operation) = &message.operation_id {
        concerned.extend(view.handshake(operation)?);
    }
    for stored in concerned.iter().filter(|it| it.snapshot.end.is_none()) {
        let waiting = stored.snapshot.asked_in(message).filter(|it| it.status.is_waiting());
        let Some(recipient) = waiting else { continue };
        let reply = format!("bb agent reply --agent {} --message {}", message.to_agent, recipient.message_id);
        let more_time = stored.snapshot.plan.extension.is_some() && !recipient.extended;
        return Ok(Some(Awaited {
            operation_id: stored.snapshot.id.clone(),
            deadline: recipient.deadline,
            remaining_seconds: whole_seconds(recipient.deadline.since(time_of(stored, context.clock))),
            answers: Answers {
                ok: format!("{reply} --ok"),
                ask: None,
                wait: more_time.then(|| format!("{reply} --wait")),
                cancel: format!("{reply} --cancel"),
            },
        }));
    }
    Ok(None)
}
