//! What came of a wait, and for each silent agent why.

use schemars::JsonSchema;
use serde::Serialize;

use super::command::Ran;
use super::{Args, why};
use crate::commands::handshake::time_of;
use crate::commands::{Context, Report};
use crate::domain::Timestamp;
use crate::domain::agent::{AgentId, AgentState, Liveness};
use crate::domain::handshake::{Outcome, Recipient, Snapshot, Status};
use crate::domain::message::{MessageId, Response};
use crate::domain::notice::whole_seconds;
use crate::domain::schedule::{Profile, Quorum};
use crate::domain::task::{NextAction, Task, TaskView};
use crate::failure::{Code, Failure};
use crate::store::Transaction;

/// The result of a wait.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Waited {
    pub operation_id: String,
    pub operation: String,
    pub profile: Profile,
    pub outcome: Outcome,
    /// Whether what was asked about may go ahead.
    pub proceed: bool,
    pub acknowledgment_received: bool,
    pub timeout_occurred: bool,
    pub proceeded_anyway: bool,
    pub elapsed_seconds: u64,
    pub reminders_sent: usize,
    pub extension_granted: bool,
    pub quorum: Option<QuorumLine>,
    pub agents: Vec<AgentLine>,
    /// Those who gave no answer.
    pub missing: Vec<AgentId>,
    /// What the command exited with, whoever ran it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command_exit: Option<i32>,
    /// The command has not ended, or not begun.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub command_pending: bool,
    /// The task that was waited for, as it is now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<TaskView>,
    /// What a refusal or silence calls for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_action: Option<NextAction>,
    /// The same in words, or the line to run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
    /// When the agent that could not take the task is asked again.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub retry_at: Option<Timestamp>,
    /// The line that goes on waiting.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resume: Option<String>,
    #[serde(skip)]
    pub now: Timestamp,
}

/// How many had to agree, and how many did.
#[derive(Debug, Serialize, JsonSchema)]
pub struct QuorumLine {
    #[schemars(with = "String")]
    pub rule: Quorum,
    pub needed: usize,
    pub agreed: usize,
}

/// One agent's part.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AgentLine {
    pub agent: AgentId,
    /// Who has taken its place and answers for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub succeeded_by: Option<AgentId>,
    pub message_id: MessageId,
    pub status: Status,
    pub response: Option<Response>,
    #[schemars(with = "Option<String>")]
    pub responded_at: Option<Timestamp>,
    #[schemars(with = "String")]
    pub deadline: Timestamp,
    pub reminders_sent: usize,
    #[schemars(with = "String")]
    pub last_seen: Timestamp,
    pub state: AgentState,
    pub liveness: Liveness,
    #[schemars(with = "Option<String>")]
    pub read_at: Option<Timestamp>,
    /// Why it probably did not acknowledge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diagnosis: Option<String>,
    /// What to try next.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

impl Report for Waited {
    fn exit_code(&self) -> u8 {
        match self.command_exit {
            Some(status) => u8::try_from(status).unwrap_or(1),
            None if self.command_pending => Outcome::Waiting.exit_code(false),
            None => self.outcome.exit_code(self.proceed),
        }
    }
}

/// Describes a handshake as it stands, and how this waiter would go on.
pub(super) fn report(
    context: &Context,
    args: &Args,
    state: &Snapshot,
    ran: Option<Ran>,
) -> Result<Waited, Failure> {
    let waited = context.read(|view| describe(context, view, state))?;
    let command_pending = matches!(ran, Some(Ran::Pending));
    let command_exit = match ran {
        Some(Ran::Ended(code)) => Some(code),
        _ => None,
    };
    let resume = waited.resume.or_else(|| command_pending.then(|| resume_line(state)));
    let resume = resume.map(|line| with_habits(line, args));
    Ok(Waited { command_exit, command_pending, resume, ..waited })
}

fn resume_line(state: &Snapshot) -> String {
    format!("bb agent wait-ack --resume {}", state.id)
}

/// The line that goes on in the same way: as patient as before, and with the same command.
fn with_habits(mut line: String, args: &Args) -> String {
    // Whoever did not wait at all would never get anywhere in the same way.
    if let Some(limit) = args.block_for.filter(|limit| !limit.is_zero()) {
        line.push_str(&match limit.subsec_millis() {
            0 => format!(" --block-for {}s", limit.as_secs()),
            _ => format!(" --block-for {}ms", limit.as_millis()),
        });
    }
    if !args.command.is_empty() {
        line.push_str(" --");
    }
    for word in &args.command {
        line.push(' ');
        line.push_str(&why::shell_word(&word.to_string_lossy()));
    }
    line
}

/// Describes a wait that goes on at a time the caller did not stay for.
pub(super) fn postponed(
    context: &Context,
    args: &Args,
    state: &Snapshot,
    at: Timestamp,
) -> Result<Waited, Failure> {
    let resume = state.operation.task_id.as_ref().map(|id| {
        let others: Vec<_> = state.operation.reassign_to.iter().map(AgentId::as_str).collect();
        let others =
            if others.is_empty() { String::new() } else { format!(" --reassign-to {}", others.join(",")) };
        format!("bb agent wait-ack --task {} --auto{others}", id.in_shell())
    });
    let resume = resume.map(|line| with_habits(line, args));
    let waited = context.read(|view| describe(context, view, state))?;
    Ok(Waited { outcome: Outcome::Waiting, retry_at: Some(at), resume, ..waited })
}

/// Describes a handshake as it stands.
pub fn describe(context: &Context, view: &Transaction, state: &Snapshot) -> Result<Waited, Failure> {
    let stored = view.handshake(&state.id)?;
    let at = stored.map_or_else(|| context.now(), |stored| time_of(&stored, context.clock));
    let end = state.end.as_ref();
    let agents = state
        .recipients
        .iter()
        .map(|recipient| agent_line(context, view, state, recipient))
        .collect::<Result<_, _>>()?;
    let task = match &state.operation.task_id {
        Some(id) => view.task_named(id)?,
        None => None,
    };
    Ok(Waited {
        operation_id: state.id.clone(),
        operation: state.operation.kind.clone(),
        profile: state.plan.profile,
        outcome: state.outcome(),
        proceed: end.is_some_and(|end| end.proceed),
        acknowledgment_received: end.is_some_and(|end| end.acknowledgment_received),
        timeout_occurred: end.is_some_and(|end| end.timeout_occurred),
        proceeded_anyway: end.is_some_and(|end| end.proceeded_anyway),
        elapsed_seconds: whole_seconds(end.map_or(at, |end| end.at).since(state.started_at)),
        reminders_sent: state.recipients.iter().map(|it| it.reminders_sent).sum(),
        extension_granted: state.recipients.iter().any(|it| it.extended),
        quorum: state.plan.quorum.map(|rule| QuorumLine {
            rule,
            needed: rule.needed(state.recipients.len()),
            agreed: state.recipients.iter().filter(|it| it.status.is_yes()).count(),
        }),
        agents,
        missing: state.missing().cloned().collect(),
        command_exit: None,
        command_pending: false,
        next_action: task.as_ref().and_then(Task::next_action),
        advice: task.as_ref().and_then(Task::advice),
        retry_at: task.as_ref().and_then(|task| task.retry_at),
        task: task.map(|task| task.view(context.now())),
        resume: end.is_none().then(|| resume_line(state)),
        now: context.now(),
    })
}

fn agent_line(
    context: &Context,
    view: &Transaction,
    state: &Snapshot,
    recipient: &Recipient,
) -> Result<AgentLine, Failure> {
    let agent = context.known(view, recipient.answerer(), Code::AgentNotFound)?;
    let request = view.message(&recipient.message_id)?;
    let liveness = context.liveness(&agent)?;
    let read_at = request.as_ref().and_then(|request| request.read_at);
    let diagnosis = why::diagnosis(context, view, state, recipient, &agent, request.as_ref())?;
    let (diagnosis, next) = diagnosis.map_or((None, None), |it| (Some(it.why), it.next));
    Ok(AgentLine {
        agent: recipient.agent.clone(),
        succeeded_by: recipient.succeeded_by.clone(),
        message_id: recipient.message_id.clone(),
        status: if state.end.is_some() && recipient.status.is_waiting() {
            Status::Silent
        } else {
            recipient.status
        },
        response: recipient.response.clone(),
        responded_at: recipient.responded_at,
        deadline: recipient.deadline,
        reminders_sent: recipient.reminders_sent,
        last_seen: agent.last_seen_at,
        state: agent.state,
        liveness,
        read_at,
        diagnosis,
        next,
    })
}
