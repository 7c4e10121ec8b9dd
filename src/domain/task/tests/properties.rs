use proptest::prelude::*;

use crate::domain::task::samples::*;
use crate::domain::task::{
    Ack, AckStatus, MAX_CORRECTIONS, TaskError, TaskErrorCode, TaskInput, TaskOutput, TaskStatus,
};

fn text() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["one", "two", "three", " ", ""]).prop_map(str::to_owned)
}

fn texts() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(text(), 0..3)
}

fn inputs() -> impl Strategy<Value = TaskInput> {
    let statuses = prop::sample::select(AckStatus::ALL.to_vec());
    let ack = (statuses, prop::option::of(text()), texts(), texts()).prop_map(
        |(status, understanding, questions, estimated_checkpoints)| {
            TaskInput::Ack(Ack { understanding, questions, estimated_checkpoints, ..Ack::new(status) })
        },
    );
    prop_oneof![
        4 => ack,
        1 => prop::sample::select(TaskErrorCode::ALL.to_vec())
            .prop_map(|code| TaskInput::Fail(TaskError::new(code, None, None, Vec::new()))),
        2 => texts().prop_map(|answers| TaskInput::Clarify { answers }),
        2 => text().prop_map(|text| TaskInput::Correct { text }),
        1 => texts().prop_map(|items| TaskInput::Supplement { items }),
        2 => (0..4_u32, text(), prop::option::of(0..5_u32))
            .prop_map(|(number, summary, next)| TaskInput::Checkpoint { number, summary, next }),
        1 => prop::option::of(text()).prop_map(|summary| TaskInput::Complete { summary }),
        1 => Just(TaskInput::CheckQueue),
        1 => Just(TaskInput::Unresponsive),
        1 => prop::sample::select(vec!["amber-otter", "blue-heron"])
            .prop_map(|to| TaskInput::Reassign { to: agent(to) }),
        1 => prop::option::of(text()).prop_map(|reason| TaskInput::Cancel { reason }),
        1 => Just(TaskInput::AskWhich),
        1 => Just(TaskInput::RetryAt { at: at(90) }),
    ]
}

proptest! {
    #[test]
    fn whatever_happens_the_promises_hold(steps in prop::collection::vec((inputs(), -60..1_200_i64), 0..40)) {
        let mut task = task();
        let mut now = 0;
        for (input, passed) in steps {
            now += passed;
            let before = task.clone();
            let result = task.apply(input.clone(), at(now));

            let Ok(outputs) = result else {
                prop_assert_eq!(&task, &before, "a refusal changed the task: {:?}", input);
                continue;
            };
            // Taking back a task that was rejected concerns nobody, and neither does a plan.
            let silent = match input {
                TaskInput::Cancel { .. } => before.status == TaskStatus::Rejected,
                TaskInput::RetryAt { .. } => true,
                _ => false,
            };
            prop_assert!(silent || outputs.is_empty() == (task == before), "{:?}", input);
            prop_assert!(outputs.is_empty() || task != before, "{:?}", input);
            prop_assert!(task.updated_at >= before.updated_at);
            prop_assert!(!before.status.is_closed() || task == before, "a closed task changed");
            prop_assert_eq!(&task.task_uuid, &before.task_uuid);
            prop_assert!(task.corrections <= MAX_CORRECTIONS);
            prop_assert!(task.checkpoints.is_sorted_by_key(|done| done.number));
            prop_assert_eq!(task.queued_since.is_some(), task.status == TaskStatus::Queued);
            if task.may_begin().0 {
                prop_assert!(task.revision.is_none() && task.questions.is_empty() && task.acknowledged_at.is_some());
            }
            if outputs.iter().any(|it| matches!(it, TaskOutput::SendCheckpoint { .. } | TaskOutput::SendCompletion)) {
                prop_assert!(before.may_begin().0, "work without an acknowledgment");
            }

            let settled = task.clone();
            if let Ok(again) = task.apply(input.clone(), at(now)) {
                prop_assert!(again.is_empty() && task == settled, "repeated {:?} gave {:?}", input, again);
            }
            prop_assert_eq!(&task, &settled);
        }
    }
}
