//! The story of a handoff, from its document to its audit entry.

use super::past::{Past, Wanted};
use super::{Fact, Next, Question, Story, fact};
use crate::commands::handing;
use crate::domain::handoff::{Advice, Attempted, Handoff, HandoffId, Next as ToDo, ReceivedAck, Step};
use crate::domain::notice::duration_in_words;
use crate::domain::story::tell;
use crate::failure::{Code, Failure};

pub(super) fn story(question: &Question) -> Result<Option<Story>, Failure> {
    let Ok(part) = question.part.parse::<HandoffId>() else { return Ok(None) };
    let handoff = match handing::found(question.view, &part) {
        Ok(handoff) => handoff,
        Err(failure) if failure.code == Code::HandoffNotFound => return Ok(None),
        // So few characters name a message rather.
        Err(_) if question.part.len() < handing::SHORTEST_PART => return Ok(None),
        Err(failure) => return Err(failure),
    };
    let id = handoff.handoff_id.as_str();
    let past = past(question, &handoff)?;
    let in_vain = handing::is_given_up(question.view, &handoff)?;
    let warning = in_vain.then(|| fact("warning", handoff.before_giving_up()));
    Ok(Some(Story {
        id: id.to_owned(),
        kind: "handoff",
        title: format!("{} replaces {}", handoff.replacement.id, handoff.failed.id),
        standing: standing(&handoff, in_vain),
        facts: facts(&handoff).into_iter().chain(past.gap).chain(warning).collect(),
        steps: tell(past.events, id),
        next: next(question, &handoff, in_vain),
    }))
}

/// What was recorded about it, about the mail in its thread, and by those who waited for its answer.
fn past(question: &Question, handoff: &Handoff) -> Result<Past, Failure> {
    let view = question.view;
    let mut wanted = Wanted::since(handoff.taken_at(Step::Prepared).unwrap_or_default());
    wanted.about(&handoff.handoff_id);
    for message in view.thread(&handoff.thread_id())? {
        wanted.about(&message.message_id);
        for handshake in view.handshakes_about(&message.message_id)? {
            wanted.operation(&handshake.snapshot.id);
        }
    }
    question.past(&wanted)
}

fn standing(handoff: &Handoff, in_vain: bool) -> String {
    let status = handoff.status_after_wait(in_vain);
    match (handoff.outcome(), handoff.next()) {
        (Some(outcome), _) => format!("{outcome}, {status}"),
        (None, ToDo::Wait) if !in_vain => {
            format!("{status}, to be acknowledged within {}", handoff.urgency.ack_required_within())
        }
        (None, _) => status.to_owned(),
    }
}

fn facts(handoff: &Handoff) -> Vec<Fact> {
    let tasks: Vec<_> = handoff.tasks.iter().map(|it| format!("{} ({})", it.task_id, it.task_uuid)).collect();
    let mut facts = vec![
        fact("from", &handoff.orchestrator),
        fact("failed", in_session(&handoff.failed.id, handoff.failed.session.as_deref())),
        fact("to", in_session(&handoff.replacement.id, handoff.replacement.session.as_deref())),
        fact("reason", &handoff.reason),
        fact("urgency", handoff.urgency),
        fact("tasks", tasks.join(", ")),
    ];
    facts.extend(handoff.requested.as_ref().map(|it| fact("asked for", &it.notification_id)));
    facts.extend(handoff.starting_from.as_ref().map(|it| fact("checkpoint", it)));
    facts.extend(
        handoff
            .document
            .as_ref()
            .map(|it| fact("document", format!("{} ({} bytes)", it.path, it.size_bytes))),
    );
    facts.extend(handoff.attempts.iter().map(|it| fact("on GitHub", attempted(it))));
    facts.extend(
        handoff.deliveries.iter().map(|it| fact("notice", format!("{} at {}", it.message_id, it.at))),
    );
    for received in &handoff.acks {
        facts.push(fact("ack", acked(received)));
        facts.extend(received.ack.questions().iter().map(|it| fact("question", it)));
    }
    let answers = handoff.clarifications.iter().flat_map(|it| &it.answers);
    facts.extend(answers.map(|it| fact("answer", format!("{}: {}", it.question, it.answer))));
    facts.extend(handoff.verification.as_ref().map(|it| fact("verified", &it.message)));
    facts.extend(handoff.delay.as_ref().map(|it| fact("override", &it.reason)));
    facts.extend(ended(handoff));
    facts
}

fn in_session(agent: &impl ToString, session: Option<&str>) -> String {
    format!("{} (session {})", agent.to_string(), session.unwrap_or("unknown"))
}

fn attempted(attempted: &Attempted) -> String {
    let what = attempted.attempt.to_string();
    match (&attempted.error, &attempted.url) {
        (Some(error), _) => format!("{what} failed: {error}"),
        (None, Some(url)) => format!("{what}: {url}"),
        (None, None) => what,
    }
}

fn acked(received: &ReceivedAck) -> String {
    let ack = &received.ack;
    let mut parts = vec![ack.status.as_ref().map_or("no status", |it| it.as_str()).to_owned()];
    parts.extend(ack.understanding.as_ref().map(|it| format!("\"{it}\"")));
    parts.extend(ack.starting_from.as_ref().map(|it| format!("from '{it}'")));
    parts.extend(ack.reason.as_ref().map(|it| format!("because \"{it}\"")));
    parts.extend(received.late.then(|| "too late".to_owned()));
    parts.join(", ")
}

fn ended(handoff: &Handoff) -> Vec<Fact> {
    let mut facts = Vec::new();
    if let Some(transfer) = &handoff.transfer {
        let moved: Vec<_> = transfer.moved.iter().map(|it| it.task_uuid.as_str()).collect();
        facts.push(fact("moved", moved.join(", ")));
        facts.extend(
            transfer.failed.iter().map(|it| fact("not moved", format!("{}: {}", it.uuid, it.reason))),
        );
    }
    facts.extend(handoff.failure.as_ref().map(|it| fact("failure", format!("{}: {}", it.code, it.message))));
    facts.extend(handoff.confirmation.as_ref().map(|it| fact("told", &it.message_id)));
    facts.extend(handoff.total_duration().map(|it| fact("took", duration_in_words(it))));
    facts.extend(handoff.superseded_by.as_ref().map(|it| fact("newer", it)));
    facts
}

/// The orchestrator of a handoff that is not answered can only wait.
fn next(question: &Question, handoff: &Handoff, in_vain: bool) -> Option<Next> {
    let advice = if in_vain { handoff.giving_up() } else { handoff.advice(handoff.verification.as_ref()) };
    let Advice { agent, command } = advice?;
    let waits = question.asker == Some(&handoff.orchestrator) && agent == handoff.replacement.id;
    Some(match waits {
        true => Next {
            agent: handoff.orchestrator.clone(),
            command: format!("bb agent replace --resume {}", handoff.handoff_id),
        },
        false => Next { agent, command },
    })
}
