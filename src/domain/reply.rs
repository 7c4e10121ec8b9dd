//! What a reply says: a closed vocabulary, matched as a whole.
//!
//! A reply proceeds only when every word of it is in the vocabulary and all of them agree.
//! `broken`, `not ok` or `token expired, cancel` therefore never read as "ok".

use super::message::words;
use super::{Invalid, Rule};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;
use std::str::FromStr;

words! {
    /// What a recipient's answer amounts to.
    Verdict, Rule::Message, "verdict" {
        Ready => "ready",
        NeedsTime => "needs-time",
        Cancel => "cancel",
        Accepted => "accepted",
        Confirmed => "confirmed",
        Queued => "queued",
        NeedsClarification => "needs-clarification",
        Rejected => "rejected",
        EnvironmentIssue => "environment-issue",
        Error => "error",
        Other => "other",
    }
}

impl Verdict {
    /// Whether an agent that answered so lets the request go ahead.
    pub const fn proceeds(self) -> bool {
        matches!(self, Self::Ready | Self::Accepted | Self::Confirmed)
    }

    /// Whether such an answer acknowledges what was asked: it goes ahead, or will after earlier work.
    pub const fn acknowledges(self) -> bool {
        self.proceeds() || matches!(self, Self::Queued)
    }
}

/// Every phrase that is understood. Longer phrases stand before the ones they begin with.
const VOCABULARY: &[(&[&str], Verdict)] = &[
    (&["not", "ready"], Verdict::NeedsTime),
    (&["ready", "to", "proceed"], Verdict::Ready),
    (&["needs", "clarification"], Verdict::NeedsClarification),
    (&["clarification", "needed"], Verdict::NeedsClarification),
    (&["environment", "issue"], Verdict::EnvironmentIssue),
    (&["ok"], Verdict::Ready),
    (&["okay"], Verdict::Ready),
    (&["ready"], Verdict::Ready),
    (&["ack"], Verdict::Ready),
    (&["wait"], Verdict::NeedsTime),
    (&["busy"], Verdict::NeedsTime),
    (&["cancel"], Verdict::Cancel),
    (&["abort"], Verdict::Cancel),
    (&["received"], Verdict::Accepted),
    (&["accepted"], Verdict::Accepted),
    (&["confirmed"], Verdict::Confirmed),
    (&["queued"], Verdict::Queued),
    (&["rejected"], Verdict::Rejected),
    (&["error"], Verdict::Error),
];

/// Reads a reply's text. Anything that is not wholly vocabulary, or disagrees with itself, is [`Verdict::Other`].
pub fn classify(text: &str) -> Verdict {
    let folded = text.to_lowercase();
    let Some(words) = vocabulary_words(&folded) else { return Verdict::Other };
    let mut rest = words.as_slice();
    let mut verdict = None;
    while !rest.is_empty() {
        let Some((phrase, said)) = VOCABULARY.iter().find(|(phrase, _)| rest.starts_with(phrase)) else {
            return Verdict::Other;
        };
        if verdict.is_some_and(|before| before != *said) {
            return Verdict::Other;
        }
        verdict = Some(*said);
        rest = rest.get(phrase.len()..).unwrap_or_default();
    }
    verdict.unwrap_or(Verdict::Other)
}

/// Splits into words, dropping quotes and closing punctuation around them; `None` when any
/// other mark (a question mark, a slash, a digit) shows that this is more than a plain answer.
fn vocabulary_words(folded: &str) -> Option<Vec<&str>> {
    const DROPPED: &[char] = &['"', '\'', '`', '.', ',', '!', ';', ':', '“', '”', '‘', '’', '«', '»'];
    let joins = |c: char| c.is_whitespace() || c == '-' || c == '_';
    let words: Vec<_> =
        folded.split(joins).map(|word| word.trim_matches(DROPPED)).filter(|word| !word.is_empty()).collect();
    words.iter().all(|word| word.chars().all(char::is_alphabetic)).then_some(words)
}

/// Reads a reply whose content may say it once more, in a `message` and a `ready` field. Body and message
/// that do not say the same are [`Verdict::Other`], and whatever is not `true` in `ready` overrides an "ok".
pub fn classify_with_content(body: &str, content: Option<&Value>) -> Verdict {
    let field = |name: &str| content.and_then(|content| content.get(name));
    let said = classify(body);
    let repeated = field("message").and_then(Value::as_str).map(classify);
    match field("ready") {
        _ if repeated.is_some_and(|verdict| verdict != said) => Verdict::Other,
        Some(ready) if said.proceeds() && *ready != Value::Bool(true) => Verdict::NeedsTime,
        _ => said,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn every_row_of_the_vocabulary() {
        for (text, verdict) in [
            ("ok", Verdict::Ready),
            ("OK", Verdict::Ready),
            ("okay", Verdict::Ready),
            ("ready", Verdict::Ready),
            ("ack", Verdict::Ready),
            ("ready_to_proceed", Verdict::Ready),
            ("wait", Verdict::NeedsTime),
            ("not ready", Verdict::NeedsTime),
            ("busy", Verdict::NeedsTime),
            ("cancel", Verdict::Cancel),
            ("abort", Verdict::Cancel),
            ("RECEIVED", Verdict::Accepted),
            ("confirmed", Verdict::Confirmed),
            ("queued", Verdict::Queued),
            ("CLARIFICATION_NEEDED", Verdict::NeedsClarification),
            ("needs-clarification", Verdict::NeedsClarification),
            ("needs_clarification", Verdict::NeedsClarification),
            ("environment_issue", Verdict::EnvironmentIssue),
            ("rejected", Verdict::Rejected),
        ] {
            assert_eq!(classify(text), verdict, "{text}");
        }
    }

    #[test]
    fn quotes_case_space_and_closing_punctuation_are_dropped() {
        for text in [" ok ", "\"ok\"", "'OK'.", "Ok!", "`ready`", "“ok”", "ok, ready.", "ok\n"] {
            assert_eq!(classify(text), Verdict::Ready, "{text:?}");
        }
        assert_eq!(classify("Not ready!"), Verdict::NeedsTime);
    }

    #[test]
    fn traps_never_proceed() {
        for text in [
            "broken",
            "not ok",
            "looking into it",
            "token expired, cancel",
            "ok?",
            "ok but wait",
            "ok cancel",
            "bookmark",
            "wait, ok",
            "already",
            "ok 2",
            "nok",
            "",
            "   ",
            "...",
            "ready?",
            "is it ok",
            "ok\nbut not yet",
            "unready",
        ] {
            assert!(!classify(text).proceeds(), "{text:?}");
        }
        assert_eq!(classify("ok cancel"), Verdict::Other);
        assert_eq!(classify("wait, ok"), Verdict::Other);
    }

    #[test]
    fn whatever_is_not_ready_true_overrides_an_ok() {
        let with_ready =
            |body: &str, ready: Value| classify_with_content(body, Some(&json!({"ready": ready})));
        for ready in [json!(false), json!("true"), json!("no"), json!(1), json!(0), json!(null), json!([])] {
            assert_eq!(with_ready("ok", ready.clone()), Verdict::NeedsTime, "{ready}");
        }
        assert_eq!(with_ready("ok", json!(true)), Verdict::Ready);
        assert_eq!(with_ready("cancel", json!(true)), Verdict::Cancel);
        assert_eq!(with_ready("hm", json!(true)), Verdict::Other);
        assert_eq!(classify_with_content("ok", Some(&json!({}))), Verdict::Ready);
        assert_eq!(classify_with_content("ok", None), Verdict::Ready);
    }

    #[test]
    fn a_body_and_a_content_that_differ_say_nothing() {
        let both =
            |body: &str, message: &str| classify_with_content(body, Some(&json!({"message": message})));
        assert_eq!(both("ok", "Ready!"), Verdict::Ready);
        assert_eq!(both("abort", "cancel"), Verdict::Cancel);
        for (body, message) in
            [("Please do not proceed, cancel!", "ok"), ("cancel", "ok"), ("ok", "cancel"), ("ok", "wait")]
        {
            assert_eq!(both(body, message), Verdict::Other, "{body} / {message}");
        }
    }

    fn spoken() -> impl Strategy<Value = &'static str> {
        prop::sample::select(vec![
            "ok",
            "okay",
            "ready",
            "not ready",
            "wait",
            "busy",
            "cancel",
            "abort",
            "queued",
            "rejected",
            "received",
            "confirmed",
            "not",
            "fine",
            "expired",
            "looking",
            "?",
            "OK!",
            "\"ready\"",
            "error",
            "environment issue",
        ])
    }

    proptest! {
        #[test]
        fn never_proceeds_on_a_text_that_holds_another_verdicts_word(parts in prop::collection::vec(spoken(), 1..6), glue in "[ ,.;\n]{1,2}") {
            let text = parts.join(&glue);
            let holds_another = parts.iter().any(|part| !classify(part).proceeds());
            if holds_another {
                prop_assert!(!classify(&text).proceeds(), "{text:?}");
            }
        }

        #[test]
        fn never_panics_and_is_indifferent_to_case(text in "\\PC{0,40}") {
            prop_assert_eq!(classify(&text.to_lowercase()), classify(&text));
        }
    }
}
