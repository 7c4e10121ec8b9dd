//! `reply`: the recipient answers, in one word or in many.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::correspondence::{only_recipient, post, stored};
use super::handshake::{lateness, uncounted};
use super::identity::Actor;
use super::words::Body;
use super::{Context, Listener, Me, Report, Which, handing, lookup, tasking};
use crate::domain::Timestamp;
use crate::domain::handshake::Late;
use crate::domain::message::{Category, Draft, Kind, Message, Priority, Response, reply_subject};
use crate::domain::reply::{Verdict, classify};
use crate::domain::task::TaskView;
use crate::failure::{Code, Failure};

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
}

/// The answer that was sent, and what it was taken for.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Replied {
    #[serde(flatten)]
    pub message: Message,
    pub body_bytes: usize,
    pub verdict: Verdict,
    /// The message that was answered.
    pub answered: Answered,
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

/// Sends the answer back and notes what it says.
pub(super) fn answer(context: &Context, args: &Args) -> Result<Replied, Failure> {
    let me = context.identity(args.me.agent.as_ref(), "--agent")?.id;
    let part = args.which.part()?;
    let said = match (args.ok, args.wait, args.cancel) {
        (true, ..) => "ok".to_owned(),
        (_, true, _) => "wait".to_owned(),
        (.., true) => "cancel".to_owned(),
        _ => args.body.read(context)?.unwrap_or_default(),
    };
    let statements = tasking::statements(&said, None)?;
    let verdict = tasking::verdict_of(&statements).unwrap_or_else(|| classify(&said));
    let (answer, asked, heard, late, now) = context.write(|transaction, now| {
        let actor = context.acting(transaction, &me, Code::AgentNotFound)?;
        let asked = lookup::message(transaction, part)?;
        only_recipient(&asked, &actor, Code::AckForbidden, "answer")?;
        let mut draft = draft(&asked, &actor, &said, verdict, args.note.as_deref());
        if !statements.is_empty() {
            (draft.kind, draft.content) = (Kind::Message, None);
            tasking::dress(transaction, &mut draft, &statements, now)?;
        }
        let answer = post(context, transaction, &draft, now)?;
        let mut heard = tasking::hear(context, transaction, &answer, &statements, now)?;
        let response = response(&answer, verdict, args.note.clone(), now);
        let handed = handing::hear(context, transaction, &answer, Some(&asked), verdict, now)?;
        if handed.is_none() {
            let bound = tasking::bind(context, transaction, &asked, &response, &answer, &statements, now)?;
            if let Some(refused) = bound.refused {
                return Err(refused);
            }
            heard.add(bound);
        }
        transaction.agent_seen(&me, now)?;
        let late = lateness(transaction, &asked)?;
        heard.warnings.extend(uncounted(transaction, &asked, &response, actor.verified)?);
        Ok((answer, stored(transaction, &asked.message_id)?, heard, late, now))
    })?;
    let answered = Answered {
        still_needs_ack: crate::domain::mailbox::needs_ack(&asked),
        message_id: asked.message_id,
        state: asked.state,
    };
    let tasks = heard.tasks.iter().map(|task| task.view(now)).collect();
    Ok(Replied {
        body_bytes: answer.body.len(),
        message: answer,
        verdict,
        answered,
        late,
        tasks,
        warnings: heard.warnings,
    })
}

/// One of the words of the vocabulary is an acknowledgment; anything else is plain mail.
fn draft(asked: &Message, actor: &Actor, said: &str, verdict: Verdict, note: Option<&str>) -> Draft {
    let understood = verdict != Verdict::Other;
    let content =
        json!({"type": Kind::Acknowledgment, "message": said, "ready": verdict.proceeds(), "notes": note});
    Draft {
        from: actor.agent.id.clone(),
        to: asked.from_agent.clone(),
        bead_id: asked.bead_id.clone(),
        thread_id: asked.thread_id.clone(),
        category: Category::Info,
        kind: if understood { Kind::Acknowledgment } else { Kind::Message },
        priority: Priority::Normal,
        subject: reply_subject(&asked.subject),
        body: said.to_owned(),
        content: (understood || note.is_some()).then_some(content),
        requires_ack: false,
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
