//! `reply`: the recipient answers, in one word or in many.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::correspondence::{only_recipient, post, stored};
use super::handshake::{deadline, lateness, uncounted};
use super::identity::Actor;
use super::tasking::{self, Heard, Statement};
use super::words::Body;
use super::{Context, Listener, Me, Report, Which, handing, lookup};
use crate::domain::Timestamp;
use crate::domain::handshake::Late;
use crate::domain::message::{Draft, Kind, Message, Response, check_label};
use crate::domain::notice::{acknowledgment, whole_seconds};
use crate::domain::reply::{Verdict, classify};
use crate::domain::task::TaskView;
use crate::failure::{Code, Failure};
use crate::store::Transaction;

/// Answer a message
#[derive(Debug, Clone, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default)]
#[command(group(clap::ArgGroup::new("answer").required(true).args(["ok", "wait", "cancel", "body", "body_file"])))]
pub struct Args {
    #[command(flatten)]
    #[serde(flatten)]
    pub me: Me,
    #[command(flatten)]
    #[serde(flatten)]
    pub which: Which,
    /// Ready: go ahead; this also acknowledges
    #[arg(long)]
    pub ok: bool,
    /// Not yet: more time, please
    #[arg(long)]
    pub wait: bool,
    /// Do not do it
    #[arg(long)]
    pub cancel: bool,
    #[command(flatten)]
    #[serde(flatten)]
    pub body: Body,
    /// A word beside the answer
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub note: Option<String>,
    /// Answer once: the same key from you again is the same answer
    #[arg(long, value_name = "KEY")]
    pub key: Option<String>,
}

/// The answer that was sent, and what it was taken for.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Replied {
    #[serde(flatten)]
    pub message: Message,
    pub body_bytes: usize,
    pub verdict: Verdict,
    /// This key had been used before: nothing new was sent.
    pub duplicate: bool,
    /// The message that was answered.
    pub answered: Answered,
    /// What came of asking for more time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<MoreTime>,
    /// The wait for it was over when it came.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub late: Option<Late>,
    /// The tasks it was an answer for, as they are now.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tasks: Vec<TaskView>,
    /// What the sender should know although the answer was sent.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// Whether there is more time, and how much there is now.
#[derive(Debug, Serialize, JsonSchema)]
pub struct MoreTime {
    pub granted_seconds: u64,
    #[schemars(with = "String")]
    pub deadline: Timestamp,
    pub remaining_seconds: u64,
}

/// What became of the message that was answered.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Answered {
    pub message_id: crate::domain::message::MessageId,
    pub state: crate::domain::message::State,
    pub still_needs_ack: bool,
}

impl Report for Replied {}

/// Sends the answer back, and says what may have gone unnoticed.
pub fn run(context: &Context, args: &Args, listener: &mut dyn Listener) -> Result<Replied, Failure> {
    let replied = answer(context, args)?;
    if !listener.keeps_stdout() {
        replied.warnings.iter().try_for_each(|line| listener.notice(&format!("warning: {line}")))?;
    }
    Ok(replied)
}

/// What was sent, and what came of it.
struct Sent {
    answer: Message,
    asked: Message,
    verdict: Verdict,
    duplicate: bool,
    heard: Heard,
    late: Option<Late>,
    time: Option<MoreTime>,
}

impl Sent {
    /// An answer that was sent before: it was taken for what is kept with the message, while it is kept there.
    fn before(answer: Message, asked: Message, verdict: Verdict) -> Self {
        let kept = asked.response.as_ref().filter(|it| it.message_id.as_ref() == Some(&answer.message_id));
        let verdict = kept.map_or(verdict, |it| it.verdict);
        Self { answer, asked, verdict, duplicate: true, heard: Heard::default(), late: None, time: None }
    }
}

/// Sends the answer back and notes what it says.
pub(super) fn answer(context: &Context, args: &Args) -> Result<Replied, Failure> {
    let me = context.identity(args.me.agent.as_ref(), "--agent")?.id;
    let said = match (args.ok, args.wait, args.cancel) {
        (true, ..) => "ok".to_owned(),
        (_, true, _) => "wait".to_owned(),
        (.., true) => "cancel".to_owned(),
        _ => args.body.read(context)?.unwrap_or_default(),
    };
    let statements = tasking::statements(&said, None)?;
    let (sent, now) = context.write(|transaction, now| {
        let actor = context.acting(transaction, &me, Code::AgentNotFound)?;
        transaction.agent_seen(&me, now)?;
        let asked = lookup::message(transaction, args.which.part()?)?;
        only_recipient(&asked, &actor, Code::AckForbidden, "answer")?;
        let told = tasking::verdict_of(transaction, &asked, &statements)?;
        let verdict = told.unwrap_or_else(|| classify(&said));
        let mut draft = draft(&asked, &actor, &said, verdict, args.note.as_deref());
        if let Some(answer) = keyed(transaction, &draft, args.key.as_deref())? {
            return Ok((Sent::before(answer, asked, verdict), now));
        }
        draft.key = args.key.clone();
        if !statements.is_empty() {
            (draft.kind, draft.content) = (Kind::Message, None);
            tasking::dress(transaction, &mut draft, &statements, now)?;
        }
        let sent = give(context, transaction, asked, &draft, verdict, &statements, now)?;
        if let Some(key) = &args.key {
            transaction.remember_key(&me, key, &sent.answer.message_id)?;
        }
        Ok((sent, now))
    })?;
    Ok(report(sent, now))
}

/// Sends the answer, and lets everything hear of it that waits for it.
fn give(
    context: &Context,
    transaction: &Transaction,
    asked: Message,
    draft: &Draft,
    verdict: Verdict,
    statements: &[Statement],
    now: Timestamp,
) -> Result<Sent, Failure> {
    let before = deadline(transaction, &asked)?;
    let answer = post(context, transaction, draft, now)?;
    let mut heard = tasking::hear(context, transaction, &answer, statements, now)?;
    heard.warnings.extend(tasking::misspelled(&answer.body));
    heard.warnings.extend(tasking::beside_the_point(transaction, &asked, statements)?);
    let notes = draft.content.as_ref().and_then(|content| content.get("notes")?.as_str());
    let response = response(&answer, verdict, notes.map(str::to_owned), now);
    if handing::hear(context, transaction, &answer, Some(&asked), verdict, now)?.is_none() {
        let bound = tasking::bind(context, transaction, &asked, &response, &answer, statements, now)?;
        if let Some(refused) = bound.refused {
            return Err(refused);
        }
        heard.add(bound);
    }
    heard.warnings.extend(uncounted(transaction, &asked, &response, answer.verified)?);
    let time = match (verdict, before, deadline(transaction, &asked)?) {
        (Verdict::NeedsTime, Some(before), Some(after)) => Some(MoreTime {
            granted_seconds: whole_seconds(after.since(before)),
            deadline: after,
            remaining_seconds: whole_seconds(after.since(now)),
        }),
        _ => None,
    };
    let late = lateness(transaction, &asked)?;
    let asked = stored(transaction, &asked.message_id)?;
    Ok(Sent { answer, asked, verdict, duplicate: false, heard, late, time })
}

/// The answer that was sent with this key. Another one is not dropped for it without a word.
fn keyed(transaction: &Transaction, draft: &Draft, key: Option<&str>) -> Result<Option<Message>, Failure> {
    let Some(key) = key else { return Ok(None) };
    check_label("key", key)?;
    let Some(id) = transaction.keyed_message(&draft.from, key)? else { return Ok(None) };
    let before = stored(transaction, &id)?;
    if before.reply_to == draft.reply_to && before.body == draft.body {
        return Ok(Some(before));
    }
    let what = match &before.reply_to {
        Some(asked) => format!("the key `{key}` answered `{asked}` with \"{}\"", before.body),
        None => format!("the key `{key}` is that of message `{id}`, which is no answer"),
    };
    Err(Failure::new(Code::InvalidArgs, what).hint("nothing was sent: choose a new --key"))
}

fn report(sent: Sent, now: Timestamp) -> Replied {
    let Sent { answer, asked, verdict, duplicate, heard, late, time } = sent;
    let answered = Answered {
        still_needs_ack: crate::domain::mailbox::needs_ack(&asked),
        message_id: asked.message_id,
        state: asked.state,
    };
    Replied {
        body_bytes: answer.body.len(),
        verdict,
        message: answer,
        duplicate,
        answered,
        time,
        late,
        tasks: heard.tasks.iter().map(|task| task.view(now)).collect(),
        warnings: heard.warnings,
    }
}

/// One of the words of the vocabulary is an acknowledgment; anything else is plain mail.
fn draft(asked: &Message, actor: &Actor, said: &str, verdict: Verdict, note: Option<&str>) -> Draft {
    let understood = verdict != Verdict::Other;
    let notice = acknowledgment(&asked.subject, verdict, said, note);
    Draft {
        from: actor.agent.id.clone(),
        to: asked.from_agent.clone(),
        bead_id: asked.bead_id.clone(),
        thread_id: asked.thread_id.clone(),
        category: notice.category,
        kind: if understood { notice.kind } else { Kind::Message },
        priority: notice.priority,
        subject: notice.subject,
        body: notice.body,
        content: (understood || note.is_some()).then_some(notice.content),
        requires_ack: notice.requires_ack,
        ack_due_at: None,
        reply_to: Some(asked.message_id.clone()),
        broadcast_id: None,
        operation_id: asked.operation_id.clone(),
        key: None,
        verified: actor.verified,
    }
}

fn response(answer: &Message, verdict: Verdict, notes: Option<String>, now: Timestamp) -> Response {
    Response {
        verdict,
        message: answer.body.clone(),
        notes,
        message_id: Some(answer.message_id.clone()),
        at: now,
    }
}
