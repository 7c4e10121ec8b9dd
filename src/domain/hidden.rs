//! Characters that nobody sees, and how a document that a program reads says them all the same.

use std::fmt::Write as _;

/// Characters that are not seen: what Unicode lets every program ignore (bidi controls, zero-width characters,
/// fillers, tags, variation selectors, which can carry a whole text), and what separates lines. Only the
/// selector that asks for an emoji in colour stays.
pub fn is_hidden(character: char) -> bool {
    matches!(
        character,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0e}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Whether a character must not stand in a document as it is, because a terminal would obey or hide it.
pub fn must_be_escaped(character: char) -> bool {
    (character.is_control() && !matches!(character, '\n' | '\t')) || is_hidden(character)
}

/// The same JSON, with escapes for what a terminal or a reader would not show.
pub fn escaped_json(json: &str) -> String {
    if !json.contains(must_be_escaped) {
        return json.to_owned();
    }
    json.chars().fold(String::with_capacity(json.len() + 16), |mut escaped, character| {
        if must_be_escaped(character) {
            for unit in character.encode_utf16(&mut [0; 2]) {
                let _ = write!(escaped, "\\u{unit:04x}");
            }
        } else {
            escaped.push(character);
        }
        escaped
    })
}
