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
}

/// What else is known of hooks that are in place.
pub(super) enum Note {
    Fine(String),
    Stops(Obstacle),
}

/// What is known of the hooks in these settings besides that they are there.
pub(super) fn notes(harness: Harness, file: &Path, text: &str, found: &[Found]) -> Vec<Note> {
    let mut notes = Vec::new();
    if settings::are_disabled(text) {
        notes.push(Note::Stops(Obstacle {
            what: "`disableAllHooks` is on in these settings: no hook runs".to_owned(),
            hint: "set `disableAllHooks` to false there",
        }));
    }
    if harness == Harness::Codex && !found.is_empty() {
        let config = fs::read_to_string(file.with_file_name("config.toml")).unwrap_or_default();
        let config: toml::Table = config.parse().unwrap_or_default();
        notes.extend(switched_off(&config));
        notes.push(trust(&config, file, found));
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
    }))
}

/// What Codex's own records say of our hooks. What its hash covers is its own affair and is not checked.
fn trust(config: &toml::Table, file: &Path, found: &[Found]) -> Note {
    let state = config.get("hooks").and_then(|hooks| hooks.get("state"));
    let is_trusted = |hook: &&Found| {
        let key =
            format!("{}:{}:{}:{}", file.display(), snake(hook.moment.event_name()), hook.group, hook.handler);
        state.and_then(|state| state.get(&key)?.get("trusted_hash")).is_some()
    };
    let (trusted, all) = (found.iter().filter(is_trusted).count(), found.len());
    if trusted == all {
        return Note::Fine("Codex has a record of trust for each of them".to_owned());
    }
    Note::Stops(Obstacle {
        what: format!(
            "Codex runs them only once you trust them with /hooks ({trusted} of {all} have a record of trust)"
        ),
        hint: "type /hooks in Codex",
    })
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
