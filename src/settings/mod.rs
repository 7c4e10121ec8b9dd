//! The only reader of the environment and of the configuration file.
//!
//! Flags win over the environment, the environment over the file, the file over defaults.

mod config;
mod keys;

use std::ffi::OsString;
use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};

use directories::ProjectDirs;

pub use config::{Config, Setting, Source};
pub use keys::{KEYS, Key, Value};

use crate::domain::Timestamp;
use crate::domain::event::Origin;
use crate::failure::{Code, Failure};
use crate::store::Location;

/// Answers what a variable holds.
type Lookup = Box<dyn Fn(&str) -> Option<OsString>>;

/// What the environment says.
pub struct Settings {
    lookup: Lookup,
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings").finish_non_exhaustive()
    }
}

impl Settings {
    /// The settings of this process.
    #[allow(clippy::disallowed_methods, reason = "the one place where the environment is read")]
    pub fn of_process() -> Self {
        Self { lookup: Box::new(|name| std::env::var_os(name)) }
    }

    /// Settings that answer from `lookup`.
    pub fn from_lookup(lookup: impl Fn(&str) -> Option<OsString> + 'static) -> Self {
        Self { lookup: Box::new(lookup) }
    }

    /// A variable's text; unset and empty are the same.
    pub fn text(&self, name: &str) -> Result<Option<String>, Failure> {
        let Some(value) = (self.lookup)(name).filter(|value| !value.is_empty()) else { return Ok(None) };
        value
            .into_string()
            .map(Some)
            .map_err(|_| Failure::new(Code::ConfigInvalid, format!("the variable {name} is not valid UTF-8")))
    }

    /// Whether a variable is set to anything but nothing.
    pub fn is_set(&self, name: &str) -> bool {
        (self.lookup)(name).is_some_and(|value| !value.is_empty())
    }

    fn path(&self, name: &str) -> Option<PathBuf> {
        (self.lookup)(name).filter(|value| !value.is_empty()).map(PathBuf::from)
    }

    /// The token that proves who acts, from `BB_TOKEN` or the file named by `BB_TOKEN_FILE`.
    pub fn token(&self) -> Result<Option<String>, Failure> {
        if let Some(token) = self.text("BB_TOKEN")? {
            return Ok(Some(token));
        }
        let Some(file) = self.path("BB_TOKEN_FILE") else { return Ok(None) };
        // A token is short; what is not, is none, and may never end.
        let mut token = String::new();
        let read = std::fs::File::open(&file).and_then(|file| file.take(1024).read_to_string(&mut token));
        read.map(|_| Some(token.trim().to_owned())).map_err(|error| {
            let what = format!("cannot read the token file `{}`: {error}", file.display());
            Failure::new(Code::ConfigInvalid, what)
                .hint("set BB_TOKEN_FILE to a readable file, or set BB_TOKEN")
        })
    }

    /// Where the store lies: the flag, else `BB_STORE`, else the user's data folder.
    pub fn store(&self, flag: Option<&Path>) -> Result<Location, Failure> {
        if let Some(path) = flag {
            let absolute = if path.is_absolute() || Location::is_special(path) {
                path.to_owned()
            } else {
                self.current_folder()?.join(path)
            };
            return Ok(Location::new(&absolute)?);
        }
        if let Some(path) = (self.lookup)("BB_STORE") {
            return Ok(Location::new(Path::new(&path))?);
        }
        let folders = self.folders().filter(|folders| folders.data_dir().is_absolute());
        let Some(folders) = folders else {
            return Err(Failure::new(Code::ConfigInvalid, "there is no HOME to keep the store in")
                .hint("set HOME, or set BB_STORE to the absolute path of a file"));
        };
        Ok(Location::new(&folders.data_dir().join("bb.db"))?)
    }

    /// The user's folders. The lookup in the user database that stands in for a missing HOME is not used:
    /// it would quietly choose another place than the user's shell does.
    fn folders(&self) -> Option<ProjectDirs> {
        self.path("HOME").filter(|home| home.is_absolute()).and_then(|_| ProjectDirs::from("", "", "bb"))
    }

    /// The configuration file: `BB_CONFIG`, else `config.toml` in the user's configuration folder.
    pub fn config_file(&self) -> Option<PathBuf> {
        self.path("BB_CONFIG")
            .or_else(|| self.folders().map(|folders| folders.config_dir().join("config.toml")))
    }

    /// The folder of the session's sockets, if the system has one.
    pub fn runtime_folder(&self) -> Option<PathBuf> {
        self.path("XDG_RUNTIME_DIR").filter(|folder| folder.is_absolute())
    }

    /// The user's home folder.
    pub fn home(&self) -> Option<PathBuf> {
        self.path("HOME")
    }

    /// Where BeadBoard keeps what its agents share: under `USERPROFILE` if that is set, on every system.
    pub fn beadboard_folder(&self) -> Result<PathBuf, Failure> {
        let home = match self.text("USERPROFILE")?.map(|text| text.trim().to_owned()) {
            Some(profile) if !profile.is_empty() => Some(PathBuf::from(profile)),
            _ => self.home(),
        };
        home.map(|home| home.join(".beadboard").join("agent")).ok_or_else(|| {
            Failure::new(Code::ConfigInvalid, "there is no HOME to look for a BeadBoard store in")
                .hint("name its folder with --from PATH")
        })
    }

    /// The file of this program, if the system tells.
    pub fn program(&self) -> Option<PathBuf> {
        std::env::current_exe().ok().and_then(|file| file.canonicalize().ok())
    }

    /// The folders in which a program is looked for.
    pub fn program_folders(&self) -> Vec<PathBuf> {
        (self.lookup)("PATH").map(|path| std::env::split_paths(&path).collect()).unwrap_or_default()
    }

    /// The folder this process works in.
    #[allow(clippy::disallowed_methods, reason = "the one place where it is read")]
    pub fn current_folder(&self) -> Result<PathBuf, Failure> {
        std::env::current_dir().map_err(|error| {
            Failure::new(Code::IoReadFailed, format!("the current folder cannot be read: {error}"))
                .hint("change to a folder that exists")
        })
    }

    /// Who this process is, for the record.
    pub fn origin(&self) -> Origin {
        let cwd = self
            .current_folder()
            .map_or_else(|_| String::new(), |folder| folder.to_string_lossy().into_owned());
        Origin {
            uid: rustix::process::geteuid().as_raw(),
            pid: std::process::id(),
            parent_pid: std::os::unix::process::parent_id(),
            cwd,
        }
    }

    /// The time tests fix, if any.
    pub fn fixed_time(&self) -> Result<Option<Timestamp>, Failure> {
        self.text("BB_NOW")?.map(|text| text.parse().map_err(Failure::from)).transpose()
    }

    /// The seed of ids tests fix, if any.
    pub fn seed(&self) -> Result<Option<u64>, Failure> {
        let parse = |text: String| {
            text.parse()
                .map_err(|_| Failure::new(Code::ConfigInvalid, format!("BB_SEED is not a number: `{text}`")))
        };
        self.text("BB_SEED")?.map(parse).transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(pairs: &'static [(&'static str, &'static str)]) -> Settings {
        Settings::from_lookup(move |name| {
            pairs.iter().find(|(known, _)| *known == name).map(|(_, value)| OsString::from(value))
        })
    }

    #[test]
    fn without_home_there_is_no_default_store() {
        let failure = with(&[]).store(None).unwrap_err();
        assert_eq!(failure.code, Code::ConfigInvalid);
        assert!(failure.hint.unwrap().contains("BB_STORE"));
    }

    #[test]
    fn an_empty_or_relative_store_is_refused() {
        for value in [&[("BB_STORE", "")], &[("BB_STORE", "bb.db")]] {
            assert_eq!(with(value).store(None).unwrap_err().code, Code::ConfigInvalid);
        }
    }

    #[test]
    fn the_flag_wins_and_may_be_relative() {
        let settings = with(&[("BB_STORE", "/tmp/env.db")]);
        assert_eq!(settings.store(None).unwrap().file(), Path::new("/tmp/env.db"));
        let chosen = settings.store(Some(Path::new("flag.db"))).unwrap();
        assert!(chosen.file().is_absolute() && chosen.file().ends_with("flag.db"));
    }
}
