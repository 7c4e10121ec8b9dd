//! The story of a fan-out: one text to several agents.

use super::past::Wanted;
use super::{Next, Question, Story, fact, names};
use crate::domain::mailbox::needs_ack;
use crate::domain::message::State;
use crate::domain::story::tell;
use crate::failure::Failure;

pub(super) fn story(question: &Question) -> Result<Option<Story>, Failure> {
    let messages = question.view.broadcast(question.part)?;
    let Some(first) = messages.first() else { return Ok(None) };
    let mut wanted = Wanted::since(first.created_at);
    for message in &messages {
        wanted.about(&message.message_id);
    }
    let past = question.past(&wanted)?;
    let count = |state| messages.iter().filter(|it| it.state == state).count();
    let owed: Vec<_> = messages.iter().filter(|it| needs_ack(it)).collect();
    let ids: Vec<_> = owed.iter().map(|it| it.message_id.as_str()).collect();
    Ok(Some(Story {
        id: question.part.to_owned(),
        kind: "broadcast",
        title: first.subject.clone(),
        standing: format!(
            "{} messages: {} acknowledged, {} read, {} not read yet",
            messages.len(),
            count(State::Acked),
            count(State::Read),
            count(State::Unread)
        ),
        facts: [
            fact("from", &first.from_agent),
            fact("to", names(messages.iter().map(|it| &it.to_agent))),
            fact("owing", names(owed.iter().map(|it| &it.to_agent))),
        ]
        .into_iter()
        .chain(past.gap)
        .collect(),
        steps: tell(past.events, question.part),
        next: (!ids.is_empty()).then(|| Next {
            agent: first.from_agent.clone(),
            command: format!("bb agent wait-ack --message {}", ids.join(" ")),
        }),
    }))
}
