//! A replacement, from wherever it stands to wherever it can come.

use super::{apply, closing, delivering, found, github, moving, wait_of};
use crate::commands::{Context, Listener, wait_ack};
use crate::domain::Timestamp;
use crate::domain::handoff::{
    Criteria, FailureCode, Handoff, HandoffFailure, HandoffId, HandoffInput, Next, Verification, verify,
};
use crate::domain::handshake::{Outcome, Snapshot};
use crate::failure::{Code, Failure};
use crate::store::Transaction;

/// Why a replacement does not go on by itself.
#[derive(Debug)]
pub(crate) enum Halt {
    /// Everything is done.
    Over,
    /// The acknowledgment is awaited longer than the caller stays.
    Waiting,
    /// Nobody answered, and the controller was told; the orchestrator decides whether to give up.
    Escalated,
    /// The orchestrator has to do something about the acknowledgment.
    Unverified(Box<Verification>),
}

/// How far a replacement is to be taken.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Manner<'a> {
    pub criteria: Criteria<'a>,
    /// How long the caller stays; none for as long as it takes.
    pub patience: Option<Timestamp>,
    /// The caller knows that nobody answered, builds on nothing, and closes it as failed.
    pub gives_up: bool,
}

/// Says where to go on with a handoff that takes its time, before anything can cut it off.
pub(crate) fn announce(handoff: &Handoff, listener: &mut dyn Listener) -> Result<(), Failure> {
    match handoff.next_publishing() {
        Some(_) => listener.notice(&format!(
            "publishing; if this is cut off: bb agent replace --resume {}",
            handoff.handoff_id
        )),
        None => Ok(()),
    }
}

/// Publishes the document as far as that is wanted and possible, and sends the notice.
pub(crate) fn deliver(
    context: &Context,
    id: &HandoffId,
    tell: &mut dyn FnMut(&str) -> Result<(), Failure>,
) -> Result<Handoff, Failure> {
    loop {
        let handoff = context.read(|view| found(view, id))?;
        match handoff.next() {
            Next::Github(attempt) if handoff.step().is_open() => {
                github::attempt(context, &handoff, attempt, tell)?;
            }
            Next::Send => delivering::send(context, id)?,
            _ => return Ok(handoff),
        }
    }
}

/// Takes one step after the other. Whoever resumes it later goes on with the next one.
pub(crate) fn drive(
    context: &Context,
    id: &HandoffId,
    manner: &Manner,
    listener: &mut dyn Listener,
) -> Result<Halt, Failure> {
    loop {
        let handoff = context.read(|view| found(view, id))?;
        let halt = match handoff.next() {
            Next::Copy => return Err(undocumented(id)),
            Next::Github(attempt) => {
                github::attempt(context, &handoff, attempt, &mut |line| listener.notice(line))
                    .map(|()| None)?
            }
            Next::Send => delivering::send(context, id).map(|()| None)?,
            Next::Wait => wait(context, &handoff, manner, listener)?,
            Next::Verify => examine(context, id, &manner.criteria)?,
            Next::Transfer => moving::transfer_all(context, id).map(|()| None)?,
            Next::Fail => silence(context, id, manner)?,
            Next::Confirm => closing::confirm(context, id).map(|()| None)?,
            Next::Audit => closing::audit(context, id).map(|()| None)?,
            Next::Nothing => Some(Halt::Over),
        };
        if let Some(halt) = halt {
            return Ok(halt);
        }
    }
}

fn undocumented(id: &HandoffId) -> Failure {
    Failure::new(Code::InvalidHandoff, format!("handoff `{id}` has no document"))
        .hint("begin it again with `bb handoff`")
}

fn wait(
    context: &Context,
    handoff: &Handoff,
    manner: &Manner,
    listener: &mut dyn Listener,
) -> Result<Option<Halt>, Failure> {
    let id = &handoff.handoff_id;
    let unawaited = || Failure::new(Code::InternalError, format!("nobody waits for handoff `{id}`"));
    let stored = context.read(|view| wait_of(view, handoff))?.ok_or_else(unawaited)?;
    let state: Snapshot = wait_ack::see_through(context, manner.patience, &stored.snapshot.id, listener)?;
    let handoff = context.read(|view| found(view, id))?;
    if handoff.next() != Next::Wait {
        return Ok(None);
    }
    match state.end.as_ref().map(|end| end.outcome) {
        None => Ok(Some(Halt::Waiting)),
        Some(Outcome::Gone) => {
            let what = format!("{} is gone", handoff.replacement.id);
            closing::fail(context, id, HandoffFailure::new(FailureCode::AgentGone, what))?;
            Ok(None)
        }
        Some(Outcome::Cancelled) if !handoff.is_answered() => {
            let what = format!("{} answered: cancel", handoff.replacement.id);
            closing::fail(context, id, HandoffFailure::new(FailureCode::Rejected, what))?;
            Ok(None)
        }
        Some(_) if passed_in_vain(&handoff, &state) && !manner.criteria.accepts() => {
            silence(context, id, manner)
        }
        Some(_) => examine(context, id, &manner.criteria),
    }
}

/// Whether a wait was escalated, and nothing was said since that would have to be looked at.
fn passed_in_vain(handoff: &Handoff, state: &Snapshot) -> bool {
    let answered_late = handoff.is_answered() && state.recipients.iter().any(|it| it.late.is_some());
    state.outcome() == Outcome::Escalated && !answered_late
}

/// Whether the controller has been told that nobody answers, so that whoever goes on gives up.
pub(crate) fn is_given_up(view: &Transaction, handoff: &Handoff) -> Result<bool, Failure> {
    Ok(match handoff.next() {
        Next::Fail => true,
        Next::Wait => wait_of(view, handoff)?.is_some_and(|it| passed_in_vain(handoff, &it.snapshot)),
        _ => false,
    })
}

/// Closes it as failed if the caller gives up; else that is the orchestrator's decision.
fn silence(context: &Context, id: &HandoffId, manner: &Manner) -> Result<Option<Halt>, Failure> {
    if !manner.gives_up {
        return Ok(Some(Halt::Escalated));
    }
    closing::fail_for_silence(context, id)?;
    Ok(None)
}

/// Looks at the newest acknowledgment. A refusal ends the handoff; anything else that is not valid is for
/// the orchestrator to deal with.
fn examine(context: &Context, id: &HandoffId, criteria: &Criteria) -> Result<Option<Halt>, Failure> {
    let handoff = context.read(|view| found(view, id))?;
    if let Some(failure) = refusal(&handoff) {
        closing::fail(context, id, failure)?;
        return Ok(None);
    }
    let verification = context.write(|transaction, now| {
        let mut handoff = found(transaction, id)?;
        context.acting(transaction, &handoff.orchestrator, Code::UnknownSender)?;
        look(transaction, &mut handoff, criteria, now)
    })?;
    Ok((!verification.valid).then(|| Halt::Unverified(Box::new(verification))))
}

fn refusal(handoff: &Handoff) -> Option<HandoffFailure> {
    let said = handoff.newest_ack().filter(|_| handoff.is_rejected())?;
    let why = said.ack.reason.as_deref().unwrap_or("no reason given");
    Some(HandoffFailure::new(FailureCode::Rejected, why))
}

/// Makes the six checks, and keeps the result while it matters.
pub(crate) fn look(
    transaction: &Transaction,
    handoff: &mut Handoff,
    criteria: &Criteria,
    now: Timestamp,
) -> Result<Verification, Failure> {
    let verification = verify(handoff, handoff.newest_ack(), criteria, now);
    if handoff.newest_ack().is_some() && handoff.step().is_delivered() {
        let by = handoff.orchestrator.clone();
        apply(transaction, handoff, HandoffInput::Verified(verification.clone()), &by, now)?;
    }
    Ok(verification)
}

/// Goes on although no acknowledgment came in time, for a reason that is kept.
pub(crate) fn delay(context: &Context, id: &HandoffId, reason: &str) -> Result<(), Failure> {
    context.write(|transaction, now| {
        let mut handoff = found(transaction, id)?;
        let by = context.acting(transaction, &handoff.orchestrator, Code::UnknownSender)?.agent.id;
        let in_vain = is_given_up(transaction, &handoff)?;
        let input = HandoffInput::Delayed { reason: reason.to_owned(), in_vain };
        apply(transaction, &mut handoff, input, &by, now)?;
        closing::release(context, transaction, &handoff, now)
    })
}
