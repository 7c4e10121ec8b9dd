//! What is done on GitHub, by its own command line. Nothing depends on it.

use std::process::{Command, Stdio};

use super::{apply, found};
use crate::commands::Context;
use crate::domain::handoff::{Attempt, Handoff, HandoffId, HandoffInput, Next};
use crate::failure::Failure;

/// Tries one thing on GitHub and keeps what came of it; a failure is kept and stops nothing.
pub(super) fn attempt(context: &Context, handoff: &Handoff, attempt: Attempt) -> Result<(), Failure> {
    let arguments = handoff.github_arguments(attempt).unwrap_or_default();
    let (url, error) = match run(&arguments) {
        Ok(url) => (url, None),
        Err(error) => (None, Some(error)),
    };
    keep(context, &handoff.handoff_id, attempt, url, error)
}

fn keep(
    context: &Context,
    id: &HandoffId,
    attempt: Attempt,
    url: Option<String>,
    error: Option<String>,
) -> Result<(), Failure> {
    context.write(|transaction, now| {
        let mut handoff = found(transaction, id)?;
        if handoff.next() == Next::Github(attempt) {
            let by = handoff.orchestrator.clone();
            apply(transaction, &mut handoff, HandoffInput::Tried { attempt, url, error }, &by, now)?;
        }
        Ok(())
    })
}

/// Runs the GitHub command line; the address it prints, or why it failed.
fn run(arguments: &[String]) -> Result<Option<String>, String> {
    let output = Command::new("gh")
        .args(arguments)
        // Nobody is there to answer a question.
        .env("GH_PROMPT_DISABLED", "1")
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("cannot run gh: {error}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let line = said.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("no reason given");
        return Err(format!(
            "gh {}: {line}",
            arguments.iter().take(2).cloned().collect::<Vec<_>>().join(" ")
        ));
    }
    let said = String::from_utf8_lossy(&output.stdout);
    Ok(said.split_whitespace().rfind(|word| word.starts_with("http")).map(str::to_owned))
}
