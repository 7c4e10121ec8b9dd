//! `watch`: a live board on a terminal, snapshots elsewhere, and a terminal that is always given back.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::common::{Pane, World, letter};

fn world() -> World {
    let world = World::in_real_time();
    world.register("amber-otter", "backend");
    world.register("lead-one", "lead");
    world
}

fn sent(world: &World, changes: &[(&str, &str)]) -> String {
    world.json(letter(changes))["message_id"].as_str().unwrap().to_owned()
}

fn state(world: &World, id: &str) -> String {
    world.json(["show", id])["state"].as_str().unwrap().to_owned()
}

/// A board on a terminal, seen by `lead-one`.
fn on_a_terminal<'a>(world: &'a World, arguments: &str) -> Option<Pane<'a>> {
    let pane = Pane::open(world, 120, 30, &[("BB_AGENT", "lead-one")])?;
    pane.bb(arguments);
    // The last line is drawn last.
    pane.wait_for("q quit");
    Some(pane)
}

/// The terminal is as it was: the shell's screen, a cursor, lines that are edited and echoed.
#[track_caller]
fn is_given_back(pane: &Pane) {
    pane.wait_until("shell", |screen| !screen.contains("bb watch ") && screen.contains("prompt>"));
    assert_eq!(pane.asks("#{alternate_on} #{cursor_flag}"), "0 1");
    pane.line("stty -a | tr ' ;' '\\n\\n' | grep -cx -e icanon -e echo -e isig -e opost");
    // The shell may prompt after the line was typed.
    let answer = |line: &str| line.trim_start_matches("prompt>").trim() == "4";
    pane.wait_until("the modes of a shell", |screen| screen.lines().any(answer));
}

#[test]
fn shows_agents_mail_and_events_and_quits() {
    let world = world();
    sent(&world, &[("--category", "BLOCKED"), ("--subject", "Need a key")]);
    let Some(pane) = on_a_terminal(&world, "watch") else { return };
    let screen = pane.wait_for("Need a key");
    for part in ["mail of lead-one", "amber-otter", "1 unread, 1 to ack", "was registered as lead", "q quit"]
    {
        assert!(screen.contains(part), "{part} in\n{screen}");
    }
    assert_eq!(pane.asks("#{alternate_on} #{cursor_flag}"), "1 0");
    pane.keys(&["q"]);
    is_given_back(&pane);
}

/// What is said on a screen or in a picture of one; numbers, times and countdowns are not.
fn said(text: &str) -> BTreeSet<String> {
    let is_said =
        |word: &&str| word.chars().any(char::is_alphabetic) && !word.chars().any(|it| it.is_ascii_digit());
    let words = text.split(|it: char| it.is_whitespace() || ('─'..='╿').contains(&it));
    words.filter(is_said).map(str::to_owned).collect()
}

/// The words of a drawing, without its tags.
fn drawn(picture: &str) -> String {
    let pieces = picture.split('<').filter_map(|piece| piece.split_once('>'));
    let text = pieces.map(|(_, text)| text).collect::<Vec<_>>().join(" ");
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

#[test]
fn the_picture_of_the_board_says_what_the_board_says() {
    let world = World::in_real_time();
    let pictures = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/pictures");
    let folder = Path::new(env!("CARGO_BIN_EXE_bb")).parent().unwrap();
    let mut scene = Command::new(pictures.join("board-scene"));
    scene.env_clear().env("HOME", world.path("home")).env("BB_STORE", world.store());
    scene.env("PATH", format!("{}:/usr/bin:/bin", folder.display())).current_dir(world.work());
    assert!(scene.status().unwrap().success());
    let Some(pane) = Pane::open(&world, 124, 30, &[("BB_AGENT", "lead-one")]) else { return };
    pane.bb("watch");
    let screen = pane.wait_until("the whole board", |it| it.contains(" s =") && it.contains("m mine/all"));
    let picture = fs::read_to_string(pictures.join("board.svg")).unwrap();
    assert_eq!(said(&drawn(&picture)), said(&screen), "draw it anew with docs/pictures/capture");
}

#[test]
fn the_status_is_followed_on_the_same_board() {
    let world = world();
    sent(&world, &[("--subject", "Need a key")]);
    let Some(pane) = on_a_terminal(&world, "status --follow") else { return };
    pane.wait_for("Need a key");
    pane.keys(&["q"]);
    is_given_back(&pane);
    world.bb(["status", "--follow", "--bead", "bb-1"]).fails("INVALID_ARGS", 64);
}

#[test]
fn changes_of_others_appear_by_themselves() {
    let world = world();
    let Some(pane) = on_a_terminal(&world, "watch") else { return };
    sent(&world, &[("--subject", "Fresh news")]);
    pane.wait_for("Fresh news");
    world.bb(["state", "amber-otter", "stuck"]).ok();
    pane.wait_for("stuck");
}

#[test]
fn a_message_is_opened_read_and_acked_with_keys() {
    let world = world();
    let id =
        sent(&world, &[("--category", "BLOCKED"), ("--subject", "Need a key"), ("--body", "Which key?")]);
    let Some(pane) = on_a_terminal(&world, "watch") else { return };
    pane.wait_for("Need a key");
    assert_eq!(state(&world, &id), "unread");
    pane.keys(&["Enter"]);
    pane.wait_for("Which key?");
    pane.wait_for("written by amber-otter");
    // It is noted once it was drawn, and then drawn again.
    pane.wait_for("read, needs: ack");
    assert_eq!(state(&world, &id), "read");
    pane.keys(&["a"]);
    let tail = id.rsplit('_').next().unwrap();
    pane.wait_for(&format!("acknowledged \"Need a key\" ({tail})"));
    pane.wait_for("acked, needs: -");
    assert_eq!(state(&world, &id), "acked");
    pane.keys(&["Escape"]);
    pane.wait_for("mail 0");
}

#[test]
fn an_answer_is_typed_and_sent() {
    let world = world();
    let id = sent(&world, &[("--category", "BLOCKED"), ("--subject", "Need a key")]);
    let Some(pane) = on_a_terminal(&world, "watch") else { return };
    pane.wait_for("Need a key");
    pane.keys(&["r"]);
    pane.wait_for("answer to amber-otter: Need a key");
    pane.keys(&["n", "o", "C-u", "q", "u", "i", "t", "e", "Space", "n", "o", "C-w", "o", "x", "BSpace"]);
    pane.keys(&["Left", "s"]);
    pane.wait_for("> quite so");
    pane.keys(&["End"]);
    pane.wait_for("> quite so█");
    pane.keys(&["Enter"]);
    pane.wait_for("sent to amber-otter: quite so");
    let answers = world.json(["inbox", "--agent", "amber-otter"]);
    assert_eq!(answers[0]["body"], "quite so");
    assert_eq!(answers[0]["reply_to"], id.as_str());
}

/// A message that arrives while a key is on its way must not be acknowledged in the place of another.
#[test]
fn keys_act_on_the_message_that_is_highlighted() {
    let world = world();
    let first = sent(&world, &[("--category", "BLOCKED"), ("--subject", "Merge the typo fix?")]);
    let Some(pane) = on_a_terminal(&world, "watch") else { return };
    pane.wait_for("Merge the typo fix?");
    let pressing = sent(
        &world,
        &[("--category", "BLOCKED"), ("--subject", "Drop the database?"), ("--priority", "urgent")],
    );
    pane.wait_until("the urgent one above the other", |screen| {
        let (urgent, other) = (screen.find("Drop the database?"), screen.find("Merge the typo fix?"));
        urgent.is_some() && urgent < other
    });
    pane.keys(&["a"]);
    pane.wait_for("acknowledged \"Merge the typo fix?\"");
    assert_eq!((state(&world, &first), state(&world, &pressing)), ("acked".into(), "unread".into()));
}

#[test]
fn pasted_lines_are_an_answer_and_never_commands() {
    let world = world();
    let id = sent(&world, &[("--category", "BLOCKED"), ("--subject", "Need a key")]);
    let Some(pane) = on_a_terminal(&world, "watch") else { return };
    pane.wait_for("Need a key");
    pane.paste("a\nq\n");
    pane.keys(&["r"]);
    pane.wait_for("answer to amber-otter");
    pane.paste("use the new one\na\nq\n");
    pane.wait_for("> use the new one a q█");
    pane.keys(&["Enter"]);
    pane.wait_for("sent to amber-otter: use the new one a q");
    assert_eq!(state(&world, &id), "read", "it was answered, and not acknowledged");
    assert_eq!(world.json(["inbox", "--agent", "amber-otter"])[0]["body"], "use the new one a q");
    pane.keys(&["q"]);
    is_given_back(&pane);
}

#[test]
fn an_open_message_changes_as_it_is_answered() {
    let world = world();
    let asked = world.bb([
        "wait-ack",
        "--from",
        "amber-otter",
        "--to",
        "lead-one",
        "--operation",
        "restart",
        "--no-wait",
    ]);
    assert_eq!(asked.code, 75, "{asked}");
    let Some(pane) = on_a_terminal(&world, "watch") else { return };
    pane.wait_for("Agent Restart Pending");
    pane.keys(&["Enter"]);
    pane.wait_for("read, needs: ack");
    let id = world.json(["inbox", "--agent", "lead-one"])[0]["message_id"].as_str().unwrap().to_owned();
    world.bb(["reply", &id, "--ok", "--agent", "lead-one"]).ok();
    pane.wait_for("acked, needs: -");
}

#[test]
fn a_dash_is_an_answer_like_any_other() {
    let world = world();
    sent(&world, &[("--subject", "Need a key")]);
    let Some(pane) = on_a_terminal(&world, "watch") else { return };
    pane.wait_for("Need a key");
    pane.keys(&["r", "-", "Enter"]);
    pane.wait_for("sent to amber-otter: -");
}

/// More is open than the board shows: what is overdue is never what is missing, and the counts are true.
#[test]
fn the_oldest_overdue_message_is_on_the_board_however_much_came_after_it() {
    let world = World::with_two_agents();
    sent(&world, &[("--category", "BLOCKED"), ("--subject", "Forgotten"), ("--priority", "low")]);
    world.pass(3_600);
    for number in 0..230 {
        sent(&world, &[("--subject", &format!("News {number}"))]);
    }
    for flags in [&["watch", "--once"][..], &["watch", "--once", "--agent", "lead-one"]] {
        let board = world.json(flags.iter().copied());
        assert_eq!(board["mail"][0]["subject"], "Forgotten");
        assert_eq!(board["mail"][1]["subject"], "News 0", "then the oldest");
        assert_eq!(board["mail"].as_array().unwrap().len(), 200);
        assert_eq!((&board["mail_total"], &board["mail_overdue"]), (&231.into(), &1.into()));
    }
    let text = world.bb(["watch", "--once"]).ok().stdout;
    assert!(text.contains("2 agents, 231 messages open (1 overdue), 0 handshakes"), "{text}");
    assert!(text.contains("… and 31 more messages"), "{text}");
}

#[test]
fn whoever_is_named_sees_their_own_mail_without_a_terminal_too() {
    let world = World::with_two_agents();
    sent(&world, &[("--subject", "For lead")]);
    sent(&world, &[("--from", "lead-one"), ("--to", "amber-otter"), ("--subject", "For amber")]);
    let subjects = |flags: &[&str]| {
        let board = world.json(flags.iter().copied());
        let mail = board["mail"].as_array().unwrap().iter();
        mail.map(|it| it["subject"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(subjects(&["watch", "--once"]), ["For lead", "For amber"]);
    assert_eq!(subjects(&["watch", "--once", "--agent", "lead-one"]), ["For lead"]);
    let text = world.bb(["watch", "--once", "--agent", "lead-one"]).ok().stdout;
    assert!(text.contains("1 message open for lead-one"), "{text}");
    let follow = ["status", "--follow", "--agent", "amber-otter", "--json"];
    let mut child = world.command(follow).stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.contains("For amber") && !line.contains("For lead"), "{line}");
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn handshakes_are_counted_once_and_the_most_pressing_comes_first() {
    let world = World::with_two_agents();
    world.register("zinc-yak", "backend");
    let ask = |from: &str, to: &str, operation: &str, time: &str| {
        world.bb([
            "wait-ack",
            "--from",
            from,
            "--to",
            to,
            "--operation",
            operation,
            "--timeout",
            time,
            "--no-wait",
        ]);
    };
    ask("lead-one", "amber-otter,zinc-yak", "deploy", "10m");
    ask("amber-otter", "zinc-yak", "restart", "5m");
    ask("amber-otter", "lead-one", "maintenance", "20m");
    let order = |flags: &[&str]| {
        let board = world.json(flags.iter().copied());
        let waits = board["waits"].as_array().unwrap().iter();
        waits.map(|it| it["operation"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(order(&["watch", "--once"]), ["restart", "deploy", "deploy", "maintenance"]);
    assert_eq!(
        order(&["watch", "--once", "--agent", "lead-one"]),
        ["maintenance", "deploy", "deploy", "restart"],
        "who waits for me, whom I wait for, the others"
    );
    let text = world.bb(["watch", "--once"]).ok().stdout;
    assert!(text.contains(", 3 handshakes\n"), "{text}");
}

#[test]
fn a_reservation_of_ones_own_is_released_with_a_key_and_no_other() {
    let world = world();
    let reserve = |agent: &str, scope: &str| {
        world.bb(["reserve", "--agent", agent, "--bead", "bb-1", "--scope", scope]).ok();
    };
    reserve("amber-otter", "src/theirs");
    let Some(pane) = on_a_terminal(&world, "watch") else { return };
    pane.wait_for("src/theirs");
    pane.keys(&["x"]);
    pane.wait_for("nothing to release here");
    pane.keys(&["Tab", "Tab", "Tab", "x"]);
    pane.wait_for("RELEASE_FORBIDDEN");
    reserve("lead-one", "src/mine");
    pane.wait_for("src/mine");
    // The one that expires next stands first.
    pane.keys(&["j", "x"]);
    pane.wait_for("released src/mine");
    let left = world.json(["status"])["reservations"].clone();
    assert_eq!((left.as_array().unwrap().len(), &left[0]["scope"]), (1, &"src/theirs".into()));
}

#[test]
fn handshakes_count_down() {
    let world = world();
    world.bb([
        "wait-ack",
        "--from",
        "amber-otter",
        "--to",
        "lead-one",
        "--operation",
        "restart",
        "--no-wait",
    ]);
    let Some(pane) = on_a_terminal(&world, "watch") else { return };
    let left = |screen: &str| {
        let line = screen.lines().find(|line| line.contains(" s ====")).map(str::to_owned);
        line.and_then(|line| line.split(" s ====").next()?.rsplit([' ', '│']).next()?.parse::<u64>().ok())
    };
    let first = left(&pane.wait_until("a countdown", |screen| left(screen).is_some())).unwrap();
    pane.wait_until("a later countdown", |screen| left(screen).is_some_and(|later| later < first));
}

#[test]
fn what_cannot_be_done_is_said_on_the_board() {
    let world = world();
    world.register("zinc-yak", "backend");
    sent(&world, &[("--to", "zinc-yak"), ("--category", "BLOCKED"), ("--subject", "Not for lead")]);
    let Some(pane) = on_a_terminal(&world, "watch") else { return };
    pane.keys(&["m"]);
    pane.wait_for("Not for lead");
    pane.keys(&["a"]);
    pane.wait_for("ACK_FORBIDDEN");
    pane.keys(&["Enter"]);
    pane.wait_for("written by amber-otter");
    assert_eq!(
        world.json(["inbox", "--agent", "zinc-yak"])[0]["state"],
        "unread",
        "looking at others' mail changes nothing"
    );
}

#[test]
fn a_change_of_size_is_followed() {
    let world = world();
    let Some(pane) = on_a_terminal(&world, "watch") else { return };
    pane.wait_until("two columns", |screen| screen.lines().any(|line| line.matches('┌').count() == 2));
    pane.resize(70, 24);
    pane.wait_until("one column", |screen| {
        screen.contains("┌ mail") && screen.lines().all(|line| line.matches('┌').count() < 2)
    });
}

#[test]
fn the_terminal_is_given_back_whatever_ends_the_board() {
    for end in ["q", "C-c", "TERM", "INT", "HUP", "QUIT"] {
        let world = world();
        let Some(pane) = on_a_terminal(&world, "watch") else { return };
        match end {
            "q" | "C-c" => pane.keys(&[end]),
            signal => {
                let pid = pane.asks("#{pane_pid}");
                let children = Command::new("ps").args(["-o", "pid=", "--ppid", &pid]).output().unwrap();
                let board = String::from_utf8(children.stdout).unwrap().trim().to_owned();
                assert!(Command::new("kill").args(["-s", signal, &board]).status().unwrap().success());
            }
        }
        is_given_back(&pane);
    }
}

#[test]
fn a_store_that_is_taken_away_is_missed() {
    let world = world();
    let Some(pane) = on_a_terminal(&world, "watch") else { return };
    fs::remove_dir_all(world.path("store")).unwrap();
    pane.wait_for("error[IO_READ_FAILED]");
    is_given_back(&pane);
}

/// A board that cannot go on says why, on the screen that was there before.
#[test]
fn the_terminal_is_given_back_when_the_store_breaks() {
    let world = world();
    let Some(pane) = on_a_terminal(&world, "watch") else { return };
    // Written over where it lies: the board has it open.
    for part in ["", "-wal", "-shm"] {
        let path = format!("{}{part}", world.store().display());
        let length = fs::metadata(&path).unwrap().len();
        let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
        std::os::unix::fs::FileExt::write_all_at(&file, &vec![b'x'; usize::try_from(length).unwrap()], 0)
            .unwrap();
    }
    pane.wait_for("error[STORE_CORRUPT]");
    is_given_back(&pane);
}

#[test]
fn once_prints_one_snapshot() {
    let world = World::with_two_agents();
    world.pass(1);
    sent(&world, &[("--category", "BLOCKED"), ("--subject", "Need a key")]);
    world.bb([
        "wait-ack",
        "--from",
        "lead-one",
        "--to",
        "amber-otter",
        "--operation",
        "restart",
        "--no-wait",
    ]);
    world
        .bb(["reserve", "--agent", "lead-one", "--scope", "src/api/**", "--bead", "bb-1", "--ttl", "10"])
        .ok();
    world.pass(30);
    insta::assert_snapshot!(world.bb(["watch", "--once"]).ok().stdout, @"
    2026-03-04T00:11:53.000Z  2 agents, 2 messages open, 1 handshake
    AGENT        STATE  LIVENESS  LAST SEEN  UNREAD  TO ACK
    amber-otter  idle   active    30s ago    1       1
    lead-one     idle   active    30s ago    1       1
    ID          FROM         TO           CATEGORY  PRIORITY  SUBJECT                                          AGE  NEEDS
    agzys1yj95  lead-one     amber-otter  BLOCKED   high      Agent Restart Pending - Acknowledgment Required  30s  read, ack
    d91fp7rptj  amber-otter  lead-one     BLOCKED   normal    Need a key                                       30s  read, ack
    lead-one waits for amber-otter: restart, 90 s left
    src/api/** is held by lead-one until 2026-03-04T00:21:23.000Z
    00:11:23  lead-one  reserved src/api/** until 2026-03-04T00:21:23.000Z
    00:11:23  lead-one  Started waiting for acknowledgment from amber-otter
    00:11:23  lead-one  sent msg_20260304_001123_agzys1yj95 to amber-otter (pre-operation, BLOCKED, ack required)
    00:11:23  amber-otter  sent msg_20260304_001123_d91fp7rptj to lead-one (BLOCKED, ack required)
    00:11:22  lead-one  was registered as lead
    ");
    let board = world.json(["watch", "--once", "--agent", "lead-one"]);
    assert_eq!(board["me"], "lead-one");
    assert_eq!(board["waits"][0]["remaining_seconds"], 90);
    assert_eq!(board["agents"][1]["needs_ack"], 1);
    assert_eq!(board["reservations"][0]["scope"], "src/api/**");
    world.pass(600);
    assert_eq!(world.json(["watch", "--once"])["reservations"], serde_json::json!([]), "it has expired");
}

/// Without a terminal a snapshot is printed at once and whenever something changes.
#[test]
fn elsewhere_snapshots_are_printed_as_things_change() {
    for (flags, is_json) in [(&["watch"][..], false), (&["watch", "--json"], true)] {
        let world = world();
        let mut child = world.command(flags).stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut snapshot = || {
            let mut text = String::new();
            for line in lines.by_ref() {
                let line = line.unwrap();
                if line.is_empty() {
                    break;
                }
                text.push_str(&line);
                text.push('\n');
                if is_json {
                    break;
                }
            }
            text
        };
        assert!(!snapshot().contains("Fresh news"));
        sent(&world, &[("--subject", "Fresh news")]);
        let after = snapshot();
        assert!(after.contains("Fresh news"), "{after}");
        if is_json {
            assert_eq!(serde_json::from_str::<Value>(&after).unwrap()["mail"][0]["subject"], "Fresh news");
        }
        assert!(
            Command::new("kill").args(["-s", "TERM", &child.id().to_string()]).status().unwrap().success()
        );
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }
}

/// A terminal that can only print one line after another gets snapshots, and no colour.
#[test]
fn a_dumb_terminal_gets_snapshots() {
    let world = world();
    let Some(pane) = Pane::open(&world, 120, 30, &[("BB_AGENT", "lead-one")]) else { return };
    pane.line(&format!("TERM=dumb {} watch", env!("CARGO_BIN_EXE_bb")));
    pane.wait_for("2 agents, 0 messages open");
    assert_eq!(pane.asks("#{alternate_on}"), "0");
    pane.keys(&["C-c"]);
}

#[test]
fn a_closed_pipe_ends_it() {
    let world = world();
    let mut child = world.command(["watch"]).stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    lines.next().unwrap().unwrap();
    drop(lines);
    sent(&world, &[]);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_wrong_name_is_named_and_a_set_but_unknown_one_is_nobody() {
    let world = World::with_two_agents();
    world.bb(["watch", "--once", "--agent", "nobody-here"]).fails("AGENT_NOT_FOUND", 67);
    let board = world.bb_with(&[("BB_AGENT", "nobody-here")], ["watch", "--once", "--json"]).ok().data();
    assert_eq!(board["me"], Value::Null);
}
