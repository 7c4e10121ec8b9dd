//! What came of a wait, and for each silent agent why.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;

use super::Args;
use super::command::Ran;
use crate::commands::handshake::time_of;
use crate::commands::{Context, Report};
use crate::domain::agent::{AgentId, AgentState, Liveness};
use crate::domain::diagnosis::{Facts, Said, Uncounted, diagnose};
use crate::domain::handshake::{Late, Operation, Outcome, Recipient, Snapshot, Status};
use crate::domain::message::{Message, MessageId, Response};
use crate::domain::notice::whole_seconds;
use crate::domain::reply::Verdict;
use crate::domain::schedule::{Policy, Profile, Quorum};
use crate::domain::task::{NextAction, Task, TaskView};
use crate::domain::{Timestamp, handshake};
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
        line.push_str(&shell_word(&word.to_string_lossy()));
    }
    line
}

/// A word as a shell reads it back.
fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./:=,@%+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
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
    let diagnosis = if needs_diagnosis(state, recipient) {
        let words = last_words(view, state, recipient)?;
        let facts = Facts {
            agent: recipient.answerer(),
            status: recipient.status,
            proceeds: state.end.as_ref().is_some_and(|end| end.proceed),
            state: agent.state,
            liveness,
            last_seen: agent.last_seen_at,
            read_at,
            answer: uncounted(state, recipient, request.as_ref()),
            said: words.as_ref().map(|message| said(state, recipient, message)),
            successor: agent.replaced_by.as_ref(),
            again: &again(state, recipient),
        };
        Some(diagnose(&facts, context.now()))
    } else {
        None
    };
    let (diagnosis, next) = diagnosis.map(|it| (it.why, it.next)).unzip();
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

/// Whether something is to be said about a part that is over: nothing came of it, or a no. What a no means
/// for a task or a handoff is theirs to say.
fn needs_diagnosis(state: &Snapshot, recipient: &Recipient) -> bool {
    let says_itself = state.operation.task_id.is_some() || state.operation.handoff_id.is_some();
    let silent = recipient.status.is_missing();
    state.end.is_some() && (silent || !says_itself && !recipient.status.is_yes())
}

/// Why an answer that there is did not count.
fn uncounted(state: &Snapshot, recipient: &Recipient, request: Option<&Message>) -> Option<Uncounted> {
    let is_answer = |response: &Response| response.verdict != Verdict::Other;
    if recipient.late.as_ref().is_some_and(is_answer)
        && let Some(late) = Late::of(state, &recipient.agent)
    {
        return Some(Uncounted::Late(Duration::from_secs(late.late_seconds)));
    }
    if let Some(response) = &recipient.response {
        return (response.verdict == Verdict::NeedsTime).then_some(Uncounted::NeedsTime);
    }
    let answer = request.and_then(|request| request.response.as_ref()).filter(|it| is_answer(it));
    let since = |answer: &&Response| answer.at >= state.started_at;
    answer.filter(|it| state.require_verified && since(it)).map(|_| Uncounted::NotVerified)
}

/// The line that asks again. Whoever agreed and was told that it is off has to be asked anew.
fn again(state: &Snapshot, recipient: &Recipient) -> String {
    let Operation { kind, description, task_id, handoff_id, of_mail, .. } = &state.operation;
    let told_off = state.recipients.len() > 1 && state.outcome() != Outcome::NeedsClarification;
    let mut line = if task_id.is_some() || handoff_id.is_some() {
        format!("bb wait-ack {}", recipient.message_id)
    } else if told_off && !of_mail {
        let to: Vec<_> = state.expected().map(AgentId::as_str).collect();
        let what = description.as_ref().map(|text| format!(" --describe {}", shell_word(text)));
        let (from, to, kind) = (&state.requester, to.join(","), shell_word(kind));
        format!("bb wait-ack --from {from} --to {to} --operation {kind}{}", what.unwrap_or_default())
    } else {
        let requests: Vec<_> = state.recipients.iter().map(|it| it.message_id.as_str()).collect();
        format!("bb wait-ack {}", requests.join(" "))
    };
    if let Some(quorum) = state.plan.quorum {
        line.push_str(&format!(" --quorum {quorum}"));
    } else if state.plan.on_silence != Policy::Proceed && task_id.is_none() && handoff_id.is_none() {
        line.push_str(&format!(" --on-timeout {}", state.plan.on_silence));
    }
    line
}

/// The newest message an agent sent to anyone since it was asked, unless that answers something else.
fn last_words(
    view: &Transaction,
    state: &Snapshot,
    recipient: &Recipient,
) -> Result<Option<Message>, Failure> {
    let newest = view.newest_from(recipient.answerer(), state.started_at)?;
    Ok(newest.filter(|message| match &message.reply_to {
        Some(asked) => *asked == recipient.message_id || recipient.heard.contains(&message.message_id),
        None => true,
    }))
}

fn said<'a>(state: &Snapshot, recipient: &handshake::Recipient, message: &'a Message) -> Said<'a> {
    Said {
        to: &message.to_agent,
        text: &message.body,
        to_requester: message.to_agent == state.requester,
        bound: recipient.heard.contains(&message.message_id),
    }
}
