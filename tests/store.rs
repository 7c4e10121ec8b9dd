//! The store: what was promised is kept, whichever version wrote it and whatever ended the writer.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use bb_agent::domain::message::State;
use rusqlite::Connection;
use sha2::{Digest, Sha256};

use crate::common::{Run, SWITCH, World, letter, replay, scattered};
use crate::wait_ack_scene::{OTTER, Scene};

mod earlier_versions {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    /// Marks a file as a store of bb.
    const APPLICATION: i64 = 0x6262_3031;

    /// What a user of the first version had: two agents, an unread message and an acked one.
    const FIRST_CONTENTS: &str = "
        INSERT INTO agents (agent_id, display, role, session, state, created_at, last_seen_at) VALUES
            ('amber-otter', 'Otter', 'backend', 's-1', 'working', 1000, 2000), ('lead-one', 'lead-one', 'lead', NULL, 'idle', 1000, 2000);
        INSERT INTO texts (body, content) VALUES ('the first body', NULL), ('the second body', '{\"ready\":true}');
        INSERT INTO messages (message_id, thread_id, bead_id, from_agent, to_agent, category, kind, priority, subject, text_id, created_at, verified)
            VALUES ('msg_19700101_000001_aaaaaaaaaa', 'bead:b', 'b', 1, 2, 'BLOCKED', 'message', 'high', 'first', 1, 1000, 0),
                   ('msg_19700101_000002_bbbbbbbbbb', 'bead:b', 'b', 1, 2, 'HANDOFF', 'message', 'low', 'second', 2, 2000, 1);
        INSERT INTO deliveries (agent, message, state, requires_ack, ack_due_at, read_at, acked_at)
            VALUES (2, 1, 0, 1, 3000, NULL, NULL), (2, 2, 2, 1, 3000, 2500, 2600);
        INSERT INTO send_keys (from_agent, key, message) VALUES (1, 'k', 1);
        INSERT INTO events (at, event, agent, about, data, uid, pid, parent_pid, cwd) VALUES
            (1000, 'message.sent', 1, 'msg_19700101_000001_aaaaaaaaaa', NULL, 0, 1, 1, '/');";

    fn migrations() -> Vec<PathBuf> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/store/sqlite/migrations");
        let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        files
    }

    /// Writes a store as the given version left it.
    fn written_by(world: &World, version: usize) {
        fs::create_dir(world.path("store")).unwrap();
        let store = Connection::open(world.store()).unwrap();
        store.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(())).unwrap();
        store.pragma_update(None, "application_id", APPLICATION).unwrap();
        for (number, file) in migrations().iter().take(version).enumerate() {
            store.execute_batch(&fs::read_to_string(file).unwrap()).unwrap();
            if number == 0 {
                store.execute_batch(FIRST_CONTENTS).unwrap();
            }
        }
        store.pragma_update(None, "user_version", i64::try_from(version).unwrap()).unwrap();
    }

    fn version(world: &World) -> usize {
        let store = Connection::open(world.store()).unwrap();
        let version: i64 = store.query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap();
        usize::try_from(version).unwrap()
    }

    #[test]
    fn every_migration_is_numbered_in_its_turn_and_in_use() {
        for (number, file) in migrations().iter().enumerate() {
            let name = file.file_name().unwrap().to_str().unwrap();
            assert!(name.starts_with(&format!("{:03}_", number + 1)) && name.ends_with(".sql"), "{name}");
        }
        let world = World::with_two_agents();
        assert_eq!(version(&world), migrations().len());
    }

    /// The first half of each file's SHA-256: a store that was written with one has it for good.
    #[test]
    fn a_migration_is_never_edited() {
        let known = [
            ("001_agents_and_mail.sql", "a78abd6e8be50f5d"),
            ("002_handshakes.sql", "26d442ed3efbd085"),
            ("003_reservations.sql", "ebf04122fdd4ced2"),
            ("004_tasks.sql", "d99c8c72d3627b3c"),
            ("005_hooks.sql", "7f9580a8c70b989e"),
            ("006_handoffs.sql", "335b3d3d9f8903b0"),
            ("007_archive.sql", "0e177c407dd6450b"),
            ("008_open_mail.sql", "78812776923260ea"),
            ("009_commands.sql", "be9a3b77aa9a53e2"),
            ("010_command_ends.sql", "a993201fc198eca8"),
        ];
        let now: Vec<_> =
            migrations().iter().map(|file| fs::read(file).unwrap()).map(Sha256::digest).collect();
        assert_eq!(now.len(), known.len(), "add the new one here");
        for ((name, digest), now) in known.iter().zip(now) {
            let now: String = now.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(*digest, now, "{name} was edited; add another migration instead");
        }
    }

    #[test]
    fn the_doctor_finds_no_fault_with_an_older_store_and_leaves_it_so() {
        for wrote in 1..migrations().len() {
            let world = World::new();
            written_by(&world, wrote);
            for file in ["store", "store/bb.db"] {
                let mode = if file == "store" { 0o700 } else { 0o600 };
                fs::set_permissions(world.path(file), fs::Permissions::from_mode(mode)).unwrap();
            }
            let data = world.json(["doctor", "--agent", "amber-otter"]);
            assert_eq!(data["healthy"], true, "{data}");
            let is_left = |check: &&serde_json::Value| check["check"] == "handshakes";
            let handshakes = data["checks"].as_array().unwrap().iter().find(is_left).unwrap();
            assert_eq!(handshakes["status"], "not-checked", "{handshakes}");
            assert_eq!(version(&world), wrote);
        }
    }

    #[test]
    fn a_store_of_every_version_opens_with_all_it_held() {
        for wrote in 1..=migrations().len() {
            let world = World::new();
            written_by(&world, wrote);
            let inbox = world.json(["inbox", "--agent", "lead-one"]);
            assert_eq!(inbox.as_array().unwrap().len(), 2, "version {wrote}");
            let (second, first) = (&inbox[0], &inbox[1]);
            assert_eq!((&first["subject"], &first["state"]), (&"first".into(), &"unread".into()));
            assert_eq!((&second["body"], &second["state"]), (&"the second body".into(), &"acked".into()));
            assert_eq!(second["content"], serde_json::json!({"ready": true}));
            assert_eq!(second["acked_at"], "1970-01-01T00:00:02.600Z");
            assert_eq!(world.json(["show", "amber-otter"])["display_name"], "Otter");
            assert_eq!(
                world.bb(letter(&[("--key", "k"), ("--json", SWITCH)])).ok().data()["duplicate"],
                true
            );
            world.bb(["ack", "--agent", "lead-one", "aaaaaaaaaa"]).ok();
            world.bb(letter(&[])).ok();
            world.bb(["whoami", "--agent", "lead-one"]).ok();
            assert_eq!(version(&world), migrations().len(), "version {wrote} is brought up to date");
        }
    }

    /// What a command exited with was only in the events.
    #[test]
    fn a_command_that_had_ended_is_known_to_have_ended() {
        let scene = Scene::new();
        let asked = scene.ask();
        scene.answer(&asked, OTTER, "ok");
        let line = format!("wait-ack --resume {} -- sh -c", asked.operation);
        let words: Vec<_> = line.split(' ').chain(["exit 9"]).collect();
        assert_eq!(scene.world.bb(words.clone()).code, 9);
        let store = Connection::open(scene.world.store()).unwrap();
        let older = "UPDATE handshakes SET claimed_pid = NULL, claimed_birth = NULL, command_exit = NULL;
            PRAGMA user_version = 9;";
        store.execute_batch(older).unwrap();
        drop(store);
        scene.run("whoami --agent lead-one").ok();
        let again = scene.world.bb(words);
        assert_eq!(again.code, 9, "{again}");
        let story = scene.run(&format!("explain {}", asked.operation)).ok().stdout;
        assert!(story.contains("exited with 9") && !story.contains("process 0"), "{story}");
        assert!(!story.contains("no end of it is known"), "{story}");
    }

    #[test]
    fn many_may_bring_one_store_up_to_date_at_once() {
        for wrote in 0..=migrations().len() {
            let world = World::in_real_time();
            written_by(&world, wrote);
            let start = |number: usize| {
                let name = format!("agent-{number:02}");
                let mut command = world.command(["register", "--name", &name, "--role", "r"]);
                command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
            };
            let children: Vec<_> = (0..12).map(start).collect();
            for child in children {
                Run::of(child.wait_with_output().unwrap()).ok();
            }
            assert_eq!(version(&world), migrations().len());
        }
    }
}

mod the_log_of_events {
    use super::*;

    #[test]
    fn is_never_altered() {
        let world = World::with_two_agents();
        world.send("amber-otter", "lead-one", "INFO", "Hi");
        let store = Connection::open(world.store()).unwrap();
        for change in ["UPDATE events SET at = 0", "UPDATE events SET event = 'x' WHERE id = 1"] {
            let refused = store.execute(change, []).unwrap_err();
            assert!(refused.to_string().contains("events are never altered"), "{refused}");
        }
    }

    #[test]
    fn has_every_change_and_who_made_it() {
        let world = World::with_two_agents();
        let id = world.send("amber-otter", "lead-one", "BLOCKED", "Help");
        let mut seen = replay::events(&world).len();
        for (line, expected) in [
            (vec!["read", "--agent", "lead-one", &id], &["message.read"][..]),
            (
                vec!["reply", "--agent", "lead-one", &id, "--ok"],
                &["message.sent", "message.answered", "message.acked"],
            ),
            (vec!["state", "lead-one", "stuck"], &["agent.state"]),
            (vec!["activity-lease", "--agent", "lead-one"], &["agent.seen"]),
            (vec!["register", "--name", "lead-one", "--role", "x", "--force-update"], &["agent.updated"]),
            (vec!["register", "--name", "zinc-yak", "--role", "x"], &["agent.registered"]),
            (letter(&[("--to", "broadcast")]), &["message.sent", "message.sent"]),
        ] {
            let mut child = world.command(&line).stdout(Stdio::null()).spawn().unwrap();
            let pid = child.id();
            assert!(child.wait().unwrap().success(), "{line:?}");
            let events = replay::events(&world);
            let new = &events[seen..];
            assert_eq!(
                new.iter().map(|event| event.event.as_str()).collect::<Vec<_>>(),
                expected,
                "{line:?}"
            );
            for event in new {
                assert_eq!((event.pid, event.parent_pid), (pid, std::process::id()));
                assert_eq!(Path::new(&event.cwd), world.work().canonicalize().unwrap());
                assert_eq!(
                    (event.at, event.agent.is_some(), event.about.is_some()),
                    (world.now(), true, true)
                );
            }
            seen = events.len();
        }
        assert_eq!(replay::told(&world), replay::held(&world));
    }

    #[test]
    fn grows_by_nothing_when_somebody_looks_or_fails_or_repeats() {
        let world = World::with_two_agents();
        let id = world.send("amber-otter", "lead-one", "BLOCKED", "Help");
        world.bb(letter(&[("--key", "k")])).ok();
        world.bb(["read", "--agent", "lead-one", &id]).ok();
        world.bb(["ack", "--agent", "lead-one", &id]).ok();
        let before = replay::events(&world);
        for line in [
            vec!["list"],
            vec!["show", "lead-one"],
            vec!["show", &id],
            vec!["whoami", "--agent", "lead-one"],
            vec!["inbox", "--agent", "lead-one"],
            vec!["thread", &id],
            vec!["read", "--agent", "lead-one", &id],
            vec!["read", "--agent", "lead-one", &id, "--peek"],
            vec!["ack", "--agent", "lead-one", &id],
            vec!["config"],
            letter(&[("--key", "k")]),
        ] {
            world.bb(&line).ok();
        }
        world.bb(["ack", "--agent", "amber-otter", &id]).fails("ACK_FORBIDDEN", 77);
        world.bb(letter(&[("--to", "lead-one,nobody-here")])).fails("UNKNOWN_RECIPIENT", 67);
        assert_eq!(replay::events(&world), before);
    }
}

mod killed {
    use super::*;

    const KILLS: u64 = 50;

    /// Moments at which to kill a command: some before, some while and some after it writes, however fast
    /// this machine is.
    fn moments(world: &World, seed: u64) -> impl Iterator<Item = Duration> + use<> {
        let started = Instant::now();
        world.bb(["activity-lease", "--agent", "lead-one"]);
        let usual = usize::try_from(started.elapsed().as_micros()).unwrap();
        scattered(seed).map(move |number| Duration::from_micros((number % (usual * 3 / 2)) as u64))
    }

    fn start(mut command: Command) -> Child {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// Kills a process after a while; gives what it had answered, if it had.
    fn kill(mut child: Child, after: Duration) -> Option<Run> {
        std::thread::sleep(after);
        let _ = child.kill();
        let output = child.wait_with_output().unwrap();
        let answered = output.stdout.ends_with(b"\n");
        answered.then(|| Run::of(output))
    }

    #[test]
    fn a_send_is_done_or_not_done_and_repeating_it_gives_one_message() {
        let world = World::in_real_time();
        world.register("amber-otter", "backend");
        world.register("lead-one", "lead");
        let mut moments = moments(&world, 1);
        let mut answered = 0;
        for number in 0..KILLS {
            let key = format!("key-{number}");
            let line = letter(&[("--key", &key), ("--category", "BLOCKED"), ("--json", SWITCH)]);
            let before = kill(start(world.command(&line)), moments.next().unwrap());
            let again = world.bb(&line).ok().data();
            if let Some(run) = before {
                answered += 1;
                assert_eq!(run.data()["message_id"], again["message_id"], "what was answered is there");
                assert_eq!(again["duplicate"], true);
            }
            assert_eq!(world.bb(&line).ok().data()["message_id"], again["message_id"]);
        }
        let held = replay::held(&world);
        assert_eq!(held.messages.len() as u64, KILLS, "{answered} were answered before they were killed");
        assert_eq!(replay::told(&world), held);
    }

    #[test]
    fn an_ack_is_done_or_not_done_and_what_was_acknowledged_stays_so() {
        let world = World::in_real_time();
        world.register("amber-otter", "backend");
        world.register("lead-one", "lead");
        let mut moments = moments(&world, 2);
        for number in 0..KILLS {
            let id = world.send("amber-otter", "lead-one", "HANDOFF", &number.to_string());
            let acked = kill(
                start(world.command(["ack", "--agent", "lead-one", &id, "--json"])),
                moments.next().unwrap(),
            );
            let shown = world.json(["show", &id]);
            let (state, times) = (shown["state"].as_str().unwrap(), (&shown["read_at"], &shown["acked_at"]));
            match acked {
                Some(run) => assert_eq!((&run.data()["read_at"], &run.data()["acked_at"]), times),
                None => assert!(["unread", "acked"].contains(&state), "never half: {shown}"),
            }
            let again = world.json(["ack", "--agent", "lead-one", &id]);
            if state == "acked" {
                assert_eq!((&again["read_at"], &again["acked_at"]), times, "times once set never change");
            }
        }
        let held = replay::held(&world);
        assert!(held.messages.values().all(|message| message.state == State::Acked));
        assert_eq!(replay::told(&world), held);
    }

    #[test]
    fn the_first_command_of_all_leaves_nothing_to_clean_up() {
        let mut moments = moments(&World::in_real_time(), 3);
        for _ in 0..KILLS / 2 {
            let world = World::in_real_time();
            let line = ["register", "--name", "amber-otter", "--role", "backend"];
            let registered = kill(start(world.command(line)), moments.next().unwrap());
            world.bb(["whoami", "--agent", "amber-otter"]).ok();
            let again = world.bb(line);
            assert!(again.code == 0 || again.stderr.starts_with("error[DUPLICATE_AGENT_ID]"), "{again}");
            assert!(registered.is_none() || again.code != 0, "what was answered is there");
            assert_eq!(world.json(["list"]).as_array().unwrap().len(), 1);
        }
    }

    #[test]
    fn a_waiting_process_leaves_no_bell_that_disturbs() {
        let world = World::in_real_time();
        world.register("amber-otter", "backend");
        world.register("lead-one", "lead");
        let waiting = start(world.command(["inbox", "--agent", "lead-one", "--wait", "1h"]));
        let bells = world.path("store/bb.db-bells");
        let hanging = || {
            let folders = fs::read_dir(&bells).into_iter().flatten().flatten();
            folders.flat_map(|folder| fs::read_dir(folder.path()).into_iter().flatten()).count()
        };
        while hanging() == 0 {
            std::thread::yield_now();
        }
        assert!(kill(waiting, Duration::ZERO).is_none());
        assert_eq!(hanging(), 1, "the dead take nothing down");
        world.send("amber-otter", "lead-one", "INFO", "Hi");
        assert_eq!(hanging(), 0, "whoever rings next does");
    }
}
