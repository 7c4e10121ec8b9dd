use crate::domain::Rule;
use crate::domain::handoff::samples::*;
use crate::domain::handoff::{
    Handoff, HandoffInput, NewHandoff, Next, Step, TaskRef, check_tasks, document_name,
};
use crate::domain::schedule::{Overrides, Plan, Profile};
use crate::domain::task::TaskStatus;

/// H3, ⚠15
#[test]
fn the_document_is_named_after_both_agents_and_the_time() {
    assert_eq!(
        document_name(&agent("implementer-1"), &agent("implementer-2"), at(0)),
        "replacement-handoff-implementer-1-to-implementer-2-20260131T143000Z.md"
    );
}

/// H4
#[test]
fn the_local_copy_comes_before_everything_else() {
    let mut handoff = prepared();
    assert_eq!(handoff.next(), Next::Copy);
    let sent = HandoffInput::Sent { message_id: message("msg_1"), operation_id: None };
    assert_eq!(handoff.apply(sent, at(0)).unwrap_err().rule, Rule::Handoff);
    assert_eq!(handoff.next_publishing(), None);
    assert_eq!(handoff, prepared());
    assert!(handoff.apply(HandoffInput::Copied(document()), at(0)).unwrap());
    assert_eq!(handoff.step(), Step::Copied);
    assert_ne!(handoff.next(), Next::Copy);
}

/// H29, H15: the urgency is the time that the wait begins with.
#[test]
fn the_urgency_sets_the_times_of_the_wait() {
    let first_wait = Some(prepared().urgency.first_wait());
    let plan = Plan::new(Profile::Handoff, &Overrides { first_wait, ..Overrides::default() }).unwrap();
    let times: Vec<_> = plan.steps.iter().map(|step| step.after.as_secs() / 60).collect();
    assert_eq!((times, plan.wait.as_secs() / 60), (vec![5, 7], 10));
}

#[test]
fn what_cannot_be_handed_over_is_refused() {
    let refused = |change: &dyn Fn(&mut NewHandoff)| {
        let mut new = new_handoff();
        change(&mut new);
        let invalid = Handoff::prepare(new, at(0)).unwrap_err();
        assert_eq!(invalid.rule, Rule::Handoff, "{}", invalid.what);
        assert!(invalid.hint.is_some());
        invalid.what
    };
    assert!(refused(&|new| new.replacement.id = new.failed.id.clone()).contains("cannot replace itself"));
    assert!(refused(&|new| new.replacement.id = new.orchestrator.clone()).contains("to itself"));
    assert!(refused(&|new| new.tasks.clear()).contains("needs a task"));
    assert!(refused(&|new| new.tasks.extend(new.tasks.clone())).contains("named twice"));
    assert!(refused(&|new| new.reason = " ".to_owned()).contains("reason"));
    assert!(refused(&|new| new.starting_from = Some(String::new())).contains("checkpoint"));
}

#[test]
fn only_open_tasks_of_the_failed_agent_are_handed_over() {
    let failed = agent("implementer-1");
    assert!(check_tasks(&failed, &tasks()).is_ok());
    let mut done = task("GH-43", "uuid-43");
    done.status = TaskStatus::Complete;
    let mut other = task("GH-44", "uuid-44");
    other.agent = agent("implementer-3");
    for (task, why) in [(done, "task `GH-43` is complete"), (other, "task `GH-44` is with `implementer-3`")] {
        assert!(check_tasks(&failed, &[task]).unwrap_err().what.starts_with(why));
    }
}

#[test]
fn a_task_is_referred_to_with_what_is_known_of_its_progress() {
    let reference = TaskRef::of(&task("GH-42", "task-uuid-12345"));
    assert_eq!((reference.task_id.as_str(), reference.last_known_progress), ("GH-42", Some(60)));
}

#[test]
fn a_handoff_is_loaded_as_it_was_stored() {
    for handoff in [prepared(), sent(), verified(), unanswered(), acked_with(asks("which library?"))] {
        let stored = serde_json::to_string(&handoff).unwrap();
        assert_eq!(serde_json::from_str::<Handoff>(&stored).unwrap(), handoff);
    }
}

#[test]
fn a_caller_sees_where_it_stands() {
    let view = serde_json::to_value(sent().view()).unwrap();
    for (key, value) in [
        ("handoff_id", "handoff-uuid-123"),
        ("message_id", "msg_handoff"),
        ("operation_id", "op_1"),
        ("url", URL),
        ("urgency", "immediate"),
        ("priority", "urgent"),
        ("ack_required_within", "5 minutes"),
        ("step", "sent"),
        ("replacement_status", "sent"),
        ("sent_at", "2026-01-31T14:30:00.000Z"),
    ] {
        assert_eq!(view[key], value, "{key}");
    }
    assert_eq!(view["document"]["size_bytes"], 15_234);
    assert_eq!(view["tasks"][0]["task_uuid"], "task-uuid-12345");
    assert_eq!(view["published"], true);
    let steps: Vec<_> = view["steps"].as_array().unwrap().iter().map(|it| &it["step"]).collect();
    assert_eq!(steps, ["prepared", "copied", "published", "sent"]);
}
