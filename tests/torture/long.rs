//! What the main suite does in short, at length.

use std::thread;
use std::time::Duration;

use super::part::Part;
use crate::common::{Crowd, World};
use crate::simulation;
use crate::wait_ack_race::{kills, races};

/// Races and kills run in worlds of this many, a few worlds at a time.
const IN_A_WORLD: usize = 25;
const AT_A_TIME: usize = 4;

#[test]
fn many_writers_lose_nothing_and_none_waits_long() {
    let part = Part::begin("many writers");
    let crowd = Crowd { writers: 64, rounds: part.number("TORTURE_OPERATIONS", 20).div_ceil(2) };
    let slowest = crowd.write(&World::in_real_time());
    let counts = format!("{} writers x {} operations, 0 failures", crowd.writers, crowd.rounds * 2);
    part.did(&format!("{counts}, the slowest took {:.2} s", slowest.as_secs_f64()));
    assert!(slowest <= Duration::from_secs(5), "{slowest:?}");
}

/// Splits a number into worlds of at most so many, and runs them, a few at a time.
fn in_worlds<T: Send>(number: usize, run: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let full = std::iter::repeat_n(IN_A_WORLD, number / IN_A_WORLD);
    let sizes: Vec<_> = full.chain(Some(number % IN_A_WORLD).filter(|rest| *rest > 0)).collect();
    let run = &run;
    let at_a_time = |sizes: &[usize]| {
        thread::scope(|scope| {
            let worlds: Vec<_> = sizes.iter().map(|size| scope.spawn(move || run(*size))).collect();
            worlds.into_iter().map(|world| world.join().unwrap()).collect::<Vec<_>>()
        })
    };
    sizes.chunks(AT_A_TIME).flat_map(at_a_time).collect()
}

#[test]
fn whatever_the_race_at_the_deadline_all_agree_on_the_end() {
    let part = Part::begin("races at the deadline");
    let number = part.number("TORTURE_RACES", 100);
    let outcomes: Vec<_> = in_worlds(number, |size| races(i64::try_from(size).unwrap())).concat();
    let in_time = outcomes.iter().filter(|outcome| *outcome == "acknowledged").count();
    part.did(&format!("{} races, {in_time} acks in time, 0 disagreements", outcomes.len()));
}

#[test]
fn waiters_that_are_killed_send_no_reminder_twice() {
    let part = Part::begin("killed waiters");
    let number = part.number("TORTURE_RACES", 100);
    in_worlds(number, |size| kills(u64::try_from(size).unwrap()));
    part.did(&format!(
        "{number} waiters killed and resumed by three each, 0 disagreements, 0 reminders twice"
    ));
}

#[test]
fn a_million_random_steps_break_no_promise() {
    let part = Part::begin("simulation");
    let steps = part.number("TORTURE_STEPS", 1_000_000);
    let counts = simulation::run(part.seed, steps);
    part.did(&format!("{counts}, 0 violations"));
}
