//! Which staged files others have reserved.

use super::{Args, Checked, Kept};
use crate::commands::reserve::refusal::reserved;
use crate::commands::{Context, holding};
use crate::domain::agent::{Agent, AgentId};
use crate::domain::reservation::{Held, keepers};
use crate::failure::{Code, Failure};

/// As many files as are named for one reservation.
const NAMED: usize = 20;

/// Looks at what is staged, and refuses what others have reserved unless only a warning is asked for.
pub(super) fn run(context: &Context, args: &Args) -> Result<Checked, Failure> {
    let project = holding::project(context)?;
    let files = project.git()?.staged()?;
    // Whoever has no name that could be an agent's has reserved nothing.
    let agent_id = context.identity_if_set(args.me.agent.as_ref(), "--agent").unwrap_or(None).map(|me| me.id);
    let (committer, held) = facts(context, agent_id.as_ref(), &project.name())?;
    let (lapsed, conflicts) = sorted(context, &files, agent_id.as_ref(), &held);
    if !conflicts.is_empty() && !args.warn_only {
        return Err(refusal(&conflicts, agent_id.as_ref()));
    }
    Ok(Checked { agent_id, files: files.len(), conflicts, lapsed, committer })
}

/// The one who commits if it is registered, and what is held. Where there is no store nothing is held.
fn facts(
    context: &Context,
    agent: Option<&AgentId>,
    project: &str,
) -> Result<(Option<Agent>, Vec<Held>), Failure> {
    if !context.location()?.file().exists() {
        return Ok((None, Vec::new()));
    }
    context.read(|view| {
        let known = match agent {
            Some(id) if view.agent(id)?.is_some() => {
                Some(context.acting(view, id, Code::AgentNotFound)?.agent)
            }
            _ => None,
        };
        Ok((known, holding::held(context, view, project)?))
    })
}

/// The files whose reservations have lapsed, and those whose have not.
fn sorted(
    context: &Context,
    files: &[String],
    agent: Option<&AgentId>,
    held: &[Held],
) -> (Vec<Kept>, Vec<Kept>) {
    let now = context.now();
    let (mut lapsed, mut conflicts) = (Vec::new(), Vec::new());
    for file in files {
        for keeper in keepers(file, agent, held) {
            let kept = Kept { file: file.clone(), reservation: keeper.reservation.clone() };
            if keeper.has_lapsed(now) { lapsed.push(kept) } else { conflicts.push(kept) }
        }
    }
    (lapsed, conflicts)
}

fn refusal(conflicts: &[Kept], agent: Option<&AgentId>) -> Failure {
    let mut keepers: Vec<_> = conflicts.iter().map(|kept| &kept.reservation).collect();
    keepers.sort_by_key(|keeper| (keeper.fence, &keeper.reservation_id));
    keepers.dedup();
    let parts: Vec<_> = keepers
        .into_iter()
        .map(|keeper| {
            let theirs = conflicts.iter().filter(|kept| kept.reservation == *keeper);
            format!("{}: {}", names(theirs.map(|kept| kept.file.as_str()).collect()), reserved(keeper))
        })
        .collect();
    let identity = match agent {
        Some(_) => "",
        None => "set BB_AGENT if you are its holder; ",
    };
    Failure::new(Code::ReservationConflict, parts.join("; ")).hint(format!(
        "{identity}agree with its holder, or unstage the file (git restore --staged FILE); \
         `git commit --no-verify` goes around the guard"
    ))
}

fn names(files: Vec<&str>) -> String {
    let mut names: Vec<_> = files.iter().take(NAMED).map(|file| format!("`{file}`")).collect();
    if files.len() > NAMED {
        names.push(format!("and {} more", files.len() - NAMED));
    }
    names.join(", ")
}
