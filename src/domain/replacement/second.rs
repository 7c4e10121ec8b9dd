//! Instants as the state and the audit log write them.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::domain::{Invalid, Timestamp};

/// A whole second in UTC, written `2026-01-31T14:30:00Z`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct Second(Timestamp);

impl From<Timestamp> for Second {
    fn from(at: Timestamp) -> Self {
        Self(Timestamp::from_millis(at.millis() - at.millis().rem_euclid(1_000)))
    }
}

impl TryFrom<String> for Second {
    type Error = Invalid;

    fn try_from(text: String) -> Result<Self, Invalid> {
        text.parse::<Timestamp>().map(Self::from)
    }
}

impl From<Second> for String {
    fn from(second: Second) -> Self {
        second.to_string()
    }
}

impl fmt::Display for Second {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0.format("%Y-%m-%dT%H:%M:%SZ"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// C33
    #[test]
    fn seconds_are_written_in_utc_without_fractions() {
        let at: Timestamp = "2026-01-31T15:30:00.999+01:00".parse().unwrap();
        assert_eq!(Second::from(at).to_string(), "2026-01-31T14:30:00Z");
        let json = serde_json::to_string(&Second::from(at)).unwrap();
        assert_eq!(json, "\"2026-01-31T14:30:00Z\"");
        assert_eq!(serde_json::from_str::<Second>(&json).unwrap(), Second::from(at));
        assert_eq!(Second::from(Timestamp::from_millis(-1)).to_string(), "1969-12-31T23:59:59Z");
    }
}
