//! `bd mail`: does beads hand its mail to bb?
//!
//! beads looks into two variables and then into its own database. A database of the older
//! kind can be read; that of a newer one only `bd` itself can answer for.

mod workspace;

use std::path::Path;
use std::process::{Command, Stdio};

use super::{Check, Context, Mended};
use crate::commands::program;
use crate::store::sqlite::beads_setting;
use workspace::{Database, Workspace};

const NAME: &str = "delegate";

/// The setting of beads, and what it should be.
const KEY: &str = "mail.delegate";
const WANTED: &str = "bb mail";
const SET_IT: &str = "bd config set mail.delegate \"bb mail\"";

/// The variables that beads asks first, in its order.
const VARIABLES: [&str; 2] = ["BEADS_MAIL_DELEGATE", "BD_MAIL_DELEGATE"];

/// What is known of the delegate.
enum Known {
    /// Its text, and what it was read from.
    Set { text: String, source: String },
    /// There is none in this place.
    Unset { place: String },
    /// It was not read.
    Unread { why: String, hint: String },
}

/// Says whether beads hands its mail to bb. With `ask`, a database that only `bd` reads is asked through it.
pub(super) fn look(context: &Context, ask: bool) -> Check {
    match known(context, ask) {
        Known::Unread { why, hint } => Check::not_checked(NAME, why).hint(hint),
        Known::Unset { place } => {
            Check::warning(NAME, format!("`bd mail` does nothing: no delegate in {place}"), SET_IT)
        }
        Known::Set { text, source } if !is_bb(&text) => {
            let hint = if VARIABLES.contains(&source.as_str()) {
                format!("unset {source}, or set it to: {WANTED}")
            } else {
                SET_IT.to_owned()
            };
            Check::warning(NAME, format!("`bd mail` runs `{text}`, which is not bb (from {source})"), hint)
        }
        Known::Set { text, source } => reachable(context, &text, &source),
    }
}

/// Sets a delegate that is missing or is BeadBoard's shim; another mail program is left alone.
pub(super) fn mend(context: &Context) -> Option<Mended> {
    let replaceable = match known(context, true) {
        Known::Unset { .. } => true,
        Known::Set { text, source } => text.contains("bb-mail-shim") && !VARIABLES.contains(&source.as_str()),
        Known::Unread { .. } => false,
    };
    let workspace = Workspace::find(context.settings).filter(|_| replaceable)?;
    bd(context, &workspace, &["config", "set", KEY, WANTED])?;
    Some(Mended { check: NAME, detail: SET_IT.to_owned() })
}

fn known(context: &Context, ask: bool) -> Known {
    for name in VARIABLES {
        if let Ok(Some(text)) = context.settings.text(name) {
            return Known::Set { text, source: name.to_owned() };
        }
    }
    let Some(workspace) = Workspace::find(context.settings) else {
        let why = "there is no beads workspace here, and no variable names a delegate";
        return Known::Unread { why: why.to_owned(), hint: format!("in a workspace: {SET_IT}") };
    };
    match workspace.database() {
        Database::Sqlite(file) => in_file(&file),
        Database::Other => match ask.then(|| answer_of_bd(context, &workspace)).flatten() {
            Some(text) => set_or_not(&text, "bd config".to_owned()),
            None => Known::Unread {
                why: format!("only bd can read the database of `{}`", workspace.folder.display()),
                hint: format!("bd config get {KEY} should answer {WANTED}; else: {SET_IT}"),
            },
        },
    }
}

fn in_file(file: &Path) -> Known {
    let place = format!("`{}`", file.display());
    match beads_setting(file, KEY) {
        Ok(text) => set_or_not(text.as_deref().unwrap_or(""), place),
        Err(error) => Known::Unread { why: error.to_string(), hint: format!("bd config get {KEY}") },
    }
}

fn set_or_not(text: &str, source: String) -> Known {
    match text.trim() {
        "" => Known::Unset { place: source },
        text => Known::Set { text: text.to_owned(), source },
    }
}

/// Whether a delegate is bb. beads splits it at white space and knows no quotes.
fn is_bb(text: &str) -> bool {
    let words: Vec<_> = text.split_whitespace().collect();
    let (program, rest) = match words.as_slice() {
        [program, rest @ ..] => (Path::new(program), rest),
        [] => return false,
    };
    program.file_name().is_some_and(|name| name == "bb") && matches!(rest, [] | ["mail"] | ["agent"])
}

/// A delegate that is bb by its name may still be no program, or another one of that name.
fn reachable(context: &Context, text: &str, source: &str) -> Check {
    let program = text.split_whitespace().next().unwrap_or_default();
    let found = program::found(context.settings, program);
    let detail = format!("`{text}` (from {source})");
    let Some(found) = found else {
        let hint = "put bb into a folder of the PATH, or name its whole path in the delegate";
        return Check::warning(NAME, format!("{detail}, but `{program}` is not found"), hint);
    };
    let same = match (found.canonicalize(), context.settings.program()) {
        (Ok(found), Some(this)) => found == this,
        _ => true,
    };
    if same {
        return Check::ok(NAME, detail);
    }
    let detail = format!("{detail} runs `{}`, which is another program than this bb", found.display());
    Check::warning(NAME, detail, "put this bb first in the PATH, or name its whole path in the delegate")
}

/// What `bd` itself says; it answers an unset key with an empty value.
fn answer_of_bd(context: &Context, workspace: &Workspace) -> Option<String> {
    let answer = bd(context, workspace, &["config", "get", KEY, "--json"])?;
    let document: serde_json::Value = serde_json::from_str(&answer).ok()?;
    Some(document.get("value")?.as_str()?.to_owned())
}

/// Runs `bd` in the workspace; nothing comes back where there is none or it fails.
fn bd(context: &Context, workspace: &Workspace, arguments: &[&str]) -> Option<String> {
    let program = program::found(context.settings, "bd")?;
    let output = Command::new(program)
        .args(arguments)
        .current_dir(&workspace.root)
        .stdin(Stdio::null())
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_bb_behind_one_of_its_doors_is_bb() {
        for text in ["bb mail", "bb", " bb  agent ", "/usr/local/bin/bb mail"] {
            assert!(is_bb(text), "{text}");
        }
        for text in
            ["", "gt mail", "node /x/bb-mail-shim.mjs", "bb mail send", "\"/my bin/bb\" mail", "bb.sh"]
        {
            assert!(!is_bb(text), "{text}");
        }
    }
}
