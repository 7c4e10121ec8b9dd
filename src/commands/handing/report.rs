//! A handoff after a command, and what begins one.

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Prepared, Wanted, prepare};
use crate::commands::{Context, Report, words};
use crate::domain::agent::AgentId;
use crate::domain::handoff::{Handoff, HandoffView, MAX_DOCUMENT, Publication, Superseded, Urgency};
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
    #[arg(long, value_name = "NUMBER", requires = "failed", conflicts_with_all = ["gist", "url"])]
    pub issue: Option<String>,
    /// Publish the document as a secret gist
    #[arg(long, requires = "failed", conflicts_with = "url")]
    pub gist: bool,
    /// Where the document is published already
    #[arg(long, value_name = "URL", requires = "failed")]
    pub url: Option<String>,
}

impl Order {
    /// Puts the handoff on record.
    pub(crate) fn begin(&self, context: &Context, starting_from: Option<&str>) -> Result<Prepared, Failure> {
        let missing = |flag: &str| Failure::new(Code::InvalidArgs, format!("{flag} is missing"));
        let orchestrator = context.identity(self.from.as_ref(), "--from")?.id;
        let publication = match (&self.issue, self.gist, &self.url) {
            (Some(number), ..) => Publication::issue(number)?,
            (_, true, _) => Publication::Gist,
            (.., Some(url)) => Publication::url(url)?,
            _ => Publication::Local,
        };
        let document = document(self.document.as_ref().ok_or_else(|| missing("--document"))?)?;
        let wanted = Wanted {
            orchestrator,
            failed: self.failed.as_ref().ok_or_else(|| missing("--failed"))?,
            replacement: self.to.as_ref().ok_or_else(|| missing("--to"))?,
            reason: self.reason.as_deref().ok_or_else(|| missing("--reason"))?,
            document: &document,
            tasks: &self.task,
            urgency: self.urgency.unwrap_or_default(),
            starting_from,
            publication,
        };
        prepare(context, &wanted)
    }
}

/// Reads a document, which must say something and not too much.
pub(crate) fn document(file: &Path) -> Result<String, Failure> {
    let limit = usize::try_from(MAX_DOCUMENT).unwrap_or(usize::MAX);
    let text = words::from_file(file, limit).map_err(|failure| match failure.code {
        Code::InvalidMessage => Failure::new(Code::InvalidHandoff, failure.message)
            .hint("a document is text; put anything large into files of its own and name them"),
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

/// A handoff as it stands after a command.
#[derive(Debug, Serialize, JsonSchema)]
pub struct HandoffReport {
    #[serde(flatten)]
    pub handoff: HandoffView,
    /// The line that waits for the acknowledgment.
    pub wait: String,
    /// What its orchestrator should know.
    pub warnings: Vec<String>,
    /// What was done, in a word.
    #[serde(skip)]
    pub done: &'static str,
}

impl Report for HandoffReport {}

impl HandoffReport {
    /// What callers see of a handoff.
    pub(crate) fn of(handoff: &Handoff, done: &'static str, superseded: &[Superseded]) -> Self {
        let view = handoff.view();
        let failed = view.publishing_errors.iter().map(|error| format!("not published: {error}"));
        let closed = superseded.iter().map(|it| {
            let left: Vec<_> = it.left_over.iter().map(|task| task.task_id.as_str()).collect();
            let left =
                if left.is_empty() { String::new() } else { format!("; left over: {}", left.join(", ")) };
            format!("handoff {} is superseded{left}", it.handoff_id)
        });
        Self {
            warnings: failed.chain(closed).collect(),
            wait: format!("bb agent wait-ack --handoff {}", handoff.handoff_id),
            handoff: view,
            done,
        }
    }
}
