//! Putting new text in a file's place at once: whoever reads it sees the old one or the new one.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use crate::failure::{Code, Failure};

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
    // A file of somebody else is often a link into a collection of such files, and must stay one.
    let target = file.canonicalize().unwrap_or_else(|_| file.to_owned());
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
        file.set_permissions(known.permissions())?;
    }
    file.write_all(text.as_bytes())?;
    file.sync_all()
}
