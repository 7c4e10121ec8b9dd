//! The story of a reservation.

use super::past::Wanted;
use super::{Next, Question, Story, fact};
use crate::domain::reservation::{Reservation, State};
use crate::domain::story::tell;
use crate::failure::{Code, Failure};

/// So few characters name a message rather.
const SHORTEST_PART: usize = 4;

pub(super) fn story(question: &Question) -> Result<Option<Story>, Failure> {
    let now = question.context.now();
    let Some(held) = found(question)? else { return Ok(None) };
    let state = held.state_at(now);
    let mut facts = vec![fact("holder", &held.agent_id)];
    facts.extend(held.bead_id.as_ref().map(|bead| fact("bead", bead)));
    facts.extend(held.reason.as_ref().map(|reason| fact("reason", reason)));
    facts.extend([fact("fence", held.fence), fact("expires", held.expires_at)]);
    let past = question.past(Wanted::since(held.created_at).about(&held.reservation_id))?;
    facts.extend(past.gap);
    let next = (state == State::Active).then(|| Next {
        command: format!("bb agent release --agent {} --scope '{}'", held.agent_id, held.scope),
        agent: held.agent_id.clone(),
    });
    Ok(Some(Story {
        id: held.reservation_id.clone(),
        kind: "reservation",
        title: held.scope.to_string(),
        standing: state.to_string(),
        facts,
        steps: tell(past.events, &held.reservation_id),
        next,
    }))
}

/// The reservation with this id or a part of it, or of this scope: tables show people scopes and no ids.
fn found(question: &Question) -> Result<Option<Reservation>, Failure> {
    let (view, part) = (question.view, question.part);
    let mut found = if part.len() < SHORTEST_PART { Vec::new() } else { view.reservations_named(part)? };
    if found.is_empty() {
        found = view.reservations_of(part)?;
    }
    if found.iter().any(|one| one.reservation_id == part) {
        found.retain(|one| one.reservation_id == part);
    } else if found.iter().any(|one| one.state == State::Active) {
        found.retain(|one| one.state == State::Active);
    } else if found.iter().all(|one| one.scope.as_str() == part) {
        found.truncate(1);
    }
    match found.as_slice() {
        [] => Ok(None),
        [one] => Ok(Some(one.clone())),
        several => Err(ambiguous(part, several)),
    }
}

fn ambiguous(part: &str, several: &[Reservation]) -> Failure {
    let named = |one: &Reservation| format!("`{}` of {}", one.reservation_id, one.agent_id);
    let listed: Vec<_> = several.iter().take(5).map(named).collect();
    Failure::new(Code::AmbiguousId, format!("`{part}` fits several reservations"))
        .hint(format!("type an id: {}", listed.join(", ")))
}
