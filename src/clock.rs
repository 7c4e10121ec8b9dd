//! The only reader of time.

use std::cell::Cell;
use std::time::{Duration, Instant, SystemTime};

use crate::domain::Timestamp;

/// Something a sleeper can be woken by before its time has come.
pub trait Waker {
    /// Sleeps for at most `limit`; returns early when something may have happened.
    fn sleep(&self, limit: Duration);
}

/// Tells the time and waits for it.
#[derive(Debug)]
pub enum Clock {
    /// Wall time at the start plus monotonic time since, so that a step of the system's
    /// clock moves nothing within one command.
    System { wall: Timestamp, start: Instant },
    /// Stands still, and jumps to whatever is waited for.
    Fixed(Cell<Timestamp>),
}

impl Clock {
    /// The system's clock, or one fixed at the given time.
    #[allow(clippy::disallowed_methods, reason = "the one place where the time is read")]
    pub fn new(fixed: Option<Timestamp>) -> Self {
        match fixed {
            Some(at) => Self::Fixed(Cell::new(at)),
            None => {
                let since_epoch =
                    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
                let millis = i64::try_from(since_epoch.as_millis()).unwrap_or(i64::MAX);
                Self::System { wall: Timestamp::from_millis(millis), start: Instant::now() }
            }
        }
    }

    /// The time now.
    pub fn now(&self) -> Timestamp {
        match self {
            Self::System { wall, start } => *wall + start.elapsed(),
            Self::Fixed(at) => at.get(),
        }
    }

    /// Waits until `until`, or less long when the waker says so.
    pub fn wait_until(&self, until: Timestamp, waker: &dyn Waker) {
        match self {
            Self::System { .. } => {
                let left = until.since(self.now());
                if !left.is_zero() {
                    waker.sleep(left);
                }
            }
            Self::Fixed(at) => at.set(until.max(at.get())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct NeverAsked;

    impl Waker for NeverAsked {
        fn sleep(&self, _: Duration) {
            panic!("a fixed clock does not sleep");
        }
    }

    #[test]
    fn a_fixed_clock_jumps_and_never_goes_back() {
        let clock = Clock::new(Some(Timestamp::from_millis(1_000)));
        clock.wait_until(Timestamp::from_millis(31_000), &NeverAsked);
        assert_eq!(clock.now().millis(), 31_000);
        clock.wait_until(Timestamp::from_millis(0), &NeverAsked);
        assert_eq!(clock.now().millis(), 31_000);
    }

    #[test]
    fn the_system_clock_moves_on() {
        let clock = Clock::new(None);
        let before = clock.now();
        assert!(before.millis() > 1_700_000_000_000);
        assert!(clock.now() >= before);
    }
}
