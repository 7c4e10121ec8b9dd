//! What a replacement does on GitHub, against a recorded `gh`: no GitHub is reached.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::common::{Run, World};
use crate::replacement_scene::{CONTROLLER, NEW, Scene, text};

/// What a `gh` does that is killed together with its caller, once, where `$1 $2` is this.
fn killing_at(scene: &Scene, call: &str) -> String {
    let done = scene.world.path("killed").display().to_string();
    format!("if [ \"$1 $2\" = '{call}' ] && ! [ -e '{done}' ]; then touch '{done}'; kill -9 $PPID; fi")
}

fn run(scene: &Scene, path: &str, words: &[&str]) -> Run {
    scene.world.bb_with(&[("PATH", path)], words)
}

fn begin(scene: &Scene, path: &str, more: &[&str]) -> Run {
    run(scene, path, &Scene::order("replace", &[more, &["--no-wait", "--json"]].concat()))
}

fn resume(scene: &Scene, path: &str, id: &str, more: &[&str]) -> Run {
    run(scene, path, &[&["replace", "--resume", id, "--json"], more].concat())
}

fn large_document(scene: &Scene) {
    fs::write(scene.world.work().join("handoff.md"), "x".repeat(65_537)).unwrap();
}

/// H1, H2: killed when GitHub has it and before that is on record; whoever goes on finds it there.
#[test]
fn what_was_published_before_a_kill_is_not_published_again() {
    for (call, large, flags, comments, gists) in [
        ("issue comment", false, &["--issue", "42"][..], 1, 0),
        ("gist create", false, &["--gist"], 0, 1),
        ("gist create", true, &["--issue", "42"], 1, 1),
        ("issue comment", true, &["--issue", "42"], 1, 1),
    ] {
        let scene = Scene::new();
        if large {
            large_document(&scene);
        }
        let path = scene.recorded_github(&killing_at(&scene, call));
        assert_eq!(begin(&scene, &path, flags).code, -1, "{call}: it was killed");
        assert!(scene.mail_of(NEW, "replacement_handoff").is_empty(), "{call}: nothing was sent yet");
        let sent = resume(&scene, &path, &scene.newest_handoff(), &["--no-wait"]);
        assert_eq!(sent.code, 75, "{sent}");
        assert_eq!(scene.published("comment").len(), comments, "{call} {large}");
        assert_eq!(scene.published("gist").len(), gists, "{call} {large}");
        let told = &scene.mail_of(NEW, "replacement_handoff")[0]["content"]["handoff_url"];
        assert_eq!(*told, sent.data()["url"]);
        assert_eq!(sent.data()["published"], true, "its address was found: {sent}");
        assert_eq!(sent.data()["publishing_errors"], json!([]), "{sent}");
        let left = fs::read_dir(scene.world.path("store/handoffs")).unwrap().count();
        assert_eq!(left, 1, "only the document is left");
    }
}

/// H1: the caller is killed, its `gh` is not: whoever goes on waits for what that one still does.
#[test]
fn a_gh_that_outlives_its_caller_is_waited_for() {
    let scene = Scene::new();
    let done = scene.world.path("killed").display().to_string();
    let before = format!("if ! [ -e '{done}' ]; then touch '{done}'; kill -9 $PPID; sleep 0.5; fi");
    let path = scene.recorded_github("");
    let gh = scene.world.path("bin/gh");
    let script = fs::read_to_string(&gh).unwrap();
    fs::write(&gh, script.replacen("#!/bin/sh\n", &format!("#!/bin/sh\n{before}\n"), 1)).unwrap();
    assert_eq!(begin(&scene, &path, &["--issue", "42"]).code, -1, "it was killed");
    assert!(scene.published("comment").is_empty(), "the other one has not come that far");
    let sent = resume(&scene, &path, &scene.newest_handoff(), &["--no-wait"]);
    assert_eq!(sent.data()["url"], "https://github.com/o/r/issues/42#issuecomment-1", "{sent}");
    assert_eq!(scene.published("comment").len(), 1);
}

/// H1: two that go on at once publish once.
#[test]
fn two_that_go_on_at_once_publish_once() {
    let scene = Scene::of(World::in_real_time());
    let (path, _) = scene.fake_gh("kill -9 $PPID");
    assert_eq!(begin(&scene, &path, &["--issue", "42"]).code, -1, "it was killed");
    let path = scene.recorded_github("sleep 0.2");
    let id = scene.newest_handoff();
    let start = || {
        let mut command = scene.world.command(["replace", "--resume", &id, "--no-wait"]);
        command.env("PATH", &path).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    let children = [start(), start(), start()];
    for mut child in children {
        assert_eq!(child.wait().unwrap().code(), Some(75));
    }
    assert_eq!(scene.published("comment").len(), 1);
    assert_eq!(scene.mail_of(NEW, "replacement_handoff").len(), 1);
}

/// H37: it cannot be told whether a comment was made, so it is not made again; a gist takes its place.
#[test]
fn what_cannot_be_looked_for_is_not_published_twice() {
    let scene = Scene::new();
    let path = scene.recorded_github(&killing_at(&scene, "issue comment"));
    assert_eq!(begin(&scene, &path, &["--issue", "42"]).code, -1, "it was killed");
    let gh = scene.world.path("bin/gh");
    let script = fs::read_to_string(&gh).unwrap();
    let blind =
        script.replace("\"issue view\") printf", "\"issue view\") echo 'rate limit' >&2; exit 1; printf");
    assert_ne!(blind, script);
    fs::write(&gh, blind).unwrap();
    let sent = resume(&scene, &path, &scene.newest_handoff(), &["--no-wait"]).data();
    let error = text(&sent["publishing_errors"][0]);
    assert!(
        error.starts_with("cannot tell whether it was published before: ") && error.contains("rate limit")
    );
    assert_eq!(sent["url"], "https://gist.github.com/2");
    assert_eq!(scene.published("comment").len(), 2, "the first one, and the one that says where the gist is");
}

/// H37: a `gh` that does not answer is ended with its children after `github_timeout`, and the next way is
/// tried.
#[test]
fn a_gh_that_hangs_is_ended_with_its_children() {
    let scene = Scene::new();
    let child = scene.world.path("child");
    let hang = format!(
        "if [ $1 = issue ]; then sleep 600 & echo $! > '{}'; wait; fi\necho https://gist.github.com/1",
        child.display()
    );
    let (path, _) = scene.fake_gh(&hang);
    let words: Vec<_> = Scene::order("handoff", &["--issue", "42", "--json"]);
    let limit = [("PATH", path.as_str()), ("BB_GITHUB_TIMEOUT", "1")];
    let handoff = scene.world.bb_with(&limit, words).ok().data();
    assert_eq!(handoff["url"], "https://gist.github.com/1");
    assert_eq!(
        handoff["publishing_errors"],
        json!([
            "gh issue comment: no answer within 1 s, so it was ended",
            "gh issue comment: no answer within 1 s, so it was ended"
        ])
    );
    let process = fs::read_to_string(child).unwrap();
    let state = fs::read_to_string(Path::new("/proc").join(process.trim()).join("stat")).unwrap_or_default();
    assert!(state.is_empty() || state.contains(") Z "), "it goes on: {state}");
}

/// C44: what hangs is tried once; the replacement is complete but for what the checklist says.
#[test]
fn a_gh_that_hangs_over_the_labels_does_not_hold_the_replacement_up() {
    let scene = Scene::new();
    let path = scene.recorded_github("if [ $2 = edit ]; then sleep 600; fi");
    let begun = begin(&scene, &path, &["--issue", "42"]).data();
    scene.ready(&begun).ok();
    let id = text(&begun["handoff_id"]);
    let words = ["replace", "--resume", &id, "--accept-understanding", "--json"];
    let limit = [("PATH", path.as_str()), ("BB_GITHUB_TIMEOUT", "1")];
    let done = scene.world.bb_with(&limit, words).ok().data();
    assert_eq!((&done["outcome"], &done["done"]), (&json!("success"), &json!(false)));
    assert_eq!(github_items(&done)[1].1, "issue #42: gh issue edit: no answer within 1 s, so it was ended");
    let calls = fs::read_to_string(scene.world.path("gh-calls")).unwrap();
    assert_eq!(calls.lines().filter(|line| line.starts_with("issue edit")).count(), 1, "{calls}");
}

/// H37: nobody is asked anything: no terminal, no input, no colour; and no secret is handed on.
#[test]
fn gh_is_run_with_nobody_to_ask() {
    let scene = Scene::new();
    let seen = scene.world.path("seen").display().to_string();
    let script = format!("env > '{seen}'; cat > '{seen}-input'; echo https://gist.github.com/1");
    let (path, _) = scene.fake_gh(&script);
    let variables = [("PATH", path.as_str()), ("BB_TOKEN", "secret")];
    scene.world.bb_with(&variables, Scene::order("handoff", &["--gist"])).ok();
    let environment = fs::read_to_string(&seen).unwrap();
    for line in ["GH_PROMPT_DISABLED=1", "NO_COLOR=1", "GIT_TERMINAL_PROMPT=0"] {
        assert!(environment.lines().any(|it| it == line), "{line}: {environment}");
    }
    assert!(!environment.contains("BB_TOKEN"), "{environment}");
    assert_eq!(fs::read_to_string(format!("{seen}-input")).unwrap(), "");
}

/// H1: the repository is the one of the folder in which the handoff began, wherever it goes on.
#[test]
fn gh_runs_where_the_handoff_began() {
    let scene = Scene::new();
    let (path, _) = scene.fake_gh(&format!("pwd >> '{}'; exit 1", scene.world.path("folders").display()));
    let begun = begin(&scene, &path, &["--issue", "42"]).data();
    scene.ready(&begun).ok();
    let mut command = scene.world.command(["replace", "--resume", &text(&begun["handoff_id"])]);
    command.arg("--accept-understanding").env("PATH", &path).current_dir(scene.world.path("home"));
    let done = Run::of(command.output().unwrap()).ok();
    assert!(done.stdout.contains("success"), "{done}");
    let folders = fs::read_to_string(scene.world.path("folders")).unwrap();
    let begun_in = scene.world.work().canonicalize().unwrap().display().to_string();
    assert!(folders.lines().all(|line| line == begun_in), "{folders}");
}

/// H37: why it failed is found out: not logged in, or no such issue.
#[test]
fn a_refusal_is_explained() {
    for (script, why) in [
        ("[ \"$1\" = auth ] && exit 1", "gh issue comment: no; gh is not logged in: gh auth login"),
        ("[ \"$1\" = auth ] && exit 0", "gh issue comment: no; issue #42 cannot be seen: gh issue view 42"),
        ("case \"$1 $2\" in auth*|'issue view') exit 0;; esac", "gh issue comment: no"),
    ] {
        let scene = Scene::new();
        let (path, calls) = scene.fake_gh(&format!("{script}\necho no >&2; exit 1"));
        let handoff = begin(&scene, &path, &["--issue", "42"]).data();
        let calls = fs::read_to_string(calls).unwrap();
        assert_eq!(handoff["publishing_errors"][0], why, "{calls}");
        assert!(calls.contains("\nauth status\n") && calls.contains("\ngist create "), "{calls}");
        assert_eq!(handoff["step"], "sent", "it goes on all the same");
    }
}

fn replaced(scene: &Scene, path: &str, flags: &[&str]) -> Value {
    let begun = begin(scene, path, flags).data();
    scene.ready(&begun).ok();
    resume(scene, path, &text(&begun["handoff_id"]), &["--accept-understanding"]).ok().data()
}

fn github_items(status: &Value) -> Vec<(bool, String)> {
    let groups = status["checklists"].as_array().unwrap();
    let github = groups.iter().find(|group| group["group"] == "GitHub").unwrap();
    let items = github["items"].as_array().unwrap().iter();
    items.map(|it| (it["done"] == true, it["detail"].as_str().unwrap_or_default().to_owned())).collect()
}

/// C44: label and assignee move on the issue and on the pull request; a label is made where there is none.
#[test]
fn labels_and_assignees_move_with_the_tasks() {
    let scene = Scene::new();
    let labels = scene.world.path("labels").display().to_string();
    let script = format!(
        "case \"$2\" in create) [ $1 = label ] && touch '{labels}';; edit) [ -e '{labels}' ] || exit 1;; esac"
    );
    let path = scene.recorded_github(&script);
    let accounts =
        [("PATH", path.as_str()), ("BB_GITHUB_ACCOUNTS", "implementer-1=octocat, implementer-2=hubot")];
    let words = Scene::order("replace", &["--issue", "42", "--pull-request", "#7", "--no-wait", "--json"]);
    let begun = scene.world.bb_with(&accounts, words).data();
    scene.ready(&begun).ok();
    let done = resume(&scene, &path, &text(&begun["handoff_id"]), &["--accept-understanding"]).ok().data();
    let moved = "--remove-label assigned:implementer-1 --add-label assigned:implementer-2 \
                 --remove-assignee octocat --add-assignee hubot";
    let calls = fs::read_to_string(scene.world.path("gh-calls")).unwrap();
    for line in [format!("issue edit 42 {moved}"), format!("pr edit 7 {moved}")] {
        assert!(calls.lines().any(|it| it == line), "{line}: {calls}");
    }
    assert!(calls.contains("\nlabel create assigned:implementer-2\n"), "{calls}");
    assert_eq!(github_items(&done), vec![(true, String::new()); 4], "{done}");
    let change = "assigned:implementer-1 -> assigned:implementer-2";
    assert_eq!(
        done["audit"]["github"]["labels_changed"],
        json!([change, format!("pull request #7: {change}")])
    );
}

/// C44: what could not be changed on GitHub is missing from the checklist; the tasks have moved all the same.
#[test]
fn what_failed_half_way_is_what_is_missing() {
    let scene = Scene::new();
    let path = scene.recorded_github("if [ $2 = edit ]; then echo 'no permission' >&2; exit 1; fi");
    let done = replaced(&scene, &path, &["--issue", "42", "--pull-request", "7"]);
    assert_eq!((&done["outcome"], &done["done"]), (&json!("success"), &json!(false)));
    let missing: Vec<_> = github_items(&done).iter().map(|(done, _)| *done).collect();
    assert_eq!(missing, [false, false, true, false]);
    assert!(github_items(&done)[1].1.contains("gh issue edit: no permission"), "{done}");
    assert_eq!(scene.mail_of(CONTROLLER, "replacement_confirmation").len(), 1);
}

/// `publish` in the configuration asks for it where no flag does.
#[test]
fn the_configuration_publishes_where_no_flag_says_otherwise() {
    for (publish, flags, comments, gists) in [
        ("none", &[][..], 0, 0),
        ("gist", &[], 0, 1),
        ("issue", &[], 1, 0),
        ("issue", &["--gist"], 0, 1),
        ("issue", &["--local"], 0, 0),
        ("gist", &["--url", "https://example.org/handoff"], 0, 0),
    ] {
        let scene = Scene::new();
        let path = scene.recorded_github("");
        let variables = [("PATH", path.as_str()), ("BB_PUBLISH", publish)];
        let handoff = scene.world.bb_with(&variables, Scene::order("handoff", flags)).ok();
        let published = (scene.published("comment").len(), scene.published("gist").len());
        assert_eq!(published, (comments, gists), "{publish} {flags:?}: {handoff}");
    }
    let scene = Scene::new();
    scene
        .world
        .bb_with(&[("BB_PUBLISH", "everywhere")], Scene::order("handoff", &[]))
        .fails("CONFIG_INVALID", 78);
    scene.world.bb(Scene::order("handoff", &["--gist", "--local"])).fails("INVALID_ARGS", 64);
}

/// C44: the label moves on the issue of every task that has moved, and what failed is done when it is resumed: what
/// had succeeded is not repeated, and the controller hears of it once.
#[test]
fn every_moved_task_is_labelled_and_what_failed_is_tried_again() {
    let scene = Scene::new();
    let broken = scene.world.path("broken").display().to_string();
    let path = scene.recorded_github(&format!(
        "if [ $2 = edit ] && [ $3 = 43 ] && [ -e '{broken}' ]; then echo 'no permission' >&2; exit 1; fi"
    ));
    fs::write(&broken, "").unwrap();
    let begun = run(
        &scene,
        &path,
        &Scene::order("replace", &["--issue", "42", "--task", "GH-42", "GH-43", "--no-wait", "--json"]),
    );
    assert!(begun.stderr.contains("if this is cut off: bb agent replace --resume"), "{begun}");
    let begun = begun.data();
    scene.ready(&begun).ok();
    let id = text(&begun["handoff_id"]);
    let edits = || {
        let calls = fs::read_to_string(scene.world.path("gh-calls")).unwrap();
        ["issue edit 42 ", "issue edit 43 "]
            .map(|call| calls.lines().filter(|line| line.starts_with(call)).count())
    };
    let done = resume(&scene, &path, &id, &["--accept-understanding"]).ok().data();
    assert_eq!(edits(), [1, 2], "once more when the labels were made");
    assert_eq!((&done["outcome"], &done["done"]), (&json!("success"), &json!(false)));
    assert_eq!(github_items(&done)[1], (false, "issue #43: gh issue edit: no permission".to_owned()));
    assert!(done["warnings"].to_string().contains("label not moved on issue #43: gh issue edit"), "{done}");
    assert_eq!(done["next"], format!("bb agent replace --resume {id}"));
    fs::remove_file(&broken).unwrap();
    let again = resume(&scene, &path, &id, &[]).ok().data();
    assert_eq!(edits(), [1, 3]);
    assert_eq!((&again["done"], &again["next"]), (&json!(true), &json!(null)), "{again}");
    resume(&scene, &path, &id, &[]).ok();
    assert_eq!(edits(), [1, 3], "nothing is left to do");
    let story = scene.world.bb(["explain", &id]).ok().stdout;
    assert!(story.contains("could not do on GitHub: labels of #43: gh issue edit"), "{story}");
    assert_eq!(scene.mail_of(CONTROLLER, "replacement_confirmation").len(), 1);
}

/// A comment that failed is made when it is resumed, once; what is on record then says so, too.
#[test]
fn a_comment_that_failed_is_made_later() {
    let scene = Scene::new();
    let broken = scene
        .recorded_github("if [ \"$1 $2\" = 'issue comment' ]; then rm \"$kept/comment-$number\"; exit 1; fi");
    let done = replaced(&scene, &broken, &["--issue", "42"]);
    let id = text(&done["handoff_id"]);
    assert_eq!((&done["done"], &done["audit"]["github"]["comments_added"]), (&json!(false), &json!([])));
    assert_eq!(done["next"], format!("bb agent replace --resume {id}"));
    let path = scene.recorded_github("");
    for _ in 0..2 {
        let again = resume(&scene, &path, &id, &[]).ok().data();
        assert_eq!((&again["done"], &again["next"]), (&json!(true), &json!(null)), "{again}");
        assert_eq!(again["audit"]["github"]["comments_added"].as_array().unwrap().len(), 1, "{again}");
    }
    assert_eq!(scene.published("comment").len(), 1);
    let log = scene.world.json(["log", "--limit", "500"]);
    let entries: Vec<_> =
        log.as_array().unwrap().iter().filter(|it| text(&it["event"]).starts_with("agent_repl")).collect();
    assert_eq!(entries.len(), 2, "the entry and its correction");
    let exported = scene.world.bb(["export", "--audit", "--format", "json"]).ok().stdout;
    let exported: Value = serde_json::from_str(&exported).unwrap();
    assert_eq!(exported[0], entries[1]["data"]);
}

/// What is said to have failed, and is there all the same, is found and not made again.
#[test]
fn a_comment_that_seemed_to_fail_is_found() {
    let scene = Scene::new();
    large_document(&scene);
    let broken = scene.recorded_github("if [ \"$1 $2\" = 'issue comment' ]; then exit 1; fi");
    let done = replaced(&scene, &broken, &["--issue", "42"]);
    assert_eq!(done["audit"]["github"]["comments_added"], json!(["#42 issuecomment-2"]));
    assert_eq!((&done["done"], scene.published("comment").len()), (&json!(true), 1), "{done}");
}
