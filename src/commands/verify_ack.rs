//! `verify-ack`: whether a replacement's acknowledgment is good enough to move the tasks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::correspondence::{post, stored};
use super::{Context, Report, handing};
use crate::domain::Timestamp;
use crate::domain::agent::AgentId;
use crate::domain::handoff::{Criteria, Handoff, HandoffId, HandoffInput, Verification, notice};
use crate::domain::message::MessageId;
use crate::failure::{Code, Failure};
use crate::store::Transaction;

/// Check the acknowledgment of a handoff
#[derive(Debug, Clone, clap::Args, Deserialize, JsonSchema)]
pub struct Args {
    /// The handoff: its id, or a unique beginning or end of it
    #[arg(value_name = "HANDOFF", required_unless_present = "handoff")]
    pub id: Option<HandoffId>,
    /// The checkpoint to expect instead of the documented one
    #[arg(value_name = "CHECKPOINT", requires = "id")]
    pub checkpoint: Option<String>,
    /// The same as HANDOFF
    #[arg(long, value_name = "ID", conflicts_with = "id")]
    pub handoff: Option<HandoffId>,
    /// Who you are (else BB_AGENT, else BD_ACTOR, else its orchestrator)
    #[arg(long, alias = "agent", value_name = "AGENT")]
    pub from: Option<AgentId>,
    /// The same as CHECKPOINT
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, conflicts_with = "checkpoint")]
    pub starting_from: Option<String>,
    /// You have read the understanding, and it fits the tasks
    #[arg(long)]
    #[serde(default)]
    pub accept_understanding: bool,
    /// Accept that fields are missing; what is wrong is never accepted
    #[arg(long, requires = "reason")]
    #[serde(default)]
    pub accept_partial: bool,
    /// Why missing fields are not needed
    #[arg(long, value_name = "TEXT", requires = "accept_partial", allow_hyphen_values = true)]
    pub reason: Option<String>,
    /// Tell the replacement what is missing or wrong, and wait for a new acknowledgment
    #[arg(long)]
    #[serde(default)]
    pub correct: bool,
}

/// The six checks.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Verified {
    #[serde(flatten)]
    pub verification: Verification,
    /// What the replacement said that it will do.
    pub understanding: Option<String>,
    /// The message that asks for a right acknowledgment, if one was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub correction: Option<MessageId>,
}

impl Report for Verified {
    fn exit_code(&self) -> u8 {
        self.verification.exit_code
    }
}

/// Makes the six checks on the newest acknowledgment, and keeps the result.
pub fn run(context: &Context, args: &Args) -> Result<Verified, Failure> {
    if args.accept_partial && args.reason.as_deref().is_none_or(|reason| reason.trim().is_empty()) {
        return Err(Failure::new(Code::InvalidHandoff, "a partial acknowledgment needs a reason")
            .hint("say why the missing fields are not needed: --reason TEXT"));
    }
    let criteria = Criteria {
        starting_from: args.checkpoint.as_deref().or(args.starting_from.as_deref()),
        accept_understanding: args.accept_understanding,
        accept_partial: args.reason.as_deref().filter(|_| args.accept_partial),
    };
    let missing =
        || Failure::new(Code::InvalidArgs, "no handoff is named").hint("pass the id: bb verify-ack ID");
    let id = args.id.as_ref().or(args.handoff.as_ref()).ok_or_else(missing)?;
    context.write(|transaction, now| {
        let mut handoff = handing::found(transaction, id)?;
        let by = handing::orchestrator(context, transaction, &handoff, args.from.as_ref())?.agent.id;
        let verification = handing::look(transaction, &mut handoff, &criteria, now)?;
        let correction = match args.correct {
            true => correct(context, transaction, &mut handoff, &verification, now)?,
            false => None,
        };
        transaction.agent_seen(&by, now)?;
        let understanding = handoff.newest_ack().and_then(|it| it.ack.understanding.clone());
        Ok(Verified { verification, understanding, correction })
    })
}

/// Says what is wrong and waits for the acknowledgment anew; what was said and is waited for is not repeated.
fn correct(
    context: &Context,
    transaction: &Transaction,
    handoff: &mut Handoff,
    verification: &Verification,
    now: Timestamp,
) -> Result<Option<MessageId>, Failure> {
    let waits = handing::wait_of(transaction, handoff)?.is_some_and(|it| it.snapshot.end.is_none());
    if waits && handoff.unconfirmed().is_some() {
        return Ok(None);
    }
    let notice = notice::correction(handoff, verification).filter(|_| handoff.step().is_open());
    let Some(notice) = notice else { return Ok(None) };
    let draft = handing::letter(handoff, &handoff.orchestrator, &handoff.replacement.id, notice);
    let message = post(context, transaction, &draft, now)?;
    let by = handoff.orchestrator.clone();
    handing::apply(transaction, handoff, HandoffInput::Corrected, &by, now)?;
    handing::wait_anew(context, transaction, handoff, now)?;
    Ok(Some(stored(transaction, &message.message_id)?.message_id))
}
