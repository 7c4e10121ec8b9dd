//! `inbox`: what an agent has received. Looking changes nothing.

use serde_json::{Value, json};

use crate::common::{SWITCH, World, letter};
use crate::replacement_scene::{LEAD, NEW, Scene, text};

/// The subjects that an inbox lists, in its order.
fn subjects(data: &Value) -> Vec<&str> {
    let messages = data.as_array().or_else(|| data["messages"].as_array()).unwrap();
    messages.iter().map(|message| message["subject"].as_str().unwrap()).collect()
}

fn look(world: &World, flags: &[&str]) -> Value {
    world.json(["inbox", "--agent", "lead-one"].into_iter().chain(flags.iter().copied()))
}

/// Three messages, each a minute younger than the one before: unread INFO, read BLOCKED, acked HANDOFF.
fn world_with_mail() -> World {
    let world = World::with_two_agents();
    world.register("zinc-yak", "backend");
    let info = [("--subject", "info"), ("--bead", "bb-2"), ("--thread", "plan:1")];
    world.bb(letter(&info)).ok();
    world.pass(60);
    let blocked = world.send("amber-otter", "lead-one", "BLOCKED", "blocked");
    world.bb(["read", "--agent", "lead-one", &blocked]).ok();
    world.pass(60);
    let handoff = world.send("zinc-yak", "lead-one", "HANDOFF", "handoff");
    world.bb(["ack", "--agent", "lead-one", &handoff]).ok();
    world
}

#[test]
fn lists_newest_first_for_people() {
    let world = world_with_mail();
    let run = world.bb(["inbox", "--agent", "lead-one"]).ok();
    insta::assert_snapshot!(run.stdout, @r"
    STATE   ID          FROM         CATEGORY  PRIORITY  SUBJECT  AGE  NEEDS
    acked   qw2bthpy19  zinc-yak     HANDOFF   normal    handoff  0s   -
    read    tr75541b83  amber-otter  BLOCKED   normal    blocked  1m   ack
    unread  agzys1yj95  amber-otter  INFO      normal    info     2m   read
    3 messages, 1 unread, 1 waiting for your ack
    ");
}

#[test]
fn an_empty_inbox_says_so() {
    let world = World::with_two_agents();
    let run = world.bb(["inbox", "--agent", "lead-one"]).ok();
    insta::assert_snapshot!(run.stdout, @"no messages for lead-one");
    assert_eq!(look(&world, &[]), json!([]));
}

#[test]
fn an_unknown_agent_is_an_error_and_never_an_empty_inbox() {
    let world = World::with_two_agents();
    let run = world.bb(["inbox", "--agent", "lead-on"]).fails("AGENT_NOT_FOUND", 67);
    assert!(run.stderr.contains("`lead-one`"), "{run}");
    world.bb(["inbox", "--agent", "lead-on", "--wait", "60"]).fails("AGENT_NOT_FOUND", 67);
}

#[test]
fn looking_changes_nothing() {
    let world = world_with_mail();
    let before = look(&world, &[]);
    for flags in
        [&["--pending"][..], &["--brief"], &["--after", "0"], &["--wait", "1"], &["--state", "unread"]]
    {
        look(&world, flags);
        world.bb(["inbox", "--agent", "lead-one"].iter().chain(flags)).ok();
    }
    assert_eq!(look(&world, &[]), before);
}

#[test]
fn every_filter_keeps_what_it_says() {
    let world = world_with_mail();
    for (flags, expected) in [
        (&[][..], &["handoff", "blocked", "info"][..]),
        (&["--state", "unread"], &["info"]),
        (&["--state", "READ"], &["blocked"]),
        (&["--state", "acked"], &["handoff"]),
        (&["--bead", "bb-2"], &["info"]),
        (&["--bead", "bb-1"], &["handoff", "blocked"]),
        (&["--bead", "bb"], &[]),
        (&["--thread", "plan:1"], &["info"]),
        (&["--thread", "bead:bb-1"], &["handoff", "blocked"]),
        (&["--from", "zinc-yak"], &["handoff"]),
        (&["--category", "blocked"], &["blocked"]),
        (&["--pending"], &["blocked", "info"]),
        (&["--needs-ack"], &["blocked"]),
        (&["--overdue"], &[]),
        (&["--pending", "--state", "read"], &["blocked"]),
        (&["--pending", "--category", "HANDOFF"], &[]),
        (&["--needs-ack", "--state", "unread"], &[]),
        (&["--limit", "1"], &["handoff"]),
        (&["--limit", "2", "--from", "amber-otter"], &["blocked", "info"]),
    ] {
        assert_eq!(subjects(&look(&world, flags)), expected, "{flags:?}");
        let after = [flags, &["--after", "0"]].concat();
        let mut oldest_first: Vec<_> = expected.to_vec();
        oldest_first.reverse();
        if !flags.contains(&"--limit") {
            assert_eq!(subjects(&look(&world, &after)), oldest_first, "{after:?}");
        }
    }
}

#[test]
fn what_was_read_and_not_acked_is_still_pending_for_whoever_comes_back() {
    let world = World::with_two_agents();
    let id = world.send("amber-otter", "lead-one", "HANDOFF", "yours now");
    world.bb(["read", "--agent", "lead-one", &id]).ok();
    assert_eq!(subjects(&look(&world, &["--pending"])), ["yours now"]);
    world.bb(["ack", "--agent", "lead-one", &id]).ok();
    assert_eq!(look(&world, &["--pending"]), json!([]));
}

#[test]
fn an_ack_is_overdue_from_its_time_on() {
    let world = World::with_two_agents();
    world.send("amber-otter", "lead-one", "BLOCKED", "blocked");
    world.send("amber-otter", "lead-one", "INFO", "info");
    world.pass(119);
    assert_eq!(look(&world, &["--overdue"]), json!([]));
    world.pass(1);
    assert_eq!(subjects(&look(&world, &["--overdue"])), ["blocked"]);
    let run = world.bb(["inbox", "--agent", "lead-one"]).ok();
    assert!(run.stdout.contains("ack, overdue") && run.stdout.contains("1 overdue"), "{run}");
}

#[test]
fn limits_run_from_1_to_500_and_50_is_usual() {
    let world = World::with_two_agents();
    for number in 0..52 {
        world.send("amber-otter", "lead-one", "INFO", &number.to_string());
    }
    assert_eq!(subjects(&look(&world, &[])).len(), 50);
    assert_eq!(subjects(&look(&world, &["--limit", "500"])).len(), 52);
    let run = world.bb(["inbox", "--agent", "lead-one"]).ok();
    assert!(run.stdout.ends_with("there may be more: raise --limit, or page with --after 0\n"), "{run}");
    for bad in ["0", "501", "-1", "many", ""] {
        let limit = format!("--limit={bad}");
        world.bb(["inbox", "--agent", "lead-one", &limit]).fails("INVALID_LIMIT", 65);
    }
}

#[test]
fn the_categories_and_states_of_filters_are_checked() {
    let world = World::with_two_agents();
    world.bb(["inbox", "--agent", "lead-one", "--category", "RESUME"]).fails("INVALID_CATEGORY", 65);
    world.bb(["inbox", "--agent", "lead-one", "--state", "new"]).fails("INVALID_STATE", 65);
    world.bb(["inbox", "--agent", "lead-one", "--after=-1"]).fails("INVALID_ARGS", 64);
    world.bb(["inbox", "--agent", "lead-one", "--after", "x"]).fails("INVALID_ARGS", 64);
    world.bb(["inbox", "--agent", "lead-one", "--wait", "soon"]).fails("INVALID_ARGS", 64);
}

#[test]
fn cursors_page_through_everything_once() {
    let world = World::with_two_agents();
    let sent: Vec<_> = (0..7).map(|number| number.to_string()).collect();
    for subject in &sent {
        world.send("amber-otter", "lead-one", "INFO", subject);
        world.send("lead-one", "amber-otter", "INFO", "not for lead-one");
    }
    let (mut cursor, mut seen) = (0, Vec::new());
    loop {
        let page = look(&world, &["--after", &cursor.to_string(), "--limit", "3"]);
        let messages = page["messages"].as_array().unwrap();
        if messages.is_empty() {
            assert_eq!(page["next_cursor"], cursor, "an empty page stays where it is");
            break;
        }
        seen.extend(messages.iter().map(|message| message["subject"].as_str().unwrap().to_owned()));
        cursor = page["next_cursor"].as_i64().unwrap();
    }
    assert_eq!(seen, sent);
    let run = world.bb(["inbox", "--agent", "lead-one", "--after", "0"]).ok();
    assert!(run.stdout.ends_with(&format!("next cursor: {cursor}\n")), "{run}");
}

#[test]
fn a_restarted_monitor_misses_nothing_and_sees_nothing_twice() {
    let world = World::with_two_agents();
    world.send("amber-otter", "lead-one", "INFO", "before");
    let first = look(&world, &["--after", "0"]);
    world.send("amber-otter", "lead-one", "INFO", "while it was down");
    let cursor = first["next_cursor"].to_string();
    assert_eq!(subjects(&look(&world, &["--after", &cursor])), ["while it was down"]);
}

#[test]
fn brief_is_id_sender_category_subject_and_age() {
    let world = World::with_two_agents();
    let id = world.send("amber-otter", "lead-one", "BLOCKED", "Help");
    world.pass(180);
    let brief = json!({"message_id": id, "from_agent": "amber-otter", "category": "BLOCKED", "subject": "Help", "age": "3m"});
    assert_eq!(look(&world, &["--brief"]), json!([brief]));
    assert_eq!(look(&world, &["--brief", "--after", "0"]), json!({"messages": [brief], "next_cursor": 1}));
    let run = world.bb(["inbox", "--agent", "lead-one", "--brief"]).ok();
    assert!(!run.stdout.contains("the body") && run.stdout.contains("Help"), "{run}");
}

#[test]
fn waiting_for_nothing_ends_with_an_empty_list_and_success() {
    let world = World::with_two_agents();
    assert_eq!(look(&world, &["--wait", "3600"]), json!([]));
    assert_eq!(look(&world, &["--wait", "1h", "--after", "5"]), json!({"messages": [], "next_cursor": 5}));
}

#[test]
fn waiting_returns_at_once_when_something_is_there() {
    let world = World::in_real_time();
    world.register("amber-otter", "backend");
    world.register("lead-one", "lead");
    world.bb(letter(&[("--key", "k"), ("--json", SWITCH)])).ok();
    // It would not come back for an hour if it did not look first.
    assert_eq!(look(&world, &["--wait", "1h"]).as_array().unwrap().len(), 1);
}

#[test]
fn waiting_looks_past_what_the_filter_leaves_out() {
    let world = World::with_two_agents();
    world.send("amber-otter", "lead-one", "INFO", "info");
    assert_eq!(look(&world, &["--wait", "60", "--category", "BLOCKED"]), json!([]));
}

#[test]
fn waiting_for_what_is_overdue_sees_it_become_so() {
    let world = World::with_two_agents();
    world.send("amber-otter", "lead-one", "BLOCKED", "blocked");
    assert_eq!(subjects(&look(&world, &["--wait", "300", "--overdue"])), ["blocked"]);
}

/// The handoff that waits for its ack stands before all else, also where there is room for one message only.
#[test]
fn the_handoff_that_is_to_be_acknowledged_comes_first() {
    let scene = Scene::new();
    let handoff = scene.hand_over(&[]);
    let notice = text(&handoff["message_id"]);
    for number in 1..=3 {
        scene.world.send(LEAD, NEW, "BLOCKED", &format!("newer {number}"));
    }
    let ids = |more: &[&str]| -> Vec<String> {
        let listed = scene.world.json(["inbox", "--agent", NEW].iter().chain(more).copied());
        listed.as_array().unwrap().iter().map(|it| text(&it["message_id"])).collect()
    };
    let all = ids(&[]);
    assert_eq!((all.len(), &all[0]), (4, &notice));
    assert_eq!(all.iter().filter(|id| **id == notice).count(), 1);
    assert_eq!(ids(&["--limit", "1"]), [notice.as_str()]);
    assert_eq!(ids(&["--pending", "--limit", "2"])[0], notice);
    assert!(!ids(&["--category", "BLOCKED"]).contains(&notice), "a filter is a filter");
    let newer = scene.hand_over(&[]);
    assert_eq!(ids(&[])[0], text(&newer["message_id"]), "the current one, not the superseded one");
    assert!(ids(&["--limit", "3"]).iter().all(|id| *id != notice), "which is like any other mail");
    let page = scene.world.json(["inbox", "--agent", NEW, "--after", "0"]);
    assert_eq!(page["messages"][0]["message_id"], notice.as_str(), "by cursor in order of arrival");
    scene.world.send(LEAD, NEW, "INFO", "newest");
    scene.ready(&newer).ok();
    assert_ne!(ids(&[])[0], text(&newer["message_id"]), "acknowledged, it is like any other mail");
}

#[test]
fn a_filter_for_an_unknown_sender_is_an_error_with_near_names() {
    let world = World::with_two_agents();
    let run = world.bb(["inbox", "--agent", "lead-one", "--from", "amber-ottr"]).fails("AGENT_NOT_FOUND", 67);
    assert!(run.stderr.contains("did you mean `amber-otter`?"), "{run}");
    world.bb(["inbox", "--agent", "lead-one", "--limit", "-1"]).fails("INVALID_LIMIT", 65);
}
