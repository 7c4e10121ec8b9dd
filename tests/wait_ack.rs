//! `wait-ack`: a request that can be bet on.

mod answers;
mod binding;
mod command;
mod exits;
mod full_mailbox;
mod interruption;
mod joining;
mod lateness;
mod profiles;
mod quorum;
mod report;
mod settings;
mod terminal;
mod usage;

use crate::wait_ack_scene::Scene;

#[test]
fn an_unknown_operation_is_66() {
    let scene = Scene::new();
    for flag in ["--resume", "--operation-id"] {
        let run = scene.run(&format!("wait-ack {flag} op_none")).fails("OPERATION_NOT_FOUND", 66);
        assert!(run.stderr.contains("hint: see the open ones with `bb waits`"), "{run}");
        scene.run(&format!("wait-ack {flag} op_none --json")).fails("OPERATION_NOT_FOUND", 66);
    }
}
