//! What a reservation covers, and whether two of them get in each other's way.
//!
//! A scope is a path (`src/main.rs`, `src/`), a glob (`src/**/*.rs`) or a named surface
//! (`db:schema`), relative to the project and sensitive to case. It covers every path that fits
//! it and everything below such a path, so `src` covers `src/main.rs`. Where what fits it is known to
//! be files ([`Scope::of_files`]), there is nothing below: `**/*.rs` and `**/*.md` then have nothing in
//! common, although a folder could be called `notes.md` and hold `main.rs`.
//!
//! | written | stands for |
//! |---|---|
//! | `.` | the whole project |
//! | `?` | one character, never `/` |
//! | `*` | any number of characters, never `/` |
//! | `**` as a whole part of the path | any number of whole parts, none included |
//! | `a**b` | the same as `a*b` |
//! | `[abc]` `[a-z]` `[!x]` `[^x]` | one character of the class, or none of it, never `/` |
//! | `{one,other}` | either; nested ones and empty ones too, but no `/` within |
//! | `\*` | the character itself, for any of `*?[]{},!^-\` |
//!
//! Whether two scopes overlap is decided exactly: they do if and only if some path belongs to
//! both. No part of a path is empty, `.` or `..`, so `.*` and `?` have nothing in common.
//!
//! ```
//! use bb_agent::domain::scope::{Overlap, Scope, overlap};
//!
//! for (a, b, expected) in [
//!     ("src/main.rs",   "./src//main.rs",   Overlap::Exact),
//!     ("src/",          "src/**",           Overlap::Exact),
//!     (".",             "**",               Overlap::Exact),
//!     ("src",           "src/main.rs",      Overlap::Partial),
//!     (".",             "db:schema",        Overlap::Partial),
//!     ("src/**/*.rs",   "src/main.rs",      Overlap::Partial),
//!     ("src/**/*.rs",   "src/a/b",          Overlap::Partial),
//!     ("src/*.rs",      "src/*_test.*",     Overlap::Partial),
//!     ("**/mod.rs",     "src/{cli,store}",  Overlap::Partial),
//!     ("src/*.rs",      "src/*.md",         Overlap::Disjoint),
//!     ("src/[a-m]*",    "src/[!a-m]*",      Overlap::Disjoint),
//!     ("src/main",      "src/main.rs",      Overlap::Disjoint),
//!     ("src",           "SRC",              Overlap::Disjoint),
//!     ("api-contract",  "db:schema",        Overlap::Disjoint),
//! ] {
//!     let (a, b) = (Scope::parse(a, "")?, Scope::parse(b, "")?);
//!     assert_eq!(overlap(&a, &b), expected, "{a} and {b}");
//! }
//!
//! assert_eq!(Scope::parse("../lib/./*.rs", "src/cli")?.to_string(), "src/lib/*.rs");
//! assert!(Scope::parse("../../..", "src/cli").is_err());
//! assert!(Scope::parse("src/**/*.rs", "")?.contains("src/cli/main.rs"));
//! # Ok::<(), bb_agent::domain::Invalid>(())
//! ```

mod characters;
mod name;
mod product;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::name::{Flaw, Name, escape};
use self::product::Side;
use super::message::words;
use super::{Invalid, Rule};

words! {
    /// How two scopes relate.
    ///
    /// `exact`: they read alike, up to spellings such as `src` and `src/**`. `partial`: they differ, but
    /// some path belongs to both. `disjoint`: no path does.
    Overlap, Rule::Scope, "kind of overlap" {
        Exact => "exact",
        Partial => "partial",
        Disjoint => "disjoint",
    }
}

/// A path, a glob or a named surface, normalised and relative to the project.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
pub struct Scope {
    text: String,
    /// Neither ends with [`Part::Deep`] nor holds two in a row: those add nothing.
    parts: Vec<Part>,
    of_files: bool,
}

/// What stands between two slashes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Part {
    /// This name and no other. Most parts are so, and comparing them costs next to nothing.
    Exactly(String),
    /// Several names.
    Name(Name),
    /// Any number of names.
    Deep,
}

impl Scope {
    /// The longest scope, in characters, as typed and as normalised.
    pub const MAX_LENGTH: usize = 1_000;

    /// Reads a scope typed in the folder `current`, itself relative to the project (empty at its root).
    ///
    /// A single part with a colon (`db:schema`) is a named surface and means the same in every
    /// folder; a file that is called so is written `./db:schema`.
    pub fn parse(text: &str, current: &str) -> Result<Self, Invalid> {
        check_text(text)?;
        if text.starts_with('/') {
            return Err(Invalid::new(Rule::Scope, format!("the scope `{text}` is an absolute path"))
                .hint("write it relative to the project: src/main.rs"));
        }
        let is_surface = text.contains(':') && !text.contains('/');
        let normalised = normalise(text, if is_surface { "" } else { current })?;
        // The current folder has become part of it.
        check_text(&normalised)?;
        let parts = parse_parts(&normalised).map_err(|flaw| refuse(text, flaw))?;
        Ok(Self { text: normalised, parts, of_files: false })
    }

    /// The scope of exactly one path relative to the project, however glob-like it is spelled.
    pub fn of_path(path: &str) -> Result<Self, Invalid> {
        Self::parse(".", path)
    }

    /// The scope as text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The same scope, with or without what lies below the paths that fit it. One that ends with `**`, and
    /// the whole project, are about nothing else.
    #[must_use]
    pub fn of_files(mut self, of_files: bool) -> Self {
        self.of_files = of_files && !matches!(self.last_name(), "**" | ".");
        self
    }

    fn last_name(&self) -> &str {
        self.text.rsplit('/').next().unwrap_or_default()
    }

    /// Whether it covers nothing below the paths that fit it.
    pub const fn is_of_files(&self) -> bool {
        self.of_files
    }

    /// Whether the last name has an extension, as files have and folders hardly ever do.
    pub fn has_extension(&self) -> bool {
        let Some((stem, extension)) = self.last_name().rsplit_once('.') else { return false };
        let choices =
            extension.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or(extension);
        let usual = |choice: &str| {
            choice.len() <= 10
                && choice.contains(|one: char| one.is_ascii_alphabetic())
                && choice.bytes().all(|one| one.is_ascii_alphanumeric())
        };
        !stem.is_empty() && choices.split(',').all(usual)
    }

    fn side(&self) -> Side<'_> {
        Side { parts: &self.parts, below: !self.of_files }
    }

    /// Whether `path`, relative to the project, fits this scope or lies below a path that does.
    ///
    /// The path is one that git would name: without `..`, and none of its characters means anything special.
    pub fn contains(&self, path: &str) -> bool {
        let names: Vec<_> = names_of(path).map(|name| Part::Exactly(name.to_owned())).collect();
        product::meet(self.side(), Side { parts: &names, below: false })
    }
}

/// Decides how two scopes relate; the order of the two does not matter.
pub fn overlap(a: &Scope, b: &Scope) -> Overlap {
    if a.parts == b.parts {
        Overlap::Exact
    } else if product::meet(a.side(), b.side()) {
        Overlap::Partial
    } else {
        Overlap::Disjoint
    }
}

impl Overlap {
    /// Whether some path belongs to both scopes.
    pub const fn is_shared(self) -> bool {
        !matches!(self, Self::Disjoint)
    }
}

fn check_text(text: &str) -> Result<(), Invalid> {
    let length = text.chars().count();
    if length > Scope::MAX_LENGTH {
        let what = format!("the scope has {length} characters, more than {}", Scope::MAX_LENGTH);
        return Err(Invalid::new(Rule::Scope, what).hint("reserve the folder, or name several scopes"));
    }
    if text.trim().is_empty() {
        return Err(Invalid::new(Rule::Scope, "the scope is empty")
            .hint("name a path, a glob or a surface: src/main.rs, 'src/**/*.rs', db:schema"));
    }
    if text.contains(char::is_control) {
        let what = format!("the scope `{}` has control characters", text.escape_debug());
        return Err(Invalid::new(Rule::Scope, what).hint("use printable characters only"));
    }
    Ok(())
}

/// The names in a path that is known to be one.
fn names_of(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|name| !name.is_empty() && *name != ".")
}

/// Follows `text` from the folder `current`; `.` is what is left when nothing is.
fn normalise(text: &str, current: &str) -> Result<String, Invalid> {
    let mut parts: Vec<String> = Vec::new();
    for part in names_of(current).map(escape).chain(names_of(text).map(str::to_owned)) {
        if part != ".." {
            parts.push(part);
            continue;
        }
        match parts.pop().as_deref() {
            Some("**") => {
                let what = format!("the scope `{text}` goes up from `**`, which could be any folder");
                return Err(Invalid::new(Rule::Scope, what).hint("write the scope without `..`"));
            }
            Some(_) => {}
            None => {
                return Err(Invalid::new(Rule::Scope, format!("the scope `{text}` leaves the project"))
                    .hint("name something inside the project, or work from the project it belongs to"));
            }
        }
    }
    Ok(if parts.is_empty() { ".".to_owned() } else { parts.join("/") })
}

fn parse_parts(normalised: &str) -> Result<Vec<Part>, Flaw> {
    let mut parts = Vec::new();
    for text in names_of(normalised) {
        if text != "**" {
            parts.push(parse_part(text)?);
        } else if parts.last() != Some(&Part::Deep) {
            parts.push(Part::Deep);
        }
    }
    if parts.last() == Some(&Part::Deep) {
        parts.pop();
    }
    Ok(parts)
}

fn parse_part(text: &str) -> Result<Part, Flaw> {
    if !name::is_special(text) {
        return Ok(Part::Exactly(text.to_owned()));
    }
    let name = Name::parse(text)?;
    if product::names_meet(&name, &Name::any()) {
        return Ok(name.only_one().map_or(Part::Name(name), Part::Exactly));
    }
    Err(Flaw { what: "a part of it fits no name", hint: "no file is called . or .., or nothing at all" })
}

fn refuse(text: &str, flaw: Flaw) -> Invalid {
    Invalid::new(Rule::Scope, format!("`{text}` is not a scope: {}", flaw.what)).hint(flaw.hint)
}

impl FromStr for Scope {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        Self::parse(text, "")
    }
}

impl TryFrom<String> for Scope {
    type Error = Invalid;

    fn try_from(text: String) -> Result<Self, Invalid> {
        text.parse()
    }
}

impl From<Scope> for String {
    fn from(scope: Scope) -> Self {
        scope.text
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl fmt::Debug for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Scope").field(&self.text).finish()
    }
}
