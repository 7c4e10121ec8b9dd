//! `send`: what is said arrives, once, or nothing happens.

use crate::common::World;

#[test]
fn says_how_many_bytes_the_body_had() {
    let world = World::with_two_agents();
    let run = world
        .bb([
            "send",
            "--from",
            "amber-otter",
            "--to",
            "lead-one",
            "--bead",
            "bb-1",
            "--category",
            "info",
            "-s",
            "Hi",
            "-m",
            "grüße",
        ])
        .ok();
    insta::assert_snapshot!(run.stdout, @"sent msg_20260304_001122_d91fp7rptj to lead-one (INFO, 7 bytes)");
}
