//! Why a part of a handshake came to nothing, and the line that goes on.

use std::time::Duration;

use crate::commands::{Context, handing};
use crate::domain::agent::{Agent, AgentId};
use crate::domain::diagnosis::{Facts, Said, Uncounted, diagnose};
use crate::domain::handoff::Handoff;
use crate::domain::handshake::{Late, Operation, Outcome, Recipient, Snapshot};
use crate::domain::message::{Message, Response};
use crate::domain::reply::Verdict;
use crate::domain::schedule::Policy;
use crate::failure::Failure;
use crate::store::Transaction;

/// What probably happened, and the line that goes on; none where nothing is left to go on with.
pub(super) struct Why {
    pub(super) why: String,
    pub(super) next: Option<String>,
}

/// What is to be said about a recipient's part, if anything.
pub(super) fn diagnosis(
    context: &Context,
    view: &Transaction,
    state: &Snapshot,
    recipient: &Recipient,
    agent: &Agent,
    request: Option<&Message>,
) -> Result<Option<Why>, Failure> {
    if !needs_diagnosis(state, recipient) {
        return Ok(None);
    }
    let words = last_words(view, state, recipient)?;
    let id = state.operation.handoff_id.as_ref().and_then(|id| id.parse().ok());
    let handoff = id.map(|id| view.handoff(&id)).transpose()?.flatten();
    let again = match &handoff {
        Some(handoff) => after_handoff(view, handoff)?,
        None => again(state, recipient),
    };
    let facts = Facts {
        agent: recipient.answerer(),
        status: recipient.status,
        proceeds: state.end.as_ref().is_some_and(|end| end.proceed),
        state: agent.state,
        liveness: context.liveness(agent)?,
        last_seen: agent.last_seen_at,
        read_at: request.and_then(|request| request.read_at),
        answer: uncounted(state, recipient, request),
        said: words.as_ref().map(|message| said(state, recipient, message)),
        successor: agent.replaced_by.as_ref(),
        again: &again,
    };
    let found = diagnose(&facts, context.now());
    let is_over = handoff.is_some_and(|it| !it.step().is_open());
    Ok(Some(Why { why: found.why, next: Some(found.next).filter(|_| !is_over) }))
}

/// Whether something is to be said about a part that is over: nothing came of it, or a no. What a no means
/// for a task or a handoff is theirs to say.
fn needs_diagnosis(state: &Snapshot, recipient: &Recipient) -> bool {
    let silent = recipient.status.is_missing();
    state.end.is_some() && (silent || !says_itself(state) && !recipient.status.is_yes())
}

/// Why an answer that there is did not count.
fn uncounted(state: &Snapshot, recipient: &Recipient, request: Option<&Message>) -> Option<Uncounted> {
    let is_answer = |response: &Response| response.verdict != Verdict::Other;
    if recipient.late.as_ref().is_some_and(is_answer)
        && let Some(late) = Late::of(state, &recipient.agent)
    {
        return Some(Uncounted::Late(Duration::from_secs(late.late_seconds)));
    }
    if let Some(response) = &recipient.response {
        return (response.verdict == Verdict::NeedsTime).then_some(Uncounted::NeedsTime);
    }
    let answer = request.and_then(|request| request.response.as_ref()).filter(|it| is_answer(it));
    let since = |answer: &&Response| answer.at >= state.started_at;
    answer.filter(|it| state.require_verified && since(it)).map(|_| Uncounted::NotVerified)
}

/// The line that asks again. Whoever agreed and was told that it is off has to be asked anew.
fn again(state: &Snapshot, recipient: &Recipient) -> String {
    let told_off = state.recipients.len() > 1 && state.outcome() != Outcome::NeedsClarification;
    if says_itself(state) {
        in_the_same_way(format!("bb wait-ack {}", recipient.message_id), state)
    } else if told_off {
        anew(state)
    } else {
        in_the_same_way(requests(state), state)
    }
}

/// The line that asks the same once more: with a new request, or for mail with a new wait.
pub(crate) fn anew(state: &Snapshot) -> String {
    let Operation { kind, description, of_mail, .. } = &state.operation;
    if *of_mail || says_itself(state) {
        return in_the_same_way(requests(state), state);
    }
    let to: Vec<_> = state.expected().map(AgentId::as_str).collect();
    let what = description.as_ref().map(|text| format!(" --describe {}", shell_word(text)));
    let (from, to, kind) = (&state.requester, to.join(","), shell_word(kind));
    let line = format!("bb wait-ack --from {from} --to {to} --operation {kind}{}", what.unwrap_or_default());
    in_the_same_way(line, state)
}

fn requests(state: &Snapshot) -> String {
    let requests: Vec<_> = state.recipients.iter().map(|it| it.message_id.as_str()).collect();
    format!("bb wait-ack {}", requests.join(" "))
}

/// With the flags that decided what an answer, or none, comes to.
fn in_the_same_way(mut line: String, state: &Snapshot) -> String {
    if let Some(quorum) = state.plan.quorum {
        line.push_str(&format!(" --quorum {quorum}"));
    } else if state.plan.on_silence != Policy::Proceed && !says_itself(state) {
        line.push_str(&format!(" --on-timeout {}", state.plan.on_silence));
    }
    if state.require_verified {
        line.push_str(" --require-verified");
    }
    line
}

/// Whether it is about a task or a handoff, which say themselves what comes next.
const fn says_itself(state: &Snapshot) -> bool {
    state.operation.task_id.is_some() || state.operation.handoff_id.is_some()
}

/// The line with which the orchestrator of a handoff goes on when a wait for its answer is over. Where going on
/// closes it, it is shown that first.
fn after_handoff(view: &Transaction, handoff: &Handoff) -> Result<String, Failure> {
    let id = &handoff.handoff_id;
    if handing::is_given_up(view, handoff)? && !handoff.can_be_awaited_anew() {
        return Ok(format!("bb agent replace --status {id}"));
    }
    let advice = handoff.advice(handoff.verification.as_ref());
    let own = advice.filter(|advice| advice.agent == handoff.orchestrator);
    Ok(own.map_or_else(|| format!("bb agent wait-ack --handoff {id}"), |advice| advice.command))
}

/// The newest message an agent sent to anyone since it was asked, unless that answers something else.
fn last_words(
    view: &Transaction,
    state: &Snapshot,
    recipient: &Recipient,
) -> Result<Option<Message>, Failure> {
    let newest = view.newest_from(recipient.answerer(), state.started_at)?;
    Ok(newest.filter(|message| match &message.reply_to {
        Some(asked) => *asked == recipient.message_id || recipient.heard.contains(&message.message_id),
        None => true,
    }))
}

fn said<'a>(state: &Snapshot, recipient: &Recipient, message: &'a Message) -> Said<'a> {
    Said {
        to: &message.to_agent,
        text: &message.body,
        to_requester: message.to_agent == state.requester,
        bound: recipient.heard.contains(&message.message_id),
    }
}

/// A word as a shell reads it back.
pub(super) fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./:=,@%+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}
