//! `assign`: a task for one agent, which has to acknowledge it before it works.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::identity::Actor;
use super::tasking::{self, Cause, Changed, TaskReport};
use super::words::Body;
use super::{Context, Report, recipients};
use crate::domain::Timestamp;
use crate::domain::agent::AgentId;
use crate::domain::message::{Priority, check_label};
use crate::domain::task::{Assignment, ChecklistItem, NewTask, Task, TaskId, TaskInput, decide};
use crate::failure::{Code, Failure};
use crate::store::Transaction;

/// Delegate a task
#[derive(Debug, Clone, clap::Args, Deserialize, JsonSchema)]
pub struct Args {
    /// Who you are (else BB_AGENT, else BD_ACTOR)
    #[arg(long, alias = "agent", value_name = "AGENT")]
    pub from: Option<AgentId>,
    /// Who is to do it
    #[arg(long, value_name = "AGENT")]
    pub to: AgentId,
    /// Its name, for example GH-42
    #[arg(long, value_name = "TASK")]
    pub task: TaskId,
    /// What is to be done, in one line
    #[arg(long, value_name = "TEXT", required_unless_present = "reassign", allow_hyphen_values = true)]
    pub title: Option<String>,
    #[command(flatten)]
    #[serde(flatten)]
    pub body: Body,
    /// What must be true when it is done; once for each criterion
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    #[serde(default)]
    pub criterion: Vec<String>,
    /// Send it again at each attempt to get an acknowledgment
    #[arg(long)]
    #[serde(default)]
    pub critical: bool,
    /// Take an open task from its agent; without --title and --body it stays as it is
    #[arg(long)]
    #[serde(default)]
    pub reassign: bool,
    /// Assign once: the same key from you again is the same assignment
    #[arg(long, value_name = "KEY")]
    pub key: Option<String>,
    /// The bead it is about (else BB_BEAD)
    #[arg(long, value_name = "BEAD")]
    pub bead: Option<String>,
    /// low, normal, high or urgent [default: normal, urgent for a critical task]
    #[arg(long)]
    pub priority: Option<Priority>,
}

/// The task, and what its delegator makes sure of.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Assigned {
    #[serde(flatten)]
    pub report: TaskReport,
    pub body_bytes: usize,
    pub checklist: Vec<ChecklistItem>,
    /// The line that waits for the acknowledgment.
    pub wait: String,
}

impl Report for Assigned {}

/// Delegates the task. The same assignment again gives the same answer.
pub fn run(context: &Context, args: &Args) -> Result<Assigned, Failure> {
    let from = context.identity(args.from.as_ref(), "--from")?.id;
    let body = args.body.read(context)?;
    let bead = match &args.bead {
        Some(bead) => Some(bead.clone()),
        None => context.settings.text("BB_BEAD")?,
    };
    let (changed, now) = context.write(|transaction, now| {
        let sender = context.acting(transaction, &from, Code::UnknownSender)?;
        let changed = match assigned_before(transaction, args, &from)? {
            Some(task) => Changed { task, sent: Vec::new(), duplicate: true },
            None => assign(context, transaction, args, &sender, (body, bead), now)?,
        };
        transaction.agent_seen(&from, now)?;
        Ok((changed, now))
    })?;
    Ok(Assigned {
        body_bytes: changed.task.description.len(),
        checklist: changed.task.checklist(),
        wait: format!("bb agent wait-ack --task {}", changed.task.task_id.in_shell()),
        report: TaskReport::of(changed, "assigned", now),
    })
}

/// The task that was assigned with this key.
fn assigned_before(transaction: &Transaction, args: &Args, from: &AgentId) -> Result<Option<Task>, Failure> {
    let Some(key) = &args.key else { return Ok(None) };
    check_label("key", key)?;
    let Some(message) = transaction.keyed_message(from, key)? else { return Ok(None) };
    let content = transaction.message(&message)?.and_then(|message| message.content);
    let uuid = content.as_ref().and_then(|content| content.get("task_uuid")?.as_str());
    let other = || {
        Failure::new(Code::InvalidTask, format!("the key `{key}` was used for a message that is no task"))
            .hint("choose another --key")
    };
    transaction.task(uuid.ok_or_else(other)?)?.ok_or_else(other).map(Some)
}

fn assign(
    context: &Context,
    transaction: &Transaction,
    args: &Args,
    sender: &Actor,
    text: (Option<String>, Option<String>),
    now: Timestamp,
) -> Result<Changed, Failure> {
    let existing = match tasking::named(transaction, &args.task) {
        Ok(task) => Some(task),
        Err(failure) if failure.code == Code::TaskNotFound && !args.reassign => None,
        Err(failure) => return Err(failure),
    };
    let wanted = wanted(context, args, sender, text, existing.as_ref())?;
    wanted.check()?;
    recipients::resolve(context, transaction, &[args.to.to_string()], &sender.agent.id, false)?;
    let cause = Cause::command(&sender.agent.id, sender.verified);
    let changed = match (decide(existing.as_ref(), &wanted, args.reassign)?, existing) {
        (Assignment::Duplicate, Some(task)) => Changed { task, sent: Vec::new(), duplicate: true },
        (Assignment::Reassign, Some(mut task)) => {
            task.rewrite(wanted);
            let input = TaskInput::Reassign { to: args.to.clone() };
            tasking::change(context, transaction, task, input, &cause, now)?
        }
        _ => tasking::begin(context, transaction, Task::assign(wanted, now)?, &cause, now)?,
    };
    if let (Some(key), Some(message), false) = (&args.key, &changed.task.message_id, changed.duplicate) {
        transaction.remember_key(&sender.agent.id, key, message)?;
    }
    Ok(changed)
}

/// What is to be delegated; a task that is only given to another agent stays as it is.
fn wanted(
    context: &Context,
    args: &Args,
    sender: &Actor,
    (body, bead): (Option<String>, Option<String>),
    existing: Option<&Task>,
) -> Result<NewTask, Failure> {
    let kept = existing.filter(|task| args.reassign && !task.status.is_closed());
    if args.reassign && kept.is_none() {
        let what = format!("there is no open task `{}` to reassign", args.task);
        return Err(Failure::new(Code::TaskNotFound, what).hint("assign it anew, without --reassign"));
    }
    bead.as_deref().map_or(Ok(()), |bead| check_label("bead", bead))?;
    let missing = || {
        Failure::new(Code::InvalidMessage, "the body is missing")
            .hint("say what is to be done: --body TEXT, --body-file FILE, or --body -")
    };
    let criteria = kept.filter(|_| args.criterion.is_empty()).map(|task| task.criteria.clone());
    Ok(NewTask {
        task_id: kept.map_or(&args.task, |task| &task.task_id).clone(),
        task_uuid: context.ids.uuid()?,
        title: args.title.clone().or_else(|| kept.map(|task| task.title.clone())).unwrap_or_default(),
        description: body.or_else(|| kept.map(|task| task.description.clone())).ok_or_else(missing)?,
        criteria: criteria.unwrap_or_else(|| args.criterion.clone()),
        critical: args.critical || kept.is_some_and(|task| task.critical),
        agent: args.to.clone(),
        delegated_by: sender.agent.id.clone(),
        bead,
        priority: args.priority.or_else(|| kept.and_then(|task| task.priority)),
        key: args.key.clone(),
    })
}
