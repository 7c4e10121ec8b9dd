//! The one JSON document.

use serde::Serialize;
use serde_json::Value;

use super::fields::{Selected, Selection};
use crate::domain::hidden::escaped_json;
use crate::failure::{Code, Failure};

#[derive(Serialize)]
struct Envelope<'a, T: Serialize> {
    ok: bool,
    command: &'a str,
    data: Option<&'a T>,
    error: Option<Trouble<'a>>,
}

#[derive(Serialize)]
struct Trouble<'a> {
    code: &'a str,
    message: &'a str,
    hint: Option<&'a str>,
}

/// The document of a command that did what it was asked to do.
pub(super) fn success<T: Serialize>(
    command: &str,
    data: &T,
    selection: &Selection,
) -> Result<String, Failure> {
    if selection.is_everything() {
        return text(&Envelope { ok: true, command, data: Some(data), error: None });
    }
    let value = value(data)?;
    let data = Selected { value: &value, selection };
    text(&Envelope { ok: true, command, data: Some(&data), error: None })
}

/// One value on one line, with the fields that are wanted.
pub(super) fn selected<T: Serialize>(data: &T, selection: &Selection) -> Result<String, Failure> {
    if selection.is_everything() {
        return text(data);
    }
    text(&Selected { value: &value(data)?, selection })
}

/// The document of a command that failed.
pub(super) fn failure(command: &str, failure: &Failure) -> Result<String, Failure> {
    let error =
        Trouble { code: failure.code.as_str(), message: &failure.message, hint: failure.hint.as_deref() };
    text(&Envelope::<()> { ok: false, command, data: None, error: Some(error) })
}

/// Compact JSON on one line, in which nothing is hidden.
pub(super) fn text<T: Serialize>(value: &T) -> Result<String, Failure> {
    serde_json::to_string(value).map(|text| escaped_json(&text)).map_err(unwritable)
}

fn value<T: Serialize>(data: &T) -> Result<Value, Failure> {
    serde_json::to_value(data).map_err(unwritable)
}

fn unwritable(error: serde_json::Error) -> Failure {
    Failure::new(Code::InternalError, "the answer cannot be written as JSON").caused_by(error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn hidden_characters_are_escaped() {
        let json = text(&"a\u{9b}b\u{202e}c\u{7f}d\u{e0041}e\u{200b}").unwrap();
        assert_eq!(json, r#""a\u009bb\u202ec\u007fd\udb40\udc41e\u200b""#);
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back_the_same(value in any::<String>()) {
            let json = text(&value).unwrap();
            prop_assert!(!json.contains('\n'));
            prop_assert_eq!(serde_json::from_str::<String>(&json).unwrap(), value);
        }
    }
}
