//! GitHub's own command line: run without anybody to ask, within a time limit, one at a time.

use std::fs::{File, TryLockError};
use std::io::{self, Seek, SeekFrom};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use crate::failure::Failure;
use rustix::process::{Pid, Signal, kill_process_group};

/// How long the streams of a process that was ended are still listened to.
const AFTERMATH: Duration = Duration::from_secs(1);

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum Trouble {
    /// It cannot be run, or did not end in time.
    NoAnswer(String),
    /// It ran, and refused.
    Refused(String),
}

impl Trouble {
    pub(super) fn into_text(self) -> String {
        match self {
            Self::NoAnswer(text) | Self::Refused(text) => text,
        }
    }
}

/// The command line as it is run for one handoff.
#[derive(Debug)]
pub(super) struct Gh {
    limit: Duration,
    folder: Option<PathBuf>,
    turn: Option<File>,
}

impl Gh {
    /// Waits until no other one runs for the handoff with this document, within reason.
    ///
    /// What is run holds the turn as well, so that one whose caller was killed is waited for; `waiting` hears
    /// for how long at most.
    pub(super) fn take_turn(
        document: Option<&Path>,
        folder: Option<PathBuf>,
        limit: Duration,
        waiting: impl FnOnce(Duration) -> Result<(), Failure>,
    ) -> Result<Self, Failure> {
        let longest = limit.saturating_mul(2);
        let file = document.and_then(|path| File::open(path).ok());
        if file.as_ref().is_some_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock))) {
            waiting(longest)?;
        }
        Ok(Self { limit, folder, turn: file.and_then(|file| locked(file, longest)) })
    }

    /// Runs it, and gives what it printed.
    pub(super) fn run(&self, arguments: &[String]) -> Result<String, Trouble> {
        let named = |why: &str| {
            let verb: Vec<_> = arguments.iter().take(2).map(String::as_str).collect();
            format!("gh {}: {why}", verb.join(" "))
        };
        let mut child = self.start(arguments).map_err(|error| Trouble::NoAnswer(self.unstarted(&error)))?;
        let group = Pid::from_child(&child);
        let ended = in_background(move || output_of(&mut child));
        let output = match ended.recv_timeout(self.limit) {
            Ok(output) => output,
            Err(_) => {
                // With everything it started; what is left of it must not go on later.
                let _ = kill_process_group(group, Signal::KILL);
                let _ = ended.recv_timeout(AFTERMATH);
                let why = format!("no answer within {} s, so it was ended", self.limit.as_secs());
                return Err(Trouble::NoAnswer(named(&why)));
            }
        };
        let output = output.map_err(|error| Trouble::NoAnswer(named(&error.to_string())))?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let line = said.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("no reason given");
        Err(Trouble::Refused(named(line)))
    }

    fn start(&self, arguments: &[String]) -> io::Result<Child> {
        let mut command = Command::new("gh");
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        command
            .args(arguments)
            // Nobody is there to answer a question.
            .envs([("GH_PROMPT_DISABLED", "1"), ("GIT_TERMINAL_PROMPT", "0"), ("NO_COLOR", "1")])
            .env_remove("BB_TOKEN")
            .stdin(self.nothing_to_read()?)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
    }

    /// An input that is at its end, and that keeps the turn for as long as it is open.
    fn nothing_to_read(&self) -> io::Result<Stdio> {
        let Some(turn) = &self.turn else { return Ok(Stdio::null()) };
        let mut turn = turn.try_clone()?;
        turn.seek(SeekFrom::End(0))?;
        Ok(turn.into())
    }

    fn unstarted(&self, error: &io::Error) -> String {
        match self.folder.as_deref().filter(|folder| !folder.is_dir()) {
            Some(folder) => format!("cannot run gh: the folder `{}` is gone", folder.display()),
            None => format!("cannot run gh: {error}"),
        }
    }
}

fn output_of(child: &mut Child) -> io::Result<Output> {
    let errors = child.stderr.take().map(|stream| in_background(move || read(stream)));
    let stdout = child.stdout.take().map(read).transpose()?.unwrap_or_default();
    let stderr = errors.and_then(|it| it.recv().ok()).transpose()?.unwrap_or_default();
    Ok(Output { status: child.wait()?, stdout, stderr })
}

fn read(mut stream: impl io::Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).map(|_| bytes)
}

/// The file, locked, if nobody else keeps it longer than that.
fn locked(file: File, limit: Duration) -> Option<File> {
    in_background(move || file.lock().ok().map(|()| file)).recv_timeout(limit).ok().flatten()
}

/// What takes its time, in a thread of its own, because neither a lock nor a process has a time limit.
fn in_background<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Receiver<T> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        // Nobody listens any more when the time was up.
        let _ = sender.send(work());
    });
    receiver
}
