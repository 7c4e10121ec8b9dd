//! The terminal that shows the board.

use std::io::{self, Stdout};
use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::thread;

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::{Paint, paint};
use crate::commands::watch::{Board, Key, Screen, View};
use crate::failure::{Code, Failure};
use crate::{interrupt, terminal};

/// The terminal of this process, taken as a whole and given back when dropped.
#[derive(Debug)]
pub(crate) struct TerminalScreen {
    terminal: Terminal<CrosstermBackend<Stdout>>,
    keys: Receiver<Key>,
    paint: Paint,
}

impl TerminalScreen {
    /// Takes the terminal. Keys are heard in a thread of their own, which wakes whoever waits.
    pub(crate) fn take(color: bool, wake: Box<dyn Fn() + Send>) -> io::Result<Self> {
        interrupt::give_back_before_quitting()?;
        terminal::take()?;
        let taken = Terminal::new(CrosstermBackend::new(io::stdout()));
        let (sender, keys) = mpsc::channel();
        thread::spawn(move || {
            while let Ok(event) = event::read() {
                if key(&event).is_some_and(|key| sender.send(key).is_err()) {
                    return;
                }
                wake();
            }
            drop(sender);
            wake();
        });
        let terminal = taken.inspect_err(|_| terminal::give_back())?;
        Ok(Self { terminal, keys, paint: Paint { color } })
    }
}

impl Screen for TerminalScreen {
    fn draw(&mut self, board: &Board, view: &View) -> Result<u16, Failure> {
        let mut farthest = 0;
        let drawn = self.terminal.draw(|frame| farthest = paint(frame, board, view, self.paint));
        drawn.map(|_| farthest).map_err(|error| {
            Failure::new(Code::IoWriteFailed, format!("cannot draw on the terminal: {error}"))
        })
    }

    fn keys(&mut self) -> Option<Vec<Key>> {
        let mut pressed = Vec::new();
        loop {
            match self.keys.try_recv() {
                Ok(key) => pressed.push(key),
                Err(TryRecvError::Empty) => return Some(pressed),
                Err(TryRecvError::Disconnected) => return (!pressed.is_empty()).then_some(pressed),
            }
        }
    }
}

impl Drop for TerminalScreen {
    fn drop(&mut self) {
        terminal::give_back();
    }
}

/// What an event of the terminal means to the board.
fn key(event: &Event) -> Option<Key> {
    match event {
        Event::Resize(..) => Some(Key::Resized),
        Event::Paste(text) => Some(Key::Paste(text.clone())),
        Event::Key(KeyEvent { kind: KeyEventKind::Release, .. }) => None,
        Event::Key(KeyEvent { code, modifiers, .. }) => pressed(*code, *modifiers),
        _ => None,
    }
}

fn pressed(code: KeyCode, modifiers: KeyModifiers) -> Option<Key> {
    let with_control = modifiers.contains(KeyModifiers::CONTROL);
    Some(match code {
        KeyCode::Char('c' | 'd') if with_control => Key::Interrupt,
        KeyCode::Char('u') if with_control => Key::EraseLine,
        KeyCode::Char('w') if with_control => Key::EraseWord,
        KeyCode::Char('h') if with_control => Key::Backspace,
        KeyCode::Char(_) if with_control || modifiers.contains(KeyModifiers::ALT) => return None,
        KeyCode::Char(letter) => Key::Letter(letter),
        KeyCode::Up => Key::Up,
        KeyCode::Down => Key::Down,
        KeyCode::PageUp => Key::PageUp,
        KeyCode::PageDown => Key::PageDown,
        KeyCode::Left => Key::Left,
        KeyCode::Right => Key::Right,
        KeyCode::Home => Key::Home,
        KeyCode::End => Key::End,
        KeyCode::Delete => Key::Delete,
        KeyCode::Tab => Key::NextPanel,
        KeyCode::BackTab => Key::PreviousPanel,
        KeyCode::Enter => Key::Enter,
        KeyCode::Esc => Key::Escape,
        KeyCode::Backspace => Key::Backspace,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_mean_what_people_expect() {
        let press = |code, modifiers| key(&Event::Key(KeyEvent::new(code, modifiers)));
        assert_eq!(press(KeyCode::Char('c'), KeyModifiers::CONTROL), Some(Key::Interrupt));
        assert_eq!(press(KeyCode::Char('c'), KeyModifiers::NONE), Some(Key::Letter('c')));
        assert_eq!(press(KeyCode::Char('x'), KeyModifiers::CONTROL), None);
        assert_eq!(press(KeyCode::Char('u'), KeyModifiers::CONTROL), Some(Key::EraseLine));
        assert_eq!(press(KeyCode::Char('a'), KeyModifiers::ALT), None, "Esc and a letter in haste");
        assert_eq!(key(&Event::Paste("q\n".to_owned())), Some(Key::Paste("q\n".to_owned())));
        assert_eq!(press(KeyCode::BackTab, KeyModifiers::SHIFT), Some(Key::PreviousPanel));
        assert_eq!(key(&Event::Resize(80, 24)), Some(Key::Resized));
        assert_eq!(press(KeyCode::F(1), KeyModifiers::NONE), None);
    }
}
