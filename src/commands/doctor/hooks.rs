//! The hooks of harnesses: are they in place, and do they still call a bb that is there?

use std::cmp::Reverse;

use super::{Check, Context, Mended};
use crate::commands::hook::{self, Entry, Settings};
use crate::commands::program;
use crate::domain::hook::{Harness, Moment, settings::program_of};

/// The harnesses that have settings, and what their check is called.
const HARNESSES: [(Harness, &str); 2] =
    [(Harness::ClaudeCode, "claude-hooks"), (Harness::Codex, "codex-hooks")];

/// Looks at the settings of each harness, the user's own and those of the project around.
pub(super) fn look(context: &Context) -> Vec<Check> {
    HARNESSES.iter().map(|(harness, name)| one(context, *harness, name)).collect()
}

fn one(context: &Context, harness: Harness, name: &'static str) -> Check {
    let mut seen = Vec::new();
    for settings in hook::everywhere(context, harness) {
        match settings {
            Ok(settings) => seen.push(settings),
            Err(failure) => {
                let hint = failure.hint.unwrap_or_default();
                return Check::warning(name, failure.message, hint);
            }
        }
    }
    let install = format!("bb hook install {harness}");
    // What may be left out does not make one of two settings the better one.
    let rank = |settings: &&Settings| (Reverse(missing(settings).len()), installed(settings).count());
    let Some(settings) = seen.iter().max_by_key(rank) else {
        return Check::not_checked(name, format!("{harness} has no settings here")).hint(install);
    };
    let (count, all) = (installed(settings).count(), Moment::ALL.len());
    let place = format!("`{}`", settings.file);
    let missing = missing(settings);
    if !missing.is_empty() {
        let detail = match count {
            0 => format!("{harness} tells its agents of no mail: no hook in {place}"),
            _ => format!("{count} of {all} hooks are in {place}; missing: {}", missing.join(", ")),
        };
        return Check::warning(name, detail, install);
    }
    let everywhere = || seen.iter().flat_map(|it| &it.obstacles).find(|it| it.everywhere);
    let lost = installed(settings).find_map(|command| lost_program(context, command));
    match (lost, settings.obstacles.first().or_else(everywhere)) {
        (Some(program), _) => {
            let detail = format!("the hooks in {place} call `{program}`, which is not found");
            Check::warning(name, detail, "put bb into a folder of the PATH, or mend the command there")
        }
        (None, Some(obstacle)) => {
            Check::warning(name, format!("they are in {place}, but {}", obstacle.what), obstacle.hint)
        }
        (None, None) => {
            let which = if count == all { format!("all {all}") } else { "all but optional ones".to_owned() };
            Check::ok(name, format!("{which} are in {place} and call a bb that is there"))
        }
    }
}

/// The commands that are in place.
fn installed(settings: &Settings) -> impl Iterator<Item = &str> {
    settings.hooks.iter().filter_map(|Entry { command, .. }| command.as_deref())
}

/// What is not in place and should be.
fn missing(settings: &Settings) -> Vec<&'static str> {
    let is_missing = |hook: &&Entry| !hook.installed && !hook.event.is_optional();
    settings.hooks.iter().filter(is_missing).map(|hook| hook.event.as_str()).collect()
}

/// The program that a hook calls, if it is not there.
fn lost_program<'a>(context: &Context, command: &'a str) -> Option<&'a str> {
    program_of(command).filter(|program| program::found(context.settings, program).is_none())
}

/// Adds the hooks that are missing beside others of ours. Where there is none, nobody wanted any.
pub(super) fn mend(context: &Context) -> Vec<Mended> {
    let mut mended = Vec::new();
    for (harness, name) in HARNESSES {
        for settings in hook::everywhere(context, harness).into_iter().flatten() {
            let partly = installed(&settings).next().is_some() && !missing(&settings).is_empty();
            if partly && hook::complete(context, &settings).is_ok() {
                let detail = format!("added what was missing to `{}`", settings.file);
                mended.push(Mended { check: name, detail });
            }
        }
    }
    mended
}
