use super::*;

/// The first acknowledgment in a text.
fn parse(text: &str) -> Option<Result<AckText, AckProblem>> {
    parse_all(text).into_iter().next()
}

mod properties;

fn read(text: &str) -> AckText {
    match parse(text) {
        Some(Ok(ack)) => ack,
        other => panic!("{text:?} gave {other:?}"),
    }
}

fn ack(id: &str, status: AckStatus) -> AckText {
    AckText {
        task_id: id.parse().unwrap(),
        status,
        understanding: None,
        questions: Vec::new(),
        note: None,
        reason: None,
    }
}

/// E30, E35: the received example
#[test]
fn reads_a_received_task_with_its_understanding() {
    let text = "[ACK] GH-4-xls-implementation - RECEIVED\n\
                Understanding: Will implement directory listing with fs::read_dir, serde_json formatting, \
                and all CLI flags (--sort, --reverse, --format, --verbose, --human)";
    let expected = AckText {
        understanding: Some(
            "Will implement directory listing with fs::read_dir, serde_json formatting, \
             and all CLI flags (--sort, --reverse, --format, --verbose, --human)"
                .to_owned(),
        ),
        ..ack("GH-4-xls-implementation", AckStatus::Received)
    };
    assert_eq!(read(text), expected);
}

/// E32, E35: the clarification example
#[test]
fn reads_numbered_questions() {
    let text = "[ACK] GH-4-xls-implementation - CLARIFICATION_NEEDED\n\
                Understanding: Implement xls CLI directory browser\n\
                Questions:\n\
                1. Should --format support both JSON and table output?\n\
                2. Should --verbose show file permissions on all platforms?";
    let found = read(text);
    assert_eq!(found.status, AckStatus::NeedsClarification);
    assert_eq!(found.understanding.as_deref(), Some("Implement xls CLI directory browser"));
    assert_eq!(
        found.questions,
        [
            "Should --format support both JSON and table output?",
            "Should --verbose show file permissions on all platforms?",
        ]
    );
}

/// E34, E35: the queued example
#[test]
fn reads_the_note_of_a_queued_task() {
    let text = "[ACK] GH-4-xls-implementation - QUEUED\n\
                Understanding: Directory browser with full CLI flags\n\
                Note: Currently completing GH-3, will start this after current task completes";
    let found = read(text);
    assert_eq!((found.status, found.questions.len()), (AckStatus::Queued, 0));
    assert_eq!(
        found.note.as_deref(),
        Some("Currently completing GH-3, will start this after current task completes")
    );
}

/// E33
#[test]
fn reads_the_reason_of_a_rejected_task() {
    let found = read("[ACK] GH-42 - REJECTED\nReason: no access to the repository");
    assert_eq!(found.status, AckStatus::Rejected);
    assert_eq!(found.reason.as_deref(), Some("no access to the repository"));
}

/// E30, E31
#[test]
fn reads_the_first_line_in_every_dress() {
    for line in [
        "[ACK] GH-42 - RECEIVED",
        "[ack] GH-42 - received",
        "  [Ack] GH-42 - Received  ",
        "[ ACK ] GH-42 - RECEIVED.",
        "[ACK]GH-42 - RECEIVED",
        "[ACK]: GH-42 - RECEIVED",
        "> [ACK] GH-42 - RECEIVED",
        ">> [ACK] GH-42 - RECEIVED",
        "**[ACK] GH-42 - RECEIVED**",
        "**[ACK]** `GH-42` - **RECEIVED**",
        "`[ACK] GH-42 - RECEIVED`",
        "```[ACK] GH-42 - RECEIVED```",
        "### [ACK] GH-42 - RECEIVED",
        "- [ACK] GH-42 - RECEIVED",
        "\"[ACK] GH-42 - RECEIVED\"",
        "“[ACK] GH-42 - RECEIVED”",
        "\u{feff}[ACK] GH-42 - RECEIVED",
        "[ACK] GH-42 – RECEIVED",
        "[ACK] GH-42 — RECEIVED",
        "[ACK] GH-42—RECEIVED",
        "[ACK] GH-42 -- RECEIVED",
        "[ACK] GH-42 -RECEIVED",
        "[ACK] GH-42- RECEIVED",
        "[ACK]\u{a0}GH-42\u{a0}-\u{a0}RECEIVED",
        "[ACK] GH-42 - READY_TO_PROCEED",
        "[ACK] GH-42 - accepted",
    ] {
        assert_eq!(read(line), ack("GH-42", AckStatus::Received), "{line:?}");
        let quote = ">".repeat(line.chars().take_while(|&c| c == '>').count());
        let fenced = format!(
            "Sure:

```text
{line}
{quote}Understanding: do it
```
Bye, Note taker"
        );
        assert_eq!(read(&fenced).understanding.as_deref(), Some("do it"), "{fenced:?}");
    }
}

#[test]
fn a_sentence_about_an_acknowledgment_is_none() {
    for text in [
        "",
        "[ACK]",
        "[ACK] GH-42",
        "[ACK] GH-42 RECEIVED",
        "[ACK] - RECEIVED",
        "[ACK] Handoff 7 Received",
        "[NACK] GH-42 - RECEIVED",
        "ACK GH-42 - RECEIVED",
        "ACKNOWLEDGMENT REQUIRED: Reply with [ACK] GH-42 - RECEIVED",
        "> Please confirm receipt with: [ACK] GH-42 - RECEIVED",
        "RE: [ACK] GH-42 - RECEIVED",
        "1. [ACK] GH-42 - RECEIVED",
        "Understanding: do it",
    ] {
        assert_eq!(parse(text), None, "{text:?}");
    }
}

#[test]
fn an_unknown_status_is_answered_with_what_is_expected() {
    for (line, said) in [
        ("[ACK] GH-42 - DONE", "DONE"),
        ("[ACK] GH-42 - NOT RECEIVED", "NOT RECEIVED"),
        ("[ACK] GH-42 - RECEIVED?", "RECEIVED?"),
        ("[ACK] GH-42 - RECEIVED but cannot start", "RECEIVED but cannot start"),
        ("[ACK] GH-42 - **maybe**", "maybe"),
        ("[ACK] GH-42 - ENVIRONMENT_ISSUE", "ENVIRONMENT_ISSUE"),
        ("[ACK] GH-42 -", ""),
        ("[ACK] GH-42 - Understanding: all of it", ""),
    ] {
        let problem = parse(line).unwrap().unwrap_err();
        let task_id = "GH-42".parse().unwrap();
        assert_eq!(problem, AckProblem::UnknownStatus { task_id, said: said.to_owned() }, "{line:?}");
        let invalid = Invalid::from(problem);
        assert_eq!(invalid.rule, Rule::Task);
        let hint = invalid.hint.unwrap();
        for word in ["[ACK] GH-42 - ", "RECEIVED", "CONFIRMED", "QUEUED", "CLARIFICATION_NEEDED", "REJECTED"]
        {
            assert!(hint.contains(word), "{hint}");
        }
    }
    let long = format!("[ACK] GH-42 - {}", "x".repeat(10_000));
    assert!(parse(&long).unwrap().unwrap_err().to_string().len() < 200);
}

#[test]
fn a_field_goes_on_until_a_blank_line_or_the_next_label() {
    let text = "[ACK] GH-42 - CONFIRMED\n\
                \n\
                **Understanding:** tokens live 24 hours,\n   with refresh\n\
                \n\
                I start at once.\n\
                - **Note**: after lunch\n\
                **Reason: because**\n\
                ---\n\
                Understanding: a second one\nSee you";
    let expected = AckText {
        understanding: Some("tokens live 24 hours, with refresh".to_owned()),
        note: Some("after lunch".to_owned()),
        reason: Some("because".to_owned()),
        ..ack("GH-42", AckStatus::Confirmed)
    };
    assert_eq!(read(text), expected);
}

#[test]
fn questions_are_numbered_bulleted_or_bare_lines() {
    let expected = ["24 hours or 7 days?", "Refresh tokens?"];
    for list in [
        "1. 24 hours or 7 days?\n2. Refresh tokens?",
        "1) 24 hours\nor 7 days?\n\n2) Refresh tokens?\n\nThanks!",
        "- 24 hours or 7 days?\n- Refresh tokens?",
        "* 24 hours or 7 days?\n• Refresh tokens?",
        "(1) 24 hours or 7 days?\n(2) Refresh tokens?",
        "Q1: 24 hours or 7 days?\nQ2: Refresh tokens?",
        "\n24 hours or 7 days?\nRefresh tokens?",
        "1. 24 hours or 7 days?\n2. Refresh tokens?\n```\nthe end",
    ] {
        let text = format!("[ACK] GH-42 - needs-clarification\nQuestions:\n{list}");
        assert_eq!(read(&text).questions, expected, "{text:?}");
    }
    let inline = "[ACK] GH-42 - needs_clarification\nQuestions: 1. 24 hours or 7 days? 2. Refresh tokens?";
    assert_eq!(read(inline).questions, expected);
    let single = "[ACK] GH-42 - needs_clarification\nQuestion: Version 2. or\n3?\nNote: x";
    assert_eq!(read(single).questions, ["Version 2. or 3?"]);
}

#[test]
fn a_field_that_says_none_says_nothing() {
    for none in ["none", "None.", "N/A", "- none", "1. No questions", ""] {
        let found =
            read(&format!("[ACK] GH-42 - RECEIVED\nUnderstanding: do it\nQuestions: {none}\nNote: none"));
        assert_eq!((found.questions.len(), found.note), (0, None), "{none:?}");
    }
}

#[test]
fn labels_on_the_first_line_are_read_when_line_breaks_were_lost() {
    let text = "[ACK] GH-42 - CLARIFICATION_NEEDED. Understanding: build it **Questions:** 1. How? 2. When? Note: soon";
    let expected = AckText {
        understanding: Some("build it".to_owned()),
        questions: vec!["How?".to_owned(), "When?".to_owned()],
        note: Some("soon".to_owned()),
        ..ack("GH-42", AckStatus::NeedsClarification)
    };
    assert_eq!(read(text), expected);
}

#[test]
fn finds_every_task_that_a_text_acknowledges() {
    let text = "[ACK] GH-1 - RECEIVED\nUnderstanding: one\n\n[ACK] GH-2 - QUEUED\nNote: after GH-1\n[ACK] GH-3 - LATER";
    let found = parse_all(text);
    let one = AckText { understanding: Some("one".to_owned()), ..ack("GH-1", AckStatus::Received) };
    let two = AckText { note: Some("after GH-1".to_owned()), ..ack("GH-2", AckStatus::Queued) };
    assert_eq!(found.len(), 3);
    assert_eq!((found[0].as_ref(), found[1].as_ref()), (Ok(&one), Ok(&two)));
    assert_eq!(found[2].as_ref().unwrap_err().task_id().as_str(), "GH-3");
    assert_eq!(parse(text), Some(Ok(one)));
}

#[test]
fn two_acknowledgments_of_one_task_must_agree() {
    let agreeing = "[ACK] GH-42 - RECEIVED\nUnderstanding: a\n[ACK] GH-42 - received\nUnderstanding: b";
    let first = AckText { understanding: Some("a".to_owned()), ..ack("GH-42", AckStatus::Received) };
    assert_eq!(parse_all(agreeing), [Ok(first)]);
    let contrary = parse_all("[ACK] GH-42 - RECEIVED\n[ACK] GH-42 - REJECTED");
    assert_eq!(contrary.len(), 1);
    assert!(matches!(&contrary[0], Err(AckProblem::Contradiction { first, second, .. })
        if first == "RECEIVED" && second == "REJECTED"));
}

#[test]
fn what_is_quoted_does_not_count_beside_what_is_said() {
    let text = "> [ACK] GH-42 - RECEIVED\n> Understanding: as before\n[ACK] GH-42 - REJECTED\n> Reason: quoted\nReason: x";
    let found = read(text);
    assert_eq!((found.status, found.reason), (AckStatus::Rejected, Some("x".to_owned())));
    assert_eq!(parse_all(text).len(), 1);
    let only_quoted = read("> [ACK] GH-42 - RECEIVED\n> Understanding: as\n> before\nnot this");
    assert_eq!(only_quoted.understanding.as_deref(), Some("as before"));
}

#[test]
fn reads_huge_texts_of_every_make() {
    for (part, blocks) in [
        ("\n[ACK] a - RECEIVED", 2),
        ("* ", 1),
        ("note ", 1),
        ("Note: x ", 1),
        ("\nQuestions: 1. a 2. b", 1),
        ("> ", 1),
        (" 2. b", 1),
    ] {
        let much = part.repeat(200_000 / part.len());
        let below = format!("[ACK] GH-42 - RECEIVED\nUnderstanding: x\nQuestions: 1. a{much}");
        let beside = format!("[ACK] GH-42 - RECEIVED Understanding: x Questions: 1. a{much}");
        for text in [below, beside] {
            let found = parse_all(&text);
            assert_eq!((found.len(), found[0].is_ok()), (blocks, true), "{part:?}");
        }
    }
    let ids: String = (0..10_000).map(|number| format!("[ACK] GH-{number} - QUEUED\n")).collect();
    assert_eq!(parse_all(&ids).len(), 10_000);
}
