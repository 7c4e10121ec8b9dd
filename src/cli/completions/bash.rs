//! bash: it breaks words at `:` and `=`, which stand in threads, roles and flags.

use std::ffi::OsString;
use std::io::{Error, Write};
use std::path::Path;

use clap::Command;
use clap_complete::engine;
use clap_complete::env::EnvCompleter;

/// Reads the answer line by line: nothing in it is split, expanded or executed.
const SCRIPT: &str = r#"_bb() {
    local words=("${COMP_WORDS[@]:0:COMP_CWORD+1}") word
    # Of the word under the cursor only what stands before it counts.
    [[ ${words[COMP_CWORD]} == [:=]* ]] || words[COMP_CWORD]=$2
    COMPREPLY=()
    while IFS= read -r word; do
        COMPREPLY+=("$word")
    done < <(VARIABLE=bash COMPLETER -- "${words[@]}" 2>/dev/null)
}
complete -o bashdefault -o default -F _bb BIN"#;

/// Completes for bash. The word under the cursor is the last one that comes.
#[derive(Debug)]
pub(super) struct Bash;

impl EnvCompleter for Bash {
    fn name(&self) -> &'static str {
        "bash"
    }

    fn is(&self, name: &str) -> bool {
        name == "bash"
    }

    fn write_registration(
        &self,
        variable: &str,
        _name: &str,
        program: &str,
        completer: &str,
        script: &mut dyn Write,
    ) -> Result<(), Error> {
        let text =
            SCRIPT.replace("VARIABLE", variable).replace("COMPLETER", completer).replace("BIN", program);
        writeln!(script, "{text}")
    }

    fn write_complete(
        &self,
        command: &mut Command,
        words: Vec<OsString>,
        folder: Option<&Path>,
        answer: &mut dyn Write,
    ) -> Result<(), Error> {
        let (words, kept) = joined(words);
        let typed = words.last().cloned().unwrap_or_default().to_string_lossy().into_owned();
        let last = words.len().saturating_sub(1);
        let candidates = engine::complete(command, words, last, folder)?;
        let values: Vec<_> =
            candidates.iter().map(|it| it.get_value().to_string_lossy().into_owned()).collect();
        // Flags would stand between what was asked for and its common beginning.
        let only_words = !typed.starts_with('-') && values.iter().any(|value| !value.starts_with('-'));
        for value in values.iter().filter(|value| !only_words || !value.starts_with('-')) {
            if let Some(rest) = value.strip_prefix(&kept) {
                writeln!(answer, "{rest}")?;
            }
        }
        Ok(())
    }
}

/// Puts together what bash took apart, and says which beginning of the last word it keeps by itself.
fn joined(pieces: Vec<OsString>) -> (Vec<OsString>, String) {
    let is_break = |piece: &OsString| {
        piece.to_str().is_some_and(|text| !text.is_empty() && text.chars().all(|it| it == ':' || it == '='))
    };
    let mut words: Vec<OsString> = Vec::new();
    let mut kept = OsString::new();
    let mut after_break = false;
    for piece in pieces {
        let breaks = is_break(&piece);
        match words.last_mut() {
            Some(word) if breaks || after_break => {
                kept.clone_from(word);
                word.push(&piece);
                if breaks {
                    kept.clone_from(word);
                }
            }
            _ => {
                kept.clear();
                words.push(piece);
            }
        }
        after_break = breaks;
    }
    (words, kept.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pieces: &[&str]) -> (Vec<String>, String) {
        let (words, kept) = joined(pieces.iter().map(OsString::from).collect());
        (words.into_iter().map(|word| word.into_string().unwrap()).collect(), kept)
    }

    #[test]
    fn words_that_bash_broke_are_joined_again() {
        let expect = |words: &[&str], kept: &str| {
            (words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>(), kept.to_owned())
        };
        assert_eq!(of(&["bb", "thread", "be"]), expect(&["bb", "thread", "be"], ""));
        assert_eq!(of(&["bb", "thread", "bead", ":"]), expect(&["bb", "thread", "bead:"], "bead:"));
        assert_eq!(of(&["bb", "thread", "bead", ":", "bb"]), expect(&["bb", "thread", "bead:bb"], "bead:"));
        assert_eq!(of(&["bb", "thread", "bead:bb"]), expect(&["bb", "thread", "bead:bb"], ""));
        let flag = of(&["bb", "read", "--agent", "=", "am"]);
        assert_eq!(flag, expect(&["bb", "read", "--agent=am"], "--agent="));
        let earlier = of(&["bb", "send", "--to", "role", ":", "lead", ""]);
        assert_eq!(earlier, expect(&["bb", "send", "--to", "role:lead", ""], ""));
    }
}
