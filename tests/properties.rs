//! Rules that hold for every mailbox, whatever is in it.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Stdio;
use std::time::Duration;

use bb_agent::domain::Timestamp;
use bb_agent::domain::agent::{Agent, AgentId, AgentState};
use bb_agent::domain::event::Origin;
use bb_agent::domain::mailbox::{Filter, Limit};
use bb_agent::domain::message::{Category, Draft, Kind, Message, MessageId, Priority, State};
use bb_agent::store::sqlite::Mode;
use bb_agent::store::{Location, Store, StoreError};
use proptest::prelude::*;
use proptest::test_runner::Config;
use tempfile::TempDir;

use crate::common::{Run, World, letter, scattered};

const SENDERS: [&str; 2] = ["amber-otter", "zinc-yak"];
const BEADS: [&str; 2] = ["bb-1", "bb-2"];
const NOW: Timestamp = Timestamp::from_millis(1_000_000);

fn me() -> AgentId {
    "lead-one".parse().unwrap()
}

/// A message in a mailbox, as far as filters look at it.
#[derive(Debug, Clone)]
struct Letter {
    from: usize,
    bead: usize,
    own_thread: bool,
    category: Category,
    raised: bool,
    progress: State,
    due: i64,
    closed: bool,
}

fn letters() -> impl Strategy<Value = Vec<Letter>> {
    let category = prop::sample::select(Category::ALL);
    let progress = prop::sample::select(State::ALL);
    let one =
        (0..2_usize, 0..2_usize, any::<bool>(), category, any::<bool>(), progress, -1..=1_i64, any::<bool>());
    let one = one.prop_map(|(from, bead, own_thread, category, raised, progress, due, closed)| Letter {
        from,
        bead,
        own_thread,
        category,
        raised,
        progress,
        due,
        closed: closed && due == 0,
    });
    prop::collection::vec(one, 0..40)
}

/// A new store with the agents of this file.
fn new_store() -> (TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let location = Location::new(&folder.path().join("bb.db")).unwrap();
    let store = Store::open(location, Mode::Create, Origin::default(), None).unwrap();
    let agent = |id: &str| Agent {
        id: id.parse().unwrap(),
        display: id.to_owned(),
        role: "any".to_owned(),
        session: None,
        state: AgentState::Idle,
        token_hash: None,
        replaced_by: None,
        created_at: NOW,
        last_seen_at: NOW,
    };
    store
        .write::<_, StoreError>(|transaction| {
            let mut names = SENDERS.iter().chain(&["lead-one"]);
            names.try_for_each(|name| transaction.add_agent(&agent(name)))
        })
        .unwrap();
    (folder, store)
}

fn draft(letter: &Letter) -> Draft {
    let requires_ack = letter.category.requires_ack() || letter.raised;
    let bead = BEADS[letter.bead];
    Draft {
        from: SENDERS[letter.from].parse().unwrap(),
        to: me(),
        bead_id: Some(bead.to_owned()),
        thread_id: if letter.own_thread { "own".to_owned() } else { format!("bead:{bead}") },
        category: letter.category,
        kind: Kind::Message,
        priority: Priority::Normal,
        subject: "subject".to_owned(),
        body: "body".to_owned(),
        content: None,
        requires_ack,
        ack_due_at: requires_ack.then(|| Timestamp::from_millis(NOW.millis() + letter.due)),
        reply_to: None,
        broadcast_id: None,
        operation_id: None,
        key: None,
        verified: false,
    }
}

fn id(number: usize) -> MessageId {
    format!("msg_{number:04}").parse().unwrap()
}

/// Stores the letters as far as they have come.
fn fill(folder: &TempDir, store: &Store, letters: &[Letter]) {
    store
        .write(|transaction| {
            for (number, letter) in letters.iter().enumerate() {
                transaction.add_message(&id(number), &draft(letter), NOW)?;
                let read_at = (letter.progress != State::Unread).then_some(NOW);
                let acked_at = (letter.progress == State::Acked).then_some(NOW);
                transaction.set_progress(&id(number), letter.progress, read_at, acked_at)?;
            }
            Ok::<_, StoreError>(())
        })
        .unwrap();
    let raw = rusqlite::Connection::open(folder.path().join("bb.db")).unwrap();
    for (number, _) in letters.iter().enumerate().filter(|(_, letter)| letter.closed) {
        raw.execute(
            "UPDATE deliveries SET closed_at = 1 WHERE message = (SELECT id FROM messages WHERE message_id = ?1)",
            [id(number).as_str()],
        )
        .unwrap();
    }
}

/// `None` and then each of the values.
fn maybe<T: Clone>(values: &[T]) -> Vec<Option<T>> {
    std::iter::once(None).chain(values.iter().cloned().map(Some)).collect()
}

/// Every combination of filters.
fn filters() -> Vec<Filter> {
    let beads = maybe(&[BEADS[0].to_owned(), "none".to_owned()]);
    let threads = maybe(&["own".to_owned(), "bead:bb-2".to_owned()]);
    let senders = maybe(&[SENDERS[0].parse().unwrap(), "nobody-here".parse::<AgentId>().unwrap()]);
    let mut filters = Vec::new();
    for state in maybe(State::ALL) {
        for bead in &beads {
            for thread in &threads {
                for from in &senders {
                    for category in maybe(Category::ALL) {
                        for switches in 0..8_u8 {
                            filters.push(Filter {
                                state,
                                bead: bead.clone(),
                                thread: thread.clone(),
                                from: from.clone(),
                                category,
                                pending: switches & 1 != 0,
                                needs_ack: switches & 2 != 0,
                                overdue: switches & 4 != 0,
                            });
                        }
                    }
                }
            }
        }
    }
    filters
}

fn few(cases: u32) -> Config {
    Config { failure_persistence: None, ..Config::with_cases(cases) }
}

proptest! {
    #![proptest_config(few(4))]

    #[test]
    fn count_and_list_and_the_one_meaning_of_a_filter_agree(letters in letters()) {
        let (folder, store) = new_store();
        fill(&folder, &store, &letters);
        let most = Limit::parse("500").unwrap();
        store.read(|view| {
            let all = view.inbox(&me(), &Filter::default(), most, NOW)?;
            assert_eq!(all.len(), letters.len());
            for filter in filters() {
                let listed = view.inbox(&me(), &filter, most, NOW)?;
                let meant: Vec<Message> = all.iter().filter(|message| filter.matches(message, NOW)).cloned().collect();
                assert_eq!(listed, meant, "{filter:?}");
                let counted = view.count_inbox(&me(), &filter, NOW)?;
                assert_eq!(usize::try_from(counted).unwrap(), listed.len(), "{filter:?}");
                let mut after = view.inbox_after(&me(), &filter, 0, most, NOW)?;
                after.reverse();
                assert_eq!(after, listed, "{filter:?}");
            }
            Ok::<_, StoreError>(())
        }).unwrap();
    }

    #[test]
    fn pages_of_any_size_give_each_message_once(letters in letters(), size in 1..7_u32) {
        let (folder, store) = new_store();
        fill(&folder, &store, &letters);
        let (most, size) = (Limit::parse("500").unwrap(), Limit::try_from(size).unwrap());
        store.read(|view| {
            for filter in [Filter::default(), Filter::unread(), Filter::needing_ack()] {
                let (mut cursor, mut paged) = (0, Vec::new());
                loop {
                    let page = view.inbox_after(&me(), &filter, cursor, size, NOW)?;
                    assert!(page.len() <= size.get() as usize);
                    let Some(last) = page.last() else { break };
                    cursor = last.cursor;
                    paged.extend(page);
                }
                paged.reverse();
                assert_eq!(paged, view.inbox(&me(), &filter, most, NOW)?);
            }
            Ok::<_, StoreError>(())
        }).unwrap();
    }

    #[test]
    fn a_message_is_in_one_state_and_only_moves_forward(seed in any::<u64>()) {
        let (_folder, store) = new_store();
        let letter = Letter {
            from: 0, bead: 0, own_thread: false, category: Category::Blocked, raised: false,
            progress: State::Unread, due: 0, closed: false,
        };
        const MESSAGES: usize = 6;
        store.write(|transaction| {
            for number in 0..MESSAGES {
                transaction.add_message(&id(number), &draft(&letter), NOW)?;
            }
            Ok::<_, StoreError>(())
        }).unwrap();
        let mut before: BTreeMap<MessageId, Message> = BTreeMap::new();
        for (step, random) in scattered(seed).take(60).enumerate() {
            let at = NOW + Duration::from_secs(step as u64);
            let which = id(random % MESSAGES);
            store.write(|transaction| match random / MESSAGES % 2 {
                0 => transaction.mark_read(&which, at),
                _ => transaction.mark_acked(&which, at),
            }).unwrap();
            let now = by_state(&store);
            for (id, message) in &now {
                times_fit_the_state(message);
                if let Some(before) = before.get(id) {
                    assert!(before.state <= message.state, "{before:?} went back to {message:?}");
                    assert!(before.read_at.is_none() || before.read_at == message.read_at);
                    assert!(before.acked_at.is_none() || before.acked_at == message.acked_at);
                }
            }
            assert_eq!(now.len(), MESSAGES);
            before = now;
        }
    }
}

/// All messages, gathered state by state; none is in two.
fn by_state(store: &Store) -> BTreeMap<MessageId, Message> {
    let mut found = BTreeMap::new();
    for state in State::ALL {
        let filter = Filter { state: Some(*state), ..Filter::default() };
        let listed = store.read(|view| view.inbox(&me(), &filter, Limit::default(), NOW)).unwrap();
        for message in listed {
            assert_eq!(message.state, *state);
            let twice = found.insert(message.message_id.clone(), message);
            assert_eq!(twice, None, "a message is in two states");
        }
    }
    found
}

fn times_fit_the_state(message: &Message) {
    let times = (message.read_at.is_some(), message.acked_at.is_some());
    let expected = match message.state {
        State::Unread => (false, false),
        State::Read => (true, false),
        State::Acked => (true, true),
    };
    assert_eq!(times, expected, "{message:?}");
}

#[test]
fn pages_give_each_message_once_while_others_send() {
    const SENDERS: usize = 4;
    const EACH: usize = 12;
    let world = World::in_real_time();
    world.register("amber-otter", "backend");
    world.register("lead-one", "lead");
    let senders: Vec<_> = (0..SENDERS)
        .map(|sender| {
            let world = world.again();
            std::thread::spawn(move || {
                for number in 0..EACH {
                    let subject = format!("{sender}-{number}");
                    let child =
                        world.command(letter(&[("--subject", &subject)])).stdout(Stdio::null()).spawn();
                    assert!(child.unwrap().wait().unwrap().success());
                }
            })
        })
        .collect();
    let (mut cursor, mut subjects, mut sizes) = (0, Vec::new(), scattered(9));
    while subjects.len() < SENDERS * EACH {
        let (after, limit) = (cursor.to_string(), (1 + sizes.next().unwrap() % 5).to_string());
        let line =
            ["inbox", "--agent", "lead-one", "--after", &after, "--limit", &limit, "--wait", "60", "--json"];
        let page = Run::of(world.command(line).output().unwrap()).ok().data();
        let messages = page["messages"].as_array().unwrap();
        assert!(!messages.is_empty(), "a minute went by without mail");
        subjects.extend(messages.iter().map(|message| message["subject"].as_str().unwrap().to_owned()));
        cursor = page["next_cursor"].as_i64().unwrap();
    }
    for sender in senders {
        sender.join().unwrap();
    }
    let distinct: BTreeSet<_> = subjects.iter().collect();
    assert_eq!((subjects.len(), distinct.len()), (SENDERS * EACH, SENDERS * EACH));
    for sender in 0..SENDERS {
        let own: Vec<_> =
            subjects.iter().filter(|subject| subject.starts_with(&format!("{sender}-"))).collect();
        let expected: Vec<_> = (0..EACH).map(|number| format!("{sender}-{number}")).collect();
        assert_eq!(own, expected.iter().collect::<Vec<_>>(), "in the order they were sent");
    }
}
