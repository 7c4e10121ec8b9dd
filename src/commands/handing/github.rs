//! What is done on GitHub. Nothing depends on it.
//!
//! What is begun is put on record before it is done, and what it leaves on GitHub carries a marker: whoever
//! goes on after a kill looks there first, so that nothing is done twice.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use super::closing::{audited, correct_audit};
use super::gh::{Gh, Trouble};
use super::{apply, found};
use crate::commands::{Context, Listener};
use crate::domain::handoff::{Attempt, Handoff, HandoffId, HandoffInput, Next};
use crate::failure::Failure;

/// The address of what was done, if it has one; or why it was not done.
type Done = Result<Option<String>, String>;

/// Tries one thing on GitHub and keeps what came of it; a failure is kept and stops nothing.
pub(super) fn attempt(
    context: &Context,
    handoff: &Handoff,
    attempt: Attempt,
    tell: &mut dyn FnMut(&str) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let limit = context.config()?.get("github_timeout").seconds();
    let document = handoff.document.as_ref().map(|document| Path::new(&document.path));
    let folder = handoff.folder.as_ref().map(PathBuf::from);
    let gh = Gh::take_turn(document, folder, limit, |longest| {
        let longest = longest.as_secs();
        tell(&format!("another gh still runs for this handoff; it is waited for, {longest} s at most"))
    })?;
    // Somebody else may have done it in the meantime.
    let handoff = context.read(|view| found(view, &handoff.handoff_id))?;
    if !is_due(&handoff, attempt) {
        return Ok(());
    }
    // What is said to have failed may be there all the same.
    let may_be_there = handoff.has_begun(attempt) || handoff.repeatable().contains(&attempt);
    let left = if may_be_there { left_behind(&gh, &handoff, attempt) } else { Ok(None) };
    let done = match left {
        Ok(None) => {
            keep(context, &handoff.handoff_id, attempt, HandoffInput::Trying(attempt))?;
            perform(&gh, &handoff, attempt)
        }
        known => known,
    };
    // Also what one that was killed has left there.
    if let Some(file) = handoff.comment_file() {
        let _ = fs::remove_file(file);
    }
    let (url, error) = match done {
        Ok(url) => (url, None),
        Err(error) => (None, Some(error)),
    };
    keep(context, &handoff.handoff_id, attempt, HandoffInput::Tried { attempt, url, error })
}

/// Tries once more what failed and can be done later.
pub(crate) fn retry(context: &Context, id: &HandoffId, listener: &mut dyn Listener) -> Result<(), Failure> {
    let handoff = context.read(|view| found(view, id))?;
    let mut tell = |line: &str| listener.notice(line);
    handoff.repeatable().into_iter().try_for_each(|failed| attempt(context, &handoff, failed, &mut tell))
}

/// Whether something is to be tried now: in its turn, or again.
fn is_due(handoff: &Handoff, attempt: Attempt) -> bool {
    handoff.next() == Next::Github(attempt) || handoff.repeatable().contains(&attempt)
}

/// What an attempt that was cut off has left on GitHub.
fn left_behind(gh: &Gh, handoff: &Handoff, attempt: Attempt) -> Done {
    let Some(arguments) = handoff.search_arguments(attempt) else { return Ok(None) };
    let unknown = |why: String| format!("cannot tell whether it was published before: {why}");
    let answer = gh.run(&arguments).map_err(|trouble| unknown(trouble.into_text()))?;
    handoff.found_on_github(attempt, &answer).map_err(unknown)
}

fn keep(context: &Context, id: &HandoffId, attempt: Attempt, input: HandoffInput) -> Result<(), Failure> {
    context.write(|transaction, now| {
        let mut handoff = found(transaction, id)?;
        if is_due(&handoff, attempt) {
            let by = handoff.orchestrator.clone();
            let before = audited(&handoff)?;
            apply(transaction, &mut handoff, input, &by, now)?;
            correct_audit(transaction, &handoff, before.as_ref(), now)?;
        }
        Ok(())
    })
}

fn perform(gh: &Gh, handoff: &Handoff, attempt: Attempt) -> Done {
    let arguments = handoff.github_arguments(attempt).unwrap_or_default();
    let run = || gh.run(&arguments);
    let done = match attempt {
        Attempt::IssueComment => with_comment(handoff, run)?,
        Attempt::Labels | Attempt::TaskLabels(_) | Attempt::PullRequest => match run() {
            Err(Trouble::Refused(_)) => {
                // A label has to exist before it is given or taken away.
                for label in handoff.assignment_labels() {
                    let _ = gh.run(&["label", "create", &label].map(str::to_owned));
                }
                run()
            }
            done => done,
        },
        Attempt::Gist | Attempt::IssueLink => run(),
    };
    match done {
        Ok(said) => Ok(said.split_whitespace().rfind(|word| word.starts_with("http")).map(str::to_owned)),
        Err(Trouble::Refused(why)) => Err(explained(gh, handoff, attempt, why)),
        Err(trouble) => Err(trouble.into_text()),
    }
}

/// Runs it when the marked document lies in the file that is commented.
fn with_comment<T>(handoff: &Handoff, run: impl FnOnce() -> T) -> Result<T, String> {
    let parts = handoff.document.as_ref().zip(handoff.comment_file());
    let Some((document, file)) = parts else { return Ok(run()) };
    let written = fs::read_to_string(&document.path)
        .and_then(|text| write_private(&file, &handoff.marked(Attempt::IssueComment, &text)));
    written.map_err(|error| format!("cannot write `{file}`: {error}"))?;
    Ok(run())
}

fn write_private(file: &str, text: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(file)?;
    file.write_all(text.as_bytes())
}

/// A refusal, and what is behind it as far as that can be found out.
fn explained(gh: &Gh, handoff: &Handoff, attempt: Attempt, why: String) -> String {
    if let Err(Trouble::Refused(_)) = gh.run(&["auth", "status"].map(str::to_owned)) {
        return format!("{why}; gh is not logged in: gh auth login");
    }
    let number = match attempt {
        Attempt::IssueComment | Attempt::IssueLink | Attempt::Labels => handoff.issue(),
        Attempt::TaskLabels(number) => Some(number),
        Attempt::Gist | Attempt::PullRequest => None,
    };
    let Some(number) = number.map(|number| number.to_string()) else { return why };
    match gh.run(&["issue", "view", &number, "--json", "number"].map(str::to_owned)) {
        Err(Trouble::Refused(_)) => format!("{why}; issue #{number} cannot be seen: gh issue view {number}"),
        _ => why,
    }
}
