//! `tasks`, `clarify`, `checkpoint`, `complete`: what is shown, and who may do what.

use serde_json::json;

use crate::task_scene::{HERON, LEAD, OTTER, Scene, YAK};

#[test]
fn json_is_an_array_of_exactly_these_fields() {
    let scene = Scene::acknowledged("received");
    let data = scene.json(&["tasks"]).ok().data();
    let mut fields: Vec<_> = data[0].as_object().unwrap().keys().map(String::as_str).collect();
    fields.sort_unstable();
    let mut expected = vec![
        "task_id",
        "task_uuid",
        "title",
        "agent",
        "delegated_by",
        "status",
        "may_begin",
        "reason",
        "understanding",
        "questions",
        "checkpoints",
        "message_id",
        "assigned_at",
        "updated_at",
    ];
    expected.sort_unstable();
    assert_eq!(fields, expected);
    assert_eq!(data.as_array().unwrap().len(), 1);
}

#[test]
fn people_see_whether_each_task_may_begin_and_why_not() {
    let scene = Scene::acknowledged("received");
    scene.world.pass(60);
    scene.assign("GH-43", HERON, &[]);
    let run = scene.run(&["tasks"]).ok();
    insta::assert_snapshot!(run.stdout, @r"
    TASK   STATUS    AGENT        FROM      TITLE           AGE  MAY BEGIN
    GH-43  assigned  blue-heron   lead-one  Authentication  0s   no: `blue-heron` has not acknowledged it
    GH-42  received  amber-otter  lead-one  Authentication  1m   yes
    2 tasks
    ");
}

#[test]
fn whoever_says_that_there_is_no_question_may_begin() {
    let scene = Scene::assigned();
    scene.ack(&["--question", "none", "--understanding", "JWT"]).ok();
    assert_eq!(scene.status(), ("received".to_owned(), true));
    let scene = Scene::assigned();
    scene.ack(&["--status", "needs-clarification", "--question", "n/a"]).fails("INVALID_TASK", 65);
}

#[test]
fn one_task_is_shown_with_everything_known() {
    let scene = Scene::assigned();
    scene.ack(&["--question", "24h or 7 days?", "--checkpoint", "Tests"]).ok();
    scene.clarify(&["--answer", "24 hours"]).ok();
    let shown = scene.run(&["tasks", "gh-42"]).ok();
    insta::assert_snapshot!(shown.stdout, @r"
    GH-42  needs-clarification, the answers wait to be confirmed by `amber-otter`
    title      Authentication
    agent      amber-otter, delegated by lead-one
    uuid       5af84745-c544-412b-a863-a73cfb0d1756
    assigned   2026-03-04T00:11:22.000Z (just now)
    question   1. 24h or 7 days?
    answer     24 hours
    checkpoint 1 planned: Tests
    [x] delegation sent to amber-otter
    [x] acknowledged within 5 minutes
    [ ] understanding covers the task
    [ ] questions answered, then received or confirmed
    [ ] counts as assigned only after the acknowledgment
    ");
}

#[test]
fn lists_are_narrowed_by_agent_status_and_openness() {
    let scene = Scene::acknowledged("received");
    scene.complete(&[]).ok();
    scene.assign("GH-43", HERON, &[]);
    let names = |arguments: &[&str]| {
        let data = scene.json(&[&["tasks"], arguments].concat()).ok().data();
        data.as_array()
            .unwrap()
            .iter()
            .map(|task| task["task_id"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(&[]), ["GH-43", "GH-42"]);
    assert_eq!(names(&["--open"]), ["GH-43"]);
    assert_eq!(names(&["--agent", OTTER]), ["GH-42"]);
    assert_eq!(names(&["--agent", LEAD]), ["GH-43", "GH-42"]);
    assert_eq!(names(&["--agent", YAK]), [""; 0]);
    assert_eq!(names(&["--status", "complete"]), ["GH-42"]);
    assert_eq!(names(&["--status", "assigned", "--agent", HERON]), ["GH-43"]);
    scene.json(&["tasks", "--agent", "no-one"]).fails("AGENT_NOT_FOUND", 67);
    scene.json(&["tasks", "--status", "asleep"]).fails("INVALID_TASK", 65);
}

#[test]
fn a_task_that_does_not_exist_is_66() {
    let scene = Scene::assigned();
    for line in [
        &["tasks", "GH-7"][..],
        &["ack", "--agent", OTTER, "--task", "GH-7"],
        &["clarify", "--agent", LEAD, "--task", "GH-7", "--answer", "x"],
        &["checkpoint", "--agent", OTTER, "--task", "GH-7", "--number", "1", "--summary", "x"],
        &["complete", "--agent", OTTER, "--task", "GH-7"],
        &["wait-ack", "--task", "GH-7"],
    ] {
        scene.json(line).fails("TASK_NOT_FOUND", 66);
    }
}

#[test]
fn only_the_assignee_works_and_only_the_delegator_clarifies() {
    let scene = Scene::acknowledged("received");
    for line in [
        &["ack", "--agent", HERON, "--task", "GH-42"][..],
        &["ack", "--agent", LEAD, "--task", "GH-42"],
        &["checkpoint", "--agent", LEAD, "--task", "GH-42", "--number", "1", "--summary", "x"],
        &["complete", "--agent", HERON, "--task", "GH-42"],
        &["clarify", "--agent", OTTER, "--task", "GH-42", "--correct", "x"],
        &["complete", "--agent", OTTER, "--task", "GH-42", "--cancel"],
    ] {
        scene.json(line).fails("ACK_FORBIDDEN", 77);
    }
    assert_eq!(scene.status(), ("received".to_owned(), true));
    scene.json(&["wait-ack", "--task", "GH-42", "--from", HERON]).fails("READ_FORBIDDEN", 77);
}

#[test]
fn every_command_can_be_said_again() {
    let scene = Scene::assigned();
    let twice = |run: &dyn Fn() -> crate::common::Run| {
        run().ok();
        run().ok().data()
    };
    twice(&|| scene.ack(&["--question", "24h?"]));
    let clarified = twice(&|| scene.clarify(&["--answer", "yes"]));
    assert_eq!(clarified["duplicate"], true);
    twice(&|| scene.ack(&["--status", "confirmed", "--understanding", "JWT"]));
    assert_eq!(twice(&|| scene.checkpoint("1", "Tests"))["duplicate"], true);
    assert_eq!(twice(&|| scene.complete(&["--summary", "Merged"]))["duplicate"], true);
    assert_eq!(scene.got(LEAD, "task-acknowledgment").len(), 2);
    assert_eq!(scene.got(OTTER, "task-clarification").len(), 1);
    assert_eq!((scene.got(LEAD, "checkpoint-ack").len(), scene.got(LEAD, "task-complete").len()), (1, 1));
}

#[test]
fn clarify_says_one_thing_at_a_time() {
    let scene = Scene::acknowledged("received");
    scene.clarify(&[]).fails("INVALID_ARGS", 64);
    scene.clarify(&["--correct", "x", "--supplement", "y"]).fails("INVALID_ARGS", 64);
    scene.clarify(&["--answer", "x"]).fails("INVALID_TASK", 65);
}

#[test]
fn verbs_take_the_task_by_place_too() {
    let scene = Scene::acknowledged("received");
    let line = ["checkpoint", "GH-42", "--agent", OTTER, "--number", "1", "--summary", "Tests"];
    let run = scene.run(&line).ok();
    insta::assert_snapshot!(run.stdout, @r"
    reported GH-42: working, may go on
      checkpoint-ack msg_20260304_001122_qw2bthpy19 to lead-one
    ");
    assert_eq!(
        scene.run(&["complete", "GH-42", "--agent", OTTER]).ok().stdout.lines().next(),
        Some("completed GH-42: complete")
    );
}

/// Foreign words are cleaned wherever a task is shown.
#[test]
fn escape_sequences_in_a_task_reach_no_terminal() {
    let scene = Scene::new();
    let line = ["assign", "--from", LEAD, "--to", OTTER, "--task", "GH-42", "--title", "a\u{1b}[31mred\u{7}"];
    scene.run(&[&line[..], &["--body", "x\u{1b}]0;y\u{7}"]].concat()).ok();
    scene.ack(&["--question", "why\u{1b}[2J?", "--understanding", "\u{202e}x"]).ok();
    for line in
        [&["tasks"][..], &["tasks", "GH-42"], &["wait-ack", "--task", "GH-42"], &["thread", "task:GH-42"]]
    {
        let run = scene.run(line);
        let hidden = |text: &str| text.chars().any(|c| (c.is_control() && c != '\n') || c == '\u{202e}');
        assert!(!hidden(&run.stdout) && !hidden(&run.stderr), "{run}");
    }
    assert_eq!(scene.task()["title"], json!("a\u{1b}[31mred\u{7}"));
}
