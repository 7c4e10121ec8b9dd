//! The story of an operation: its handshake.

use super::past::Wanted;
use super::{Next, Question, Story, fact, names};
use crate::commands::handshake::time_of;
use crate::commands::lookup;
use crate::commands::wait_ack::{AgentLine, Waited, ask_anew, describe, still_runs};
use crate::domain::age;
use crate::domain::story::tell;
use crate::failure::Failure;
use crate::store::sqlite::{Claim, StoredHandshake};

pub(super) fn story(question: &Question) -> Result<Option<Story>, Failure> {
    let Some(id) = lookup::operation(question.view, question.part)? else { return Ok(None) };
    let Some(stored) = question.view.handshake(&id)? else { return Ok(None) };
    let state = &stored.snapshot;
    let waited = describe(question.context, question.view, state)?;
    let at = time_of(&stored, question.context.clock);
    let mut facts = vec![
        fact("requester", &state.requester),
        fact("asked", names(state.expected())),
        fact("answered", names(state.received())),
        fact("profile", state.plan.profile),
    ];
    facts.extend(state.operation.description.as_ref().map(|text| fact("what", text)));
    facts.extend(waited.agents.iter().filter_map(why));
    facts.extend(stored.claim.as_ref().map(|claim| fact("command", command(claim))));
    let past = question.past(Wanted::since(state.started_at).operation(&state.id))?;
    facts.extend(past.gap);
    let left = state.recipients.iter().filter(|it| it.status.is_waiting()).map(|it| it.deadline).max();
    Ok(Some(Story {
        id: state.id.clone(),
        kind: "operation",
        title: state.operation.kind.clone(),
        standing: match left {
            Some(deadline) if deadline <= at => "waiting, overdue".to_owned(),
            Some(deadline) => format!("waiting, {} left", age::short(deadline.since(at))),
            None => {
                format!("{}, {}", waited.outcome, if waited.proceed { "proceed" } else { "do not proceed" })
            }
        },
        facts,
        steps: tell(past.events, &state.id),
        next: next(&stored, waited),
    }))
}

/// How far the command after `--` has come.
fn command(claim: &Claim) -> String {
    let whence = claim.whence();
    match claim.exit {
        Some(code) => format!("begun {whence}, exited with {code}"),
        None if still_runs(claim) => format!("begun {whence}, and still runs"),
        None => {
            format!("begun {whence}, and no end of it is known: look at what it did before you ask again")
        }
    }
}

/// Why an agent's answer is missing, or what is to be done about it.
fn why(line: &AgentLine) -> Option<super::Fact> {
    let name = if line.status.is_missing() { "silence" } else { "answer" };
    Some(fact(name, format!("{}: {}", line.agent, line.diagnosis.as_ref()?)))
}

/// A command whose end nobody knows is never run again: whatever is left of it is asked about anew.
fn next(stored: &StoredHandshake, waited: Waited) -> Option<Next> {
    let state = &stored.snapshot;
    let is_lost = |claim: &Claim| claim.exit.is_none() && !still_runs(claim);
    let anew = stored.claim.as_ref().filter(|it| is_lost(it)).map(|_| ask_anew(state));
    let advice = waited.agents.into_iter().find_map(|line| line.next);
    let command = waited.resume.or(anew).or(advice)?;
    Some(Next { agent: state.requester.clone(), command })
}
