//! Durations as people type them.

use std::time::Duration;

use super::{Invalid, Rule};

/// Parses seconds (`90`) or a number with a unit (`90s`, `2m`, `1h`, `7d`).
pub fn seconds(text: &str) -> Result<Duration, Invalid> {
    parse(text, 1)
}

/// Parses minutes (`120`) or a number with a unit (`90s`, `2h`).
pub fn minutes(text: &str) -> Result<Duration, Invalid> {
    parse(text, 60)
}

fn parse(text: &str, bare_unit: u64) -> Result<Duration, Invalid> {
    let text = text.trim();
    let parsed = match text.parse::<u64>() {
        Ok(number) => number.checked_mul(bare_unit).map(Duration::from_secs),
        Err(_) => humantime::parse_duration(text).ok(),
    };
    // A century bounds every sum of a time and a duration.
    parsed.filter(|it| it.as_secs() <= 100 * 365 * 86_400).ok_or_else(|| {
        Invalid::new(Rule::Duration, format!("`{text}` is not a duration"))
            .hint("write seconds or a unit: 90, 90s, 2m, 1h, 7d")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bare_numbers_take_the_unit_of_their_flag() {
        assert_eq!(seconds("90").unwrap(), Duration::from_secs(90));
        assert_eq!(minutes("2").unwrap(), Duration::from_secs(120));
    }

    #[test]
    fn units_mean_the_same_everywhere() {
        for parse in [seconds, minutes] {
            assert_eq!(parse("90s").unwrap(), Duration::from_secs(90));
            assert_eq!(parse("2m").unwrap(), Duration::from_secs(120));
            assert_eq!(parse("1h").unwrap(), Duration::from_secs(3600));
            assert_eq!(parse("7d").unwrap(), Duration::from_secs(7 * 86_400));
        }
    }

    #[test]
    fn refuses_what_is_no_duration() {
        for text in ["", "soon", "-5", "1.5", "99999999999999999999", "99999999999999999"] {
            assert!(seconds(text).is_err(), "{text:?}");
        }
    }
}
