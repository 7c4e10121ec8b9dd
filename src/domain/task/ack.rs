//! What an agent says about a task it was given.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{AckStatus, TaskErrorCode};
use crate::domain::agent::AgentId;
use crate::domain::question::asked;
use crate::domain::reply::Verdict;
use crate::domain::{Invalid, Rule};

/// What an agent answers to an assignment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ack {
    pub status: AckStatus,
    pub understanding: Option<String>,
    pub questions: Vec<String>,
    pub estimated_checkpoints: Vec<String>,
    pub note: Option<String>,
    pub reason: Option<String>,
}

/// Why an agent cannot answer an assignment with an acknowledgment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskError {
    pub code: TaskErrorCode,
    pub message: String,
    pub retry_after_minutes: Option<u64>,
    pub alternatives: Vec<AgentId>,
}

impl Ack {
    /// An answer that says only its status.
    pub const fn new(status: AckStatus) -> Self {
        Self {
            status,
            understanding: None,
            questions: Vec::new(),
            estimated_checkpoints: Vec::new(),
            note: None,
            reason: None,
        }
    }

    /// What a plain reply to an assignment amounts to; one that asks for time is no answer yet.
    pub fn of_reply(verdict: Verdict, words: &str) -> Option<Self> {
        let status = AckStatus::of_verdict(verdict);
        let refuses = matches!(verdict, Verdict::Cancel | Verdict::EnvironmentIssue | Verdict::Error);
        match status {
            Some(status) => Some(Self::new(status)),
            None => {
                refuses.then(|| Self { reason: Some(words.to_owned()), ..Self::new(AckStatus::Rejected) })
            }
        }
    }

    /// The status that counts: whoever asks needs clarification, whatever else is said.
    pub fn effective_status(&self) -> AckStatus {
        match self.status {
            AckStatus::Rejected => AckStatus::Rejected,
            _ if !asked(&self.questions).is_empty() => AckStatus::NeedsClarification,
            status => status,
        }
    }

    /// What a waiting delegator learns from it.
    pub fn verdict(&self) -> Verdict {
        self.effective_status().verdict()
    }

    /// Checks that an answer typed as flags says what its status promises.
    ///
    /// An answer that arrives as text is taken as it is: a rejection without a reason is still one.
    pub fn check_complete(&self) -> Result<(), Invalid> {
        let (missing, flag) = match self.status {
            AckStatus::NeedsClarification if asked(&self.questions).is_empty() => {
                ("a question", "--question TEXT, once for each question")
            }
            AckStatus::Rejected if self.reason.as_deref().unwrap_or_default().trim().is_empty() => {
                ("a reason", "--reason TEXT")
            }
            _ => return Ok(()),
        };
        Err(Invalid::new(Rule::Task, format!("`{}` needs {missing}", self.status))
            .hint(format!("add {flag}")))
    }

    /// The answer without blank fields and outer white space.
    pub(super) fn cleaned(self) -> Self {
        Self {
            status: self.status,
            understanding: self.understanding.as_deref().and_then(clean),
            questions: asked(&self.questions),
            estimated_checkpoints: clean_all(&self.estimated_checkpoints),
            note: self.note.as_deref().and_then(clean),
            reason: self.reason.as_deref().and_then(clean),
        }
    }
}

/// The text without outer white space, unless nothing is left.
pub(super) fn clean(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// Every text that says something.
pub(super) fn clean_all(texts: &[String]) -> Vec<String> {
    texts.iter().filter_map(|text| clean(text)).collect()
}

impl TaskError {
    /// An error with what its code means as the message, unless one is given.
    pub fn new(
        code: TaskErrorCode,
        message: Option<&str>,
        retry_after: Option<Duration>,
        alternatives: Vec<AgentId>,
    ) -> Self {
        Self {
            code,
            message: message.and_then(clean).unwrap_or_else(|| code.meaning().to_owned()),
            retry_after_minutes: retry_after.map(|wait| wait.as_secs().div_ceil(60)),
            alternatives,
        }
    }

    /// What the delegator should do, with the agent's own hints.
    pub fn advice(&self) -> String {
        let mut advice = self.code.next_action().sentence().to_owned();
        if let Some(minutes) = self.retry_after_minutes {
            advice.push_str(&format!("; it asks for {minutes} min"));
        }
        if !self.alternatives.is_empty() {
            let names: Vec<_> = self.alternatives.iter().map(AgentId::as_str).collect();
            advice.push_str(&format!("; it suggests {}", names.join(", ")));
        }
        advice
    }
}
