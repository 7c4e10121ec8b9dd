//! `wait-ack`: a request becomes a handshake that can be bet on.

mod command;
mod plan;
mod report;
mod request;
mod sequel;
mod subject;
mod watching;
mod why;

use std::ffi::OsString;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Context, Listener};
use crate::domain::Timestamp;
use crate::domain::agent::AgentId;
use crate::domain::duration;
use crate::domain::handoff::HandoffId;
use crate::domain::handshake::Snapshot;
use crate::domain::message::MessageId;
use crate::domain::schedule::{Policy, Profile, Quorum};
use crate::domain::task::TaskId;
use crate::failure::Failure;
use sequel::Sequel;

pub(super) use command::still_runs;
pub use report::{AgentLine, QuorumLine, Waited, describe};
pub use watching::Countdown;
pub(super) use why::anew as ask_anew;

/// Wait until agents acknowledge
#[derive(Debug, Clone, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default)]
#[command(group(clap::ArgGroup::new("subject").required(true).multiple(true).args(
    ["ids", "message", "operation_id", "resume", "to", "task", "handoff"]
)))]
pub struct Args {
    /// Messages you sent: their ids, or unique beginnings or ends of them
    #[arg(value_name = "ID")]
    pub ids: Vec<MessageId>,
    /// The same as ID
    #[arg(long, value_name = "ID", num_args = 1..)]
    pub message: Vec<MessageId>,
    /// A handshake that was opened before
    #[arg(long, value_name = "OP", conflicts_with_all = ["ids", "message", "to"])]
    pub operation_id: Option<String>,
    /// The same as --operation-id: go on after an interruption
    #[arg(long, value_name = "OP", conflicts_with_all = ["ids", "message", "to", "operation_id"])]
    pub resume: Option<String>,
    /// A task you delegated
    #[arg(long, value_name = "TASK", conflicts_with_all = ["ids", "message", "to", "operation_id", "resume"])]
    pub task: Option<TaskId>,
    /// A handoff of yours, with the times that its urgency gives
    #[arg(long, value_name = "ID", conflicts_with_all = ["ids", "message", "to", "operation_id", "resume", "task"])]
    pub handoff: Option<HandoffId>,
    /// Who gets the task, in this order, when its agent does not answer: agents separated by commas
    #[arg(long, value_name = "AGENT,…", value_delimiter = ',', conflicts_with_all = ["to", "operation_id", "resume"])]
    pub reassign_to: Vec<AgentId>,
    /// Do what a refusal calls for: ask again after the time given, or another agent
    #[arg(long, conflicts_with_all = ["to", "operation_id", "resume"])]
    pub auto: bool,
    /// Who you are, when the request is sent from here (else BB_AGENT, else BD_ACTOR)
    #[arg(long, alias = "agent", value_name = "AGENT")]
    pub from: Option<AgentId>,
    /// Send the request to these agents, to role:NAME or broadcast, and wait
    #[arg(long, value_name = "AGENT", requires = "operation", conflicts_with_all = ["ids", "message"])]
    pub to: Vec<String>,
    /// What will happen: skill-install, plugin-install, restart, maintenance, or your own word
    #[arg(long, value_name = "KIND", requires = "to")]
    pub operation: Option<String>,
    /// What you will do, to follow "I will"
    #[arg(long, value_name = "TEXT", requires = "to", allow_hyphen_values = true)]
    pub describe: Option<String>,
    /// Ask once: the same key from you again is the same request, and its wait is joined
    #[arg(long, value_name = "KEY", requires = "to")]
    pub key: Option<String>,
    /// Added to the notice for those who stay silent
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub timeout_note: Option<String>,
    /// The bead it is about (else BB_BEAD)
    #[arg(long, value_name = "BEAD")]
    pub bead: Option<String>,
    /// How long to wait [default: by profile, 120]
    #[arg(long, value_name = "SECS", value_parser = duration::seconds)]
    #[schemars(with = "Option<u64>")]
    pub timeout: Option<Duration>,
    /// When to remind: seconds separated by commas, or none
    #[arg(long, value_name = "SECS,…")]
    pub remind_at: Option<String>,
    /// How much more time an agent gets when it first asks for it
    #[arg(long, value_name = "SECS", value_parser = duration::seconds, conflicts_with = "no_extend")]
    #[schemars(with = "Option<u64>")]
    pub extend: Option<Duration>,
    /// Give nobody more time
    #[arg(long)]
    pub no_extend: bool,
    /// operation, state-change, multi-agent, approval, emergency, health, task, critical or handoff
    #[arg(long)]
    pub profile: Option<Profile>,
    /// What silence means: proceed, abort, unresponsive or escalate
    #[arg(long, value_name = "POLICY")]
    pub on_timeout: Option<Policy>,
    /// How many must agree: all, majority or a number
    #[arg(long)]
    pub quorum: Option<Quorum>,
    /// Give the shell back after this long; the handshake stays open
    #[arg(long, value_name = "SECS", value_parser = duration::seconds)]
    #[schemars(with = "Option<u64>")]
    pub block_for: Option<Duration>,
    /// Open the handshake and do not wait
    #[arg(long)]
    pub no_wait: bool,
    /// Count only answers of agents that presented their token
    #[arg(long)]
    pub require_verified: bool,
    /// A command to run when the answer is to proceed
    #[arg(last = true, value_name = "COMMAND")]
    #[schemars(with = "Vec<String>")]
    pub command: Vec<OsString>,
}

impl Args {
    /// Whether anything is said that counts only when a handshake is opened.
    const fn sets_schedule(&self) -> bool {
        self.timeout.is_some()
            || self.remind_at.is_some()
            || self.extend.is_some()
            || self.no_extend
            || self.profile.is_some()
            || self.on_timeout.is_some()
            || self.quorum.is_some()
            || self.require_verified
    }
}

/// Finds or opens the handshake, sees it through, and runs the command if the verdict is to proceed.
/// A task that was given to another agent meanwhile is waited for there.
pub fn run(context: &Context, args: &Args, listener: &mut dyn Listener) -> Result<Waited, Failure> {
    let patience = match (args.no_wait, args.block_for) {
        (true, _) => Some(context.now()),
        (false, Some(limit)) => Some(context.now() + limit),
        (false, None) => None,
    };
    let mut operation_id = subject::find_or_open(context, args, listener)?;
    loop {
        let snapshot = watching::watch(context, patience, &operation_id, listener)?;
        match sequel::of(context, &snapshot, patience)? {
            Sequel::Operation(next) => operation_id = next,
            Sequel::Later(at) => return report::postponed(context, args, &snapshot, at),
            Sequel::None => return finish(context, args, patience, &snapshot, listener),
        }
    }
}

/// Sees a handshake through for a command that does more than wait.
pub(super) fn see_through(
    context: &Context,
    patience: Option<Timestamp>,
    operation_id: &str,
    listener: &mut dyn Listener,
) -> Result<Snapshot, Failure> {
    watching::watch(context, patience, operation_id, listener)
}

fn finish(
    context: &Context,
    args: &Args,
    patience: Option<Timestamp>,
    snapshot: &Snapshot,
    listener: &mut dyn Listener,
) -> Result<Waited, Failure> {
    let ran = match &snapshot.end {
        Some(end) if end.proceed && !args.command.is_empty() => {
            Some(command::run_once(context, snapshot, &args.command, patience, listener)?)
        }
        _ => None,
    };
    report::report(context, args, snapshot, ran)
}
