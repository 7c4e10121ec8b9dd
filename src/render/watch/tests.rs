use super::*;
use crate::commands::watch::samples::{board, held, message};
use crate::commands::watch::{Draft, Key, Open};
use crate::domain::message::Message;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;

fn painted(width: u16, height: u16, board: &Board, view: &View, color: bool) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal
        .draw(|frame| {
            paint(frame, board, view, Paint { color });
        })
        .unwrap();
    terminal.backend().buffer().clone()
}

fn shown(width: u16, height: u16, board: &Board, view: &View) -> String {
    let buffer = painted(width, height, board, view, true);
    let line = |y| (0..width).map(|x| buffer[(x, y)].symbol()).collect::<String>().trim_end().to_owned();
    (0..height).map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_narrow_board_stacks_its_panels() {
    insta::assert_snapshot!(shown(80, 24, &board(), &View::new(true)), @"
    bb watch 00:11:22Z  mail of lead-one  1 overdue
    ┌ mail 2 ──────────────────────────────────────────────────────────────────────┐
    │overdue   high BLOCKED amber-otter Need a key                              5m │
    │read, ack high BLOCKED amber-otter Also this                               20s│
    │                                                                              │
    │                                                                              │
    │                                                                              │
    └──────────────────────────────────────────────────────────────────────────────┘
    ┌ handshakes 1 ────────────────────────────────────────────────────────────────┐
    │   75 s =====--- amber-otter for lead-one restart                             │
    │                                                                              │
    │                                                                              │
    └──────────────────────────────────────────────────────────────────────────────┘
    ┌ agents 2 ────────────────────────────────────────────────────────────────────┐
    │amber-otter stuck   40s                                                       │
    │lead-one    working 40s 2 unread, 2 to ack                                    │
    │                                                                              │
    └──────────────────────────────────────────────────────────────────────────────┘
    ┌ events ──────────────────────────────────────────────────────────────────────┐
    │00:10:22 lead-one    read 0000000001                                          │
    │00:10:22 amber-otter sent 0000000001 to lead-one (BLOCKED, ack required)      │
    │                                                                              │
    └──────────────────────────────────────────────────────────────────────────────┘
    q quit  Tab panel  j k row  Enter open  a ack  r reply  x release  m mine/all
    ");
}

#[test]
fn a_wide_board_puts_them_side_by_side() {
    let mut board = board();
    board.reservations.push(held());
    board.mail_of = None;
    insta::assert_snapshot!(shown(120, 24, &board, &View::new(false)), @"
    bb watch 00:11:22Z  everybody's mail, you are lead-one  1 overdue
    ┌ mail 2 ──────────────────────────────────────────────────────────────────────────────────────────────────────────────┐
    │overdue   high BLOCKED amber-otter lead-one Need a key                                                             5m │
    │read, ack high BLOCKED amber-otter lead-one Also this                                                              20s│
    │                                                                                                                      │
    │                                                                                                                      │
    │                                                                                                                      │
    │                                                                                                                      │
    └──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────┘
    ┌ handshakes 1 ────────────────────────────────────────────┐┌ agents 2 ────────────────────────────────────────────────┐
    │   75 s =====--- amber-otter for lead-one restart         ││amber-otter stuck   40s                                   │
    │                                                          ││lead-one    working 40s 2 unread, 2 to ack                │
    └──────────────────────────────────────────────────────────┘│                                                          │
    ┌ reservations 1 ──────────────────────────────────────────┐│                                                          │
    │src/api/**                            amber-otter 10m left││                                                          │
    │                                                          ││                                                          │
    └──────────────────────────────────────────────────────────┘└──────────────────────────────────────────────────────────┘
    ┌ events ──────────────────────────────────────────────────────────────────────────────────────────────────────────────┐
    │00:10:22 lead-one    read 0000000001                                                                                  │
    │00:10:22 amber-otter sent 0000000001 to lead-one (BLOCKED, ack required)                                              │
    │                                                                                                                      │
    │                                                                                                                      │
    └──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────┘
    q quit  Tab panel  j k row  Enter open  a ack  r reply  x release  m mine/all
    ");
}

#[test]
fn an_open_message_is_a_page() {
    let mut view = View::new(true);
    let message = message(1, "Need a key\u{1b}[2J", 300);
    let mut draft = Draft::new(message.message_id.clone(), message.from_agent.clone(), &message.subject);
    draft.before_cursor = "the new one".to_owned();
    view.open = Some(Open::new(message));
    view.reply = Some(draft);
    insta::assert_snapshot!(shown(80, 14, &board(), &view), @"
    bb watch 00:11:22Z  mail of lead-one  1 overdue
    ┌ Need a key ──────────────────────────────────────────────────────────────────┐
    │id         msg_20260304_001122_0000000001                                     │
    │from       amber-otter, 5m ago                                                │
    │to         lead-one                                                           │
    │category   BLOCKED, high priority                                             │
    │thread     bead:bb-1                                                          │
    │state      unread, needs: ack, overdue                                        │
    │                                                                              │
    │Which key signs releases?                                                     │
    │The old one is gone.                                                          │
    └ written by amber-otter ──────────────────────────────────────────────────────┘
    answer to amber-otter: Need a key  Enter sends, Esc drops it
    > the new one█
    ");
}

#[test]
fn what_was_done_is_said() {
    let mut view = View::new(true);
    view.notice = Some("ACK_FORBIDDEN: not yours".to_owned());
    assert!(shown(80, 24, &board(), &view).ends_with("\nACK_FORBIDDEN: not yours"));
}

#[test]
fn nothing_that_a_terminal_obeys_is_drawn() {
    let mut board = board();
    for message in &mut board.mail {
        message.subject = "\u{1b}]0;x\u{7}a\u{9b}2Jb\u{202e}c".to_owned();
        message.body = "\u{1b}[31mred\u{200b}".to_owned();
    }
    let mut view = View::new(true);
    let on_board = shown(100, 30, &board, &view);
    view.open = Some(Open::new(board.mail[0].clone()));
    let whole = on_board + &shown(100, 30, &board, &view);
    assert!(whole.contains("abc") && whole.contains("red"), "{whole}");
    assert!(!whole.chars().any(|c| (c.is_control() && c != '\n') || sanitize::is_hidden(c)), "{whole:?}");
}

#[test]
fn without_colour_nothing_is_coloured() {
    let buffer = painted(120, 24, &board(), &View::new(true), false);
    assert!(buffer.content().iter().all(|cell| cell.fg == Color::Reset && cell.bg == Color::Reset));
    let buffer = painted(120, 24, &board(), &View::new(true), true);
    assert!(buffer.content().iter().any(|cell| cell.fg == Color::Red));
}

/// However small it is, something is drawn, and as soon as there is room for it the mail can be read.
#[test]
fn no_size_is_too_small() {
    let mut view = View::new(true);
    view.fit(&board());
    for (width, height) in [(1, 1), (3, 2), (10, 3), (20, 6), (400, 2), (2, 200)] {
        let screen = shown(width, height, &board(), &view);
        assert!(!screen.trim().is_empty(), "{width}x{height}");
        assert_eq!(screen.contains("Need"), width >= 20 && height >= 5, "{screen}");
    }
    view.open = Some(Open { scrolled: u16::MAX, ..Open::new(message(1, "Open", 1)) });
    assert!(shown(8, 5, &board(), &view).contains("gone."), "the end of the page");
}

const SUBJECT: &str = "Merge the typo fix before the release is cut?";

/// Everybody's mail with names and subjects as people have them.
fn busy() -> Board {
    let mut board = board();
    let letter = |number| Message {
        from_agent: "documentation-writer-two".parse().unwrap(),
        to_agent: "release-manager-eu".parse().unwrap(),
        ..message(number, SUBJECT, 300)
    };
    board.mail_of = None;
    board.mail = (0..30).map(letter).collect();
    board.mail_total = 471;
    board.waits[0].requester = "documentation-writer-two".parse().unwrap();
    board.waits[0].waits_for = "release-manager-eu".parse().unwrap();
    board.waits[0].operation = "rolling deploy of the documentation".to_owned();
    board.reservations = vec![held()];
    board
}

#[test]
fn the_subject_is_read_at_every_width() {
    let mut view = View::new(false);
    let board = busy();
    view.fit(&board);
    for (width, height, part) in [
        (80, 24, "Merge the typo fix be"),
        (100, 30, "Merge the typo fix before"),
        (120, 30, SUBJECT),
        (200, 50, SUBJECT),
        (40, 10, "Merge the"),
    ] {
        let screen = shown(width, height, &board, &view);
        assert!(screen.contains(part), "{width}x{height}\n{screen}");
        assert!(screen.contains("mail 30 of 471") && screen.contains("q quit"), "{screen}");
        assert!(screen.lines().skip(2).any(|line| line.contains("overdue")), "{screen}");
    }
}

#[test]
fn the_operation_of_a_handshake_is_read_at_every_width() {
    let mut view = View::new(false);
    let board = busy();
    view.fit(&board);
    view.handle(&Key::NextPanel, &board);
    for (width, height) in [(40, 10), (80, 24), (100, 30), (120, 30), (150, 40), (200, 50)] {
        let screen = shown(width, height, &board, &view);
        assert!(screen.contains("rolling"), "{width}x{height}\n{screen}");
        assert!(screen.contains("75 s"), "{width}x{height}\n{screen}");
    }
}

/// What does not fit is cut with a mark, and the panel that is looked at gets the room.
#[test]
fn a_small_screen_belongs_to_the_panel_that_is_looked_at() {
    let mut view = View::new(false);
    let board = busy();
    view.fit(&board);
    insta::assert_snapshot!(shown(40, 10, &board, &view), @"
    bb watch 00:11:22Z  everybod…  1 overdue
    ┌ mail 30 of 471 ──────────────────────┐
    │overdue documen… release… Merge the t…│
    │overdue documen… release… Merge the t…│
    └──────────────────────────────────────┘
     handshakes 1 ──────────────────────────
     agents 2 ──────────────────────────────
     reservations 1 ────────────────────────
     events ────────────────────────────────
    q quit  Tab panel  j k row  Enter open …
    ");
}

#[test]
fn the_usual_terminal_shows_something_of_everything() {
    let (mut view, board) = (View::new(false), busy());
    view.fit(&board);
    let screen = shown(80, 24, &board, &view);
    for part in ["Merge the typo fix", "75 s documentation", "amber-otter stuck", "m left", "00:11:"] {
        assert!(screen.contains(part), "{part}\n{screen}");
    }
    assert_eq!(screen.matches('┌').count(), 5, "{screen}");
}

#[test]
fn a_long_answer_is_seen_around_its_cursor() {
    let mut view = View::new(true);
    let mut draft = Draft::new("msg_1".parse().unwrap(), "amber-otter".parse().unwrap(), SUBJECT);
    draft.before_cursor = "a rather long answer that goes on and on".to_owned();
    view.reply = Some(draft);
    let foot = |view: &View| shown(30, 12, &board(), view).lines().skip(10).collect::<Vec<_>>().join("\n");
    insta::assert_snapshot!(foot(&view), @"
    answer to amber-otter: Merge …
    > …answer that goes on and on█
    ");
    for _ in 0..38 {
        view.handle(&Key::Left, &board());
    }
    insta::assert_snapshot!(foot(&view), @"
    answer to amber-otter: Merge …
    > a rather long answer that g…
    ");
}

#[test]
fn a_long_subject_is_read_in_full_on_its_page() {
    let mut view = View::new(true);
    view.open = Some(Open::new(message(1, &format!("{SUBJECT} And {SUBJECT}"), 300)));
    let screen = shown(60, 20, &board(), &view);
    assert!(screen.contains("│Merge the typo fix before the release is cut? And Merge "), "{screen}");
    assert!(screen.contains("│the typo fix before the release is cut?"), "{screen}");
}

#[test]
fn a_page_ends_at_its_end() {
    let mut view = View::new(true);
    let long = (1..=40).map(|line| format!("line {line}\n")).collect::<String>();
    view.open = Some(Open {
        scrolled: 500,
        ..Open::new(Message { body: format!("{long}{}", "x".repeat(200)), ..message(1, "Long", 1) })
    });
    let screen = shown(80, 24, &board(), &view);
    assert!(screen.contains("line 40") && screen.contains(&"x".repeat(44)), "{screen}");
    assert!(!screen.contains("line 20"), "{screen}");
}

#[test]
fn a_notice_takes_two_lines_and_is_cut() {
    let mut view = View::new(true);
    view.notice = Some(format!("ACK_FORBIDDEN: {}", "it is not yours ".repeat(20)));
    let screen = shown(60, 24, &board(), &view);
    assert!(screen.ends_with('…'), "{screen}");
    assert_eq!(screen.lines().count(), 24);
    assert!(screen.lines().nth(22).unwrap().starts_with("ACK_FORBIDDEN: it is not yours"), "{screen}");
}

#[test]
fn nobody_is_told_how_to_answer() {
    let mut board = board();
    board.me = None;
    assert!(
        shown(120, 24, &board, &View::new(false)).contains("read only: start with --agent NAME to answer")
    );
}

#[test]
fn the_selected_row_stays_in_sight_among_500() {
    let mut board = board();
    board.mail = (0..500).map(|number| message(number, &format!("subject {number}"), 10)).collect();
    let mut view = View::new(true);
    for _ in 0..499 {
        view.handle(&Key::Down, &board);
    }
    assert!(shown(80, 24, &board, &view).contains("subject 499"));
}
