//! Command lines of hooks: which are ours alone, and which do something else besides.

use super::super::{Harness, Moment};

/// What may stand around a word of a command line.
const QUOTES: [char; 2] = ['"', '\''];

/// With one of these a line runs more than one program, or sends its answer elsewhere.
const SHELL: [char; 8] = [';', '|', '&', '<', '>', '(', '`', '\n'];

/// Whose a command line is that calls a hook of ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    /// It does nothing else.
    Ours,
    /// It does more, which is somebody else's work.
    Shared,
}

/// A command line as settings spell it: what a shell reads, and arguments that no shell reads.
#[derive(Debug, Clone)]
pub(super) struct Line {
    has_shell: bool,
    words: Vec<String>,
}

impl Line {
    pub(super) fn new<'a>(command: &'a str, arguments: impl Iterator<Item = &'a str>) -> Self {
        let words = command.split_whitespace().chain(arguments).map(str::to_owned).collect();
        Self { has_shell: command.contains(SHELL), words }
    }

    pub(super) fn text(&self) -> String {
        self.words.join(" ")
    }

    /// Whose the line is, if it calls this hook.
    pub(super) fn owner(&self, harness: Harness, moment: Moment) -> Option<Owner> {
        if !self.has_shell && self.is_only(harness, moment) {
            return Some(Owner::Ours);
        }
        self.calls(harness, moment).then_some(Owner::Shared)
    }

    /// Whether there is nothing but variables, the program, its door, the hook and its flags.
    fn is_only(&self, harness: Harness, moment: Moment) -> bool {
        let bare = self.words.iter().map(|word| word.trim_matches(QUOTES));
        let mut words = bare.skip_while(|word| is_assignment(word)).peekable();
        if !words.next().is_some_and(is_bb) {
            return false;
        }
        words.next_if(|word| ["agent", "mail"].contains(word));
        let wanted = ["hook", harness.as_str(), moment.as_str()];
        wanted.iter().all(|wanted| words.next() == Some(wanted)) && are_flags(words)
    }

    /// Whether the hook is called somewhere in it.
    fn calls(&self, harness: Harness, moment: Moment) -> bool {
        let bare: Vec<_> = self.words.iter().map(|word| word.trim_matches(QUOTES)).collect();
        let called = bare.windows(3).position(|three| {
            matches!(three, [verb, one, two] if *verb == "hook" && *one == harness.as_str()
                && two.trim_end_matches(SHELL) == moment.as_str())
        });
        called.is_some_and(|at| bare.iter().take(at).any(|word| is_bb(word)))
    }
}

/// The program that a command line of ours runs.
pub fn program_of(command: &str) -> Option<&str> {
    let words = command.split_whitespace().take_while(|word| *word != "hook");
    words.map(|word| word.trim_matches(QUOTES)).find(|word| is_bb(word))
}

fn is_bb(word: &str) -> bool {
    word.rsplit('/').next() == Some("bb")
}

/// `NAME=value`, which a shell sets for the program that follows.
fn is_assignment(word: &str) -> bool {
    let is_name = |name: &str| {
        let plain = |byte: u8| byte == b'_' || byte.is_ascii_alphanumeric();
        name.bytes().all(plain) && name.bytes().next().is_some_and(|first| !first.is_ascii_digit())
    };
    word.split_once('=').is_some_and(|(name, _)| is_name(name))
}

/// Whether all words are flags, each with its value if one follows.
fn are_flags<'a>(words: impl Iterator<Item = &'a str>) -> bool {
    let mut may_be_value = false;
    for word in words {
        let is_flag = word.starts_with('-');
        if !is_flag && !may_be_value {
            return false;
        }
        may_be_value = is_flag && !word.contains('=');
    }
    true
}
