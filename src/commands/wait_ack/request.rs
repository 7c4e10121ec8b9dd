//! A request that is sent from here.

use super::{Args, plan};
use crate::commands::handshake::{self, Ask};
use crate::commands::recipients::{self, Addressees};
use crate::commands::{Context, Listener};
use crate::domain::agent::AgentId;
use crate::domain::handshake::Operation;
use crate::domain::message::check_label;
use crate::domain::schedule::Profile;
use crate::failure::{Code, Failure};
use crate::store::Transaction;

/// Sends the request and opens its handshake, in one transaction.
pub(super) fn send(context: &Context, args: &Args, listener: &mut dyn Listener) -> Result<String, Failure> {
    let from = context.identity(args.from.as_ref(), "--from")?.id;
    let kind = args.operation.clone().unwrap_or_default();
    let bead = match &args.bead {
        Some(bead) => Some(bead.clone()),
        None => context.settings.text("BB_BEAD")?,
    };
    bead.as_deref().map_or(Ok(()), |bead| check_label("bead", bead))?;
    let (id, joined) = context.write(|transaction, now| {
        let sender = context.acting(transaction, &from, Code::UnknownSender)?;
        if let Some(asked) = asked_before(transaction, &from, args.key.as_deref())? {
            return Ok((asked, true));
        }
        let Addressees { agents, .. } = recipients::resolve(context, transaction, &args.to, &from, false)?;
        let usual = if args.quorum.is_some() { Profile::MultiAgent } else { Profile::Operation };
        let ask = Ask {
            requester: from.clone(),
            operation: Operation {
                kind,
                description: args.describe.clone(),
                timeout_text: args.timeout_note.clone(),
                ..Operation::default()
            },
            plan: plan::resolve(context, args, usual)?,
            require_verified: args.require_verified,
            bead,
            verified: sender.verified,
        };
        transaction.agent_seen(&from, now)?;
        let state = handshake::open_request(context, transaction, ask, &agents, now)?;
        if let (Some(key), Some(first)) = (&args.key, state.recipients.first()) {
            transaction.remember_key(&from, key, &first.message_id)?;
        }
        Ok((state.id, false))
    })?;
    if joined {
        listener.notice(&format!("asked before with this key: {id}; its own schedule holds"))?;
    }
    Ok(id)
}

/// The operation whose request was sent with this key.
fn asked_before(
    transaction: &Transaction,
    from: &AgentId,
    key: Option<&str>,
) -> Result<Option<String>, Failure> {
    let Some(key) = key else { return Ok(None) };
    check_label("key", key)?;
    let Some(first) = transaction.keyed_message(from, key)? else { return Ok(None) };
    let other = || {
        let what = format!("the key `{key}` is that of message `{first}`, which asks about no operation");
        Failure::new(Code::InvalidArgs, what).hint("choose another key")
    };
    // The request itself opened the first of them; what was waited for later is another wait.
    let asked = transaction.handshakes_about(&first)?.into_iter().next().ok_or_else(other)?;
    Ok(Some(asked.snapshot.id))
}
