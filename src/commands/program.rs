//! Programs that settings name, and other programs that are asked.

use std::io;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};

use crate::settings::Settings;

/// The file that a program's name stands for, as a shell would find it.
pub(super) fn found(settings: &Settings, name: &str) -> Option<PathBuf> {
    if !name.contains('/') {
        return settings.program_folders().iter().map(|it| it.join(name)).find(|file| is_program(file));
    }
    let below_home = ["~/", "$HOME/", "${HOME}/"].iter().find_map(|home| name.strip_prefix(home));
    let file = match below_home {
        Some(rest) => settings.home()?.join(rest),
        None => PathBuf::from(name),
    };
    Some(file).filter(|file| is_program(file))
}

fn is_program(file: &Path) -> bool {
    file.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

/// What a program printed. One that has not ended by then is ended, with everything it started, and is an error
/// of the kind `TimedOut`.
pub(super) fn output_within(command: &mut Command, limit: Duration) -> io::Result<Output> {
    let child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).process_group(0).spawn()?;
    let group = Pid::from_child(&child);
    let (sender, ended) = mpsc::channel();
    thread::spawn(move || {
        // Nobody listens any more when the time was up.
        let _ = sender.send(child.wait_with_output());
    });
    ended.recv_timeout(limit).unwrap_or_else(|_| {
        let _ = kill_process_group(group, Signal::KILL);
        Err(io::ErrorKind::TimedOut.into())
    })
}
