//! The name of a task, as its delegator wrote it.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::domain::{Invalid, Rule};

/// The name of a task, for example `GH-42`: at most 100 bytes of printable text without spaces.
///
/// Letters and digits of any script and ASCII punctuation are allowed, except quotes, backticks,
/// `*`, `<` and `>`: those are what people and models put around a name, so a name that is found
/// in a text can be undressed without ever becoming another name. It neither begins nor ends
/// with a hyphen, which separates it from what follows. Names are compared as they are written.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
pub struct TaskId(String);

impl TaskId {
    /// The longest id, in bytes.
    pub const MAX_LENGTH: usize = 100;

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The id as one word of a command line; it never holds a quote itself.
    pub fn in_shell(&self) -> String {
        let plain = |c: char| c.is_alphanumeric() || "._/:@%+,=-".contains(c);
        if self.0.chars().all(plain) { self.0.clone() } else { format!("'{}'", self.0) }
    }

    /// Whether a text has the id as a word of its own; only its case may differ.
    pub fn is_named_in(&self, text: &str) -> bool {
        let around = |c: char| ".,;:!?()[]{}<>'\"`*".contains(c);
        text.split_whitespace().any(|word| word.trim_matches(around).eq_ignore_ascii_case(&self.0))
    }

    /// The GitHub issue that the name stands for: `GH-42` and `GH-42-login` are `#42`.
    pub fn github_issue(&self) -> Option<String> {
        let number = |digits: &str| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        if let Some((repository, digits)) = self.0.split_once('#') {
            return number(digits).then(|| format!("{repository}#{digits}"));
        }
        let (prefix, rest) = self.0.split_once('-')?;
        let digits = rest.split('-').next().unwrap_or(rest);
        (prefix.eq_ignore_ascii_case("gh") && number(digits)).then(|| format!("#{digits}"))
    }
}

fn is_allowed(c: char) -> bool {
    let dresses = matches!(c, '"' | '\'' | '`' | '*' | '<' | '>');
    c.is_alphanumeric() || (c.is_ascii_punctuation() && !dresses)
}

impl FromStr for TaskId {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        let length_fits = (1..=Self::MAX_LENGTH).contains(&text.len());
        let hyphen_outside = text.starts_with('-') || text.ends_with('-');
        if length_fits && !hyphen_outside && text.chars().all(is_allowed) {
            return Ok(Self(text.to_owned()));
        }
        Err(Invalid::new(Rule::Task, format!("`{text}` is not a task id")).hint(format!(
            "use 1 to {} characters without spaces, quotes, `*`, `<` or `>`, for example GH-42",
            Self::MAX_LENGTH
        )))
    }
}

impl TryFrom<String> for TaskId {
    type Error = Invalid;

    fn try_from(text: String) -> Result<Self, Invalid> {
        text.parse()
    }
}

impl From<TaskId> for String {
    fn from(id: TaskId) -> Self {
        id.0
    }
}

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_named_only_by_a_word_of_its_own() {
        let id: TaskId = "GH-7".parse().unwrap();
        for text in ["## Task: GH-7", "gh-7", "take `GH-7`, please", "(GH-7)."] {
            assert!(id.is_named_in(text), "{text}");
        }
        for text in ["GH-77", "GH-7-login", "XGH-7", ""] {
            assert!(!id.is_named_in(text), "{text}");
        }
    }

    #[test]
    fn ids_that_mean_something_to_a_shell_are_quoted() {
        for (id, word) in [("GH-42", "GH-42"), ("#42", "'#42'"), ("a$(x)b", "'a$(x)b'"), ("a;b", "'a;b'")] {
            assert_eq!(id.parse::<TaskId>().unwrap().in_shell(), word);
        }
    }

    #[test]
    fn ids_are_printable_without_spaces_and_without_what_dresses_a_name() {
        let longest = "x".repeat(100);
        for good in
            ["GH-42", "GH-4-xls-implementation", "#42", "org/repo#7", "bd-a1.2", "größe_1", "1", &longest]
        {
            assert_eq!(good.parse::<TaskId>().unwrap().as_str(), good);
        }
        let too_long = "ü".repeat(51);
        for bad in [
            "",
            " ",
            "GH 42",
            "GH-42\n",
            "-x",
            "x-",
            "`x`",
            "*x*",
            "<id>",
            "a\"b",
            "GH—42",
            "a\u{200b}b",
            &too_long,
        ] {
            assert_eq!(bad.parse::<TaskId>().unwrap_err().rule, Rule::Task, "{bad:?}");
        }
    }
}
