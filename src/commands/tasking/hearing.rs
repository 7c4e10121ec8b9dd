//! What mail says about tasks: the text form, the JSON form, and single words.

use serde_json::Value;

use super::reacting::stop_the_wrong_one;
use super::relevance::answers_plain_mail;
use super::{Cause, change, of_message};
use crate::commands::Context;
use crate::commands::correspondence::{keep_answer, mark_acked, mark_read, stored};
use crate::domain::ack_text::{self, AckProblem};
use crate::domain::agent::AgentId;
use crate::domain::message::{Draft, Kind, Message, Response};
use crate::domain::task::notice::{self, Letter};
use crate::domain::task::{ACK_TIMEOUT, Ack, Addressed, Task, TaskId, TaskInput, addressed, read_content};
use crate::domain::{Invalid, Rule, Timestamp};
use crate::failure::{Code, Failure};
use crate::store::Transaction;

/// Something said about a task, or something that looks like it and cannot be taken as it.
pub(crate) type Statement = Result<(TaskId, TaskInput), AckProblem>;

/// What came of the statements in a mail.
#[derive(Debug, Default)]
pub(crate) struct Heard {
    /// The tasks as they are after it.
    pub tasks: Vec<Task>,
    /// What was not taken, and what was done about it.
    pub warnings: Vec<String>,
    /// Why plain words were not taken, for whoever does not put up with a warning.
    pub refused: Option<Failure>,
}

impl Heard {
    /// Adds what came of another one.
    pub(crate) fn add(&mut self, other: Self) {
        self.tasks.extend(other.tasks);
        self.warnings.extend(other.warnings);
        self.refused = self.refused.take().or(other.refused);
    }
}

/// Reads everything a mail says about tasks; JSON that breaks its own format is an error.
pub(crate) fn statements(body: &str, content: Option<&Value>) -> Result<Vec<Statement>, Failure> {
    let by_content = content.and_then(read_content).transpose()?;
    let known = by_content.as_ref().map(|(id, _)| id.clone());
    let by_text = ack_text::parse_all(body)
        .into_iter()
        .map(|found| found.map(|text| (text.task_id.clone(), TaskInput::Ack(Ack::from(text)))));
    let new = |said: &Statement| {
        let id = said.as_ref().map_or_else(AckProblem::task_id, |(id, _)| id);
        known.as_ref() != Some(id)
    };
    Ok(by_content.map(Ok).into_iter().chain(by_text.filter(new)).collect())
}

/// What to say about lines that were meant as acknowledgments of tasks and lack their dash.
pub(crate) fn misspelled(body: &str) -> Vec<String> {
    let line = |line: &str| format!("`{line}` is not understood: write `[ACK] TASK - STATUS`");
    ack_text::misspelled(body).into_iter().map(line).collect()
}

/// Gives a mail that answers for one task the kind and the fields of such an answer.
pub(crate) fn dress(
    view: &Transaction,
    draft: &mut Draft,
    statements: &[Statement],
    now: Timestamp,
) -> Result<(), Failure> {
    let [Ok((said, input))] = statements else { return Ok(()) };
    let open = view.open_tasks_between(&draft.from, &draft.to)?;
    let Addressed::Task(task) = addressed(said, &open) else { return Ok(()) };
    draft.kind = match input {
        TaskInput::Ack(_) => Kind::TaskAcknowledgment,
        TaskInput::Fail(_) => Kind::TaskAcknowledgmentError,
        TaskInput::Checkpoint { .. } => Kind::CheckpointAck,
        _ => Kind::TaskComplete,
    };
    if let (None, TaskInput::Ack(ack)) = (&draft.content, input) {
        draft.content = Some(notice::acknowledgment(task, ack, now).content);
    }
    Ok(())
}

/// Takes in what a mail says about the tasks between its two agents.
pub(crate) fn hear(
    context: &Context,
    transaction: &Transaction,
    mail: &Message,
    statements: &[Statement],
    now: Timestamp,
) -> Result<Heard, Failure> {
    let mut heard = Heard::default();
    for statement in statements {
        let said = statement.as_ref().map_or_else(AckProblem::task_id, |(id, _)| id);
        let open = transaction.open_tasks_between(&mail.from_agent, &mail.to_agent)?;
        match addressed(said, &open) {
            Addressed::Task(task) => {
                take(context, transaction, mail, task.clone(), statement, &mut heard, now)?;
            }
            _ if elsewhere(context, transaction, mail, said, statement, &mut heard, now)? => {}
            _ if answers_plain_mail(transaction, mail, said)? => {}
            Addressed::Resend(waiting) => {
                let warning = match meant(transaction, mail, &waiting)? {
                    Some(task) => resend(context, transaction, task, said, now)?,
                    None => by_exactly(said, &waiting),
                };
                heard.warnings.push(warning);
            }
            // Whoever else gets a copy is not told of it.
            Addressed::Nothing if mail.broadcast_id.is_none() => {
                heard.warnings.push(format!("`{said}` is no task that {} gave you", mail.to_agent));
            }
            Addressed::Nothing => {}
        }
    }
    Ok(heard)
}

/// The task that a mail with a wrong id can only mean: the one it replies to, or the only one.
fn meant<'a>(view: &Transaction, mail: &Message, waiting: &[&'a Task]) -> Result<Option<&'a Task>, Failure> {
    if let [only] = waiting {
        return Ok(Some(only));
    }
    let Some(asked) = &mail.reply_to else { return Ok(None) };
    let Some(task) = of_message(view, &stored(view, asked)?)? else { return Ok(None) };
    Ok(waiting.iter().copied().find(|it| it.task_uuid == task.task_uuid))
}

fn by_exactly(said: &TaskId, waiting: &[&Task]) -> String {
    let ids: Vec<_> = waiting.iter().map(|task| format!("`{}`", task.task_id)).collect();
    format!("`{said}` is no task of yours; acknowledge {} by exactly that id", ids.join(" or "))
}

/// Sends a task again to an agent that acknowledged a wrong id, once for each wrong id while it is not acked.
fn resend(
    context: &Context,
    transaction: &Transaction,
    task: &Task,
    said: &TaskId,
    now: Timestamp,
) -> Result<String, Failure> {
    let id = &task.task_id;
    for unacked in transaction.unacked_about(&task.agent, &task.task_uuid)? {
        let message = stored(transaction, &unacked)?;
        let wrong =
            message.content.as_ref().and_then(|content| content.get("acknowledged_task_id")?.as_str());
        if wrong == Some(said.as_str()) {
            return Ok(by_exactly(said, &[task]));
        }
    }
    tell(context, transaction, task, notice::resend(task, said, ACK_TIMEOUT), now)?;
    Ok(format!("`{said}` is no task of yours; `{id}` was sent to you again"))
}

/// Deals with a task of that name that is closed or with another agent. Says whether there is one.
fn elsewhere(
    context: &Context,
    transaction: &Transaction,
    mail: &Message,
    said: &TaskId,
    statement: &Statement,
    heard: &mut Heard,
    now: Timestamp,
) -> Result<bool, Failure> {
    let known = transaction.task_named(said)?.filter(|task| task.delegated_by == mail.to_agent);
    let Some(task) = known else { return Ok(false) };
    if task.agent == mail.from_agent {
        take(context, transaction, mail, task, statement, heard, now)?;
    } else if task.former_agents.contains(&mail.from_agent) {
        heard.warnings.push(format!("task `{said}` is with `{}`: stop working on it", task.agent));
        stop_the_wrong_one(context, transaction, task, &mail.from_agent, now)?;
    } else {
        return Ok(false);
    }
    Ok(true)
}

/// Applies a statement; one that cannot be taken is answered.
fn take(
    context: &Context,
    transaction: &Transaction,
    mail: &Message,
    task: Task,
    statement: &Statement,
    heard: &mut Heard,
    now: Timestamp,
) -> Result<(), Failure> {
    match statement {
        Err(problem) => refuse(context, transaction, task, &Invalid::from(problem.clone()), heard, now),
        Ok((_, input)) => apply(context, transaction, mail, task, input.clone(), heard, now).map(|_| ()),
    }
}

/// Applies what a mail says of a task. The mail stays delivered when the task cannot take it: that is
/// answered. Says whether it was taken.
fn apply(
    context: &Context,
    transaction: &Transaction,
    mail: &Message,
    task: Task,
    input: TaskInput,
    heard: &mut Heard,
    now: Timestamp,
) -> Result<bool, Failure> {
    let cause = from_mail(&mail.from_agent, mail);
    match change(context, transaction, task.clone(), input, &cause, now) {
        Ok(changed) => {
            heard.tasks.push(changed.task);
            Ok(true)
        }
        Err(failure) if failure.code == Code::InvalidTask => {
            let Failure { message: what, hint, .. } = &failure;
            let problem = Invalid { rule: Rule::Task, what: what.clone(), hint: hint.clone() };
            refuse(context, transaction, task, &problem, heard, now)?;
            heard.refused = Some(failure);
            Ok(false)
        }
        Err(failure) => Err(failure),
    }
}

/// Tells the agent of a task why what it said was not taken.
fn refuse(
    context: &Context,
    transaction: &Transaction,
    task: Task,
    problem: &Invalid,
    heard: &mut Heard,
    now: Timestamp,
) -> Result<(), Failure> {
    tell(context, transaction, &task, notice::not_taken(&task, problem), now)?;
    heard.warnings.push(format!("not taken: {}", problem.what));
    heard.tasks.push(task);
    Ok(())
}

fn from_mail<'a>(by: &'a AgentId, mail: &'a Message) -> Cause<'a> {
    Cause { carrier: Some(mail), ..Cause::command(by, mail.verified) }
}

/// Sends the task's agent a message in the name of its delegator.
fn tell(
    context: &Context,
    transaction: &Transaction,
    task: &Task,
    notice: crate::domain::notice::Notice,
    now: Timestamp,
) -> Result<(), Failure> {
    let letter = Letter { from: task.delegated_by.clone(), to: task.agent.clone(), notice };
    let cause = Cause::command(&task.delegated_by, false);
    super::performing::send(context, transaction, task, letter, &cause, now)?;
    Ok(())
}

/// Binds a mail to the message it answers. If that is about a task of the one who answers, plain
/// words are its answer for the task; what was said in a form of its own has been heard already.
pub(crate) fn bind(
    context: &Context,
    transaction: &Transaction,
    asked: &Message,
    response: &Response,
    carrier: &Message,
    statements: &[Statement],
    now: Timestamp,
) -> Result<Heard, Failure> {
    let mut heard = Heard::default();
    let keep = |asked: &Message| keep_answer(context, transaction, asked, response, carrier.verified, now);
    let Some(task) = of_message(transaction, asked)?.filter(|task| !task.status.is_closed()) else {
        keep(asked)?;
        return Ok(heard);
    };
    mark_read(transaction, asked, now)?;
    if !statements.is_empty() {
        return Ok(heard);
    }
    if let Some(ack) = Ack::of_reply(response.verdict, &response.message) {
        let input = TaskInput::Ack(Ack { note: response.notes.clone(), ..ack });
        let taken = apply(context, transaction, carrier, task, input, &mut heard, now)?;
        if taken && response.verdict.acknowledges() {
            mark_acked(transaction, asked, now)?;
        }
        return Ok(heard);
    }
    // Words that are no answer must not take the place of one.
    if let (true, Some(id)) = (task.awaits_ack(), &task.asked_in) {
        keep(&stored(transaction, id)?)?;
    }
    Ok(heard)
}
