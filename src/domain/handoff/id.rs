//! The name of a handoff.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::domain::{Invalid, Rule};

/// The name of a handoff, given from outside: 1 to 100 letters, digits and `_-.:`.
///
/// Nothing in it means anything to a shell, so it stands in command lines as it is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
pub struct HandoffId(String);

impl HandoffId {
    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for HandoffId {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        let plain = |b: u8| b.is_ascii_alphanumeric() || b"_-.:".contains(&b);
        if (1..=100).contains(&text.len()) && !text.starts_with('-') && text.bytes().all(plain) {
            return Ok(Self(text.to_owned()));
        }
        Err(Invalid::new(Rule::Handoff, format!("`{text}` is not a handoff id"))
            .hint("copy the id from the answer to `bb agent handoff`"))
    }
}

impl TryFrom<String> for HandoffId {
    type Error = Invalid;

    fn try_from(text: String) -> Result<Self, Invalid> {
        text.parse()
    }
}

impl From<HandoffId> for String {
    fn from(id: HandoffId) -> Self {
        id.0
    }
}

impl fmt::Display for HandoffId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_hold_nothing_that_a_shell_or_a_flag_would_take_for_its_own() {
        for good in ["handoff-uuid-123", "handoff_20260131_143000_k3v9x2m7qp", "7"] {
            assert_eq!(good.parse::<HandoffId>().unwrap().as_str(), good);
        }
        for bad in ["", " ", "-x", "a b", "$(x)", "a/b", "ü", &"x".repeat(101)] {
            assert_eq!(bad.parse::<HandoffId>().unwrap_err().rule, Rule::Handoff, "{bad:?}");
        }
    }
}
