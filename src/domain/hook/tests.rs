use super::*;
use proptest::prelude::*;
use std::time::Duration;

fn at(seconds: u64) -> Timestamp {
    Timestamp::from_millis(1_000_000_000_000) + Duration::from_secs(seconds)
}

fn waiting(name: &str, priority: Priority) -> Waiting {
    Waiting {
        message_id: name.parse().unwrap(),
        from_agent: "lead-one".parse().unwrap(),
        category: Category::Info,
        priority,
        subject: name.to_owned(),
        unread: true,
        needs_ack: false,
        ack_due_at: None,
        created_at: at(0),
        shown: false,
        asked: false,
    }
}

fn told(waiting: Vec<Waiting>, moment: Moment) -> Vec<String> {
    choose(waiting, moment, at(60)).told.into_iter().map(|it| it.subject).collect()
}

fn one_of_each() -> Vec<Waiting> {
    Priority::ALL.iter().map(|priority| waiting(priority.as_str(), *priority)).collect()
}

#[test]
fn a_prompt_is_told_only_of_what_is_urgent_or_high() {
    assert_eq!(told(one_of_each(), Moment::Prompt), ["urgent", "high"]);
}

#[test]
fn work_is_interrupted_only_by_what_is_urgent() {
    assert_eq!(told(one_of_each(), Moment::Tool), ["urgent"]);
}

#[test]
fn session_starts_and_stops_are_told_of_everything_by_priority() {
    for moment in [Moment::SessionStart, Moment::Stop] {
        assert_eq!(told(one_of_each(), moment), ["urgent", "high", "normal", "low"]);
    }
}

#[test]
fn what_was_shown_is_not_shown_again() {
    let shown: Vec<_> = one_of_each().into_iter().map(|it| Waiting { shown: true, ..it }).collect();
    for moment in Moment::ALL {
        assert!(told(shown.clone(), *moment).is_empty(), "{moment}");
    }
}

#[test]
fn a_missing_ack_is_asked_for_once_before_going_idle_although_it_was_shown() {
    let owed = Waiting { shown: true, needs_ack: true, ..waiting("owed", Priority::Normal) };
    assert!(told(vec![owed.clone()], Moment::Prompt).is_empty());
    assert_eq!(told(vec![owed.clone()], Moment::Stop), ["owed"]);
    assert!(told(vec![Waiting { asked: true, ..owed }], Moment::Stop).is_empty());
}

#[test]
fn what_is_late_and_what_is_owed_comes_before_what_is_only_old() {
    let old = waiting("old", Priority::High);
    let young = Waiting { created_at: at(9), ..waiting("young", Priority::High) };
    let owed = Waiting { needs_ack: true, created_at: at(8), ..waiting("owed", Priority::High) };
    let late = Waiting { ack_due_at: Some(at(10)), ..owed.clone() };
    let late = Waiting { subject: "late".to_owned(), ..late };
    assert_eq!(told(vec![young, old, owed, late], Moment::Prompt), ["late", "owed", "old", "young"]);
}

proptest! {
    #[test]
    fn lists_at_most_five_and_counts_the_rest(flags in prop::collection::vec((0..4_usize, any::<bool>(), any::<bool>()), 0..40)) {
        let mail: Vec<_> = flags
            .iter()
            .map(|(priority, shown, needs_ack)| Waiting {
                shown: *shown,
                needs_ack: *needs_ack,
                ..waiting("msg", Priority::ALL[*priority])
            })
            .collect();
        for moment in Moment::ALL {
            let due = mail.iter().filter(|it| it.is_due(*moment)).count();
            let choice = choose(mail.clone(), *moment, at(60));
            prop_assert!(choice.told.len() <= LISTED);
            prop_assert_eq!(choice.told.len() + choice.more, due);
            prop_assert!(choice.told.windows(2).all(|pair| pair[0].priority >= pair[1].priority));
        }
    }
}
