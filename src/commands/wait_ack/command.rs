//! The command after `--`: it runs exactly once, or not at all.

use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};

use serde_json::json;

use crate::commands::correspondence::post;
use crate::commands::handshake::draft;
use crate::commands::{Context, Listener};
use crate::domain::event::NewEvent;
use crate::domain::handshake::Snapshot;
use crate::domain::notice::post_operation;
use crate::failure::Failure;

/// What shells report for a command that cannot be started.
const CANNOT_START: i32 = 127;

/// What shells add to the number of the signal that ended a command.
const ENDED_BY_SIGNAL: i32 = 128;

/// How a command ended.
struct Ended {
    /// None when a signal ended it.
    status: Option<i32>,
    /// What a shell would report.
    code: i32,
}

/// Runs the command unless another waiter took it upon itself; says how it ended.
pub(super) fn run_once(
    context: &Context,
    state: &Snapshot,
    command: &[OsString],
    listener: &mut dyn Listener,
) -> Result<Option<i32>, Failure> {
    let claimed = context.write(|transaction, now| {
        let claimed = transaction.claim_command(&state.id, now)?;
        if claimed {
            let event = NewEvent::new("operation.claimed", &state.requester, &state.id);
            transaction.record(&event.operation(Some(&state.id)), now)?;
        }
        Ok(claimed)
    })?;
    if !claimed {
        listener.notice("another waiter runs the command, or has run it")?;
        return Ok(None);
    }
    let ended = run(command, listener)?;
    tell_everyone(context, state, ended.status)?;
    Ok(Some(ended.code))
}

fn run(command: &[OsString], listener: &mut dyn Listener) -> Result<Ended, Failure> {
    const NOT_STARTED: Ended = Ended { status: Some(CANNOT_START), code: CANNOT_START };
    let Some((program, arguments)) = command.split_first() else { return Ok(NOT_STARTED) };
    let mut child = Command::new(program);
    child.args(arguments);
    if listener.keeps_stdout() {
        child.stdout(Stdio::from(std::io::stderr()));
    }
    match child.status() {
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

fn tell_everyone(context: &Context, state: &Snapshot, status: Option<i32>) -> Result<(), Failure> {
    context.write(|transaction, now| {
        for recipient in &state.recipients {
            let request = transaction.message(&recipient.message_id)?;
            let notice = post_operation(state, recipient, status);
            post(context, transaction, &draft(state, &recipient.agent, notice, request.as_ref()), now)?;
        }
        let event = NewEvent::new("operation.finished", &state.requester, &state.id);
        Ok(transaction.record(&event.operation(Some(&state.id)).data(json!({"exit_status": status})), now)?)
    })
}
