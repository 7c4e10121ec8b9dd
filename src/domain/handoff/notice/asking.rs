//! What the orchestrator says to an acknowledgment it cannot build on.

use serde_json::json;

use super::{compose, teaching};
use crate::domain::handoff::{Action, Check, Clarification, Handoff, HandoffStatus, Verification};
use crate::domain::message::{Kind, Priority};
use crate::domain::notice::Notice;

/// Answers the replacement's questions and asks for a confirming acknowledgment.
pub fn clarification(handoff: &Handoff, clarification: &Clarification) -> Notice {
    let message = "Answers to your questions about the handoff";
    let mut body = format!("{message} {}\n", handoff.handoff_id);
    for (number, pair) in (1..).zip(&clarification.answers) {
        let number: u32 = number;
        body.push_str(&format!("\n{number}. {}\nAnswer: {}\n", pair.question, pair.answer));
    }
    if let Some(url) = &clarification.updated_handoff_url {
        body.push_str(&format!("\nThe document was changed, read it again: {url}\n"));
    }
    body.push_str(&confirm(handoff));
    let fields = json!({
        "message": message,
        "handoff_id": handoff.handoff_id,
        "clarifications": clarification.answers,
        "updated_handoff_url": clarification.updated_handoff_url,
    });
    compose(Kind::HandoffClarification, Priority::High, clarification_subject(handoff), body, fields)
}

/// Says what is wrong with an acknowledgment and asks for a right one; none when nothing in it is
/// to be corrected.
///
/// Fields that are missing or name another handoff are asked for with the template; what is
/// complete but differs is corrected. An understanding that is not accepted counts as wrong here,
/// so this is for an orchestrator that has read it. Questions are answered with [`clarification`].
pub fn correction(handoff: &Handoff, verification: &Verification) -> Option<Notice> {
    let corrigible = |check: &&Check| {
        let actions = [Action::RequestCorrectAck, Action::ClarifyRequirements, Action::CorrectAndConfirm];
        check.action.is_some_and(|action| actions.contains(&action))
    };
    let wrong: Vec<&Check> = verification.checks.iter().filter(corrigible).collect();
    if wrong.is_empty() {
        return None;
    }
    let malformed = verification.template.is_some();
    let message = if malformed {
        format!("Your acknowledgment of handoff {} is not in its full form.", handoff.handoff_id)
    } else {
        format!("Your acknowledgment of handoff {} cannot be accepted yet.", handoff.handoff_id)
    };
    let lines: Vec<_> = wrong.iter().map(|check| format!("- {}: {}", check.check, check.detail)).collect();
    let body = format!("{message}\n\n{}\n{}", lines.join("\n"), confirm(handoff));
    let discrepancies: Vec<_> = wrong
        .iter()
        .map(|check| json!({"check": check.check, "detail": check.detail, "action": check.action}))
        .collect();
    let fields = json!({
        "message": message,
        "handoff_id": handoff.handoff_id,
        "discrepancies": discrepancies,
        "missing": verification.missing,
        "template": verification.template,
    });
    Some(if malformed {
        let subject = format!("ACK REQUIRED: Handoff {}", handoff.handoff_id);
        compose(Kind::AckRequest, Priority::High, subject, body, fields)
    } else {
        compose(Kind::HandoffClarification, Priority::High, clarification_subject(handoff), body, fields)
    })
}

fn clarification_subject(handoff: &Handoff) -> String {
    format!("[CLARIFICATION] Re: Handoff {}", handoff.handoff_id)
}

/// How to acknowledge anew.
fn confirm(handoff: &Handoff) -> String {
    let line = |id| teaching::command(&handoff.replacement.id, id, HandoffStatus::ReadyToProceed);
    handoff.message_id().map_or_else(String::new, |id| format!("\nAcknowledge again:\n{}", line(id)))
}
