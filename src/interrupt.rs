//! Asking a waiting command to end: SIGINT, SIGTERM, SIGHUP, and SIGQUIT where the terminal must be given back.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::SIGQUIT;
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use crate::store::changes::Cord;

static ASKED: AtomicBool = AtomicBool::new(false);

/// What wakes the waiter that listens now.
static CORD: Mutex<Option<Cord>> = Mutex::new(None);

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
        // Fails only when the handler is installed already.
        let _ = ctrlc::set_handler(|| {
            if ASKED.swap(true, Ordering::SeqCst) {
                end_at_once();
            }
            if let Ok(Some(cord)) = CORD.lock().as_deref() {
                cord.pull();
            }
        });
        Self
    }

    /// Whether a signal came.
    pub fn asked(&self) -> bool {
        ASKED.load(Ordering::SeqCst)
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

/// What shells report for a process that SIGINT ended.
#[allow(clippy::exit, clippy::disallowed_methods, reason = "a second signal means now")]
fn end_at_once() {
    crate::terminal::give_back();
    std::process::exit(130);
}
