use super::*;
use crate::commands::watch::ReservationRow;
use crate::commands::watch::samples::{board, held, message};
use crate::domain::story::Step;
use proptest::prelude::*;

fn press(view: &mut View, board: &Board, keys: &[Key]) -> Wish {
    keys.iter().map(|key| view.handle(key, board)).last().unwrap_or(Wish::Nothing)
}

fn id(board: &Board, row: usize) -> MessageId {
    board.mail[row].message_id.clone()
}

#[test]
fn keys_move_between_panels_that_are_shown() {
    let (mut board, mut view) = (board(), View::new(true));
    let mut seen = Vec::new();
    for _ in 0..4 {
        press(&mut view, &board, &[Key::NextPanel]);
        seen.push(view.panel);
    }
    assert_eq!(seen, [Panel::Waits, Panel::Agents, Panel::Events, Panel::Mail]);
    board.reservations.push(held());
    press(&mut view, &board, &[Key::PreviousPanel, Key::PreviousPanel]);
    assert_eq!(view.panel, Panel::Reservations);
    board.reservations.clear();
    view.fit(&board);
    assert_eq!(view.panel, Panel::Mail, "a panel that is gone is not looked at");
}

#[test]
fn a_reservation_is_released_only_where_reservations_are_looked_at() {
    let (mut board, mut view) = (board(), View::new(true));
    board.reservations.push(held());
    assert_eq!(press(&mut view, &board, &[Key::Letter('x')]), Wish::Nothing);
    assert_eq!(view.notice.as_deref(), Some("nothing to release here"));
    while view.panel != Panel::Reservations {
        press(&mut view, &board, &[Key::NextPanel]);
    }
    assert_eq!(press(&mut view, &board, &[Key::Letter('x')]), Wish::Release("res_1".to_owned()));
}

#[test]
fn keys_move_between_rows_and_stop_at_the_ends() {
    let (board, mut view) = (board(), View::new(true));
    press(&mut view, &board, &[Key::Down, Key::Down, Key::Letter('j'), Key::PageDown]);
    assert_eq!(view.row(Panel::Mail), 1);
    press(&mut view, &board, &[Key::PageUp, Key::Up]);
    assert_eq!(view.row(Panel::Mail), 0);
}

#[test]
fn the_selected_message_is_opened_acked_and_answered() {
    let (board, mut view) = (board(), View::new(true));
    assert_eq!(press(&mut view, &board, &[Key::Down, Key::Enter]), Wish::Open(id(&board, 1)));
    assert_eq!(press(&mut view, &board, &[Key::Letter('a')]), Wish::Ack(id(&board, 1)));
    press(&mut view, &board, &[Key::Letter('r')]);
    let typed = "ok, q".chars().map(Key::Letter);
    let keys: Vec<_> = typed.chain([Key::Letter('x'), Key::Backspace, Key::Enter]).collect();
    let Wish::Reply(draft) = press(&mut view, &board, &keys) else { panic!("nothing is sent") };
    assert_eq!((draft.id.clone(), draft.text()), (id(&board, 1), "ok, q".to_owned()));
    assert_eq!(draft.to.as_str(), "amber-otter");
    assert_eq!(view.reply, None);
}

#[test]
fn a_request_is_opened_from_the_handshakes_too() {
    let (board, mut view) = (board(), View::new(true));
    assert_eq!(press(&mut view, &board, &[Key::NextPanel, Key::Enter]), Wish::Open("msg_3".parse().unwrap()));
    assert_eq!(
        press(&mut view, &board, &[Key::NextPanel, Key::Enter]),
        Wish::Nothing,
        "agents have no message"
    );
    assert_eq!(view.notice.as_deref(), Some("nothing to open here"));
    for (letter, notice) in [('a', "nothing to acknowledge here"), ('r', "nothing to answer here")] {
        assert_eq!(press(&mut view, &board, &[Key::Letter(letter)]), Wish::Nothing);
        assert_eq!(view.notice.as_deref(), Some(notice));
    }
}

/// A new row above must not lead a key to another message: an ack is final.
#[test]
fn a_key_acts_on_what_is_selected_wherever_its_row_has_gone() {
    let (mut board, mut view) = (board(), View::new(true));
    board.reservations.push(held());
    view.fit(&board);
    let (wanted, scope) = (id(&board, 0), board.reservations[0].reservation_id.clone());
    board.mail.insert(0, message(7, "Pressing", 900));
    board.reservations.insert(0, ReservationRow { reservation_id: "res_0".to_owned(), ..held() });
    view.fit(&board);
    assert_eq!(view.row(Panel::Mail), 1);
    assert_eq!(press(&mut view, &board, &[Key::Letter('a')]), Wish::Ack(wanted.clone()));
    assert_eq!(press(&mut view, &board, &[Key::Enter]), Wish::Open(wanted));
    while view.panel != Panel::Reservations {
        press(&mut view, &board, &[Key::NextPanel]);
    }
    assert_eq!(press(&mut view, &board, &[Key::Letter('x')]), Wish::Release(scope));
}

#[test]
fn where_the_selected_row_is_gone_its_neighbour_takes_its_place() {
    let (mut board, mut view) = (board(), View::new(true));
    board.mail.push(message(3, "Third", 5));
    press(&mut view, &board, &[Key::Down]);
    let next = id(&board, 2);
    board.mail.remove(1);
    view.fit(&board);
    assert_eq!(press(&mut view, &board, &[Key::Letter('a')]), Wish::Ack(next));
    board.mail.truncate(1);
    view.fit(&board);
    assert_eq!(view.row(Panel::Mail), 0);
}

#[test]
fn the_newest_event_is_followed_and_an_older_one_is_kept() {
    let (mut board, mut view) = (board(), View::new(true));
    view.fit(&board);
    press(&mut view, &board, &[Key::PreviousPanel]);
    let newer = |event_id| Step { event_id, ..board_events()[0].clone() };
    board.events.insert(0, newer(3));
    view.fit(&board);
    assert_eq!((view.panel, view.row(Panel::Events)), (Panel::Events, 0));
    press(&mut view, &board, &[Key::Down]);
    board.events.insert(0, newer(4));
    view.fit(&board);
    assert_eq!(view.row(Panel::Events), 2);
}

fn board_events() -> Vec<Step> {
    board().events
}

/// What is pasted is text for an answer, and never a command.
#[test]
fn pasted_text_goes_into_an_answer_and_nowhere_else() {
    let (board, mut view) = (board(), View::new(true));
    let paste = Key::Paste("aq\nx".to_owned());
    assert_eq!(press(&mut view, &board, std::slice::from_ref(&paste)), Wish::Nothing);
    view.open = Some(Open::new(message(9, "Open", 1)));
    assert_eq!(press(&mut view, &board, std::slice::from_ref(&paste)), Wish::Nothing);
    assert!(view.open.is_some() && view.reply.is_none());
    press(&mut view, &board, &[Key::Letter('r'), paste]);
    assert_eq!(view.reply.as_ref().unwrap().text(), "aq x");
}

#[test]
fn nobody_is_told_so_before_anything_is_typed() {
    let (mut board, mut view) = (board(), View::new(false));
    board.me = None;
    board.reservations.push(held());
    for letter in ['a', 'r', 'x', 'm'] {
        assert_eq!(press(&mut view, &board, &[Key::Letter(letter)]), Wish::Nothing);
        assert_eq!((view.notice.as_deref(), &view.reply), (Some(READ_ONLY), &None));
    }
    view.open = Some(Open::new(message(9, "Open", 1)));
    for letter in ['a', 'r'] {
        assert_eq!(press(&mut view, &board, &[Key::Letter(letter)]), Wish::Nothing);
        assert_eq!((view.notice.as_deref(), &view.reply), (Some(READ_ONLY), &None));
    }
}

#[test]
fn an_answer_can_be_dropped_and_is_never_sent_empty() {
    let (board, mut view) = (board(), View::new(true));
    assert_eq!(press(&mut view, &board, &[Key::Letter('r'), Key::Enter]), Wish::Nothing);
    assert!(view.reply.is_some());
    assert_eq!(press(&mut view, &board, &[Key::Letter('x'), Key::Escape]), Wish::Nothing);
    assert_eq!((view.reply.clone(), view.notice.as_deref()), (None, Some("nothing was sent")));
}

#[test]
fn an_open_message_scrolls_and_closes() {
    let (board, mut view) = (board(), View::new(true));
    view.open = Some(Open::new(message(9, "Open", 1)));
    press(&mut view, &board, &[Key::Up, Key::Down, Key::Down, Key::Up, Key::PageDown]);
    assert_eq!(view.open.as_ref().unwrap().scrolled, 11);
    view.end_page_at(4);
    press(&mut view, &board, &[Key::Up]);
    assert_eq!(view.open.as_ref().unwrap().scrolled, 3, "there is nothing beyond the end");
    press(&mut view, &board, &[Key::End]);
    view.end_page_at(4);
    assert_eq!(view.open.as_ref().unwrap().scrolled, 4);
    let open = view.open.as_ref().unwrap().message.message_id.clone();
    assert_eq!(press(&mut view, &board, &[Key::Letter('a')]), Wish::Ack(open));
    assert_eq!(press(&mut view, &board, &[Key::Letter('q')]), Wish::Nothing);
    assert_eq!(view.open, None);
    assert_eq!(press(&mut view, &board, &[Key::Letter('q')]), Wish::Quit);
}

#[test]
fn an_interrupt_ends_it_wherever_one_is() {
    let (board, mut view) = (board(), View::new(true));
    press(&mut view, &board, &[Key::Letter('r'), Key::Letter('x')]);
    assert_eq!(press(&mut view, &board, &[Key::Interrupt]), Wish::Quit);
}

#[test]
fn only_somebody_with_an_identity_switches_between_mine_and_all() {
    let (mut board, mut view) = (board(), View::new(true));
    assert_eq!(press(&mut view, &board, &[Key::Letter('m')]), Wish::Look);
    assert!(!view.mine);
    board.me = None;
    assert_eq!(press(&mut view, &board, &[Key::Letter('m')]), Wish::Nothing);
}

#[test]
fn a_change_of_size_keeps_everything() {
    let (board, mut view) = (board(), View::new(true));
    press(&mut view, &board, &[Key::Letter('r'), Key::Letter('x')]);
    let before = view.clone();
    press(&mut view, &board, &[Key::Resized]);
    assert_eq!(view, before);
}

fn any_key() -> impl Strategy<Value = Key> {
    prop_oneof![
        prop::sample::select(vec![
            Key::Up,
            Key::Down,
            Key::Left,
            Key::Right,
            Key::Home,
            Key::End,
            Key::Delete,
            Key::EraseLine,
            Key::EraseWord,
            Key::Paste("q\na".to_owned()),
            Key::PageUp,
            Key::PageDown,
            Key::NextPanel,
            Key::PreviousPanel,
            Key::Enter,
            Key::Escape,
            Key::Backspace,
            Key::Resized,
        ]),
        any::<char>().prop_map(Key::Letter),
        prop::sample::select(vec!['a', 'r', 'm', 'q', 'j', 'k', 'h', 'l', 'o', ' ']).prop_map(Key::Letter),
    ]
}

proptest! {
    #[test]
    fn no_key_leads_out_of_the_board(keys in prop::collection::vec(any_key(), 0..60), rows in 0..4_usize) {
        let mut board = board();
        board.mail.truncate(rows);
        board.waits.truncate(rows / 2);
        let mut view = View::new(true);
        for key in keys {
            if let Wish::Open(id) = view.handle(&key, &board) {
                prop_assert!(board.mail.iter().any(|it| it.message_id == id) || board.waits.iter().any(|it| it.message_id == id));
                view.open = Some(Open::new(message(9, "Open", 1)));
            }
            view.fit(&board);
            for panel in Panel::ALL {
                prop_assert!(view.row(panel) == 0 || view.row(panel) < panel.rows(&board));
            }
            prop_assert!(view.panel.is_shown(&board));
        }
    }
}

#[test]
fn a_key_that_is_held_down_acknowledges_once() {
    let (board, mut view) = (board(), View::new(true));
    let ack = Key::Letter('a');
    assert_eq!(press(&mut view, &board, std::slice::from_ref(&ack)), Wish::Ack(id(&board, 0)));
    assert_eq!(press(&mut view, &board, &[ack.clone(), ack.clone()]), Wish::Nothing);
    assert!(view.notice.as_deref().is_some_and(|notice| notice.starts_with("an ack is final")));
    assert_eq!(press(&mut view, &board, &[Key::Down, ack]), Wish::Ack(id(&board, 1)));
}
