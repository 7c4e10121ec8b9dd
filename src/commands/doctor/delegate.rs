//! `bd mail`: does beads hand its mail to bb?
//!
//! beads looks into two variables and then into its own database. A database of the older
//! kind can be read; that of a newer one only `bd` itself can answer for.

mod workspace;

use std::io;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::{Check, Context, Mended};
use crate::commands::program;
use crate::store::sqlite::beads_setting;
use workspace::{Database, Workspace};

const NAME: &str = "delegate";

/// The setting of beads, and what it should be.
const KEY: &str = "mail.delegate";
const WANTED: &str = "bb mail";
const SET_IT: &str = "bd config set mail.delegate \"bb mail\"";

/// How long `bd` may take to answer.
const LIMIT: Duration = Duration::from_secs(5);

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

/// Says whether beads hands its mail to bb. With `fix`, a database that only `bd` reads is asked through it, and a
/// delegate that is missing or is BeadBoard's shim is set; another mail program is left alone.
pub(super) fn tend(context: &Context, fix: bool) -> (Check, Option<Mended>) {
    let found = known(context, fix);
    if !fix {
        return (judged(context, found), None);
    }
    match mend(context, &found) {
        Some(mended) => (judged(context, known(context, true)), Some(mended)),
        None => (judged(context, found), None),
    }
}

fn judged(context: &Context, known: Known) -> Check {
    match known {
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

/// Sets the delegate, and believes it once `bd` says so.
fn mend(context: &Context, found: &Known) -> Option<Mended> {
    let replaceable = match found {
        Known::Unset { .. } => true,
        Known::Set { text, source } => text.contains("bb-mail-shim") && !VARIABLES.contains(&source.as_str()),
        Known::Unread { .. } => false,
    };
    let workspace = Workspace::find(context.settings).filter(|_| replaceable)?;
    bd(context, &workspace, &["config", "set", KEY, WANTED]).ok()?;
    let is_set = answer_of_bd(context, &workspace).is_ok_and(|text| is_bb(&text));
    is_set.then(|| Mended { check: NAME, detail: SET_IT.to_owned() })
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
        Database::Other => match ask.then(|| answer_of_bd(context, &workspace)) {
            Some(Ok(text)) => set_or_not(&text, "bd config".to_owned()),
            Some(Err(error)) if error.kind() == io::ErrorKind::TimedOut => Known::Unread {
                why: format!("bd gave no answer within {} s and was ended", LIMIT.as_secs()),
                hint: by_hand(),
            },
            _ => Known::Unread {
                why: format!("only bd can read the database of `{}`", workspace.folder.display()),
                hint: by_hand(),
            },
        },
    }
}

fn by_hand() -> String {
    format!("bd config get {KEY} should answer {WANTED}; else: {SET_IT}")
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
fn answer_of_bd(context: &Context, workspace: &Workspace) -> io::Result<String> {
    let answer = bd(context, workspace, &["config", "get", KEY, "--json"])?;
    let document: serde_json::Value = serde_json::from_slice(&answer)?;
    let value = document.get("value").and_then(serde_json::Value::as_str);
    value.map(str::to_owned).ok_or_else(|| io::ErrorKind::InvalidData.into())
}

/// Runs `bd` in the workspace and gives what it printed.
fn bd(context: &Context, workspace: &Workspace, arguments: &[&str]) -> io::Result<Vec<u8>> {
    let program = program::found(context.settings, "bd").ok_or(io::ErrorKind::NotFound)?;
    let mut command = Command::new(program);
    let output = program::output_within(command.args(arguments).current_dir(&workspace.root), LIMIT)?;
    if output.status.success() { Ok(output.stdout) } else { Err(io::ErrorKind::Other.into()) }
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
