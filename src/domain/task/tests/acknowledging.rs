use crate::domain::reply::Verdict;
use crate::domain::task::samples::*;
use crate::domain::task::{
    Ack, AckStatus, TaskError, TaskErrorCode, TaskInput, TaskOutput, TaskStatus, TaskView,
};

/// E8, E12
#[test]
fn a_task_received_without_questions_may_begin() {
    let mut task = task();
    assert!(!task.may_begin().0);
    let plan = vec!["Tests written".to_owned(), "PR ready".to_owned()];
    let said = Ack { estimated_checkpoints: plan.clone(), ..ack(AckStatus::Received, "JWT login", &[]) };
    let outputs = task.apply(TaskInput::Ack(said), at(25)).unwrap();
    assert_eq!(outputs, [TaskOutput::SendAcknowledgment, TaskOutput::Begin]);
    assert_eq!((task.status, task.may_begin().0), (TaskStatus::Received, true));
    assert_eq!((task.understanding.as_deref(), task.estimated_checkpoints), (Some("JWT login"), plan));
    assert_eq!((task.acknowledged_at, task.updated_at), (Some(at(25)), at(25)));
}

/// E12
#[test]
fn a_task_received_with_questions_may_not_begin() {
    for status in [AckStatus::Received, AckStatus::Confirmed, AckStatus::Queued] {
        let mut task = task();
        let said = ack(status, "JWT login", &["24h or 7 days?"]);
        assert_eq!(said.verdict(), Verdict::NeedsClarification);
        assert_eq!(then(&mut task, TaskInput::Ack(said)).unwrap(), [TaskOutput::SendAcknowledgment]);
        assert_eq!(task.status, TaskStatus::NeedsClarification);
        let (may_begin, reason) = task.may_begin();
        assert_eq!((may_begin, reason.as_str()), (false, "1 question waits for an answer from `lead`"));
    }
}

/// E12
#[test]
fn work_is_refused_before_the_acknowledgment_with_the_way_to_it() {
    let mut task = task();
    let before = task.clone();
    let refused = checkpoint(&mut task, 1, "Tests written").unwrap_err();
    assert_eq!(refused.what, "task `GH-42` may not be worked on: `amber-otter` has not acknowledged it");
    assert_eq!(
        refused.hint.unwrap(),
        "first: bb agent ack --task GH-42 --status received --understanding TEXT"
    );
    assert!(then(&mut task, TaskInput::Complete { summary: None }).is_err());
    assert_eq!(task, before);
}

/// E12
#[test]
fn only_received_confirmed_and_working_may_begin() {
    let able: Vec<_> =
        one_of_each().into_iter().filter(|task| task.may_begin().0).map(|task| task.status).collect();
    assert_eq!(able, [TaskStatus::Received, TaskStatus::Confirmed, TaskStatus::Working]);
}

/// E9, E10, E11, E37
#[test]
fn questions_are_answered_and_then_confirmed_before_work() {
    let mut task = task();
    let questions = ["24h or 7 days?", "Refresh tokens?"];
    then(&mut task, TaskInput::Ack(ack(AckStatus::NeedsClarification, "JWT", &questions))).unwrap();
    assert_eq!(task.may_begin().1, "2 questions wait for an answer from `lead`");
    assert!(!task.owes_an_answer());

    let answers = vec!["24 hours".to_owned(), "Yes".to_owned()];
    let outputs = then(&mut task, TaskInput::Clarify { answers: answers.clone() }).unwrap();
    assert_eq!(outputs, [TaskOutput::SendClarification]);
    assert_eq!((task.status, &task.answers), (TaskStatus::NeedsClarification, &answers));
    assert_eq!(task.may_begin(), (false, "the answers wait to be confirmed by `amber-otter`".to_owned()));
    assert!(task.owes_an_answer());
    assert!(checkpoint(&mut task, 1, "early").is_err());
    assert_eq!(then(&mut task, TaskInput::Clarify { answers }).unwrap(), []);

    let outputs = says(&mut task, AckStatus::Confirmed, "JWT with 24h expiry + refresh tokens").unwrap();
    assert_eq!(outputs, [TaskOutput::SendAcknowledgment, TaskOutput::Begin]);
    assert_eq!((task.status, task.may_begin().0), (TaskStatus::Confirmed, true));
    assert_eq!(task.understanding.as_deref(), Some("JWT with 24h expiry + refresh tokens"));
    assert!(task.questions.is_empty());
}

/// E10
#[test]
fn answers_align_with_the_questions_by_position() {
    let mut task = task();
    then(&mut task, TaskInput::Ack(ack(AckStatus::Received, "JWT", &["first?", "second?"]))).unwrap();
    for answers in [vec![], vec!["one"], vec!["one", " "], vec!["one", "two", "three"]] {
        let answers = answers.into_iter().map(str::to_owned).collect();
        let refused = then(&mut task, TaskInput::Clarify { answers }).unwrap_err();
        assert!(refused.hint.unwrap().ends_with("1. first? 2. second?"));
    }
    assert!(task.answers.is_empty());
}

#[test]
fn nothing_is_answered_that_was_not_asked() {
    for mut task in [task(), acked(AckStatus::Received), acked(AckStatus::Queued)] {
        let refused = then(&mut task, TaskInput::Clarify { answers: vec!["yes".to_owned()] }).unwrap_err();
        assert!(refused.what.contains("no open question"));
    }
}

#[test]
fn new_questions_drop_the_answers_to_the_old_ones() {
    let mut task = task();
    then(&mut task, TaskInput::Ack(ack(AckStatus::Received, "JWT", &["first?"]))).unwrap();
    then(&mut task, TaskInput::Clarify { answers: vec!["one".to_owned()] }).unwrap();
    then(&mut task, TaskInput::Ack(ack(AckStatus::Received, "JWT", &["second?"]))).unwrap();
    assert_eq!((task.questions.as_slice(), task.answers.len()), (&["second?".to_owned()][..], 0));
}

#[test]
fn repeating_an_acknowledgment_changes_nothing() {
    for status in AckStatus::ALL {
        for questions in [&[][..], &["why?"]] {
            let mut task = task();
            let said = Ack { reason: Some("busy".to_owned()), ..ack(status, "JWT login", questions) };
            then(&mut task, TaskInput::Ack(said.clone())).unwrap();
            let before = task.clone();
            assert_eq!(task.apply(TaskInput::Ack(said), at(9_000)).unwrap(), []);
            assert_eq!(task, before);
        }
    }
}

/// E33
#[test]
fn a_rejected_task_says_why_and_waits_for_its_delegator() {
    let mut task = task();
    let said = Ack { reason: Some("no access".to_owned()), ..Ack::new(AckStatus::Rejected) };
    assert_eq!(then(&mut task, TaskInput::Ack(said)).unwrap(), [TaskOutput::SendAcknowledgment]);
    assert_eq!(task.may_begin(), (false, "`amber-otter` rejected it: no access".to_owned()));
    let refused = says(&mut task, AckStatus::Received, "JWT").unwrap_err();
    assert_eq!(refused.hint.as_deref(), Some("ask `lead` to assign it again"));
}

/// E32, E33
#[test]
fn flags_must_say_what_their_status_promises() {
    assert!(Ack::new(AckStatus::Rejected).check_complete().unwrap_err().hint.unwrap().contains("--reason"));
    let asking = Ack::new(AckStatus::NeedsClarification);
    assert!(asking.check_complete().unwrap_err().hint.unwrap().contains("--question"));
    assert!(ack(AckStatus::NeedsClarification, "", &["why?"]).check_complete().is_ok());
    assert!(Ack::new(AckStatus::Received).check_complete().is_ok());
}

/// E19, E20
#[test]
fn an_error_is_kept_with_its_advice_and_may_be_followed_by_an_acknowledgment() {
    let mut task = task();
    let error = TaskError::new(
        TaskErrorCode::ResourceUnavailable,
        Some("load at 95%"),
        Some(std::time::Duration::from_secs(15 * 60)),
        vec![agent("agent-backend-02")],
    );
    assert_eq!(
        error.advice(),
        "wait until the agent has capacity, or assign the task to another agent; \
         it asks for 15 min; it suggests agent-backend-02"
    );
    assert_eq!(then(&mut task, TaskInput::Fail(error.clone())).unwrap(), [TaskOutput::SendError]);
    assert_eq!((task.status, task.error.as_ref()), (TaskStatus::Error, Some(&error)));
    assert_eq!(then(&mut task, TaskInput::Fail(error)).unwrap(), []);
    says(&mut task, AckStatus::Received, "JWT").unwrap();
    assert_eq!((task.status, task.error), (TaskStatus::Received, None));
}

/// E36
#[test]
fn the_checklist_follows_the_task() {
    let done =
        |task: &crate::domain::task::Task| task.checklist().iter().map(|it| it.done).collect::<Vec<_>>();
    let mut task = task();
    assert_eq!(task.checklist().len(), 5);
    assert_eq!(done(&task), [true, false, false, false, false]);

    task.apply(TaskInput::Ack(ack(AckStatus::NeedsClarification, "JWT", &["24h?"])), at(60)).unwrap();
    assert_eq!(done(&task), [true, true, true, false, false]);
    assert!(!task.is_officially_assigned());
    then(&mut task, TaskInput::Clarify { answers: vec!["yes".to_owned()] }).unwrap();
    assert_eq!(done(&task), [true, true, true, false, false]);
    says(&mut task, AckStatus::Received, "JWT for 24h").unwrap();
    assert_eq!(done(&task), [true; 5]);
    correct(&mut task, "7 days").unwrap();
    assert_eq!(done(&task), [true, true, false, false, false]);
}

/// E27, E36
#[test]
fn an_acknowledgment_after_five_minutes_is_late() {
    for (seconds, in_time) in [(300, true), (301, false)] {
        let mut task = task();
        task.apply(TaskInput::Ack(Ack::new(AckStatus::Received)), at(seconds)).unwrap();
        assert_eq!(task.checklist()[1].done, in_time);
        assert!(task.is_officially_assigned());
    }
}

#[test]
fn the_view_has_the_fields_of_the_contract() {
    let view: TaskView = acked(AckStatus::Received).view(at(30));
    let json = serde_json::to_value(&view).unwrap();
    let mut keys: Vec<_> = json.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    let mut expected = [
        "task_id",
        "task_uuid",
        "title",
        "agent",
        "delegated_by",
        "status",
        "may_begin",
        "reason",
        "understanding",
        "questions",
        "checkpoints",
        "message_id",
        "assigned_at",
        "updated_at",
    ];
    expected.sort_unstable();
    assert_eq!(keys, expected);
    assert_eq!((&json["may_begin"], &json["reason"]), (&true.into(), &serde_json::Value::Null));
    assert_eq!(task().view(at(30)).reason.as_deref(), Some("`amber-otter` has not acknowledged it"));
}

#[test]
fn a_stored_task_reads_back() {
    let mut task = acked(AckStatus::Received);
    correct(&mut task, "sessions").unwrap();
    let stored = serde_json::to_string(&task).unwrap();
    assert_eq!(serde_json::from_str::<crate::domain::task::Task>(&stored).unwrap(), task);
}

/// E30: one word in reply to an assignment is an answer, unless it asks for time
#[test]
fn a_word_is_an_answer() {
    let of = |text: &str| Ack::of_reply(crate::domain::reply::classify(text), text);
    for (text, status) in [
        ("ok", AckStatus::Received),
        ("received", AckStatus::Received),
        ("confirmed", AckStatus::Confirmed),
        ("queued", AckStatus::Queued),
        ("needs clarification", AckStatus::NeedsClarification),
        ("rejected", AckStatus::Rejected),
    ] {
        assert_eq!(of(text), Some(Ack::new(status)), "{text}");
    }
    for text in ["cancel", "error", "environment issue"] {
        let refused = of(text).unwrap();
        assert_eq!((refused.status, refused.reason.as_deref()), (AckStatus::Rejected, Some(text)));
    }
    for text in ["wait", "not ready", "how is it going?", "not ok"] {
        assert_eq!(of(text), None, "{text}");
    }
}
