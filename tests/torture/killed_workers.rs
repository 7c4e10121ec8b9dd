//! Eight workers whose commands are killed at any instant: nothing that was told is lost, nothing happens twice.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::process::ExitStatusExt;
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use bb_agent::domain::agent::Liveness;
use bb_agent::domain::message::State;
use bb_agent::store::StoreError;
use serde_json::Value;

use super::part::Part;
use crate::common::{Run, World, letter, replay};

const WORKERS: usize = 8;

/// What a worker was told, which must be so in the end.
#[derive(Default)]
struct Told {
    commands: usize,
    /// The subject of each message with its id.
    sent: BTreeMap<String, String>,
    acked: BTreeSet<String>,
    fences: Vec<i64>,
    holds: bool,
    state: Option<String>,
}

struct Worker<'a, C> {
    world: World,
    me: usize,
    chances: C,
    landed: &'a AtomicUsize,
    /// How long a command that nobody disturbs takes about.
    usual: Duration,
    told: Told,
}

fn name(worker: usize) -> String {
    format!("worker-{worker}")
}

#[test]
fn nothing_that_was_told_is_lost_when_workers_are_killed_at_random() {
    let part = Part::begin("killed workers");
    let wanted = part.number("TORTURE_KILLS", 500);
    let world = World::in_real_time();
    (0..WORKERS).for_each(|worker| world.register(&name(worker), "worker"));
    let landed = AtomicUsize::new(0);
    let told: Vec<Told> = thread::scope(|scope| {
        let workers: Vec<_> = (0..WORKERS)
            .map(|me| {
                let (chances, usual) = (part.chances(me), Duration::from_millis(20));
                let world = world.again();
                let worker = Worker { world, me, chances, landed: &landed, usual, told: Told::default() };
                scope.spawn(move || worker.work(wanted))
            })
            .collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).collect()
    });
    check(&world, &told);
    let (commands, sent): (usize, usize) =
        (told.iter().map(|it| it.commands).sum(), told.iter().map(|it| it.sent.len()).sum());
    let acked: usize = told.iter().map(|it| it.acked.len()).sum();
    let landed = landed.into_inner();
    part.did(&format!(
        "{landed} kills landed in {commands} commands of {WORKERS} workers; {sent} messages and {acked} acks told, \
         0 lost, 0 twice"
    ));
}

impl<C: Iterator<Item = usize>> Worker<'_, C> {
    fn chance(&mut self, below: usize) -> usize {
        self.chances.next().unwrap() % below
    }

    fn work(mut self, wanted: usize) -> Told {
        while self.landed.load(Ordering::Relaxed) < wanted {
            match self.chance(8) {
                0..3 => self.send(),
                3..5 => self.ack(),
                5 => self.reserve(),
                6 => self.release(),
                _ => self.set_state(),
            }
        }
        self.told
    }

    /// Runs a command that may be killed, again and again until it gives an answer.
    fn insist(&mut self, line: &[&str]) -> Run {
        loop {
            self.told.commands += 1;
            let mut command = self.world.command(line.iter().chain(&["--json"]));
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
            let began = Instant::now();
            let mut child = command.spawn().unwrap();
            let is_spared = self.chance(8) == 0;
            if !is_spared {
                let most = usize::try_from(self.usual.as_micros()).unwrap() * 5 / 4 + 1;
                thread::sleep(Duration::from_micros(self.chance(most) as u64));
                child.kill().unwrap();
            }
            let output = child.wait_with_output().unwrap();
            if output.status.signal() != Some(9) {
                if is_spared {
                    self.usual = (self.usual * 3 + began.elapsed()) / 4;
                }
                return Run::of(output);
            }
            self.landed.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn send(&mut self) {
        let to = name((self.me + 1 + self.chance(WORKERS - 1)) % WORKERS);
        let (me, subject) = (name(self.me), format!("{} of {}", self.told.sent.len(), self.me));
        let line = letter(&[
            ("--from", &me),
            ("--to", &to),
            ("--category", "BLOCKED"),
            ("--subject", &subject),
            ("--key", &subject),
        ]);
        let id = text(&self.insist(&line).ok().data()["message_id"]);
        self.told.sent.insert(subject, id);
    }

    fn ack(&mut self) {
        let me = name(self.me);
        let inbox = self.world.json(["inbox", "--agent", &me, "--needs-ack", "--limit", "5"]);
        let Some(message) = inbox.as_array().unwrap().first() else { return };
        let id = text(&message["message_id"]);
        assert_eq!(self.insist(&["ack", "--agent", &me, &id]).ok().data()["state"], "acked");
        self.told.acked.insert(id);
    }

    fn reserve(&mut self) {
        let (me, scope) = (name(self.me), format!("place-{}", self.me));
        let granted = self.insist(&["reserve", "--agent", &me, "--bead", "b", "--scope", &scope]).ok().data();
        self.told.fences.push(granted["fence"].as_i64().unwrap());
        self.told.holds = true;
        // What everybody wants one has, and the others are told so.
        let run = self.insist(&["reserve", "--agent", &me, "--bead", "b", "--scope", "common/place"]);
        match run.code {
            0 => self.told.fences.push(run.data()["fence"].as_i64().unwrap()),
            _ => drop(run.fails("RESERVATION_CONFLICT", 75)),
        }
    }

    fn release(&mut self) {
        let run = self.insist(&["release", "--agent", &name(self.me), "--all"]);
        if run.code != 0 {
            run.fails("RESERVATION_NOT_FOUND", 66);
        }
        self.told.holds = false;
    }

    fn set_state(&mut self) {
        let state = ["idle", "working", "stuck", "running"][self.chance(4)];
        self.insist(&["state", &name(self.me), state]).ok();
        self.told.state = Some(state.to_owned());
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// Everything that was told is there, and nothing else.
fn check(world: &World, told: &[Told]) {
    let held = replay::held(world);
    assert_eq!(replay::told(world), held, "the events tell what the tables hold");
    let sent: BTreeSet<_> = told.iter().flat_map(|it| it.sent.values().cloned()).collect();
    let there: BTreeSet<_> = held.messages.keys().cloned().collect();
    assert_eq!(there, sent, "none is lost, none is there twice");
    for id in told.iter().flat_map(|it| &it.acked) {
        assert_eq!(held.messages[id].state, State::Acked, "{id}");
    }
    let look = |view: &bb_agent::store::Transaction| view.holdings(|_, _| Liveness::Active);
    let holdings = replay::open(world).read::<_, StoreError>(look).unwrap();
    for (worker, told) in told.iter().enumerate() {
        if let Some(state) = &told.state {
            assert_eq!(held.agents[&name(worker)], *state);
        }
        let own =
            holdings.iter().filter(|it| it.held.reservation.scope.as_str() == format!("place-{worker}"));
        assert_eq!(own.count(), usize::from(told.holds), "the place of {}", name(worker));
        assert!(told.fences.is_sorted_by(|one, next| one < next), "{:?}", told.fences);
    }
    let common = holdings.iter().filter(|it| it.held.reservation.scope.as_str() == "common/place");
    assert!(common.count() <= 1, "two hold the common place");
    let fences = replay::events(world).into_iter().filter_map(|event| match event.event.as_str() {
        "reservation.granted" | "reservation.refreshed" => event.data["fence"].as_i64(),
        _ => None,
    });
    assert!(fences.is_sorted_by(|one, next| one < next), "fences rise");
    let raw = rusqlite::Connection::open(world.store()).unwrap();
    let verdict: String = raw.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(verdict, "ok");
}
