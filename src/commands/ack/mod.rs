//! `ack`: the recipient takes responsibility.

mod answer;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::correspondence::{keep_answer, mark_acked, only_recipient, stored};
use super::handshake::{is_awaited, lateness, uncounted, wants_token};
use super::identity::Actor;
use super::lookup::WhichOnes;
use super::tasking::{self, Cause};
use super::{Context, Me, Report, handing, lookup};
use crate::domain::Timestamp;
use crate::domain::handoff::{Handoff, HandoffAck, HandoffId, HandoffView};
use crate::domain::handshake::Late;
use crate::domain::message::{Message, MessageId, Response, State};
use crate::domain::reply::Verdict;
use crate::domain::task::{Task, TaskId, TaskView, notice};
use crate::failure::{Code, Failure};
use crate::store::Transaction;

pub use answer::Answer;

/// Acknowledge messages or a task
#[derive(Debug, Clone, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Args {
    #[command(flatten)]
    #[serde(flatten)]
    pub me: Me,
    #[command(flatten)]
    #[serde(flatten)]
    pub which: WhichOnes,
    /// The task you were given, instead of its message
    #[arg(long, value_name = "TASK", conflicts_with_all = ["ids", "message"])]
    pub task: Option<TaskId>,
    /// The handoff you were given, instead of its message
    #[arg(long, value_name = "ID", conflicts_with_all = ["ids", "message", "task"])]
    pub handoff: Option<HandoffId>,
    /// A word to the sender
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub note: Option<String>,
    #[command(flatten)]
    #[serde(flatten)]
    pub answer: Answer,
}

/// The messages, acknowledged.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Acked {
    One(Box<AckedMessage>),
    Several(Vec<AckedMessage>),
}

/// A message, and the task it was about.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AckedMessage {
    #[serde(flatten)]
    pub message: Message,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<TaskView>,
    /// The handoff it was about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub handoff: Option<HandoffView>,
    /// The wait for it was over when it came.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub late: Option<Late>,
    /// Why it did not count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warning: Option<String>,
    /// What would make it a better acknowledgment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl Report for Acked {}

/// Acknowledges all of them or none. Doing it again gives the same answer.
pub fn run(context: &Context, args: &Args) -> Result<Acked, Failure> {
    let me = context.identity(args.me.agent.as_ref(), "--agent")?.id;
    let mut acked = context.write(|transaction, now| {
        let actor = context.acting(transaction, &me, Code::AgentNotFound)?;
        transaction.agent_seen(&me, now)?;
        let mut acked = match acknowledge(context, transaction, args, &actor, now)? {
            Ok(acked) => acked,
            Err(refused) => return Ok(Err(refused)),
        };
        for one in &mut acked {
            one.late = lateness(transaction, &one.message)?;
            one.warning = uncounted(transaction, &one.message, &bare_ack(None, now), actor.verified)?;
        }
        Ok(Ok(acked))
    })??;
    Ok(match acked.pop() {
        Some(only) if acked.is_empty() => Acked::One(Box::new(only)),
        last => Acked::Several(acked.into_iter().chain(last).collect()),
    })
}

/// Acknowledges what is named. The inner failure is a refusal whose consequences are kept.
fn acknowledge(
    context: &Context,
    transaction: &Transaction,
    args: &Args,
    actor: &Actor,
    now: Timestamp,
) -> Result<Result<Vec<AckedMessage>, Failure>, Failure> {
    if let Some(handoff) = named_handoff(transaction, args, actor)? {
        return about_handoff(context, transaction, args, actor, handoff, now).map(|one| Ok(vec![one]));
    }
    if args.task.is_some() || args.answer.is_given() {
        let task = named_task(transaction, args, actor)?;
        return Ok(about_task(context, transaction, args, actor, task, now)?.map(|one| vec![one]));
    }
    let each = |part| ack(context, transaction, actor, part, args.note.as_deref(), now);
    args.which.parts()?.into_iter().map(each).collect::<Result<_, _>>().map(Ok)
}

/// The handoff that is answered: named itself, or by a message about it that got an answer of its own.
fn named_handoff(transaction: &Transaction, args: &Args, actor: &Actor) -> Result<Option<Handoff>, Failure> {
    if let Some(id) = &args.handoff {
        return handing::found(transaction, id).map(Some);
    }
    if args.task.is_some() {
        return Ok(None);
    }
    let parts = args.which.parts()?;
    let [part] = parts.as_slice() else { return Ok(None) };
    let message = lookup::message(transaction, part)?;
    only_recipient(&message, actor, Code::AckForbidden, "acknowledge")?;
    if args.answer.is_given() {
        return handing::of_message(transaction, &message);
    }
    handing::asked_by(transaction, &message)
}

/// Answers a handoff. What lacks a field is refused with the line that would be right.
fn about_handoff(
    context: &Context,
    transaction: &Transaction,
    args: &Args,
    actor: &Actor,
    handoff: Handoff,
    now: Timestamp,
) -> Result<AckedMessage, Failure> {
    let Handoff { handoff_id, replacement, .. } = &handoff;
    if replacement.id != actor.agent.id {
        let what =
            format!("handoff `{handoff_id}` was given to `{}`; you are `{}`", replacement.id, actor.agent.id);
        return Err(Failure::new(Code::AckForbidden, what).hint("only the replacement acknowledges it"));
    }
    let ack = args.answer.of_handoff(handoff_id, args.note.as_deref())?.cleaned();
    if let Some(message_id) = handoff.message_id() {
        ack.check_complete(&actor.agent.id, message_id)?;
    }
    let answered = handing::answer(context, transaction, handoff, ack, None, actor.verified, now)?;
    Ok(AckedMessage {
        message: answered.asked,
        task: None,
        hint: answered.handoff.lateness(),
        handoff: Some(answered.handoff.view()),
        late: None,
        warning: None,
    })
}

/// The task that is answered for: named itself, or by a message about it.
fn named_task(transaction: &Transaction, args: &Args, actor: &Actor) -> Result<Task, Failure> {
    if let Some(id) = &args.task {
        return tasking::named(transaction, id);
    }
    let parts = args.which.parts()?;
    let [part] = parts.as_slice() else {
        return Err(Failure::new(Code::InvalidArgs, "several messages cannot have one answer")
            .hint("answer for each task by itself"));
    };
    let message = lookup::message(transaction, part)?;
    only_recipient(&message, actor, Code::AckForbidden, "acknowledge")?;
    tasking::of_message(transaction, &message)?.ok_or_else(|| {
        let what = format!("message `{}` gives you no task", message.message_id);
        Failure::new(Code::InvalidTask, what).hint("acknowledge it without task flags, or name the --task")
    })
}

/// Answers for a task. The inner failure is a refusal whose consequences are kept.
fn about_task(
    context: &Context,
    transaction: &Transaction,
    args: &Args,
    actor: &Actor,
    task: Task,
    now: Timestamp,
) -> Result<Result<AckedMessage, Failure>, Failure> {
    let input = args.answer.input(&task, args.note.as_deref())?;
    if let Some(refused) = tasking::refusal(context, transaction, &task, &actor.agent.id, &input, now)? {
        return Ok(Err(refused));
    }
    let cause = Cause::command(&actor.agent.id, actor.verified);
    // What follows may give the task to another agent; what was answered is this one's message.
    let asked = task.asked_in.clone();
    let after = tasking::change(context, transaction, task, input, &cause, now)?.task;
    let missing = || Failure::new(Code::InternalError, "the task was never sent to its agent");
    let message = stored(transaction, &asked.ok_or_else(missing)?)?;
    let task = Some(after.view(now));
    Ok(Ok(AckedMessage { message, task, handoff: None, late: None, warning: None, hint: hint(&after) }))
}

/// An acknowledgment that does not say what was understood is only half of one.
fn hint(task: &Task) -> Option<String> {
    let silent = task.may_begin().0 && task.understanding.is_none();
    silent.then(|| format!("say what you will do: {}", notice::lesson(task).command))
}

/// Acknowledges one message. For a task whose answer it asks for, that is the answer.
fn ack(
    context: &Context,
    transaction: &Transaction,
    actor: &Actor,
    part: &MessageId,
    note: Option<&str>,
    now: Timestamp,
) -> Result<AckedMessage, Failure> {
    let message = lookup::message(transaction, part)?;
    only_recipient(&message, actor, Code::AckForbidden, "acknowledge")?;
    if let Some(handoff) = handing::asked_by(transaction, &message)? {
        // Among others it cannot say what a handoff has to be answered with.
        let bare = HandoffAck { handoff_id: Some(handoff.handoff_id.to_string()), ..HandoffAck::default() };
        bare.check_complete(&actor.agent.id, &message.message_id)?;
    }
    let mut task = tasking::asked_by(transaction, &message)?;
    match task.take() {
        Some(owed) if owed.awaits_ack() => {
            let input = Answer::default().input(&owed, note)?;
            let cause = Cause::command(&actor.agent.id, actor.verified);
            task = Some(tasking::change(context, transaction, owed, input, &cause, now)?.task);
        }
        // The agent has answered for the task; this only says that the message was seen.
        Some(answered) => task = Some(answered),
        None => take_responsibility(context, transaction, actor, &message, note, now)?,
    }
    // What does not count leaves the message open, so that it is found again.
    if task.is_some() || actor.verified || !wants_token(transaction, &message)? {
        mark_acked(transaction, &message, now)?;
    }
    Ok(AckedMessage {
        message: stored(transaction, &message.message_id)?,
        hint: task.as_ref().and_then(hint),
        task: task.map(|task| task.view(now)),
        handoff: None,
        late: None,
        warning: None,
    })
}

/// Answers a message with a bare ack, unless it was answered.
fn take_responsibility(
    context: &Context,
    transaction: &Transaction,
    actor: &Actor,
    message: &Message,
    note: Option<&str>,
    now: Timestamp,
) -> Result<(), Failure> {
    let unanswered = message.response.as_ref().is_none_or(|response| !response.verdict.proceeds());
    // What was called off after it was acked may be asked again.
    if (message.state == State::Acked || !unanswered) && !is_awaited(transaction, message)? {
        return Ok(());
    }
    keep_answer(context, transaction, message, &bare_ack(note, now), actor.verified, now)
}

/// What an ack without any word says.
fn bare_ack(note: Option<&str>, now: Timestamp) -> Response {
    Response {
        verdict: Verdict::Ready,
        message: "ack".to_owned(),
        notes: note.map(str::to_owned),
        message_id: None,
        at: now,
    }
}
