//! How long ago, in few characters.

use std::time::Duration;

/// A duration as `45s`, `3m`, `2h` or `5d`, rounded down.
pub fn short(duration: Duration) -> String {
    let seconds = duration.as_secs();
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3_600 => format!("{}m", seconds / 60),
        3_600..86_400 => format!("{}h", seconds / 3_600),
        _ => format!("{}d", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_take_the_largest_unit_that_fits() {
        for (seconds, text) in [
            (0, "0s"),
            (59, "59s"),
            (60, "1m"),
            (3_599, "59m"),
            (3_600, "1h"),
            (86_400, "1d"),
            (900_000, "10d"),
        ] {
            assert_eq!(short(Duration::from_secs(seconds)), text);
        }
    }
}
