//! The folder that is imported from: which files it has and what is in them.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::Serialize;

use crate::failure::{Code, Failure};

/// The folders of a BeadBoard store.
const FOLDERS: [&str; 3] = ["agents", "messages", "reservations"];

/// Something that was not taken over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Skipped {
    /// The file, counted from the source's folder.
    pub file: String,
    /// The line, in a file of many records.
    pub line: Option<usize>,
    pub reason: String,
}

impl Skipped {
    pub(super) fn new(place: &Place, reason: impl Into<String>) -> Self {
        Self { file: place.file.clone(), line: place.line, reason: reason.into() }
    }
}

/// Where a record was found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Place {
    pub file: String,
    pub line: Option<usize>,
}

/// What a reader made of its files.
#[derive(Debug, Clone)]
pub(super) struct Read<T> {
    pub records: Vec<T>,
    pub skipped: Vec<Skipped>,
}

/// A folder to read from.
#[derive(Debug)]
pub(super) struct Source {
    root: PathBuf,
}

impl Source {
    /// Makes sure that something can be imported from there.
    pub(super) fn open(root: &Path) -> Result<Self, Failure> {
        let name = root.display();
        if !root.is_dir() {
            return Err(Failure::new(Code::FileNotFound, format!("there is no folder `{name}`"))
                .hint("name the folder of a BeadBoard store: bb import --from ~/.beadboard/agent"));
        }
        if FOLDERS.iter().all(|folder| !root.join(folder).is_dir()) {
            let what = format!("`{name}` holds neither agents nor messages nor reservations");
            return Err(Failure::new(Code::FileNotFound, what)
                .hint("name the folder that holds them, for example ~/.beadboard/agent"));
        }
        Ok(Self { root: root.to_owned() })
    }

    /// The files of a folder with that ending, in order of name. A folder among them belongs to an id with
    /// a slash, which bb does not allow.
    pub(super) fn files(&self, folder: &str, ending: &str, skipped: &mut Vec<Skipped>) -> Vec<String> {
        let entries = match fs::read_dir(self.root.join(folder)) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Vec::new(),
            Err(error) => {
                skipped.push(Skipped::new(&whole(folder), format!("cannot be listed: {error}")));
                return Vec::new();
            }
        };
        let mut names: Vec<_> = entries.flatten().map(|entry| (entry.file_name(), entry.path())).collect();
        names.sort();
        let mut files = Vec::new();
        for (name, path) in names {
            let file = format!("{folder}/{}", name.to_string_lossy());
            if path.is_dir() {
                if name != "index" {
                    let reason = "a folder, as for an id with a slash in it, which bb does not allow";
                    skipped.push(Skipped::new(&whole(&file), reason));
                }
            } else if path.is_file() && file.to_ascii_lowercase().ends_with(ending) {
                files.push(file);
            }
        }
        files
    }

    /// The text of a file.
    pub(super) fn text(&self, file: &str) -> Result<String, String> {
        let bytes = self.bytes(file)?;
        String::from_utf8(bytes).map_err(|_| "is not valid UTF-8".to_owned())
    }

    /// Whether there is such a file.
    pub(super) fn has(&self, file: &str) -> bool {
        self.root.join(file).is_file()
    }

    /// The lines of a file that have something in them; one that is no text is skipped alone.
    pub(super) fn lines(&self, file: &str, skipped: &mut Vec<Skipped>) -> Vec<(Place, String)> {
        let bytes = match self.bytes(file) {
            Ok(bytes) => bytes,
            Err(reason) => {
                skipped.push(Skipped::new(&whole(file), reason));
                return Vec::new();
            }
        };
        let mut lines = Vec::new();
        for (number, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
            let place = Place { file: file.to_owned(), line: Some(number + 1) };
            match str::from_utf8(line).map(str::trim) {
                Ok("") => {}
                Ok(text) => lines.push((place, text.to_owned())),
                Err(_) => skipped.push(Skipped::new(&place, "is not valid UTF-8")),
            }
        }
        lines
    }

    fn bytes(&self, file: &str) -> Result<Vec<u8>, String> {
        fs::read(self.root.join(file)).map_err(|error| format!("cannot be read: {error}"))
    }
}

/// A file as a whole.
pub(super) fn whole(file: &str) -> Place {
    Place { file: file.to_owned(), line: None }
}
