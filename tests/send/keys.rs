//! `--key`: sending again is safe.

use serde_json::json;

use super::inbox;
use crate::common::{SWITCH, World, letter};

#[test]
fn the_same_sender_and_key_twice_is_one_message() {
    let world = World::with_two_agents();
    let first = world.bb(letter(&[("--key", "k1"), ("--json", SWITCH)])).ok().data();
    world.bb(["ack", "--agent", "lead-one", first["message_id"].as_str().unwrap()]).ok();
    world.pass(60);
    let second = world.bb(letter(&[("--key", "k1"), ("--json", SWITCH)])).ok().data();
    assert_eq!(first["message_id"], second["message_id"]);
    assert_eq!((&first["duplicate"], &second["duplicate"]), (&json!(false), &json!(true)));
    assert_eq!(second["state"], "acked");
    assert_eq!(inbox(&world, "lead-one").len(), 1);
    let run = world.bb(letter(&[("--key", "k1")])).ok();
    assert!(run.stdout.starts_with("sent before msg_"), "{run}");
}

#[test]
fn a_key_belongs_to_its_sender() {
    let world = World::with_two_agents();
    world.register("zinc-yak", "backend");
    world.bb(letter(&[("--key", "k")])).ok();
    world.bb(letter(&[("--key", "k"), ("--from", "zinc-yak")])).ok();
    world.bb(letter(&[("--key", "other")])).ok();
    assert_eq!(inbox(&world, "lead-one").len(), 3);
}

#[test]
fn a_failed_send_leaves_its_key_free() {
    let world = World::with_two_agents();
    world.bb(letter(&[("--key", "k"), ("--category", "RESUME")])).fails("INVALID_CATEGORY", 65);
    let sent = world.bb(letter(&[("--key", "k"), ("--json", SWITCH)])).ok().data();
    assert_eq!(sent["duplicate"], false);
}

#[test]
fn a_retry_succeeds_although_its_recipient_died_meanwhile() {
    let world = World::with_two_agents();
    world.bb(letter(&[("--key", "k")])).ok();
    world.bb(["state", "lead-one", "dead"]).ok();
    world.bb(letter(&[("--key", "k")])).ok();
    world.bb(letter(&[("--key", "k2")])).fails("RECIPIENT_GONE", 67);
}

#[test]
fn keys_are_not_empty() {
    World::with_two_agents().bb(letter(&[("--key", " ")])).fails("INVALID_MESSAGE", 65);
}

#[test]
fn a_key_that_was_used_for_something_else_is_told_of() {
    let world = World::with_two_agents();
    world.register("zinc-yak", "backend");
    let key = ("--key", "k");
    world.bb(letter(&[key])).ok();
    for other in [("--to", "zinc-yak"), ("--body", "another text"), ("--subject", "another subject")] {
        let run = world.bb(letter(&[key, other])).ok();
        assert!(
            run.stderr.contains("for another text or recipient: nothing new was sent"),
            "{other:?}: {run}"
        );
        let sent = world.bb(letter(&[key, other, ("--json", SWITCH)])).ok().data();
        assert_eq!((&sent["duplicate"], sent["warnings"].as_array().unwrap().len()), (&true.into(), 1));
    }
    assert_eq!(world.bb(letter(&[key])).ok().stderr, "");
    assert!(world.json(["inbox", "--agent", "zinc-yak"]).as_array().unwrap().is_empty());
}
