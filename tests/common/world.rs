//! A world of its own for each test: home, store, time and ids.

use std::cell::Cell;
use std::ffi::OsStr;
use std::fmt;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::time::Duration;

use bb_agent::domain::Timestamp;
use bb_agent::domain::event::Origin;
use bb_agent::store::sqlite::Mode;
use bb_agent::store::{Location, Store};
use serde_json::Value;
use tempfile::TempDir;

/// When a world begins, unless it has the real time.
const BEGINNING: &str = "2026-03-04T00:11:22.000Z";

/// A private folder with a home and a store, and a clock that stands still until it is moved.
pub(crate) struct World {
    folder: Arc<TempDir>,
    now: Option<Cell<Timestamp>>,
    seed: Cell<u64>,
}

impl World {
    /// A world with a fixed clock and ids that can be foretold.
    pub(crate) fn new() -> Self {
        Self { now: Some(Cell::new(BEGINNING.parse().unwrap())), ..Self::in_real_time() }
    }

    /// A world whose processes see the real time and draw real random ids.
    pub(crate) fn in_real_time() -> Self {
        Self::in_folder(tempfile::Builder::new().prefix("bb").tempdir().unwrap())
    }

    /// The same, in memory where the system has a place for that: nothing is written to a disk.
    pub(crate) fn in_memory() -> Self {
        let mut folder = tempfile::Builder::new();
        let folder = folder.prefix("bb");
        Self::in_folder(folder.tempdir_in("/dev/shm").or_else(|_| folder.tempdir()).unwrap())
    }

    fn in_folder(folder: TempDir) -> Self {
        std::fs::create_dir(folder.path().join("home")).unwrap();
        std::fs::create_dir(folder.path().join("work")).unwrap();
        Self { folder: Arc::new(folder), now: None, seed: Cell::new(0) }
    }

    /// The same world for another thread; one in which real time passes.
    pub(crate) fn again(&self) -> Self {
        assert!(self.now.is_none(), "a clock that is moved by hand belongs to one thread");
        Self { folder: Arc::clone(&self.folder), now: None, seed: Cell::new(0) }
    }

    /// A world with two agents: `amber-otter` (backend) and `lead-one` (lead).
    pub(crate) fn with_two_agents() -> Self {
        let world = Self::new();
        world.register("amber-otter", "backend");
        world.register("lead-one", "lead");
        world
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn store(&self) -> PathBuf {
        self.path("store/bb.db")
    }

    /// The store as the program itself opens it.
    pub(crate) fn open_store(&self) -> Store {
        Store::open(Location::new(&self.store()).unwrap(), Mode::Create, Origin::default(), None).unwrap()
    }

    /// Where commands run.
    pub(crate) fn work(&self) -> PathBuf {
        self.path("work")
    }

    /// The time in this world.
    pub(crate) fn now(&self) -> Timestamp {
        self.now.as_ref().expect("this world has the real time").get()
    }

    /// Lets time pass.
    pub(crate) fn pass(&self, seconds: u64) {
        let clock = self.now.as_ref().expect("real time passes by itself");
        clock.set(clock.get() + Duration::from_secs(seconds));
    }

    /// The program, ready to run in this world and in no other.
    pub(crate) fn command<I, S>(&self, arguments: I) -> Command
    where
        I: IntoIterator<Item = S>,
        S: AsRef<OsStr>,
    {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bb"));
        command
            .args(arguments)
            .env_clear()
            .env("HOME", self.path("home"))
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("BB_STORE", self.store())
            .current_dir(self.work());
        if let Some(now) = &self.now {
            self.seed.set(self.seed.get() + 1);
            command.env("BB_NOW", now.get().to_string()).env("BB_SEED", self.seed.get().to_string());
        }
        command
    }

    /// Runs a command line.
    pub(crate) fn bb<I, S>(&self, arguments: I) -> Run
    where
        I: IntoIterator<Item = S>,
        S: AsRef<OsStr>,
    {
        Run::of(self.command(arguments).stdin(Stdio::null()).output().unwrap())
    }

    /// Runs a command line with more variables than the world has.
    pub(crate) fn bb_with<I, S>(&self, variables: &[(&str, &str)], arguments: I) -> Run
    where
        I: IntoIterator<Item = S>,
        S: AsRef<OsStr>,
    {
        let mut command = self.command(arguments);
        Run::of(command.envs(variables.iter().copied()).stdin(Stdio::null()).output().unwrap())
    }

    /// Runs a command line with something on standard input.
    pub(crate) fn bb_with_input<I, S>(&self, arguments: I, input: &[u8]) -> Run
    where
        I: IntoIterator<Item = S>,
        S: AsRef<OsStr>,
    {
        let mut child = self
            .command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A command that refuses its input early closes the pipe.
        let _ = child.stdin.take().unwrap().write_all(input);
        Run::of(child.wait_with_output().unwrap())
    }

    /// Runs a command line with `--json` and gives the `data` of its answer.
    pub(crate) fn json<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> Value {
        self.bb(arguments.into_iter().chain(["--json"])).ok().data()
    }

    pub(crate) fn register(&self, name: &str, role: &str) {
        self.bb(["register", "--name", name, "--role", role]).ok();
    }

    /// Sends a message from one agent to another and gives its id.
    pub(crate) fn send(&self, from: &str, to: &str, category: &str, subject: &str) -> String {
        let sent = self.json([
            "send",
            "--from",
            from,
            "--to",
            to,
            "--bead",
            "bb-1",
            "--category",
            category,
            "--subject",
            subject,
            "--body",
            "the body",
        ]);
        sent["message_id"].as_str().unwrap().to_owned()
    }
}

/// What a command answered.
#[derive(Debug, Clone)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    pub(crate) fn of(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Insists on success.
    #[track_caller]
    pub(crate) fn ok(self) -> Self {
        assert_eq!(self.code, 0, "{self}");
        self
    }

    /// Insists on a failure with this code and exit code, said in the form that was asked for.
    #[track_caller]
    pub(crate) fn fails(self, code: &str, exit: i32) -> Self {
        assert_eq!(self.code, exit, "{self}");
        if self.stdout.starts_with('{') {
            let document = self.document();
            assert_eq!(document["ok"], false, "{self}");
            assert_eq!(document["data"], Value::Null, "{self}");
            assert_eq!(document["error"]["code"], code, "{self}");
        } else {
            assert_eq!(self.stdout, "", "{self}");
            assert!(self.stderr.starts_with(&format!("error[{code}]: ")), "{self}");
        }
        self
    }

    /// The one JSON document on standard output.
    #[track_caller]
    pub(crate) fn document(&self) -> Value {
        assert_eq!(self.stdout.matches('\n').count(), 1, "not one line: {self}");
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self}"))
    }

    /// The `data` of the JSON document.
    #[track_caller]
    pub(crate) fn data(&self) -> Value {
        self.document()["data"].clone()
    }
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "exit {}\n--- stdout\n{}--- stderr\n{}", self.code, self.stdout, self.stderr)
    }
}
