//! What decides besides the settings whether a harness runs our hooks.

use std::fs;
use std::path::Path;

use crate::domain::hook::Harness;
use crate::domain::hook::settings::{self, Found};

/// A reason why hooks that are in place do not run.
#[derive(Debug)]
pub struct Obstacle {
    pub what: String,
    pub hint: &'static str,
    /// It stops the hooks of all settings, not only those of the settings it stands in.
    pub everywhere: bool,
}

/// What else is known of hooks that are in place.
pub(super) enum Note {
    Fine(String),
    Stops(Obstacle),
}

/// What is known of the hooks in these settings besides that they are there. `own` are the user's own settings.
pub(super) fn notes(
    harness: Harness,
    file: &Path,
    own: Option<&Path>,
    text: &str,
    found: &[Found],
) -> Vec<Note> {
    let mut notes = Vec::new();
    if settings::are_disabled(text) {
        notes.push(Note::Stops(Obstacle {
            what: format!("`disableAllHooks` is on in `{}`: no hook runs", file.display()),
            hint: "set `disableAllHooks` to false there",
            everywhere: true,
        }));
    }
    if harness == Harness::Codex && !found.is_empty() {
        // A project's settings can bring hooks, but only the user's own say which of them may run.
        let config = own.and_then(|own| fs::read_to_string(own.with_file_name("config.toml")).ok());
        let config: toml::Table = config.unwrap_or_default().parse().unwrap_or_default();
        notes.extend(switched_off(&config));
        notes.extend(trust(&config, file, found));
    }
    notes
}

/// Codex runs hooks unless its features say otherwise; the older name of the feature still counts.
fn switched_off(config: &toml::Table) -> Option<Note> {
    let features = config.get("features")?;
    let is_off = |name: &&str| features.get(name).and_then(toml::Value::as_bool) == Some(false);
    let name = ["hooks", "codex_hooks"].into_iter().find(|name| is_off(name))?;
    Some(Note::Stops(Obstacle {
        what: format!("`features.{name}` is off in Codex's config.toml: no hook runs"),
        hint: "set it to true there",
        everywhere: true,
    }))
}

/// What Codex's own records say of our hooks. What its hash covers is its own affair and is not checked.
fn trust(config: &toml::Table, file: &Path, found: &[Found]) -> Vec<Note> {
    let states = config.get("hooks").and_then(|hooks| hooks.get("state"));
    let state = |hook: &Found| {
        let event = snake(hook.moment.event_name());
        states?.get(format!("{}:{event}:{}:{}", file.display(), hook.group, hook.handler))
    };
    let is_off = |hook: &&Found| state(hook).and_then(|it| it.get("enabled")?.as_bool()) == Some(false);
    let is_trusted = |hook: &&Found| state(hook).and_then(|it| it.get("trusted_hash")).is_some();
    let off: Vec<_> = found.iter().filter(is_off).map(|hook| hook.moment.as_str()).collect();
    let (trusted, all) = (found.iter().filter(is_trusted).count(), found.len());
    let stops =
        |what: String| Note::Stops(Obstacle { what, hint: "type /hooks in Codex", everywhere: false });
    let mut notes = Vec::new();
    if !off.is_empty() {
        let what = format!("these are switched off in Codex's config.toml: {}", off.join(", "));
        notes.push(stops(what));
    }
    notes.push(if trusted == all {
        Note::Fine("Codex has a record of trust for each of them".to_owned())
    } else {
        let have = format!("{trusted} of {all} have a record of trust");
        stops(format!("Codex runs them only once you trust them with /hooks ({have})"))
    });
    notes
}

/// `SessionStart` as `session_start`.
fn snake(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}
