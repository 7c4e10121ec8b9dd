//! What the person at the board looks at: a pure function of keys.

use super::Board;
use crate::domain::message::{Message, MessageId};

/// A key, as far as the board knows keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    Up,
    Down,
    PageUp,
    PageDown,
    NextPanel,
    PreviousPanel,
    Enter,
    Escape,
    Backspace,
    Interrupt,
    Letter(char),
    /// The screen changed its size.
    Resized,
}

/// A part of the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Panel {
    Mail,
    Waits,
    Agents,
    Reservations,
    Events,
}

impl Panel {
    pub const ALL: [Self; 5] = [Self::Mail, Self::Waits, Self::Agents, Self::Reservations, Self::Events];

    /// How many rows it has.
    pub fn rows(self, board: &Board) -> usize {
        match self {
            Self::Mail => board.mail.len(),
            Self::Waits => board.waits.len(),
            Self::Agents => board.agents.len(),
            Self::Reservations => board.reservations.len(),
            Self::Events => board.events.len(),
        }
    }

    const fn place(self) -> usize {
        match self {
            Self::Mail => 0,
            Self::Waits => 1,
            Self::Agents => 2,
            Self::Reservations => 3,
            Self::Events => 4,
        }
    }
}

/// A message that is open for reading.
#[derive(Debug, Clone, PartialEq)]
pub struct Open {
    pub message: Message,
    pub scrolled: u16,
}

/// What somebody at the board wants done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wish {
    Nothing,
    Quit,
    Open(MessageId),
    Ack(MessageId),
    Reply(MessageId, String),
    /// Give back the reservation with this id.
    Release(String),
    /// Look at the mail again: another part of it is shown.
    Look,
}

/// How far a page reaches.
const PAGE: usize = 10;

/// What is looked at.
#[derive(Debug, Clone, PartialEq)]
pub struct View {
    pub panel: Panel,
    rows: [usize; Panel::ALL.len()],
    pub open: Option<Open>,
    /// An answer in the making.
    pub reply: Option<(MessageId, String)>,
    /// What was done last, or why it could not be done.
    pub notice: Option<String>,
    /// Only one's own mail is shown.
    pub mine: bool,
}

impl View {
    /// The first look at the board.
    pub fn new(mine: bool) -> Self {
        Self { panel: Panel::Mail, rows: [0; Panel::ALL.len()], open: None, reply: None, notice: None, mine }
    }

    /// The selected row of a panel.
    pub fn row(&self, panel: Panel) -> usize {
        self.rows.get(panel.place()).copied().unwrap_or(0)
    }

    /// Takes a key and says what it asks for.
    pub fn handle(&mut self, key: Key, board: &Board) -> Wish {
        if key == Key::Resized {
            return Wish::Nothing;
        }
        self.notice = None;
        match (key, self.reply.take()) {
            (Key::Interrupt, _) => Wish::Quit,
            (key, Some((id, text))) => self.write(key, id, text),
            (key, None) if self.open.is_some() => self.read(key),
            (key, None) => self.browse(key, board),
        }
    }

    /// An answer is being written.
    fn write(&mut self, key: Key, id: MessageId, mut text: String) -> Wish {
        match key {
            Key::Letter(letter) => text.push(letter),
            Key::Backspace => {
                text.pop();
            }
            Key::Enter if !text.trim().is_empty() => return Wish::Reply(id, text.trim().to_owned()),
            Key::Escape => {
                self.notice = Some("nothing was sent".to_owned());
                return Wish::Nothing;
            }
            _ => {}
        }
        self.reply = Some((id, text));
        Wish::Nothing
    }

    /// A message is open.
    fn read(&mut self, key: Key) -> Wish {
        let Some(open) = &mut self.open else { return Wish::Nothing };
        let id = open.message.message_id.clone();
        let step =
            |scrolled: u16, by: i32| u16::try_from((i32::from(scrolled) + by).max(0)).unwrap_or(scrolled);
        let page = i32::try_from(PAGE).unwrap_or(1);
        match key {
            Key::Up | Key::Letter('k') => open.scrolled = step(open.scrolled, -1),
            Key::Down | Key::Letter('j') => open.scrolled = step(open.scrolled, 1),
            Key::PageUp => open.scrolled = step(open.scrolled, -page),
            Key::PageDown | Key::Letter(' ') => open.scrolled = step(open.scrolled, page),
            Key::Letter('a') => return Wish::Ack(id),
            Key::Letter('r') => self.reply = Some((id, String::new())),
            Key::Escape | Key::Enter | Key::Letter('q') => self.open = None,
            _ => {}
        }
        Wish::Nothing
    }

    /// The panels are looked at.
    fn browse(&mut self, key: Key, board: &Board) -> Wish {
        match key {
            Key::Up | Key::Letter('k') => self.step(-1, board),
            Key::Down | Key::Letter('j') => self.step(1, board),
            Key::PageUp => self.step(-i64::try_from(PAGE).unwrap_or(1), board),
            Key::PageDown => self.step(i64::try_from(PAGE).unwrap_or(1), board),
            Key::NextPanel | Key::Letter('l') => self.turn(board, 1),
            Key::PreviousPanel | Key::Letter('h') => self.turn(board, Panel::ALL.len() - 1),
            Key::Escape | Key::Letter('q') => return Wish::Quit,
            Key::Letter('m') if board.me.is_some() => {
                self.mine = !self.mine;
                return Wish::Look;
            }
            Key::Enter | Key::Letter('o') => return self.selected(board).map_or(Wish::Nothing, Wish::Open),
            Key::Letter('a') => return self.selected(board).map_or(Wish::Nothing, Wish::Ack),
            Key::Letter('r') => self.reply = self.selected(board).map(|id| (id, String::new())),
            Key::Letter('x') => return self.held(board).map_or(Wish::Nothing, Wish::Release),
            _ => {}
        }
        Wish::Nothing
    }

    /// The message that the selected row is about.
    fn selected(&self, board: &Board) -> Option<MessageId> {
        let row = self.row(self.panel);
        match self.panel {
            Panel::Mail => board.mail.get(row).map(|message| message.message_id.clone()),
            Panel::Waits => board.waits.get(row).map(|pair| pair.message_id.clone()),
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
        let last = i64::try_from(self.panel.rows(board)).unwrap_or(i64::MAX) - 1;
        if let Some(row) = self.rows.get_mut(self.panel.place()) {
            let moved = i64::try_from(*row).unwrap_or(0) + by;
            *row = usize::try_from(moved.clamp(0, last.max(0))).unwrap_or(0);
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

    /// Keeps the selection on rows that exist.
    pub fn fit(&mut self, board: &Board) {
        for panel in Panel::ALL {
            let last = panel.rows(board).saturating_sub(1);
            if let Some(row) = self.rows.get_mut(panel.place()) {
                *row = (*row).min(last);
            }
        }
        if !self.panel.is_shown(board) {
            self.panel = Panel::Mail;
        }
    }
}

impl Panel {
    /// Whether there is anything to show: reservations appear when there are some.
    pub fn is_shown(self, board: &Board) -> bool {
        self != Self::Reservations || !board.reservations.is_empty()
    }
}

#[cfg(test)]
mod tests;
