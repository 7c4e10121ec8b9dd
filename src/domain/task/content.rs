//! Task messages that arrive as JSON.

use serde_json::{Map, Value};

use super::{Ack, AckStatus, TaskError, TaskErrorCode, TaskId, TaskInput};
use crate::domain::agent::AgentId;
use crate::domain::message::Kind;
use crate::domain::{Invalid, Rule};

/// Reads what an agent said about a task from a message's content.
///
/// None when the content's `type` is no answer to an assignment; an error when it is one but
/// breaks its format. Kinds and statuses are understood in every spelling.
pub fn read_content(content: &Value) -> Option<Result<(TaskId, TaskInput), Invalid>> {
    let fields = Fields(content.as_object()?);
    let read = match Kind::recognise(fields.0.get("type")?.as_str()?)? {
        Kind::TaskAcknowledgment => Fields::acknowledgment,
        Kind::TaskAcknowledgmentError => Fields::error,
        Kind::CheckpointAck => Fields::checkpoint,
        Kind::TaskComplete => Fields::completion,
        _ => return None,
    };
    Some(fields.task_id().and_then(|id| Ok((id, read(&fields)?))))
}

struct Fields<'a>(&'a Map<String, Value>);

impl Fields<'_> {
    fn wrong(key: &str, expected: &str) -> Invalid {
        Invalid::new(Rule::Task, format!("`{key}` of the content is missing or wrong"))
            .hint(format!("it must be {expected}"))
    }

    /// The value, unless it is absent or null.
    fn get(&self, key: &str) -> Option<&Value> {
        self.0.get(key).filter(|value| !value.is_null())
    }

    fn text(&self, key: &str) -> Result<Option<&str>, Invalid> {
        self.get(key).map(|value| value.as_str().ok_or_else(|| Self::wrong(key, "a text"))).transpose()
    }

    fn owned(&self, key: &str) -> Result<Option<String>, Invalid> {
        Ok(self.text(key)?.map(str::to_owned))
    }

    fn required(&self, key: &str) -> Result<&str, Invalid> {
        self.text(key)?.ok_or_else(|| Self::wrong(key, "a text"))
    }

    fn number(&self, key: &str) -> Result<Option<u32>, Invalid> {
        let number = |value: &Value| value.as_u64().and_then(|it| u32::try_from(it).ok());
        self.get(key).map(|value| number(value).ok_or_else(|| Self::wrong(key, "a whole number"))).transpose()
    }

    fn texts(&self, key: &str) -> Result<Vec<String>, Invalid> {
        let expected = || Self::wrong(key, "a list of texts");
        let Some(value) = self.get(key) else { return Ok(Vec::new()) };
        let items = value.as_array().ok_or_else(expected)?;
        items.iter().map(|item| item.as_str().map(str::to_owned).ok_or_else(expected)).collect()
    }

    fn task_id(&self) -> Result<TaskId, Invalid> {
        self.required("task_id")?.parse()
    }

    fn acknowledgment(&self) -> Result<TaskInput, Invalid> {
        Ok(TaskInput::Ack(Ack {
            status: self.required("status")?.parse::<AckStatus>()?,
            understanding: self.owned("understanding")?,
            questions: self.texts("questions")?,
            estimated_checkpoints: self.texts("estimated_checkpoints")?,
            note: self.owned("note")?,
            reason: self.owned("reason")?,
        }))
    }

    fn error(&self) -> Result<TaskInput, Invalid> {
        let code = self.required("error_code")?.replace('-', "_").parse::<TaskErrorCode>()?;
        let alternatives: Result<Vec<AgentId>, Invalid> =
            self.texts("alternative_agents")?.iter().map(|name| name.parse()).collect();
        let mut error = TaskError::new(code, self.text("error_message")?, None, alternatives?);
        error.retry_after_minutes = self.number("retry_after_minutes")?.map(u64::from);
        Ok(TaskInput::Fail(error))
    }

    fn checkpoint(&self) -> Result<TaskInput, Invalid> {
        if self.text("status")?.is_some_and(|status| !status.eq_ignore_ascii_case("completed")) {
            return Err(Self::wrong("status", "`completed`: only a checkpoint that is done is reported"));
        }
        let number = self.number("checkpoint")?.ok_or_else(|| Self::wrong("checkpoint", "a whole number"))?;
        let summary = self.required("summary")?.to_owned();
        Ok(TaskInput::Checkpoint { number, summary, next: self.number("next_checkpoint")? })
    }

    fn completion(&self) -> Result<TaskInput, Invalid> {
        Ok(TaskInput::Complete { summary: self.owned("summary")? })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(content: Value) -> Result<(TaskId, TaskInput), Invalid> {
        read_content(&content).unwrap()
    }

    /// E8, E9
    #[test]
    fn reads_an_acknowledgment_in_every_spelling() {
        let content = json!({
            "type": "TASK_ACKNOWLEDGMENT", "task_id": "GH-42", "status": "CLARIFICATION_NEEDED",
            "understanding": null, "questions": ["24h or 7 days?"],
        });
        let (task_id, input) = read(content).unwrap();
        let questions = vec!["24h or 7 days?".to_owned()];
        assert_eq!(task_id.as_str(), "GH-42");
        assert_eq!(input, TaskInput::Ack(Ack { questions, ..Ack::new(AckStatus::NeedsClarification) }));
    }

    #[test]
    fn what_answers_no_assignment_is_left_alone() {
        for content in [
            json!(null),
            json!("task-acknowledgment"),
            json!({"task_id": "GH-42"}),
            json!({"type": 7}),
            json!({"type": "task-assignment", "task_id": "GH-42"}),
            json!({"type": "novel", "task_id": "GH-42"}),
        ] {
            assert_eq!(read_content(&content), None, "{content}");
        }
    }

    #[test]
    fn a_broken_answer_says_what_is_wrong() {
        for (content, wrong) in [
            (json!({"type": "task-acknowledgment", "status": "received"}), "`task_id`"),
            (json!({"type": "task-acknowledgment", "task_id": "a b", "status": "received"}), "`a b`"),
            (json!({"type": "task-acknowledgment", "task_id": "GH-42"}), "`status`"),
            (json!({"type": "task-acknowledgment", "task_id": "GH-42", "status": "maybe"}), "`maybe`"),
            (
                json!({"type": "task-acknowledgment", "task_id": "GH-42", "status": "received", "questions": [1]}),
                "`questions`",
            ),
            (
                json!({"type": "task-acknowledgment-error", "task_id": "GH-42", "error_code": "OOPS"}),
                "`OOPS`",
            ),
            (
                json!({"type": "checkpoint-ack", "task_id": "GH-42", "checkpoint": -1, "summary": "x"}),
                "`checkpoint`",
            ),
            (
                json!({"type": "checkpoint-ack", "task_id": "GH-42", "checkpoint": 1, "summary": "x", "status": "begun"}),
                "`status`",
            ),
            (json!({"type": "task-complete", "task_id": "GH-42", "summary": 1}), "`summary`"),
        ] {
            let invalid = read(content).unwrap_err();
            assert!(invalid.what.contains(wrong), "{}", invalid.what);
            assert!(invalid.hint.is_some());
        }
    }
}
