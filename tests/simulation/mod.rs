//! Agents that do anything in any order, with the real commands on a real store, while the clock jumps to and fro
//! and drivers crash between transactions. Every promise is looked after at every step.

mod counts;
mod play;
mod promises;
mod steps;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

pub(crate) use counts::Counts;
use play::Play;

/// Steps in one store; then a new one is begun.
const STEPS: usize = 2_000;

/// Makes so many random steps, in as many stores as they need, and says what was done.
pub(crate) fn run(seed: u64, steps: usize) -> Counts {
    let (next, counts) = (AtomicUsize::new(0), Mutex::new(Counts::default()));
    let stores = steps.div_ceil(STEPS);
    let player = || {
        loop {
            let store = next.fetch_add(1, Ordering::Relaxed);
            if store >= stores {
                break;
            }
            let done = Play::of(seed.wrapping_add(store as u64), STEPS.min(steps - store * STEPS));
            counts.lock().unwrap().add(&done);
        }
    };
    let players = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        (0..players).for_each(|_| drop(scope.spawn(player)));
    });
    counts.into_inner().unwrap()
}
