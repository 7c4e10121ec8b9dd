//! What the person at the board looks at: a pure function of keys.

mod draft;
mod panel;

use super::Board;
use crate::domain::message::{Message, MessageId};

pub use draft::Draft;
pub use panel::Panel;
use panel::Selection;

/// A key, as far as the board knows keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Key {
    Up,
    Down,
    Left,
    Right,
    Home,
    End,
    PageUp,
    PageDown,
    NextPanel,
    PreviousPanel,
    Enter,
    Escape,
    Backspace,
    Delete,
    /// Erases what stands before the cursor.
    EraseLine,
    /// Erases the word before the cursor.
    EraseWord,
    Interrupt,
    Letter(char),
    /// Text that was pasted, which is never a command.
    Paste(String),
    /// The screen changed its size.
    Resized,
}

/// A message that is open for reading.
#[derive(Debug, Clone, PartialEq)]
pub struct Open {
    pub message: Message,
    pub scrolled: u16,
    /// Whether it was noted that it was seen.
    pub is_noted: bool,
}

impl Open {
    /// A message that nobody has seen here yet.
    pub fn new(message: Message) -> Self {
        Self { message, scrolled: 0, is_noted: false }
    }
}

/// What somebody at the board wants done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wish {
    Nothing,
    Quit,
    Open(MessageId),
    Ack(MessageId),
    Reply(Draft),
    /// Give back the reservation with this id.
    Release(String),
    /// Look at the mail again: another part of it is shown.
    Look,
}

/// How far a page reaches.
const PAGE: i64 = 10;

/// Said to whoever wants to act without a name.
pub const READ_ONLY: &str = "read only: start with --agent NAME to answer";

/// What is looked at.
#[derive(Debug, Clone, PartialEq)]
pub struct View {
    pub panel: Panel,
    selections: [Selection; Panel::ALL.len()],
    pub open: Option<Open>,
    /// An answer in the making.
    pub reply: Option<Draft>,
    /// What was done last, or why it could not be done.
    pub notice: Option<String>,
    /// Only one's own mail is shown.
    pub mine: bool,
    /// The last key acknowledged something.
    has_just_acked: bool,
}

impl View {
    /// The first look at the board.
    pub fn new(mine: bool) -> Self {
        let selections = Default::default();
        Self {
            panel: Panel::Mail,
            selections,
            open: None,
            reply: None,
            notice: None,
            mine,
            has_just_acked: false,
        }
    }

    /// The selected row of a panel.
    pub fn row(&self, panel: Panel) -> usize {
        self.selections.get(panel.place()).map_or(0, |selection| selection.row)
    }

    /// Takes a key and says what it asks for, on the board that was seen when it was pressed.
    pub fn handle(&mut self, key: &Key, board: &Board) -> Wish {
        if *key == Key::Resized {
            return Wish::Nothing;
        }
        self.notice = None;
        let wish = match (key, self.reply.take()) {
            (Key::Interrupt, _) => Wish::Quit,
            (key, Some(draft)) => self.write(key, draft),
            (key, None) if self.open.is_some() => self.read(key, board),
            (key, None) => self.browse(key, board),
        };
        // The next message moves into the place of one that was acknowledged, and an ack is final: a key that is
        // held down must not go on.
        let is_ack = matches!(wish, Wish::Ack(_));
        if is_ack && std::mem::replace(&mut self.has_just_acked, is_ack) {
            self.say("an ack is final: press another key before the next one");
            return Wish::Nothing;
        }
        self.has_just_acked = is_ack;
        wish
    }

    /// An answer is being written.
    fn write(&mut self, key: &Key, mut draft: Draft) -> Wish {
        match key {
            Key::Enter if !draft.text().is_empty() => return Wish::Reply(draft),
            Key::Escape => {
                self.notice = Some("nothing was sent".to_owned());
                return Wish::Nothing;
            }
            key => draft.edit(key),
        }
        self.reply = Some(draft);
        Wish::Nothing
    }

    /// A message is open.
    fn read(&mut self, key: &Key, board: &Board) -> Wish {
        let Some(open) = &mut self.open else { return Wish::Nothing };
        let Message { message_id: id, from_agent: from, subject, .. } = &open.message;
        let id = id.clone();
        match key {
            Key::Up | Key::Letter('k') => open.scroll(-1),
            Key::Down | Key::Letter('j') => open.scroll(1),
            Key::PageUp => open.scroll(-PAGE),
            Key::PageDown | Key::Letter(' ') => open.scroll(PAGE),
            Key::Home => open.scrolled = 0,
            Key::End => open.scrolled = u16::MAX,
            Key::Letter('a' | 'r') if board.me.is_none() => self.say(READ_ONLY),
            Key::Letter('a') => return Wish::Ack(id),
            Key::Letter('r') => self.reply = Some(Draft::new(id, from.clone(), subject)),
            Key::Escape | Key::Enter | Key::Letter('q') => self.open = None,
            _ => {}
        }
        Wish::Nothing
    }

    /// The panels are looked at.
    fn browse(&mut self, key: &Key, board: &Board) -> Wish {
        match key {
            Key::Up | Key::Letter('k') => self.step(-1, board),
            Key::Down | Key::Letter('j') => self.step(1, board),
            Key::PageUp => self.step(-PAGE, board),
            Key::PageDown => self.step(PAGE, board),
            Key::Home => self.step(i64::MIN, board),
            Key::End => self.step(i64::MAX, board),
            Key::NextPanel | Key::Right | Key::Letter('l') => self.turn(board, 1),
            Key::PreviousPanel | Key::Left | Key::Letter('h') => self.turn(board, Panel::ALL.len() - 1),
            Key::Escape | Key::Letter('q') => return Wish::Quit,
            Key::Enter | Key::Letter('o') => match self.selected(board) {
                Some(Draft { id, .. }) => return Wish::Open(id),
                None => self.say("nothing to open here"),
            },
            Key::Letter(letter @ ('a' | 'r' | 'x' | 'm')) => return self.act(*letter, board),
            _ => {}
        }
        Wish::Nothing
    }

    /// Something is wanted that only somebody with a name can do.
    fn act(&mut self, letter: char, board: &Board) -> Wish {
        if board.me.is_none() {
            self.say(READ_ONLY);
            return Wish::Nothing;
        }
        match (letter, self.selected(board), self.held(board)) {
            ('m', ..) => {
                self.mine = !self.mine;
                return Wish::Look;
            }
            ('a', Some(Draft { id, .. }), _) => return Wish::Ack(id),
            ('a', None, _) => self.say("nothing to acknowledge here"),
            ('r', Some(draft), _) => self.reply = Some(draft),
            ('r', None, _) => self.say("nothing to answer here"),
            ('x', _, Some(id)) => return Wish::Release(id),
            _ => self.say("nothing to release here"),
        }
        Wish::Nothing
    }

    fn say(&mut self, notice: &str) {
        self.notice = Some(notice.to_owned());
    }

    /// An empty answer to the message that the selected row is about.
    fn selected(&self, board: &Board) -> Option<Draft> {
        let row = self.row(self.panel);
        match self.panel {
            Panel::Mail => {
                let Message { message_id, from_agent, subject, .. } = board.mail.get(row)?;
                Some(Draft::new(message_id.clone(), from_agent.clone(), subject))
            }
            Panel::Waits => {
                let pair = board.waits.get(row)?;
                Some(Draft::new(pair.message_id.clone(), pair.requester.clone(), &pair.operation))
            }
            Panel::Agents | Panel::Reservations | Panel::Events => None,
        }
    }

    /// The reservation that the selected row is about.
    fn held(&self, board: &Board) -> Option<String> {
        let row = self.row(Panel::Reservations);
        let here = (self.panel == Panel::Reservations).then(|| board.reservations.get(row))?;
        here.map(|held| held.reservation_id.clone())
    }

    fn step(&mut self, by: i64, board: &Board) {
        if let Some(selection) = self.selections.get_mut(self.panel.place()) {
            selection.step(by, self.panel, board);
        }
    }

    /// Moves on to the next panel that is shown.
    fn turn(&mut self, board: &Board, by: usize) {
        let all = Panel::ALL.len();
        for step in 1..=all {
            let place = (self.panel.place() + by * step) % all;
            if let Some(panel) = Panel::ALL.get(place).filter(|panel| panel.is_shown(board)) {
                self.panel = *panel;
                return;
            }
        }
    }

    /// Keeps the selection on what it is about, on a board that may have changed.
    pub fn fit(&mut self, board: &Board) {
        for (panel, selection) in Panel::ALL.iter().zip(&mut self.selections) {
            selection.fit(*panel, board);
        }
        if !self.panel.is_shown(board) {
            self.panel = Panel::Mail;
        }
    }

    /// Ends the page of an open message where the screen says that it ends.
    pub(super) fn end_page_at(&mut self, farthest: u16) {
        if let Some(open) = &mut self.open {
            open.scrolled = open.scrolled.min(farthest);
        }
    }
}

impl Open {
    fn scroll(&mut self, by: i64) {
        let moved = (i64::from(self.scrolled) + by).clamp(0, i64::from(u16::MAX));
        self.scrolled = u16::try_from(moved).unwrap_or(0);
    }
}

#[cfg(test)]
mod tests;
