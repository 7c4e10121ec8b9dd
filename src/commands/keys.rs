//! Keys of messages: the same sender and key twice is one message.

use super::correspondence::stored;
use crate::domain::address::Address;
use crate::domain::agent::AgentId;
use crate::domain::message::{Message, check_label};
use crate::failure::Failure;
use crate::store::Transaction;

/// The messages a sender sent with this key.
pub(super) fn sent_before(
    transaction: &Transaction,
    from: &AgentId,
    key: Option<&str>,
) -> Result<Option<Vec<Message>>, Failure> {
    let Some(key) = key else { return Ok(None) };
    check_label("key", key)?;
    let Some(id) = transaction.keyed_message(from, key)? else { return Ok(None) };
    let first = stored(transaction, &id)?;
    match &first.broadcast_id {
        Some(broadcast) => Ok(Some(transaction.broadcast(broadcast)?)),
        None => Ok(Some(vec![first])),
    }
}

/// What to know of a key that is used for another message than before.
pub(super) fn warning(
    before: &[Message],
    to: &[String],
    subject: &str,
    body: Option<&str>,
) -> Option<String> {
    let first = before.first()?;
    let same_text = first.subject == subject && body == Some(first.body.as_str());
    let reached = |address: Address| match address {
        Address::Agent(id) => before.iter().any(|message| message.to_agent == id),
        Address::Role(_) | Address::Broadcast => true,
    };
    let mut addresses = to.iter().filter_map(|list| Address::parse_list(list).ok()).flatten();
    let differs = !same_text || !addresses.all(reached);
    differs.then(|| {
        "this key was used before, for another text or recipient: nothing new was sent; choose a new --key"
            .to_owned()
    })
}
