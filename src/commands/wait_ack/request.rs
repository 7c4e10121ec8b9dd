//! A request that is sent from here.

use super::{Args, plan};
use crate::commands::handshake::{self, Ask};
use crate::commands::recipients::{self, Addressees};
use crate::commands::{Context, Listener};
use crate::domain::address::Address;
use crate::domain::agent::AgentId;
use crate::domain::handshake::{Operation, Snapshot};
use crate::domain::message::{MessageId, check_label};
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
        if let Some(asked) = asked_before(transaction, &from, args)? {
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

/// The operation whose request was sent with this key. A yes to one question is none to another.
fn asked_before(transaction: &Transaction, from: &AgentId, args: &Args) -> Result<Option<String>, Failure> {
    let Some(key) = args.key.as_deref() else { return Ok(None) };
    check_label("key", key)?;
    let Some(first) = transaction.keyed_message(from, key)? else { return Ok(None) };
    let refused = |what: String| Failure::new(Code::InvalidArgs, what).hint("choose a new --key");
    let Some(asked) = request_of(transaction, &first)? else {
        return Err(refused(format!(
            "the key `{key}` is that of message `{first}`, which asks about no operation"
        )));
    };
    if is_the_same(&asked, args) {
        return Ok(Some(asked.id));
    }
    let to: Vec<_> = asked.expected().map(AgentId::as_str).collect();
    let described = asked.operation.description.as_ref().map(|text| format!(": {text}")).unwrap_or_default();
    Err(refused(format!("the key `{key}` asked {} about {}{described}", to.join(", "), asked.operation.kind)))
}

/// The operation that sent a message as its request; mail that was waited for later is none.
fn request_of(transaction: &Transaction, id: &MessageId) -> Result<Option<Snapshot>, Failure> {
    let operation = transaction.message(id)?.and_then(|message| message.operation_id);
    let Some(operation) = operation else { return Ok(None) };
    let asked = transaction.handshake(&operation)?.map(|stored| stored.snapshot);
    Ok(asked.filter(|it| it.recipients.iter().any(|recipient| recipient.message_id == *id)))
}

/// Whether an operation asked the same agents the same. Who is in a group may have changed since.
fn is_the_same(asked: &Snapshot, args: &Args) -> bool {
    let same_question = args.operation.as_ref() == Some(&asked.operation.kind)
        && args.describe == asked.operation.description;
    let (mut named, mut is_group) = (Vec::new(), false);
    for address in args.to.iter().filter_map(|list| Address::parse_list(list).ok()).flatten() {
        match address {
            Address::Agent(id) => named.push(id),
            Address::Role(_) | Address::Broadcast => is_group = true,
        }
    }
    same_question
        && named.iter().all(|id| asked.recipient(id).is_some())
        && (is_group || asked.expected().all(|id| named.contains(id)))
}
