//! Anything in any order: no promise is ever broken.

use crate::simulation;

/// As many steps as a minute of the main suite bears; `SIMULATION_STEPS` and `SIMULATION_SEED` say otherwise.
#[test]
fn random_steps_break_no_promise() {
    let number = |name: &str, usual: u64| {
        let given = std::env::var(name).ok();
        given
            .map_or(usual, |text| text.parse().unwrap_or_else(|_| panic!("{name} is not a number: `{text}`")))
    };
    let (seed, steps) = (number("SIMULATION_SEED", 1), number("SIMULATION_STEPS", 4_000));
    let counts = simulation::run(seed, usize::try_from(steps).unwrap());
    println!("{counts}");
    for kind in ["acks", "answers", "crashes", "extensions", "reminders", "reservations", "ended timed_out"] {
        assert!(steps < 4_000 || counts.of(kind) > 0, "there were no {kind}: {counts}");
    }
}
