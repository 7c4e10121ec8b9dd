//! The pre-commit hook: written beside an earlier one, never over it.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use super::Hook;
use crate::commands::{Context, holding};
use crate::failure::{Code, Failure};

/// The line by which a hook is known to be ours.
const MARK: &str = "# bb guard: keeps commits out of what other agents have reserved.";

/// What the name of an earlier hook is given at its end.
const BEFORE: &str = ".before-bb";

/// The places of the two hooks.
struct Places {
    hook: PathBuf,
    previous: PathBuf,
}

impl Places {
    fn find(context: &Context) -> Result<Self, Failure> {
        let folder = holding::project(context)?.git()?.hooks_folder()?;
        let previous = folder.join(format!("pre-commit{BEFORE}"));
        Ok(Self { hook: folder.join("pre-commit"), previous })
    }

    fn is_ours(&self) -> bool {
        fs::read(&self.hook).is_ok_and(|text| String::from_utf8_lossy(&text).contains(MARK))
    }

    fn report(&self, installed: bool, changed: bool, previous: Option<&Path>) -> Hook {
        Hook {
            hook: self.hook.display().to_string(),
            installed,
            changed,
            previous: previous.map(|path| path.display().to_string()),
        }
    }
}

/// Whether anything, also a link that leads nowhere, is at this path.
fn is_there(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// Writes the hook; doing it again changes nothing.
pub(super) fn install(context: &Context, warn_only: bool) -> Result<Hook, Failure> {
    let places = Places::find(context)?;
    let unknown = || Failure::new(Code::IoReadFailed, "the system does not tell where this program lies");
    let script = script(&context.settings.program().ok_or_else(unknown)?, warn_only);
    let is_ours = places.is_ours();
    if is_there(&places.hook) && !is_ours {
        if is_there(&places.previous) {
            let what = format!(
                "`{}` and `{}` are both in the way",
                places.hook.display(),
                places.previous.display()
            );
            return Err(Failure::new(Code::HookConflict, what)
                .hint("an earlier install kept the second one; move away the one that is not needed"));
        }
        fs::rename(&places.hook, &places.previous).map_err(|error| unwritable(&places.previous, &error))?;
    }
    let changed = !is_ours || fs::read(&places.hook).is_ok_and(|text| text != script.as_bytes());
    if changed {
        write(&places.hook, &script).map_err(|error| unwritable(&places.hook, &error))?;
    }
    let previous = is_there(&places.previous).then_some(places.previous.as_path());
    Ok(places.report(true, changed, previous))
}

/// Takes the hook away and brings back the one before it; doing it again changes nothing.
pub(super) fn uninstall(context: &Context) -> Result<Hook, Failure> {
    let places = Places::find(context)?;
    let is_foreign = is_there(&places.hook) && !places.is_ours();
    if is_foreign || !(is_there(&places.hook) || is_there(&places.previous)) {
        return Ok(places.report(false, false, None));
    }
    let restored = is_there(&places.previous);
    let done =
        if restored { fs::rename(&places.previous, &places.hook) } else { fs::remove_file(&places.hook) };
    done.map_err(|error| unwritable(&places.hook, &error))?;
    Ok(places.report(false, true, restored.then_some(places.hook.as_path())))
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    Failure::new(Code::IoWriteFailed, format!("cannot write `{}`: {error}", path.display()))
}

/// Puts the whole file in its place at once.
fn write(hook: &Path, script: &str) -> io::Result<()> {
    if let Some(folder) = hook.parent() {
        fs::create_dir_all(folder)?;
    }
    let unfinished = hook.with_extension(format!("{}.unfinished", std::process::id()));
    let written = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o755)
        .open(&unfinished)
        .and_then(|mut file| file.write_all(script.as_bytes()))
        .and_then(|()| fs::rename(&unfinished, hook));
    if written.is_err() {
        let _ = fs::remove_file(&unfinished);
    }
    written
}

/// The hook. An earlier one that is a shell script is read in place, because such scripts look at `$0`
/// to learn which hook they are.
fn script(program: &Path, warn_only: bool) -> String {
    let program = program.to_string_lossy().replace('\'', r"'\''");
    let warn = if warn_only { " --warn-only" } else { "" };
    format!(
        r##"#!/bin/sh
{MARK}
# `bb guard uninstall` takes this hook away; `git commit --no-verify` goes around it once.
bb='{program}'
[ -x "$bb" ] || bb=bb
if command -v "$bb" >/dev/null 2>&1; then
    "$bb" guard check{warn} || exit 1
else
    echo 'bb guard: bb is not installed, so reservations were not checked' >&2
fi
previous="$0{BEFORE}"
if [ -x "$previous" ]; then
    read -r first <"$previous"
    case "$first" in
    '#!'*/sh | '#!'*'env sh') . "$previous" ;;
    *) exec "$previous" "$@" ;;
    esac
fi
"##
    )
}
