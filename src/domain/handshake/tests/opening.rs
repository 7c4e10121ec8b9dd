//! What a handshake can begin with.

use super::*;
use crate::domain::schedule::Quorum;

/// A18: who is asked, for how long and when to remind are parameters.
#[test]
fn agents_timeout_and_reminders_are_parameters() {
    let overrides = Overrides {
        timeout: Some(std::time::Duration::from_secs(10)),
        remind_at: Some(vec![std::time::Duration::from_secs(4)]),
        ..Overrides::default()
    };
    let mut scene = Scene::new(Plan::new(Profile::Operation, &overrides).unwrap(), &["zinc-yak"]);
    scene.until(500.0);
    scene.expect(&[
        "4 final 1/1 to zinc-yak, 6 s left",
        "10 zinc-yak silent for 10 s",
        "10 end timed_out proceed",
    ]);
}

#[test]
fn somebody_must_be_asked_and_nobody_twice() {
    let open = |names: &[&str]| Handshake::open(opening(plan(Profile::Operation), names), at(0.0));
    assert!(open(&[]).is_err());
    assert!(open(&[OTTER, "zinc-yak", OTTER]).unwrap_err().what.contains(OTTER));
    let mut nameless = opening(plan(Profile::Operation), &[OTTER]);
    nameless.operation.kind = " ".to_owned();
    assert!(Handshake::open(nameless, at(0.0)).is_err());
}

#[test]
fn a_quorum_larger_than_the_recipients_is_refused() {
    let with = |quorum| {
        let overrides = Overrides { quorum: Some(quorum), ..Overrides::default() };
        let plan = Plan::new(Profile::MultiAgent, &overrides).unwrap();
        Handshake::open(opening(plan, &[OTTER, "zinc-yak"]), at(0.0))
    };
    assert!(with(Quorum::Count(3)).is_err());
    assert!(with(Quorum::Count(2)).is_ok());
    assert!(with(Quorum::Majority).is_ok());
}

/// A1: whatever happens, there is a next instant to look at until there is an end.
#[test]
fn it_always_knows_what_it_waits_for() {
    let mut scene = Scene::operation();
    let who = || agent(OTTER);
    let next = |scene: &Scene| scene.handshake.poll_timeout();
    assert_eq!(next(&scene), Some((at(30.0), Why::Step { agent: who(), number: 1 })));
    scene.until(90.0);
    assert_eq!(next(&scene), Some((at(120.0), Why::Deadline { agent: who() })));
    scene.says(100.0, OTTER, "wait");
    assert_eq!(next(&scene), Some((at(180.0), Why::Deadline { agent: who() })));
    scene.says(101.0, OTTER, "hm");
    assert_eq!(next(&scene), Some((at(180.0), Why::Deadline { agent: who() })));
    scene.until(180.0);
    assert_eq!(next(&scene), None);
}
