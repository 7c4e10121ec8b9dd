//! A token that is kept in a file before anybody depends on it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use super::Context;
use crate::domain::token;
use crate::failure::{Code, Failure};

/// More than any token has.
const MOST_BYTES: u64 = 1024;

/// A token and the file it is in.
pub(super) struct Kept<'a> {
    pub token: String,
    file: &'a Path,
    is_new: bool,
}

impl Kept<'_> {
    /// Takes a file away again that was made for a token that nobody got.
    pub(super) fn discard(&self) {
        if self.is_new {
            let _ = fs::remove_file(self.file);
        }
    }
}

/// The token in the file; a new one is put there, for this user alone, where there is none yet.
pub(super) fn keep<'a>(context: &Context, file: &'a Path) -> Result<Kept<'a>, Failure> {
    let name = file.display();
    match read(file) {
        Ok(text) if token::is_well_formed(text.trim()) => {
            Ok(Kept { token: text.trim().to_owned(), file, is_new: false })
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let token = context.ids.token()?;
            write(file, &token).map_err(|error| {
                Failure::new(Code::IoWriteFailed, format!("cannot write `{name}`: {error}"))
                    .hint("nothing was changed; name a file in a folder you can write to")
            })?;
            Ok(Kept { token, file, is_new: true })
        }
        Ok(_) | Err(_) => {
            let what = format!("`{name}` is there, and no token of bb can be read from it");
            Err(Failure::new(Code::InvalidArgs, what).hint("name a file that does not exist yet"))
        }
    }
}

fn read(file: &Path) -> io::Result<String> {
    let mut text = String::new();
    File::open(file)?.take(MOST_BYTES).read_to_string(&mut text)?;
    Ok(text)
}

fn write(file: &Path, token: &str) -> io::Result<()> {
    let mut new = OpenOptions::new().write(true).create_new(true).mode(0o600).open(file)?;
    let written = new.write_all(format!("{token}\n").as_bytes()).and_then(|()| new.sync_all());
    written.inspect_err(|_| drop(fs::remove_file(file)))
}
