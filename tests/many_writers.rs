//! Sixteen writers at once: nothing lost, nothing failed, nothing told twice.

use std::collections::BTreeSet;
use std::fs;
use std::sync::mpsc;
use std::thread;

use bb_agent::domain::message::State;

use crate::common::replay::{self, Story};
use crate::common::{World, letter};

const WRITERS: usize = 16;
const ROUNDS: usize = 50;

fn name(writer: usize) -> String {
    format!("writer-{:02}", writer % WRITERS)
}

/// Sends to the next writer and acks what came from the one before, a process for each.
fn write(
    world: &World,
    writer: usize,
    next: &mpsc::Sender<String>,
    mine: &mpsc::Receiver<String>,
) -> Vec<String> {
    let (me, to) = (name(writer), name(writer + 1));
    let round = |number: usize| {
        let subject = format!("{me} {number}");
        let line =
            letter(&[("--from", &me), ("--to", &to), ("--category", "BLOCKED"), ("--subject", &subject)]);
        let sent = world.json(line)["message_id"].as_str().unwrap().to_owned();
        next.send(sent.clone()).unwrap();
        let received = mine.recv().unwrap();
        assert_eq!(world.json(["ack", "--agent", &me, &received])["state"], "acked");
        sent
    };
    (0..ROUNDS).map(round).collect()
}

#[test]
fn sixteen_writers_lose_nothing_and_the_log_stays_short() {
    let world = World::in_real_time();
    for writer in 0..WRITERS {
        world.register(&name(writer), "writer");
    }
    let (senders, receivers): (Vec<_>, Vec<_>) = (0..WRITERS).map(|_| mpsc::channel()).unzip();
    // Each process draws its own world of the same folder: a world is not shared between threads.
    let sent: Vec<String> = thread::scope(|scope| {
        let writers: Vec<_> = receivers
            .into_iter()
            .enumerate()
            .map(|(writer, mine)| {
                let (next, world) = (senders[(writer + 1) % WRITERS].clone(), world.again());
                scope.spawn(move || write(&world, writer, &next, &mine))
            })
            .collect();
        drop(senders);
        writers.into_iter().flat_map(|writer| writer.join().unwrap()).collect()
    });
    let distinct: BTreeSet<_> = sent.iter().cloned().collect();
    assert_eq!(distinct.len(), WRITERS * ROUNDS);
    let held: Story = replay::held(&world);
    assert_eq!(held.messages.keys().cloned().collect::<BTreeSet<_>>(), distinct, "none is lost, none is new");
    assert!(held.messages.values().all(|message| message.state == State::Acked));
    assert_eq!(replay::told(&world), held, "the events tell what the tables hold");
    let log = fs::metadata(world.path("store/bb.db-wal")).unwrap().len();
    assert!(log <= 4 << 20, "the log has {log} bytes");
}
