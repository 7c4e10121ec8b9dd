//! What `bb` survives, and what its user then sees.

mod crowds;
mod damage;
mod disks;
mod input;
mod places;
mod streams;

use crate::common::World;

/// A world in which `lead-one` has one unread BLOCKED message, and that message's id.
fn world_with_mail() -> (World, String) {
    let world = World::with_two_agents();
    let id = world.send("amber-otter", "lead-one", "BLOCKED", "Help");
    (world, id)
}

/// One line of every verb, each of which succeeds in [`world_with_mail`].
fn one_line_of_every_verb(id: &str) -> Vec<Vec<&str>> {
    vec![
        vec!["list"],
        vec!["show", "lead-one"],
        vec!["show", id],
        vec!["whoami", "--agent", "lead-one"],
        vec!["config"],
        vec!["thread", id],
        vec!["inbox", "--agent", "lead-one"],
        vec!["read", "--agent", "lead-one", id],
        vec!["register", "--name", "zinc-yak", "--role", "backend"],
        vec!["state", "lead-one", "working"],
        vec!["activity-lease", "--agent", "lead-one"],
        crate::common::letter(&[]),
        vec!["reply", "--agent", "lead-one", id, "--wait"],
        vec!["ack", "--agent", "lead-one", id],
    ]
}

/// Those of the lines that open the store.
fn one_line_of_every_verb_with_a_store(id: &str) -> Vec<Vec<&str>> {
    one_line_of_every_verb(id).into_iter().filter(|line| line[0] != "config").collect()
}
