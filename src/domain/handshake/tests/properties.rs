//! Whatever happens, in whatever order.

use super::*;
use crate::domain::schedule::{Policy, Quorum};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

const NAMES: [&str; 3] = [OTTER, "moss-hare", "zinc-yak"];

#[derive(Debug, Clone)]
enum Move {
    /// The clock goes on, and the waiter sleeps through it.
    Pass(i64),
    /// The clock is set back.
    Back(i64),
    Wake,
    /// The waiter is killed; another one resumes.
    Kill,
    Says(usize, Verdict),
    Dies(usize),
}

fn moves(back: bool) -> impl Strategy<Value = Vec<Move>> {
    let backwards = if back { 1 } else { 0 };
    let one = prop_oneof![
        6 => prop_oneof![0..2_000_i64, 0..40_000_i64, 0..400_000_i64].prop_map(Move::Pass),
        backwards => (0..100_000_000_i64).prop_map(Move::Back),
        6 => Just(Move::Wake),
        2 => Just(Move::Kill),
        4 => (0..NAMES.len(), prop::sample::select(Verdict::ALL)).prop_map(|(who, what)| Move::Says(who, what)),
        3 => (0..NAMES.len(), prop::sample::select(vec![Verdict::NeedsTime, Verdict::Other]))
            .prop_map(|(who, what)| Move::Says(who, what)),
        1 => (0..NAMES.len()).prop_map(Move::Dies),
    ];
    prop::collection::vec(one, 0..40)
}

fn plans() -> impl Strategy<Value = Plan> {
    let quorum = prop::option::of(prop::sample::select(vec![
        Quorum::All,
        Quorum::Majority,
        Quorum::Count(1),
        Quorum::Count(3),
    ]));
    let policy = prop::option::of(prop::sample::select(Policy::ALL));
    (prop::sample::select(Profile::ALL), quorum, policy).prop_map(|(profile, quorum, on_timeout)| {
        Plan::new(profile, &Overrides { quorum, on_timeout, ..Overrides::default() }).unwrap()
    })
}

/// A handshake driven by moves, with everything that came out and the clock it came out at.
struct Run {
    handshake: Handshake,
    clock: i64,
    /// The farthest the clock ever went: no output can honestly need more.
    farthest: i64,
    replies: usize,
    outputs: Vec<(i64, Output)>,
}

impl Run {
    fn new(plan: Plan) -> Self {
        let handshake = Handshake::open(opening(plan, &NAMES), Timestamp::from_millis(START)).unwrap();
        Self { handshake, clock: START, farthest: START, replies: 0, outputs: Vec::new() }
    }

    fn make(&mut self, one: &Move) {
        let now = Timestamp::from_millis(self.clock);
        match one {
            Move::Pass(millis) => {
                self.clock += millis;
                self.farthest = self.farthest.max(self.clock);
            }
            Move::Back(millis) => self.clock -= millis,
            Move::Wake => self.handshake.handle_timeout(now),
            Move::Kill => {
                let stored = serde_json::to_string(self.handshake.state()).unwrap();
                self.handshake = Handshake::resume(serde_json::from_str(&stored).unwrap());
            }
            Move::Says(who, verdict) => {
                self.replies += 1;
                let reply =
                    Reply { verdict: *verdict, ..reply_of(NAMES[*who], verdict.as_str(), self.replies) };
                self.handshake.handle(Input::Reply(reply), now);
            }
            Move::Dies(who) => {
                let gone = Input::Gone { agent: agent(NAMES[*who]), state: AgentState::Dead };
                self.handshake.handle(gone, now);
            }
        }
        while let Some(output) = self.handshake.poll_output() {
            self.outputs.push((self.farthest, output));
        }
    }

    /// Wakes when it must until it is over.
    fn finish(&mut self) {
        while let Some((when, _)) = self.handshake.poll_timeout() {
            self.clock = when.millis();
            self.farthest = self.farthest.max(self.clock);
            self.make(&Move::Wake);
        }
    }

    fn said(&self) -> Vec<&Output> {
        self.outputs.iter().map(|(_, output)| output).collect()
    }
}

fn check(run: &Run) -> Result<(), TestCaseError> {
    let mut steps = BTreeSet::new();
    let mut extended = BTreeSet::new();
    let mut settled = BTreeSet::new();
    let mut wait_of: BTreeMap<AgentId, std::time::Duration> = BTreeMap::new();
    let mut ends = 0;
    let plan = &run.handshake.state().plan;
    for (clock, output) in &run.outputs {
        let late = matches!(output, Output::Late { .. } | Output::NotCounted { .. });
        prop_assert!(ends == 0 || late, "{output:?} after the end");
        match output {
            Output::Remind(Reminder { to, number, skipped, .. }) => {
                check_step(run, *clock, to, *number, skipped, &mut steps)?;
                prop_assert!(!settled.contains(to));
            }
            Output::Resend { to, attempt, skipped, .. } => {
                check_step(run, *clock, to, attempt - 1, skipped, &mut steps)?;
                prop_assert!(!settled.contains(to));
            }
            Output::ExtensionGranted { to, .. } => {
                prop_assert!(extended.insert(to.clone()) && !settled.contains(to));
                wait_of.insert(to.clone(), plan.wait + plan.extension.unwrap());
            }
            Output::Answered { agent, verdict, .. } => {
                prop_assert!(settled.insert(agent.clone()) || *verdict == Verdict::Cancel);
            }
            Output::Gone { agent, .. } => prop_assert!(settled.insert(agent.clone())),
            Output::TimedOut { agent, waited } => {
                prop_assert!(settled.insert(agent.clone()));
                prop_assert_eq!(waited, wait_of.get(agent).unwrap_or(&plan.wait));
                prop_assert!(START + waited.as_millis() as i64 <= *clock, "timed out early");
            }
            Output::Ended(_) => ends += 1,
            _ => {}
        }
    }
    prop_assert_eq!(ends, 1);
    Ok(())
}

fn check_step(
    run: &Run,
    clock: i64,
    to: &AgentId,
    number: usize,
    skipped: &[usize],
    steps: &mut BTreeSet<(AgentId, usize)>,
) -> Result<(), TestCaseError> {
    let after = run.handshake.state().plan.steps[number - 1].after.as_millis() as i64;
    prop_assert!(START + after <= clock, "step {number} early");
    prop_assert!(steps.insert((to.clone(), number)), "step {number} twice");
    for earlier in skipped {
        prop_assert!(earlier < &number && steps.insert((to.clone(), *earlier)), "{earlier} skipped and sent");
    }
    Ok(())
}

proptest! {
    /// A1, A22, A24, A38: one outcome; each step at most once, never early, never after the answer
    /// or the end; one extension; whatever is replied, killed or done to the clock.
    #[test]
    fn keeps_its_promises(plan in plans(), script in moves(true)) {
        let mut run = Run::new(plan);
        for one in &script {
            run.make(one);
        }
        run.finish();
        check(&run)?;
        let state = run.handshake.state();
        for recipient in &state.recipients {
            prop_assert!(recipient.steps_done <= state.plan.steps.len());
            prop_assert_eq!(recipient.steps_done, recipient.reminders_sent + recipient.skipped.len());
        }
    }

    #[test]
    fn a_resumed_handshake_has_the_same_future(plan in plans(), past in moves(true), future in moves(true)) {
        let mut run = Run::new(plan);
        for one in &past {
            run.make(one);
        }
        let mut resumed = Run {
            handshake: run.handshake.clone(),
            outputs: run.outputs.clone(),
            clock: run.clock,
            farthest: run.farthest,
            replies: run.replies,
        };
        resumed.make(&Move::Kill);
        prop_assert_eq!(resumed.handshake.state(), run.handshake.state());
        for one in &future {
            run.make(one);
            resumed.make(one);
            resumed.make(&Move::Kill);
        }
        run.finish();
        resumed.finish();
        prop_assert_eq!(run.handshake.state(), resumed.handshake.state());
        prop_assert_eq!(&run.outputs, &resumed.outputs);
    }

    #[test]
    fn spurious_wake_ups_change_nothing(plan in plans(), script in moves(false), share in 0.0..1.0_f64) {
        let mut calm = Run::new(plan.clone());
        let mut nervous = Run::new(plan);
        for one in &script {
            // What is overdue is no spurious reason to wake.
            let latest = nervous.handshake.state().latest_at;
            let pending = nervous.handshake.poll_timeout().filter(|(due, _)| *due > latest);
            if let (Move::Pass(millis), Some((due, _))) = (one, pending) {
                let early = (nervous.clock + (*millis as f64 * share) as i64).min(due.millis() - 1);
                nervous.handshake.handle_timeout(Timestamp::from_millis(early));
                prop_assert_eq!(nervous.handshake.poll_output(), None);
            }
            calm.make(one);
            nervous.make(one);
            if matches!(one, Move::Wake) {
                nervous.make(&Move::Wake);
            }
        }
        calm.finish();
        nervous.finish();
        prop_assert_eq!(calm.said(), nervous.said());
        prop_assert_eq!(calm.handshake.state(), nervous.handshake.state());
    }

    #[test]
    fn the_next_timeout_is_when_something_happens(plan in plans(), script in moves(false)) {
        let mut run = Run::new(plan);
        for one in &script {
            run.make(one);
        }
        if let Some((due, _)) = run.handshake.poll_timeout() {
            let mut before = run.handshake.clone();
            before.handle_timeout(Timestamp::from_millis(due.millis() - 1));
            if due > run.handshake.state().latest_at {
                prop_assert_eq!(before.poll_output(), None);
            }
            run.handshake.handle_timeout(due);
            prop_assert!(run.handshake.poll_output().is_some());
        }
    }
}
