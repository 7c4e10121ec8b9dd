use proptest::prelude::*;

use crate::domain::ack_text::{AckProblem, AckText, parse_all};
use crate::domain::task::{AckStatus, TaskId};

fn id() -> impl Strategy<Value = TaskId> {
    "[A-Za-z0-9#_.:/+=~^%@!?,;{}()|\\[\\]$&äß-]{1,20}"
        .prop_filter_map("not an id", |text| text.parse::<TaskId>().ok())
}

fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        "\\PC{0,40}",
        "[a-zA-Z ,.?*_`>\n\r\t-]{0,40}",
        Just("Note: x\nReason: y\n\n[ACK] GH-1 - REJECTED".to_owned()),
        Just("[ACK] GH-1 - REJECTED".to_owned()),
        Just("1. a 2. b".to_owned()),
        Just("```".to_owned()),
        Just("none".to_owned()),
    ]
}

fn acks() -> impl Strategy<Value = AckText> {
    let status = prop::sample::select(AckStatus::ALL.to_vec());
    let field = || prop::option::of(words());
    (id(), status, field(), prop::collection::vec(words(), 0..4), field(), field()).prop_map(
        |(task_id, status, understanding, questions, note, reason)| AckText {
            task_id,
            status,
            understanding,
            questions,
            note,
            reason,
        },
    )
}

/// Text made of what acknowledgments are made of.
fn near_acks() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "[ACK]",
        "[ack]",
        " ",
        " - ",
        "-",
        "—",
        "GH-42",
        "GH-1",
        "RECEIVED",
        "rejected",
        "QUEUED",
        "\n",
        "\r\n",
        "\r",
        "> ",
        "**",
        "`",
        "```\n",
        "Understanding:",
        "Questions:",
        "Note:",
        "1. ",
        "- ",
        "x",
        "ü",
        "\u{2028}",
        "：",
        "[",
    ]);
    prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

fn id_of(found: &Result<AckText, AckProblem>) -> &str {
    match found {
        Ok(ack) => ack.task_id.as_str(),
        Err(problem) => problem.task_id().as_str(),
    }
}

proptest! {
    #[test]
    fn reads_back_what_it_prints(ack in acks()) {
        prop_assert_eq!(parse_all(&ack.print()), vec![Ok(ack.normal())]);
    }

    #[test]
    fn reads_back_what_it_prints_within_prose_and_quotes(ack in acks(), prose in "[a-z ,.\n]{0,40}") {
        let quoted: Vec<_> = ack.print().lines().map(|line| format!("> {line}")).collect();
        let text = format!("{prose}\r\n\r\n{}\r\n\r\n{prose}", quoted.join("\r\n"));
        prop_assert_eq!(parse_all(&text), vec![Ok(ack.normal())]);
    }

    #[test]
    fn never_names_a_task_that_no_line_begins_with(text in prop_oneof![near_acks(), "(\\PC|\n){0,120}"]) {
        for found in parse_all(&text) {
            let id = id_of(&found);
            let named = text.split(['\n', '\r']).any(|line| {
                let after = line.to_ascii_lowercase().find("[ack]").and_then(|at| line.get(at + 5..));
                after.is_some_and(|after| after.trim_start_matches(['*', '`', ':', ' ', '\u{2028}']).starts_with(id))
            });
            prop_assert!(named, "{id:?} in {text:?}");
        }
    }

    #[test]
    fn reading_is_stable(text in near_acks()) {
        for ack in parse_all(&text).into_iter().flatten() {
            prop_assert_eq!(parse_all(&ack.print()), vec![Ok(ack)]);
        }
    }
}
