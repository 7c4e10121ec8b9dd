//! Asking a waiting command to end: SIGINT, SIGTERM, SIGHUP, and SIGQUIT where the terminal must be given back.

use std::io;
use std::process::{Child, ExitStatus};
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Mutex, Once};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, getpgrp, kill_process, waitid};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use crate::store::changes::Cord;

/// The newest signal that came while anybody listened; 0 before there was one.
static CAME: AtomicI32 = AtomicI32::new(0);

static LISTENING: Once = Once::new();

/// What wakes the waiter that listens now.
static CORD: Mutex<Option<Cord>> = Mutex::new(None);

/// The command that runs on this process's behalf now; whatever asks this process to end asks it.
static CHILD: Mutex<Option<Pid>> = Mutex::new(None);

/// Whether somebody asked this process to end.
#[derive(Debug, Clone, Copy)]
pub struct Interrupt;

impl Interrupt {
    /// Listens from now on: the first signal wakes the waiter, a second one ends the process at once.
    /// Whoever waits after another takes its place, and hears of a signal that came before.
    pub fn listen(cord: Cord) -> Self {
        if let Ok(mut current) = CORD.lock() {
            *current = Some(cord);
        }
        LISTENING.call_once(|| {
            // A waiter that cannot listen is ended by a signal as every process is.
            if let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) {
                std::thread::spawn(move || signals.forever().for_each(hear));
            }
        });
        Self
    }

    /// Whether a signal came.
    pub fn asked(&self) -> bool {
        Self::came()
    }

    /// Whether a signal came while anybody listened.
    pub fn came() -> bool {
        CAME.load(Ordering::SeqCst) != 0
    }
}

fn hear(signal: i32) {
    let again = CAME.swap(signal, Ordering::SeqCst) != 0;
    if passed_on(signal) {
        return;
    }
    if again {
        end_at_once();
    }
    if let Ok(Some(cord)) = CORD.lock().as_deref() {
        cord.pull();
    }
}

/// Gives the terminal back before SIGQUIT ends the process as it always does.
pub fn give_back_before_quitting() -> std::io::Result<()> {
    let mut signals = Signals::new([SIGQUIT])?;
    std::thread::spawn(move || {
        for signal in signals.forever() {
            crate::terminal::give_back();
            let _ = emulate_default_handler(signal);
        }
    });
    Ok(())
}

/// Waits for a command to end. A signal is passed on to it instead of ending this process, which then still
/// says how the command ended.
pub fn see_through(child: &mut Child) -> io::Result<ExitStatus> {
    let pid = Pid::from_child(child);
    set_child(Some(pid));
    if Interrupt::came() {
        passed_on(CAME.load(Ordering::SeqCst));
    }
    // The command is not collected before nobody signals it any more: its number could be another's by then.
    while waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT)
        .is_err_and(|error| error == rustix::io::Errno::INTR)
    {}
    set_child(None);
    child.wait()
}

fn set_child(pid: Option<Pid>) {
    if let Ok(mut child) = CHILD.lock() {
        *child = pid;
    }
}

/// Passes a signal on to the command that runs. Says whether one does. What is typed at a terminal has reached
/// everything in its foreground already; whatever else ends a process was sent to this one alone.
fn passed_on(signal: i32) -> bool {
    let Ok(child) = CHILD.lock() else { return false };
    let Some(pid) = *child else { return false };
    let foreground = rustix::termios::tcgetpgrp(io::stderr()).is_ok_and(|group| group == getpgrp());
    if signal != SIGINT || !foreground {
        let _ = kill_process(pid, Signal::TERM);
    }
    true
}

/// What shells report for a process that SIGINT ended.
#[allow(clippy::exit, clippy::disallowed_methods, reason = "a second signal means now")]
fn end_at_once() {
    crate::terminal::give_back();
    std::process::exit(130);
}
