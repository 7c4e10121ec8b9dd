//! Where the document of a handoff is made public, and what was tried to that end.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Handoff;
use crate::domain::message::MAX_SUBJECT;
use crate::domain::task::TaskId;
use crate::domain::{Invalid, Rule, Timestamp};

/// The largest document that fits into a comment, with what marks it as this handoff's; a larger one goes
/// into a gist.
pub const MAX_COMMENT: u64 = 65_536 - 256;

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

/// Reads the number of an issue or of a pull request, written `42` or `#42`.
pub fn issue_number(text: &str) -> Result<u64, Invalid> {
    let digits = text.trim().trim_start_matches('#');
    match digits.parse() {
        Ok(number @ 1..) => Ok(number),
        _ => Err(Invalid::new(Rule::Handoff, format!("`{text}` is not the number of an issue"))
            .hint("write it as 42 or #42")),
    }
}

impl Publication {
    /// A comment on the issue that the first of the tasks stands for; a gist where none does.
    pub fn of_tasks(tasks: &[TaskId]) -> Self {
        let issues = tasks.iter().filter_map(TaskId::github_issue);
        // Without a repository in the name it is an issue of the one that the command runs in.
        let mut here = issues.filter(|it| it.starts_with('#')).filter_map(|it| issue_number(&it).ok());
        here.next().map_or(Self::Gist, Self::Issue)
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
    /// The label and the assignee of the issue.
    Labels,
    /// The same of another issue, which one of the tasks stands for.
    TaskLabels(u64),
    /// The label and the assignee of the pull request.
    PullRequest,
}

impl Attempt {
    /// Whether it makes the document public; the others say who is assigned.
    pub const fn publishes(self) -> bool {
        matches!(self, Self::IssueComment | Self::Gist | Self::IssueLink)
    }
}

impl fmt::Display for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::IssueComment => f.pad("issue comment"),
            Self::Gist => f.pad("gist"),
            Self::IssueLink => f.pad("issue link"),
            Self::Labels => f.pad("labels"),
            Self::TaskLabels(number) => write!(f, "labels of #{number}"),
            Self::PullRequest => f.pad("pull request"),
        }
    }
}

/// An attempt that was begun, for one revision of the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Begun {
    pub attempt: Attempt,
    pub revision: u32,
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

    /// Whether an attempt was begun of which it is not known what came.
    pub fn has_begun(&self, attempt: Attempt) -> bool {
        self.begun == Some(Begun { attempt, revision: self.revision })
    }

    pub(super) fn tried(&self, attempt: Attempt) -> bool {
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
        let of_issue = |it: &Attempted| match it.attempt {
            Attempt::TaskLabels(number) => Some(number),
            Attempt::IssueComment | Attempt::IssueLink | Attempt::Labels => self.issue(),
            Attempt::Gist | Attempt::PullRequest => None,
        };
        let mut touched: Vec<_> =
            self.attempts.iter().filter(|it| it.error.is_none()).filter_map(of_issue).collect();
        touched.sort_unstable();
        touched.dedup();
        touched.iter().map(|number| format!("#{number}")).collect()
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
