//! More time, and the messages of the end, field by field.

use serde_json::json;

use super::*;
use crate::domain::schedule::{Policy, Quorum};

/// A49, A50, A59: after three reminders the notice at 120 seconds, with a text of one's own.
#[test]
fn the_notice_of_a_timeout() {
    let mut scene = Scene::new(
        Profile::Operation,
        Operation { timeout_text: Some("You will be hibernated shortly.".to_owned()), ..skill() },
    );
    scene.until(500);
    let kinds = [(30, "reminder"), (60, "reminder"), (90, "reminder"), (120, "timeout-notice")];
    assert_eq!(scene.kinds(), kinds);
    let notice = scene.last();
    assert_eq!(notice.subject, "Proceeding Without Acknowledgment");
    assert_eq!((notice.category, notice.priority), (Category::Info, Priority::High));
    assert_eq!(
        notice.content,
        json!({
            "type": "timeout-notice",
            "message": "No response received after 2 minutes. Proceeding with operation now. \
                        You will be hibernated shortly.",
            "operation": "skill-install",
            "timeout_occurred": true,
            "operation_id": "op_1",
        })
    );
    let mut plain = Scene::skill();
    plain.until(500);
    assert_eq!(plain.last().body, "No response received after 2 minutes. Proceeding with operation now.");
}

#[test]
fn the_notice_says_so_when_silence_does_not_proceed() {
    let of = |policy, quorum| {
        let overrides = Overrides { on_timeout: Some(policy), quorum, ..Overrides::default() };
        let mut scene = Scene::with(Profile::Operation, &overrides, skill(), &[OTTER]);
        scene.says(10, OTTER, "wait").until(500);
        assert_eq!(scene.last().subject, "Not Proceeding Without Acknowledgment");
        scene.last().body.clone()
    };
    let abort = "No response received after 3 minutes. The operation will not be performed.";
    assert_eq!(of(Policy::Abort, None), abort);
    assert_eq!(of(Policy::Proceed, Some(Quorum::All)), abort);
    let marked = "No response received after 3 minutes. You are now marked unresponsive.";
    assert_eq!(of(Policy::Unresponsive, None), marked);
    let escalated = "No response received after 3 minutes. This has been escalated.";
    assert_eq!(of(Policy::Escalate, None), escalated);
}

/// A60, ⚠5: what remains, and until when.
#[test]
fn an_extension() {
    let mut scene = Scene::skill();
    scene.says(45, OTTER, "wait");
    let notice = scene.last();
    assert_eq!(notice.subject, "Extension Granted");
    assert_eq!((notice.kind, notice.priority), (Kind::ExtensionGranted, Priority::Normal));
    assert_eq!(
        notice.content,
        json!({
            "type": "extension-granted",
            "message": "Extension granted. You now have 135 seconds remaining. Please reply \"ok\" when ready.",
            "new_timeout": "135 seconds",
            "extension_allowed_again": false,
            "deadline": "2026-03-04T00:03:00.000Z",
            "acknowledgment_instructions": instructions_with(false),
            "operation_id": "op_1",
        })
    );
}

#[test]
fn an_extension_told_late_tells_what_is_left_then() {
    let mut scene = Scene::skill();
    scene.says(45, OTTER, "wait");
    let state = scene.handshake.state();
    let notice = extension_granted(state, &state.recipients[0], at(60));
    assert_eq!(notice.content["new_timeout"], "120 seconds");
}

/// A61: the second "wait" is told that there is no more.
#[test]
fn a_refused_extension() {
    let mut scene = Scene::skill();
    scene.says(10, OTTER, "wait").says(20, OTTER, "wait");
    assert_eq!(scene.kinds(), [(10, "extension-granted"), (20, "message")]);
    let notice = scene.last();
    assert_eq!(notice.subject, "Extension Not Granted");
    assert_eq!(notice.content["type"], "extension-refused");
    assert_eq!(notice.content["extension_allowed_again"], false);
    assert_eq!(notice.content["deadline"], "2026-03-04T00:03:00.000Z");
    assert_eq!(
        notice.body,
        "No further extension is allowed. You still have 160 seconds remaining. Please reply \"ok\" when ready."
    );
}

#[test]
fn a_refusal_does_not_speak_of_an_extension_nobody_had() {
    let mut scene = Scene::new(Profile::Emergency, skill());
    scene.says(10, OTTER, "wait");
    assert!(scene.last().body.starts_with("No extension is allowed. You still have 20 seconds remaining."));
}

#[test]
fn only_the_silent_are_told_of_the_timeout() {
    let mut scene = Scene::with(Profile::Operation, &Overrides::default(), skill(), &[OTTER, "zinc-yak"]);
    scene.says(10, OTTER, "ok").until(500);
    let told: Vec<_> =
        scene.sent.iter().filter(|(seconds, ..)| *seconds == 120).map(|(_, to, _)| to.as_str()).collect();
    assert_eq!(told, ["zinc-yak"]);
}

/// A40, A62: everyone asked is told who cancelled what.
#[test]
fn a_cancellation() {
    let mut scene = Scene::with(Profile::Operation, &Overrides::default(), skill(), &[OTTER, "zinc-yak"]);
    scene.says(10, OTTER, "cancel");
    let told: Vec<_> = scene.sent.iter().map(|(_, to, _)| to.as_str()).collect();
    assert_eq!(told, [OTTER, "zinc-yak"]);
    let notice = scene.last();
    assert_eq!((notice.kind, notice.category), (Kind::CancellationNotice, Category::Info));
    assert_eq!(notice.subject, "Operation Cancelled");
    assert_eq!(
        notice.content,
        json!({
            "type": "cancellation-notice",
            "message": "amber-otter asked to cancel. The skill installation will not be performed.",
            "operation": "skill-install",
            "cancelled_by": "amber-otter",
            "operation_id": "op_1",
        })
    );
}

/// A50: the notice after the operation reports how it went, also to who was silent.
#[test]
fn after_the_operation() {
    let mut scene = Scene::skill();
    scene.until(500);
    let state = scene.handshake.state();
    let notice = post_operation(state, &state.recipients[0], Some(0));
    assert_eq!((notice.kind, notice.priority), (Kind::PostOperation, Priority::Normal));
    assert_eq!(notice.subject, "Skill Installation Complete");
    assert_eq!(
        notice.content,
        json!({
            "type": "post-operation",
            "message": "The skill installation is complete.",
            "operation": "skill-install",
            "success": true,
            "exit_status": 0,
            "acknowledgment_received": false,
            "timeout_occurred": true,
            "operation_id": "op_1",
        })
    );
    let failed = post_operation(state, &state.recipients[0], Some(3));
    assert_eq!(failed.body, "The skill installation failed with exit status 3.");
    assert_eq!((failed.subject.as_str(), failed.priority), ("Skill Installation Failed", Priority::High));
    let killed = post_operation(state, &state.recipients[0], None);
    assert_eq!(killed.body, "The skill installation was ended by a signal.");
}

/// A51: the record of an operation nobody acknowledged.
#[test]
fn the_operation_record() {
    let mut scene = Scene::skill();
    assert!(OperationRecord::of(scene.handshake.state()).is_empty());
    scene.until(500);
    let records = serde_json::to_value(OperationRecord::of(scene.handshake.state())).unwrap();
    assert_eq!(
        records,
        json!([{
            "operation_id": "op_1",
            "operation": "skill-install",
            "agent": "amber-otter",
            "acknowledgment_received": false,
            "timeout_occurred": true,
            "proceeded_anyway": true,
        }])
    );
    let mut answered = Scene::skill();
    answered.says(25, OTTER, "ok");
    let record = OperationRecord::of(answered.handshake.state()).remove(0);
    assert!(record.acknowledgment_received && !record.timeout_occurred && !record.proceeded_anyway);
}
