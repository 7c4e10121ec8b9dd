//! `clarify`: the delegator answers, corrects or adds, and asks for a new acknowledgment.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::handing::{self, HandoffReport};
use super::tasking::{self, TaskReport};
use super::{Context, Report, WhichTask};
use crate::domain::agent::AgentId;
use crate::domain::handoff::HandoffId;
use crate::domain::task::{TaskId, TaskInput};
use crate::failure::Failure;

/// Answer an agent's questions, or say what it got wrong
#[derive(Debug, Clone, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default)]
#[command(group(clap::ArgGroup::new("what").required(true).args(["answer", "correct", "supplement", "vague"])))]
pub struct Args {
    /// The task
    #[arg(value_name = "TASK", required_unless_present_any = ["task", "handoff"])]
    pub id: Option<TaskId>,
    /// The same as TASK
    #[arg(long, value_name = "TASK", conflicts_with = "id")]
    pub task: Option<TaskId>,
    /// A handoff whose replacement asks; it confirms with a new acknowledgment
    #[arg(long, value_name = "ID", conflicts_with_all = ["id", "task", "correct", "supplement", "vague"])]
    pub handoff: Option<HandoffId>,
    /// The document of the handoff, changed for the answers; it is published and sent anew
    #[arg(long, value_name = "FILE", requires = "handoff")]
    pub document: Option<PathBuf>,
    /// Who you are (else BB_AGENT, else BD_ACTOR)
    #[arg(long, alias = "from", value_name = "AGENT")]
    pub agent: Option<AgentId>,
    /// The answer to a question; once for each, in the order of the questions
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub answer: Vec<String>,
    /// The correct understanding; the third wrong one is escalated
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub correct: Option<String>,
    /// What the agent left out, or what has changed; once for each item
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub supplement: Vec<String>,
    /// Ask which criterion the questions are about
    #[arg(long)]
    pub vague: bool,
}

impl Args {
    fn input(&self) -> TaskInput {
        if let Some(text) = &self.correct {
            TaskInput::Correct { text: text.clone() }
        } else if !self.supplement.is_empty() {
            TaskInput::Supplement { items: self.supplement.clone() }
        } else if self.vague {
            TaskInput::AskWhich
        } else {
            TaskInput::Clarify { answers: self.answer.clone() }
        }
    }
}

/// The task or the handoff after it.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Clarified {
    Task(Box<TaskReport>),
    Handoff(Box<HandoffReport>),
}

impl Report for Clarified {}

/// Sends what was said; work waits until the agent has acknowledged it.
pub fn run(context: &Context, args: &Args) -> Result<Clarified, Failure> {
    if let Some(id) = &args.handoff {
        let me = args.agent.as_ref();
        let handoff = handing::clarify(context, id, me, &args.answer, args.document.as_ref())?;
        return Ok(Clarified::Handoff(Box::new(HandoffReport::of(&handoff, "clarified", &[]))));
    }
    let which = WhichTask { id: args.id.clone(), task: args.task.clone() };
    let report = tasking::by_party(context, args.agent.as_ref(), &which, args.input(), "clarified")?;
    Ok(Clarified::Task(Box::new(report)))
}
