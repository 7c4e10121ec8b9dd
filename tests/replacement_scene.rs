//! A team in which one agent has failed, and what its replacement takes.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use serde_json::Value;

use crate::common::{Run, World};

pub(crate) const LEAD: &str = "lead-one";
pub(crate) const FAILED: &str = "implementer-1";
pub(crate) const NEW: &str = "implementer-2";
pub(crate) const CONTROLLER: &str = "ecos-controller";
pub(crate) const CHECKPOINT: &str = "Token signing";
pub(crate) const UNDERSTANDING: &str = "Finish the login with signed tokens";

/// Keeps comments and gists in files, and lists them as JSON with their markers only.
const RECORDED_GITHUB: &str = r##"
list() { # prefix, name of the address, address, name of the text
    separator=
    for file in "$kept/$1"-*; do
        [ -f "$file" ] || continue
        mark=$(sed -n 's/.*\(handoff [^ ]* revision [0-9]* [a-z]*\).*/\1/p' "$file" | head -n 1)
        printf '%s{"%s":"%s%s","%s":"text %s"}' "$separator" "$2" "$3" "${file##*-}" "$4" "$mark"
        separator=,
    done
}
number=$(($(ls "$kept" | wc -l) + 1))
case "$1 $2" in
"issue comment")
    if [ "$4" = --body-file ]; then cp "$5" "$kept/comment-$number"; else echo "$5" > "$kept/comment-$number"; fi
    THEN
    echo "https://github.com/o/r/issues/$3#issuecomment-$number";;
"gist create")
    { cat "$3"; echo; echo "$5"; } > "$kept/gist-$number"
    THEN
    echo "https://gist.github.com/$number";;
"issue view") printf '{"comments":[%s]}' "$(list comment url https://github.com/o/r/issues/42#issuecomment- body)";;
api*) printf '[%s]' "$(list gist html_url https://gist.github.com/ description)";;
*) THEN
    :;;
esac"##;

/// A world with `GH-42` and `GH-43` in the hands of an agent that has failed.
pub(crate) struct Scene {
    pub(crate) world: World,
}

impl Scene {
    pub(crate) fn new() -> Self {
        Self::of(World::new())
    }

    pub(crate) fn of(world: World) -> Self {
        for (name, role) in [(LEAD, "lead"), (FAILED, "backend"), (NEW, "backend")] {
            let session = format!("session-of-{name}");
            world.bb(["register", "--name", name, "--role", role, "--session", &session]).ok();
        }
        for (task, title) in [("GH-42", "Log in and out"), ("GH-43", "Reset passwords")] {
            world
                .bb([
                    "assign", "--from", LEAD, "--to", FAILED, "--task", task, "--title", title, "-m", "Do it",
                ])
                .ok();
        }
        world
            .bb([
                "ack",
                "--agent",
                FAILED,
                "--task",
                "GH-42",
                "--understanding",
                "log in and out",
                "--checkpoint",
                "Design",
                "--checkpoint",
                "Code",
            ])
            .ok();
        world
            .bb(["checkpoint", "--agent", FAILED, "--task", "GH-42", "--number", "1", "--summary", "Design"])
            .ok();
        fs::write(world.work().join("handoff.md"), "# Handoff\n\nEverything about the login.\n").unwrap();
        Self { world }
    }

    /// The words of a handoff of `GH-42`, after the verb.
    pub(crate) fn order<'a>(verb: &'a str, more: &[&'a str]) -> Vec<&'a str> {
        let mut words = vec![verb, "--from", LEAD, "--failed", FAILED, "--to", NEW];
        words.extend(["--reason", "context_loss", "--document", "handoff.md", "--starting-from", CHECKPOINT]);
        if !more.contains(&"--task") {
            words.extend(["--task", "GH-42"]);
        }
        words.extend(more);
        words
    }

    /// Hands `GH-42` over.
    pub(crate) fn hand_over(&self, more: &[&str]) -> Value {
        self.world.json(Self::order("handoff", more))
    }

    /// Acknowledges a handoff in full.
    pub(crate) fn ready(&self, handoff: &Value) -> Run {
        self.ack(handoff, &["--understanding", UNDERSTANDING, "--starting-from", CHECKPOINT])
    }

    pub(crate) fn ack(&self, handoff: &Value, more: &[&str]) -> Run {
        let id = text(&handoff["message_id"]);
        let mut words = vec!["ack", "--agent", NEW, "--message", &id, "--json"];
        if !more.contains(&"--status") {
            words.extend(["--status", "ready_to_proceed"]);
        }
        words.extend(more);
        self.world.bb(words)
    }

    pub(crate) fn verify(&self, handoff: &Value, more: &[&str]) -> Run {
        let id = text(&handoff["handoff_id"]);
        self.world.bb(["verify-ack", "--handoff", &id, "--json"].iter().chain(more))
    }

    pub(crate) fn resume(&self, handoff: &Value, more: &[&str]) -> Run {
        let id = text(&handoff["handoff_id"]);
        self.world.bb(["replace", "--resume", &id, "--json"].iter().chain(more))
    }

    /// The mail of an agent, newest first.
    pub(crate) fn mail(&self, agent: &str) -> Vec<Value> {
        self.world.json(["inbox", "--agent", agent, "--limit", "100"]).as_array().unwrap().clone()
    }

    /// The mail of one kind, whole, newest first.
    pub(crate) fn mail_of(&self, agent: &str, kind: &str) -> Vec<Value> {
        let of_kind = self.mail(agent).into_iter().filter(|it| it["kind"] == kind);
        of_kind.map(|it| self.world.json(["show", &text(&it["message_id"])])).collect()
    }

    pub(crate) fn task(&self, id: &str) -> Value {
        let tasks = self.world.json(["tasks"]);
        let found =
            tasks["tasks"].as_array().or(tasks.as_array()).unwrap().iter().find(|it| it["task_id"] == id);
        found.unwrap().clone()
    }

    /// How many events of this name were recorded.
    pub(crate) fn events(&self, name: &str) -> usize {
        let log = self.world.bb(["log", "--json", "--limit", "500"]).ok().data();
        let events = log["events"].as_array().or(log.as_array()).unwrap().clone();
        events.iter().filter(|it| it["event"] == name).count()
    }

    /// The id of the handoff that was prepared last.
    pub(crate) fn newest_handoff(&self) -> String {
        let log = self.world.json(["log", "--limit", "500"]);
        let prepared = log.as_array().unwrap().iter().rfind(|it| it["event"] == "handoff.prepared");
        text(&prepared.unwrap()["about"])
    }

    /// Puts a recorded `gh` on the path that keeps what is published in a folder, as GitHub would: no GitHub
    /// is reached. The script runs when something was kept and before its address is printed; `$1 $2` is
    /// what was asked for. Gives the value of PATH.
    pub(crate) fn recorded_github(&self, script: &str) -> String {
        let kept = self.world.path("github");
        fs::create_dir_all(&kept).unwrap();
        let github = format!("kept='{}'\n{RECORDED_GITHUB}", kept.display());
        self.fake_gh(&github.replace("THEN", script)).0
    }

    /// What was published on the recorded GitHub: `comment` or `gist`.
    pub(crate) fn published(&self, what: &str) -> Vec<String> {
        let mut files: Vec<_> =
            fs::read_dir(self.world.path("github")).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.retain(|file| file.file_name().unwrap().to_str().unwrap().starts_with(what));
        files.sort();
        files.iter().map(|file| fs::read_to_string(file).unwrap()).collect()
    }

    /// Puts a `gh` on the path that records how it is called and answers as it is told: no GitHub is
    /// reached. Gives the value of PATH and the file with the calls.
    pub(crate) fn fake_gh(&self, script: &str) -> (String, PathBuf) {
        let folder = self.world.path("bin");
        let calls = self.world.path("gh-calls");
        fs::create_dir_all(&folder).unwrap();
        let text = format!("#!/bin/sh\necho \"$*\" >> '{}'\n{script}\n", calls.display());
        fs::write(folder.join("gh"), text).unwrap();
        fs::set_permissions(folder.join("gh"), fs::Permissions::from_mode(0o755)).unwrap();
        (format!("{}:/usr/bin:/bin", folder.display()), calls)
    }
}

pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}
