//! Whether Codex was told to trust the hooks; it runs no others.

use std::fs;
use std::path::Path;

use crate::domain::hook::settings::Found;

/// What Codex's own records say of our hooks. What its hash covers is its own affair and is not checked.
pub(super) fn of(file: &Path, found: &[Found]) -> String {
    let config = fs::read_to_string(file.with_file_name("config.toml")).unwrap_or_default();
    let table: toml::Table = config.parse().unwrap_or_default();
    let state = table.get("hooks").and_then(|hooks| hooks.get("state"));
    let is_trusted = |hook: &&Found| {
        let key =
            format!("{}:{}:{}:{}", file.display(), snake(hook.moment.event_name()), hook.group, hook.handler);
        state.and_then(|state| state.get(&key)?.get("trusted_hash")).is_some()
    };
    let (trusted, all) = (found.iter().filter(is_trusted).count(), found.len());
    if trusted == all {
        return "Codex has a record of trust for each of them".to_owned();
    }
    format!(
        "Codex runs them only once you trust them with /hooks ({trusted} of {all} have a record of trust)"
    )
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
