//! E1 to E7, E26 to E28: what is a delegation, and how it teaches its own acknowledgment.

use crate::task_scene::{BODY, LEAD, OTTER, Scene, body, id};

/// E1: every assignment says how to acknowledge, in which format, that it comes before work; and
/// whoever does not answer is asked.
#[test]
fn every_assignment_teaches_its_acknowledgment() {
    let scene = Scene::new();
    scene.assign("GH-42", OTTER, &["--critical"]);
    scene.wait(&["--timeout", "400"]);
    let assignments = scene.got(OTTER, "task-assignment");
    assert_eq!(assignments.len(), 2, "the assignment and its second attempt");
    for assignment in &assignments {
        for taught in [
            "ACKNOWLEDGMENT REQUIRED: Reply with [ACK] GH-42 - RECEIVED",
            "mandatory and comes before work",
            "bb agent ack --task GH-42 --status received --understanding \"what you will do\" --agent amber-otter",
            "one line [ACK] GH-42 - STATUS",
        ] {
            assert!(body(assignment).contains(taught), "{taught}");
        }
        let taught = &assignment["content"]["acknowledgment"];
        assert_eq!((&taught["required"], &taught["before_work"]), (&true.into(), &true.into()));
    }
    scene.assign("GH-43", OTTER, &[]);
    scene.json(&["wait-ack", "--task", "GH-43"]);
    assert_eq!(scene.got(OTTER, "ack-request").len(), 1);
}

/// E1: `read` shows the exact line and the text form, of the assignment and of every later request.
#[test]
fn read_shows_how_to_acknowledge() {
    let scene = Scene::assigned();
    scene.wait(&["--timeout", "310"]);
    for kind in ["task-assignment", "ack-request"] {
        let message = id(&scene.newest(OTTER, kind));
        let run = scene.run(&["read", "--agent", OTTER, "--message", &message, "--peek"]).ok();
        let line = "bb agent ack --task GH-42 --status received --understanding \"what you will do\" --agent amber-otter";
        assert!(run.stdout.contains(&format!("\n  with bb    {line}\n")), "{run}");
        assert!(run.stdout.contains("\n  as text    [ACK] GH-42 - RECEIVED\n"), "{run}");
        let read = scene.json(&["read", "--agent", OTTER, "--message", &message, "--peek"]).ok().data();
        assert_eq!(read["acknowledge"], line);
        assert!(
            read["task"]["text_form"]
                .as_str()
                .unwrap()
                .starts_with("[ACK] GH-42 - RECEIVED\nUnderstanding: ")
        );
    }
}

/// E2: a delegation requires an ack, a conversation does not.
#[test]
fn a_delegation_requires_an_ack_and_a_conversation_does_not() {
    let scene = Scene::assigned();
    let assignment = scene.newest(OTTER, "task-assignment");
    assert_eq!((&assignment["requires_ack"], &assignment["category"]), (&true.into(), &"HANDOFF".into()));
    let talk = scene.says(LEAD, OTTER, "What do you think of the second approach?").ok().data();
    assert_eq!(talk["requires_ack"], false);
    assert_eq!(talk.get("warnings"), None);
}

/// E3: each of the seven marks makes a plain message look like a delegation, which is said to its sender.
#[test]
fn each_mark_of_a_delegation_warns() {
    let scene = Scene::new();
    for mark in [
        "## Task: GH-42-feature",
        "Acceptance Criteria:\nIt works",
        "## Git Workflow\nUse a branch",
        "## Verification Commands\ncargo test",
        "## Required Output Format\nOne line",
        "- [ ] write the tests",
        "Fill in {{BRANCH_NAME}}",
    ] {
        let sent = scene.says(LEAD, OTTER, mark).ok().data();
        let warning = sent["warnings"][0].as_str().unwrap_or_else(|| panic!("no warning for {mark}"));
        assert!(
            warning.contains("bb agent assign --task ID") && warning.contains("--require-ack"),
            "{warning}"
        );
    }
}

/// E3: people see the warning on standard error; who requires an ack has nothing to be warned of.
#[test]
fn the_warning_goes_to_people_and_is_silenced_by_requiring_an_ack() {
    let scene = Scene::new();
    let send = |category: &str, more: &[&str]| {
        let line = ["send", "--from", LEAD, "--to", OTTER, "--bead", "bb-1", "--category", category];
        scene.run(&[&line[..], &["-s", "Work", "-m", "- [ ] write the tests"], more].concat()).ok()
    };
    let warned = send("INFO", &[]);
    assert!(warned.stderr.starts_with("warning: the body has a checklist to tick off"), "{warned}");
    assert!(warned.stdout.starts_with("sent "), "{warned}");
    assert_eq!(send("INFO", &["--require-ack"]).stderr, "");
    assert_eq!(send("HANDOFF", &[]).stderr, "");
}

/// E4: the six kinds of conversation are none of it.
#[test]
fn conversations_pass_without_a_word() {
    let scene = Scene::new();
    for talk in [
        "Should the token expire after 24 hours?",
        "Your last change reads well, but the name is long.",
        "We could use a queue or a lock; which do you prefer?",
        "The lock is held by the writer, not by the reader.",
        "How far are you?",
        "I am away until noon.",
    ] {
        let sent = scene.says(LEAD, OTTER, talk).ok().data();
        assert_eq!((&sent["requires_ack"], sent.get("warnings")), (&false.into(), None), "{talk}");
    }
}

/// E5: an ack is mandatory for a delegation, before a task counts as assigned, after downtime, and
/// for corrective instructions.
#[test]
fn the_four_cases_in_which_an_ack_is_mandatory() {
    let scene = Scene::new();
    let assigned = scene.assign("GH-42", OTTER, &[]);
    assert_eq!(scene.newest(OTTER, "task-assignment")["requires_ack"], true);
    let checklist = assigned["checklist"].as_array().unwrap();
    assert_eq!(checklist[4]["item"], "counts as assigned only after the acknowledgment");
    assert_eq!(checklist[4]["done"], false);

    assert_eq!(scene.wait(&[]).code, 4);
    scene.world.pass(420);
    scene.checkpoint("1", "back again").fails("INVALID_TASK", 65);
    scene.ack(&["--understanding", "JWT login"]).ok();
    scene.checkpoint("1", "back again").ok();

    scene.clarify(&["--correct", "session cookies"]).ok();
    assert_eq!(scene.newest(OTTER, "task-clarification")["requires_ack"], true);
    scene.checkpoint("2", "more").fails("INVALID_TASK", 65);
}

/// E6: discussion, questions, feedback and requests for a status require none.
#[test]
fn the_four_cases_in_which_no_ack_is_required() {
    let scene = Scene::assigned();
    scene.ack(&["--status", "needs-clarification", "--question", "How?"]).ok();
    assert_eq!(scene.newest(LEAD, "task-acknowledgment")["requires_ack"], false);
    scene.clarify(&["--vague"]).ok();
    assert_eq!(scene.newest(OTTER, "task-clarification")["requires_ack"], false);
    scene.ack(&["--status", "queued"]).ok();
    scene.world.pass(900);
    scene.run(&["tick"]).ok();
    assert_eq!(scene.newest(OTTER, "ack-request")["requires_ack"], false);
    assert_eq!(scene.says(LEAD, OTTER, "Well done so far.").ok().data()["requires_ack"], false);
}

/// E7, ⚠19: the fields of an assignment.
#[test]
fn an_assignment_has_its_fields() {
    let scene = Scene::assigned();
    let content = scene.newest(OTTER, "task-assignment")["content"].clone();
    assert_eq!(content["type"], "task-assignment");
    assert_eq!(content["task_id"], "GH-42");
    assert_eq!(content["requires_ack"], true);
    assert_eq!(content["ack_timeout_minutes"], 5);
    assert_eq!(content["content"]["title"], "Authentication");
    assert_eq!(content["content"]["description"], BODY);
    assert_eq!(content["content"]["acceptance_criteria"], serde_json::json!(["login works", "logout works"]));
}

/// E26: the footer, in its two lines.
#[test]
fn the_footer_is_appended() {
    let scene = Scene::assigned();
    let assignment = scene.newest(OTTER, "task-assignment");
    assert!(body(&assignment).contains(
        "\n---\nACKNOWLEDGMENT REQUIRED: Reply with [ACK] GH-42 - RECEIVED\n\
         Include: Understanding: {1-line summary of what you will do}\n"
    ));
    assert!(body(&assignment).ends_with("---"));
}

/// E27: the time for an acknowledgment is five minutes, and so says the message itself.
#[test]
fn the_default_time_is_five_minutes() {
    let scene = Scene::assigned();
    let assignment = scene.newest(OTTER, "task-assignment");
    assert_eq!(assignment["ack_due_at"], "2026-03-04T00:16:22.000Z");
    assert!(body(&assignment).contains("within 5 minutes"));
    scene.world.pass(299);
    assert_eq!(scene.json(&["inbox", "--agent", OTTER, "--overdue"]).data(), serde_json::json!([]));
    scene.world.pass(1);
    assert_eq!(scene.json(&["inbox", "--agent", OTTER, "--overdue"]).data().as_array().unwrap().len(), 1);
}
