//! Where the document of a handoff is made public, and what was tried to that end.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Handoff;
use crate::domain::message::MAX_SUBJECT;
use crate::domain::{Invalid, Rule, Timestamp};

/// The largest document that fits into a comment; a larger one goes into a gist.
pub const MAX_COMMENT: u64 = 65_536;

/// The largest document that is handed over.
pub const MAX_DOCUMENT: u64 = 10 * 1024 * 1024;

/// Where the document was asked to be published.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Publication {
    /// Nowhere: it stays on this machine.
    #[default]
    Local,
    /// As a comment on this GitHub issue.
    Issue(u64),
    /// As a secret gist.
    Gist,
    /// It is published already, at this address.
    Url(String),
}

impl Publication {
    /// Reads the number of an issue, written `42` or `#42`.
    pub fn issue(text: &str) -> Result<Self, Invalid> {
        let digits = text.trim().trim_start_matches('#');
        match digits.parse() {
            Ok(number @ 1..) => Ok(Self::Issue(number)),
            _ => Err(Invalid::new(Rule::Handoff, format!("`{text}` is not the number of an issue"))
                .hint("write it as 42 or #42")),
        }
    }

    /// Reads the address of a document that is published already.
    pub fn url(text: &str) -> Result<Self, Invalid> {
        let text = text.trim();
        let plain = |c: char| !c.is_whitespace() && !c.is_control();
        if !text.is_empty() && text.len() <= MAX_SUBJECT && text.chars().all(plain) {
            return Ok(Self::Url(text.to_owned()));
        }
        Err(Invalid::new(Rule::Handoff, format!("`{text}` is not an address"))
            .hint("give the whole address, without spaces: --url https://…"))
    }
}

/// One thing to do on GitHub.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Attempt {
    /// The document as a comment on the issue.
    IssueComment,
    /// The document as a secret gist.
    Gist,
    /// A comment on the issue that says where the gist is.
    IssueLink,
    /// The label that says who is assigned.
    Labels,
}

/// An attempt that was made, for one revision of the document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempted {
    pub attempt: Attempt,
    pub revision: u32,
    /// The address it gave.
    pub url: Option<String>,
    /// Why it did not succeed.
    pub error: Option<String>,
    pub at: Timestamp,
}

impl Handoff {
    /// The number of the issue that the handoff concerns.
    pub const fn issue(&self) -> Option<u64> {
        match self.publication {
            Publication::Issue(number) => Some(number),
            _ => None,
        }
    }

    /// What is to be tried next to publish the document as it is now; a failed attempt is not repeated.
    pub fn next_publishing(&self) -> Option<Attempt> {
        let size = self.document.as_ref()?.size_bytes;
        let untried = |attempt: Attempt| (!self.tried(attempt)).then_some(attempt);
        match self.publication {
            Publication::Local | Publication::Url(_) => None,
            Publication::Gist => untried(Attempt::Gist),
            Publication::Issue(_) => {
                let comment = untried(Attempt::IssueComment).filter(|_| size <= MAX_COMMENT);
                let gist = || untried(Attempt::Gist).filter(|_| self.url.is_none());
                let link = || untried(Attempt::IssueLink).filter(|_| self.succeeded(Attempt::Gist).is_some());
                comment.or_else(gist).or_else(link)
            }
        }
    }

    /// What is to be changed on GitHub once the tasks have moved.
    pub fn next_labelling(&self) -> Option<Attempt> {
        (self.issue().is_some() && !self.tried(Attempt::Labels)).then_some(Attempt::Labels)
    }

    /// The arguments for the GitHub CLI; none for what concerns an issue when there is none.
    pub fn github_arguments(&self, attempt: Attempt) -> Option<Vec<String>> {
        let file = || self.document.as_ref().map(|document| document.path.clone());
        let issue = || self.issue().map(|number| number.to_string());
        let words = match attempt {
            Attempt::IssueComment => {
                vec!["issue".into(), "comment".into(), issue()?, "--body-file".into(), file()?]
            }
            Attempt::Gist => {
                let description =
                    format!("Agent replacement handoff: {} to {}", self.failed.id, self.replacement.id);
                vec!["gist".into(), "create".into(), file()?, "--desc".into(), description]
            }
            Attempt::IssueLink => {
                let text = format!(
                    "Agent replacement handoff {}: {} to {}: {}",
                    self.handoff_id,
                    self.failed.id,
                    self.replacement.id,
                    self.url.as_deref()?
                );
                vec!["issue".into(), "comment".into(), issue()?, "--body".into(), text]
            }
            Attempt::Labels => vec![
                "issue".into(),
                "edit".into(),
                issue()?,
                "--remove-label".into(),
                format!("assigned:{}", self.failed.id),
                "--add-label".into(),
                format!("assigned:{}", self.replacement.id),
            ],
        };
        Some(words)
    }

    fn tried(&self, attempt: Attempt) -> bool {
        self.attempts.iter().any(|it| it.attempt == attempt && it.revision == self.revision)
    }

    /// The newest attempt of this sort that succeeded, for the document as it is now.
    pub fn succeeded(&self, attempt: Attempt) -> Option<&Attempted> {
        let fits =
            |it: &&Attempted| it.attempt == attempt && it.revision == self.revision && it.error.is_none();
        self.attempts.iter().rev().find(fits)
    }

    /// The issues that were changed.
    pub fn issues_updated(&self) -> Vec<String> {
        let touched = |it: &Attempted| it.attempt != Attempt::Gist && it.error.is_none();
        match self.issue() {
            Some(number) if self.attempts.iter().any(touched) => vec![format!("#{number}")],
            _ => Vec::new(),
        }
    }

    /// The labels that were changed: `assigned:old -> assigned:new`.
    pub fn labels_changed(&self) -> Vec<String> {
        let change = format!("assigned:{} -> assigned:{}", self.failed.id, self.replacement.id);
        self.succeeded(Attempt::Labels).map(|_| change).into_iter().collect()
    }

    /// The comments that were added: `#42 issuecomment-123456`.
    pub fn comments_added(&self) -> Vec<String> {
        let Some(number) = self.issue() else { return Vec::new() };
        let comment = |it: &&Attempted| {
            matches!(it.attempt, Attempt::IssueComment | Attempt::IssueLink) && it.error.is_none()
        };
        let name = |it: &Attempted| match it.url.as_deref().and_then(|url| url.rsplit_once('#')) {
            Some((_, fragment)) => format!("#{number} {fragment}"),
            None => format!("#{number}"),
        };
        self.attempts.iter().filter(comment).map(name).collect()
    }
}
