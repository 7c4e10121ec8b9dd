//! Putting new text in a file's place at once: whoever reads it sees the old one or the new one.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, fchown};
use std::path::{Path, PathBuf};

use crate::failure::{Code, Failure};

/// More links than this, one leading to the next, lead in a circle.
const LONGEST_CHAIN: usize = 40;

/// What becomes of the text that was there before.
#[derive(Debug, Clone, Copy)]
pub(super) enum Before<'a> {
    /// It is kept beside the file, under its name with this ending.
    Kept(&'a str),
    /// It goes.
    Gone,
}

/// Replaces the text of a file, or creates it with these permissions; says where the old text was kept.
pub(super) fn replace(
    file: &Path,
    text: &str,
    mode: u32,
    before: Before,
) -> Result<Option<PathBuf>, Failure> {
    let failed = |error: io::Error| {
        Failure::new(Code::IoWriteFailed, format!("cannot write `{}`: {error}", file.display()))
            .hint("nothing was changed; make the folder writable")
    };
    let target = target_of(file);
    if fs::metadata(&target).is_ok_and(|found| found.mode() & 0o222 == 0) {
        let what = format!("`{}` was left as it is: nobody may write it", file.display());
        return Err(Failure::new(Code::IoWriteFailed, what)
            .hint(format!("if it may be changed: chmod u+w {}", file.display())));
    }
    if let Some(folder) = target.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    let copy = match before {
        Before::Kept(ending) if target.exists() => Some(beside(&target, ending)),
        _ => None,
    };
    if let Some(copy) = &copy {
        fs::copy(&target, copy).map_err(failed)?;
    }
    let new = beside(&target, &format!("{}.new", std::process::id()));
    let written = write_new(&new, &target, text, mode).and_then(|()| fs::rename(&new, &target));
    written.map_err(|error| {
        let _ = fs::remove_file(&new);
        failed(error)
    })?;
    Ok(copy)
}

/// Where a file really lies. A file of somebody else is often a link into a collection of such files and must
/// stay one, also when what it leads to is not there yet.
fn target_of(file: &Path) -> PathBuf {
    if let Ok(found) = file.canonicalize() {
        return found;
    }
    let mut target = file.to_owned();
    for _ in 0..LONGEST_CHAIN {
        match (fs::read_link(&target), target.parent()) {
            (Ok(next), Some(folder)) => target = folder.join(next),
            _ => break,
        }
    }
    target
}

/// A file beside another one, under its name with an ending.
pub(super) fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.to_owned().into_os_string();
    name.push(".");
    name.push(ending);
    PathBuf::from(name)
}

fn write_new(new: &Path, target: &Path, text: &str, mode: u32) -> io::Result<()> {
    let _ = fs::remove_file(new);
    let mut file = OpenOptions::new().write(true).create_new(true).mode(mode).open(new)?;
    if let Ok(known) = fs::metadata(target) {
        // It stays its owner's; only the superuser can give it back, and nobody else can take it.
        let _ = fchown(&file, Some(known.uid()), Some(known.gid()));
        file.set_permissions(known.permissions())?;
    }
    file.write_all(text.as_bytes())?;
    file.sync_all()
}
