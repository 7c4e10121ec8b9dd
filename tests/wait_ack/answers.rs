//! All the ways to answer, and what an answer does.

use serde_json::json;

use crate::wait_ack_scene::{Asked, LEAD, OTTER, Scene, told};

const SEND: &str = "send --from amber-otter --to lead-one --bead bb-1 --category INFO -s answer";

#[track_caller]
fn is_acknowledged(scene: &Scene, asked: &Asked) {
    let run = scene.finish(asked);
    assert_eq!(run.code, 0, "{run}");
    assert_eq!(run.data()["agents"][0]["status"], "ready");
    assert_eq!(scene.received(OTTER, "pre-operation")[0]["state"], "acked");
}

#[test]
fn by_ack() {
    let scene = Scene::new();
    let asked = scene.ask();
    let id = asked.request();
    scene.world.bb(["ack", "--agent", OTTER, "--message", id, "--note", "on it"]).ok();
    is_acknowledged(&scene, &asked);
    let response = scene.finish(&asked).data()["agents"][0]["response"].clone();
    assert_eq!((&response["message"], &response["notes"]), (&json!("ack"), &json!("on it")));
}

#[test]
fn by_reply() {
    let scene = Scene::new();
    let asked = scene.ask();
    scene.run(&format!("reply --agent {OTTER} --message {} --ok", asked.request())).ok();
    is_acknowledged(&scene, &asked);
}

#[test]
fn by_a_message_that_says_what_it_answers() {
    let scene = Scene::new();
    let asked = scene.ask();
    scene.run(&format!("{SEND} -m Ok. --reply-to {}", asked.request())).ok();
    is_acknowledged(&scene, &asked);
}

#[test]
fn by_a_message_in_the_operations_thread() {
    let scene = Scene::new();
    let asked = scene.ask();
    scene.run(&format!("{SEND} -m ready --thread operation:{}", asked.operation)).ok();
    is_acknowledged(&scene, &asked);
}

#[test]
fn by_a_message_whose_content_names_the_operation() {
    let scene = Scene::new();
    let asked = scene.ask();
    let content = json!({"operation_id": asked.operation, "message": "ok", "ready": true, "notes": "saved"})
        .to_string();
    let line: Vec<_> = SEND.split(' ').chain(["-m", "Ready.", "--content", content.as_str()]).collect();
    scene.world.bb(line).ok();
    is_acknowledged(&scene, &asked);
    assert_eq!(scene.finish(&asked).data()["agents"][0]["response"]["notes"], "saved");
}

/// What people read and what programs read must say the same, or it says nothing.
#[test]
fn not_by_a_message_whose_body_and_content_differ() {
    for (body, content) in [
        ("Please do not proceed, cancel!", json!({"message": "ok"})),
        ("cancel", json!({"message": "ok", "ready": true})),
        ("ok", json!({"message": "cancel"})),
        ("ok", json!({"ready": "no"})),
    ] {
        let scene = Scene::new();
        let asked = scene.ask_with(OTTER, "--on-timeout abort --timeout 10s --no-extend");
        let content = content.to_string();
        let more = ["-m", body, "--content", &content, "--reply-to", asked.request()];
        scene.world.bb(SEND.split(' ').chain(more)).ok();
        assert_eq!(scene.finish(&asked).code, 4, "{body} {content}");
    }
}

#[test]
fn by_answering_a_reminder() {
    for word in ["reply --agent amber-otter --ok --message", "ack --agent amber-otter --message"] {
        let scene = Scene::new();
        let asked = scene.ask();
        scene.watch(&asked, 31);
        let reminder = scene.received(OTTER, "reminder").remove(0);
        scene.run(&format!("{word} {}", reminder["message_id"].as_str().unwrap())).ok();
        is_acknowledged(&scene, &asked);
    }
}

#[test]
fn the_ack_of_a_notice_is_no_answer() {
    let scene = Scene::new();
    let asked = scene.ask();
    scene.answer(&asked, OTTER, "wait");
    let grant = scene.received(OTTER, "extension-granted").remove(0);
    scene.run(&format!("ack --agent {OTTER} --message {}", grant["message_id"].as_str().unwrap())).ok();
    assert_eq!(scene.data("waits")[0]["agents"][0]["status"], "needs-time");
    let id = grant["message_id"].as_str().unwrap();
    scene.run(&format!("reply --agent {OTTER} --message {id} --ok")).ok();
    is_acknowledged(&scene, &asked);
}

#[test]
fn ready_false_overrides_an_ok() {
    let scene = Scene::new();
    let asked = scene.ask();
    let content = json!({"ready": false, "notes": "two tests still run"}).to_string();
    let line: Vec<_> = SEND
        .split(' ')
        .chain(["-m", "ok", "--reply-to", asked.request(), "--content", content.as_str()])
        .collect();
    scene.world.bb(line).ok();
    let agent = &scene.data("waits")[0]["agents"][0];
    assert_eq!(
        (&agent["status"], &agent["deadline"]),
        (&json!("needs-time"), &json!("2026-03-04T00:14:22.000Z"))
    );
    assert_eq!(scene.received(OTTER, "pre-operation")[0]["state"], "read");
}

#[test]
fn an_answer_counts_once() {
    let scene = Scene::new();
    let asked = scene.ask();
    let line = format!("ack --agent {OTTER} --message {}", asked.request());
    scene.run(&line).ok();
    scene.run(&line).ok();
    is_acknowledged(&scene, &asked);
    assert_eq!(scene.events(&asked, "handshake.answered").len(), 1);
    assert_eq!(scene.events(&asked, "handshake.late").len(), 0);
}

#[test]
fn a_late_answer_is_recorded_and_changes_nothing() {
    let scene = Scene::new();
    let asked = scene.ask();
    let before = scene.finish(&asked).data();
    scene.world.pass(121);
    scene.answer(&asked, OTTER, "cancel");
    let run = scene.finish(&asked);
    assert_eq!(run.code, 3, "{run}");
    let after = run.data();
    for field in ["outcome", "proceed", "elapsed_seconds", "reminders_sent", "missing"] {
        assert_eq!(before[field], after[field], "{field}");
    }
    assert_eq!(after["agents"][0]["status"], "silent");
    assert_eq!(scene.events(&asked, "handshake.late").len(), 1);
    assert_eq!(scene.received(OTTER, "cancellation-notice").len(), 0);
    assert_eq!(told(&run).last().unwrap(), &"Agent amber-otter answered too late: cancel");
}

#[test]
fn only_answers_with_a_token_count_where_that_is_asked_for() {
    let scene = Scene::new();
    let registered = scene.data("register --name zinc-yak --role backend --protect");
    let token = registered["token"].as_str().unwrap();
    let asked = scene.ask_with("amber-otter,zinc-yak", "--require-verified");
    let yak = format!("reply --agent zinc-yak --message {} --ok", asked.request_to("zinc-yak"));
    scene.run(&yak).fails("TOKEN_REQUIRED", 77);
    assert!(scene.command(&yak).env("BB_TOKEN", token).output().unwrap().status.success());
    scene.answer(&asked, OTTER, "ok");
    let wait = &scene.data("waits")[0];
    assert_eq!(wait["received"], json!(["zinc-yak"]));
    let run = scene.finish(&asked);
    assert_eq!(run.code, 3, "{run}");
    let line = "Reply of amber-otter not counted (ready): it was sent without a token";
    assert!(told(&run).contains(&line), "{run}");
    let answers: Vec<_> = scene.inbox(LEAD).iter().map(|it| it["verified"].clone()).collect();
    assert_eq!(answers, [json!(true), json!(false)]);
}

#[test]
fn an_ack_that_was_given_before_anybody_waited_stands() {
    let scene = Scene::new();
    let id = scene.world.send(LEAD, OTTER, "BLOCKED", "Need a key");
    scene.run(&format!("ack --agent {OTTER} --message {id}")).ok();
    let run = scene.run(&format!("wait-ack {id} --json")).ok();
    assert_eq!(run.data()["elapsed_seconds"], 0);
    assert_eq!(scene.received(OTTER, "reminder").len(), 0);
}

/// Whoever made room for it, or still thinks about it, learns that it is off, and why.
#[test]
fn those_who_agreed_or_are_still_asked_are_told_that_it_is_off() {
    let agents = [OTTER, "teal-newt", "zinc-yak"];
    let told = |flags: &str, end: &dyn Fn(&Scene, &Asked)| {
        let scene = Scene::with(&agents);
        let asked = scene.ask_with(&agents.join(","), flags);
        scene.answer(&asked, OTTER, "ok");
        end(&scene, &asked);
        scene.finish(&asked);
        agents.map(|agent| {
            let notices = scene.received(agent, "cancellation-notice");
            notices.first().map_or("", |notice| notice["body"].as_str().unwrap()).to_owned()
        })
    };
    let off = "The skill installation will not be performed.";
    let refused = format!("zinc-yak refused. {off}");
    assert_eq!(
        told("", &|scene, asked| drop(scene.answer(asked, "zinc-yak", "rejected"))),
        [refused.clone(), refused, String::new()]
    );
    let gone = format!("zinc-yak will not answer any more. {off}");
    assert_eq!(
        told("", &|scene, _| drop(scene.run("state zinc-yak dead").ok())),
        [gone.clone(), gone, String::new()]
    );
    let silent = format!("There was no answer from teal-newt, zinc-yak. {off}");
    assert_eq!(told("--on-timeout abort", &|_, _| {}), [silent, String::new(), String::new()]);
    assert_eq!(told("", &|_, _| {}), [""; 3], "it goes ahead");
    let question =
        |scene: &Scene, asked: &Asked| drop(scene.answer(asked, "zinc-yak", "needs clarification"));
    assert_eq!(told("", &question), [""; 3], "it goes on");
}

#[test]
fn an_agent_that_was_given_up_is_there_again_as_soon_as_it_does_anything() {
    let id = |asked: &Asked| asked.request().to_owned();
    for line in [
        "reply --ok --agent amber-otter --message ID",
        "ack --agent amber-otter --message ID",
        "send --from amber-otter --to lead-one --bead bb-1 --category INFO -s here -m again",
        "inbox --agent amber-otter",
        "activity-lease --agent amber-otter",
    ] {
        let scene = Scene::new();
        let asked = scene.ask_with(OTTER, "--profile health");
        assert_eq!(scene.finish(&asked).code, 4);
        assert_eq!(scene.data("show amber-otter")["state"], "unresponsive");
        scene.run(&line.replace("ID", &id(&asked))).ok();
        assert_eq!(scene.data("show amber-otter")["state"], "idle", "{line}");
    }
}

/// Plain mail has no operation to name.
#[test]
fn a_reminder_of_plain_mail_names_its_subject() {
    let scene = Scene::new();
    let id = scene.world.send(LEAD, OTTER, "BLOCKED", "Need a key");
    let asked = scene.open(&id);
    scene.watch(&asked, 31);
    let reminder = scene.received(OTTER, "reminder").remove(0);
    let words = "Reminder: Please reply 'ok' when ready for the pending request \"Need a key\". \
                 90 seconds remaining before I proceed.";
    assert_eq!(reminder["body"], words);
}

#[test]
fn whoever_asks_for_time_is_told_how_much_there_is() {
    let scene = Scene::new();
    let asked = scene.ask();
    let wait = format!("reply --agent {OTTER} --message {} --wait", asked.request());
    let first = scene.run(&format!("{wait} --key k")).ok().stdout;
    assert!(first.contains("\n60 s more, until 00:14:22 UTC\n"), "{first}");
    scene.run(&format!("{wait} --key k")).ok();
    assert_eq!(scene.received(OTTER, "extension-granted").len(), 1);
    assert_eq!(scene.kinds(OTTER).len(), 2, "once asked is asked once");
    scene.world.pass(172);
    let second = scene.run(&wait).ok().stdout;
    assert!(second.contains("\nno more time: 8 s left\n"), "{second}");
    let time = json!({"granted_seconds": 0, "deadline": "2026-03-04T00:14:22.000Z", "remaining_seconds": 8});
    assert_eq!(scene.data(&wait)["time"], time);
}

#[test]
fn whoever_is_not_understood_is_told_so() {
    let scene = Scene::new();
    let asked = scene.ask();
    let answer = scene.answer(&asked, OTTER, "ok \u{1f44d}");
    let words = "warning: not understood as ok, wait or cancel: you are still waited for\n";
    assert_eq!(answer.stderr, words, "{answer}");
    let answer = scene.answer(&asked, OTTER, "queued");
    assert_eq!(answer.stderr, "warning: queued is not ready: you are still waited for\n", "{answer}");
    let plain = scene.world.send(LEAD, OTTER, "INFO", "How is it going?");
    let talk = scene.world.bb(["reply", "--agent", OTTER, &plain, "--body", "Fine."]).ok();
    assert_eq!(talk.stderr, "");
}

#[test]
fn a_message_that_is_no_answer_is_told_so() {
    let scene = Scene::new();
    let asked = scene.ask();
    let line = format!(
        "send --from {OTTER} --to {LEAD} --bead b --category INFO -s x -m perhaps --reply-to {}",
        asked.request()
    );
    let warning = "not understood as ok, wait or cancel: you are still waited for";
    assert_eq!(scene.data(&line)["warnings"], json!([warning]));
    let run = scene.run(&line).ok();
    assert!(run.stderr.contains(&format!("warning: {warning}")), "{run}");
}

#[test]
fn an_answer_without_the_token_leaves_the_request_open_and_is_asked_for_again_in_the_same_way() {
    let scene = Scene::new();
    let asked = scene.ask_with(OTTER, "--require-verified --on-timeout abort");
    let run = scene.answer(&asked, OTTER, "ok");
    assert!(run.stderr.contains("counts only answers with a token"), "{run}");
    let acked = scene.data(&format!("ack --agent {OTTER} {}", asked.request()));
    assert_eq!((&acked["state"], acked["warning"].is_string()), (&json!("read"), true), "{acked}");
    assert_eq!(scene.data(&format!("show {}", asked.request()))["state"], "read");
    let next = scene.finish(&asked).data()["agents"][0]["next"].as_str().unwrap().to_owned();
    assert!(next.ends_with(" --on-timeout abort --require-verified"), "{next}");
    scene.open(&format!("{} --require-verified", asked.request()));
    let open = scene.data(&format!("show {}", asked.request()));
    assert_eq!((&open["state"], &open["closed_at"]), (&json!("read"), &json!(null)));
}
