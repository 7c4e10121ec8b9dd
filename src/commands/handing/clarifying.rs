//! Answering the questions of a replacement.

use std::fs;
use std::path::PathBuf;

use super::preparing::{described, keep};
use super::{apply, deliver, document, found, letter, orchestrator, wait_anew};
use crate::commands::Context;
use crate::commands::correspondence::post;
use crate::domain::agent::AgentId;
use crate::domain::handoff::{Handoff, HandoffId, HandoffInput, notice};
use crate::failure::Failure;

/// Answers the questions of the newest acknowledgment; with a new document, that is published and sent
/// first. Waits for a confirming acknowledgment from then on.
pub(crate) fn clarify(
    context: &Context,
    id: &HandoffId,
    me: Option<&AgentId>,
    answers: &[String],
    file: Option<&PathBuf>,
) -> Result<Handoff, Failure> {
    let input = |url| HandoffInput::Clarified { answers: answers.to_vec(), updated_handoff_url: url };
    // Refused before a document is changed for it.
    let before = context.read(|view| {
        let handoff = found(view, id)?;
        orchestrator(context, view, &handoff, me)?;
        handoff.clone().apply(input(None), context.now())?;
        Ok(handoff)
    })?;
    if let Some(file) = file {
        let text = document(file)?;
        // What was cut off has kept it already.
        if !is_kept(&before, &text) {
            renew(context, &before, &text)?;
        }
        deliver(context, &before.handoff_id, &mut |_| Ok(()))?;
    }
    context.write(|transaction, now| {
        let mut handoff = found(transaction, id)?;
        let by = orchestrator(context, transaction, &handoff, me)?.agent.id;
        let url = file.and(handoff.location()).map(str::to_owned);
        transaction.agent_seen(&by, now)?;
        if !apply(transaction, &mut handoff, input(url), &by, now)? {
            return Ok(handoff);
        }
        if let Some(said) = handoff.clarifications.last() {
            let notice = notice::clarification(&handoff, said);
            post(context, transaction, &letter(&handoff, &by, &handoff.replacement.id, notice), now)?;
        }
        wait_anew(context, transaction, &handoff, now)?;
        Ok(handoff)
    })
}

/// Whether the document that is handed over says just this.
fn is_kept(handoff: &Handoff, text: &str) -> bool {
    let kept = handoff.document.as_ref().and_then(|document| fs::read_to_string(&document.path).ok());
    kept.as_deref() == Some(text)
}

fn renew(context: &Context, handoff: &Handoff, text: &str) -> Result<(), Failure> {
    let path = keep(context, &handoff.failed.id, &handoff.replacement.id, text)?;
    let kept = context.write(|transaction, now| {
        let mut handoff = found(transaction, &handoff.handoff_id)?;
        let by = handoff.orchestrator.clone();
        apply(transaction, &mut handoff, HandoffInput::Copied(described(&path, text, now)), &by, now)
    });
    if kept.is_err() {
        let _ = fs::remove_file(&path);
    }
    kept?;
    Ok(())
}
