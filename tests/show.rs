//! `show`: one agent or one message, unchanged by looking at it.

use crate::common::{World, letter};

#[test]
fn shows_an_agent_and_what_it_still_has_to_do() {
    let world = World::with_two_agents();
    world.send("amber-otter", "lead-one", "BLOCKED", "Help");
    world.send("amber-otter", "lead-one", "INFO", "Note");
    let run = world.bb(["show", "lead-one"]).ok();
    insta::assert_snapshot!(run.stdout, @r"
    lead-one  idle, active
    name       lead-one
    role       lead
    last seen  just now
    registered just now
    protected  no
    mail       2 unread, 1 message waiting for its ack
    ");
    let agent = world.json(["show", "lead-one"]);
    assert_eq!((agent["unread"].as_i64(), agent["needs_ack"].as_i64()), (Some(2), Some(1)));
    assert_eq!(world.json(["show", "--agent", "lead-one"]), agent);
}

#[test]
fn shows_a_message_by_any_unique_part_of_its_id_and_leaves_it_unread() {
    let world = World::with_two_agents();
    let id = world.send("amber-otter", "lead-one", "BLOCKED", "Help");
    let tail = id.rsplit('_').next().unwrap();
    for part in [id.as_str(), tail, &tail[6..], &id[..25]] {
        let shown = world.json(["show", part]);
        assert_eq!(
            (shown["message_id"].as_str(), shown["state"].as_str()),
            (Some(id.as_str()), Some("unread"))
        );
    }
}

#[test]
fn a_message_looks_the_same_to_people_as_it_reads() {
    let world = World::with_two_agents();
    world.bb(letter(&[("--category", "DECISION"), ("--priority", "urgent"), ("--body", "one\ntwo")])).ok();
    world.pass(120);
    let run = world.bb(["show", "msg_"]).ok();
    insta::assert_snapshot!(run.stdout, @r"
    Hi
    id         msg_20260304_001122_d91fp7rptj
    from       amber-otter
    to         lead-one
    category   DECISION, urgent priority
    bead       bb-1
    sent       2026-03-04T00:11:22.000Z (2m ago)
    state      unread

    │ one
    │ two
    ");
}

#[test]
fn an_unknown_name_is_an_error_with_near_ones() {
    let world = World::with_two_agents();
    let run = world.bb(["show", "amber-oter"]).fails("AGENT_NOT_FOUND", 67);
    assert!(run.stderr.contains("did you mean `amber-otter`?"), "{run}");
    let run = world.bb(["show", "nobody-at-all"]).fails("AGENT_NOT_FOUND", 67);
    assert!(run.stderr.contains("bb register --name nobody-at-all"), "{run}");
    world.bb(["show", "msg_20260304_001122_0000000000"]).fails("MESSAGE_NOT_FOUND", 66);
    world.bb(["show", "--agent", "k3v9x2m7qp"]).fails("AGENT_NOT_FOUND", 67);
    world.bb(["show", "no such*thing"]).fails("INVALID_MESSAGE_ID", 65);
}

#[test]
fn an_agent_wins_over_a_message_whose_id_ends_like_its_name() {
    let world = World::with_two_agents();
    let id = world.send("amber-otter", "lead-one", "INFO", "Hi");
    let tail = id.rsplit('_').next().unwrap();
    world.register(tail, "confusing");
    assert_eq!(world.json(["show", tail])["agent_id"], tail);
    assert_eq!(world.json(["show", &id])["message_id"], id.as_str());
}
