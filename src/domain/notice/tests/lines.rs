//! The lines a waiter prints, dated here with the second.

use super::*;
use crate::domain::schedule::{Policy, Quorum};

/// A16: the wait begins.
#[test]
fn the_first_line() {
    assert_eq!(
        log::dated("Mon Feb 2", &log::started(&agent(OTTER))),
        "[Mon Feb 2] Started waiting for acknowledgment from amber-otter"
    );
}

/// A33, A44, A46, A57: an "ok" without reminders.
#[test]
fn lines_of_an_ok() {
    let mut scene = Scene::skill();
    scene.says(25, OTTER, "ok");
    assert_eq!(
        scene.lines,
        [
            "[25] Agent amber-otter acknowledged - ready to proceed",
            "[25] Acknowledgment received from amber-otter",
            "[25] Proceeding with operation - agent acknowledged",
        ]
    );
}

/// A58: the line says after how many reminders.
#[test]
fn lines_of_an_ok_after_two_reminders() {
    let mut scene = Scene::skill();
    scene.says(75, OTTER, "ok");
    assert_eq!(
        scene.lines,
        [
            "[30] Reminder 1 of 3 sent to amber-otter - 90 seconds remaining",
            "[60] Reminder 2 of 3 sent to amber-otter - 60 seconds remaining",
            "[75] Agent amber-otter acknowledged - ready to proceed",
            "[75] Acknowledgment received from amber-otter after 2 reminders",
            "[75] Proceeding with operation - agent acknowledged",
        ]
    );
}

/// A42, A44: words that are no answer, more time, cancellation.
#[test]
fn lines_of_the_other_answers() {
    let mut scene = Scene::skill();
    scene.says(5, OTTER, "Still looking").says(10, OTTER, "wait").says(15, OTTER, "wait");
    scene.says(20, OTTER, "cancel").says(25, OTTER, "ok");
    assert_eq!(
        scene.lines,
        [
            "[5] Agent amber-otter sent: Still looking",
            "[10] Agent amber-otter requested more time - extension granted, 170 seconds remaining",
            "[15] Agent amber-otter requested more time - no extension allowed, 165 seconds remaining",
            "[20] Agent amber-otter requested cancellation",
            "[20] Operation cancelled by amber-otter - told amber-otter",
            "[20] Not proceeding with operation - cancelled",
            "[25] Agent amber-otter answered too late: ready",
        ]
    );
}

/// A47, A48: silence is a warning, and an audit line in RFC 3339.
#[test]
fn lines_of_silence() {
    let mut scene = Scene::skill();
    scene.until(500);
    assert_eq!(
        scene.lines[3..],
        [
            "[120] WARNING: Timeout - no acknowledgment from amber-otter after 120 seconds",
            "[120] Proceeding with operation - no acknowledgment from amber-otter",
        ]
    );
    assert_eq!(
        log::audit_timeout(at(120), &agent(OTTER), Duration::from_secs(120)),
        "[2026-03-04T00:02:00.000Z] TIMEOUT: No acknowledgment from amber-otter after 120 seconds"
    );
}

/// A4: a change of state proceeds with a notification instead.
#[test]
fn lines_of_silence_about_a_state_change() {
    let mut scene = Scene::new(Profile::StateChange, skill());
    scene.until(500);
    assert_eq!(
        scene.lines[3],
        "[120] NOTICE: Timeout - no acknowledgment from amber-otter after 120 seconds"
    );
}

#[test]
fn lines_of_refusals() {
    for (text, line, end) in [
        ("rejected", "refused: rejected", "refused"),
        ("environment_issue", "refused: environment-issue", "refused"),
        ("needs-clarification", "needs clarification", "needs clarification"),
    ] {
        let mut scene = Scene::skill();
        scene.says(5, OTTER, text);
        assert_eq!(
            scene.lines,
            [format!("[5] Agent amber-otter {line}"), format!("[5] Not proceeding with operation - {end}"),]
        );
    }
}

#[test]
fn lines_of_a_death_and_of_a_stranger() {
    let mut scene = Scene::skill();
    scene.says(5, "zinc-yak", "ok");
    scene.takes(6, Input::Gone { agent: agent(OTTER), state: AgentState::Dead });
    assert_eq!(
        scene.lines,
        [
            "[5] Reply of zinc-yak not counted (ready): it was not asked",
            "[6] Agent amber-otter is dead",
            "[6] Not proceeding with operation - an agent is gone, no answer from amber-otter",
        ]
    );
}

/// A67: each acknowledgment is logged by agent, and the missing are named.
#[test]
fn lines_of_a_quorum() {
    let overrides =
        Overrides { quorum: Some(Quorum::Count(2)), remind_at: Some(vec![]), ..Overrides::default() };
    let names = [OTTER, "moss-hare", "zinc-yak"];
    let mut scene = Scene::with(Profile::MultiAgent, &overrides, skill(), &names);
    scene.says(5, OTTER, "ok").says(6, "moss-hare", "received").until(500);
    assert_eq!(
        scene.lines,
        [
            "[5] Agent amber-otter acknowledged - ready to proceed",
            "[5] Acknowledgment received from amber-otter",
            "[6] Agent moss-hare acknowledged - ready to proceed",
            "[6] Acknowledgment received from moss-hare",
            "[120] WARNING: Timeout - no acknowledgment from zinc-yak after 120 seconds",
            "[120] Proceeding with operation - 2 of 3 agents acknowledged, no answer from zinc-yak",
        ]
    );
    let mut all = Scene::with(Profile::MultiAgent, &overrides, skill(), &[OTTER, "zinc-yak"]);
    all.says(5, OTTER, "ok").says(6, "zinc-yak", "ok");
    assert_eq!(all.lines.last().unwrap(), "[6] Proceeding with operation - all 2 agents acknowledged");
}

#[test]
fn lines_of_what_a_policy_does() {
    let last_two = |policy| {
        let overrides = Overrides { on_timeout: Some(policy), ..Overrides::default() };
        let mut scene = Scene::with(Profile::Operation, &overrides, skill(), &[OTTER]);
        scene.until(500);
        scene.lines[4..].to_vec()
    };
    assert_eq!(
        last_two(Policy::Unresponsive),
        [
            "[120] Agent amber-otter marked unresponsive",
            "[120] Not proceeding with operation - unresponsive, no answer from amber-otter",
        ]
    );
    assert_eq!(
        last_two(Policy::Escalate),
        [
            "[120] Escalated: no acknowledgment from amber-otter",
            "[120] Not proceeding with operation - escalated, no answer from amber-otter",
        ]
    );
    assert_eq!(
        last_two(Policy::Abort),
        ["[120] Not proceeding with operation - too few acknowledged, no answer from amber-otter",]
    );
}

#[test]
fn lines_of_a_task_and_a_critical_one() {
    let mut task = Scene::new(Profile::Task, skill());
    task.until(300);
    assert_eq!(task.lines, ["[300] ACK request 1 of 1 sent to amber-otter - 120 seconds remaining"]);
    let mut critical = Scene::new(Profile::Critical, skill());
    critical.handshake.handle_timeout(at(515));
    critical.note(515);
    assert_eq!(critical.lines, ["[515] Request sent again to amber-otter - attempt 3 of 3 (skipped 1)"]);
    assert!(critical.sent.is_empty());
}
