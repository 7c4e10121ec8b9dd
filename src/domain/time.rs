//! Instants as they are stored, compared and printed.

use std::fmt;
use std::ops::{Add, Sub};
use std::str::FromStr;
use std::time::Duration;

use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Invalid, Rule};

/// Milliseconds since the Unix epoch, in UTC.
///
/// Deadlines are stored and shared between processes, so an instant is a plain number;
/// the calendar appears only when one is printed or parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The instant `millis` milliseconds after the epoch.
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Milliseconds since the epoch.
    pub const fn millis(self) -> i64 {
        self.0
    }

    /// Time passed since `earlier`; zero when `earlier` lies in the future.
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_millis(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }

    /// The instant in a `chrono` format, in UTC.
    pub fn format(self, pattern: &str) -> String {
        self.calendar().format(pattern).to_string()
    }

    fn calendar(self) -> DateTime<Utc> {
        DateTime::from_timestamp_millis(self.0).unwrap_or_default()
    }
}

fn millis_of(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

impl Add<Duration> for Timestamp {
    type Output = Self;

    fn add(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(millis_of(duration)))
    }
}

impl Sub<Duration> for Timestamp {
    type Output = Self;

    fn sub(self, duration: Duration) -> Self {
        Self(self.0.saturating_sub(millis_of(duration)))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.calendar().to_rfc3339_opts(SecondsFormat::Millis, true))
    }
}

impl FromStr for Timestamp {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        DateTime::parse_from_rfc3339(text.trim()).map(|parsed| Self(parsed.timestamp_millis())).map_err(
            |_| {
                Invalid::new(Rule::Time, format!("`{text}` is not a time"))
                    .hint("write it as RFC 3339, for example 2026-03-04T00:11:22Z")
            },
        )
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_utc_with_milliseconds_and_z() {
        assert_eq!(Timestamp::from_millis(1_772_583_082_005).to_string(), "2026-03-04T00:11:22.005Z");
    }

    #[test]
    fn parses_what_it_prints_and_other_offsets() {
        let at: Timestamp = "2026-03-04T00:11:22.005Z".parse().unwrap();
        assert_eq!(at.millis(), 1_772_583_082_005);
        assert_eq!("2026-03-04T01:11:22.005+01:00".parse::<Timestamp>().unwrap(), at);
        assert!("yesterday".parse::<Timestamp>().is_err());
    }

    #[test]
    fn time_since_a_later_instant_is_zero() {
        let at = Timestamp::from_millis(1_000);
        assert_eq!(at.since(at + Duration::from_secs(1)), Duration::ZERO);
        assert_eq!((at + Duration::from_secs(1)).since(at), Duration::from_secs(1));
    }
}
