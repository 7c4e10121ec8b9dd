//! YAML that readers of its older version understand as well.
//!
//! Where version 1.2 has a text, version 1.1 often has a truth value, a number or a date: `no`, `1:30`,
//! `2026-03-04`. A writer that quotes only what is ambiguous today leaves those bare.

use serde::Serialize;
use serde_norway::Value;

use super::hidden::must_be_escaped;

/// Announces eight digits in place of a character that must be escaped: it makes the writer use double quotes,
/// in which there are escapes, and writes itself as [`WRITTEN_MARK`].
const MARK: char = '\u{1}';

const WRITTEN_MARK: &str = r"\x01";

/// A record as a document for all versions, in which nothing is hidden.
pub fn text(record: &impl Serialize) -> Result<String, serde_norway::Error> {
    let value = marked(serde_norway::to_value(record)?);
    Ok(escaped(&quoted_for_all(&serde_norway::to_string(&value)?)))
}

/// The same value, with marks and digits in place of what must be escaped.
fn marked(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(marked_text(text)),
        Value::Sequence(items) => Value::Sequence(items.into_iter().map(marked).collect()),
        Value::Mapping(map) => {
            Value::Mapping(map.into_iter().map(|(key, value)| (marked(key), marked(value))).collect())
        }
        other => other,
    }
}

fn marked_text(text: String) -> String {
    // What only looks like a written mark must not be taken for one.
    let looks_marked = text.contains(WRITTEN_MARK);
    let concerned = |c: char| must_be_escaped(c) || (looks_marked && c == '\\');
    if !text.contains(concerned) {
        return text;
    }
    text.chars().fold(String::new(), |mut marked, character| {
        match concerned(character) {
            true => marked.push_str(&format!("{MARK}{:08X}", u32::from(character))),
            false => marked.push(character),
        }
        marked
    })
}

/// The document with escapes in place of the marks and their digits.
fn escaped(document: &str) -> String {
    let mut parts = document.split(WRITTEN_MARK);
    let mut escaped = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        escaped.push_str(match part.strip_prefix("0000") {
            Some(_) => r"\u",
            None => r"\U",
        });
        escaped.push_str(part.strip_prefix("0000").unwrap_or(part));
    }
    escaped
}

/// The same document with quotes around every bare text that version 1.1 would take for something else.
///
/// Understands what a writer puts on lines of its own: keys, items, values, and blocks of text, which
/// stay as they are.
fn quoted_for_all(document: &str) -> String {
    let mut block: Option<usize> = None;
    let mut quoted = String::with_capacity(document.len());
    for line in document.split_inclusive('\n') {
        let (text, end) = line.strip_suffix('\n').map_or((line, ""), |text| (text, "\n"));
        let indent = text.len() - text.trim_start_matches(' ').len();
        if block.is_some_and(|outer| text.trim().is_empty() || indent > outer) {
            quoted.push_str(line);
            continue;
        }
        let (column, value) = value_of(text, indent);
        block = is_block_header(value).then_some(column);
        match is_ambiguous(value) {
            true => {
                quoted.push_str(text.strip_suffix(value).unwrap_or_default());
                quoted.push_str(&format!("'{value}'{end}"));
            }
            false => quoted.push_str(line),
        }
    }
    quoted
}

/// What stands on a line behind dashes and a key, and the column by which a block under it is told.
fn value_of(line: &str, indent: usize) -> (usize, &str) {
    let mut column = indent;
    let mut rest = line.get(indent..).unwrap_or_default();
    let mut outer = indent;
    while let Some(item) = rest.strip_prefix("- ") {
        (outer, column, rest) = (column, column + 2, item);
    }
    let key = match rest.chars().next() {
        Some(quote @ ('\'' | '"')) => {
            rest.get(1..).and_then(|it| it.find(&format!("{quote}: "))).map(|at| at + 2)
        }
        _ => rest.find(": "),
    };
    match key.and_then(|at| rest.get(at + 2..)) {
        Some(value) => (column, value),
        None => (outer, rest),
    }
}

fn is_block_header(value: &str) -> bool {
    let mut marks = value.chars();
    matches!(marks.next(), Some('|' | '>')) && marks.all(|mark| matches!(mark, '+' | '-' | '0'..='9'))
}

/// Whether a bare text is something else in version 1.1. A number is one in both versions.
fn is_ambiguous(value: &str) -> bool {
    let words = ["y", "n", "yes", "no", "on", "off"];
    let is_word = words.iter().any(|word| value.eq_ignore_ascii_case(word));
    let numeric = |c: char| c.is_ascii_digit() || "_.:+- TtZzeExXoObB".contains(c);
    let begins = value.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
    let unsigned = value.trim_start_matches(['+', '-']);
    let hexadecimal = unsigned.strip_prefix("0x").is_some_and(|digits| {
        digits.contains(|c: char| c.is_ascii_hexdigit())
            && digits.chars().all(|c| c.is_ascii_hexdigit() || c == '_')
    });
    let counts = begins && value.contains(|c: char| c.is_ascii_digit()) && value.chars().all(numeric);
    is_word || value == "<<" || value == "=" || hexadecimal || (counts && value.parse::<f64>().is_err())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn documents() -> impl Strategy<Value = serde_json::Value> {
        let text = prop_oneof![
            "\\PC{0,12}",
            "[-+.0-9_:eTZ ]{1,8}",
            prop::sample::select(vec![
                "no",
                "On",
                "<<",
                "=",
                "|",
                "a: b",
                "no\nyes",
                "- no\n\n  x: 1:30\n",
                "'no': y"
            ])
            .prop_map(str::to_owned),
        ];
        let leaf = prop_oneof![
            text.prop_map(serde_json::Value::from),
            any::<i32>().prop_map(serde_json::Value::from),
            Just(serde_json::Value::Null),
        ];
        leaf.prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(serde_json::Value::from),
                prop::collection::btree_map("[a-z: ']{1,6}", inner, 0..4)
                    .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn whatever_is_quoted_says_the_same(document in documents()) {
            let written = serde_norway::to_string(&document).unwrap();
            let quoted = quoted_for_all(&written);
            let read: serde_json::Value = serde_norway::from_str(&quoted).unwrap();
            prop_assert_eq!(read, document, "{}", quoted);
        }

        #[test]
        fn whatever_is_hidden_is_escaped_and_says_the_same(
            texts in prop::collection::vec(
                prop_oneof![any::<String>(), "[a\\\\x01\u{1}\u{85}\u{200b}\u{2028}\u{e0041}\n\": -]{0,16}"], 0..4)
        ) {
            let written = text(&serde_json::json!({"a": &texts})).unwrap();
            prop_assert!(!written.contains(must_be_escaped), "{written:?}");
            let read: serde_json::Value = serde_norway::from_str(&written).unwrap();
            prop_assert_eq!(read, serde_json::json!({"a": texts}), "{}", written);
        }
    }

    #[test]
    fn what_the_older_version_takes_for_something_else_is_quoted() {
        for bare in [
            "yes",
            "NO",
            "On",
            "off",
            "y",
            "1_000",
            "0xDEAD_BEEF",
            "-0xa_b",
            "1:30",
            "<<",
            "=",
            "2026-03-04",
            "2026-03-04T00:11:22Z",
        ] {
            assert_eq!(
                quoted_for_all(&format!("a:\n- key: {bare}\n- {bare}\n")),
                format!("a:\n- key: '{bare}'\n- '{bare}'\n")
            );
        }
    }

    #[test]
    fn everything_else_stays_as_it_is() {
        for same in [
            "a: 50\nb: -1.5\nc: true\nd: null\ne: []\nf: nobody\ng: 5 minutes\nh: 'no'\ni: \"1:30\"\n",
            "- text: |\n    answer: no\n    - yes\n\n    1:30\n  other: x\n",
            "- |-\n  no\n- key:\n  - a: b\n",
            "'a: b': x\n",
            "",
        ] {
            assert_eq!(quoted_for_all(same), same);
        }
        assert_eq!(quoted_for_all("- text: |\n    no\n  other: no\n"), "- text: |\n    no\n  other: 'no'\n");
        assert_eq!(quoted_for_all("'a: b': no"), "'a: b': 'no'");
    }
}
