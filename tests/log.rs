//! `log`: what happened, in order, and nothing else.

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::wait_ack_scene::{LEAD, OTTER, Scene, list};

fn names(log: &Value) -> Vec<&str> {
    list(log).iter().map(|event| event["event"].as_str().unwrap()).collect()
}

#[test]
fn every_change_is_an_event_oldest_first() {
    let scene = Scene::new();
    let id = scene.world.send(LEAD, OTTER, "BLOCKED", "Need a key");
    scene.run(&format!("ack --agent {OTTER} --message {id}")).ok();
    let log = scene.data("log");
    assert_eq!(
        names(&log),
        [
            "agent.registered",
            "agent.registered",
            "message.sent",
            "message.read",
            "message.answered",
            "message.acked"
        ]
    );
    let places: Vec<_> = list(&log).iter().map(|event| event["event_id"].as_i64().unwrap()).collect();
    assert!(places.windows(2).all(|pair| pair[0] < pair[1]), "{places:?}");
}

#[test]
fn an_event_says_who_did_what_to_what_and_from_where() {
    let scene = Scene::new();
    let id = scene.world.send(LEAD, OTTER, "BLOCKED", "Need a key");
    let log = scene.data("log");
    let event = list(&log).last().unwrap();
    assert_eq!((&event["event"], &event["agent"]), (&json!("message.sent"), &json!(LEAD)));
    assert_eq!((&event["about"], &event["at"]), (&json!(id), &json!("2026-03-04T00:11:22.000Z")));
    assert_eq!(event["data"]["to"], OTTER);
    assert_eq!(event["uid"], rustix::process::geteuid().as_raw());
    assert!(event["pid"].as_u64().unwrap() > 0);
    assert_eq!(event["parent_pid"], std::process::id());
    assert_eq!(event["cwd"].as_str().unwrap(), scene.world.work().canonicalize().unwrap().to_str().unwrap());
}

#[test]
fn since_a_time_or_since_so_long_ago() {
    let scene = Scene::new();
    scene.world.pass(100);
    scene.world.send(LEAD, OTTER, "INFO", "First");
    scene.world.pass(100);
    scene.world.send(LEAD, OTTER, "INFO", "Second");
    for (since, number) in [("0", 1), ("99s", 1), ("100s", 2), ("2m", 2), ("1h", 4)] {
        assert_eq!(list(&scene.data(&format!("log --since {since}"))).len(), number, "{since}");
    }
    assert_eq!(list(&scene.data("log --since 2026-03-04T00:13:02.000Z")).len(), 2);
    assert_eq!(list(&scene.data("log --since 2026-03-04T00:13:02.001Z")).len(), 1);
    scene.run("log --since yesterday").fails("INVALID_ARGS", 64);
}

#[test]
fn of_one_agent_is_what_it_did_and_what_happened_to_it() {
    let scene = Scene::with(&[OTTER, "zinc-yak"]);
    scene.world.send(LEAD, OTTER, "INFO", "To the otter");
    scene.world.send(OTTER, LEAD, "INFO", "From the otter");
    scene.world.send(LEAD, "zinc-yak", "INFO", "To the yak");
    scene.run("state amber-otter stuck --agent lead-one").ok();
    let log = scene.data("log --agent amber-otter");
    assert_eq!(names(&log), ["agent.registered", "message.sent", "message.sent", "agent.state"]);
    let run = scene.run("log --agent amber-oter").fails("AGENT_NOT_FOUND", 67);
    assert!(run.stderr.contains("did you mean `amber-otter`?"), "{run}");
}

#[test]
fn of_one_operation_is_its_whole_story_and_no_other() {
    let scene = Scene::new();
    let (one, other) = (scene.ask(), scene.ask());
    scene.answer(&one, OTTER, "ok");
    let log = scene.data(&format!("log --operation-id {}", one.operation));
    assert_eq!(
        names(&log),
        [
            "message.sent",
            "handshake.started",
            "message.sent",
            "message.answered",
            "message.acked",
            "handshake.answered",
            "operation.record",
            "handshake.ended",
        ]
    );
    assert_eq!(scene.log(&other).len(), 2);
    assert_eq!(scene.run("log --operation-id op_none").ok().stdout, "nothing happened\n");
}

#[test]
fn the_newest_up_to_the_limit() {
    let scene = Scene::new();
    for number in 0..60 {
        scene.world.send(LEAD, OTTER, "INFO", &format!("Number {number}"));
    }
    assert_eq!(list(&scene.data("log")).len(), 50);
    let three = scene.data("log --limit 3");
    let all = scene.data("log --limit 500");
    assert_eq!(list(&all).len(), 62);
    assert_eq!(list(&three)[..], list(&all)[59..]);
    for limit in ["0", "501", "x"] {
        scene.run(&format!("log --limit {limit}")).fails("INVALID_LIMIT", 65);
    }
}

#[test]
fn text_for_people_is_one_line_for_each_thing_that_was_told() {
    let scene = Scene::new();
    let asked = scene.ask();
    scene.world.pass(25);
    scene.answer(&asked, OTTER, "ok");
    let text = scene.run(&format!("log --operation-id {}", asked.operation)).ok().stdout;
    let op = &asked.operation;
    for line in [
        format!(
            "[2026-03-04T00:11:22.000Z] handshake.started lead-one {op} Started waiting for acknowledgment from amber-otter"
        ),
        format!(
            "[2026-03-04T00:11:47.000Z] handshake.answered lead-one {op} Acknowledgment received from amber-otter"
        ),
        format!(
            "[2026-03-04T00:11:47.000Z] handshake.ended lead-one {op} Proceeding with operation - agent acknowledged"
        ),
    ] {
        assert!(text.lines().any(|it| it == line), "{line} is missing in\n{text}");
    }
}

#[test]
fn foreign_words_stay_on_their_line() {
    let scene = Scene::new();
    let asked = scene.ask();
    scene.answer(&asked, OTTER, "hm\u{1b}]0;x\u{7}\n[2026-03-04T00:11:47.000Z] handshake.ended forged");
    let text = scene.run("log").ok().stdout;
    assert!(!text.contains('\u{1b}') && !text.contains('\u{7}'), "{text}");
    assert!(
        !text
            .lines()
            .any(|line| line.ends_with("handshake.ended forged") && line.starts_with("[2026-03-04T00:11:47")),
        "{text}"
    );
}

#[test]
fn json_lines_are_one_event_each() {
    let scene = Scene::new();
    let asked = scene.ask();
    scene.answer(&asked, OTTER, "hm\u{9b}31m\u{202e}\n");
    let text = scene.run("log --format jsonl").ok().stdout;
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines, *list(&scene.data("log")));
    assert!(!text.contains(['\u{9b}', '\u{202e}']), "{text}");
    assert_eq!(scene.run("log --format jsonl --operation-id op_none").ok().stdout, "");
}

#[test]
fn yaml_is_a_list_of_the_same_events() {
    let scene = Scene::new();
    let asked = scene.ask();
    scene.answer(&asked, OTTER, "- a: [b\n\ttabs: \"quoted\" # not a comment\n'yes'");
    let text = scene.run("log --format yaml").ok().stdout;
    let read: Value = serde_norway::from_str(&text).unwrap();
    assert_eq!(read, scene.data("log"));
    assert!(text.starts_with("- event_id: 1\n  at: '2026-03-04T00:11:22.000Z'\n"), "{text}");
    let none = scene.run("log --format yaml --operation-id op_none").ok().stdout;
    assert_eq!(serde_norway::from_str::<Value>(&none).unwrap(), json!([]));
}

#[test]
fn what_a_terminal_would_obey_is_in_no_format() {
    let scene = Scene::new();
    let asked = scene.ask();
    scene.answer(&asked, OTTER, "hm\u{1b}]0;x\u{7}\u{9b}2J\u{202e}\u{200b}");
    for format in ["text", "jsonl", "yaml"] {
        let text = scene.run(&format!("log --format {format}")).ok().stdout;
        let obeyed = |it: char| it.is_control() && it != '\n' || ['\u{202e}', '\u{200b}'].contains(&it);
        assert!(!text.contains(obeyed), "{format}: {text:?}");
    }
}

#[test]
fn one_json_document_is_printed_whatever_the_format() {
    let scene = Scene::new();
    for format in ["text", "jsonl", "yaml"] {
        let run = scene.run(&format!("log --json --format {format}")).ok();
        assert_eq!(list(&run.data()).len(), 2, "{run}");
    }
}

#[test]
fn yaml_that_is_followed_is_one_list_that_grows() {
    let scene = Scene::in_real_time(&[OTTER]);
    let mut command = scene.command("log --follow --limit 2 --format yaml");
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    let mut text = String::new();
    while text.matches("- event_id: ").count() < 2 {
        lines.read_line(&mut text).unwrap();
    }
    let id = scene.world.send(LEAD, OTTER, "INFO", "New");
    while text.matches("- event_id: ").count() < 3 {
        lines.read_line(&mut text).unwrap();
    }
    interrupt(&mut child);
    std::io::Read::read_to_string(&mut lines, &mut text).unwrap();
    let read: Value = serde_norway::from_str(&text).unwrap();
    assert_eq!(names(&read), ["agent.registered", "agent.registered", "message.sent"]);
    assert_eq!(read[2]["about"], id);
}

#[test]
fn page_by_page_back_to_the_beginning() {
    let scene = Scene::new();
    for number in 0..5 {
        scene.world.send(LEAD, OTTER, "INFO", &format!("Number {number}"));
    }
    let page = |before: i64| {
        let log = scene.data(&format!("log --limit 3 --before {before}"));
        list(&log).iter().map(|event| event["event_id"].as_i64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!([page(8), page(5), page(2), page(1)], [vec![5, 6, 7], vec![2, 3, 4], vec![1], vec![]]);
    scene.run("log --follow --before 3").fails("INVALID_ARGS", 64);
}

/// Follows the log in another process.
fn follow(scene: &Scene, flags: &str) -> (Child, BufReader<std::process::ChildStdout>) {
    let mut command = scene.command(&format!("log --follow --json {flags}"));
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap());
    (child, lines)
}

fn next(lines: &mut impl BufRead) -> Value {
    let mut line = String::new();
    lines.read_line(&mut line).unwrap();
    serde_json::from_str(&line).unwrap()
}

/// Whether somebody has hung a bell for everything that happens.
fn is_followed(scene: &Scene) -> bool {
    let bells = scene.world.path("store/bb.db-bells");
    std::fs::read_dir(bells).is_ok_and(|topics| topics.count() > 0)
}

#[test]
fn follow_prints_each_new_event_as_one_line_until_it_is_interrupted() {
    let scene = Scene::in_real_time(&[OTTER, "zinc-yak"]);
    let (mut child, mut lines) = follow(&scene, "--agent zinc-yak");
    while !is_followed(&scene) {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    scene.world.send(LEAD, OTTER, "INFO", "For another");
    for subject in ["One", "Two"] {
        let id = scene.world.send(LEAD, "zinc-yak", "INFO", subject);
        let event = next(&mut lines);
        assert_eq!((&event["event"], &event["about"]), (&json!("message.sent"), &json!(id)));
    }
    interrupt(&mut child);
    assert_eq!(lines.read_line(&mut String::new()).unwrap(), 0, "nothing else was printed");
}

#[test]
fn follow_begins_with_what_was_where_that_is_asked_for() {
    let scene = Scene::in_real_time(&[OTTER]);
    let ids = ["One", "Two"].map(|subject| scene.world.send(LEAD, OTTER, "INFO", subject));
    let (mut child, mut lines) = follow(&scene, "--since 1h --limit 2");
    for id in ids {
        assert_eq!(next(&mut lines)["about"], id);
    }
    let new = scene.world.send(LEAD, OTTER, "INFO", "New");
    assert_eq!(next(&mut lines)["about"], new, "nothing is missed and nothing comes twice");
    interrupt(&mut child);
}

fn interrupt(child: &mut Child) {
    let pid = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    kill_process(pid, Signal::INT).unwrap();
    assert!(child.wait().unwrap().success());
}
