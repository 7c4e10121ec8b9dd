//! The story of a reservation.

use super::past::Wanted;
use super::{Next, Question, Story, fact};
use crate::domain::reservation::State;
use crate::domain::story::tell;
use crate::failure::Failure;

pub(super) fn story(question: &Question) -> Result<Option<Story>, Failure> {
    let (view, now) = (question.view, question.context.now());
    let Some(held) = view.reservation(question.part)? else { return Ok(None) };
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
