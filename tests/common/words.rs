//! Command lines as they are written down.

/// Splits a line at white space, as a shell does; what stands in single or double quotes stays together.
pub(crate) fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for character in line.chars() {
        match (quote, character) {
            (None, '\'' | '"') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (Some(open), close) if open == close => quote = None,
            (None, space) if space.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    assert_eq!(quote, None, "a quote is left open: {line}");
    words.extend(word);
    words
}

#[test]
fn quotes_keep_words_together() {
    assert_eq!(words("a 'b c'  \"d 'e\" ''"), ["a", "b c", "d 'e", ""]);
}
