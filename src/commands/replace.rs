//! `replace`: a handoff from its document to its audit entry.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::handing::{self, Halt, HandoffReport, Manner, Order, Reach};
use super::{Context, Listener, Report};
use crate::domain::agent::AgentId;
use crate::domain::handoff::{
    Advice, Criteria, Handoff, HandoffId, HandoffView, Outcome, Step, Verification,
};
use crate::domain::replacement::{AuditEntry, Group, is_done};
use crate::domain::task::TaskId;
use crate::domain::{Timestamp, duration, handshake};
use crate::exit::Exit;
use crate::failure::Failure;

/// The exit code of a replacement that failed, or moved only some of the tasks.
const NOT_REPLACED: u8 = 6;

/// Replace an agent: hand over, wait, verify, move, tell
#[derive(Debug, Clone, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default)]
#[command(group(clap::ArgGroup::new("what").required(true).args(["failed", "resume", "status"])))]
pub struct Args {
    #[command(flatten)]
    #[serde(flatten)]
    pub order: Order,
    /// The checkpoint from which the replacement is to go on
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub starting_from: Option<String>,
    /// Go on with a replacement where it stopped
    #[arg(long, value_name = "ID")]
    pub resume: Option<HandoffId>,
    /// Print what is done and what is not, and do nothing; without ID, list all replacements
    #[arg(long, value_name = "ID")]
    pub status: Option<Option<HandoffId>>,
    /// You have read the understanding, and it fits the tasks
    #[arg(long, requires = "resume")]
    pub accept_understanding: bool,
    /// Accept that fields are missing, for the --reason
    #[arg(long, requires_all = ["resume", "reason"])]
    pub accept_partial: bool,
    /// Move the tasks although no acknowledgment came in time, for the --reason
    #[arg(long, requires_all = ["resume", "reason"], conflicts_with = "accept_partial")]
    pub acknowledge_with_delay: bool,
    /// Give the shell back after this long; the replacement stays open
    #[arg(long, value_name = "SECS", value_parser = duration::seconds)]
    #[schemars(with = "Option<u64>")]
    pub block_for: Option<Duration>,
    /// Do everything that needs no waiting
    #[arg(long)]
    pub no_wait: bool,
}

/// How far a replacement has come.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Replaced {
    #[serde(flatten)]
    pub handoff: HandoffView,
    /// The checks that hold it up, or the newest ones.
    pub verification: Option<Verification>,
    /// Whether the notice can reach the replacement, and has.
    pub delivery: Reach,
    pub checklists: Vec<Group>,
    /// Every item of every checklist holds.
    pub done: bool,
    pub audit: Option<AuditEntry>,
    /// What its orchestrator should know.
    pub warnings: Vec<String>,
    /// What to do next, where there is something to do.
    pub next: Option<String>,
    /// Who has to do it.
    pub next_for: Option<AgentId>,
    #[serde(skip)]
    pub exit_code: u8,
    /// The checklists are what was asked for.
    #[serde(skip)]
    pub is_status: bool,
}

/// One replacement, or all of them.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Replacing {
    One(Box<Replaced>),
    All(Replacements),
}

/// All replacements, those that are not over first, the latest of them on top.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct Replacements {
    pub handoffs: Vec<HandoffLine>,
    #[serde(skip)]
    pub now: Timestamp,
}

/// A replacement in one line.
#[derive(Debug, Serialize, JsonSchema)]
pub struct HandoffLine {
    pub handoff_id: HandoffId,
    pub failed_agent: AgentId,
    pub replacement_agent: AgentId,
    pub step: Step,
    pub replacement_status: String,
    pub outcome: Option<Outcome>,
    pub tasks: Vec<TaskId>,
    #[schemars(with = "String")]
    pub begun_at: Timestamp,
}

impl HandoffLine {
    fn of(handoff: &Handoff, in_vain: bool) -> Self {
        Self {
            handoff_id: handoff.handoff_id.clone(),
            failed_agent: handoff.failed.id.clone(),
            replacement_agent: handoff.replacement.id.clone(),
            step: handoff.step(),
            replacement_status: handoff.status_after_wait(in_vain).to_owned(),
            outcome: handoff.outcome(),
            tasks: handoff.tasks.iter().map(|task| task.task_id.clone()).collect(),
            begun_at: handoff.taken_at(Step::Prepared).unwrap_or_default(),
        }
    }
}

impl Report for Replacing {
    fn exit_code(&self) -> u8 {
        match self {
            Self::One(replaced) => replaced.exit_code,
            Self::All(_) => Exit::Done.code(),
        }
    }
}

/// Takes every step that can be taken; each of them once, however often it is run.
pub fn run(context: &Context, args: &Args, listener: &mut dyn Listener) -> Result<Replacing, Failure> {
    match &args.status {
        Some(None) => Ok(Replacing::All(all(context)?)),
        Some(Some(id)) => {
            let report = report(context, id, Vec::new(), None)?;
            let exit_code = Exit::Done.code();
            Ok(Replacing::One(Box::new(Replaced { exit_code, is_status: true, ..report })))
        }
        None => Ok(Replacing::One(Box::new(go_on(context, args, listener)?))),
    }
}

fn all(context: &Context) -> Result<Replacements, Failure> {
    let mut handoffs = context.read(|view| {
        let line = |it: &Handoff| Ok(HandoffLine::of(it, handing::is_given_up(view, it)?));
        view.handoffs()?.iter().map(line).collect::<Result<Vec<_>, Failure>>()
    })?;
    handoffs.reverse();
    handoffs.sort_by_key(|handoff| handoff.step.is_last());
    Ok(Replacements { handoffs, now: context.now() })
}

fn go_on(context: &Context, args: &Args, listener: &mut dyn Listener) -> Result<Replaced, Failure> {
    let patience = match (args.no_wait, args.block_for) {
        (true, _) => Some(context.now()),
        (false, Some(limit)) => Some(context.now() + limit),
        (false, None) => None,
    };
    let (id, gives_up, warnings) = match &args.resume {
        Some(id) => {
            let (id, gives_up) = resumed(context, args, id)?;
            handing::retry(context, &id, listener)?;
            (id, gives_up, Vec::new())
        }
        None => {
            let prepared = args.order.begin(context, args.starting_from.as_deref())?;
            let handoff = prepared.handoff.clone();
            handing::announce(&handoff, listener)?;
            let begun = HandoffReport::begun(&handoff, "begun", prepared);
            (handoff.handoff_id, false, begun.warnings)
        }
    };
    let criteria = criteria(args);
    let manner = Manner { criteria, patience, gives_up: gives_up && !criteria.accepts() };
    let halt = handing::drive(context, &id, &manner, listener)?;
    report(context, &id, warnings, Some(halt))
}

/// Lets only the orchestrator go on, and takes down what it overrides. Says whether it gives up by going on.
fn resumed(context: &Context, args: &Args, id: &HandoffId) -> Result<(HandoffId, bool), Failure> {
    let (id, gives_up) = context.read(|view| {
        let handoff = handing::found(view, id)?;
        handing::orchestrator(context, view, &handoff, args.order.from.as_ref())?;
        let gives_up = handing::is_given_up(view, &handoff)?;
        Ok((handoff.handoff_id, gives_up))
    })?;
    if let (true, Some(reason)) = (args.acknowledge_with_delay, &args.order.reason) {
        handing::delay(context, &id, reason)?;
    }
    Ok((id, gives_up))
}

fn criteria(args: &Args) -> Criteria<'_> {
    let resumed = args.resume.is_some();
    Criteria {
        starting_from: args.starting_from.as_deref().filter(|_| resumed),
        accept_understanding: args.accept_understanding,
        accept_partial: args.order.reason.as_deref().filter(|_| args.accept_partial),
    }
}

fn report(
    context: &Context,
    id: &HandoffId,
    mut warnings: Vec<String>,
    halt: Option<Halt>,
) -> Result<Replaced, Failure> {
    let (handoff, checklists, reach, left, in_vain) = context.read(|view| {
        let handoff = handing::found(view, id)?;
        let checklists = handing::checklists(context, view, &handoff)?;
        let reach = handing::reach(context, view, &handoff)?;
        let left = handing::left_behind(view, &handoff)?;
        let in_vain = handing::is_given_up(view, &handoff)?;
        Ok((handoff, checklists, reach, left, in_vain))
    })?;
    warnings.extend(HandoffReport::of(&handoff, "replaced", &[]).warnings);
    warnings.extend(handoff.left_behind(&left));
    warnings.extend(in_vain.then(|| handoff.before_giving_up()));
    let (exit_code, next) = match &halt {
        Some(halt) => outcome(&handoff, halt),
        None if in_vain => (0, handoff.giving_up()),
        None => (0, handoff.advice(handoff.verification.as_ref())),
    };
    let (next, next_for) = next.map(|advice| (advice.command, advice.agent)).unzip();
    let verification = match halt {
        Some(Halt::Unverified(verification)) => Some(*verification),
        _ => handoff.verification.clone(),
    };
    Ok(Replaced {
        done: is_done(&checklists),
        delivery: reach,
        checklists,
        verification,
        audit: match handoff.step() {
            Step::Audited => Some(AuditEntry::of(&handoff)?),
            _ => None,
        },
        handoff: HandoffView {
            replacement_status: handoff.status_after_wait(in_vain).to_owned(),
            ..handoff.view()
        },
        warnings,
        next,
        next_for,
        exit_code,
        is_status: false,
    })
}

/// The exit code, and what to do next.
fn outcome(handoff: &Handoff, halt: &Halt) -> (u8, Option<Advice>) {
    match halt {
        Halt::Waiting => {
            let command = format!("bb agent replace --resume {}", handoff.handoff_id);
            (Exit::TryAgain.code(), Some(Advice { agent: handoff.orchestrator.clone(), command }))
        }
        Halt::Escalated => (handshake::Outcome::Escalated.exit_code(false), handoff.giving_up()),
        Halt::Unverified(verification) => (verification.exit_code, handoff.advice(Some(verification))),
        Halt::Over if handoff.outcome() == Some(Outcome::Success) => {
            (Exit::Done.code(), handoff.advice(None))
        }
        Halt::Over => (NOT_REPLACED, handoff.advice(None)),
    }
}
