//! Small words: counts, ages.

use std::time::Duration;

use crate::domain::{Timestamp, age};

/// `1 message`, `3 messages`.
pub(super) fn count(number: usize, one: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {one}s") }
}

/// `3m ago`, `just now`, or `in 2m`.
pub(super) fn ago(at: Timestamp, now: Timestamp) -> String {
    if at > now {
        return format!("in {}", age::short(at.since(now)));
    }
    let passed = now.since(at);
    if passed.as_secs() == 0 { "just now".to_owned() } else { format!("{} ago", age::short(passed)) }
}

/// `95 s`, `1h59m`, or that the time is up and nobody has looked since.
pub(super) fn seconds_left(seconds: u64) -> String {
    match seconds {
        0 => "overdue".to_owned(),
        1..120 => format!("{seconds} s"),
        _ => left(Duration::from_secs(seconds)),
    }
}

/// The same in a sentence: `95 s left`, or `overdue`.
pub(super) fn time_left(seconds: u64) -> String {
    if seconds == 0 { seconds_left(seconds) } else { format!("{} left", seconds_left(seconds)) }
}

/// `2h`, `1h59m`, `4m`, `30s`: what is left of some time.
pub(super) fn left(duration: Duration) -> String {
    let minutes = duration.as_secs() / 60;
    match (minutes / 60, minutes % 60) {
        (0, _) | (_, 0) => age::short(duration),
        (hours @ 0..24, minutes) => format!("{hours}h{minutes}m"),
        _ => age::short(duration),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_ages_read_like_english() {
        assert_eq!(count(1, "message"), "1 message");
        assert_eq!(count(0, "message"), "0 messages");
        let now = Timestamp::from_millis(1_000_000);
        assert_eq!(ago(now, now), "just now");
        assert_eq!(ago(now, now + Duration::from_secs(180)), "3m ago");
        assert_eq!(ago(now + Duration::from_secs(60), now), "in 1m");
        for (minutes, text) in [(120, "2h"), (119, "1h59m"), (4, "4m"), (1440, "1d"), (1441, "1d")] {
            assert_eq!(left(Duration::from_secs(minutes * 60)), text);
        }
        for (seconds, text) in [(0, "overdue"), (119, "119 s left"), (120, "2m left"), (7_199, "1h59m left")]
        {
            assert_eq!(time_left(seconds), text);
        }
    }
}
