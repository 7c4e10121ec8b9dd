//! The command after `--`: it runs exactly once, or not at all.

use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};

use serde_json::json;

use crate::commands::correspondence::post;
use crate::commands::handshake::draft;
use crate::commands::process::{birth, is_running};
use crate::commands::waiting::{Patience, until};
use crate::commands::{Context, Listener};
use crate::domain::Timestamp;
use crate::domain::event::NewEvent;
use crate::domain::handshake::Snapshot;
use crate::domain::notice::post_operation;
use crate::failure::{Code, Failure};
use crate::interrupt::{Interrupt, see_through};
use crate::store::changes::Topic;
use crate::store::sqlite::Claim;

/// What shells report for a command that cannot be started.
const CANNOT_START: i32 = 127;

/// What shells add to the number of the signal that ended a command.
const ENDED_BY_SIGNAL: i32 = 128;

/// How far the command has come.
#[derive(Debug, Clone, Copy)]
pub(super) enum Ran {
    /// It ended, with what a shell would report.
    Ended(i32),
    /// It has not ended, or not begun, and this waiter does not stay.
    Pending,
}

/// How a command ended.
struct Ended {
    /// None when a signal ended it.
    status: Option<i32>,
    /// What a shell would report.
    code: i32,
}

/// Runs the command, or waits for the one who took it upon itself; says how it ended either way.
pub(super) fn run_once(
    context: &Context,
    state: &Snapshot,
    command: &[OsString],
    patience: Option<Timestamp>,
    listener: &mut dyn Listener,
) -> Result<Ran, Failure> {
    if Interrupt::came() {
        return Ok(Ran::Pending);
    }
    let born = birth(std::process::id());
    let claimed = context.write(|transaction, now| {
        let claimed = transaction.claim_command(&state.id, born.as_deref(), now)?;
        if claimed {
            let event = NewEvent::new("operation.claimed", &state.requester, &state.id);
            transaction.record(&event.operation(Some(&state.id)), now)?;
        }
        Ok(claimed)
    })?;
    if !claimed {
        let before = context.read(|view| Ok(view.handshake(&state.id)?.and_then(|stored| stored.claim)))?;
        listener.notice(&match before.and_then(|claim| claim.exit) {
            Some(code) => format!("the command runs only once; it ran before: exited with {code}"),
            None => "the command runs only once, and another waiter took it upon itself".to_owned(),
        })?;
        return await_other(context, state, patience);
    }
    let ended = run(command, listener)?;
    tell_everyone(context, state, &ended)?;
    Ok(Ran::Ended(ended.code))
}

/// Waits until the command of another waiter has ended.
fn await_other(context: &Context, state: &Snapshot, patience: Option<Timestamp>) -> Result<Ran, Failure> {
    let topic = Topic::Operation(state.id.clone());
    let patience = patience.map_or(Patience::endless(), Patience::until).minding_time(true);
    let claim = || context.read(|view| Ok(view.handshake(&state.id)?.and_then(|stored| stored.claim)));
    let ended = until(context, &topic, patience, || match claim()? {
        Some(Claim { exit: Some(code), .. }) => Ok(Some(Ran::Ended(code))),
        Some(running) if still_runs(&running) => Ok(None),
        // It may have ended properly between the two looks.
        _ => match claim()? {
            Some(Claim { exit: Some(code), .. }) => Ok(Some(Ran::Ended(code))),
            lost => Err(interrupted(state, lost)),
        },
    })?;
    Ok(ended.unwrap_or(Ran::Pending))
}

/// Whether the process that took the command upon itself is there; nobody can tell without its number.
pub(crate) fn still_runs(claim: &Claim) -> bool {
    claim.pid.is_some_and(|pid| is_running(pid) && (claim.birth.is_none() || claim.birth == birth(pid)))
}

/// Nobody can tell how far a command came whose waiter was killed; running it again could do it twice.
fn interrupted(state: &Snapshot, claim: Option<Claim>) -> Failure {
    let by = claim.map_or_else(String::new, |claim| format!(" {}", claim.whence()));
    let what = format!(
        "the command of `{}` was begun{by}, which was ended before it; it may have run in part or still run, and was not run again",
        state.id
    );
    Failure::new(Code::CommandInterrupted, what).hint(format!(
        "see `bb explain {}` and what the command has changed, then run the rest yourself or ask anew",
        state.id
    ))
}

fn run(command: &[OsString], listener: &mut dyn Listener) -> Result<Ended, Failure> {
    const NOT_STARTED: Ended = Ended { status: Some(CANNOT_START), code: CANNOT_START };
    let Some((program, arguments)) = command.split_first() else { return Ok(NOT_STARTED) };
    let mut child = Command::new(program);
    child.args(arguments);
    listener.makes_room();
    if listener.keeps_stdout() {
        child.stdout(Stdio::from(std::io::stderr()));
    }
    match child.spawn().and_then(|mut child| see_through(&mut child)) {
        Ok(status) => {
            let signal = status.signal().unwrap_or(0);
            Ok(Ended { status: status.code(), code: status.code().unwrap_or(ENDED_BY_SIGNAL + signal) })
        }
        Err(error) => {
            listener.notice(&format!("cannot run `{}`: {error}", program.to_string_lossy()))?;
            Ok(NOT_STARTED)
        }
    }
}

/// Keeps how the command ended, and says so to everyone who was asked.
fn tell_everyone(context: &Context, state: &Snapshot, ended: &Ended) -> Result<(), Failure> {
    context.write(|transaction, now| {
        for recipient in &state.recipients {
            let request = transaction.message(&recipient.message_id)?;
            let notice = post_operation(state, recipient, ended.status);
            post(context, transaction, &draft(state, &recipient.agent, notice, request.as_ref()), now)?;
        }
        transaction.finish_command(&state.id, ended.code)?;
        let event = NewEvent::new("operation.finished", &state.requester, &state.id);
        let data = json!({"exit_status": ended.status});
        Ok(transaction.record(&event.operation(Some(&state.id)).data(data), now)?)
    })
}
