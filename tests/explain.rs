//! `explain`: the whole story of anything that has an id, in order, and what to do next.

use serde_json::{Value, json};

use crate::common::{World, letter};
use crate::replacement_scene::{LEAD, NEW, Scene, text};

fn sent(world: &World, changes: &[(&str, &str)]) -> String {
    world.json(letter(changes))["message_id"].as_str().unwrap().to_owned()
}

#[test]
fn a_message_is_told_from_sending_to_acknowledging() {
    let world = World::with_two_agents();
    let id =
        sent(&world, &[("--category", "BLOCKED"), ("--subject", "Need a key"), ("--priority", "urgent")]);
    world.pass(5);
    world.bb_with(&[("BB_AGENT", "lead-one")], ["hook", "plain", "prompt"]).ok();
    world.pass(5);
    world.bb(["read", "--agent", "lead-one", &id]).ok();
    world.pass(5);
    world.bb(["reply", "--agent", "lead-one", &id, "--body", "which one?"]).ok();
    world.pass(5);
    world.bb(["ack", "--agent", "lead-one", &id]).ok();
    insta::assert_snapshot!(world.bb(["explain", &id]).ok().stdout, @r#"
    message Need a key
    id         msg_20260304_001122_d91fp7rptj
    from       amber-otter
    to         lead-one
    category   BLOCKED, urgent priority
    thread     bead:bb-1
    now        acknowledged

    2026-03-04T00:11:22.000Z  amber-otter  sent it to lead-one (BLOCKED, ack required)
    2026-03-04T00:11:27.000Z  lead-one     was told of it by a hook (plain, prompt)
    2026-03-04T00:11:32.000Z  lead-one     read it
    2026-03-04T00:11:37.000Z  lead-one     sent msg_20260304_001137_0s6g7gmgvy to amber-otter (INFO)
    2026-03-04T00:11:37.000Z  lead-one     answered it with "which one?" (other)
    2026-03-04T00:11:42.000Z  lead-one     answered it with "ack" (ready)
    2026-03-04T00:11:42.000Z  lead-one     acknowledged it

    nothing is left to do
    "#);
}

#[test]
fn says_what_is_missing_and_who_does_what_next() {
    let world = World::with_two_agents();
    let id = sent(&world, &[("--category", "BLOCKED")]);
    let next = |asker: &[&str]| {
        let story = world.json(["explain", &id].into_iter().chain(asker.iter().copied()));
        let next = story["next"].clone();
        (story["standing"].as_str().unwrap().to_owned(), next["command"].as_str().unwrap().to_owned())
    };
    let (standing, command) = next(&[]);
    assert_eq!(standing, "not read yet, and its ack is due in 2m");
    assert_eq!(command, format!("bb agent read --agent lead-one --message {id}"));
    assert_eq!(next(&["--agent", "amber-otter"]).1, format!("bb agent wait-ack --message {id}"));
    world.bb(["read", "--agent", "lead-one", &id]).ok();
    world.pass(180);
    let (standing, command) = next(&["--agent", "lead-one"]);
    assert_eq!(standing, "read, and its ack is overdue by 1m");
    assert_eq!(command, format!("bb agent ack --agent lead-one --message {id}"));
}

/// The next command of a story works as it is printed.
#[test]
fn the_next_command_leads_to_the_end() {
    let world = World::with_two_agents();
    let id = sent(&world, &[("--category", "HANDOFF")]);
    for _ in 0..2 {
        let command = world.json(["explain", &id])["next"]["command"].as_str().unwrap().to_owned();
        world.bb(command.split(' ').skip(1)).ok();
    }
    assert!(world.json(["explain", &id])["next"].is_null());
}

#[test]
fn an_operation_is_told_with_its_reminders_its_silence_and_its_end() {
    let world = World::with_two_agents();
    let line = [
        "wait-ack",
        "--from",
        "lead-one",
        "--to",
        "amber-otter",
        "--operation",
        "restart",
        "--describe",
        "restart the worker",
    ];
    let opened = world.bb(line.into_iter().chain(["--no-wait", "--json"])).data();
    let operation = opened["operation_id"].as_str().unwrap();
    world.pass(31);
    world.bb(["tick"]).ok();
    let open = world.json(["explain", operation]);
    assert_eq!(open["standing"], "waiting, 1m left");
    assert_eq!(open["next"]["command"], format!("bb agent wait-ack --resume {operation}"));
    world.pass(100);
    world.bb(["tick"]).ok();
    let tail = operation.rsplit('_').next().unwrap();
    insta::assert_snapshot!(world.bb(["explain", tail]).ok().stdout, @"
    operation restart
    id         op_20260304_001122_czm3wa6n8d
    requester  lead-one
    asked      amber-otter
    answered   -
    profile    operation
    what       restart the worker
    silence    amber-otter: it was last seen 2m ago, and the request lies unread in its inbox
    now        timed_out, proceed

    2026-03-04T00:11:22.000Z  lead-one  sent msg_20260304_001122_d91fp7rptj to amber-otter (pre-operation, BLOCKED, ack required)
    2026-03-04T00:11:22.000Z  lead-one  Started waiting for acknowledgment from amber-otter
    2026-03-04T00:11:53.000Z  lead-one  sent msg_20260304_001153_agzys1yj95 to amber-otter (reminder, INFO)
    2026-03-04T00:11:53.000Z  lead-one  Reminder 1 of 3 sent to amber-otter - 89 seconds remaining
    2026-03-04T00:13:33.000Z  lead-one  WARNING: Timeout - no acknowledgment from amber-otter after 120 seconds
    2026-03-04T00:13:33.000Z  lead-one  sent msg_20260304_001333_0s6g7gmgvy to amber-otter (timeout-notice, INFO)
    2026-03-04T00:13:33.000Z  lead-one  Proceeding with operation - no acknowledgment from amber-otter

    next, for lead-one: bb show amber-otter
    ");
}

#[test]
fn the_request_of_an_operation_tells_the_operation_too() {
    let world = World::with_two_agents();
    let line = [
        "wait-ack",
        "--from",
        "lead-one",
        "--to",
        "amber-otter",
        "--operation",
        "restart",
        "--no-wait",
        "--json",
    ];
    let opened = world.bb(line).data();
    let request = opened["agents"][0]["message_id"].as_str().unwrap();
    world.bb(["read", "--agent", "amber-otter", request]).ok();
    let story = world.json(["explain", request]);
    assert_eq!(story["kind"], "message");
    assert!(story["standing"].as_str().unwrap().ends_with("somebody waits for the answer"), "{story}");
    assert_eq!(
        story["next"]["command"],
        format!("bb agent reply --agent amber-otter --message {request} --ok")
    );
    let told: Vec<_> =
        story["steps"].as_array().unwrap().iter().map(|step| step["what"].as_str().unwrap()).collect();
    assert!(
        told.iter().any(|what| what.contains("Started waiting for acknowledgment from amber-otter")),
        "{told:?}"
    );
    assert_eq!(
        told.iter().filter(|what| what.contains("sent it to amber-otter (pre-operation, ")).count(),
        1,
        "{told:?}"
    );
}

#[test]
fn a_fan_out_says_who_still_owes() {
    let world = World::with_two_agents();
    world.register("zinc-yak", "backend");
    let sent = world.json(letter(&[("--to", "broadcast"), ("--category", "BLOCKED")]));
    let broadcast = sent["broadcast"]["id"].as_str().unwrap();
    world.bb(["ack", "--agent", "lead-one", sent["message_id"].as_str().unwrap()]).ok();
    let story = world.json(["explain", broadcast]);
    assert_eq!(story["standing"], "2 messages: 1 acknowledged, 0 read, 1 not read yet");
    assert_eq!(story["facts"][2]["value"], "zinc-yak");
    let other = sent["broadcast"]["messages"][1]["message_id"].as_str().unwrap();
    assert_eq!(story["next"]["command"], format!("bb agent wait-ack --message {other}"));
}

#[test]
fn an_agent_is_told_of_lately() {
    let world = World::with_two_agents();
    sent(&world, &[("--category", "BLOCKED")]);
    world.bb(["state", "lead-one", "stuck"]).ok();
    let story = world.json(["explain", "lead-one"]);
    assert_eq!(story["standing"], "stuck, active");
    assert_eq!(story["next"]["command"], "bb agent inbox --agent lead-one --pending");
    let told: Vec<_> =
        story["steps"].as_array().unwrap().iter().map(|step| step["what"].as_str().unwrap()).collect();
    assert_eq!(told.first(), Some(&"was registered as lead"));
    assert_eq!(told.last(), Some(&"set lead-one to stuck (was idle)"));
}

#[test]
fn a_task_is_told_from_assignment_to_completion() {
    let world = World::with_two_agents();
    let assign = [
        "assign",
        "--from",
        "lead-one",
        "--to",
        "amber-otter",
        "--task",
        "GH-42",
        "--title",
        "Sign releases",
        "--body",
        "With the new key.",
    ];
    world.bb(assign).ok();
    let next = || world.json(["explain", "GH-42"])["next"]["command"].as_str().map(str::to_owned);
    assert!(next().unwrap().starts_with("bb agent ack --task GH-42 --status received"), "{:?}", next());
    world.pass(5);
    let ask = [
        "ack",
        "--agent",
        "amber-otter",
        "--task",
        "GH-42",
        "--status",
        "needs-clarification",
        "--question",
        "Which key?",
    ];
    world.bb(ask).ok();
    assert!(next().unwrap().starts_with("bb agent clarify --task GH-42 --answer"), "{:?}", next());
    world.bb(["clarify", "--agent", "lead-one", "--task", "GH-42", "--answer", "The new one."]).ok();
    world.pass(5);
    let confirm = [
        "ack",
        "--agent",
        "amber-otter",
        "--task",
        "GH-42",
        "--status",
        "confirmed",
        "--understanding",
        "sign with the new key",
    ];
    world.bb(confirm).ok();
    assert_eq!(next().unwrap(), "bb agent complete --task GH-42 --agent amber-otter");
    world.pass(5);
    world.bb(["complete", "--agent", "amber-otter", "--task", "GH-42"]).ok();
    let text = world.bb(["explain", "GH-42"]).ok().stdout;
    insta::assert_snapshot!(text, @r#"
    task Sign releases
    id         ed8901cf-9607-4816-ba72-cc7ff4c35cea
    task       GH-42
    with       amber-otter
    from       lead-one
    understood sign with the new key
    now        complete

    2026-03-04T00:11:22.000Z  lead-one     sent msg_20260304_001122_6n8dj6khmn to amber-otter (task-assignment, HANDOFF, ack required)
    2026-03-04T00:11:22.000Z  lead-one     gave it to amber-otter
    2026-03-04T00:11:27.000Z  amber-otter  answered for it: needs-clarification
    2026-03-04T00:11:27.000Z  amber-otter  read msg_20260304_001122_6n8dj6khmn
    2026-03-04T00:11:27.000Z  amber-otter  answered msg_20260304_001122_6n8dj6khmn with "[ACK] GH-42 - CLARIFICATION_NEEDED Questions: 1. Which key?" (needs-clarification)
    2026-03-04T00:11:27.000Z  lead-one     answered the questions about it
    2026-03-04T00:11:32.000Z  amber-otter  answered for it: confirmed, "sign with the new key"
    2026-03-04T00:11:32.000Z  amber-otter  acknowledged msg_20260304_001122_6n8dj6khmn
    2026-03-04T00:11:37.000Z  amber-otter  completed it

    nothing is left to do
    "#);
}

#[test]
fn a_reservation_is_told_until_its_release() {
    let world = World::with_two_agents();
    let held = world.json(["reserve", "--agent", "lead-one", "--scope", "src/api/**", "--bead", "bb-1"]);
    let id = held["reservation_id"].as_str().unwrap();
    let next = world.json(["explain", id])["next"]["command"].as_str().unwrap().to_owned();
    assert_eq!(next, "bb agent release --agent lead-one --scope 'src/api/**'");
    world.pass(60);
    world.bb(crate::common::words(&next).into_iter().skip(1)).ok();
    let story = world.json(["explain", id]);
    assert_eq!((&story["kind"], &story["standing"]), (&"reservation".into(), &"released".into()));
    let told: Vec<_> =
        story["steps"].as_array().unwrap().iter().map(|step| step["what"].as_str().unwrap()).collect();
    assert_eq!(told, ["reserved src/api/** until 2026-03-04T02:11:22.000Z", "released src/api/**"]);
    assert!(story["next"].is_null());
}

/// No table shows the id of a reservation, so what a table shows will do.
#[test]
fn a_reservation_is_found_by_its_scope_and_by_a_part_of_its_id() {
    let world = World::with_two_agents();
    let reserve = |agent: &str, scope: &str| {
        let held = world.json(["reserve", "--agent", agent, "--scope", scope, "--bead", "bb-1", "--shared"]);
        held["reservation_id"].as_str().unwrap().to_owned()
    };
    let explained = |what: &str| world.json(["explain", what])["id"].clone();
    let first = reserve("lead-one", "src/api/**");
    assert_eq!(explained("src/api/**"), first.as_str());
    assert_eq!(explained(first.rsplit('_').next().unwrap()), first.as_str());
    world.bb(["release", "--agent", "lead-one", "--scope", "src/api/**"]).ok();
    assert_eq!(explained("src/api/**"), first.as_str(), "the newest, where none is held");
    let second = reserve("lead-one", "src/api/**");
    assert_eq!(explained("src/api/**"), second.as_str(), "the one that is held");
    reserve("amber-otter", "src/api/**");
    let several = world.bb(["explain", "src/api/**"]).fails("AMBIGUOUS_ID", 65);
    assert!(several.stderr.contains(&second) && several.stderr.contains("amber-otter"), "{several}");
}

#[test]
fn an_operation_whose_time_is_up_is_overdue() {
    let world = World::with_two_agents();
    let line =
        ["wait-ack", "--from", "lead-one", "--to", "amber-otter", "--operation", "restart", "--no-wait"];
    world.bb(line);
    world.pass(3_600);
    let id = world.json(["waits"])[0]["operation_id"].as_str().unwrap().to_owned();
    assert_eq!(world.json(["explain", &id])["standing"], "waiting, overdue");
}

#[test]
fn what_agents_wrote_is_cleaned() {
    let world = World::with_two_agents();
    let id = sent(&world, &[("--subject", "red \u{1b}[31malert"), ("--category", "BLOCKED")]);
    world.bb(["reply", "--agent", "lead-one", &id, "--body", "x\u{1b}]0;title\u{7}\ny"]).ok();
    let text = world.bb(["explain", &id]).ok().stdout;
    assert!(text.contains("red alert") && !text.contains('\u{1b}'), "{text:?}");
}

#[test]
fn what_has_no_such_id_is_named() {
    let world = World::with_two_agents();
    world.bb(["explain", "nonsense"]).fails("MESSAGE_NOT_FOUND", 66);
    world.bb(["explain", "../etc/passwd"]).fails("MESSAGE_NOT_FOUND", 66);
    sent(&world, &[]);
    sent(&world, &[]);
    world.bb(["explain", "msg_"]).fails("AMBIGUOUS_ID", 65);
}

/// The whole story of a handoff: who, document, GitHub (recorded), notice, questions, verification, state change.
#[test]
fn a_handoff_is_told_from_its_document_to_its_audit_entry() {
    let scene = Scene::new();
    let path = scene.recorded_github("");
    let words = Scene::order("handoff", &["--issue", "42", "--json"]);
    let handoff = scene.world.bb_with(&[("PATH", &path)], words).ok().data();
    let id = text(&handoff["handoff_id"]);
    let told = |id: &str| scene.world.json(["explain", id]);
    let next = |story: &Value| (text(&story["next"]["agent"]), text(&story["next"]["command"]));
    let sent = told(&id);
    assert_eq!(
        (&sent["kind"], &sent["title"]),
        (&json!("handoff"), &json!("implementer-2 replaces implementer-1"))
    );
    assert_eq!(sent["standing"], "sent, to be acknowledged within 5 minutes");
    let (agent, command) = next(&sent);
    assert_eq!(agent, NEW);
    assert!(
        command
            .starts_with(&format!("bb agent ack --agent {NEW} --message {}", text(&handoff["message_id"])))
    );
    let waiting = scene.world.json(["explain", &id, "--agent", LEAD]);
    assert_eq!(next(&waiting), (LEAD.to_owned(), format!("bb agent replace --resume {id}")));
    scene.ack(&handoff, &["--status", "needs_clarification", "--question", "Which library?"]).ok();
    scene.verify(&handoff, &[]);
    let asked = told(&id[..8]);
    assert_eq!(
        next(&asked),
        (LEAD.to_owned(), format!("bb agent clarify --handoff {id} --answer \"your answer\""))
    );
    scene.world.bb(["clarify", "--handoff", &id, "--answer", "PyJWT"]).ok();
    scene.ready(&handoff).ok();
    let words = ["replace", "--resume", &id, "--accept-understanding"];
    scene.world.bb_with(&[("PATH", &path)], words).ok();
    let done = told(&id);
    assert_eq!((&done["standing"], &done["next"]), (&json!("success, audited"), &json!(null)));
    let facts: Vec<_> = done["facts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| format!("{}: {}", text(&it["name"]), text(&it["value"])))
        .collect();
    for wanted in [
        "from: lead-one",
        "failed: implementer-1 (session session-of-implementer-1)",
        "reason: context_loss",
        "checkpoint: Token signing",
        "on GitHub: issue comment: https://github.com/o/r/issues/42#issuecomment-1",
        "on GitHub: labels",
        "question: Which library?",
        "answer: Which library?: PyJWT",
        "verified: ACK validated successfully",
    ] {
        assert!(facts.iter().any(|it| it == wanted), "{wanted}: {facts:#?}");
    }
    let steps: Vec<_> = done["steps"].as_array().unwrap().iter().map(|it| text(&it["what"])).collect();
    let mut rest = steps.iter();
    for wanted in [
        "prepared it from implementer-1 to implementer-2: \"context_loss\", immediate",
        "kept the document of it as ",
        "began on GitHub: issue comment",
        "did on GitHub: issue comment, https://",
        "sent the notice of it, msg_",
        "answered it: needs_clarification",
        "answered 1 question about it",
        "answered it: ready_to_proceed",
        "looked at the acknowledgment: ACK validated successfully",
        "moved 1 task",
        "did on GitHub: labels",
        "told the controller how it went, msg_",
        "wrote the audit entry of it",
        "closed it",
    ] {
        assert!(rest.any(|it| it.starts_with(wanted)), "{wanted}: {steps:#?}");
    }
    let people = scene.world.bb(["explain", &id]).ok().stdout;
    assert!(people.starts_with("handoff implementer-2 replaces implementer-1\n"), "{people}");
    assert!(people.ends_with("nothing is left to do\n"), "{people}");
}

#[test]
fn a_handoff_that_failed_or_was_superseded_leads_on() {
    let scene = Scene::new();
    let first = text(&scene.hand_over(&[])["handoff_id"]);
    let second = scene.hand_over(&[]);
    let story = scene.world.json(["explain", &first]);
    let newer = format!("bb agent explain {}", text(&second["handoff_id"]));
    assert_eq!((&story["standing"], &story["next"]["command"]), (&json!("superseded"), &json!(newer)));
    scene.ack(&second, &["--status", "rejected", "--reason", "no access"]).ok();
    assert_eq!(scene.resume(&second, &[]).code, 6);
    let story = scene.world.json(["explain", &text(&second["handoff_id"])]);
    assert_eq!(story["standing"], "failed, audited");
    assert!(text(&story["next"]["command"]).contains("--failed implementer-1 --to AGENT"), "{story}");
    assert!(story["facts"].to_string().contains("HANDOFF_REJECTED: no access"), "{story}");
}

#[test]
fn whoever_answered_is_not_said_to_be_silent() {
    let scene = crate::wait_ack_scene::Scene::new();
    let asked = scene.ask();
    scene.answer(&asked, "amber-otter", "needs clarification");
    let story = scene.run(&format!("explain {}", asked.operation)).ok().stdout;
    assert!(story.contains("answer     amber-otter: it has a question"), "{story}");
    assert!(!story.contains("silence"), "{story}");
}
