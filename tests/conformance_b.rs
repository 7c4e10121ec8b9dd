//! What the coordination of BeadBoard asks of mail and identity, one requirement a test.

use bb_agent::cli::VERBS;
use bb_agent::domain::message::{Category, State};
use serde_json::{Value, json};

use crate::common::{Run, World};

const AMBER: &str = "amber-otter";
const LEAD: &str = "lead-orchestrator";

fn world() -> World {
    let world = World::new();
    for (name, role) in [(AMBER, "backend"), (LEAD, "lead")] {
        world.bb(["agent", "register", "--name", name, "--role", role]).ok();
    }
    world
}

/// `bb agent <words>`, which succeeds, and its data.
fn agent<'a>(world: &World, words: impl IntoIterator<Item = &'a str>) -> Value {
    world.json(["agent"].into_iter().chain(words))
}

fn send(world: &World, from: &str, to: &str, category: &str) -> Run {
    world.bb([
        "agent",
        "send",
        "--from",
        from,
        "--to",
        to,
        "--bead",
        "beadboard-maf.8",
        "--category",
        category,
        "--subject",
        "A subject",
        "--body",
        "A body",
        "--json",
    ])
}

fn sent(world: &World, from: &str, to: &str, category: &str) -> String {
    send(world, from, to, category).ok().data()["message_id"].as_str().unwrap().to_owned()
}

fn unread(world: &World, name: &str) -> Vec<Value> {
    agent(world, ["inbox", "--agent", name, "--state", "unread"]).as_array().unwrap().clone()
}

/// B1
#[test]
fn send_inbox_read_and_ack_exist_behind_the_agents_door() {
    let world = world();
    for verb in ["send", "inbox", "read", "ack"] {
        assert!(VERBS.iter().any(|known| known.name == verb), "{verb}");
        assert!(world.bb(["agent", verb, "--help"]).ok().stdout.contains("Usage: bb agent "), "{verb}");
    }
}

/// B2
#[test]
fn the_categories_are_exactly_four() {
    let world = world();
    for category in ["HANDOFF", "BLOCKED", "DECISION", "INFO"] {
        assert_eq!(send(&world, AMBER, LEAD, category).ok().data()["category"], category);
    }
    let known: Vec<_> = Category::ALL.iter().map(|category| category.as_str()).collect();
    assert_eq!(known, ["HANDOFF", "BLOCKED", "DECISION", "INFO"]);
}

/// B3
#[test]
fn resume_incursion_and_anything_else_are_refused() {
    let world = world();
    for category in ["RESUME", "INCURSION", "INFORMATION", "HAND-OFF", ""] {
        let run = send(&world, AMBER, LEAD, category).fails("INVALID_CATEGORY", 65);
        let hint = run.document()["error"]["hint"].as_str().unwrap().to_owned();
        assert!(hint.contains("HANDOFF, BLOCKED, DECISION, INFO"), "{hint}");
    }
    assert!(unread(&world, LEAD).is_empty());
}

/// B4
#[test]
fn the_states_are_unread_read_and_acked_in_this_order() {
    let world = world();
    let id = sent(&world, AMBER, LEAD, "BLOCKED");
    let state = || agent(&world, ["show", &id])["state"].clone();
    assert_eq!(state(), "unread");
    agent(&world, ["read", "--agent", LEAD, "--message", &id]);
    assert_eq!(state(), "read");
    agent(&world, ["ack", "--agent", LEAD, "--message", &id]);
    assert_eq!(state(), "acked");
    let known: Vec<_> = State::ALL.iter().map(|state| state.as_str()).collect();
    assert_eq!(known, ["unread", "read", "acked"]);
}

/// B5
#[test]
fn handoff_and_blocked_require_an_ack_by_themselves() {
    let world = world();
    for category in ["HANDOFF", "BLOCKED", "blocked"] {
        assert_eq!(send(&world, AMBER, LEAD, category).ok().data()["requires_ack"], true, "{category}");
    }
}

/// B6
#[test]
fn decision_and_info_do_not_require_an_ack() {
    let world = world();
    for category in ["DECISION", "INFO", "info"] {
        assert_eq!(send(&world, AMBER, LEAD, category).ok().data()["requires_ack"], false, "{category}");
    }
}

/// B7
#[test]
fn acking_an_unread_message_sets_both_times() {
    let world = world();
    let id = sent(&world, AMBER, LEAD, "HANDOFF");
    world.pass(5);
    let acked = agent(&world, ["ack", "--agent", LEAD, "--message", &id]);
    assert_eq!(acked["state"], "acked");
    assert_eq!(acked["acked_at"], world.now().to_string());
    assert_eq!(acked["read_at"], acked["acked_at"]);
}

/// B8
#[test]
fn only_the_recipient_may_read() {
    let world = world();
    let id = sent(&world, AMBER, LEAD, "INFO");
    world.bb(["agent", "read", "--agent", AMBER, "--message", &id]).fails("READ_FORBIDDEN", 77);
    assert_eq!(unread(&world, LEAD).len(), 1);
    world.bb(["agent", "read", "--agent", LEAD, "--message", &id]).ok();
}

/// B9
#[test]
fn only_the_recipient_may_ack() {
    let world = world();
    let id = sent(&world, AMBER, LEAD, "BLOCKED");
    world.bb(["agent", "ack", "--agent", AMBER, "--message", &id]).fails("ACK_FORBIDDEN", 77);
    assert_eq!(unread(&world, LEAD).len(), 1);
    world.bb(["agent", "ack", "--agent", LEAD, "--message", &id]).ok();
}

/// B10
#[test]
fn finished_work_passes_on_as_a_handoff_that_waits_for_its_ack() {
    let world = world();
    sent(&world, AMBER, LEAD, "HANDOFF");
    let waiting = agent(&world, ["inbox", "--agent", LEAD, "--needs-ack"]);
    assert_eq!(waiting[0]["category"], "HANDOFF");
}

/// B11
#[test]
fn the_hard_blocked_say_so_and_are_seen_stuck() {
    let world = world();
    sent(&world, AMBER, LEAD, "BLOCKED");
    agent(&world, ["state", AMBER, "stuck"]);
    let stuck = agent(&world, ["list", "--state", "stuck"]);
    assert_eq!((stuck[0]["agent_id"].as_str(), stuck[0]["liveness"].as_str()), (Some(AMBER), Some("active")));
    assert_eq!(unread(&world, LEAD)[0]["category"], "BLOCKED");
}

/// B12
#[test]
fn a_decision_is_asked_for_without_an_ack_and_answered_in_its_thread() {
    let world = world();
    let id = sent(&world, AMBER, LEAD, "DECISION");
    assert_eq!(agent(&world, ["inbox", "--agent", LEAD, "--needs-ack"]), json!([]));
    let answer = agent(&world, ["reply", "--agent", LEAD, "--message", &id, "--body", "Take the second."]);
    assert_eq!((&answer["reply_to"], &answer["thread_id"]), (&json!(id), &json!("bead:beadboard-maf.8")));
    assert_eq!(unread(&world, AMBER)[0]["body"], "Take the second.");
}

/// B13
#[test]
fn information_leaves_a_trace_and_asks_for_nothing() {
    let world = world();
    let id = sent(&world, AMBER, LEAD, "INFO");
    agent(&world, ["read", "--agent", LEAD, "--message", &id]);
    assert_eq!(agent(&world, ["inbox", "--agent", LEAD, "--pending"]), json!([]));
    assert_eq!(agent(&world, ["thread", "bead:beadboard-maf.8"])["messages"][0]["message_id"], id.as_str());
}

/// B14
#[test]
fn who_takes_responsibility_reads_and_then_acks() {
    for category in ["HANDOFF", "BLOCKED"] {
        let world = world();
        let id = sent(&world, AMBER, LEAD, category);
        let reading = agent(&world, ["read", "--agent", LEAD, "--message", &id]);
        assert_eq!(reading["state"], "read");
        assert_eq!(agent(&world, ["inbox", "--agent", LEAD, "--pending"]).as_array().unwrap().len(), 1);
        world.pass(1);
        let acked = agent(&world, ["ack", "--agent", LEAD, "--message", &id]);
        assert_eq!((&acked["state"], &acked["read_at"]), (&json!("acked"), &reading["read_at"]));
        assert_eq!(agent(&world, ["inbox", "--agent", LEAD, "--pending"]), json!([]));
    }
}

/// B15
#[test]
fn actionable_mail_about_a_bead_is_found_before_the_bead_is_claimed() {
    let world = world();
    let id = sent(&world, LEAD, AMBER, "BLOCKED");
    let about = |bead: &str| agent(&world, ["inbox", "--agent", AMBER, "--pending", "--bead", bead]);
    assert_eq!(about("beadboard-maf.8")[0]["message_id"], id.as_str());
    assert_eq!(about("another-bead"), json!([]));
}

/// B16
#[test]
fn who_stays_stuck_polls_refreshes_its_call_and_keeps_its_state() {
    let world = world();
    sent(&world, AMBER, LEAD, "BLOCKED");
    agent(&world, ["state", AMBER, "stuck"]);
    for _ in 0..3 {
        world.pass(120);
        assert!(unread(&world, AMBER).is_empty());
        sent(&world, AMBER, LEAD, "BLOCKED");
        let me = agent(&world, ["show", AMBER]);
        assert_eq!((me["state"].as_str(), me["liveness"].as_str()), (Some("stuck"), Some("active")));
    }
    assert_eq!(unread(&world, LEAD).len(), 4);
}

/// Polls as an agent does at its checkpoints: the mail is listed, and listing it again gives the same.
fn polls(world: &World) -> Value {
    let poll = || agent(world, ["inbox", "--agent", AMBER, "--state", "unread", "--limit", "25"]);
    let first = poll();
    assert_eq!(poll(), first, "polling consumes nothing");
    first
}

/// B17
#[test]
fn mail_is_found_when_a_session_starts() {
    let world = world();
    let id = sent(&world, LEAD, AMBER, "HANDOFF");
    agent(&world, ["register", "--name", AMBER, "--role", "backend", "--session", "new", "--force-update"]);
    assert_eq!(polls(&world)[0]["message_id"], id.as_str());
}

/// B18
#[test]
fn mail_is_found_right_before_a_bead_is_claimed() {
    let world = world();
    assert_eq!(polls(&world), json!([]));
    let id = sent(&world, LEAD, AMBER, "DECISION");
    assert_eq!(polls(&world)[0]["message_id"], id.as_str());
}

/// B19
#[test]
fn mail_is_found_before_a_bead_is_closed() {
    let world = world();
    agent(&world, ["state", AMBER, "working"]);
    let id = sent(&world, LEAD, AMBER, "INFO");
    assert_eq!(polls(&world)[0]["message_id"], id.as_str());
    agent(&world, ["read", "--agent", AMBER, "--message", &id]);
    assert_eq!(polls(&world), json!([]));
}

/// B20
#[test]
fn mail_is_found_by_those_who_are_stuck() {
    let world = world();
    agent(&world, ["state", AMBER, "stuck"]);
    let id = sent(&world, LEAD, AMBER, "DECISION");
    assert_eq!(polls(&world)[0]["message_id"], id.as_str());
}

/// B21
#[test]
fn polling_every_one_or_two_minutes_keeps_an_agent_active_and_one_call_can_wait_as_long() {
    let world = world();
    for seconds in [60, 90, 120].repeat(10) {
        world.pass(seconds);
        polls(&world);
        assert_eq!(agent(&world, ["show", AMBER])["liveness"], "active");
    }
    assert_eq!(agent(&world, ["inbox", "--agent", AMBER, "--state", "unread", "--wait", "120"]), json!([]));
}

/// B22
#[test]
fn the_inbox_takes_a_state_and_a_limit() {
    let world = world();
    for _ in 0..26 {
        sent(&world, LEAD, AMBER, "INFO");
    }
    let listed = agent(&world, ["inbox", "--agent", AMBER, "--state", "unread", "--limit", "25"]);
    assert_eq!(listed.as_array().unwrap().len(), 25);
}

/// B23
#[test]
fn a_message_is_read_by_agent_and_id() {
    let world = world();
    let id = sent(&world, LEAD, AMBER, "INFO");
    let run = world.bb(["agent", "read", "--agent", AMBER, "--message", &id]).ok();
    assert!(run.stdout.contains("A subject") && run.stdout.contains("│ A body"), "{run}");
}

/// B24
#[test]
fn a_message_is_acked_by_agent_and_id() {
    let world = world();
    let id = sent(&world, LEAD, AMBER, "HANDOFF");
    let run = world.bb(["agent", "ack", "--agent", AMBER, "--message", &id]).ok();
    assert_eq!(run.stdout, format!("acked {id} from {LEAD}: A subject\n"));
}

/// B25
#[test]
fn send_takes_its_six_flags_over_several_lines_of_a_shell() {
    let world = world();
    let script = format!(
        "exec '{}' agent send \\\n--from amber-otter \\\n--to lead-orchestrator \\\n--bead beadboard-maf.8 \\\n\
         --category BLOCKED \\\n--subject \"Cannot run it\" \\\n--body \"delegate missing; need it or approval\"\n",
        env!("CARGO_BIN_EXE_bb")
    );
    let mut shell = std::process::Command::new("sh");
    shell.arg("-c").arg(script).env_clear().env("BB_STORE", world.store()).env("HOME", world.path("home"));
    let run = Run::of(shell.output().unwrap()).ok();
    assert!(run.stdout.contains(" to lead-orchestrator (BLOCKED, 37 bytes, ack required)"), "{run}");
    assert_eq!(unread(&world, LEAD)[0]["subject"], "Cannot run it");
}

/// B26
#[test]
fn an_agent_is_set_stuck_and_running_again() {
    let world = world();
    for state in ["stuck", "running"] {
        agent(&world, ["state", AMBER, state]);
        assert_eq!(agent(&world, ["show", AMBER])["state"], state);
    }
}

/// B27
#[test]
fn the_whole_way_from_blocked_to_running_again() {
    let world = world();
    // 1. The agent meets a blocker and says so.
    let call = world
        .bb([
            "agent",
            "send",
            "--from",
            AMBER,
            "--to",
            LEAD,
            "--bead",
            "beadboard-maf.8",
            "--category",
            "BLOCKED",
            "--subject",
            "Cannot run the mail test",
            "--body",
            "The delegate is missing.",
            "--json",
        ])
        .ok()
        .data();
    // 2. It is seen to be stuck.
    world.bb(["agent", "state", AMBER, "stuck"]).ok();
    // 3. Somebody sees both, takes it on and answers with what needs no ack.
    world.pass(300);
    let stuck = agent(&world, ["list", "--state", "stuck"]);
    assert_eq!(stuck[0]["agent_id"], AMBER);
    let seen = agent(&world, ["inbox", "--agent", LEAD, "--needs-ack"]);
    assert_eq!(seen[0]["message_id"], call["message_id"]);
    let id = call["message_id"].as_str().unwrap();
    world.bb(["agent", "read", "--agent", LEAD, "--message", id]).ok();
    world.bb(["agent", "ack", "--agent", LEAD, "--message", id]).ok();
    for category in ["DECISION", "INFO"] {
        sent(&world, LEAD, AMBER, category);
    }
    // 4. The agent looks and reads.
    world.pass(60);
    let answers = unread(&world, AMBER);
    assert_eq!(answers.len(), 2);
    for answer in &answers {
        let id = answer["message_id"].as_str().unwrap();
        assert_eq!(answer["requires_ack"], false);
        world.bb(["agent", "read", "--agent", AMBER, "--message", id]).ok();
        // 5. The answer helped: it is acknowledged although no ack is required.
        assert_eq!(agent(&world, ["ack", "--agent", AMBER, "--message", id])["state"], "acked");
    }
    world.bb(["agent", "state", AMBER, "running"]).ok();
    // 6. It goes on and stays alive.
    world.pass(600);
    world.bb(["agent", "activity-lease", "--agent", AMBER]).ok();
    world.pass(600);
    let me = agent(&world, ["show", AMBER]);
    assert_eq!((me["state"].as_str(), me["liveness"].as_str()), (Some("running"), Some("active")));
    assert_eq!((me["unread"].as_i64(), me["needs_ack"].as_i64()), (Some(0), Some(0)));
    assert_eq!(agent(&world, ["show", id])["state"], "acked");
}

/// What `bd mail` does with its delegate: it splits it at white space and appends its own arguments.
fn delegate(world: &World, me: &str, words: &[&str]) -> Run {
    let delegate = format!("{} mail", env!("CARGO_BIN_EXE_bb"));
    let line: Vec<_> = delegate.split_whitespace().skip(1).chain(words.iter().copied()).collect();
    world.bb_with(&[("BB_AGENT", me)], line)
}

/// B28
#[test]
fn bb_mail_is_itself_the_delegate_and_the_agent_comes_from_the_environment() {
    let world = world();
    assert_eq!(delegate(&world, AMBER, &["whoami", "--json"]).ok().data()["source"], "BB_AGENT");
    delegate(&world, "", &["inbox"]).fails("MISSING_IDENTITY", 64);
    let run = world.bb_with(&[("BD_ACTOR", AMBER)], ["mail", "whoami", "--json"]).ok();
    assert_eq!(run.data()["agent_id"], AMBER);
}

fn send_by_mail(world: &World, me: &str, to: &str) -> Value {
    let words = [
        "send",
        "--to",
        to,
        "--bead",
        "bb-1",
        "--category",
        "HANDOFF",
        "-s",
        "By mail",
        "-m",
        "Hello",
        "--json",
    ];
    delegate(world, me, &words).ok().data()
}

/// B29
#[test]
fn mail_send_is_send_from_the_agent_of_the_environment() {
    let world = world();
    let sent = send_by_mail(&world, AMBER, LEAD);
    assert_eq!(sent["from_agent"], AMBER);
    assert_eq!(unread(&world, LEAD)[0]["message_id"], sent["message_id"]);
}

/// B30
#[test]
fn mail_inbox_is_the_inbox_of_the_agent_of_the_environment() {
    let world = world();
    send_by_mail(&world, AMBER, LEAD);
    let by_mail = delegate(&world, LEAD, &["inbox", "--state", "unread", "--json"]).ok();
    assert_eq!(
        by_mail.stdout,
        world.bb(["agent", "inbox", "--agent", LEAD, "--state", "unread", "--json"]).stdout
    );
    assert_eq!(by_mail.data().as_array().unwrap().len(), 1);
    assert_eq!(delegate(&world, AMBER, &["inbox", "--json"]).ok().data(), json!([]));
}

/// B31
#[test]
fn mail_read_takes_the_id_by_its_place() {
    let world = world();
    let sent = send_by_mail(&world, AMBER, LEAD);
    let id = sent["message_id"].as_str().unwrap();
    delegate(&world, AMBER, &["read", id]).fails("READ_FORBIDDEN", 77);
    let reading = delegate(&world, LEAD, &["read", id, "--json"]).ok().data();
    assert_eq!((reading["state"].as_str(), reading["body"].as_str()), (Some("read"), Some("Hello")));
}

/// B32
#[test]
fn mail_ack_takes_the_id_by_its_place() {
    let world = world();
    let sent = send_by_mail(&world, AMBER, LEAD);
    let id = sent["message_id"].as_str().unwrap();
    delegate(&world, AMBER, &["ack", id]).fails("ACK_FORBIDDEN", 77);
    assert_eq!(delegate(&world, LEAD, &["ack", id, "--json"]).ok().data()["state"], "acked");
}
