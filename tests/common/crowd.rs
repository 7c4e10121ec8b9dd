//! Many writers at once: each sends to the next one and acks what came from the one before.

use std::collections::BTreeSet;
use std::fs;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use bb_agent::domain::message::State;

use super::replay::{self, Story};
use super::{World, letter};

/// The most bytes that the log of a store may have, however many wrote.
const LOG: u64 = 4 << 20;

/// So many writers, and how often each of them sends and acks, with a process for each.
#[derive(Clone, Copy)]
pub(crate) struct Crowd {
    pub(crate) writers: usize,
    pub(crate) rounds: usize,
}

fn name_of(writer: usize) -> String {
    format!("writer-{writer:02}")
}

impl Crowd {
    /// Lets all of them write, insists that nothing failed, was lost or was told twice and that the log stayed
    /// short, and says how long the slowest command took.
    pub(crate) fn write(self, world: &World) -> Duration {
        (0..self.writers).for_each(|writer| world.register(&name_of(writer), "writer"));
        let (senders, receivers): (Vec<_>, Vec<_>) = (0..self.writers).map(|_| mpsc::channel()).unzip();
        // Each process draws its own world of the same folder: a world is not shared between threads.
        let written: Vec<(String, Duration)> = thread::scope(|scope| {
            let writers: Vec<_> = receivers
                .into_iter()
                .enumerate()
                .map(|(writer, mine)| {
                    let (next, world) = (senders[(writer + 1) % self.writers].clone(), world.again());
                    scope.spawn(move || self.write_as(&world, writer, &next, &mine))
                })
                .collect();
            drop(senders);
            writers.into_iter().flat_map(|writer| writer.join().unwrap()).collect()
        });
        self.check(world, &written);
        written.iter().map(|(_, slowest)| *slowest).max().unwrap_or_default()
    }

    /// Gives what was sent, each with the time that the slower of its two commands took.
    fn write_as(
        self,
        world: &World,
        writer: usize,
        next: &mpsc::Sender<String>,
        mine: &mpsc::Receiver<String>,
    ) -> Vec<(String, Duration)> {
        let (me, to) = (name_of(writer), name_of((writer + 1) % self.writers));
        let round = |number: usize| {
            let subject = format!("{me} {number}");
            let line =
                letter(&[("--from", &me), ("--to", &to), ("--category", "BLOCKED"), ("--subject", &subject)]);
            let began = Instant::now();
            let sent = world.json(line)["message_id"].as_str().unwrap().to_owned();
            let sending = began.elapsed();
            next.send(sent.clone()).unwrap();
            let received = mine.recv().unwrap();
            let began = Instant::now();
            assert_eq!(world.json(["ack", "--agent", &me, &received])["state"], "acked");
            (sent, sending.max(began.elapsed()))
        };
        (0..self.rounds).map(round).collect()
    }

    fn check(self, world: &World, written: &[(String, Duration)]) {
        let distinct: BTreeSet<_> = written.iter().map(|(sent, _)| sent.clone()).collect();
        assert_eq!(distinct.len(), self.writers * self.rounds);
        let held: Story = replay::held(world);
        let there: BTreeSet<_> = held.messages.keys().cloned().collect();
        assert_eq!(there, distinct, "none is lost, none is new");
        assert!(held.messages.values().all(|message| message.state == State::Acked));
        assert_eq!(replay::told(world), held, "the events tell what the tables hold");
        let log = fs::metadata(world.path("store/bb.db-wal")).unwrap().len();
        assert!(log <= LOG, "the log has {log} bytes");
    }
}
