use std::time::Duration;

use super::*;
use crate::domain::{Invalid, Rule};
use proptest::prelude::*;

fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn usual(profile: Profile) -> Plan {
    Plan::new(profile, &Overrides::default()).unwrap()
}

fn times(plan: &Plan) -> Vec<u64> {
    plan.steps.iter().map(|step| step.after.as_secs()).collect()
}

fn tones(plan: &Plan) -> Vec<Tone> {
    let tone = |step: &Step| match step.kind {
        StepKind::Reminder { tone } => tone,
        other => panic!("{other:?} is no reminder"),
    };
    plan.steps.iter().map(tone).collect()
}

fn operation(overrides: Overrides) -> Result<Plan, Invalid> {
    Plan::new(Profile::Operation, &overrides)
}

/// A52, A53, A54, A55, A56: the defaults.
#[test]
fn the_default_waits_120_seconds_reminds_thrice_extends_once_and_proceeds() {
    let plan = usual(Profile::Operation);
    assert_eq!(plan.wait, secs(120));
    assert_eq!(times(&plan), [30, 60, 90]);
    assert_eq!(plan.extension, Some(secs(60)));
    assert_eq!(plan.on_silence, Policy::Proceed);
    assert_eq!(plan.quorum, None);
}

/// A3, A4: an operation proceeds with a warning, a change of state with a notification.
#[test]
fn a_state_change_is_announced_more_quietly() {
    let operation = usual(Profile::Operation);
    let change = usual(Profile::StateChange);
    assert_eq!((operation.manner, change.manner), (Manner::Warning, Manner::Notification));
    assert_eq!(Plan { profile: Profile::Operation, manner: Manner::Warning, ..change }, operation);
}

/// A5, ⚠10: the row of each profile.
#[test]
fn every_profile_has_its_row() {
    let row = |profile| {
        let plan = usual(profile);
        let extension = plan.extension.map(|it| it.as_secs());
        (plan.wait.as_secs(), times(&plan), extension, plan.on_silence, plan.quorum)
    };
    let more = Some(60);
    assert_eq!(row(Profile::MultiAgent), (120, vec![30, 60, 90], more, Policy::Abort, Some(Quorum::All)));
    assert_eq!(row(Profile::Approval), (120, vec![60, 90], more, Policy::Abort, None));
    assert_eq!(row(Profile::Emergency), (30, vec![10, 20], None, Policy::Proceed, None));
    assert_eq!(row(Profile::Health), (30, vec![], None, Policy::Unresponsive, None));
    assert_eq!(row(Profile::Task), (420, vec![300], more, Policy::Unresponsive, None));
    assert_eq!(row(Profile::Critical), (570, vec![330, 510], more, Policy::Unresponsive, None));
    assert_eq!(row(Profile::Handoff), (600, vec![300, 450], more, Policy::Escalate, None));
}

/// E18, ⚠7: 30 s after the first failure, doubling, at most 120 s.
#[test]
fn backoff_doubles_up_to_two_minutes() {
    let pauses: Vec<_> = [1, 2, 3, 4, 100].into_iter().map(|attempt| backoff(attempt).as_secs()).collect();
    assert_eq!(pauses, [30, 60, 120, 120, 120]);
}

/// A31: the last reminder is final, the first gentle, those between firm.
#[test]
fn tones_rise() {
    assert_eq!(tones(&usual(Profile::Operation)), [Tone::Gentle, Tone::Firm, Tone::Final]);
    assert_eq!(tones(&usual(Profile::Approval)), [Tone::Gentle, Tone::Final]);
    let at = |seconds: &[u64]| {
        let remind_at = Some(seconds.iter().copied().map(secs).collect());
        tones(&operation(Overrides { remind_at, ..Overrides::default() }).unwrap())
    };
    assert_eq!(at(&[10]), [Tone::Final]);
    assert_eq!(at(&[10, 20, 30, 40]), [Tone::Gentle, Tone::Firm, Tone::Firm, Tone::Final]);
}

/// A18, A66: every number can be chosen.
#[test]
fn overrides_replace_the_profiles_numbers() {
    let plan = operation(Overrides {
        timeout: Some(secs(300)),
        remind_at: Some(vec![secs(200), secs(100), secs(200)]),
        extend: Some(Some(secs(90))),
        on_timeout: Some(Policy::Escalate),
        quorum: Some(Quorum::Majority),
        ..Overrides::default()
    })
    .unwrap();
    assert_eq!(plan.wait, secs(300));
    assert_eq!(times(&plan), [100, 200]);
    assert_eq!(plan.extension, Some(secs(90)));
    assert_eq!((plan.on_silence, plan.quorum), (Policy::Escalate, Some(Quorum::Majority)));
}

#[test]
fn no_reminders_and_no_extension_can_be_chosen() {
    let plan =
        operation(Overrides { remind_at: Some(vec![]), extend: Some(None), ..Overrides::default() }).unwrap();
    assert!(plan.steps.is_empty());
    assert_eq!(plan.extension, None);
    let zero = operation(Overrides { extend: Some(Some(Duration::ZERO)), ..Overrides::default() }).unwrap();
    assert_eq!(zero.extension, None);
}

#[test]
fn a_shorter_timeout_drops_the_reminders_that_are_a_habit() {
    let plan = operation(Overrides { timeout: Some(secs(90)), ..Overrides::default() }).unwrap();
    assert_eq!(times(&plan), [30, 60]);
    assert_eq!(tones(&plan), [Tone::Gentle, Tone::Final]);
    let usual_remind_at = Some(vec![secs(10), secs(50)]);
    let plan =
        operation(Overrides { timeout: Some(secs(20)), usual_remind_at, ..Overrides::default() }).unwrap();
    assert_eq!(times(&plan), [10]);
}

#[test]
fn reminders_asked_for_must_come_before_the_end() {
    for late in [120, 150] {
        let remind_at = Some(vec![secs(30), secs(late)]);
        let error = operation(Overrides { remind_at, ..Overrides::default() }).unwrap_err();
        assert_eq!(error.rule, Rule::Duration);
        assert_eq!(
            error.what,
            format!("a reminder at {late} seconds comes too late: the wait ends at 120 seconds")
        );
    }
}

#[test]
fn refuses_what_cannot_be_kept() {
    for overrides in [
        Overrides { timeout: Some(Duration::ZERO), ..Overrides::default() },
        Overrides { timeout: Some(Duration::from_micros(999)), ..Overrides::default() },
        Overrides { timeout: Some(MAX_WAIT + secs(1)), ..Overrides::default() },
        Overrides { extend: Some(Some(MAX_WAIT + secs(1))), ..Overrides::default() },
        Overrides { remind_at: Some(vec![Duration::ZERO]), ..Overrides::default() },
        Overrides {
            remind_at: Some((1..=MAX_REMINDERS as u64 + 1).map(secs).collect()),
            ..Overrides::default()
        },
    ] {
        assert_eq!(operation(overrides.clone()).unwrap_err().rule, Rule::Duration, "{overrides:?}");
    }
    assert!(operation(Overrides { timeout: Some(MAX_WAIT), ..Overrides::default() }).is_ok());
    for first_wait in [Duration::ZERO, MAX_WAIT, Duration::MAX] {
        let overrides = Overrides { first_wait: Some(first_wait), ..Overrides::default() };
        assert!(Plan::new(Profile::Handoff, &overrides).is_err(), "{first_wait:?}");
    }
}

/// A56: not proceeding can be made the rule; proceeding is never forced on a profile that aborts.
#[test]
fn proceed_on_timeout_only_takes_away() {
    let policy = |profile, proceed, on_timeout| {
        let overrides = Overrides { proceed_on_timeout: Some(proceed), on_timeout, ..Overrides::default() };
        Plan::new(profile, &overrides).unwrap().on_silence
    };
    assert_eq!(policy(Profile::Operation, true, None), Policy::Proceed);
    assert_eq!(policy(Profile::Operation, false, None), Policy::Abort);
    assert_eq!(policy(Profile::Approval, true, None), Policy::Abort);
    assert_eq!(policy(Profile::Health, false, None), Policy::Unresponsive);
    assert_eq!(policy(Profile::Operation, false, Some(Policy::Proceed)), Policy::Proceed);
}

#[test]
fn the_profile_says_what_a_step_sends_and_the_flag_when() {
    let overrides = Overrides { remind_at: Some(vec![secs(10), secs(20)]), ..Overrides::default() };
    let kinds = |profile| {
        let plan = Plan::new(profile, &overrides).unwrap();
        plan.steps.iter().map(|step| step.kind).collect::<Vec<_>>()
    };
    assert_eq!(kinds(Profile::Task), [StepKind::AckRequest, StepKind::AckRequest]);
    assert_eq!(kinds(Profile::Critical), [StepKind::Resend { attempt: 2 }, StepKind::Resend { attempt: 3 }]);
}

/// H29: the urgency gives T.
#[test]
fn a_handoff_reminds_at_t_and_one_and_a_half_t() {
    let plan = |minutes| {
        let first_wait = Some(secs(minutes * 60));
        Plan::new(Profile::Handoff, &Overrides { first_wait, ..Overrides::default() }).unwrap()
    };
    for minutes in [5, 15, 30] {
        assert_eq!(times(&plan(minutes)), [minutes * 60, minutes * 90]);
        assert_eq!(plan(minutes).wait, secs(minutes * 120));
    }
}

#[test]
fn a_quorum_is_all_a_majority_or_a_number() {
    for (text, quorum) in [("all", Quorum::All), ("Majority", Quorum::Majority), (" 2 ", Quorum::Count(2))] {
        assert_eq!(text.parse::<Quorum>().unwrap(), quorum);
        assert_eq!(quorum.to_string().parse::<Quorum>().unwrap(), quorum);
    }
    for text in ["", "0", "-1", "half", "1.5"] {
        assert!(text.parse::<Quorum>().is_err(), "{text}");
    }
    let majorities: Vec<_> = (1..=5).map(|asked| Quorum::Majority.needed(asked)).collect();
    assert_eq!(majorities, [1, 2, 2, 3, 3]);
    assert_eq!(Quorum::All.needed(4), 4);
    assert!(Quorum::Count(5).check(4).is_err());
    assert!(Quorum::Count(4).check(4).is_ok());
}

#[test]
fn words_are_those_of_the_flags() {
    let profiles: Vec<_> = Profile::ALL.iter().map(|it| it.as_str()).collect();
    assert_eq!(
        profiles.join(" "),
        "operation state-change multi-agent approval emergency health task critical handoff"
    );
    let policies: Vec<_> = Policy::ALL.iter().map(|it| it.as_str()).collect();
    assert_eq!(policies.join(" "), "proceed abort unresponsive escalate");
}

/// ⚠19: stored once, in milliseconds.
#[test]
fn a_plan_is_stored_in_milliseconds() {
    let overrides = Overrides { timeout: Some(Duration::from_millis(400_500)), ..Overrides::default() };
    let json = serde_json::to_string(&Plan::new(Profile::Critical, &overrides).unwrap()).unwrap();
    assert_eq!(
        json,
        r#"{"profile":"critical","wait_ms":400500,"steps":[{"after_ms":330000,"kind":"resend","attempt":2}],"extension_ms":60000,"on_silence":"unresponsive","quorum":null,"manner":"warning"}"#
    );
}

proptest! {
    #[test]
    fn a_plan_is_loaded_as_it_was_stored(
        profile in prop::sample::select(Profile::ALL),
        timeout in prop::option::of(1..10_000_000_u64),
        remind_at in prop::option::of(prop::collection::vec(1..10_000_000_u64, 0..5)),
        extend in prop::option::of(prop::option::of(0..10_000_000_u64)),
        quorum in prop::option::of(prop::sample::select(vec![Quorum::All, Quorum::Majority, Quorum::Count(7)])),
    ) {
        let micros = Duration::from_micros;
        let overrides = Overrides {
            timeout: timeout.map(micros),
            remind_at: remind_at.map(|it| it.into_iter().map(micros).collect()),
            extend: extend.map(|it| it.map(micros)),
            quorum,
            ..Overrides::default()
        };
        if let Ok(plan) = Plan::new(profile, &overrides) {
            let stored = serde_json::to_string(&plan).unwrap();
            prop_assert_eq!(&serde_json::from_str::<Plan>(&stored).unwrap(), &plan);
            prop_assert!(plan.steps.iter().all(|step| step.after < plan.wait));
            prop_assert!(plan.steps.is_sorted_by(|a, b| a.after < b.after));
        }
    }
}
