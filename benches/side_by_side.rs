//! `bb` beside the floor: interleaved runs of whole processes, medians, and their ratios.
//!
//! Absolute times mean little on a shared machine, so every line is a ratio within one run.
//! This program plays the floors itself: started with `append` it adds one line to a file and
//! syncs it; started with `look` it parses with clap and reads one row with SQLite.

#![allow(
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark measures time and prints"
)]

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const ROUNDS: usize = 200;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    match arguments.get(1).map(String::as_str) {
        Some("append") => append(Path::new(&arguments[2])),
        Some("look") => look(&arguments[2]),
        _ => measure(),
    }
}

fn append(file: &Path) {
    let mut file = OpenOptions::new().create(true).append(true).open(file).unwrap();
    file.write_all(b"one line of about the length of a short message, and then a newline\n").unwrap();
    file.sync_data().unwrap();
}

fn look(file: &str) {
    let verbs = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];
    let grammar = verbs.iter().fold(clap::Command::new("floor"), |grammar, verb| {
        let flags = ["one", "two", "three", "four"].map(|flag| clap::Arg::new(flag).long(flag));
        grammar.subcommand(clap::Command::new(*verb).args(flags))
    });
    let matches = grammar.get_matches_from(["floor", "a", "--one", "1"]);
    assert!(matches.subcommand().is_some());
    let store =
        rusqlite::Connection::open_with_flags(file, rusqlite::OpenFlags::SQLITE_OPEN_READ_WRITE).unwrap();
    // Leaves the log as bb leaves it, so that both find the same store.
    store.set_db_config(rusqlite::config::DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).unwrap();
    let agents: i64 = store.query_row("SELECT count(*) FROM agents", [], |row| row.get(0)).unwrap();
    println!("{agents}");
}

struct Contest {
    bb: PathBuf,
    own: PathBuf,
    folder: PathBuf,
}

impl Contest {
    fn bb(&self, store: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.bb);
        command.args(arguments).env("BB_STORE", self.folder.join(store)).env_remove("BB_AGENT");
        command
    }

    fn floor(&self, mode: &str, file: &str) -> Command {
        let mut command = Command::new(&self.own);
        command.arg(mode).arg(self.folder.join(file));
        command
    }
}

fn time(mut command: Command) -> Duration {
    command.stdin(Stdio::null()).stdout(Stdio::null());
    let start = Instant::now();
    assert!(command.status().unwrap().success());
    start.elapsed()
}

/// Runs the contenders in turn, so that the machine's moods fall on all of them.
fn medians(contenders: &[(&str, &dyn Fn() -> Command)]) -> Vec<Duration> {
    let mut times: Vec<Vec<Duration>> = vec![Vec::new(); contenders.len()];
    for _ in 0..ROUNDS {
        for (contender, times) in contenders.iter().zip(&mut times) {
            times.push(time((contender.1)()));
        }
    }
    times
        .iter_mut()
        .map(|times| {
            times.sort_unstable();
            times[times.len() / 2]
        })
        .collect()
}

fn report(title: &str, contenders: &[(&str, &dyn Fn() -> Command)]) {
    let medians = medians(contenders);
    println!("{title}");
    for ((name, _), median) in contenders.iter().zip(&medians) {
        let ratio = median.as_secs_f64() / medians[0].as_secs_f64();
        println!("  {name:<44} {:>8.3} ms  {ratio:>5.2}×", median.as_secs_f64() * 1e3);
    }
}

fn prepare(contest: &Contest, store: &str, messages: u32) {
    for agent in ["amber-otter", "lead-one"] {
        assert!(
            contest
                .bb(store, &["register", "--name", agent, "--role", "r"])
                .stdout(Stdio::null())
                .status()
                .unwrap()
                .success()
        );
    }
    let connection = rusqlite::Connection::open(contest.folder.join(store)).unwrap();
    connection
        .execute_batch(&format!(
            "PRAGMA synchronous = OFF;
             BEGIN;
             WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {messages})
             INSERT INTO texts (id, body) SELECT i, 'the body of message ' || i || ', about a hundred characters long, as short notes between agents tend to be' FROM n;
             INSERT INTO messages (id, message_id, thread_id, bead_id, from_agent, to_agent, category, kind, priority, subject, text_id, created_at, verified)
               SELECT id, 'msg_20260101_000000_' || printf('%010d', id), 'bead:bb-' || (id % 1000), 'bb-' || (id % 1000), 1, 2, 'INFO', 'message', 'normal', 'subject ' || id, id, 1767225600000 + id, 0 FROM texts;
             INSERT INTO deliveries (agent, message, state, requires_ack, read_at, acked_at)
               SELECT 2, id, CASE WHEN id % 1000 = 0 THEN 0 ELSE 2 END, 0, CASE WHEN id % 1000 = 0 THEN NULL ELSE 1 END, CASE WHEN id % 1000 = 0 THEN NULL ELSE 1 END FROM messages;
             COMMIT;
             PRAGMA wal_checkpoint(TRUNCATE);"
        ))
        .unwrap();
}

fn measure() {
    let folder = std::env::var_os("BB_BENCH_FOLDER")
        .map_or_else(std::env::temp_dir, PathBuf::from)
        .join(format!("bb-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let contest = Contest {
        bb: PathBuf::from(env!("CARGO_BIN_EXE_bb")),
        own: std::env::current_exe().unwrap(),
        folder: folder.clone(),
    };
    prepare(&contest, "small.db", 1_000);
    prepare(&contest, "large.db", 1_000_000);
    let send = [
        "send",
        "--from",
        "amber-otter",
        "--to",
        "lead-one",
        "--bead",
        "b",
        "--category",
        "INFO",
        "-s",
        "s",
        "-m",
        "text",
        "--json",
    ];
    let ack = ["inbox", "--agent", "lead-one", "--json"];
    report(
        "writing durably",
        &[
            ("append a line and fdatasync", &|| contest.floor("append", "lines.txt")),
            ("bb send", &|| contest.bb("small.db", &send)),
            ("bb send, a million messages", &|| contest.bb("large.db", &send)),
            ("bb activity-lease", &|| contest.bb("small.db", &["activity-lease", "--agent", "lead-one"])),
        ],
    );
    report(
        "reading",
        &[
            ("clap with 12 commands and one SQLite read", &|| contest.floor("look", "small.db")),
            ("bb inbox, a thousand messages", &|| contest.bb("small.db", &ack)),
            ("bb inbox, a million messages", &|| contest.bb("large.db", &ack)),
            ("bb inbox --state unread, a thousand", &|| {
                contest.bb("small.db", &["inbox", "--agent", "lead-one", "--state", "unread", "--limit", "1"])
            }),
            ("bb inbox --state unread, a million", &|| {
                contest.bb("large.db", &["inbox", "--agent", "lead-one", "--state", "unread", "--limit", "1"])
            }),
            ("bb --version", &|| contest.bb("small.db", &["--version"])),
        ],
    );
    std::fs::remove_dir_all(folder).unwrap();
}
