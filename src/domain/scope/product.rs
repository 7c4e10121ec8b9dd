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

/// Whether some path fits `a`, or lies below one that does, and likewise for `b`.
pub(super) fn paths_meet(a: &[Part], b: &[Part]) -> bool {
    walk(a, b, true)
}

/// Whether the path `names` fits `pattern`, or lies below one that does.
pub(super) fn holds_path(pattern: &[Part], names: &[Part]) -> bool {
    walk(pattern, names, false)
}

/// Whether some name fits both patterns.
pub(super) fn names_meet(a: &Name, b: &Name) -> bool {
    Table::default().names_meet(a, b)
}

fn walk(a: &[Part], b: &[Part], below_b: bool) -> bool {
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
                // Whatever the other still asks for lies below what is matched already.
                (None, _) => return true,
                (_, None) if below_b => return true,
                // A pattern does not end with `**`, so it still asks for a name.
                (_, None) => {}
                (Some(Part::Name(x)), Some(Part::Name(y))) => {
                    if characters.names_meet(x, y) {
                        reached.mark(i + 1, j + 1, NAME);
                    }
                }
                (Some(Part::Deep), _) | (_, Some(Part::Deep)) => {
                    reached.mark(i + 1, j, NAME);
                    reached.mark(i, j + 1, NAME);
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

    fn names_meet(&mut self, a: &Name, b: &Name) -> bool {
        if a.is_literal() && b.is_literal() {
            return a == b;
        }
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
