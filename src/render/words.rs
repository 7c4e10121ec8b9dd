//! Small words: counts, ages.

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

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn counts_and_ages_read_like_english() {
        assert_eq!(count(1, "message"), "1 message");
        assert_eq!(count(0, "message"), "0 messages");
        let now = Timestamp::from_millis(1_000_000);
        assert_eq!(ago(now, now), "just now");
        assert_eq!(ago(now, now + Duration::from_secs(180)), "3m ago");
        assert_eq!(ago(now + Duration::from_secs(60), now), "in 1m");
    }
}
