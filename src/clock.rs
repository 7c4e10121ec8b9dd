//! The only reader of time.

use std::cell::Cell;
use std::time::{Duration, SystemTime};

use rustix::time::{ClockId, clock_gettime};

use crate::domain::Timestamp;

/// Something a sleeper can be woken by before its time has come.
pub trait Waker {
    /// Sleeps for at most `limit`; returns early when something may have happened.
    fn sleep(&self, limit: Duration);
}

/// A reading of the clock that runs since the machine was started and that nobody sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Uptime {
    /// Names this run of the machine; another boot has another clock.
    pub boot: String,
    pub since_boot: Duration,
}

/// Tells the time and waits for it.
#[derive(Debug)]
pub enum Clock {
    /// Wall time at the start of the process plus what has passed since on a clock that nobody
    /// sets, so that a step of the system's time moves nothing within one command.
    System { wall: Timestamp, start: Duration },
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
                Self::System { wall: Timestamp::from_millis(millis), start: since_boot() }
            }
        }
    }

    /// The time now.
    pub fn now(&self) -> Timestamp {
        match self {
            Self::System { wall, start } => *wall + since_boot().saturating_sub(*start),
            Self::Fixed(at) => at.get(),
        }
    }

    /// How long the machine runs, where that can be told apart from its other runs.
    pub fn uptime(&self) -> Option<Uptime> {
        match self {
            Self::System { .. } => std::fs::read_to_string("/proc/sys/kernel/random/boot_id")
                .ok()
                .map(|boot| Uptime { boot: boot.trim().to_owned(), since_boot: since_boot() }),
            Self::Fixed(_) => None,
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

/// Time since the machine was started, including the time it slept.
fn since_boot() -> Duration {
    #[cfg(target_os = "linux")]
    let clock = ClockId::Boottime;
    #[cfg(not(target_os = "linux"))]
    let clock = ClockId::Monotonic;
    let read = clock_gettime(clock);
    Duration::new(u64::try_from(read.tv_sec).unwrap_or(0), u32::try_from(read.tv_nsec).unwrap_or(0))
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
