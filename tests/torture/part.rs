//! A part of the torture: alone on the machine, with a seed, and with one line of what it did.

use std::io::Write;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Instant, SystemTime};

use crate::common::scattered;

/// Held by the part that runs.
static ALONE: Mutex<()> = Mutex::new(());

pub(crate) struct Part {
    name: &'static str,
    pub(crate) seed: u64,
    began: Instant,
    _alone: MutexGuard<'static, ()>,
}

impl Part {
    /// Waits until no other part runs, and says with which seed this one does.
    pub(crate) fn begin(name: &'static str) -> Self {
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let seed = given("TORTURE_SEED").unwrap_or_else(|| {
            SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_micros() as u64
        });
        let part = Self { name, seed, began: Instant::now(), _alone: alone };
        part.tell(&format!("begins with TORTURE_SEED={seed}"));
        part
    }

    /// How often, how many: what a variable says, or what is usual.
    pub(crate) fn number(&self, variable: &str, usual: usize) -> usize {
        given(variable).unwrap_or(usual)
    }

    /// Numbers that are the same for the same seed, another sequence for each `purpose`.
    pub(crate) fn chances(&self, purpose: usize) -> impl Iterator<Item = usize> + use<> {
        scattered(self.seed.wrapping_add((purpose as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)))
    }

    /// Says what was done, past the capture that hides what passing tests print.
    pub(crate) fn did(&self, what: &str) {
        self.tell(&format!("{what}; {:.1} s, seed {}", self.began.elapsed().as_secs_f64(), self.seed));
    }

    /// Says what was done, and insists that nothing was wrong with it.
    pub(crate) fn found(&self, what: &str, violations: &[String]) {
        self.did(&format!("{what}, {} violations", violations.len()));
        assert!(violations.is_empty(), "{}", violations.join("\n\n"));
    }

    fn tell(&self, what: &str) {
        let _ = writeln!(std::io::stderr(), "\ntorture: {}: {what}", self.name);
    }
}

fn given<T: std::str::FromStr>(variable: &str) -> Option<T> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable} is not a number: `{text}`")))
}
