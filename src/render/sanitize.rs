//! Foreign text on a terminal: every string an agent wrote passes through here.

use std::iter::Peekable;
use std::str::Chars;

pub use crate::domain::hidden::is_hidden;

/// Cleans text that may have several lines: newlines stay, everything a terminal would obey goes.
pub fn lines(text: &str) -> String {
    clean(text, |control| match control {
        '\n' => Some('\n'),
        '\t' => Some(' '),
        _ => None,
    })
}

/// Cleans text that must stay on one line.
pub fn line(text: &str) -> String {
    clean(text, |control| matches!(control, '\n' | '\r' | '\t' | '\u{b}' | '\u{c}').then_some(' '))
}

fn clean(text: &str, keep: impl Fn(char) -> Option<char>) -> String {
    let mut cleaned = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(next) = rest.next() {
        match next {
            '\u{1b}' => skip_escape(&mut rest),
            '\u{9b}' => skip_control_sequence(&mut rest),
            '\u{9d}' | '\u{90}' | '\u{98}' | '\u{9e}' | '\u{9f}' => skip_string(&mut rest),
            control if control.is_control() => cleaned.extend(keep(control)),
            hidden if is_hidden(hidden) => {}
            visible => cleaned.push(visible),
        }
    }
    cleaned
}

/// Skips what follows an ESC.
fn skip_escape(rest: &mut Peekable<Chars>) {
    match rest.peek() {
        Some('[') => {
            rest.next();
            skip_control_sequence(rest);
        }
        Some(']' | 'P' | 'X' | '^' | '_') => {
            rest.next();
            skip_string(rest);
        }
        Some(intermediate) if (' '..='/').contains(intermediate) => {
            while rest.next_if(|next| (' '..='/').contains(next)).is_some() {}
            rest.next_if(|next| ('0'..='~').contains(next));
        }
        Some(single) if ('0'..='~').contains(single) => {
            rest.next();
        }
        _ => {}
    }
}

/// Skips parameters and the final letter of a control sequence.
fn skip_control_sequence(rest: &mut Peekable<Chars>) {
    while rest.next_if(|next| (' '..='?').contains(next)).is_some() {}
    rest.next_if(|next| ('@'..='~').contains(next));
}

/// Skips a string such as a window title up to its end; one that never ends takes nothing visible with it
/// but its own line.
fn skip_string(rest: &mut Peekable<Chars>) {
    while let Some(next) = rest.next_if(|next| *next != '\n') {
        match next {
            '\u{7}' | '\u{9c}' => return,
            '\u{1b}' => {
                rest.next_if_eq(&'\\');
                return;
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn escape_sequences_are_removed_whole() {
        for (foreign, shown) in [
            ("a\u{1b}[31mred\u{1b}[0m", "ared"),
            ("\u{1b}]0;title\u{7}text", "text"),
            ("\u{1b}]8;;http://x\u{1b}\\link\u{1b}]8;;\u{1b}\\", "link"),
            ("\u{9b}2Jx", "x"),
            ("\u{1b}(Bx", "x"),
            ("\u{1b}cx", "x"),
            ("bell\u{7}", "bell"),
            ("safe\u{202e}gpj.exe", "safegpj.exe"),
            ("zero\u{200b}width", "zerowidth"),
        ] {
            assert_eq!(line(foreign), shown, "{foreign:?}");
        }
    }

    #[test]
    fn what_nobody_sees_carries_nothing() {
        // One character of each kind that Unicode calls ignorable by default, written down apart from the rule.
        let unseen = [
            0xad, 0x34f, 0x61c, 0x1160, 0x17b5, 0x180b, 0x180e, 0x180f, 0x200b, 0x200d, 0x202e, 0x2060,
            0x2066, 0x206f, 0x3164, 0xfe00, 0xfe0e, 0xfeff, 0xffa0, 0xfff0, 0xfff8, 0x1bca0, 0x1d173,
            0xe0001, 0xe0041, 0xe0100, 0xe01ef, 0xe0fff,
        ];
        for code in unseen {
            let character = char::from_u32(code).unwrap();
            assert_eq!(line(&format!("a{character}b")), "ab", "U+{code:04X}");
        }
        assert_eq!(line("\u{2764}\u{fe0f}"), "\u{2764}\u{fe0f}");
    }

    #[test]
    fn newlines_stay_in_bodies_only() {
        assert_eq!(lines("a\r\nb\tc"), "a\nb c");
        assert_eq!(line("a\nb"), "a b");
    }

    proptest! {
        #[test]
        fn nothing_a_terminal_obeys_remains(text in any::<String>()) {
            prop_assert!(!line(&text).chars().any(|c| c.is_control() || is_hidden(c)));
            prop_assert!(!lines(&text).chars().any(|c| (c.is_control() && c != '\n') || is_hidden(c)));
        }

        #[test]
        fn plain_text_is_left_alone(text in "[a-zA-Z0-9 äöü.,:/-]{0,40}") {
            prop_assert_eq!(line(&text), text);
        }
    }
}
