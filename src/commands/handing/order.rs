//! What begins a handoff.

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Prepared, Wanted, prepare};
use crate::commands::{Context, words};
use crate::domain::agent::AgentId;
use crate::domain::handoff::{MAX_DOCUMENT, Publication, Urgency, issue_number};
use crate::domain::message::MessageId;
use crate::domain::task::TaskId;
use crate::failure::{Code, Failure};

/// The flags that say who hands over what to whom.
#[derive(Debug, Clone, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Order {
    /// Who you are (else BB_AGENT, else BD_ACTOR)
    #[arg(long, alias = "agent", value_name = "AGENT")]
    pub from: Option<AgentId>,
    /// Who cannot go on
    #[arg(long, value_name = "AGENT", requires_all = ["to", "reason", "document", "task"])]
    pub failed: Option<AgentId>,
    /// Who takes its place
    #[arg(long, value_name = "AGENT", requires = "failed")]
    pub to: Option<AgentId>,
    /// Why, in a word or a line
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub reason: Option<String>,
    /// The file that tells the replacement all it has to know
    #[arg(long, value_name = "FILE", requires = "failed")]
    pub document: Option<PathBuf>,
    /// A task of the failed agent; once for each
    #[arg(long, value_name = "TASK", num_args = 1.., requires = "failed")]
    pub task: Vec<TaskId>,
    /// immediate, prepare or when_available: 5, 15 or 30 minutes to acknowledge [default: immediate]
    #[arg(long, requires = "failed")]
    pub urgency: Option<Urgency>,
    /// Publish the document as a comment on this GitHub issue
    #[arg(long, value_name = "NUMBER", requires = "failed", conflicts_with_all = ["gist", "url", "local"])]
    pub issue: Option<String>,
    /// Publish the document as a secret gist
    #[arg(long, requires = "failed", conflicts_with_all = ["url", "local"])]
    pub gist: bool,
    /// Where the document is published already
    #[arg(long, value_name = "URL", requires = "failed", conflicts_with = "local")]
    pub url: Option<String>,
    /// Publish nothing, whatever the configuration says
    #[arg(long, requires = "failed")]
    pub local: bool,
    /// The pull request whose label and assignee change too
    #[arg(long, value_name = "NUMBER", requires = "failed")]
    pub pull_request: Option<String>,
    /// The controller's message that asked for the replacement
    #[arg(long, value_name = "MESSAGE", requires = "failed")]
    pub notification: Option<MessageId>,
}

impl Order {
    /// Puts the handoff on record.
    pub(crate) fn begin(&self, context: &Context, starting_from: Option<&str>) -> Result<Prepared, Failure> {
        let missing = |flag: &str| Failure::new(Code::InvalidArgs, format!("{flag} is missing"));
        let orchestrator = context.identity(self.from.as_ref(), "--from")?.id;
        let document = document(self.document.as_ref().ok_or_else(|| missing("--document"))?)?;
        let wanted = Wanted {
            orchestrator,
            failed: self.failed.as_ref().ok_or_else(|| missing("--failed"))?,
            replacement: self.to.as_ref().ok_or_else(|| missing("--to"))?,
            reason: self.reason.as_deref().ok_or_else(|| missing("--reason"))?,
            document: &document,
            tasks: &self.task,
            urgency: self.urgency,
            starting_from,
            publication: self.publication(context)?,
            pull_request: self.pull_request.as_deref().map(issue_number).transpose()?,
            notification: self.notification.as_ref(),
        };
        prepare(context, &wanted)
    }

    /// Where the document goes: as the flags say, else as the configuration says.
    fn publication(&self, context: &Context) -> Result<Publication, Failure> {
        Ok(match (&self.issue, self.gist, &self.url) {
            (Some(number), ..) => Publication::Issue(issue_number(number)?),
            (_, true, _) => Publication::Gist,
            (.., Some(url)) => Publication::url(url)?,
            _ if self.local => Publication::Local,
            _ => match context.config()?.get("publish").text() {
                "issue" => Publication::of_tasks(&self.task),
                "gist" => Publication::Gist,
                _ => Publication::Local,
            },
        })
    }
}

/// Reads a document, which must say something and not too much.
pub(crate) fn document(file: &Path) -> Result<String, Failure> {
    let limit = usize::try_from(MAX_DOCUMENT).unwrap_or(usize::MAX);
    let text = words::from_file(file, limit).map_err(|failure| match failure.code {
        Code::InvalidMessage => Failure::new(Code::InvalidHandoff, failure.message)
            .hint("a document is text; put anything large into files of its own and name them"),
        Code::IoReadFailed => failure.hint("name a text file that you can read: --document FILE"),
        _ => failure,
    })?;
    if text.trim().is_empty() {
        let what = format!("the document `{}` is empty", file.display());
        return Err(
            Failure::new(Code::InvalidHandoff, what).hint("write down what the replacement must know")
        );
    }
    Ok(text)
}
