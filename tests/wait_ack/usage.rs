//! What is refused, and that nothing was sent then.

use crate::wait_ack_scene::{LEAD, OTTER, Scene};

#[test]
fn an_unknown_message_is_66() {
    Scene::new().run("wait-ack msg_none").fails("MESSAGE_NOT_FOUND", 66);
}

#[test]
fn wrong_flags_are_64() {
    let scene = Scene::new();
    for words in [
        "",
        "--from lead-one --to amber-otter",
        "--operation restart",
        "--describe x --resume op_1",
        "--resume op_1 --operation-id op_1",
        "msg_1 --to amber-otter --operation restart",
        "--to amber-otter --operation restart --extend 5 --no-extend",
        "--from lead-one --to amber-otter --operation restart --timeout soon",
        "--from lead-one --to amber-otter --operation restart --timeout 0",
        "--from lead-one --to amber-otter --operation restart --timeout 8days",
        "--from lead-one --to amber-otter --operation restart --remind-at 30,200",
        "--from lead-one --to amber-otter --operation restart --remind-at 0",
        "--from lead-one --to amber-otter --operation restart --remind-at x",
        "--from lead-one --to amber-otter --operation restart --unheard-of",
    ] {
        scene.run(&format!("wait-ack {words}")).fails("INVALID_ARGS", 64);
        scene.run(&format!("wait-ack --json {words}")).fails("INVALID_ARGS", 64);
    }
    scene.run("wait-ack --to amber-otter --operation restart").fails("MISSING_IDENTITY", 64);
    assert!(scene.inbox(OTTER).is_empty(), "something was sent");
}

#[test]
fn wrong_values_are_65() {
    let scene = Scene::new();
    let ask = format!("wait-ack --from {LEAD} --to {OTTER} --operation");
    scene.run(&format!("{ask} restart --profile hasty")).fails("INVALID_ARGS", 64);
    scene.run(&format!("{ask} restart --on-timeout shrug")).fails("INVALID_ARGS", 64);
    scene.run(&format!("{ask} restart --quorum none")).fails("INVALID_ARGS", 64);
    scene.run(&format!("{ask} {}", "x".repeat(201))).fails("INVALID_MESSAGE", 65);
    scene.run("wait-ack --from Lead --to amber-otter --operation restart").fails("INVALID_AGENT_ID", 65);
    scene.run("wait-ack no/id").fails("INVALID_MESSAGE_ID", 65);
    assert!(scene.inbox(OTTER).is_empty(), "something was sent");
}

#[test]
fn nobody_to_ask_is_67() {
    let scene = Scene::new();
    let ask = |to: &str| format!("wait-ack --from {LEAD} --to {to} --operation restart");
    scene.run(&ask(LEAD)).fails("UNKNOWN_RECIPIENT", 67);
    scene.run(&ask("role:painter")).fails("UNKNOWN_RECIPIENT", 67);
    let run = scene.run(&ask("amber-oter")).fails("UNKNOWN_RECIPIENT", 67);
    assert!(run.stderr.contains("did you mean `amber-otter`?"), "{run}");
    scene.run("wait-ack --from nobody-here --to amber-otter --operation x").fails("UNKNOWN_SENDER", 67);
    scene.run("state amber-otter dead").ok();
    scene.run(&ask(OTTER)).fails("RECIPIENT_GONE", 67);
}

#[test]
fn everyone_is_asked_or_nobody() {
    let scene = Scene::new();
    let line = format!("wait-ack --from {LEAD} --to {OTTER},nobody-here --operation restart");
    scene.run(&line).fails("UNKNOWN_RECIPIENT", 67);
    assert!(scene.inbox(OTTER).is_empty());
    assert_eq!(scene.data("waits"), serde_json::json!([]));
}

#[test]
fn only_the_sender_waits_for_an_answer() {
    let scene = Scene::with(&[OTTER, "zinc-yak"]);
    let id = scene.world.send(LEAD, OTTER, "BLOCKED", "Need a key");
    scene.run(&format!("wait-ack {id} --from zinc-yak")).fails("READ_FORBIDDEN", 77);
    let other = scene.world.send("zinc-yak", OTTER, "BLOCKED", "Need a key");
    scene.run(&format!("wait-ack {id} {other}")).fails("INVALID_ARGS", 64);
}

#[test]
fn one_agent_is_asked_once_in_a_handshake() {
    let scene = Scene::new();
    let ids = ["One", "Two"].map(|subject| scene.world.send(LEAD, OTTER, "BLOCKED", subject));
    scene.run(&format!("wait-ack {} {}", ids[0], ids[1])).fails("INVALID_MESSAGE", 65);
    assert_eq!(scene.run(&format!("wait-ack {} {} --no-wait", ids[0], ids[0])).code, 75);
}

/// Only mail can be left for an agent that is gone.
#[test]
fn an_agent_that_is_gone_is_refused_without_a_flag_that_is_not_there() {
    let scene = Scene::new();
    scene.run("state amber-otter dead").ok();
    let run = scene
        .run("wait-ack --from lead-one --to amber-otter --operation restart")
        .fails("RECIPIENT_GONE", 67);
    assert!(run.stderr.ends_with("hint: choose another recipient\n"), "{run}");
}
