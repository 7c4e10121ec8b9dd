//! What is seen: one JSON document, or text for people, with nothing in it that a terminal obeys.

use bb_agent::render::sanitize::is_hidden;
use proptest::prelude::*;
use proptest::test_runner::Config;
use rusqlite::Connection;
use serde_json::Value;

use crate::common::{World, letter};

/// Escape sequences, bidi and zero-width characters, tags, control characters and forged lines.
const NASTY: &str = "a\u{1b}[31mred\u{1b}]0;title\u{7}\u{9b}2J\u{202e}gpj\u{200b}\u{e0041}\u{feff}\u{7f}\u{85}\
                     \r\nerror[FORGED]: line\u{2028}\u{0}\u{8}\u{c}\tz";

/// A world in which every text that an agent can write, or another program could, holds `text`.
fn world_full_of(text: &str) -> (World, String) {
    let world = World::with_two_agents();
    let id = world.send("amber-otter", "lead-one", "BLOCKED", "Help");
    world.bb(["reply", "--agent", "lead-one", &id, "--wait", "--note", "later"]).ok();
    world.bb(letter(&[("--to", "broadcast")])).ok();
    let store = Connection::open(world.store()).unwrap();
    for change in [
        "UPDATE agents SET display = ?1, role = ?1, session = ?1",
        "UPDATE messages SET subject = ?1, thread_id = ?1, bead_id = ?1, broadcast_id = ?1, operation_id = ?1",
        "UPDATE texts SET body = ?1, content = json_object('message', ?1, ?1, ?1)",
        "UPDATE responses SET words = ?1, notes = ?1",
    ] {
        store.execute(change, [text]).unwrap();
    }
    (world, id)
}

/// Lines that show it all, in an order in which all of them succeed.
fn lines_that_show(id: &str) -> Vec<Vec<&str>> {
    vec![
        vec!["list"],
        vec!["show", "lead-one"],
        vec!["show", id],
        vec!["whoami", "--agent", "lead-one"],
        vec!["state", "lead-one", "stuck"],
        vec!["activity-lease", "--agent", "lead-one"],
        vec!["config"],
        vec!["thread", "--message", id],
        vec!["inbox", "--agent", "lead-one"],
        vec!["inbox", "--agent", "lead-one", "--brief"],
        vec!["inbox", "--agent", "lead-one", "--after", "0"],
        vec!["inbox", "--agent", "lead-one", "--follow", "--after", "0", "--wait", "1"],
        vec!["read", "--agent", "lead-one", id, "--peek"],
        vec!["read", "--agent", "lead-one", id],
        vec!["ack", "--agent", "lead-one", id],
        vec!["reply", "--agent", "lead-one", id, "--ok"],
    ]
}

/// Insists that a terminal would obey nothing of it.
#[track_caller]
fn obeys_nothing(text: &str) {
    let bad = text.chars().find(|c| (c.is_control() && *c != '\n') || is_hidden(*c));
    assert_eq!(bad, None, "{text:?}");
    assert!(!text.lines().any(|line| line.starts_with("error[FORGED]")), "{text}");
}

#[test]
fn no_text_command_lets_through_what_a_terminal_obeys() {
    let (world, id) = world_full_of(NASTY);
    for line in lines_that_show(&id) {
        for columns in ["", "40"] {
            let run = world.bb_with(&[("COLUMNS", columns)], &line).ok();
            obeys_nothing(&run.stdout);
            obeys_nothing(&run.stderr);
            assert!(!run.stdout.is_empty(), "{line:?}");
        }
    }
}

#[test]
fn with_colour_nothing_but_colour_gets_through() {
    let (world, id) = world_full_of(NASTY);
    let mut coloured = 0;
    for line in lines_that_show(&id) {
        let run = world.bb(line.iter().chain(&["--color", "always"])).ok();
        let mut rest = String::new();
        for (number, part) in run.stdout.split("\u{1b}[").enumerate() {
            let digits_gone = part.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';');
            match number {
                0 => rest.push_str(part),
                _ => rest.push_str(digits_gone.strip_prefix('m').unwrap_or_else(|| panic!("{part:?}"))),
            }
            coloured += usize::from(number > 0);
        }
        obeys_nothing(&rest);
    }
    assert!(coloured > 20);
}

#[test]
fn json_escapes_what_would_not_be_seen_and_keeps_it() {
    let (world, id) = world_full_of(NASTY);
    for line in lines_that_show(&id) {
        let run = world.bb(line.iter().chain(&["--json"])).ok();
        for line in run.stdout.lines() {
            obeys_nothing(line);
            serde_json::from_str::<Value>(line).unwrap();
        }
    }
    let shown = world.json(["show", &id]);
    for field in ["subject", "body", "thread_id", "bead_id"] {
        assert_eq!(shown[field], NASTY, "{field}");
    }
    assert_eq!(world.json(["show", "lead-one"])["role"], NASTY);
}

#[test]
fn errors_repeat_nothing_that_a_terminal_obeys() {
    let (world, _) = world_full_of(NASTY);
    let typed = NASTY.replace('\0', "");
    let equals = |flag: &str| format!("{flag}={typed}");
    let bead = equals("--bead");
    for line in [
        vec!["show", &typed],
        vec!["thread", &typed],
        vec!["read", "--agent", "lead-one", &typed],
        vec!["inbox", "--agent", &typed],
        vec!["state", "lead-one", &typed],
        vec!["config", &typed],
        vec![&typed],
        vec!["inbox", &typed],
        vec!["list", "--color", &typed],
        vec!["register", "--name", "new-one", "--role", &typed],
        letter(&[("--category", &typed)]),
        letter(&[("--to", &typed)]),
        letter(&[("--key", &typed)]),
        letter(&[("--bead", "x"), (&bead, crate::common::SWITCH)]),
        letter(&[("--body", crate::common::LEFT_OUT), ("--body-file", &typed)]),
    ] {
        let (text, json) = (world.bb(&line), world.bb(line.iter().chain(&["--json"])));
        assert!(text.code >= 64 && text.code == json.code, "{line:?}: {text}");
        assert!(text.stderr.starts_with("error[") && text.stderr.lines().count() <= 2, "{line:?}: {text}");
        obeys_nothing(&text.stderr);
        obeys_nothing(json.stdout.trim_end_matches('\n'));
        assert_eq!(json.document()["ok"], false);
    }
}

proptest! {
    #![proptest_config(Config { failure_persistence: None, ..Config::with_cases(6) })]

    #[test]
    fn whatever_agents_write_it_is_kept_and_a_terminal_obeys_none_of_it(text in any::<String>()) {
        prop_assume!(!text.contains("error[FORGED]"));
        let (world, id) = world_full_of(&text);
        for line in lines_that_show(&id) {
            obeys_nothing(&world.bb(&line).ok().stdout);
        }
        prop_assert_eq!(&world.json(["show", &id])["body"], &Value::from(text));
    }
}

#[test]
fn every_answer_in_json_is_one_compact_line_with_the_four_fields() {
    let (world, id) = world_full_of("plain");
    for line in lines_that_show(&id) {
        if line.contains(&"--follow") {
            continue;
        }
        let run = world.bb(line.iter().chain(&["--json"])).ok();
        assert_eq!(run.stderr, "", "{line:?}");
        let document = run.document();
        let keys: Vec<_> = document.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys.len(), 4, "{keys:?}");
        assert_eq!((&document["ok"], &document["error"]), (&Value::Bool(true), &Value::Null));
        assert_eq!(document["command"], format!("agent {}", line[0]));
        assert!(run.stdout.starts_with(r#"{"ok":true,"command":"agent "#), "{run}");
    }
}

#[test]
fn text_is_coloured_only_where_colour_is_wanted() {
    let world = World::with_two_agents();
    // Green, and not merely bold.
    let coloured = |variables: &[(&str, &str)], flags: &[&str]| {
        let text = world.bb_with(variables, ["list"].iter().chain(flags)).ok().stdout;
        let is_green = ["\u{1b}[32m", "\u{1b}[38;5;10m", "\u{1b}[38;5;2m"].iter().any(|it| text.contains(it));
        assert_eq!(is_green, text.contains('\u{1b}'), "{text:?}");
        is_green
    };
    assert!(!coloured(&[], &[]), "a pipe is no terminal");
    assert!(coloured(&[], &["--color", "always"]));
    assert!(coloured(&[("NO_COLOR", "1")], &["--color", "always"]), "a flag wins");
    assert!(!coloured(&[], &["--color", "never"]));
    world.bb(["list", "--color", "sometimes"]).fails("INVALID_ARGS", 64);
    assert!(!world.bb(["list", "--color", "always", "--json"]).ok().stdout.contains('\u{1b}'));
}

/// Runs a line on a terminal of 80 columns.
fn on_a_terminal(world: &World, line: &str, variables: &[(&str, &str)]) -> Option<String> {
    let mut script = std::process::Command::new("script");
    let bb = env!("CARGO_BIN_EXE_bb");
    script.args(["-qec", &format!("stty rows 24 cols 80; exec {bb} {line}"), "/dev/null"]).env_clear();
    script.env("BB_STORE", world.store()).env("HOME", world.path("home")).env("TERM", "xterm");
    script.env("BB_NOW", world.now().to_string()).env("PATH", std::env::var_os("PATH").unwrap_or_default());
    script.envs(variables.iter().copied());
    match script.output() {
        Ok(output) if output.status.success() => Some(String::from_utf8(output.stdout).unwrap()),
        _ => {
            crate::common::not_run("there is no `script` to make a terminal with");
            None
        }
    }
}

#[test]
fn a_terminal_gets_colour_unless_it_is_asked_not_to_and_lines_that_fit() {
    let world = World::with_two_agents();
    world.bb(letter(&[("--subject", &"a long subject ".repeat(20))])).ok();
    let Some(coloured) = on_a_terminal(&world, "inbox --agent lead-one", &[]) else { return };
    assert!(coloured.contains('\u{1b}'), "{coloured:?}");
    let dumb = on_a_terminal(&world, "inbox --agent lead-one", &[("TERM", "dumb")]).unwrap();
    assert!(!dumb.contains('\u{1b}'), "{dumb:?}");
    let plain = on_a_terminal(&world, "inbox --agent lead-one", &[("NO_COLOR", "1")]).unwrap();
    assert!(!plain.contains('\u{1b}'), "{plain:?}");
    assert!(plain.lines().all(|line| line.trim_end().chars().count() <= 80), "{plain}");
    assert!(plain.contains('…'), "{plain}");
}

#[test]
fn wide_text_is_cut_to_the_width_that_is_known_and_left_whole_in_a_pipe() {
    let world = World::with_two_agents();
    let subject = "日本語 subject ".repeat(20);
    world.bb(letter(&[("--subject", &subject)])).ok();
    let whole = world.bb(["inbox", "--agent", "lead-one"]).ok();
    assert!(whole.stdout.contains(subject.trim_end()), "{whole}");
    let cut = world.bb_with(&[("COLUMNS", "100")], ["inbox", "--agent", "lead-one"]).ok();
    let widest = cut.stdout.lines().map(unicode_width::UnicodeWidthStr::width).max();
    assert!(widest <= Some(100) && cut.stdout.contains('…'), "{cut}");
}
