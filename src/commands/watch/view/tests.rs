use super::*;
use crate::commands::watch::samples::{board, held, message};
use proptest::prelude::*;

fn press(view: &mut View, board: &Board, keys: &[Key]) -> Wish {
    keys.iter().map(|key| view.handle(*key, board)).last().unwrap_or(Wish::Nothing)
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
    assert_eq!(press(&mut view, &board, &keys), Wish::Reply(id(&board, 1), "ok, q".to_owned()));
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
    view.open = Some(Open { message: message(9, "Open", 1), scrolled: 0 });
    press(&mut view, &board, &[Key::Up, Key::Down, Key::Down, Key::Up, Key::PageDown]);
    assert_eq!(view.open.as_ref().unwrap().scrolled, 11);
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
            if let Wish::Open(id) = view.handle(key, &board) {
                prop_assert!(board.mail.iter().any(|it| it.message_id == id) || board.waits.iter().any(|it| it.message_id == id));
                view.open = Some(Open { message: message(9, "Open", 1), scrolled: 0 });
            }
            view.fit(&board);
            for panel in Panel::ALL {
                prop_assert!(view.row(panel) == 0 || view.row(panel) < panel.rows(&board));
            }
            prop_assert!(view.panel.is_shown(&board));
        }
    }
}
