//! The story of an operation: its handshake.

use super::past::Wanted;
use super::{Next, Question, Story, fact, names};
use crate::commands::handshake::time_of;
use crate::commands::lookup;
use crate::commands::wait_ack::{AgentLine, Waited, describe};
use crate::domain::age;
use crate::domain::handshake::Snapshot;
use crate::domain::story::tell;
use crate::failure::Failure;
use crate::store::sqlite::Claim;

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
        next: next(state, waited),
    }))
}

/// How far the command after `--` has come.
fn command(claim: &Claim) -> String {
    let Claim { at, pid, exit, .. } = claim;
    match exit {
        Some(code) => format!("begun at {at}, exited with {code}"),
        None => format!("begun by process {pid} at {at}, and no end of it is known"),
    }
}

/// Why an agent's answer is missing.
fn why(line: &AgentLine) -> Option<super::Fact> {
    Some(fact("silence", format!("{}: {}", line.agent, line.diagnosis.as_ref()?)))
}

fn next(state: &Snapshot, waited: Waited) -> Option<Next> {
    let advice = waited.agents.into_iter().find_map(|line| line.next);
    waited.resume.or(advice).map(|command| Next { agent: state.requester.clone(), command })
}
