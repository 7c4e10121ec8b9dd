use super::*;

/// E3
#[test]
fn each_of_the_seven_marks_is_found() {
    for (mark, bodies) in [
        (Mark::TaskId, &["## Task: GH-42-feature\nDo it", "Task ID: GH-42", "**Task ID:** GH-42\r\nx"][..]),
        (
            Mark::AcceptanceCriteria,
            &[
                "## Acceptance Criteria\n- logs in",
                "Acceptance criteria:\nx",
                "**Acceptance Criteria:** passes",
            ],
        ),
        (Mark::GitWorkflow, &["### Git Workflow\nbranch off main", "GIT WORKFLOW", "## 3. Git workflow"]),
        (
            Mark::VerificationCommands,
            &["## Verification Commands\n```\ncargo test\n```", "__Verification Commands__"],
        ),
        (Mark::RequiredOutputFormat, &["# Required Output Format\nJSON", "Required Output Format:"]),
        (Mark::Checklist, &["- [ ] write tests", "Do:\n  * [ ] write tests", "1. [ ] write tests"]),
        (
            Mark::Placeholders,
            &[
                "Branch: {{BRANCH_NAME}}",
                "Name: <fill in>",
                "Summary: [fill in the summary]",
                "Use <BRANCH_NAME> for it",
                "```\nStatus: {{ STATUS }}\n```",
                "Result: <your result>",
            ],
        ),
    ] {
        for body in bodies {
            assert_eq!(marks(body), [mark], "{body:?}");
        }
    }
}

/// E3
#[test]
fn a_whole_delegation_shows_every_mark_once_in_order() {
    let body = "## Task: GH-42\n## Acceptance Criteria\n- [ ] a\n- [ ] b\n## Git Workflow\nx\n\
                ## Verification Commands\n```\ncargo test\n```\n## Required Output Format\n{{SUMMARY}} {{RESULT}}";
    assert_eq!(marks(body), Mark::ALL);
}

/// E2, E4, E6
#[test]
fn the_six_kinds_of_conversation_carry_no_mark() {
    for (kind, body) in [
        (
            "clarifying question",
            "Which part of the acceptance criteria is unclear? Is the task id GH-42 right?",
        ),
        (
            "feedback",
            "Good work on GH-42.\n- [x] tests pass\nAcceptance criteria: met. Verification commands: all green.",
        ),
        (
            "approach options",
            "Two options:\n1. keep the git workflow we have\n2. rebase\n\nI would take the first. And you?",
        ),
        (
            "technical discussion",
            "`Vec<T>` against `Map<K, V>`: a `{{NAME}}` in a template, a[0], std::vec::Vec<MAX_LEN>, <T>, <br>, <HTML>.\n\
             ```rust\n// # Git Workflow\nlet x: Option<Vec<u8>> = None;\nformat!(\"{{}} {name} {{x}}\");\n```\n\
             In CI it is ${{ GITHUB_TOKEN }} and {{ .Values.name }}.",
        ),
        ("status inquiry", "How far are you with task GH-42? When do you expect the required output?"),
        ("coordination", "I take src/ today, you take docs/. See you at 15:00, and mind the [INFO] mails."),
        (
            "reply that quotes a delegation",
            "> ## Task: GH-42\n> ## Acceptance Criteria\n> - [ ] a\n> {{NAME}}\n\nWill the first one do?",
        ),
    ] {
        assert_eq!(marks(body), [], "{kind}");
        assert_eq!(warning(&marks(body)), None);
    }
}

/// E2
#[test]
fn the_warning_names_the_marks_and_the_way_out() {
    let warning = warning(&marks("Task ID: GH-42\n- [ ] a")).unwrap();
    for part in ["a task id", "a checklist", "bb agent assign", "--require-ack"] {
        assert!(warning.contains(part), "{warning}");
    }
}

#[test]
fn what_only_resembles_a_mark_is_none() {
    for body in [
        "",
        "-[ ] no bullet",
        "- [ ]",
        "- [] x",
        "Tasks: many",
        "Task: fix it",
        "## Tasks: all",
        "## Task:",
        "Task ID: not known yet",
        "{{x}}",
        "{{}}",
        "a << 2 >> b",
        "<A>",
        "the acceptance criteria",
        "Git workflow is fine",
        "see [your inbox](inbox.md) in {your home}",
        "{{{{{{",
        "`- [ ] x`",
    ] {
        assert_eq!(marks(body), [], "{body:?}");
    }
}

proptest::proptest! {
    #[test]
    fn never_panics(body in "(\\PC|[\n\r>#*`{}<>\\[\\] ]){0,80}") {
        let found = marks(&body);
        proptest::prop_assert!(found.is_sorted());
    }
}
