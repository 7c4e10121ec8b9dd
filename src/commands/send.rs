//! `send`: a message to one agent, a role, or everyone.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::correspondence::{check_room, post, stored};
use super::handshake::{lateness, uncounted};
use super::identity::Actor;
use super::recipients::{self, Addressees};
use super::tasking::{self, Heard};
use super::words::{self, Body};
use super::{Context, Listener, Report, handing, keys, lookup};
use crate::domain::agent::AgentId;
use crate::domain::handshake::Late;
use crate::domain::message::{
    Category, Draft, Kind, Message, MessageId, Priority, Response, check_label, check_subject, default_thread,
};
use crate::domain::reply::{Verdict, classify_with_content};
use crate::domain::task::TaskView;
use crate::domain::{Timestamp, delegation};
use crate::failure::{Code, Failure};
use crate::store::Transaction;

/// Send a message
#[derive(Debug, Clone, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Args {
    /// Who you are (else BB_AGENT, else BD_ACTOR)
    #[arg(long, value_name = "AGENT")]
    pub from: Option<AgentId>,
    /// To whom: agents separated by commas, role:NAME, or broadcast
    #[arg(long, value_name = "AGENT", required = true)]
    pub to: Vec<String>,
    /// The bead it is about (else BB_BEAD)
    #[arg(long, value_name = "BEAD")]
    pub bead: Option<String>,
    /// HANDOFF and BLOCKED require an ack, DECISION and INFO do not
    #[arg(long, value_name = "CATEGORY", required = true)]
    pub category: String,
    /// What it is about, in one line
    #[arg(short, long, value_name = "TEXT", required = true, allow_hyphen_values = true)]
    pub subject: String,
    #[command(flatten)]
    #[serde(flatten)]
    pub body: Body,
    /// The thread (else that of --reply-to, else bead:BEAD)
    #[arg(long, value_name = "THREAD")]
    pub thread: Option<String>,
    /// low, normal, high or urgent
    #[arg(long, value_name = "PRIORITY", default_value = "normal")]
    pub priority: String,
    /// Require an ack whatever the category
    #[arg(long)]
    pub require_ack: bool,
    /// The message this one answers
    #[arg(long, value_name = "ID")]
    pub reply_to: Option<MessageId>,
    /// Send once: the same key from you again is the same message
    #[arg(long, value_name = "KEY")]
    pub key: Option<String>,
    /// Structured content: a JSON object, or @FILE with one
    #[arg(long, value_name = "JSON")]
    pub content: Option<String>,
    /// Deliver to an agent that is dead, stopped or inactive too
    #[arg(long)]
    pub queue: bool,
}

/// The first message, and the others of a fan-out.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Sent {
    #[serde(flatten)]
    pub message: Message,
    pub body_bytes: usize,
    /// This key had been used before: nothing new was sent.
    pub duplicate: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub broadcast: Option<Broadcast>,
    /// The wait for it was over when it came.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub late: Option<Late>,
    /// The tasks it was an answer for, as they are now.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tasks: Vec<TaskView>,
    /// What the sender should know although the message was sent.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// One fan-out.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Broadcast {
    pub id: String,
    pub messages: Vec<Delivery>,
}

/// One message of a fan-out.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Delivery {
    pub to_agent: AgentId,
    pub message_id: MessageId,
}

impl Report for Sent {}

/// Sends the message: everyone gets it or nobody does.
pub fn run(context: &Context, args: &Args, listener: &mut dyn Listener) -> Result<Sent, Failure> {
    let from = context.identity(args.from.as_ref(), "--from")?.id;
    let body = args.body.read(context);
    let (sent, now) = context.write(|transaction, now| {
        let sender = context.acting(transaction, &from, Code::UnknownSender)?;
        if let Some(before) = keys::sent_before(transaction, &from, args.key.as_deref())? {
            let body = body.as_ref().ok().and_then(Option::as_deref);
            let warnings = keys::warning(&before, &args.to, &args.subject, body).into_iter().collect();
            let heard = Heard { warnings, ..Heard::default() };
            return Ok((Delivered { messages: before, duplicate: true, heard, ..Delivered::default() }, now));
        }
        let draft = draft(context, transaction, args, &sender, body, now)?;
        let delivered = deliver(context, transaction, args, draft, now)?;
        if let (Some(key), Some(first)) = (&args.key, delivered.messages.first()) {
            transaction.remember_key(&from, key, &first.message_id)?;
        }
        transaction.agent_seen(&from, now)?;
        Ok((delivered, now))
    })?;
    if !listener.keeps_stdout() {
        sent.heard.warnings.iter().try_for_each(|line| listener.notice(&format!("warning: {line}")))?;
    }
    report(sent, now)
}

/// What was stored, and what it meant for tasks.
#[derive(Debug, Default)]
struct Delivered {
    messages: Vec<Message>,
    duplicate: bool,
    heard: Heard,
    late: Option<Late>,
}

/// What is to be sent, with the recipients still to be filled in. The checks come in the order
/// that callers know: recipient, bead, category, subject, body.
fn draft(
    context: &Context,
    transaction: &Transaction,
    args: &Args,
    sender: &Actor,
    body: Result<Option<String>, Failure>,
    now: Timestamp,
) -> Result<(Draft, Vec<AgentId>), Failure> {
    let Addressees { agents, is_fan_out } =
        recipients::resolve(context, transaction, &args.to, &sender.agent.id, args.queue)
            .map_err(or_queue)?;
    let parent = args.reply_to.as_ref().map(|part| lookup::message(transaction, part)).transpose()?;
    let at_hand = parent.as_ref().and_then(|parent| parent.bead_id.as_deref());
    let bead = words::bead(context, args.bead.as_deref(), at_hand, "a message")?;
    let category: Category = args.category.parse()?;
    check_subject(&args.subject)?;
    let empty = || {
        Failure::new(Code::InvalidMessage, "the body is missing")
            .hint("pass --body TEXT, --body-file FILE, or --body -")
    };
    let body = body?.ok_or_else(empty)?;
    let priority: Priority = args.priority.parse()?;
    let content = args.content.as_ref().map(|text| words::content(text, context)).transpose()?;
    let thread = args.thread.clone().or_else(|| parent.as_ref().map(|parent| parent.thread_id.clone()));
    thread.as_deref().map_or(Ok(()), |thread| check_label("thread", thread))?;
    let requires_ack = category.requires_ack() || args.require_ack;
    let draft = Draft {
        from: sender.agent.id.clone(),
        to: sender.agent.id.clone(),
        thread_id: thread.unwrap_or_else(|| default_thread(&bead)),
        bead_id: Some(bead),
        category,
        kind: Kind::Message,
        priority,
        subject: args.subject.clone(),
        body,
        content,
        requires_ack,
        ack_due_at: due(context, requires_ack, now)?,
        reply_to: parent.as_ref().map(|parent| parent.message_id.clone()),
        broadcast_id: is_fan_out.then(|| context.ids.id("bc", now)).transpose()?,
        operation_id: parent.and_then(|parent| parent.operation_id),
        key: args.key.clone(),
        verified: sender.verified,
    };
    Ok((draft, agents))
}

/// Mail alone can be left for an agent that is gone.
fn or_queue(failure: Failure) -> Failure {
    let gone = failure.code == Code::RecipientGone;
    let hint = failure
        .hint
        .map(|hint| if gone { format!("{hint}, or pass --queue to leave it in the mailbox") } else { hint });
    Failure { hint, ..failure }
}

/// When a required ack is overdue.
fn due(context: &Context, requires_ack: bool, now: Timestamp) -> Result<Option<Timestamp>, Failure> {
    let timeout = context.config()?.get("acknowledgment_timeout").seconds();
    Ok(requires_ack.then_some(now + timeout))
}

/// Stores one message for each recipient; an answer to a message of its recipient counts as one, and
/// so does what is said about a task.
fn deliver(
    context: &Context,
    transaction: &Transaction,
    args: &Args,
    (mut draft, recipients): (Draft, Vec<AgentId>),
    now: Timestamp,
) -> Result<Delivered, Failure> {
    let statements = tasking::statements(&draft.body, draft.content.as_ref())?;
    let mut delivered = Delivered::default();
    if !draft.requires_ack && statements.is_empty() {
        delivered.heard.warnings.extend(delegation::warning(&delegation::marks(&draft.body)));
    }
    delivered.heard.warnings.extend(tasking::misspelled(&draft.body));
    for to in &recipients {
        check_room(context, transaction, to)?;
        draft.to = to.clone();
        if draft.broadcast_id.is_none() {
            tasking::dress(transaction, &mut draft, &statements, now)?;
        }
        delivered.messages.push(post(context, transaction, &draft, now)?);
    }
    for answer in &delivered.messages {
        delivered.heard.add(tasking::hear(context, transaction, answer, &statements, now)?);
        let asked = answered_by(transaction, args, answer)?;
        let told = match &asked {
            Some(asked) => tasking::verdict_of(transaction, asked, &statements)?,
            None => None,
        };
        let response = response(answer, told, now);
        if handing::hear(context, transaction, answer, asked.as_ref(), response.verdict, now)?.is_some() {
            continue;
        }
        let Some(asked) = asked else { continue };
        let beside = tasking::beside_the_point(transaction, &asked, &statements)?;
        let bound = tasking::bind(context, transaction, &asked, &response, answer, &statements, now)?;
        delivered.heard.add(bound);
        let uncounted = uncounted(transaction, &asked, &response, answer.verified)?;
        delivered.heard.warnings.extend(beside.into_iter().chain(uncounted));
        delivered.late = delivered.late.or(lateness(transaction, &asked)?);
    }
    Ok(delivered)
}

/// The message of its recipient that this one answers: named by `--reply-to`, or by the operation or the
/// task that its thread or its content names.
fn answered_by(transaction: &Transaction, args: &Args, answer: &Message) -> Result<Option<Message>, Failure> {
    if let Some(part) = &args.reply_to {
        let asked = lookup::message(transaction, part)?;
        let goes_back = asked.to_agent == answer.from_agent && asked.from_agent == answer.to_agent;
        return Ok(goes_back.then_some(asked));
    }
    let named = answer.content.as_ref().and_then(|content| content.get("operation_id")?.as_str());
    let Some(operation) = named.or_else(|| answer.thread_id.strip_prefix("operation:")) else {
        let task = tasking::owed_in_thread(transaction, answer)?;
        return task.and_then(|task| task.asked_in).map(|id| stored(transaction, &id)).transpose();
    };
    let Some(stored) = transaction.handshake(operation)? else { return Ok(None) };
    match stored.snapshot.answered_by(&answer.from_agent) {
        Some(asked) if stored.snapshot.requester == answer.to_agent => {
            Ok(transaction.message(&asked.message_id)?)
        }
        _ => Ok(None),
    }
}

/// Reads an answer's words and its content, unless its form has told.
fn response(answer: &Message, told: Option<Verdict>, now: Timestamp) -> Response {
    let field = |name: &str| answer.content.as_ref().and_then(|content| content.get(name));
    Response {
        verdict: told.unwrap_or_else(|| classify_with_content(&answer.body, answer.content.as_ref())),
        message: answer.body.clone(),
        notes: field("notes").and_then(|value| value.as_str()).map(str::to_owned),
        message_id: Some(answer.message_id.clone()),
        at: now,
    }
}

fn report(sent: Delivered, now: Timestamp) -> Result<Sent, Failure> {
    let Delivered { messages, duplicate, heard, late } = sent;
    let deliveries = |messages: &[Message]| {
        messages
            .iter()
            .map(|message| Delivery {
                to_agent: message.to_agent.clone(),
                message_id: message.message_id.clone(),
            })
            .collect()
    };
    let broadcast = messages
        .first()
        .and_then(|first| first.broadcast_id.clone())
        .map(|id| Broadcast { id, messages: deliveries(&messages) });
    let message =
        messages.into_iter().next().ok_or_else(|| Failure::new(Code::InternalError, "nothing was sent"))?;
    Ok(Sent {
        body_bytes: message.body.len(),
        message,
        duplicate,
        broadcast,
        late,
        tasks: heard.tasks.iter().map(|task| task.view(now)).collect(),
        warnings: heard.warnings,
    })
}
