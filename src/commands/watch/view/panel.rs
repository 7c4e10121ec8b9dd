//! The parts of the board, and the row that is selected in each.

use super::Board;
use crate::domain::agent::AgentId;
use crate::domain::message::MessageId;

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

    /// Whether there is anything to show: reservations appear when there are some.
    pub fn is_shown(self, board: &Board) -> bool {
        self != Self::Reservations || !board.reservations.is_empty()
    }

    pub(super) const fn place(self) -> usize {
        match self {
            Self::Mail => 0,
            Self::Waits => 1,
            Self::Agents => 2,
            Self::Reservations => 3,
            Self::Events => 4,
        }
    }

    /// What a row is about; it stays the same when other rows come and go.
    fn about(self, board: &Board, row: usize) -> Option<Subject> {
        Some(match self {
            Self::Mail => Subject::Message(board.mail.get(row)?.message_id.clone()),
            Self::Waits => {
                let pair = board.waits.get(row)?;
                Subject::Wait(pair.operation_id.clone(), pair.waits_for.clone())
            }
            Self::Agents => Subject::Agent(board.agents.get(row)?.agent.agent_id.clone()),
            Self::Reservations => Subject::Reservation(board.reservations.get(row)?.reservation_id.clone()),
            Self::Events => Subject::Event(board.events.get(row)?.event_id),
        })
    }
}

/// What a row is about.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Subject {
    Message(MessageId),
    Wait(String, AgentId),
    Agent(AgentId),
    Reservation(String),
    Event(i64),
}

/// The selected row of a panel. It is remembered by what it is about, so that no key acts on a neighbour that
/// has taken its place.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Selection {
    pub(super) row: usize,
    about: Option<Subject>,
}

impl Selection {
    /// Selects the row that is `by` further, and stops at the ends.
    pub(super) fn step(&mut self, by: i64, panel: Panel, board: &Board) {
        let last = i64::try_from(panel.rows(board)).unwrap_or(i64::MAX) - 1;
        let moved = i64::try_from(self.row).unwrap_or(0).saturating_add(by);
        self.row = usize::try_from(moved.clamp(0, last.max(0))).unwrap_or(0);
        self.about = panel.about(board, self.row);
    }

    /// Follows what is selected to its row on another board; where it is gone, the row stays.
    pub(super) fn fit(&mut self, panel: Panel, board: &Board) {
        let rows = panel.rows(board);
        // Whoever looks at the newest event wants to see the next one too.
        let follows_the_newest = panel == Panel::Events && self.row == 0;
        let is_it = |row: &usize| self.about.is_some() && panel.about(board, *row) == self.about;
        let found = (0..rows).find(is_it).filter(|_| !follows_the_newest);
        self.row = found.unwrap_or(self.row.min(rows.saturating_sub(1)));
        self.about = panel.about(board, self.row);
    }
}
