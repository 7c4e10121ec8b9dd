//! `thread`: a conversation from its beginning. Looking changes nothing.

use serde_json::json;

use crate::common::{World, letter};

#[test]
fn shows_a_conversation_oldest_first() {
    let world = World::with_two_agents();
    let asked = world.send("amber-otter", "lead-one", "BLOCKED", "May I?");
    world.pass(30);
    world.bb(["reply", "--agent", "lead-one", &asked, "--ok"]).ok();
    let run = world.bb(["thread", "bead:bb-1"]).ok();
    insta::assert_snapshot!(run.stdout, @r"
    bead:bb-1, 2 messages

    amber-otter → lead-one  May I?
    d91fp7rptj  BLOCKED  acked  30s ago  needs: -
    │ the body

    lead-one → amber-otter  RE: May I?
    agzys1yj95  INFO  unread  just now  needs: read
    │ ok
    ");
}

#[test]
fn is_found_by_its_name_or_by_any_of_its_messages() {
    let world = World::with_two_agents();
    let id = world.send("amber-otter", "lead-one", "INFO", "one");
    world.send("lead-one", "amber-otter", "INFO", "two");
    world.bb(letter(&[("--thread", "plan:9"), ("--subject", "elsewhere")])).ok();
    let thread = world.json(["thread", "bead:bb-1"]);
    assert_eq!(thread["thread_id"], "bead:bb-1");
    let subjects: Vec<_> =
        thread["messages"].as_array().unwrap().iter().map(|message| &message["subject"]).collect();
    assert_eq!(subjects, ["one", "two"]);
    let tail = id.rsplit('_').next().unwrap();
    for part in [id.as_str(), tail] {
        assert_eq!(world.json(["thread", part]), thread);
        assert_eq!(world.json(["thread", "--message", part]), thread);
    }
    assert_eq!(world.json(["thread", "plan:9"])["messages"].as_array().unwrap().len(), 1);
}

#[test]
fn looking_changes_nothing() {
    let world = World::with_two_agents();
    let id = world.send("amber-otter", "lead-one", "BLOCKED", "Help");
    let before = world.json(["show", &id]);
    world.bb_with(&[("BB_AGENT", "lead-one")], ["thread", "bead:bb-1"]).ok();
    assert_eq!(world.json(["show", &id]), before);
    assert_eq!(before["state"], "unread");
}

#[test]
fn the_sender_sees_what_it_sent() {
    let world = World::with_two_agents();
    let id = world.send("amber-otter", "lead-one", "BLOCKED", "Help");
    let as_sender = [("BB_AGENT", "amber-otter")];
    let thread = world.bb_with(&as_sender, ["thread", &id, "--json"]).ok().data();
    assert_eq!(thread["messages"][0]["state"], "unread");
    assert_eq!(world.bb_with(&as_sender, ["show", &id, "--json"]).ok().data()["message_id"], id.as_str());
}

#[test]
fn a_thread_that_is_not_there_is_an_error() {
    let world = World::with_two_agents();
    for missing in ["bead:none", "msg_1", "what is this?"] {
        let run = world.bb(["thread", missing, "--json"]).fails("THREAD_NOT_FOUND", 66);
        assert_eq!(run.document()["data"], json!(null));
    }
    world.bb(["thread"]).fails("INVALID_ARGS", 64);
}

#[test]
fn a_part_that_fits_several_messages_is_not_guessed() {
    let world = World::with_two_agents();
    world.send("amber-otter", "lead-one", "INFO", "one");
    world.bb(letter(&[("--thread", "plan:9")])).ok();
    world.bb(["thread", "msg_2026"]).fails("AMBIGUOUS_ID", 65);
}

#[test]
fn a_bead_names_its_thread() {
    let world = World::with_two_agents();
    world.send("amber-otter", "lead-one", "INFO", "about the bead");
    let thread = world.json(["thread", "bb-1"]);
    assert_eq!(
        (&thread["thread_id"], thread["messages"].as_array().unwrap().len()),
        (&"bead:bb-1".into(), 1)
    );
}
