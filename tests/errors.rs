//! Every way to fail, in words and in JSON, and the page that lists them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use bb_agent::cli::VERBS;
use bb_agent::exit::Exit;
use bb_agent::failure::Code;

use crate::common::{Run, World, words};

/// A command line that fails, and the variables it fails with.
struct Producer {
    code: Code,
    variables: &'static [(&'static str, &'static str)],
    line: &'static str,
}

const fn producer(code: Code, line: &'static str) -> Producer {
    Producer { code, variables: &[], line }
}

const fn at_store(code: Code, variables: &'static [(&'static str, &'static str)]) -> Producer {
    Producer { code, variables, line: "list" }
}

/// What fails with what, in the world of [`troubled`].
const PRODUCERS: &[Producer] = &[
    producer(Code::InvalidArgs, "inbox --agent lead-one --nonsense"),
    producer(Code::InvalidArgs, "nonsense"),
    producer(Code::InvalidArgs, "inbox --agent lead-one --wait soon"),
    producer(Code::InvalidArgs, "read --agent lead-one"),
    producer(Code::MissingIdentity, "inbox"),
    producer(Code::MissingIdentity, "send --to lead-one --bead b --category INFO -s s -m b"),
    producer(Code::MissingBeadId, "send --from amber-otter --to lead-one --category INFO -s s -m b"),
    producer(Code::InvalidAgentId, "register --name Amber --role r"),
    producer(Code::InvalidAgentId, "send --from amber-otter --to role: --bead b --category INFO -s s -m b"),
    producer(
        Code::InvalidMessage,
        "send --from amber-otter --to lead-one --bead b --category INFO -s ' ' -m b",
    ),
    producer(Code::InvalidMessage, "send --from amber-otter --to lead-one --bead b --category INFO -s s"),
    producer(
        Code::InvalidMessage,
        "send --from amber-otter --to lead-one --bead b --category INFO -s s -m b --priority asap",
    ),
    producer(Code::InvalidMessage, "register --name new-one --role ' '"),
    producer(
        Code::InvalidCategory,
        "send --from amber-otter --to lead-one --bead b --category RESUME -s s -m b",
    ),
    producer(Code::InvalidCategory, "inbox --agent lead-one --category RESUME"),
    producer(Code::InvalidState, "state amber-otter sleeping"),
    producer(Code::InvalidState, "inbox --agent lead-one --state new"),
    producer(Code::InvalidState, "list --state sleeping"),
    producer(Code::InvalidLimit, "inbox --agent lead-one --limit 501"),
    producer(Code::InvalidMessageId, "read --agent lead-one 'no id'"),
    producer(Code::InvalidMessageId, "ack --agent lead-one --message '*'"),
    producer(Code::AmbiguousId, "read --agent lead-one msg_"),
    producer(Code::AmbiguousId, "ack --agent lead-one msg_"),
    producer(Code::DuplicateAgentId, "register --name amber-otter --role r"),
    producer(Code::AgentNotFound, "show nobody-here"),
    producer(Code::AgentNotFound, "inbox --agent nobody-here"),
    producer(Code::AgentNotFound, "state nobody-here idle"),
    producer(Code::AgentNotFound, "activity-lease nobody-here"),
    producer(Code::UnknownSender, "send --from nobody-here --to lead-one --bead b --category INFO -s s -m b"),
    producer(
        Code::UnknownRecipient,
        "send --from amber-otter --to nobody-here --bead b --category INFO -s s -m b",
    ),
    producer(
        Code::UnknownRecipient,
        "send --from amber-otter --to role:nobody --bead b --category INFO -s s -m b",
    ),
    producer(Code::RecipientGone, "send --from amber-otter --to gone-one --bead b --category INFO -s s -m b"),
    producer(Code::MessageNotFound, "read --agent lead-one msg_three"),
    producer(Code::MessageNotFound, "reply --agent lead-one msg_three --ok"),
    producer(Code::ThreadNotFound, "thread nothing"),
    producer(
        Code::FileNotFound,
        "send --from amber-otter --to lead-one --bead b --category INFO -s s --body-file missing",
    ),
    producer(Code::ReadForbidden, "read --agent amber-otter msg_one"),
    producer(Code::AckForbidden, "ack --agent amber-otter msg_one"),
    producer(Code::AckForbidden, "reply --agent amber-otter msg_one --ok"),
    producer(Code::TokenRequired, "inbox --agent safe-one"),
    Producer {
        code: Code::TokenInvalid,
        variables: &[("BB_TOKEN", "bbt_wrong")],
        line: "inbox --agent safe-one",
    },
    Producer {
        code: Code::MailboxFull,
        variables: &[("BB_MAX_UNREAD", "2")],
        line: "send --from amber-otter --to lead-one --bead b --category INFO -s s -m b",
    },
    at_store(Code::StoreForbidden, &[("BB_STORE", "{world}/link.db")]),
    at_store(Code::StoreCorrupt, &[("BB_STORE", "{world}/garbage.db")]),
    at_store(Code::StoreVersion, &[("BB_STORE", "{world}/newer.db")]),
    at_store(Code::StoreCreateFailed, &[("BB_STORE", "{world}/garbage.db/below/bb.db")]),
    at_store(Code::ConfigInvalid, &[("BB_STORE", "relative.db")]),
    at_store(Code::ConfigInvalid, &[("BB_STORE", "")]),
    Producer { code: Code::ConfigInvalid, variables: &[("BB_MAX_UNREAD", "none")], line: "config" },
    producer(Code::ConfigInvalid, "config nonsense"),
    producer(
        Code::IoReadFailed,
        "send --from amber-otter --to lead-one --bead b --category INFO -s s --body-file .",
    ),
];

/// Codes that take more than a command line, and the tests below that produce them.
const PRODUCED_BELOW: &[(Code, &str)] = &[
    (Code::IoWriteFailed, "a_store_that_cannot_grow_is_a_failure_to_write"),
    (Code::StoreBusy, "a_store_that_is_held_for_too_long_is_busy"),
];

/// Codes of other verbs: the verb, and the file whose tests produce them.
const PRODUCED_ELSEWHERE: &[(&str, &str, &str)] = &[
    ("ARCHIVE_CORRUPT", "archive", "tests/archive/damage.rs"),
    ("INVALID_SCOPE", "reserve", "tests/reserve.rs"),
    ("RESERVATION_CONFLICT", "reserve", "tests/reserve.rs"),
    ("RESERVATION_STALE_FOUND", "reserve", "tests/reserve.rs"),
    ("RESERVATION_NOT_FOUND", "release", "tests/reserve.rs"),
    ("RELEASE_FORBIDDEN", "release", "tests/reserve.rs"),
    ("RESERVATION_DEADLOCK", "reserve", "tests/reserve_queue.rs"),
    ("NO_REPOSITORY", "guard", "tests/guard.rs"),
    ("HOOK_CONFLICT", "guard", "tests/guard.rs"),
    ("OPERATION_NOT_FOUND", "wait-ack", "tests/wait_ack.rs"),
    ("INVALID_TASK", "assign", "tests/tasks.rs"),
    ("TASK_NOT_FOUND", "assign", "tests/tasks.rs"),
    ("INVALID_HANDOFF", "handoff", "tests/handoff.rs"),
    ("HANDOFF_NOT_FOUND", "handoff", "tests/handoff.rs"),
    ("COMMAND_INTERRUPTED", "wait-ack", "tests/wait_ack/command.rs"),
];

/// `INTERNAL_ERROR` means a bug in bb: a command line known to produce it would be a bug to be mended,
/// and not a test to be kept.
const NOT_PRODUCED: &[Code] = &[Code::InternalError];

/// A world with everything that the command lines above stumble over.
fn troubled() -> World {
    let world = World::with_two_agents();
    world.register("gone-one", "backend");
    world.bb(["state", "gone-one", "dead"]).ok();
    world.bb(["register", "--name", "safe-one", "--role", "r", "--protect"]).ok();
    for (id, subject) in [("msg_one", "one"), ("msg_two", "two")] {
        world.send("amber-otter", "lead-one", "BLOCKED", subject);
        let store = rusqlite::Connection::open(world.store()).unwrap();
        store.execute("UPDATE messages SET message_id = ?1 WHERE subject = ?2", [id, subject]).unwrap();
    }
    fs::write(world.path("garbage.db"), "this is no database. ".repeat(100)).unwrap();
    std::os::unix::fs::symlink(world.store(), world.path("link.db")).unwrap();
    fs::write(world.path("newer.db"), "").unwrap();
    let newer = world.path("newer.db").display().to_string();
    world.bb(["list", "--store", &newer]).ok();
    rusqlite::Connection::open(&newer).unwrap().execute_batch("PRAGMA user_version = 999").unwrap();
    world
}

fn fails(world: &World, producer: &Producer, json: bool) -> Run {
    let here = world.path("").display().to_string();
    let here = here.trim_end_matches('/');
    let mut command = world.command(words(producer.line));
    if json {
        command.arg("--json");
    }
    for (name, value) in producer.variables {
        command.env(name, value.replace("{world}", here));
    }
    Run::of(command.output().unwrap())
}

/// Insists that both forms say the same, each in its way.
#[track_caller]
fn both_forms(code: Code, text: Run, json: Run) {
    let exit = i32::from(code.exit().code());
    assert_ne!(exit, 0);
    let (text, json) = (text.fails(code.as_str(), exit), json.fails(code.as_str(), exit));
    assert_eq!(json.stderr, "", "{json}");
    let document = json.document();
    assert_eq!(document["ok"], false);
    assert!(document["command"].as_str().unwrap().starts_with("agent"), "{json}");
    let message = document["error"]["message"].as_str().unwrap();
    assert!(!message.is_empty() && !message.ends_with('.'), "{json}");
    let hint = document["error"]["hint"].as_str();
    let expected: Vec<_> = [format!("error[{code}]: {message}")]
        .into_iter()
        .chain(hint.map(|hint| format!("hint: {hint}")))
        .collect();
    assert_eq!(text.stderr.lines().collect::<Vec<_>>(), expected, "{text}");
}

#[test]
fn every_code_is_said_in_words_and_in_json_with_its_exit_code() {
    let world = troubled();
    for producer in PRODUCERS {
        both_forms(producer.code, fails(&world, producer, false), fails(&world, producer, true));
    }
}

#[test]
fn no_failure_changes_anything() {
    let world = troubled();
    let everything = || {
        let mail = world.json(["inbox", "--agent", "lead-one"]);
        (mail, world.json(["list"]))
    };
    let before = everything();
    for producer in PRODUCERS {
        fails(&world, producer, true);
    }
    assert_eq!(everything(), before);
}

#[test]
fn a_wrong_configuration_is_told_before_anything_is_changed() {
    let world = troubled();
    let everything = || (world.json(["log", "--limit", "500"]), world.json(["list"]));
    let before = everything();
    for line in [
        "register --name new-one --role r --protect",
        "register --name lead-one --role r --force-update",
        "state lead-one dead",
        "activity-lease --agent lead-one",
        "send --from amber-otter --to lead-one --bead b --category INFO -s s -m b",
        "ack --agent lead-one msg_one",
        "reply --agent lead-one msg_one --ok",
        "reserve --agent lead-one --scope src --bead b",
        "assign --from amber-otter --to lead-one --task GH-1 --title T --body B",
        "wait-ack --from amber-otter --to lead-one --operation restart --no-wait",
    ] {
        let wrong = [("BB_AGENT_STALE_MINUTES", "15m")];
        world.bb_with(&wrong, words(line)).fails("CONFIG_INVALID", 78);
        assert_eq!(everything(), before, "{line}");
    }
}

#[test]
fn a_store_that_cannot_grow_is_a_failure_to_write() {
    let world = World::with_two_agents();
    let run = |more: &[&str]| {
        // A limit on the size of files binds every user, and a shell can set it and ignore its signal.
        let script = "trap '' XFSZ; ulimit -f 1; exec \"$@\"";
        let bb = world.command(["activity-lease", "--agent", "lead-one"].iter().chain(more));
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", script, "sh"]).arg(bb.get_program()).args(bb.get_args()).env_clear();
        shell.envs(bb.get_envs().filter_map(|(name, value)| Some((name, value?)))).current_dir(world.work());
        Run::of(shell.output().unwrap())
    };
    both_forms(Code::IoWriteFailed, run(&[]), run(&["--json"]));
    world.bb(["activity-lease", "--agent", "lead-one"]).ok();
}

#[test]
fn a_store_that_is_held_for_too_long_is_busy() {
    let world = World::with_two_agents();
    let holder = rusqlite::Connection::open(world.store()).unwrap();
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    let start = |more: &[&str]| {
        let mut command = world.command(["activity-lease", "--agent", "lead-one"].iter().chain(more));
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap()
    };
    // Reading goes on while somebody writes.
    world.bb(["inbox", "--agent", "lead-one"]).ok();
    let (text, json) = (start(&[]), start(&["--json"]));
    let [text, json] = [text, json].map(|child| Run::of(child.wait_with_output().unwrap()));
    both_forms(Code::StoreBusy, text, json);
    holder.execute_batch("ROLLBACK").unwrap();
    world.bb(["activity-lease", "--agent", "lead-one"]).ok();
}

#[test]
fn every_code_of_the_registry_is_produced_by_some_test() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (_, test) in PRODUCED_BELOW {
        assert!(include_str!("errors.rs").contains(&format!("#[test]\nfn {test}() {{")), "{test}");
    }
    for code in Code::ALL {
        let here = PRODUCERS.iter().any(|producer| producer.code == *code)
            || PRODUCED_BELOW.iter().any(|(below, _)| below == code)
            || NOT_PRODUCED.contains(code);
        if here {
            continue;
        }
        let elsewhere = PRODUCED_ELSEWHERE.iter().find(|(name, ..)| *name == code.as_str());
        let (_, verb, file) = elsewhere.unwrap_or_else(|| panic!("no test produces {code}"));
        if VERBS.iter().any(|known| known.name == *verb) {
            let tests = fs::read_to_string(root.join(file)).unwrap_or_default();
            assert!(tests.contains(&format!("\"{code}\"")), "{file} does not produce {code}");
        }
    }
}

#[test]
fn usage_errors_name_what_is_wrong_and_where_help_is() {
    let world = World::new();
    let run = world.bb(["send", "--from", "amber-otter"]).fails("INVALID_ARGS", 64);
    for flag in ["--to <AGENT>", "--category <CATEGORY>", "--subject <TEXT>"] {
        assert!(run.stderr.contains(flag), "{run}");
    }
    let run = world.bb(["inbx"]).fails("INVALID_ARGS", 64);
    assert!(run.stderr.contains("inbox"), "a near command is named: {run}");
    let run = world.bb(["inbox", "--penging"]).fails("INVALID_ARGS", 64);
    assert!(run.stderr.contains("--pending"), "a near flag is named: {run}");
}

#[test]
fn a_door_without_a_verb_is_a_usage_error_in_both_forms() {
    let world = World::new();
    for door in ["agent", "mail"] {
        assert_eq!(world.bb([door]).code, 64);
        world.bb([door, "--json"]).fails("INVALID_ARGS", 64);
    }
    world.bb(["--json"]).fails("INVALID_ARGS", 64);
    assert!(world.bb::<_, &str>([]).ok().stdout.starts_with("bb: "));
}

#[test]
fn exit_codes_are_all_different_and_never_those_of_outcomes() {
    let mut numbers: Vec<_> = Exit::ALL.iter().map(|exit| exit.code()).collect();
    assert!(Exit::ALL.iter().all(|exit| [0, 1].contains(&exit.code()) || exit.code() >= 64));
    numbers.sort_unstable();
    numbers.dedup();
    assert_eq!(numbers.len(), Exit::ALL.len());
}

/// The tables of the page, by the name between their marks.
fn tables() -> BTreeMap<&'static str, String> {
    let exits: String =
        Exit::ALL.iter().map(|exit| format!("| {} | {} |\n", exit.code(), exit.meaning())).collect();
    let codes: String = Code::ALL
        .iter()
        .map(|code| format!("| `{code}` | {} | {} |\n", code.exit().code(), code.meaning()))
        .collect();
    BTreeMap::from([
        ("exit codes", format!("| code | meaning |\n|---|---|\n{exits}")),
        ("error codes", format!("| error code | exit code | meaning |\n|---|---|---|\n{codes}")),
    ])
}

/// Puts the tables between their marks.
fn with_tables(page: &str) -> String {
    tables().iter().fold(page.to_owned(), |page, (name, table)| {
        let (begin, end) = (format!("<!-- {name}: begin -->\n"), format!("<!-- {name}: end -->"));
        let (before, rest) = page.split_once(&begin).expect("the mark where a table begins");
        let (_, after) = rest.split_once(&end).expect("the mark where a table ends");
        format!("{before}{begin}{table}{end}{after}")
    })
}

/// `SNAPSHOTS=overwrite cargo test --test all the_page_of_codes` writes the tables anew.
#[test]
fn the_page_of_codes_lists_what_the_registries_hold() {
    let file: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/exit-codes.md");
    let page = fs::read_to_string(&file).unwrap();
    let expected = with_tables(&page);
    if std::env::var_os("SNAPSHOTS").is_some_and(|value| value == "overwrite") {
        fs::write(&file, &expected).unwrap();
        return;
    }
    assert_eq!(page, expected, "run this test with SNAPSHOTS=overwrite");
}

#[test]
fn the_page_of_codes_lists_every_outcome() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/exit-codes.md")).unwrap();
    let (_, outcomes) =
        page.split_once("| code | `wait-ack` | `verify-ack` | `replace` |\n|---|---|---|---|\n").unwrap();
    let numbers: Vec<_> = outcomes
        .lines()
        .map_while(|line| line.strip_prefix("| "))
        .map(|line| line.split(' ').next().unwrap())
        .collect();
    assert_eq!(numbers, ["0", "1", "2", "3", "4", "5", "6", "7"]);
}
