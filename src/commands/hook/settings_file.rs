//! The settings of a harness: read, changed in as few places as possible, kept in a copy.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::Serialize;

use super::trust::{Note, Obstacle};
use super::{Action, trust};
use crate::commands::replacing::{Before, replace};
use crate::commands::{Context, holding, program};
use crate::domain::hook::settings::{self, Found, Unfit};
use crate::domain::hook::{Harness, Moment};
use crate::failure::{Code, Failure};

/// The largest settings that are read, in MiB.
const LIMIT: u64 = 4;

/// How the settings stand now.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Settings {
    pub harness: Harness,
    pub action: Action,
    pub file: String,
    pub changed: bool,
    /// A copy of the settings as they were before.
    pub backup: Option<String>,
    pub hooks: Vec<Entry>,
    /// What else decides whether the hooks run.
    pub notes: Vec<String>,
    /// Why they do not run although they are in place.
    #[serde(skip)]
    #[schemars(skip)]
    pub obstacles: Vec<Obstacle>,
}

/// One event and the hook that stands there.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Entry {
    pub event: Moment,
    pub installed: bool,
    pub command: Option<String>,
}

/// The settings that are meant: those named, else the user's own.
pub(super) fn locate(context: &Context, harness: Harness, named: Option<&Path>) -> Result<PathBuf, Failure> {
    if let Some(file) = named {
        return Ok(context.settings.current_folder()?.join(file));
    }
    let (variable, folder, file) = match harness {
        Harness::Codex => ("CODEX_HOME", ".codex", "hooks.json"),
        Harness::ClaudeCode | Harness::Plain => ("CLAUDE_CONFIG_DIR", ".claude", "settings.json"),
    };
    let chosen = context.settings.text(variable)?.map(PathBuf::from);
    let folder = chosen.or_else(|| context.settings.home().map(|home| home.join(folder)));
    folder.map(|folder| folder.join(file)).ok_or_else(|| {
        Failure::new(Code::ConfigInvalid, "there is no HOME to look for settings in")
            .hint("name the file with --settings FILE")
    })
}

/// All settings in which a harness looks for hooks here: the user's own, if the user has that harness, and
/// those of the project around.
pub(super) fn all(context: &Context, harness: Harness) -> Result<Vec<PathBuf>, Failure> {
    let own = locate(context, harness, None)?;
    let of_project: &[&str] = match harness {
        Harness::Codex => &[".codex/hooks.json"],
        Harness::ClaudeCode | Harness::Plain => &[".claude/settings.json", ".claude/settings.local.json"],
    };
    let project = holding::project(context)?;
    let of_project = of_project.iter().map(|file| project.root().join(file)).filter(|file| file.is_file());
    let has_harness = own.parent().is_some_and(Path::is_dir);
    let mut files: Vec<_> = has_harness.then_some(own).into_iter().chain(of_project).collect();
    files.dedup();
    Ok(files)
}

/// Does what was asked, and says how the settings stand then.
pub(super) fn tend(
    context: &Context,
    harness: Harness,
    action: Action,
    file: &Path,
) -> Result<Settings, Failure> {
    let change = match action {
        Action::Install => settings::install,
        Action::Uninstall => settings::uninstall,
        Action::Status => |text: &str, _| Ok(text.to_owned()),
    };
    changed(context, harness, action, file, change)
}

/// Adds what agents cannot do without.
pub(super) fn complete(context: &Context, harness: Harness, file: &Path) -> Result<Settings, Failure> {
    changed(context, harness, Action::Install, file, settings::complete)
}

fn changed(
    context: &Context,
    harness: Harness,
    action: Action,
    file: &Path,
    change: fn(&str, Harness) -> Result<String, Unfit>,
) -> Result<Settings, Failure> {
    let unfit = |why| unfit(file, why);
    let before = text_of(file)?;
    let text = before.clone().unwrap_or_default();
    let after = match (action, &before) {
        (Action::Uninstall, None) => String::new(),
        _ => change(&text, harness).map_err(unfit)?,
    };
    let found = settings::installed(&after, harness).map_err(unfit)?;
    let shared = settings::shared(&after, harness).map_err(unfit)?;
    let changed = after != text;
    let stamp = context.now().format("%Y%m%dT%H%M%S%3fZ.bak");
    let backup = if changed { replace(file, &after, 0o600, Before::Kept(&stamp))? } else { None };
    let (mut notes, mut obstacles) = (Vec::new(), Vec::new());
    let own = locate(context, harness, None).ok();
    for note in trust::notes(harness, file, own.as_deref(), &after, &found) {
        match note {
            Note::Fine(what) => notes.push(what),
            Note::Stops(obstacle) => {
                notes.push(obstacle.what.clone());
                obstacles.push(obstacle);
            }
        }
    }
    notes.extend(shared.iter().map(|it| {
        format!(
            "`{}` runs `{}`, which does more than our hook: it is left as it is",
            it.moment.event_name(),
            it.command
        )
    }));
    notes.extend(found.iter().find_map(|hook| lost(context, hook)));
    Ok(Settings {
        harness,
        action,
        file: file.display().to_string(),
        changed,
        backup: backup.map(|backup| backup.display().to_string()),
        hooks: Moment::ALL.iter().map(|moment| entry(*moment, &found)).collect(),
        notes,
        obstacles,
    })
}

fn entry(moment: Moment, found: &[Found]) -> Entry {
    let hook = found.iter().find(|hook| hook.moment == moment);
    Entry { event: moment, installed: hook.is_some(), command: hook.map(|hook| hook.command.clone()) }
}

/// Says that what a hook calls is not there.
fn lost(context: &Context, hook: &Found) -> Option<String> {
    let program = settings::program_of(&hook.command)?;
    let is_lost = program::found(context.settings, program).is_none();
    is_lost.then(|| format!("`{program}` is not found: unless the harness finds it, no hook runs"))
}

fn unfit(file: &Path, Unfit(why): Unfit) -> Failure {
    Failure::new(Code::ConfigInvalid, format!("`{}` was left as it is: {why}", file.display()))
        .hint("mend it, or name other settings with --settings FILE")
}

/// The text of settings; none where there is no file.
fn text_of(file: &Path) -> Result<Option<String>, Failure> {
    let unreadable = |error: io::Error| {
        Failure::new(Code::IoReadFailed, format!("cannot read `{}`: {error}", file.display()))
            .hint("make it readable, or name other settings with --settings FILE")
    };
    let opened = match File::open(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        opened => opened.map_err(unreadable)?,
    };
    let (mut bytes, limit) = (Vec::new(), LIMIT * 1024 * 1024);
    opened.take(limit + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length > limit) {
        return Err(unfit(file, Unfit(format!("it is larger than {LIMIT} MiB"))));
    }
    let text = String::from_utf8(bytes);
    text.map(Some).map_err(|_| unfit(file, Unfit("it is not valid UTF-8".to_owned())))
}
