//! What can be typed, piped and stored: verbatim where text is free, refused where it is an id.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

use serde_json::{Value, json};

use crate::common::{LEFT_OUT, Run, SWITCH, World, letter};

const MEBIBYTE: usize = 1 << 20;

#[test]
fn arguments_that_are_not_utf_8_are_a_usage_error() {
    let world = World::with_two_agents();
    let broken = OsStr::from_bytes(b"\xff\xfe broken");
    let lines: &[&[&str]] = &[
        &[],
        &["agent"],
        &["register", "--role", "r", "--name"],
        &["register", "--name", "new-one", "--role"],
        &["show"],
        &["whoami", "--agent"],
        &["state", "lead-one"],
        &["activity-lease"],
        &["inbox", "--agent", "lead-one", "--bead"],
        &["inbox", "--agent", "lead-one", "--after"],
        &["inbox", "--agent", "lead-one", "--wait"],
        &["read", "--agent", "lead-one"],
        &["ack", "--agent", "lead-one", "--note"],
        &["reply", "--agent", "lead-one", "msg_", "--body"],
        &["thread"],
        &["config"],
        &["list", "--color"],
        &[
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
        ],
        &[
            "send",
            "--from",
            "amber-otter",
            "--to",
            "lead-one",
            "--bead",
            "b",
            "--category",
            "INFO",
            "-m",
            "s",
            "-s",
        ],
    ];
    for line in lines {
        let line: Vec<_> = line.iter().map(OsString::from).chain([broken.to_owned()]).collect();
        world.bb(&line).fails("INVALID_ARGS", 64);
        world.bb(line.iter().cloned().chain(["--json".into()])).fails("INVALID_ARGS", 64);
    }
}

#[test]
fn paths_need_not_be_utf_8() {
    let world = World::with_two_agents();
    let odd = world.path("").join(OsStr::from_bytes(b"odd\xff.db"));
    let at_odd = |words: &[&str]| {
        let mut command = world.command(words);
        Run::of(command.arg("--store").arg(&odd).output().unwrap()).ok()
    };
    at_odd(&["register", "--name", "amber-otter", "--role", "r"]);
    assert_eq!(at_odd(&["list", "--json"]).data().as_array().unwrap().len(), 1);
    at_odd(&["whoami", "--agent", "amber-otter", "--json"]).document();
}

#[test]
fn variables_that_are_not_utf_8_are_a_wrong_configuration() {
    let world = World::with_two_agents();
    for (name, line) in [("BB_AGENT", &["inbox"][..]), ("BB_TOKEN", &["whoami", "--agent", "lead-one"])] {
        let mut command = world.command(line);
        command.env(name, OsStr::from_bytes(b"\xff"));
        let run = Run::of(command.output().unwrap()).fails("CONFIG_INVALID", 78);
        assert!(run.stderr.contains(name), "{run}");
    }
}

#[test]
fn bodies_may_have_a_mebibyte_and_no_byte_more() {
    let world = World::with_two_agents();
    let piped = letter(&[("--body", "-"), ("--json", SWITCH)]);
    let filed = letter(&[("--body", LEFT_OUT), ("--body-file", "body.md"), ("--json", SWITCH)]);
    for (length, fits) in [(MEBIBYTE, true), (MEBIBYTE + 1, false), (10 * MEBIBYTE, false)] {
        let body = vec![b'x'; length];
        std::fs::write(world.work().join("body.md"), &body).unwrap();
        for run in [world.bb_with_input(&piped, &body), world.bb(&filed)] {
            if fits {
                assert_eq!(run.ok().data()["body_bytes"], length);
            } else {
                let run = run.fails("INVALID_MESSAGE", 65);
                assert!(run.stdout.contains("max_body_bytes"), "{run}");
            }
        }
    }
    let small = [("BB_MAX_BODY_BYTES", "7")];
    world.bb_with(&small, letter(&[])).fails("INVALID_MESSAGE", 65);
    world.bb_with(&small, letter(&[("--body", "7 bytes")])).ok();
}

#[test]
fn a_file_without_end_is_not_swallowed() {
    let world = World::with_two_agents();
    let run = world.bb(letter(&[("--body", LEFT_OUT), ("--body-file", "/dev/zero")]));
    run.fails("INVALID_MESSAGE", 65);
}

#[test]
fn contents_have_a_limit_too() {
    let world = World::with_two_agents();
    std::fs::write(world.work().join("big.json"), format!("{{\"a\": \"{}\"}}", "x".repeat(MEBIBYTE)))
        .unwrap();
    world.bb(letter(&[("--content", "@big.json")])).fails("INVALID_MESSAGE", 65);
    let deep = format!("{{\"a\": {}1{}}}", "[".repeat(10_000), "]".repeat(10_000));
    world.bb(letter(&[("--content", &deep)])).fails("INVALID_MESSAGE", 65);
}

#[test]
fn what_is_no_text_but_utf_8_comes_back_as_it_was() {
    let world = World::with_two_agents();
    let body = "NUL\0 tab\t bell\u{7} escape\u{1b}[31m delete\u{7f} c1\u{9b} bidi\u{202e} tag\u{e0041} bom\u{feff}\r\n\n";
    let piped = letter(&[("--body", "-"), ("--json", SWITCH)]);
    let sent = world.bb_with_input(&piped, body.as_bytes()).ok().data();
    assert_eq!((sent["body"].as_str(), sent["body_bytes"].as_u64()), (Some(body), Some(body.len() as u64)));
    let id = sent["message_id"].as_str().unwrap();
    for line in
        [vec!["show", id], vec!["read", "--agent", "lead-one", id], vec!["ack", "--agent", "lead-one", id]]
    {
        assert_eq!(world.json(line)["body"], body);
    }
    assert_eq!(world.json(["thread", id])["messages"][0]["body"], body);
    assert_eq!(world.json(["inbox", "--agent", "lead-one"])[0]["body"], body);
}

#[test]
fn white_space_is_a_body_and_nothing_else() {
    let world = World::with_two_agents();
    assert_eq!(world.bb(letter(&[("--body", " \n\t"), ("--json", SWITCH)])).ok().data()["body"], " \n\t");
    world.bb(letter(&[("--subject", " \n\t")])).fails("INVALID_MESSAGE", 65);
    world.bb(letter(&[("--thread", "  ")])).fails("INVALID_MESSAGE", 65);
    world.bb(letter(&[("--key", "\t")])).fails("INVALID_MESSAGE", 65);
    world.bb(letter(&[("--bead", "  ")])).fails("MISSING_BEAD_ID", 65);
    world.bb(letter(&[("--to", " ")])).fails("INVALID_AGENT_ID", 65);
}

#[test]
fn ids_of_49_characters_are_refused_everywhere() {
    let world = World::with_two_agents();
    let long = "x".repeat(49);
    for line in [
        vec!["register", "--name", &long, "--role", "r"],
        vec!["whoami", "--agent", &long],
        vec!["inbox", "--agent", &long],
        vec!["inbox", "--agent", "lead-one", "--from", &long],
        vec!["state", &long, "idle"],
        vec!["show", "--agent", &long],
        letter(&[("--from", &long)]),
        letter(&[("--to", &long)]),
    ] {
        world.bb(&line).fails("INVALID_AGENT_ID", 65);
    }
    world.bb_with(&[("BB_AGENT", &long)], ["inbox"]).fails("INVALID_AGENT_ID", 65);
    let message = "x".repeat(101);
    world.bb(["read", "--agent", "lead-one", &message]).fails("INVALID_MESSAGE_ID", 65);
}

#[test]
fn labels_and_subjects_have_bounds() {
    let world = World::with_two_agents();
    for (flag, most) in [("--subject", 1_000), ("--bead", 200), ("--thread", 200), ("--key", 200)] {
        let fits = "x".repeat(most);
        world.bb(letter(&[(flag, &fits)])).ok();
        let long = "x".repeat(most + 1);
        world.bb(letter(&[(flag, &long)])).fails("INVALID_MESSAGE", 65);
    }
}

/// Text that means something to SQL, shells, globs, formats or terminals.
const TRICKY: &[&str] = &[
    "'; DROP TABLE agents; --",
    "\" OR \"1\"=\"1",
    "%",
    "_",
    "*",
    "[a-z]*?{x,y}!",
    "$(touch pwned) `touch pwned` && ; | > pwned",
    "\\n \\x00 \\u0000",
    "{}{0}%s%n%d",
    "--help",
    "-",
    "../../etc/passwd",
    "NULL",
    "日本語 🦦 Ünïcödé",
];

#[test]
fn text_that_means_something_elsewhere_is_kept_verbatim() {
    for text in TRICKY {
        let world = World::with_two_agents();
        let is_flag = text.starts_with('-');
        let equals = |flag: &str| format!("{flag}={text}");
        let register = [equals("--role"), equals("--display"), equals("--session")];
        let line = ["register", "--name", "odd-one"].into_iter().chain(register.iter().map(String::as_str));
        world.bb(line).ok();
        let agent = world.json(["show", "odd-one"]);
        for field in ["role", "display_name", "session"] {
            assert_eq!(agent[field], *text);
        }
        let labels = ["--bead", "--thread", "--key", "--subject"].map(equals);
        let mut line = letter(&[("--bead", LEFT_OUT), ("--subject", LEFT_OUT), ("--body", LEFT_OUT)]);
        line.extend(labels.iter().map(String::as_str));
        let sent = world
            .bb_with_input(line.into_iter().chain(["--body", "-", "--json"]), text.as_bytes())
            .ok()
            .data();
        for field in ["bead_id", "thread_id", "subject", "body"] {
            assert_eq!(sent[field], *text);
        }
        let id = sent["message_id"].as_str().unwrap();
        let note = equals("--note");
        assert_eq!(world.json(["ack", "--agent", "lead-one", id, &note])["response"]["notes"], *text);
        if !is_flag {
            assert_eq!(world.json(["thread", text])["messages"].as_array().unwrap().len(), 1);
        }
        assert!(!world.work().join("pwned").exists());
        assert_eq!(world.json(["list"]).as_array().unwrap().len(), 3);
    }
}

#[test]
fn filters_compare_and_never_match_patterns() {
    let world = World::with_two_agents();
    world.bb(letter(&[("--bead", "bb-1"), ("--thread", "plan")])).ok();
    let count = |flag: &str, value: &str| {
        let filter = format!("{flag}={value}");
        world.json(["inbox", "--agent", "lead-one", &filter]).as_array().unwrap().len()
    };
    assert_eq!((count("--bead", "bb-1"), count("--thread", "plan")), (1, 1));
    for text in TRICKY.iter().chain(&["bb%", "bb_1", "bb*", "BB-1", "pl%", "Plan", "' OR 1=1 --"]) {
        assert_eq!((count("--bead", text), count("--thread", text)), (0, 0), "{text}");
    }
    let listed: Value = world.json(["list", "--role", "%"]);
    assert_eq!(listed, json!([]));
}

#[test]
fn names_with_more_than_names_hold_are_refused() {
    let world = World::with_two_agents();
    for text in TRICKY.iter().filter(|text| !text.starts_with('-')) {
        world.bb(["inbox", "--agent", text]).fails("INVALID_AGENT_ID", 65);
        world.bb(letter(&[("--to", text)])).fails("INVALID_AGENT_ID", 65);
    }
}
