//! Whether what is said of a task answers the message it replies to.

use super::hearing::Statement;
use super::of_message;
use crate::commands::correspondence::stored;
use crate::domain::message::{Kind, Message};
use crate::domain::reply::Verdict;
use crate::domain::task::{Addressed, TaskId, TaskInput, addressed};
use crate::failure::Failure;
use crate::store::Transaction;

/// What a mail that makes a single statement about a task answers to the message it replies to: whatever is
/// said of one matter is no answer to another.
pub(crate) fn verdict_of(
    view: &Transaction,
    asked: &Message,
    statements: &[Statement],
) -> Result<Option<Verdict>, Failure> {
    let (said, verdict) = match statements {
        [Ok((said, TaskInput::Ack(ack)))] => (said, ack.verdict()),
        [Ok((said, TaskInput::Fail(_)))] => (said, Verdict::Error),
        _ => return Ok(None),
    };
    Ok(Some(if is_about(view, asked, said)? { verdict } else { Verdict::Other }))
}

/// Whether a message is about a task of that name: one that it was sent for, or one that plain mail names.
fn is_about(view: &Transaction, message: &Message, said: &TaskId) -> Result<bool, Failure> {
    if let Some(task) = of_message(view, message)? {
        return Ok(matches!(addressed(said, std::slice::from_ref(&task)), Addressed::Task(_)));
    }
    let texts = [message.bead_id.as_deref().unwrap_or_default(), &message.subject, &message.body];
    Ok(message.kind == Kind::Message && texts.iter().any(|text| said.is_named_in(text)))
}

/// What to say about an answer for a task that replies to a message about none.
pub(crate) fn beside_the_point(
    view: &Transaction,
    asked: &Message,
    statements: &[Statement],
) -> Result<Option<String>, Failure> {
    let [Ok((said, TaskInput::Ack(_) | TaskInput::Fail(_)))] = statements else { return Ok(None) };
    let is_other = of_message(view, asked)?.is_none() && !is_about(view, asked, said)?;
    Ok(is_other
        .then(|| format!("`{}` is not about task `{said}`: this does not answer it", asked.message_id)))
}

/// Whether a mail replies to one that delegated plainly, without a task that is kept.
pub(super) fn answers_plain_mail(view: &Transaction, mail: &Message, said: &TaskId) -> Result<bool, Failure> {
    let Some(asked) = &mail.reply_to else { return Ok(false) };
    is_about(view, &stored(view, asked)?, said)
}
