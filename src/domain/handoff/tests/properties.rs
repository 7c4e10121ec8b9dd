use proptest::prelude::*;

use crate::domain::handoff::samples::*;
use crate::domain::handoff::{
    Attempt, CheckName, Criteria, Document, FailedTask, FailureCode, HandoffAck, HandoffFailure,
    HandoffInput, HandoffStatus, Moved, Progress, SaidStatus, Step, Transfer,
};

fn name(prefix: &'static str) -> impl Strategy<Value = String> {
    (0..3_u8).prop_map(move |number| format!("{prefix}{number}"))
}

fn acks() -> impl Strategy<Value = HandoffAck> {
    let text = |right: &'static str| {
        prop::option::of(prop::sample::select(vec![right, "something else"]))
            .prop_map(|it| it.map(str::to_owned))
    };
    let status = prop::option::of(prop::sample::select(vec![
        "ready_to_proceed",
        "ready_to_proceed",
        "needs_clarification",
        "environment_issue",
        "rejected",
        "maybe",
    ]))
    .prop_map(|it| it.map(|it| SaidStatus::from(it.to_owned())));
    let questions = prop::option::of(prop::collection::vec(name("question "), 0..3));
    (text("handoff-uuid-123"), status, text(UNDERSTANDING), text(CHECKPOINT), questions).prop_map(
        |(handoff_id, status, understanding, starting_from, questions)| HandoffAck {
            handoff_id,
            status,
            understanding,
            starting_from,
            questions,
            reason: None,
        },
    )
}

/// An input, or the wish to verify what there is.
#[derive(Debug, Clone)]
enum Deed {
    Input(Box<HandoffInput>),
    Verify { accept_understanding: bool, accept_partial: bool },
}

fn deeds() -> impl Strategy<Value = Deed> {
    let attempt =
        prop::sample::select(vec![Attempt::IssueComment, Attempt::Gist, Attempt::IssueLink, Attempt::Labels]);
    let transfer = any::<bool>().prop_map(|partial| Transfer {
        moved: vec![Moved {
            task_uuid: "task-uuid-12345".to_owned(),
            agent_type: "ai".to_owned(),
            module: "auth-core".to_owned(),
            github_issue: None,
            progress: Progress { percentage: None, last_update: at(0) },
        }],
        failed: if partial { vec![FailedTask { uuid: "u".into(), reason: "r".into() }] } else { Vec::new() },
        at: at(0),
    });
    let input = prop_oneof![
        4 => name("/doc").prop_map(|path| HandoffInput::Copied(Document { path, ..document() })),
        3 => (attempt, prop::option::of(name("https://h/")), prop::option::of(name("error ")))
            .prop_map(|(attempt, url, error)| HandoffInput::Tried { attempt, url, error }),
        4 => name("msg_").prop_map(|id| HandoffInput::Sent { message_id: message(&id), operation_id: None }),
        6 => (acks(), prop::option::of(name("msg_ack_"))).prop_map(|(ack, id)| HandoffInput::Acked {
            from: agent("implementer-2"), ack, message_id: id.map(|id| message(&id)),
        }),
        2 => prop::collection::vec(name("answer "), 0..3)
            .prop_map(|answers| HandoffInput::Clarified { answers, updated_handoff_url: None }),
        1 => any::<bool>().prop_map(|in_vain| HandoffInput::Delayed { reason: "online".to_owned(), in_vain }),
        1 => Just(HandoffInput::Corrected),
        1 => Just(HandoffInput::Escalated),
        3 => transfer.prop_map(HandoffInput::Transferred),
        1 => Just(HandoffInput::Failed(HandoffFailure::new(FailureCode::Rejected, "no"))),
        2 => name("msg_c").prop_map(|id| HandoffInput::Confirmed { message_id: message(&id) }),
        2 => Just(HandoffInput::Audited),
        1 => Just(HandoffInput::Superseded { by: "newer".parse().unwrap() }),
    ];
    prop_oneof![
        8 => input.prop_map(|input| Deed::Input(Box::new(input))),
        3 => any::<(bool, bool)>().prop_map(|(accept_understanding, accept_partial)| {
            Deed::Verify { accept_understanding, accept_partial }
        }),
    ]
}

proptest! {
    #[test]
    fn whatever_happens_a_handoff_only_moves_forward(
        begun in 0..3_u8,
        deeds in prop::collection::vec((deeds(), -3..10_i64), 0..40),
    ) {
        let mut handoff = [prepared(), sent(), acked_with(ready())][usize::from(begun)].clone();
        let mut minutes = 6;
        for (deed, passed) in deeds {
            minutes += passed;
            let input = match deed {
                Deed::Input(input) => *input,
                Deed::Verify { accept_understanding, accept_partial } => {
                    let accept_partial = accept_partial.then_some("said so");
                    let criteria = Criteria { accept_understanding, accept_partial, ..Criteria::default() };
                    HandoffInput::Verified(look(&handoff, &criteria))
                }
            };
            let before = handoff.clone();
            let Ok(changed) = handoff.apply(input.clone(), at(minutes)) else {
                prop_assert_eq!(&handoff, &before, "a refusal changed the handoff: {:?}", input);
                continue;
            };
            prop_assert_eq!(changed, handoff != before);
            prop_assert!(handoff.steps.starts_with(&before.steps), "a step was undone");
            prop_assert!(handoff.steps.is_sorted_by(|a, b| a.at <= b.at && a.step.rank() < b.step.rank()));
            prop_assert!(handoff.steps.is_sorted_by(|a, b| a.step.leads_to(b.step)));
            prop_assert!(!before.step().is_last() || handoff.step() == before.step());
            if handoff.transfer.is_some() && before.transfer.is_none() {
                prop_assert!(before.is_cleared(), "tasks moved without a valid acknowledgment");
            }
            prop_assert!(handoff.transfer.is_none() || handoff.failure.is_none());
            let has_copy = handoff.taken_at(Step::Copied) <= handoff.taken_at(Step::Sent) || handoff.sent_at().is_none();
            prop_assert!(has_copy, "sent before it was copied");
            let settled = handoff.clone();
            if let Ok(again) = handoff.apply(input.clone(), at(minutes)) {
                prop_assert!(!again, "repeated {:?}", input);
            }
            prop_assert_eq!(&handoff, &settled);
            let stored = serde_json::to_string(&handoff).unwrap();
            prop_assert_eq!(&serde_json::from_str::<crate::domain::handoff::Handoff>(&stored).unwrap(), &handoff);
        }
    }

    /// C12, ⚠9: the exit code is that of the first check that fails, in the one order.
    #[test]
    fn the_first_failing_check_decides(ack in acks(), accept in any::<bool>(), partial in any::<bool>()) {
        let handoff = acked_with(ack.clone());
        let accept_partial = partial.then_some("said so");
        let criteria = Criteria { accept_understanding: accept, accept_partial, ..Criteria::default() };
        let verification = look(&handoff, &criteria);
        let order: Vec<_> = verification.checks.iter().map(|it| it.check).collect();
        prop_assert_eq!(order.as_slice(), CheckName::ALL);
        let codes: Vec<_> =
            verification.checks.iter().filter(|it| !it.passed).map(|it| it.check.exit_code()).collect();
        prop_assert!(codes.is_sorted());
        prop_assert_eq!(verification.exit_code, codes.first().copied().unwrap_or(0));
        prop_assert_eq!(verification.valid, codes.is_empty());
        for check in &verification.checks {
            prop_assert_eq!(check.passed, check.action.is_none() && check.advice.is_none());
        }
        // Without the orchestrator's word only what is there and right is valid.
        if !partial {
            let right = ack.known_status() == Some(HandoffStatus::ReadyToProceed)
                && ack.handoff_id == ready().handoff_id
                && ack.starting_from.as_deref() == Some(CHECKPOINT)
                && ack.understanding.is_some() && accept
                && ack.questions.as_ref().is_some_and(Vec::is_empty);
            prop_assert_eq!(verification.valid, right);
        }
    }

    #[test]
    fn reading_content_never_fails(text in "\\PC{0,20}", number in any::<i64>()) {
        let content = serde_json::json!({
            "type": "handoff_ack", "handoff_id": text, "understanding": number, "status": text, "questions": text,
        });
        let ack = HandoffAck::from_content(&content).unwrap();
        prop_assert!(ack.understanding.is_none());
        prop_assert_eq!(ack.clone().cleaned(), ack);
    }
}
