//! Mail to the dead is not lost without a word.

use super::inbox;
use crate::common::{SWITCH, World, letter};

#[test]
fn are_refused_unless_the_mail_is_to_be_queued() {
    for state in ["dead", "stopped", "inactive"] {
        let world = World::with_two_agents();
        world.bb(["state", "lead-one", state]).ok();
        let run = world.bb(letter(&[])).fails("RECIPIENT_GONE", 67);
        assert!(
            run.stderr.contains(&format!("`lead-one` is {state}")) && run.stderr.contains("--queue"),
            "{run}"
        );
        world.bb(letter(&[("--queue", SWITCH)])).ok();
        world.bb(letter(&[("--queue", SWITCH), ("--to", "lead-one,amber-otter")])).ok();
        assert_eq!(inbox(&world, "lead-one").len(), 2);
    }
}

#[test]
fn name_their_successor() {
    let world = World::with_two_agents();
    world.register("zinc-yak", "lead");
    world.bb(["state", "lead-one", "inactive"]).ok();
    let store = rusqlite::Connection::open(world.store()).unwrap();
    let replace = "UPDATE agents SET replaced_by = (SELECT id FROM agents WHERE agent_id = 'zinc-yak')
                   WHERE agent_id = 'lead-one'";
    store.execute(replace, []).unwrap();
    let run = world.bb(letter(&[])).fails("RECIPIENT_GONE", 67);
    assert!(run.stderr.contains("it was replaced: send to `zinc-yak`"), "{run}");
}

#[test]
fn other_states_receive_mail() {
    for state in ["idle", "spawning", "running", "working", "stuck", "done", "unresponsive"] {
        let world = World::with_two_agents();
        world.bb(["state", "lead-one", state]).ok();
        world.bb(letter(&[])).ok();
    }
}

#[test]
fn a_group_whose_members_are_all_gone_names_them_and_a_queued_message_reaches_them() {
    let world = World::with_two_agents();
    world.register("ghost-one", "ghost");
    world.bb(["state", "ghost-one", "dead"]).ok();
    let run = world.bb(letter(&[("--to", "role:ghost")])).fails("UNKNOWN_RECIPIENT", 67);
    assert!(run.stderr.contains("`ghost-one` is dead") && run.stderr.contains("--queue"), "{run}");
    world.bb(letter(&[("--to", "role:ghost"), ("--queue", SWITCH)])).ok();
    world.bb(letter(&[("--to", "broadcast"), ("--queue", SWITCH)])).ok();
    assert_eq!(world.json(["inbox", "--agent", "ghost-one"]).as_array().unwrap().len(), 2);
    world.bb(letter(&[("--to", "broadcast")])).ok();
    assert_eq!(world.json(["inbox", "--agent", "ghost-one"]).as_array().unwrap().len(), 2);
}
