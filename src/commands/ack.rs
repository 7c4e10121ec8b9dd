//! `ack`: the recipient takes responsibility.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::correspondence::{keep_answer, mark_acked, only_recipient, stored};
use super::identity::Actor;
use super::lookup::WhichOnes;
use super::{Context, Me, Report, lookup};
use crate::domain::Timestamp;
use crate::domain::message::{Message, MessageId, Response, State};
use crate::domain::reply::Verdict;
use crate::failure::{Code, Failure};
use crate::store::Transaction;

/// Acknowledge messages
#[derive(Debug, Clone, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Args {
    #[command(flatten)]
    #[serde(flatten)]
    pub me: Me,
    #[command(flatten)]
    #[serde(flatten)]
    pub which: WhichOnes,
    /// A word to the sender
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub note: Option<String>,
}

/// The messages, acknowledged.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Acked {
    One(Box<Message>),
    Several(Vec<Message>),
}

impl Report for Acked {}

/// Acknowledges all of them or none. Doing it again gives the same answer.
pub fn run(context: &Context, args: &Args) -> Result<Acked, Failure> {
    let me = context.identity(args.me.agent.as_ref(), "--agent")?.id;
    let parts = args.which.parts()?;
    let mut messages = context.write(|transaction, now| {
        let actor = context.acting(transaction, &me, Code::AgentNotFound)?;
        transaction.agent_seen(&me, now)?;
        parts
            .iter()
            .map(|part| ack(context, transaction, &actor, part, args.note.as_deref(), now))
            .collect::<Result<Vec<_>, _>>()
    })?;
    Ok(match messages.pop() {
        Some(only) if messages.is_empty() => Acked::One(Box::new(only)),
        last => Acked::Several(messages.into_iter().chain(last).collect()),
    })
}

fn ack(
    context: &Context,
    transaction: &Transaction,
    actor: &Actor,
    part: &MessageId,
    note: Option<&str>,
    now: Timestamp,
) -> Result<Message, Failure> {
    let message = lookup::message(transaction, part)?;
    only_recipient(&message, actor, Code::AckForbidden, "acknowledge")?;
    let unanswered = message.response.as_ref().is_none_or(|response| !response.verdict.proceeds());
    if message.state != State::Acked && unanswered {
        let response = Response {
            verdict: Verdict::Ready,
            message: "ack".to_owned(),
            notes: note.map(str::to_owned),
            message_id: None,
            at: now,
        };
        keep_answer(context, transaction, &message, &response, actor.verified, now)?;
    }
    mark_acked(transaction, &message, now)?;
    stored(transaction, &message.message_id)
}
