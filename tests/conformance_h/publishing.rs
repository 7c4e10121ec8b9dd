//! H1 to H4 and H37: how the document is kept and published. Each against a recorded `gh`: no GitHub is reached.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use crate::replacement_scene::{NEW, Scene, text};

const COMMENT: &str = "https://github.com/owner/repo/issues/42#issuecomment-7";

const GIST: &str = "https://gist.github.com/lead/abc";

/// Hands over with a `gh` that is recorded and answers with this script.
fn with_gh(scene: &Scene, script: &str, more: &[&str]) -> (Value, String) {
    let (path, calls) = scene.fake_gh(script);
    let words: Vec<_> = Scene::order("handoff", more).into_iter().chain(["--json"]).collect();
    let handoff = scene.world.bb_with(&[("PATH", &path)], words).ok().data();
    (handoff, fs::read_to_string(calls).unwrap_or_default())
}

/// H1: against a recorded `gh`.
#[test]
fn the_document_is_published_as_a_comment() {
    let scene = Scene::new();
    let (handoff, calls) = with_gh(&scene, &format!("echo {COMMENT}"), &["--issue", "#42"]);
    assert_eq!((&handoff["url"], &handoff["published"]), (&json!(COMMENT), &json!(true)));
    let path = text(&handoff["document"]["path"]);
    assert_eq!(calls, format!("issue comment 42 --body-file {path}.comment\n"));
    assert_eq!(scene.mail_of(NEW, "replacement_handoff")[0]["content"]["handoff_url"], COMMENT);
}

/// H2: against a recorded `gh`; a large document goes into a gist, and the issue says where.
#[test]
fn a_large_document_becomes_a_gist() {
    let scene = Scene::new();
    fs::write(scene.world.work().join("handoff.md"), "x".repeat(65_537)).unwrap();
    let script = format!("case $1 in gist) echo {GIST};; *) echo {COMMENT};; esac");
    let (handoff, calls) = with_gh(&scene, &script, &["--issue", "42"]);
    assert_eq!(handoff["url"], GIST);
    assert!(calls.starts_with("gist create ") && calls.contains("\nissue comment 42 --body "), "{calls}");
    assert!(!calls.contains("--public"));
}

/// H37: against a recorded `gh` that fails; a gist is tried, then the path is enough, and it says so.
#[test]
fn what_cannot_be_published_stays_local_and_says_so() {
    let scene = Scene::new();
    let (handoff, calls) = with_gh(&scene, "echo 'not logged in' >&2; exit 4", &["--issue", "42"]);
    assert_eq!(
        calls.lines().map(|line| line.split(' ').next().unwrap()).collect::<Vec<_>>(),
        ["issue", "auth", "gist", "auth"]
    );
    assert_eq!((&handoff["published"], &handoff["step"]), (&json!(false), &json!("sent")));
    assert_eq!(handoff["url"], handoff["document"]["path"]);
    assert!(handoff["warnings"][0].as_str().unwrap().contains("not logged in"), "{handoff}");
}

/// H37: without any `gh` at all.
#[test]
fn without_the_github_command_line_the_handoff_goes_on() {
    let scene = Scene::new();
    let words: Vec<_> = Scene::order("handoff", &["--gist"]).into_iter().chain(["--json"]).collect();
    let handoff = scene.world.bb_with(&[("PATH", "/nowhere")], words).ok().data();
    assert_eq!(handoff["step"], "sent");
    assert!(handoff["publishing_errors"][0].as_str().unwrap().contains("cannot run gh"), "{handoff}");
}

/// H3, ⚠15, H4
#[test]
fn a_private_copy_is_kept_under_its_name_before_anything_is_published() {
    let scene = Scene::new();
    let script = "test -f \"${5%.comment}\" || exit 9; echo https://example.com/1";
    let (handoff, _) = with_gh(&scene, script, &["--issue", "42"]);
    assert_eq!(handoff["published"], true, "the copy was there when gh ran");
    let path = text(&handoff["document"]["path"]);
    let name = "store/handoffs/replacement-handoff-implementer-1-to-implementer-2-20260304T001122Z.md";
    assert!(path.ends_with(name), "{path}");
    let original = fs::read_to_string(scene.world.work().join("handoff.md")).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), original);
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    let folder = fs::metadata(scene.world.path("store/handoffs")).unwrap();
    assert_eq!(folder.permissions().mode() & 0o777, 0o700);
}
