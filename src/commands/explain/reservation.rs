//! The story of a reservation.

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
        steps: tell(view.events_about(&held.reservation_id)?, &held.reservation_id),
        next,
    }))
}
