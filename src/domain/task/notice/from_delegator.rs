//! What a delegator says to its agent about the work.

use std::time::Duration;

use serde_json::json;

use super::{about, numbered, one_line, teaching};
use crate::domain::Invalid;
use crate::domain::message::{Kind, Priority};
use crate::domain::notice::Notice;
use crate::domain::task::{MAX_CORRECTIONS, Revision, Task, TaskId};

/// Gives the task to its agent, and teaches it how to acknowledge.
pub fn assignment(task: &Task, ack_timeout: Duration) -> Notice {
    assignment_with(task, ack_timeout, "")
}

/// Gives the task again to an agent that acknowledged the id `said`, which is none of its tasks.
pub fn resend(task: &Task, said: &TaskId, ack_timeout: Duration) -> Notice {
    let opening = format!(
        "You acknowledged {said}, which is not a task of yours. The task you were given is {}: \
         acknowledge it by exactly this id.\n\n",
        task.task_id
    );
    assignment_with(task, ack_timeout, &opening).with("acknowledged_task_id", json!(said))
}

fn assignment_with(task: &Task, ack_timeout: Duration, opening: &str) -> Notice {
    let title = one_line(&task.title, usize::MAX);
    let mut body = format!("{opening}## Task: {}\n{title}\n\n", task.task_id);
    if !task.description.trim().is_empty() {
        body.push_str(&format!("{}\n\n", task.description.trim_end()));
    }
    if !task.criteria.is_empty() {
        let items: Vec<_> =
            task.criteria.iter().map(|it| format!("- [ ] {}\n", one_line(it, usize::MAX))).collect();
        body.push_str(&format!("## Acceptance Criteria\n{}\n", items.concat()));
    }
    body.push_str(&teaching::footer(task, ack_timeout));
    let subject = format!("Task {}: {title}", task.task_id);
    about(task, Kind::TaskAssignment, &subject, body)
        .priority(task.priority.unwrap_or(if task.critical { Priority::Urgent } else { Priority::Normal }))
        .requiring_ack()
        .with("ack_timeout_minutes", json!(teaching::minutes(ack_timeout)))
        .with("critical", json!(task.critical))
        .with(
            "content",
            json!({
                "title": task.title,
                "description": task.description,
                "acceptance_criteria": task.criteria,
            }),
        )
        .with("acknowledgment", teaching::content(&task.task_id, &task.agent))
}

/// Answers the agent's questions, by position.
pub fn clarification(task: &Task) -> Notice {
    let mut body = String::new();
    for (number, answer) in (1..).zip(&task.answers) {
        let question = task.questions.get(number - 1).map(|it| one_line(it, usize::MAX)).unwrap_or_default();
        let pair = format!("{number}. {question}\nAnswer: {}\n\n", answer.trim());
        body.push_str(&pair);
    }
    body.push_str(&teaching::again(task));
    let subject = format!("Clarification: {}", task.task_id);
    about(task, Kind::TaskClarification, &subject, body)
        .priority(Priority::High)
        .requiring_ack()
        .with("questions", json!(task.questions))
        .with("answers", json!(task.answers))
}

/// Asks an agent whose questions are too general to answer which part it means.
pub fn which_criterion(task: &Task) -> Notice {
    let mut body = format!("Which part of the acceptance criteria of {} is unclear?\n", task.task_id);
    if !task.criteria.is_empty() {
        body.push_str(&format!("{}\n", numbered(&task.criteria)));
    }
    body.push_str(
        "\nName the criterion and ask about it in one line each. \
         If you cannot, the task may be too large: say so, and propose how to split it.\n\n",
    );
    body.push_str(&format!("With bb: {}", teaching::question(task)));
    let subject = format!("Which part is unclear: {}", task.task_id);
    about(task, Kind::TaskClarification, &subject, body)
        .with("acceptance_criteria", json!(task.criteria))
        .with("questions", json!(task.questions))
}

/// Corrects what the agent understood; none when no correction is outstanding.
pub fn correction(task: &Task) -> Option<Notice> {
    let Some(Revision::Correction { understood, correct }) = &task.revision else { return None };
    let [wrong, right] = [understood, correct].map(|text| one_line(text, usize::MAX));
    let body = format!(
        "Your understanding: {}. Correct understanding: {right}\n\n\
         Correction {} of {MAX_CORRECTIONS}. Do not work by the first one.\n\n{}",
        wrong.trim_end_matches('.'),
        task.corrections,
        teaching::again(task)
    );
    let subject = format!("Correction {} of {MAX_CORRECTIONS}: {}", task.corrections, task.task_id);
    Some(
        about(task, Kind::TaskClarification, &subject, body)
            .priority(Priority::High)
            .requiring_ack()
            .with("your_understanding", json!(understood))
            .with("correct_understanding", json!(correct))
            .with("correction", json!(task.corrections))
            .with("corrections_allowed", json!(MAX_CORRECTIONS)),
    )
}

/// Adds what the agent left out, or what has changed; none when nothing was added.
pub fn supplement(task: &Task) -> Option<Notice> {
    let Some(Revision::Supplement { understood, items }) = &task.revision else { return None };
    let said = understood.as_deref().map_or("none was given".to_owned(), |it| one_line(it, usize::MAX));
    let body = format!(
        "Your understanding: {said}\n\nThese belong to the task too:\n{}\n\n{}",
        numbered(items),
        teaching::again(task)
    );
    let subject = format!("Supplement: {}", task.task_id);
    Some(
        about(task, Kind::TaskClarification, &subject, body)
            .priority(Priority::High)
            .requiring_ack()
            .with("your_understanding", json!(understood))
            .with("missing_items", json!(items)),
    )
}

/// Says why an answer about the task was not taken, and how to give it.
pub fn not_taken(task: &Task, problem: &Invalid) -> Notice {
    let hint = problem.hint.as_ref().map(|hint| format!("\n{}", one_line(hint, usize::MAX)));
    let body = format!(
        "Your answer was not taken: {}.{}\n\n{}",
        one_line(&problem.what, usize::MAX),
        hint.unwrap_or_default(),
        teaching::lesson(task).sentence()
    );
    let subject = format!("Not taken: {}", task.task_id);
    about(task, Kind::TaskClarification, &subject, body)
        .priority(Priority::High)
        .with("problem", json!(problem.what))
        .with("hint", json!(problem.hint))
}
