//! `clarify`: the delegator answers, corrects or adds, and asks for a new acknowledgment.

use schemars::JsonSchema;
use serde::Deserialize;

use super::tasking::{self, TaskReport};
use super::{Context, WhichTask};
use crate::domain::agent::AgentId;
use crate::domain::task::TaskInput;
use crate::failure::Failure;

/// Answer an agent's questions, or say what it got wrong
#[derive(Debug, Clone, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default)]
#[command(group(clap::ArgGroup::new("what").required(true).args(["answer", "correct", "supplement", "vague"])))]
pub struct Args {
    #[command(flatten)]
    #[serde(flatten)]
    pub which: WhichTask,
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

/// Sends what was said; work waits until the agent has acknowledged it.
pub fn run(context: &Context, args: &Args) -> Result<TaskReport, Failure> {
    tasking::by_party(context, args.agent.as_ref(), &args.which, args.input(), "clarified")
}
