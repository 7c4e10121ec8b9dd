//! One store, and what happens in it.

use std::cell::Cell;
use std::ffi::OsString;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::Duration;

use bb_agent::clock::Clock;
use bb_agent::commands::{Context, register};
use bb_agent::domain::Timestamp;
use bb_agent::domain::agent::AgentId;
use bb_agent::failure::{Code, Failure};
use bb_agent::ids::Ids;
use bb_agent::settings::Settings;
use serde_json::json;

use super::counts::Counts;
use super::promises::Promises;
use crate::common::{World, replay, scattered};

const AGENTS: usize = 64;
const BEGINNING: Timestamp = Timestamp::from_millis(1_772_582_400_000);

/// How a command may end when everybody does anything.
const REFUSALS: [Code; 8] = [
    Code::RecipientGone,
    Code::UnknownRecipient,
    Code::ReservationConflict,
    Code::ReservationStaleFound,
    Code::ReservationNotFound,
    Code::ReleaseForbidden,
    Code::ReadForbidden,
    Code::AckForbidden,
];

pub(super) struct Play<'a> {
    settings: &'a Settings,
    ids: &'a Ids,
    clock: &'a Clock,
    now: &'a Cell<Timestamp>,
    pub(super) context: Context<'a>,
    chances: Box<dyn Iterator<Item = usize>>,
    pub(super) agents: Vec<AgentId>,
    pub(super) promises: Promises,
    pub(super) counts: Counts,
}

impl Play<'_> {
    /// Plays so many steps in a new store; one that breaks a promise is named by its seed.
    pub(super) fn of(seed: u64, steps: usize) -> Counts {
        let mut step = 0;
        let played = catch_unwind(AssertUnwindSafe(|| Self::play(seed, steps, &mut step)));
        played.unwrap_or_else(|broken| {
            let again =
                format!("SIMULATION_SEED={seed} SIMULATION_STEPS={step} cargo test --test all random_steps");
            let _ = writeln!(std::io::stderr(), "\nsimulation: a promise is broken; the same again: {again}");
            resume_unwind(broken)
        })
    }

    fn play(seed: u64, steps: usize, step: &mut usize) -> Counts {
        let world = World::in_memory();
        let store = world.store();
        let settings =
            Settings::from_lookup(move |name| (name == "BB_STORE").then(|| OsString::from(store.clone())));
        let (clock, ids) = (Clock::new(Some(BEGINNING)), Ids::new(Some(seed)));
        let Clock::Fixed(now) = &clock else { panic!("it was fixed") };
        let mut play = Play {
            settings: &settings,
            ids: &ids,
            clock: &clock,
            now,
            context: Context::new(&settings, &clock, &ids, None),
            chances: Box::new(scattered(seed)),
            agents: (0..AGENTS).map(|number| format!("agent-{number:02}").parse().unwrap()).collect(),
            promises: Promises::default(),
            counts: Counts { steps, stores: 1, ..Counts::default() },
        };
        play.register_all();
        while *step < steps {
            *step += 1;
            play.step();
            play.promises.look(&play.context, &mut play.counts);
        }
        play.promises.look_back(&play.context);
        assert_eq!(replay::told(&world), replay::held(&world), "the events tell what the tables hold");
        play.counts
    }

    fn register_all(&mut self) {
        for (number, agent) in self.agents.clone().into_iter().enumerate() {
            let args = json!({"name": agent, "role": format!("role-{}", number % 8)});
            let args: register::Args = serde_json::from_value(args).unwrap();
            register::run(&self.context, &args).unwrap();
        }
    }

    /// A number below a bound.
    pub(super) fn chance(&mut self, below: usize) -> usize {
        self.chances.next().unwrap() % below.max(1)
    }

    pub(super) fn anyone(&mut self) -> AgentId {
        let number = self.chance(self.agents.len());
        self.agents[number].clone()
    }

    /// One of a few; there is one at least.
    pub(super) fn one_of<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.chance(from.len())].clone()
    }

    pub(super) fn one_if_any<T: Clone>(&mut self, from: &[T]) -> Option<T> {
        (!from.is_empty()).then(|| self.one_of(from))
    }

    /// Counts a command; a refusal that belongs to the game is one, anything else is a bug.
    pub(super) fn took<T>(&mut self, name: &str, done: Result<T, Failure>) -> Option<T> {
        match done {
            Ok(done) => {
                self.counts.note(name);
                Some(done)
            }
            Err(failure) => {
                assert!(REFUSALS.contains(&failure.code), "{name}: {failure:?}");
                self.counts.note("refused");
                None
            }
        }
    }

    pub(super) fn forward(&mut self, most: Duration) {
        let millis = self.chance(usize::try_from(most.as_millis()).unwrap());
        self.set_clock(self.now.get() + Duration::from_millis(millis as u64));
        self.counts.note("clock forward");
    }

    pub(super) fn back(&mut self, most: Duration) {
        let millis = self.chance(usize::try_from(most.as_millis()).unwrap());
        self.set_clock(self.now.get() - Duration::from_millis(millis as u64));
        self.counts.note("clock back");
    }

    fn set_clock(&mut self, to: Timestamp) {
        self.now.set(to);
        self.promises.clock_is(to);
    }

    /// The process dies; another one opens the store.
    pub(super) fn crash(&mut self) {
        self.context = Context::new(self.settings, self.clock, self.ids, None);
        self.counts.note("crashes");
    }
}
