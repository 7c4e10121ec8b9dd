//! How often what was done.

use std::collections::BTreeMap;
use std::fmt;

#[derive(Debug, Default)]
pub(crate) struct Counts {
    pub(crate) steps: usize,
    pub(crate) stores: usize,
    /// By name: commands, jumps and crashes, and what came of them.
    pub(crate) kinds: BTreeMap<String, usize>,
}

impl Counts {
    pub(crate) fn note(&mut self, kind: &str) {
        *self.kinds.entry(kind.to_owned()).or_default() += 1;
    }

    pub(crate) fn of(&self, kind: &str) -> usize {
        self.kinds.get(kind).copied().unwrap_or_default()
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.steps += other.steps;
        self.stores += other.stores;
        for (kind, count) in &other.kinds {
            *self.kinds.entry(kind.clone()).or_default() += count;
        }
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} steps in {} stores (", self.steps, self.stores)?;
        for (place, (kind, count)) in self.kinds.iter().enumerate() {
            write!(f, "{}{count} {kind}", if place == 0 { "" } else { ", " })?;
        }
        f.write_str(")")
    }
}
