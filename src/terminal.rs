//! The terminal as a whole screen: taken by one command, and given back on every way out.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use ratatui::crossterm::cursor::{Hide, Show};
use ratatui::crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use ratatui::crossterm::queue;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};

/// Whether this process has the screen.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// Takes the screen: keys come as they are pressed, pasted text comes as such, and what was shown before comes
/// back afterwards.
pub fn take() -> io::Result<()> {
    enable_raw_mode()?;
    TAKEN.store(true, Ordering::SeqCst);
    let mut stdout = io::stdout();
    queue!(stdout, EnterAlternateScreen, EnableBracketedPaste, Hide)?;
    stdout.flush()
}

/// Gives the screen back; does nothing when it was not taken, or was given back before.
pub fn give_back() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        let mut stdout = io::stdout();
        let _ = queue!(stdout, DisableBracketedPaste, LeaveAlternateScreen, Show);
        let _ = stdout.flush();
        let _ = disable_raw_mode();
    }
}
