//! Whether the handoff reached its replacement, and was taken.

use super::{Group, Item, Standing, joined, mentions, unmentioned, verified};
use crate::domain::handoff::{CheckName, Handoff, Publication};

/// Before a delivery counts as complete.
pub(super) fn before_completion(handoff: &Handoff, standing: &Standing<'_>) -> Group {
    let notice = standing.notice;
    let location = handoff.location().unwrap_or_default();
    let unnamed = unmentioned(notice, &handoff.task_uuids());
    let items = vec![
        published(handoff),
        Item::of(
            "local copy kept",
            handoff.document.is_some() && standing.copy_exists,
            "no copy on this machine",
        ),
        Item::of("notice sent", handoff.sent_at().is_some() && notice.is_some(), "not sent"),
        Item::of(
            "notice says where the document is",
            !location.is_empty() && mentions(notice, location),
            "the notice does not name the place of the document",
        ),
        Item::of(
            "notice names every task",
            notice.is_some() && unnamed.is_empty(),
            format!("the notice does not name {}", unnamed.join(", ")),
        ),
        urgency(handoff),
        Item::of(
            "wait for the acknowledgment begun",
            standing.timer_started,
            "nobody waits for the acknowledgment",
        ),
    ];
    Group::new("Delivery", items)
}

fn published(handoff: &Handoff) -> Item {
    let item = "document published";
    match handoff.publication {
        Publication::Local => Item::moot(item, "not asked for: the document stays on this machine"),
        _ => {
            let tried = handoff.attempts.iter().filter(|it| it.attempt.publishes());
            let why = joined(tried.filter_map(|it| it.error.as_deref()), "not published");
            Item::of(item, handoff.url.is_some(), why)
        }
    }
}

fn urgency(handoff: &Handoff) -> Item {
    let item = "urgency is the controller's";
    match handoff.requested.as_ref().and_then(|requested| requested.urgency) {
        None => Item::moot(item, "the controller asked for none"),
        Some(asked) => {
            let differs = format!("the controller asked for {asked}, the handoff is {}", handoff.urgency);
            Item::of(item, asked == handoff.urgency, differs)
        }
    }
}

/// After the acknowledgment came.
pub(super) fn after_ack(handoff: &Handoff, standing: &Standing<'_>) -> Group {
    let told = handoff.confirmation.is_some() && standing.confirmation.is_some();
    let items = vec![
        verified(handoff, "acknowledgment names the handoff", CheckName::HandoffId),
        verified(handoff, "understanding fits the tasks", CheckName::Understanding),
        verified(handoff, "checkpoint is the documented one", CheckName::StartingFrom),
        verified(handoff, "questions answered", CheckName::Questions),
        Item::of("state updated", handoff.transfer.is_some(), "no task has moved"),
        Item::of("controller told", told, "the controller does not know how it went"),
    ];
    Group::new("After the acknowledgment", items)
}
