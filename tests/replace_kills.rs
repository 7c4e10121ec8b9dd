//! `replace`, killed at each of its steps, and resumed: everything happens once.
//!
//! `strace` kills the process at the n-th of the system calls of a kind, for every n there is: before each
//! transaction (`flock`), within its writing (`pwrite64`), and where it is written and not yet known to be
//! safe (`fdatasync`). Nothing depends on how fast the machine is.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::common::{copy, not_run};
use crate::replacement_scene::{CONTROLLER, FAILED, LEAD, NEW, Scene, text};

/// Each kind of call, and at which of its places it kills: all of them, or every so manieth of the many.
const CALLS: [(&str, usize); 3] = [("flock", 1), ("fdatasync", 1), ("pwrite64", 7)];

fn can_trace() -> bool {
    let traced = Command::new("strace").args(["-qq", "-o", "/dev/null", "true"]).status();
    traced.is_ok_and(|status| status.success())
}

/// Runs a command line that is killed at the n-th such call; says whether it came that far.
fn killed(scene: &Scene, words: &[&str], path: Option<&str>, call: &str, n: usize) -> bool {
    let plain = scene.world.command(words);
    let mut traced = Command::new("strace");
    traced
        .args(["-qq", "-o", "/dev/null", "-e", &format!("trace={call}")])
        .args(["-e", &format!("inject={call}:signal=KILL:when={n}")])
        .arg(plain.get_program())
        .args(plain.get_args())
        .env_clear()
        .envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))))
        .current_dir(plain.get_current_dir().unwrap())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    if let Some(path) = path {
        let own = std::env::var("PATH").unwrap();
        traced.env("PATH", format!("{path}:{own}"));
    }
    traced.status().unwrap().signal() == Some(9)
}

/// How often each event was recorded, and each kind of message sent.
fn history(scene: &Scene) -> BTreeMap<String, usize> {
    let log = scene.world.json(["log", "--limit", "500"]);
    let mut counts = BTreeMap::new();
    for event in log.as_array().unwrap() {
        let kind = event["data"]["kind"].as_str().unwrap_or_default();
        *counts.entry(format!("{} {kind}", text(&event["event"]))).or_default() += 1;
    }
    counts
}

/// Kills a command at each of its places, each time in the same state of the world, lets `goes_on` bring it to
/// its end, and compares what has happened with what happens when nobody is killed.
fn at_each_place(scene: &Scene, words: &[&str], path: Option<&str>, goes_on: &dyn Fn(&Scene)) -> usize {
    let (store, before) = (scene.world.path("store"), scene.world.path("before"));
    let (github, empty) = (scene.world.path("github"), scene.world.path("github-before"));
    fs::create_dir_all(&github).unwrap();
    copy(&store, &before);
    copy(&github, &empty);
    run(scene, words, path);
    goes_on(scene);
    let wanted = history(scene);
    let mut places = 0;
    for (call, stride) in CALLS {
        for n in (1..).step_by(stride) {
            copy(&before, &store);
            copy(&empty, &github);
            if !killed(scene, words, path, call, n) {
                break;
            }
            places += 1;
            goes_on(scene);
            assert_eq!(history(scene), wanted, "killed at {call} {n}");
        }
    }
    places
}

fn run(scene: &Scene, words: &[&str], path: Option<&str>) -> crate::common::Run {
    match path {
        Some(path) => {
            let path = format!("{path}:{}", std::env::var("PATH").unwrap());
            scene.world.bb_with(&[("PATH", &path)], words)
        }
        None => scene.world.bb(words),
    }
}

/// The handoff that is there, if any.
fn begun(scene: &Scene) -> Option<Value> {
    let log = scene.world.json(["log", "--limit", "500"]);
    let prepared = log.as_array().unwrap().iter().find(|it| it["event"] == "handoff.prepared")?.clone();
    Some(scene.world.json(["replace", "--status", &text(&prepared["about"])]))
}

/// Killed anywhere between the document and the notice: resumed, or begun again where nothing had begun.
#[test]
fn killed_while_it_begins_it_sends_one_notice() {
    if !can_trace() {
        return not_run("strace cannot trace here");
    }
    let scene = Scene::new();
    let words = Scene::order("replace", &["--no-wait"]);
    let places = at_each_place(&scene, &words, None, &|scene| {
        match begun(scene) {
            Some(handoff) => scene.resume(&handoff, &["--no-wait"]),
            None => scene.world.bb(&words),
        };
        let handoff = begun(scene).unwrap();
        assert_eq!(handoff["step"], "sent");
        assert_eq!(scene.mail_of(NEW, "replacement_handoff").len(), 1);
        assert!(Path::new(&text(&handoff["document"]["path"])).is_file(), "the copy is there");
    });
    assert!(places >= 6, "only {places} places");
}

/// Killed anywhere between the acknowledgment and the audit entry: the tasks move once, the controller is told
/// once, one entry is written; open mail and reservations pass on once.
#[test]
fn killed_while_it_moves_the_tasks_everything_happens_once() {
    if !can_trace() {
        return not_run("strace cannot trace here");
    }
    let scene = Scene::new();
    scene.world.send(LEAD, FAILED, "BLOCKED", "An open question");
    scene.world.bb(["reserve", "--agent", FAILED, "--scope", "src", "--bead", "bb-1"]).ok();
    let handoff = scene.hand_over(&[]);
    scene.ready(&handoff).ok();
    let id = text(&handoff["handoff_id"]);
    let words = ["replace", "--resume", &id, "--accept-understanding"];
    let places = at_each_place(&scene, &words, None, &|scene| {
        let done = scene.world.bb(words).ok();
        assert!(done.stdout.contains("success, audited"), "{done}");
        assert_eq!(scene.mail_of(CONTROLLER, "replacement_confirmation").len(), 1);
        let events = history(scene);
        for once in ["agent_replacement ", "handoff.transferred ", "handoff.confirmed ", "message.passed_on "]
        {
            assert_eq!(events[once], 1, "{once}");
        }
        assert_eq!(scene.task("GH-42")["agent"], NEW);
        assert_eq!(scene.task("GH-43")["agent"], FAILED, "what was not handed over stays");
    });
    assert!(places >= 12, "only {places} places");
}

/// Killed anywhere between the silence and the audit entry: one escalation, one notice of the failure, one entry,
/// and the tasks stay where they are.
#[test]
fn killed_while_it_gives_up_everything_happens_once() {
    if !can_trace() {
        return not_run("strace cannot trace here");
    }
    let scene = Scene::new();
    let handoff = scene.hand_over(&[]);
    for seconds in [300, 150, 150] {
        scene.world.pass(seconds);
        scene.world.bb(["tick"]).ok();
    }
    let id = text(&handoff["handoff_id"]);
    let words = ["replace", "--resume", &id];
    let places = at_each_place(&scene, &words, None, &|scene| {
        assert_eq!(scene.world.bb(words).code, 6);
        for (to, kind, count) in [
            (CONTROLLER, "escalation", 1),
            (CONTROLLER, "replacement_confirmation", 1),
            (NEW, "handoff_reminder", 2),
        ] {
            assert_eq!(scene.mail_of(to, kind).len(), count, "{kind}");
        }
        assert_eq!(history(scene)["agent_replacement "], 1);
        assert_eq!(scene.task("GH-42")["agent"], FAILED);
    });
    assert!(places >= 12, "only {places} places");
}

/// The same with everything that is done on GitHub, which is recorded: no GitHub is reached. One comment, and
/// the labels as they should be.
#[test]
fn killed_around_what_it_does_on_github_it_comments_once() {
    if !can_trace() {
        return not_run("strace cannot trace here");
    }
    let scene = Scene::new();
    let path = scene.recorded_github("");
    let path = path.split(':').next().unwrap();
    let words = Scene::order("replace", &["--issue", "42", "--no-wait"]);
    let places = at_each_place(&scene, &words, Some(path), &|scene| {
        match begun(scene) {
            Some(handoff) => {
                let id = text(&handoff["handoff_id"]);
                run(scene, &["replace", "--resume", &id, "--no-wait"], Some(path))
            }
            None => run(scene, &words, Some(path)),
        };
        assert_eq!(begun(scene).unwrap()["published"], true);
        assert_eq!(scene.published("comment").len(), 1);
        assert_eq!(scene.mail_of(NEW, "replacement_handoff").len(), 1);
    });
    assert!(places >= 10, "only {places} places");
}

/// Killed anywhere while it answers questions with a changed document, and answered again: one notice of the new
/// document, one message with the answers.
#[test]
fn killed_while_it_answers_it_answers_once() {
    if !can_trace() {
        return not_run("strace cannot trace here");
    }
    let scene = Scene::new();
    let handoff = scene.hand_over(&[]);
    scene.ack(&handoff, &["--status", "needs_clarification", "--question", "Which library?"]).ok();
    fs::write(scene.world.work().join("newer.md"), "# Use PyJWT\n").unwrap();
    let id = text(&handoff["handoff_id"]);
    let words = ["clarify", "--handoff", &id, "--answer", "PyJWT", "--document", "newer.md"];
    let places = at_each_place(&scene, &words, None, &|scene| {
        scene.world.bb(words).ok();
        assert_eq!(scene.mail_of(NEW, "replacement_handoff").len(), 2);
        let told = scene.mail_of(NEW, "handoff_clarification");
        assert_eq!(told.len(), 1);
        let document = fs::read_to_string(text(&told[0]["content"]["updated_handoff_url"])).unwrap();
        assert_eq!(document, "# Use PyJWT\n");
    });
    assert!(places >= 10, "only {places} places");
}
