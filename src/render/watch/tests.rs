use super::*;
use crate::commands::watch::Open;
use crate::commands::watch::samples::{board, held, message};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;

fn painted(width: u16, height: u16, board: &Board, view: &View, color: bool) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| paint(frame, board, view, Paint { color })).unwrap();
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
    │overdue   high   BLOCKED  amber-otter Need a key                          5m  │
    │read, ack high   BLOCKED  amber-otter Also this                           20s │
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
    │lead-one    working 40s  2 unread, 2 to ack                                   │
    │                                                                              │
    └──────────────────────────────────────────────────────────────────────────────┘
    ┌ events 2 ────────────────────────────────────────────────────────────────────┐
    │00:10:22 lead-one    read 0000000001                                          │
    │00:10:22 amber-otter sent 0000000001 to lead-one (BLOCKED, ack required)      │
    │                                                                              │
    └──────────────────────────────────────────────────────────────────────────────┘
    Tab panel  j k row  Enter open  a ack  r reply  x release  m mine/all  q quit
    ");
}

#[test]
fn a_wide_board_puts_them_side_by_side() {
    let mut board = board();
    board.reservations.push(held());
    insta::assert_snapshot!(shown(120, 24, &board, &View::new(false)), @"
    bb watch 00:11:22Z  everybody's mail, you are lead-one  1 overdue
    ┌ mail 2 ────────────────────────────────────────────────────────┐┌ handshakes 1 ──────────────────────────────────────┐
    │overdue   high   BLOCKED  amber-otter lead-one Need a key   5m  ││   75 s =====--- amber-otter for lead-one restart   │
    │read, ack high   BLOCKED  amber-otter lead-one Also this    20s ││                                                    │
    │                                                                ││                                                    │
    │                                                                ││                                                    │
    │                                                                │└────────────────────────────────────────────────────┘
    │                                                                │┌ agents 2 ──────────────────────────────────────────┐
    │                                                                ││amber-otter stuck   40s                             │
    │                                                                ││lead-one    working 40s  2 unread, 2 to ack         │
    │                                                                ││                                                    │
    │                                                                ││                                                    │
    │                                                                ││                                                    │
    └────────────────────────────────────────────────────────────────┘│                                                    │
    ┌ events 2 ──────────────────────────────────────────────────────┐│                                                    │
    │00:10:22 lead-one    read 0000000001                            ││                                                    │
    │00:10:22 amber-otter sent 0000000001 to lead-one (BLOCKED, ack r│└────────────────────────────────────────────────────┘
    │                                                                │┌ reservations 1 ────────────────────────────────────┐
    │                                                                ││src/api/**                   amber-otter 10m left   │
    │                                                                ││                                                    │
    │                                                                ││                                                    │
    │                                                                ││                                                    │
    └────────────────────────────────────────────────────────────────┘└────────────────────────────────────────────────────┘
    Tab panel  j k row  Enter open  a ack  r reply  x release  m mine/all  q quit
    ");
}

#[test]
fn an_open_message_is_a_page() {
    let mut view = View::new(true);
    view.open = Some(Open { message: message(1, "Need a key\u{1b}[2J", 300), scrolled: 0 });
    view.reply = Some(("msg_1".parse().unwrap(), "the new one".to_owned()));
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
    │                                                                              │
    └ written by amber-otter ──────────────────────────────────────────────────────┘
    answer: the new one█  Enter sends, Esc drops it
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
    view.open = Some(Open { message: board.mail[0].clone(), scrolled: 0 });
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

#[test]
fn no_size_is_too_small() {
    let mut view = View::new(true);
    for (width, height) in [(1, 1), (3, 2), (10, 3), (20, 6), (400, 2), (2, 200)] {
        shown(width, height, &board(), &view);
    }
    view.open = Some(Open { message: message(1, "Open", 1), scrolled: u16::MAX });
    shown(5, 5, &board(), &view);
}

#[test]
fn the_selected_row_stays_in_sight_among_500() {
    let mut board = board();
    board.mail = (0..500).map(|number| message(number, &format!("subject {number}"), 10)).collect();
    let mut view = View::new(true);
    for _ in 0..499 {
        view.handle(crate::commands::watch::Key::Down, &board);
    }
    assert!(shown(80, 24, &board, &view).contains("subject 499"));
}
