//! Whether two patterns have something in common, by walking both at once.
//!
//! Every edge of either pattern leads forward, so one pass over the table of all pairs of
//! places is enough: the work is bounded by the product of the two lengths, for the names in a
//! path as for the characters in a name.

use super::Part;
use super::characters::Shared;
use super::name::{Name, Node};

/// How far from nothing what was read of a name is: nothing, `.`, `..`, and then something that
/// can be the name of a file. Whatever may follow a lower one may follow a higher one, so only the
/// highest that is possible counts.
const UNREACHED: u8 = 0;
const NOTHING: u8 = 1;
const NAME: u8 = 4;

/// A pattern of paths, and whether what lies below a path that fits it belongs to it too.
#[derive(Clone, Copy)]
pub(super) struct Side<'a> {
    pub(super) parts: &'a [Part],
    pub(super) below: bool,
}

/// Whether some name fits both patterns.
pub(super) fn names_meet(a: &Name, b: &Name) -> bool {
    Table::default().names_meet(a, b)
}

/// Whether some path belongs to both.
pub(super) fn meet(first: Side<'_>, second: Side<'_>) -> bool {
    let (mut a, mut b) = (first.parts, second.parts);
    // Where both begin with plain names there is only one way, and most pairs part on it.
    while let ([Part::Exactly(x), after_x @ ..], [Part::Exactly(y), after_y @ ..]) = (a, b) {
        if x != y {
            return false;
        }
        (a, b) = (after_x, after_y);
    }
    let mut characters = Table::default();
    let mut reached = Table::default();
    reached.clear(a.len(), b.len());
    reached.mark(0, 0, NAME);
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            if reached.at(i, j) == UNREACHED {
                continue;
            }
            match (a.get(i), b.get(j)) {
                (None, None) => return true,
                // Whatever the other still asks for lies below what is matched already. It does ask for
                // something: a pattern does not end with `**`.
                (None, Some(_)) if first.below => return true,
                (Some(_), None) if second.below => return true,
                (None, _) | (_, None) => {}
                (Some(Part::Deep), _) | (_, Some(Part::Deep)) => {
                    reached.mark(i + 1, j, NAME);
                    reached.mark(i, j + 1, NAME);
                }
                (Some(x), Some(y)) => {
                    if characters.parts_meet(x, y) {
                        reached.mark(i + 1, j + 1, NAME);
                    }
                }
            }
        }
    }
    false
}

/// What is known about every pair of places in two patterns.
#[derive(Default)]
struct Table {
    width: usize,
    cells: Vec<u8>,
}

impl Table {
    fn clear(&mut self, last_row: usize, last_column: usize) {
        self.width = last_column + 1;
        self.cells.clear();
        self.cells.resize((last_row + 1) * self.width, UNREACHED);
    }

    fn at(&self, row: usize, column: usize) -> u8 {
        self.cells.get(row * self.width + column).copied().unwrap_or(UNREACHED)
    }

    fn mark(&mut self, row: usize, column: usize, read: u8) {
        if let Some(cell) = self.cells.get_mut(row * self.width + column) {
            *cell = read.max(*cell);
        }
    }

    fn parts_meet(&mut self, a: &Part, b: &Part) -> bool {
        match (a, b) {
            (Part::Deep, _) | (_, Part::Deep) => true,
            (Part::Exactly(x), Part::Exactly(y)) => x == y,
            (Part::Exactly(x), Part::Name(y)) | (Part::Name(y), Part::Exactly(x)) => {
                self.names_meet(&Name::literal(x), y)
            }
            (Part::Name(x), Part::Name(y)) => self.names_meet(x, y),
        }
    }

    fn names_meet(&mut self, a: &Name, b: &Name) -> bool {
        let (rows, columns) = (a.nodes.len(), b.nodes.len());
        self.clear(rows, columns);
        self.mark(0, 0, NOTHING);
        for i in 0..=rows {
            for j in 0..=columns {
                let here = self.at(i, j);
                if here != UNREACHED {
                    self.step(here, (i, a.nodes.get(i)), (j, b.nodes.get(j)));
                }
            }
        }
        self.at(rows, columns) == NAME
    }

    /// Carries `here`, what can have been read at the places `i` and `j`, on to the places after them.
    fn step(&mut self, here: u8, (i, a): (usize, Option<&Node>), (j, b): (usize, Option<&Node>)) {
        match (a, b) {
            (Some(Node::Fork(beginnings)), _) => beginnings.iter().for_each(|&to| self.mark(to, j, here)),
            (Some(Node::Jump(to)), _) => self.mark(*to, j, here),
            (_, Some(Node::Fork(beginnings))) => beginnings.iter().for_each(|&to| self.mark(i, to, here)),
            (_, Some(Node::Jump(to))) => self.mark(i, *to, here),
            (Some(Node::Many), Some(Node::Many)) => {
                self.mark(i + 1, j, NAME);
                self.mark(i, j + 1, NAME);
            }
            (Some(Node::One(x)), Some(Node::One(y))) => self.mark(i + 1, j + 1, after(here, x.shared(y))),
            (Some(Node::Many), Some(Node::One(one))) => {
                self.mark(i + 1, j, here);
                self.mark(i, j + 1, after(here, one.shared_with_all()));
            }
            (Some(Node::One(one)), Some(Node::Many)) => {
                self.mark(i, j + 1, here);
                self.mark(i + 1, j, after(here, one.shared_with_all()));
            }
            (Some(Node::Many), None) => self.mark(i + 1, j, here),
            (None, Some(Node::Many)) => self.mark(i, j + 1, here),
            (None | Some(Node::One(_)), None) | (None, Some(Node::One(_))) => {}
        }
    }
}

/// What can have been read after one more of the characters both places share.
const fn after(here: u8, shared: Shared) -> u8 {
    match shared {
        Shared { other: true, .. } => NAME,
        Shared { dot: true, .. } if here < NAME => here + 1,
        Shared { dot: true, .. } => NAME,
        Shared { .. } => UNREACHED,
    }
}
