//! The archive: events that left the store, one JSON object on each line of compressed files beside it.
//!
//! A file is only ever added to; it is never renamed and never loses a byte that the store counts. Each
//! addition is a gzip member of its own, which any gzip reads as if it were one with those before. The
//! store counts an addition in the transaction in which the events leave it, so whatever lies behind the
//! counted bytes (a command was killed there) was never moved and is still in the store.

use std::collections::BTreeMap;
use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;

use super::sqlite::EventFilter;
use super::{Location, StoreError};
use crate::domain::Timestamp;
use crate::domain::archive::{ArchiveFile, file_name};
use crate::domain::event::Event;

/// The folder of the archive.
#[derive(Debug)]
pub struct Archive {
    folder: PathBuf,
}

/// Events on their way into a file.
#[derive(Debug)]
pub struct Member {
    encoder: GzEncoder<Vec<u8>>,
    folder: PathBuf,
}

/// An addition that is on the disk and that the store does not count yet. Nobody else adds to the file
/// as long as this lives.
#[derive(Debug)]
pub struct Addition {
    file: File,
    path: PathBuf,
    pub name: String,
    /// How long the file was before; nothing where it is new.
    before: Option<u64>,
    /// How long it is now.
    pub bytes: u64,
}

impl Member {
    /// Adds an event; says how many bytes it has as text.
    pub fn add(&mut self, event: &Event) -> Result<usize, StoreError> {
        let unwritten = |error: io::Error| unwritten(&self.folder, &error);
        let mut line = serde_json::to_vec(event).map_err(|error| unwritten(error.into()))?;
        line.push(b'\n');
        self.encoder.write_all(&line).map_err(unwritten)?;
        Ok(line.len())
    }

    fn finish(self) -> io::Result<Vec<u8>> {
        self.encoder.finish()
    }
}

impl Addition {
    /// Takes it back, for the store did not move the events.
    pub fn undo(self) {
        let _ = match self.before {
            Some(bytes) => self.file.set_len(bytes),
            None => fs::remove_file(&self.path),
        };
    }
}

impl Archive {
    /// The archive of the store that lies there.
    pub fn of(location: &Location) -> Self {
        Self { folder: location.folder().join("archive") }
    }

    /// What is to be added, without any event yet.
    pub fn member(&self) -> Member {
        let encoder = GzEncoder::new(Vec::new(), Compression::default());
        Member { encoder, folder: self.folder.clone() }
    }

    /// The path of one of its files.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Adds events to a file, or to a new one, and sees to it that they outlast a power cut.
    pub fn add(
        &self,
        file: Option<&ArchiveFile>,
        member: Member,
        now: Timestamp,
    ) -> Result<Addition, StoreError> {
        let fail = |error: io::Error| unwritten(&self.folder, &error);
        let bytes = member.finish().map_err(fail)?;
        let known = file.filter(|file| file.has_room()).and_then(|file| self.open_to_add(file));
        let mut addition = match known {
            Some(addition) => addition,
            None => self.begin(now).map_err(fail)?,
        };
        match self.write(&mut addition, &bytes) {
            Ok(()) => Ok(addition),
            Err(error) => {
                let path = addition.path.clone();
                addition.undo();
                Err(unwritten(&path, &error))
            }
        }
    }

    /// Opens a file that has exactly what the store counts. One with more, or that somebody else is adding
    /// to, belongs to a copy of this store as well, or was left by a command that was killed.
    fn open_to_add(&self, counted: &ArchiveFile) -> Option<Addition> {
        let path = self.path(&counted.name);
        let file = OpenOptions::new().append(true).open(&path).ok()?;
        // Where files cannot be locked, nobody is kept from going on.
        if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
            return None;
        }
        let bytes = file.metadata().ok()?.len();
        (bytes == counted.bytes).then(|| Addition {
            file,
            path,
            name: counted.name.clone(),
            before: Some(bytes),
            bytes,
        })
    }

    /// Begins a file, private to this user; a name that is taken gets a number.
    fn begin(&self, now: Timestamp) -> io::Result<Addition> {
        if !self.folder.is_dir() {
            DirBuilder::new().mode(0o700).create(&self.folder)?;
            sync_folder(self.folder.parent().unwrap_or(Path::new("/")))?;
        }
        for number in 1.. {
            let name = file_name(now, number);
            let path = self.path(&name);
            match OpenOptions::new().append(true).create_new(true).mode(0o600).open(&path) {
                Ok(file) => return Ok(Addition { file, path, name, before: None, bytes: 0 }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::from(io::ErrorKind::AlreadyExists))
    }

    fn write(&self, addition: &mut Addition, bytes: &[u8]) -> io::Result<()> {
        addition.file.write_all(bytes)?;
        addition.file.sync_all()?;
        if addition.before.is_none() {
            sync_folder(&self.folder)?;
        }
        addition.bytes += u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        Ok(())
    }

    /// The newest events that are wanted, oldest first: of these from the store, and of what is in the files.
    /// Only so many are kept at once, and only files are read that may hold newer ones than are known.
    pub fn newest(
        &self,
        files: &[ArchiveFile],
        filter: &EventFilter,
        limit: u32,
        stored: Vec<Event>,
    ) -> Result<Vec<Event>, StoreError> {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let mut files: Vec<_> = files.iter().filter(|file| filter.may_be_in(file)).collect();
        files.sort_by_key(|file| std::cmp::Reverse(file.last_event));
        let mut newest: BTreeMap<_, _> = stored.into_iter().map(|event| (event.event_id, event)).collect();
        for file in files {
            let oldest = newest.first_key_value().filter(|_| newest.len() >= limit);
            if oldest.is_some_and(|(id, _)| *id > file.last_event) {
                break;
            }
            self.read(file, &mut |event| {
                if filter.fits(&event) {
                    newest.insert(event.event_id, event);
                }
                if newest.len() > limit {
                    newest.pop_first();
                }
            })?;
        }
        Ok(newest.into_values().collect())
    }

    /// Reads these files, one after the other.
    pub fn read_all<'a>(
        &self,
        files: impl IntoIterator<Item = &'a ArchiveFile>,
        each: &mut dyn FnMut(Event),
    ) -> Result<(), StoreError> {
        files.into_iter().try_for_each(|file| self.read(file, each))
    }

    /// Reads what counts of a file, from its beginning to its end.
    fn read(&self, counted: &ArchiveFile, each: &mut dyn FnMut(Event)) -> Result<(), StoreError> {
        let path = self.path(&counted.name);
        let damaged = |reason: String| StoreError::ArchiveCorrupt { path: path.clone(), reason };
        let unread = |error: io::Error| match error.raw_os_error() {
            Some(_) => StoreError::ArchiveRead { path: path.clone(), reason: error.to_string() },
            None => damaged(error.to_string()),
        };
        let file = match File::open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(damaged("it is missing".to_owned()));
            }
            opened => opened.map_err(unread)?,
        };
        let found = file.metadata().map_err(unread)?.len();
        if found < counted.bytes {
            return Err(damaged(format!("it has {found} of its {} bytes", counted.bytes)));
        }
        let mut lines = BufReader::new(MultiGzDecoder::new(BufReader::new(file.take(counted.bytes))));
        let (mut line, mut number) = (String::new(), 0_u64);
        while lines.read_line(&mut line).map_err(unread)? > 0 {
            number += 1;
            each(serde_json::from_str(&line).map_err(|_| damaged(format!("line {number} is no event")))?);
            line.clear();
        }
        if number != counted.events {
            return Err(damaged(format!("it has {number} of its {} events", counted.events)));
        }
        Ok(())
    }
}

fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

fn unwritten(path: &Path, error: &io::Error) -> StoreError {
    StoreError::ArchiveWrite { path: path.to_owned(), reason: error.to_string() }
}
