//! Asking a waiting command to end: SIGINT, SIGTERM, SIGHUP.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::store::changes::Cord;

/// Whether somebody asked this process to end.
#[derive(Debug, Clone)]
pub struct Interrupt {
    asked: Arc<AtomicBool>,
}

impl Interrupt {
    /// Listens from now on: the first signal wakes the waiter, a second one ends the process at once.
    pub fn listen(cord: Cord) -> Self {
        let asked = Arc::new(AtomicBool::new(false));
        let heard = Arc::clone(&asked);
        // Fails only when a handler is installed already, and then that one listens.
        let _ = ctrlc::set_handler(move || {
            if heard.swap(true, Ordering::SeqCst) {
                end_at_once();
            }
            cord.pull();
        });
        Self { asked }
    }

    /// Whether a signal came.
    pub fn asked(&self) -> bool {
        self.asked.load(Ordering::SeqCst)
    }
}

/// What shells report for a process that SIGINT ended.
#[allow(clippy::exit, clippy::disallowed_methods, reason = "a second signal means now")]
fn end_at_once() {
    std::process::exit(130);
}
